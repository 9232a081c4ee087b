"""The figures as tables: plain text for the terminal, Markdown for the documents."""

import dataclasses

from results import Results
from workloads import WORKLOADS, Curve, Workload


@dataclasses.dataclass(frozen=True)
class Column:
    title: str
    figure: str
    style: str  # pace, time, cost, count, share, bytes
    spread: bool = False


PACE = Column("decisions/s", "decisions_per_second", "pace", spread=True)
TIMES = [Column("p50 µs", "p50", "time"), Column("p99", "p99", "time"), Column("p99.9", "p999", "time")]
ERRORS = [Column("permits over", "over", "count"), Column("over, without its grid", "over_strict", "count"),
          Column("over, any window", "over_sliding", "count"),
          Column("wrongly refused", "refused", "count")]


def columns_of(workload: Workload) -> list[Column]:
    client = Column("client CPU s/M", "client_cpu", "cost")
    if workload.mode == "wait":
        return [Column("grants/s", "decisions_per_second", "pace", spread=True),
                Column("late p50 ms", "late_p50", "time"), Column("late p99 ms", "late_p99", "time"),
                Column("overtaken", "overtaken", "share"), Column("Redis calls/grant", "calls_per_grant", "time"),
                client, Column("Redis CPU s/M", "redis_cpu", "cost")]
    if workload.logged:
        return ERRORS
    if workload.place == "memory":
        return [PACE, *TIMES, client]
    size = Column("Redis bytes/key" if workload.keys > 1 else "Redis bytes/grant", "redis_bytes_each", "bytes")
    if workload.name == "denied":
        size = Column("Redis bytes", "redis_bytes", "bytes")
    return [PACE, *TIMES, client, Column("Redis CPU s/M", "redis_cpu", "cost"),
            Column("Redis calls/decision", "calls_per_decision", "time"), size]


def written(value: float | None, style: str) -> str:
    if value is None:
        return "–"
    if style in ("pace", "bytes", "count"):
        return f"{value:,.0f}".replace(",", " ") if value >= 10 or style == "count" else f"{value:.1f}"
    if style == "share":
        return f"{100 * value:.0f} %"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def rows(results: Results, workload: Workload) -> list[list[str]]:
    """A heading, and a row per contender, the fastest first."""
    columns = columns_of(workload)
    table = [["", *[column.title for column in columns]]]
    order = sorted(results.contenders_of(workload.name),
                   key=lambda one: -(results.median(workload.name, one.name, "decisions_per_second") or 0))
    if workload.is_about_errors():
        order = results.contenders_of(workload.name)
    for contender in order:
        row = [contender.title]
        for column in columns:
            take = results.worst if column.style == "count" else results.median
            text = written(take(workload.name, contender.name, column.figure), column.style)
            values = results.values(workload.name, contender.name, column.figure)
            if column.spread and len(values) > 1:
                text += f" ({written(min(values), column.style)}–{written(max(values), column.style)})"
            row.append(text)
        table.append(row)
    return table


def notes(results: Results, workload: Workload) -> list[str]:
    """What a contender counts itself; who could not run, and why."""
    lines = []
    for contender in results.contenders_of(workload.name):
        own = results.median(workload.name, contender.name, "calls_own")
        if own is not None and not workload.logged:
            lines.append(f"{contender.title} by its own count: {written(own, 'time')} calls per decision.")
        reason = results.failure(workload.name, contender.name)
        if reason:
            lines.append(f"{contender.title} could not run: {reason}.")
    return lines


def short(value: float) -> str:
    """1 000 000 as 1 M."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size and value % size == 0:
            return f"{value / size:g} {letter}"
    return f"{value:g}"


def curve_rows(results: Results, curve: Curve) -> list[list[str]]:
    table = [[curve.measure_title, *[short(point) for point in curve.points]]]
    everybody = {one.name: one for point in curve.points for one in results.contenders_of(curve.at(point).name)}
    for contender in everybody.values():
        values = [results.median(curve.at(point).name, contender.name, curve.measure) for point in curve.points]
        style = "pace" if curve.measure == "decisions_per_second" else "time"
        table.append([contender.title, *[written(value, style) for value in values]])
    return table


def plain(table: list[list[str]]) -> str:
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    lines = []
    for row in table:
        cells = [row[0].ljust(widths[0]), *[cell.rjust(width) for cell, width in zip(row[1:], widths[1:])]]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def markdown(table: list[list[str]]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in table]
    return "\n".join([lines[0], "|---|" + "---:|" * (len(table[0]) - 1), *lines[1:]])


def measured(results: Results) -> list[Workload]:
    return [workload for workload in WORKLOADS if results.has(workload.name)]
