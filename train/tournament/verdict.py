"""The short answer of a tournament: who is better, by how much, how surely, and where the difference comes from.

The terminal and the page both begin with these lines.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from train.tournament.estimates import Estimate

_RELATIONS = ("better than", "worse than", "neither surely better nor surely worse than", "no different from")


def verdict(summary: dict[str, Any]) -> list[str]:
    """Return lines of plain text, a sentence each: the answer, then cycles and forfeits.

    A meeting that its sequential test ended is told with the interval that holds at all looks.

    Args:
        summary: the other figures that `train.tournament.summary.summary` returns.
    """
    return [*_answer(summary), *_gate(summary), *map(_cycle, summary["cycles"]), *_forfeits(summary)]


def _answer(summary: dict[str, Any]) -> list[str]:
    pairs = [meeting for meeting in summary["meetings"] if len(meeting["entrants"]) == 2]
    unit, units = ("match", "matches") if summary["play"] == "matches" else ("board", "boards")
    if len(summary["entrants"]) == 2:
        return _meeting(pairs[0], unit, units)
    if summary["format"] == "ladder":
        return [line for pair in reversed(pairs) for line in _meeting(pair, unit, units)]
    if pairs and summary["format"] == "gauntlet":
        return _gauntlet(pairs, unit, units)
    return _leader(summary, pairs, unit, units)


def _meeting(meeting: dict[str, Any], unit: str, units: str) -> list[str]:
    """Return who is better in a meeting of two, what its test found, and what auction and card play make of it."""
    (better, worse), points = meeting["entrants"], _points(meeting)
    if _even(meeting["points"]):
        return [f"No difference between {better} and {worse}: exactly 0 on each of {points.n:,} {units}."]
    ahead = points.mean >= 0
    if not ahead:
        better, worse, points = worse, better, _opposite(points)
    told = _told(points, units, f" match points a {unit}")
    if _settled(points):
        lines = [f"{better} is better than {worse} by {told}."]
    else:
        lines = [f"That {better} is better than {worse} is not settled: {told}."]
    if sprt := meeting["sprt"]:
        lines.append(_test(sprt, meeting["entrants"][0]))
    if parts := meeting["parts"]:
        auction, cards = (Estimate(**parts[part]) for part in ("auction", "cards"))
        if not ahead:
            auction, cards = _opposite(auction), _opposite(cards)
        makes = f"the auction of {better} alone makes {_told(auction, units)}"
        lines.append(f"Where: {makes}, its card play alone {_told(cards, units)}.")
    return lines


def _test(sprt: dict[str, Any], first: str) -> str:
    lower, upper = (f"{margin:g}".replace("-", "−") for margin in sprt["margins"])
    if sprt["settled"] is None:
        return f"The sequential test is still open: whether {first} is rather at {lower} or at {upper}."
    found, other = (upper, lower) if sprt["settled"] == "upper" else (lower, upper)
    return f"The sequential test found {first} rather at {found} than at {other}."


def _gauntlet(meetings: Sequence[dict[str, Any]], unit: str, units: str) -> list[str]:
    """Return whom the first one beats, who beats it, and what is not settled, a line each."""
    opponents: dict[str, list[str]] = {relation: [] for relation in _RELATIONS}
    for meeting in meetings:
        (first, other), points = meeting["entrants"], _points(meeting)
        better, worse, open_, same = _RELATIONS
        if _even(meeting["points"]):
            relation = same
        else:
            relation = open_ if not _settled(points) else better if points.mean > 0 else worse
        opponents[relation].append(f"{other}: {_told(points, units)}")
    return [
        f"{first} is {relation} {', '.join(others)}, in match points a {unit}."
        for relation, others in opponents.items()
        if others
    ]


def _leader(summary: dict[str, Any], pairs: Sequence[dict[str, Any]], unit: str, units: str) -> list[str]:
    """Return who leads, and how it did against the second in their own meeting if they had one."""
    first, second = summary["entrants"][:2]
    points = Estimate(**first["points"])
    if all(_even(entrant["points"]) for entrant in summary["entrants"]):
        return [f"No difference between any of the {len(summary['entrants'])}: exactly 0 on all {units}."]
    lead = f"{first['name']} leads with {_told(points, units, f' match points a {unit}')}"
    direct = [meeting for meeting in pairs if {first["name"], second["name"]} == set(meeting["entrants"])]
    if direct:
        return [f"{lead}; {second['name']} is second.", *_meeting(direct[0], unit, f"{units} against each other")]
    return [f"{lead}{'' if _settled(points) else ', which may be luck'}; {second['name']} is second."]


def _gate(summary: dict[str, Any]) -> list[str]:
    """Return what became of each rung of a gate."""
    rungs = zip(summary["meetings"], summary.get("gate", ()), strict=False)
    return [f"The gate, {' over '.join(meeting['entrants'])}: {rung['outcome']}." for meeting, rung in rungs]


def _cycle(cycle: dict[str, Any]) -> str:
    circle = " beats ".join([*cycle["entrants"], cycle["entrants"][0]])
    return f"A cycle: {circle}{', each for sure' if cycle['sure'] else ', but that may be luck'}."


def _forfeits(summary: dict[str, Any]) -> list[str]:
    guilty = [f"{entrant['forfeits']:,} by {entrant['name']}" for entrant in summary["entrants"] if entrant["forfeits"]]
    return [f"Tables forfeited: {', '.join(guilty)}."] if guilty else []


def _points(meeting: dict[str, Any]) -> Estimate:
    """Return the first entrant's margin with the interval that holds for it, wherever a test stopped."""
    points, sprt = Estimate(**meeting["points"]), meeting["sprt"]
    if not (sprt and sprt["settled"]):
        return points
    played = Estimate(**meeting["luck"]["raw"]) if meeting["luck"] else points  # tests look at what was played
    return replace(played, low=sprt["low"], high=sprt["high"])


def _even(points: dict[str, Any]) -> bool:
    """Return whether every board came out even, as those of an agent against itself."""
    return points["mean"] == 0 and not points["sd"]


def _settled(points: Estimate) -> bool:
    return points.low is not None and points.high is not None and (points.low > 0 or points.high < 0)


def _opposite(points: Estimate) -> Estimate:
    low, high = (None if end is None else -end for end in (points.high, points.low))
    return replace(points, mean=-points.mean, low=low, high=high)


def _told(points: Estimate, units: str, measure: str = "") -> str:
    interval = "" if points.low is None or points.high is None else f"{_signed(points.low)} … {_signed(points.high)}; "
    return f"{_signed(points.mean)}{measure} ({interval}{points.n:,} {units})"


def _signed(value: float) -> str:
    text = f"{value:+.2f}".replace("-", "−")
    return text[1:] if float(f"{value:.2f}") == 0 else text
