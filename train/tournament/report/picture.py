"""The standings as a picture that stands by itself, light or dark as whoever looks has it."""

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10
from typing import Any

_WIDTH, _ROW, _TOP, _BOTTOM = 760, 40, 56, 34
_LEFT, _RIGHT = 250, 590  # of the axis
_STYLE = """
text { font: 14px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: #22211f; }
.title { font-size: 17px; font-weight: 600; }
.quiet { font-size: 12px; fill: #66625c; }
.grid { stroke: #e4e0d9; }
.zero { stroke: #8a7f72; stroke-dasharray: 2 3; }
.span { stroke: #0b6e66; stroke-width: 7; stroke-linecap: round; opacity: 0.3; }
.mean { fill: #0b6e66; }
.paper { fill: #fcfbf9; }
@media (prefers-color-scheme: dark) {
  text { fill: #e9e6e1; } .quiet { fill: #a5a19a; } .grid { stroke: #33373b; } .zero { stroke: #8f897f; }
  .span { stroke: #5cc8bb; } .mean { fill: #5cc8bb; } .paper { fill: #16181a; }
}
"""


def picture(summary: dict[str, Any]) -> str:
    """Return the standings as SVG: match points of each entrant with their 95 % interval, of a ladder its ratings.

    Args:
        summary: what `results.json` holds.
    """
    entrants, ladder = summary["entrants"], summary["format"] == "ladder"
    shown = [_rating(entrant["rating"]) if ladder else entrant["points"] for entrant in entrants]
    low, high, ticks = _axis(shown)
    height = _TOP + _ROW * len(entrants) + _BOTTOM
    bottom = height - _BOTTOM

    def at(value: float) -> str:
        return f"{_LEFT + (_RIGHT - _LEFT) * (value - low) / (high - low):.1f}"

    measure = "ratings" if ladder else f"match points a {'match' if summary['play'] == 'matches' else 'board'}"
    form = ".0f" if ladder else ".2f"
    parts = [
        f'<rect class="paper" width="{_WIDTH}" height="{height}" rx="10"/>',
        f'<text class="title" x="24" y="32">{escape(summary["rules"])}</text>',
        f'<text class="quiet" x="{_WIDTH - 24}" y="32" text-anchor="end">{measure}, 95 % intervals</text>',
    ]
    for tick in ticks:
        kind = "grid" if tick else "zero"
        parts += [
            f'<line class="{kind}" x1="{at(tick)}" x2="{at(tick)}" y1="{_TOP}" y2="{bottom}"/>',
            f'<text class="quiet" x="{at(tick)}" y="{bottom + 18}" text-anchor="middle">{_signed(tick, "g")}</text>',
        ]
    for place, (entrant, points) in enumerate(zip(entrants, shown, strict=True)):
        middle = _TOP + _ROW * place + _ROW // 2
        parts.append(f'<text x="24" y="{middle + 5}">{escape(_short(entrant["name"]))}</text>')
        if points["low"] is not None:
            ends = f'x1="{at(points["low"])}" x2="{at(points["high"])}"'
            parts.append(f'<line class="span" {ends} y1="{middle}" y2="{middle}"/>')
        parts += [
            f'<circle class="mean" cx="{at(points["mean"])}" cy="{middle}" r="5"/>',
            f'<text x="{_WIDTH - 24}" y="{middle + 5}" text-anchor="end">{_signed(points["mean"], form)}'
            f'<tspan class="quiet">  n = {points["n"]:,}</tspan></text>',
        ]
    label = escape(f"Standings of {', '.join(entrant['name'] for entrant in entrants)}", quote=True)
    size = f'width="{_WIDTH}" height="{height}" viewBox="0 0 {_WIDTH} {height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{label}">'
    return "\n".join([head, f"<style>{_STYLE}</style>", *parts, "</svg>"]) + "\n"


def _rating(rating: dict[str, Any]) -> dict[str, Any]:
    """Return a rating as the estimate that it is."""
    return {"mean": rating["elo"], **rating}


def _axis(estimates: Sequence[dict[str, Any]]) -> tuple[float, float, list[float]]:
    """Return the ends of an axis that holds all estimates and zero, and where it is marked."""
    ends = [value for one in estimates for value in (one["mean"], one["low"], one["high"]) if value is not None]
    low, high = min(0.0, *ends), max(0.0, *ends)
    air = 0.04 * (high - low) or 1.0
    low, high = low - air, high + air
    raw = (high - low) / 5
    step = 10.0 ** floor(log10(raw))
    step *= next(factor for factor in (1, 2, 5, 10) if factor * step >= raw)
    return low, high, [number * step for number in range(ceil(low / step), floor(high / step) + 1)]


def _short(name: str) -> str:
    return name if len(name) <= 30 else f"{name[:29]}…"


def _signed(value: float, form: str) -> str:
    text = f"{value:{'+' if value else ''}{form}}"
    return text.replace("-", "−")
