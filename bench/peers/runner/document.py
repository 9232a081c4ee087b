"""Writes the generated parts of docs/benchmarks-peers.md and docs/benchmarks.md, and the pictures beside them."""

import pathlib

import pictures
from results import Results
from tables import curve_rows, markdown, measured, notes, rows
from verdicts import behind, verdicts
from workloads import CURVES

BEGIN = "<!-- written by make bench-peers: begin -->"
END = "<!-- written by make bench-peers: end -->"

BARS = {
    "hot": ("decisions_per_second", "decisions per second", "pace"),
    "keys": ("decisions_per_second", "decisions per second", "pace"),
    "one": ("p50", "microseconds for half of the calls; less is better", "time"),
    "denied": ("decisions_per_second", "decisions per second", "pace"),
    "processes": ("decisions_per_second", "decisions per second, all processes together", "pace"),
    "waiting": ("calls_per_grant", "calls to Redis per grant; less is better", "time"),
    "memory-hot": ("decisions_per_second", "decisions per second", "pace"),
    "memory-keys": ("decisions_per_second", "decisions per second", "pace"),
}


def write(results: Results, docs: pathlib.Path) -> None:
    images = docs / "images"
    images.mkdir(parents=True, exist_ok=True)
    replace(docs / "benchmarks-peers.md", sections(results, images))
    replace(docs / "benchmarks.md", [f"Of {results.about['when']}, on {results.about['machine']}:", held(results)])


def replace(page: pathlib.Path, parts: list[str]) -> None:
    """What is between the marks; the rest of the page is written by people."""
    before, rest = page.read_text().split(BEGIN)
    after = rest.split(END)[1]
    page.write_text(before + BEGIN + "\n\n" + "\n\n".join(parts) + "\n\n" + END + after)


def held(results: Results) -> str:
    return markdown([["what must hold", "found", ""]] + [[one.claim, one.found, one.text()] for one in verdicts(results)])


def sections(results: Results, images: pathlib.Path) -> list[str]:
    parts = ["### The run", "\n".join(f"- {name}: {text}" for name, text in results.about.items())]
    if "quick" in results.about["rounds"]:
        parts.append("**A quick run: it shows that everything works, and says little about speed.**")
    parts += ["### What must hold", held(results)]
    parts += ["Rows in which a peer is ahead:", "\n".join(f"- {row}" for row in behind(results)) or "- none"]
    for workload in measured(results):
        parts.append(f"### {workload.title}")
        if workload.name in BARS:
            drawn = pictures.bars(results, workload, *BARS[workload.name])
            if drawn:
                (images / f"peers-{workload.name}.svg").write_text(drawn)
                parts.append(f"![{workload.title}](images/peers-{workload.name}.svg)")
        parts += [markdown(rows(results, workload)), *notes(results, workload)]
    for curve in CURVES:
        drawn = pictures.lines(results, curve)
        if drawn:
            (images / f"peers-curve-{curve.name}.svg").write_text(drawn)
            parts += [f"### {curve.title}", f"![{curve.title}](images/peers-curve-{curve.name}.svg)",
                      markdown(curve_rows(results, curve))]
    return parts

