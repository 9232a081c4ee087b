"""What must hold, and whether it does. A row of ours is compared with a peer's of the same round."""

import dataclasses
from collections.abc import Callable

from contenders import CONTENDERS
from results import Results
from workloads import WORKLOADS

PACE = "decisions_per_second"


@dataclasses.dataclass(frozen=True)
class Verdict:
    claim: str
    found: str
    holds: bool | None  # None: not measured in this run

    def text(self) -> str:
        return {True: "ok", False: "MISSED", None: "not measured"}[self.holds]


def verdicts(results: Results) -> list[Verdict]:
    def at_least(claim: str, workload: str, ours: str, peer: str | None, factor: float) -> Verdict:
        ratio = results.ratio(workload, PACE, ours, peer) if peer else None
        return judged(claim, ratio, peer, lambda value: value >= factor, factor)

    def at_most(claim: str, workload: str, figure: str, peer: str | None, factor: float) -> Verdict:
        ratio = results.ratio(workload, figure, "ration", peer) if peer else None
        return judged(claim, ratio, peer, lambda value: value <= factor, factor)

    best_hot = best(results, "hot", PACE, max, exact=True)
    return [
        at_least("hot limiter: 10 x Redisson", "hot", "ration", "redisson", 10),
        at_least("hot limiter: 3 x the next best exact peer", "hot", "ration", best_hot, 3),
        at_least("100 000 keys: 2 x Redisson", "keys", "ration", "redisson", 2),
        at_least("100 000 keys: the best peer", "keys", "ration", best(results, "keys", PACE, max), 1),
        at_most("one caller: p50 of the best peer", "one", "p50", best(results, "one", "p50", min), 1),
        at_most("waiting: 1/20 of Redisson's calls", "waiting", "calls_per_grant", "redisson", 1 / 20),
        at_most("waiting: 1/3 of Redisson's lateness, p99", "waiting", "late_p99", "redisson", 1 / 3),
        at_least("in process, hot limiter: governor", "memory-hot", "ration-memory", "governor", 1),
        at_least("in process, two threads: governor", "memory-hot-2", "ration-memory", "governor", 1),
        at_least("in process, 1 million keys: governor", "memory-keys", "ration-memory", "governor", 1),
        at_least("in process, 1 million keys: throttlecrab", "memory-keys", "ration-memory", "throttlecrab", 1),
        nothing_over(results),
    ]


def judged(claim: str, ratio: float | None, peer: str | None, holds: Callable[[float], bool], goal: float) -> Verdict:
    if ratio is None:
        return Verdict(claim, "", None)
    text = f"{ratio:.3g} x {title(peer)}"
    if not holds(ratio):
        text += f", goal {goal:.3g}"
    return Verdict(claim, text, holds(ratio))


def best(results: Results, workload: str, figure: str, choose: Callable, exact: bool = False) -> str | None:
    """The peer with the best median; of those that never exceeded their own promise, if that was asked and measured."""
    medians = {}
    for contender in results.contenders_of(workload):
        value = results.median(workload, contender.name, figure)
        if contender.language == "cpp" or value is None:
            continue
        if exact and any(results.worst(test, contender.name, "over") for test in ("exact", "exact-processes")):
            continue
        medians[contender.name] = value
    return choose(medians, key=medians.get) if medians else None


def nothing_over(results: Results) -> Verdict:
    claim = "no permit over the limit, on the limiter's own grid of time"
    worst = {}
    for workload in WORKLOADS:
        for contender in results.contenders_of(workload.name):
            over = results.worst(workload.name, contender.name, "over")
            if contender.language == "cpp" and over is not None:
                worst[workload.name] = max(over, worst.get(workload.name, 0))
    if not worst:
        return Verdict(claim, "", None)
    found = ", ".join(f"{over:.0f} in {name}" for name, over in worst.items())
    return Verdict(claim, found, not any(worst.values()))


def behind(results: Results) -> list[str]:
    """The rows in which a peer is ahead, and by how much."""
    rows = []
    for workload in WORKLOADS:
        if workload.is_about_errors():
            continue
        figures = [(PACE, max, "decisions per second")] if workload.mode == "ask" else [
            ("late_p99", min, "lateness p99"), ("calls_per_grant", min, "calls per grant")]
        if workload.name == "one":
            figures = [("p50", min, "p50")]
        for figure, choose, figure_title in figures:
            ours = "ration" if workload.place == "redis" else "ration-memory"
            peer = best(results, workload.name, figure, choose)
            ratio = results.ratio(workload.name, figure, ours, peer) if peer else None
            if ratio is None or choose(ratio, 1) == ratio:
                continue
            rows.append(f"{workload.title}: {figure_title} is {ratio:.2g} x that of {title(peer)}")
    return rows


def title(name: str | None) -> str:
    return next((contender.title for contender in CONTENDERS if contender.name == name), "")
