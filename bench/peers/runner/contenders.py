"""Who takes part: how each is started, and which of Redis's command counts are its calls."""

import dataclasses
import pathlib
from collections.abc import Callable

ROOT = pathlib.Path(__file__).resolve().parents[3]
SOURCES = ROOT / "bench" / "peers"
BUILT = ROOT / "build" / "peers"

JAVA = ["java", "-cp", f"{BUILT}/java/classes:{BUILT}/java/lib/*", "peers.Main"]
GO = [f"{BUILT}/go/peers"]
RUST = [f"{BUILT}/rust/release/peers"]
NODE = ["node", f"{SOURCES}/node/main.js"]
PYTHON = [f"{BUILT}/python/bin/python", f"{SOURCES}/python/main.py"]
RATION = [f"{ROOT}/build/release/bench/ration_peer"]

Counts = dict[str, int]


def scripts(counts: Counts) -> int:
    """Nearly everybody asks by script; what a script calls inside is counted too, but is no call to Redis."""
    return sum(counts.get(name, 0) for name in ("eval", "evalsha", "evalsha_ro", "fcall"))


def gets(counts: Counts) -> int:
    """bucket4j reads by GET and swaps by a script that has one GET inside: all GETs together are its calls."""
    return counts.get("get", 0)


def plain_commands(counts: Counts) -> int:
    """limits counts a fixed window by INCRBY and EXPIRE, and looks it up by GET and TTL or the like; no scripts."""
    return sum(counts.get(name, 0) for name in ("incrby", "expire", "get", "ttl", "pttl", "expiretime", "pexpiretime"))


@dataclasses.dataclass(frozen=True, eq=False)  # each is itself, and can be a key
class Contender:
    name: str  # what --only knows it by, and what the programs know it by
    title: str
    language: str  # what has to be installed for it
    command: list[str]
    algorithm: str  # whose promise its errors are measured by; see errors.py
    place: str  # "redis" or "memory"
    color: str
    grid: int = 1000  # microseconds; what it keeps time by
    warms_up: float = 1.0  # times the ordinary warm-up; a JIT compiler takes longer
    calls: Callable[[Counts], int] = scripts
    keyed_algorithm: str = ""  # if it is another one
    only_workloads: tuple[str, ...] = ()  # a variation that matters in these alone
    most: dict[str, int] = dataclasses.field(default_factory=dict)  # the furthest point of a curve it can run

    def takes_part(self, workload_name: str, place: str) -> bool:
        return self.place == place and (not self.only_workloads or workload_name in self.only_workloads)


CONTENDERS = [
    Contender("ration", "ration", "cpp", RATION, "sliding_log", "redis", "#c0392b",
              keyed_algorithm="token_bucket"),
    Contender("ration-bucket", "ration, token_bucket", "cpp", RATION, "token_bucket", "redis", "#e58e82",
              only_workloads=("hot", "one", "denied", "processes", "exact", "exact-processes")),
    Contender("redisson", "Redisson", "java", JAVA, "sliding_log", "redis", "#2c6fbb", warms_up=5),
    Contender("bucket4j", "bucket4j", "java", JAVA, "token_bucket", "redis", "#7d5ba6", warms_up=5, calls=gets),
    Contender("bucket4j-batching", "bucket4j, batching", "java", JAVA, "token_bucket", "redis", "#b08fd8", warms_up=5,
              calls=gets),
    Contender("redis_rate", "redis_rate", "go", GO, "token_bucket", "redis", "#1f9e89"),
    Contender("rlf", "rate-limiter-flexible", "node", NODE, "fixed_window", "redis", "#d98e04", warms_up=2),
    Contender("rlf-block", "rate-limiter-flexible, blocking in memory", "node", NODE, "fixed_window", "redis",
              "#f0c05a", warms_up=2, only_workloads=("denied",)),
    Contender("limits-moving", "limits, moving window", "python", PYTHON, "sliding_log", "redis", "#5f6a6a",
              most={"waiters": 1000}),
    Contender("limits-fixed", "limits, fixed window", "python", PYTHON, "fixed_window", "redis", "#a0a8a8",
              calls=plain_commands, most={"waiters": 1000}),
    Contender("ration-memory", "ration", "cpp", RATION, "token_bucket", "memory", "#c0392b", grid=1),
    Contender("ration-log", "ration, sliding_log", "cpp", RATION, "sliding_log", "memory", "#e58e82", grid=1,
              only_workloads=("memory-hot", "memory-hot-2", "memory-denied", "memory-exact")),
    Contender("governor", "governor", "rust", RUST, "token_bucket", "memory", "#2c6fbb", grid=1),
    Contender("throttlecrab", "throttlecrab", "rust", RUST, "token_bucket", "memory", "#7d5ba6", grid=1),
    Contender("x-time-rate", "golang.org/x/time/rate", "go", GO, "token_bucket", "memory", "#1f9e89", grid=1),
    Contender("guava", "Guava", "java", JAVA, "empty_bucket", "memory", "#5f6a6a", grid=1, warms_up=5),
    Contender("resilience4j", "resilience4j", "java", JAVA, "fixed_cycle", "memory", "#a0a8a8", grid=1, warms_up=5),
    Contender("rlf-memory", "rate-limiter-flexible, memory", "node", NODE, "fixed_window", "memory", "#d98e04",
              warms_up=2),
]
