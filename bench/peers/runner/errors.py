"""What a limiter did wrong, as far as it is certain.

Each decision was made at some moment between its start and its end, as the caller's clock has them. Only what is
wrong whatever those moments were is counted, so the figures are lower bounds, too low by what fits into a round trip.
A limiter that keeps time in whole milliseconds or microseconds is judged by that grid, which is taken off the interval: a
grant at 0.9 ms that frees up at 1000.0 ms is on its time. What that hides is shown apart, as over_strict.

Several keys are judged by what they let through together, which their promises add up to; but windows that open at
different moments promise nothing together, and one key may refuse while another has permits.

  over          permits beyond the limit in the worst stretch of time, by the algorithm's own promise
  over_strict   the same without regard to its grid
  over_sliding  as over, but for any stretch of one interval: what "1000 per second" says to a reader
  refused       refusals although the limiter must have had a permit, by the algorithm's own promise
"""

import array
import bisect
import math
import pathlib

from workloads import Workload


class Calls:
    """Of one kind, granted or denied. `starts` and `ends` are sorted, each for itself, in microseconds."""

    def __init__(self, pairs: list[tuple[int, int]]):
        self.pairs = sorted(pairs)
        self.starts = [start for start, _ in self.pairs]
        self.ends = sorted(end for _, end in self.pairs)

    def within(self, begin: int, end: int) -> int:
        """How many lie between the two, at least: those that ended in time, less those that began too early."""
        return bisect.bisect_right(self.ends, end) - bisect.bisect_left(self.starts, begin)

    def touching(self, begin: int, end: int) -> int:
        """How many may lie between the two, at most."""
        return bisect.bisect_right(self.starts, end) - bisect.bisect_left(self.ends, begin)


def read(logs: list[pathlib.Path]) -> tuple[Calls, Calls]:
    granted, denied = [], []
    for log in logs:
        numbers = array.array("q")
        numbers.frombytes(log.read_bytes())
        for i in range(0, len(numbers), 3):
            (granted if numbers[i + 2] else denied).append((numbers[i], numbers[i + 1]))
    return Calls(granted), Calls(denied)


def examine(logs: list[pathlib.Path], workload: Workload, algorithm: str, grid: int) -> dict[str, float]:
    granted, denied = read(logs)
    rate, interval = workload.rate * workload.keys, workload.interval_ms * 1000
    promise = {
        "sliding_log": (over_log, refused_by_count),
        "token_bucket": (over_bucket, refused_by_full_bucket),
        "empty_bucket": (over_bucket, refused_by_empty_bucket),
        "fixed_window": (over_window, refused_by_count),
        "fixed_cycle": (over_cycle, refused_by_count),
    }
    over, refused = promise[algorithm]
    figures = {"over_sliding": max(0, over_log(granted, rate, interval - grid))}
    if workload.keys == 1 or algorithm in ("sliding_log", "token_bucket"):
        figures["over"] = max(0, over(granted, rate, interval - grid))
        figures["over_strict"] = max(0, over(granted, rate, interval))
    if workload.keys == 1:
        figures["refused"] = refused(granted, denied, rate, interval + grid)
    return figures


def over_log(granted: Calls, rate: int, interval: int) -> int:
    """In any stretch shorter than the interval."""
    return max((granted.within(start, start + interval - 1) for start in granted.starts), default=0) - rate


def over_bucket(granted: Calls, rate: int, interval: int) -> int:
    """In any stretch: over the burst, which is the rate, and what flows in meanwhile."""
    worst, least = 0.0, math.inf
    origin = granted.starts[0] if granted.starts else 0
    for i, (start, end) in enumerate(zip(granted.starts, granted.ends)):
        # i + 1 grants ended by `end`, of which i at most began before the i-th start; earlier stretches by their least
        least = min(least, i - (start - origin) * rate / interval)
        worst = max(worst, i + 1 - least - (end - origin) * rate / interval - rate)
    return math.floor(worst)


def over_window(granted: Calls, rate: int, interval: int) -> int:
    """A window opens with a grant and lasts one interval; the next opens with the first grant after it. It is taken to
    open as early as it can have, so that no window of ours holds grants of two of theirs."""
    worst, opened, count = 0, -math.inf, 0
    for start, end in granted.pairs:
        if end >= opened + interval:
            opened, count = start, 0
        count += 1
        worst = max(worst, count - rate)
    return worst


def over_cycle(granted: Calls, rate: int, interval: int) -> int:
    """Windows follow each other without a gap, but it is not known when the first began. Wherever grants come after a
    pause, one may have begun; the one that speaks best for the limiter is believed."""
    starts = granted.starts
    pause = interval // 20
    begins = [start for before, start in zip([-math.inf, *starts], starts) if start - before > pause]

    def worst_from(begin: int) -> int:
        first = begin - (begin - starts[0]) // interval * interval - interval
        return max(granted.within(at, at + interval - 1) for at in range(first, starts[-1] + 1, interval)) - rate

    return min((worst_from(begin) for begin in begins), default=0)


def refused_by_count(granted: Calls, denied: Calls, rate: int, interval: int) -> int:
    """Fewer grants than the rate can have counted at any moment of the refused call."""
    return sum(granted.touching(start - interval, end) < rate for start, end in denied.pairs)


def refused_by_full_bucket(granted: Calls, denied: Calls, rate: int, interval: int) -> int:
    return refused_by_bucket(granted, denied, rate, interval, level=rate)


def refused_by_empty_bucket(granted: Calls, denied: Calls, rate: int, interval: int) -> int:
    return refused_by_bucket(granted, denied, rate, interval, level=1)


def refused_by_bucket(granted: Calls, denied: Calls, rate: int, interval: int, level: float) -> int:
    """Even if every grant was made as late as it may have been, two permits were left: one for the caller, and one for
    what the grid rounds off. The bucket held `level` at the first grant."""
    wrong, position = 0, 0
    since = granted.ends[0] if granted.ends else 0
    for start, end in denied.pairs:
        while position < len(granted.ends) and granted.ends[position] <= start:
            moment = granted.ends[position]
            level = min(rate, level + (moment - since) * rate / interval) - 1
            since = moment
            position += 1
        under_way = bisect.bisect_right(granted.starts, end) - position
        wrong += min(rate, level + (start - since) * rate / interval) - under_way >= 2
    return wrong
