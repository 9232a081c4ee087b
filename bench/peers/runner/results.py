"""The figures of all rounds, and what is computed from them."""

import json
import pathlib
import statistics

from contenders import CONTENDERS, Contender
from measure import Figures


class Results:
    def __init__(self) -> None:
        self.about: dict[str, str] = {}
        self._rounds: dict[str, dict[str, list[Figures | None]]] = {}  # by workload, then by contender
        self._failures: dict[str, dict[str, str]] = {}

    def add(self, workload: str, contender: str, figures: Figures) -> None:
        self._rounds.setdefault(workload, {}).setdefault(contender, []).append(figures)

    def add_failure(self, workload: str, contender: str, reason: str) -> None:
        self._rounds.setdefault(workload, {}).setdefault(contender, []).append(None)
        self._failures.setdefault(workload, {})[contender] = reason

    def forget(self, workload: str, contender: str) -> None:
        self._rounds.get(workload, {}).pop(contender, None)
        self._failures.get(workload, {}).pop(contender, None)

    def values(self, workload: str, contender: str, figure: str) -> list[float]:
        return [figures[figure] for figures in self._rounds.get(workload, {}).get(contender, [])
                if figures and figure in figures]

    def median(self, workload: str, contender: str, figure: str) -> float | None:
        values = self.values(workload, contender, figure)
        return statistics.median(values) if values else None

    def worst(self, workload: str, contender: str, figure: str) -> float | None:
        return max(self.values(workload, contender, figure), default=None)

    def ratio(self, workload: str, figure: str, one: str, other: str) -> float | None:
        """Round by round, then the median: what slowed down a whole round cancels out."""
        pairs = zip(self._rounds.get(workload, {}).get(one, []), self._rounds.get(workload, {}).get(other, []))
        ratios = [a[figure] / b[figure] for a, b in pairs if a and b and figure in a and b.get(figure)]
        return statistics.median(ratios) if ratios else None

    def contenders_of(self, workload: str) -> list[Contender]:
        ran = self._rounds.get(workload, {})
        return [contender for contender in CONTENDERS if contender.name in ran]

    def failure(self, workload: str, contender: str) -> str | None:
        return self._failures.get(workload, {}).get(contender)

    def has(self, workload: str) -> bool:
        return workload in self._rounds

    def save(self, file: pathlib.Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"about": self.about, "rounds": self._rounds, "failures": self._failures}))

    @staticmethod
    def load(file: pathlib.Path) -> "Results":
        data = json.loads(file.read_text())
        results = Results()
        results.about, results._rounds, results._failures = data["about"], data["rounds"], data["failures"]
        return results
