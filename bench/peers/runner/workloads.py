"""What is asked of everybody: the rows of the tables, and the points of the curves."""

import dataclasses

HOUR = 3_600_000
PLENTY = 1_000_000_000  # permits, so that nobody is refused


@dataclasses.dataclass(frozen=True)
class Workload:
    name: str
    title: str
    place: str = "redis"
    mode: str = "ask"
    callers: int = 64
    keys: int = 1
    rate: int = PLENTY
    interval_ms: int = HOUR
    processes: int = 1
    fill: bool = False  # every key is there before it begins
    logged: bool = False  # every decision is written down and checked; its speed means nothing
    both_processors: bool = False  # in process, two threads
    seconds: float | None = None  # instead of the ordinary time

    def is_about_errors(self) -> bool:
        return self.logged and self.mode == "ask"


WORKLOADS = [
    Workload("hot", "One hot limiter, 64 callers"),
    Workload("keys", "100 000 keys, 256 in flight", callers=256, keys=100_000, rate=1000, fill=True),
    Workload("one", "One caller", callers=1),
    Workload("denied", "Mostly denied: 100 permits per second, 64 callers", rate=100, interval_ms=1000),
    Workload("processes", "4 processes at once, 16 callers each, one limiter", callers=16, processes=4),
    Workload("waiting", "200 waiters on 100 permits per second", mode="wait", callers=200, rate=100, interval_ms=1000,
             logged=True, seconds=5),
    Workload("exact", "Errors, one process: 1000 per second, 64 callers", rate=1000, interval_ms=1000, logged=True,
             seconds=4),
    Workload("exact-processes", "Errors, 4 processes: 1000 per second, 16 callers each", callers=16, processes=4,
             rate=1000, interval_ms=1000, logged=True, seconds=4),
    Workload("exact-keys", "Errors, 10 keys together: 100 per second each, 64 callers", keys=10, rate=100, interval_ms=1000,
             logged=True, seconds=4),
    Workload("memory-hot", "In process: one hot limiter", place="memory", callers=1, interval_ms=1000),
    Workload("memory-hot-2", "In process: one hot limiter, two threads", place="memory", callers=2, interval_ms=1000,
             both_processors=True),
    Workload("memory-denied", "In process: mostly denied, 100 permits per second", place="memory", callers=1, rate=100,
             interval_ms=1000),
    Workload("memory-keys", "In process: 1 million keys", place="memory", callers=1, keys=1_000_000, rate=1000,
             fill=True),
    Workload("memory-exact", "Errors in process: 1000 per second, two threads", place="memory", callers=2, rate=1000,
             interval_ms=1000, logged=True, both_processors=True, seconds=4),
]


@dataclasses.dataclass(frozen=True)
class Curve:
    name: str  # of the quantity that grows, and of the picture
    title: str
    unit: str
    workload: Workload
    points: tuple[int, ...]
    measure: str  # which of a result's figures is drawn
    measure_title: str

    def at(self, point: int) -> Workload:
        changes = {
            "rate": {"rate": point},
            "memory-rate": {"rate": point},
            "keys": {"keys": point},
            "memory-keys": {"keys": point},
            "callers": {"callers": point},
            "waiters": {"callers": point},
        }[self.name]
        return dataclasses.replace(self.workload, name=f"{self.name}-{point}", **changes)


CURVES = [
    Curve("rate", "What a higher rate costs: 64 callers, one limiter", "permits per second",
          Workload("", "", rate=0, interval_ms=1000), (10, 100, 1000, 10_000, 100_000, 1_000_000), "decisions_per_second",
          "decisions per second"),
    Curve("keys", "What more keys cost: 256 in flight", "keys",
          Workload("", "", callers=256, rate=1000, fill=True), (1000, 10_000, 100_000, 1_000_000, 10_000_000),
          "decisions_per_second", "decisions per second"),
    Curve("callers", "What more callers bring: one limiter", "callers", Workload("", ""), (1, 4, 16, 64, 256, 1024),
          "decisions_per_second", "decisions per second"),
    Curve("waiters", "What more waiters cost: 100 permits per second", "waiters",
          Workload("", "", mode="wait", rate=100, interval_ms=1000, logged=True, seconds=3),
          (1, 10, 100, 1000, 10_000, 100_000), "calls_per_grant", "calls to Redis per grant"),
    Curve("memory-keys", "In process: what more keys cost", "keys",
          Workload("", "", place="memory", callers=1, rate=1000, fill=True),
          (1000, 10_000, 100_000, 1_000_000, 10_000_000), "decisions_per_second", "decisions per second"),
]
