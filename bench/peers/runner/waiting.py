"""How late the waiters of a log were served, and in which order."""

import array
import pathlib

from workloads import Workload


def examine(log: pathlib.Path, workload: Workload, algorithm: str) -> dict[str, float]:
    numbers = array.array("q")
    numbers.frombytes(log.read_bytes())
    grants = sorted((numbers[i + 1], numbers[i + 2]) for i in range(0, len(numbers), 3))  # when, and who
    moments = [when for when, _ in grants]
    late = sorted(lateness(moments, workload.rate, workload.interval_ms * 1000, algorithm))
    figures = {"overtaken": overtaken([who for _, who in grants])}
    if late:
        figures["late_p50"] = late[len(late) // 2] / 1000
        figures["late_p99"] = late[min(len(late) - 1, len(late) * 99 // 100)] / 1000
    return figures


def lateness(moments: list[int], rate: int, interval: int, algorithm: str) -> list[float]:
    """Microseconds from when a permit was free to when its waiter had it. There is always a waiter.

    A log frees a permit one interval after it was granted, so the grants themselves say when. A bucket and a window keep
    a schedule of their own, which is taken to be the latest that no grant is ahead of.
    """
    if algorithm == "sliding_log":
        return [moment - (moments[i] + interval) for i, moment in enumerate(moments[rate:])]
    if algorithm == "token_bucket":
        steps = [moment - i * interval / rate for i, moment in enumerate(moments)]
    else:
        steps = [moment - (i // rate) * interval for i, moment in enumerate(moments)]
    first = min(steps, default=0)
    return [step - first for step in steps]


def overtaken(numbers: list[int]) -> float:
    """The share of grants that came after one to a later arrival."""
    latest, count = -1, 0
    for number in numbers:
        count += number < latest
        latest = max(latest, number)
    return count / max(1, len(numbers))
