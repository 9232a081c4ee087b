"""SVG pictures: bars for the rows of the tables, lines for what grows. Readable on light and on dark paper."""

import math
from html import escape

from results import Results
from tables import short, written
from workloads import Curve, Workload

STYLE = """  <style>
    .card { fill: #ffffff; stroke: #d0d7de; }
    .grid { stroke: #d0d7de; stroke-width: 1; }
    .line { fill: none; stroke-width: 2; }
    text { fill: #1f2328; font-size: 13px; }
    .title { font-size: 16px; font-weight: 600; }
    .small { font-size: 12px; fill: #57606a; }
    .end { text-anchor: end; }
    .middle { text-anchor: middle; }
    @media (prefers-color-scheme: dark) {
      .card { fill: #0d1117; stroke: #30363d; }
      .grid { stroke: #30363d; }
      text { fill: #e6edf3; }
      .small { fill: #9da7b1; }
    }
  </style>"""


def frame(title: str, description: str, width: int, height: int, inside: list[str]) -> str:
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img"',
        "     aria-labelledby=\"title desc\" font-family=\"system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', "
        'sans-serif">',
        f'  <title id="title">{escape(title)}</title>',
        f'  <desc id="desc">{escape(description)}</desc>',
        STYLE,
        f'  <rect class="card" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
        f'  <text class="title" x="20" y="30">{escape(title)}</text>',
        *inside,
        "</svg>", ""])


def bars(results: Results, workload: Workload, figure: str, unit: str, style: str) -> str | None:
    """A bar per contender, the best first: the longest if more is better, else the shortest."""
    medians = [(results.median(workload.name, one.name, figure), one) for one in results.contenders_of(workload.name)]
    medians = [(value, one) for value, one in medians if value]
    if not medians:
        return None
    medians.sort(key=lambda pair: pair[0], reverse=figure == "decisions_per_second")
    longest = max(value for value, _ in medians)
    left, room, step = 270, 430, 26
    inside = [f'  <text class="small" x="20" y="50">{escape(unit)}</text>']
    for i, (value, contender) in enumerate(medians):
        top = 66 + i * step
        inside.append(f'  <text class="end" x="{left - 10}" y="{top + 14}">{escape(contender.title)}</text>')
        inside.append(f'  <rect x="{left}" y="{top}" width="{max(1, room * value / longest):.1f}" height="18" '
                      f'fill="{contender.color}"/>')
        inside.append(f'  <text x="{left + max(1, room * value / longest) + 8:.1f}" y="{top + 14}">'
                      f"{written(value, style)}</text>")
    told = "; ".join(f"{contender.title} {written(value, style)}" for value, contender in medians)
    return frame(workload.title, f"{unit}: {told}", 800, 66 + len(medians) * step + 14, inside)


class Scale:
    """Logarithmic, from a power of ten to a power of ten."""

    def __init__(self, values: list[float], begin: float, end: float):
        self.low = math.floor(math.log10(min(values)))
        self.high = max(self.low + 1, math.ceil(math.log10(max(values))))
        self._begin, self._end = begin, end

    def at(self, value: float) -> float:
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self._begin + share * (self._end - self._begin)

    def marks(self) -> list[float]:
        return [10.0**exponent for exponent in range(self.low, self.high + 1)]


def lines(results: Results, curve: Curve) -> str | None:
    """A line per contender; where it could not run, its line ends."""
    drawn = {}
    for point in curve.points:
        for contender in results.contenders_of(curve.at(point).name):
            value = results.median(curve.at(point).name, contender.name, curve.measure)
            if value:
                drawn.setdefault(contender, []).append((point, value))
    if not drawn:
        return None
    left, right, top, bottom = 80, 580, 66, 420
    across = Scale(list(curve.points), left, right)
    up = Scale([value for points in drawn.values() for _, value in points], bottom, top)
    inside = [f'  <text class="small" x="20" y="50">{escape(curve.measure_title)}</text>']
    for mark in up.marks():
        y = up.at(mark)
        inside.append(f'  <path class="grid" d="M {left} {y:.1f} H {right}"/>')
        inside.append(f'  <text class="small end" x="{left - 8}" y="{y + 4:.1f}">{short(mark)}</text>')
    for mark in across.marks():
        x = across.at(mark)
        inside.append(f'  <path class="grid" d="M {x:.1f} {top} V {bottom}"/>')
        inside.append(f'  <text class="small middle" x="{x:.1f}" y="{bottom + 18}">{short(mark)}</text>')
    inside.append(f'  <text class="small middle" x="{(left + right) / 2}" y="{bottom + 40}">{escape(curve.unit)}</text>')
    for i, (contender, points) in enumerate(drawn.items()):
        path = " L ".join(f"{across.at(point):.1f} {up.at(value):.1f}" for point, value in points)
        inside.append(f'  <path class="line" stroke="{contender.color}" d="M {path}"/>')
        inside += [f'  <circle cx="{across.at(point):.1f}" cy="{up.at(value):.1f}" r="3" fill="{contender.color}"/>'
                   for point, value in points]
        inside.append(f'  <rect x="{right + 20}" y="{top + 22 * i}" width="14" height="14" fill="{contender.color}"/>')
        inside.append(f'  <text x="{right + 42}" y="{top + 22 * i + 12}">{escape(contender.title)}</text>')
    told = "; ".join(f"{contender.title} from {written(points[0][1], 'time')} to {written(points[-1][1], 'time')}"
                     for contender, points in drawn.items())
    return frame(curve.title, f"{curve.measure_title} by {curve.unit}: {told}", 860, 480, inside)
