"""A tournament on the terminal: the answer, then standings, contracts, meetings, and what went wrong."""

import json
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

_CONTRACTS = {  # a rate, and what people call it
    "bid": "bid",
    "made": "made",
    "number": "number",
    "under_contra": "contra'd",
    "contras": "contras",
    "contras_right": "right",
}
_MOST_FAULTS = 10


def print_tournament(summary: dict[str, Any], console: Console) -> None:
    """Print who is better, the standings, what came of contracts, every meeting, its parts, and forfeits.

    Args:
        summary: what `results.json` holds.
        console: without markup, since names are shown as they are.
    """
    for line in summary["verdict"]:
        console.print(line, soft_wrap=True)
    for table in (_standings(summary), _contracts(summary), _meetings(summary), _parts(summary)):
        if table.row_count:
            console.print(table)
    faults = summary["faults"]
    for fault in faults[:_MOST_FAULTS]:
        place = f"board {fault['board']}, table {fault['table']}"
        console.print(f"Forfeited by {fault['entrant']}: {place}: {fault['reason']}", soft_wrap=True)
    if len(faults) > _MOST_FAULTS:
        console.print(f"… and {len(faults) - _MOST_FAULTS} more forfeits, all in results.json")


def _standings(summary: dict[str, Any]) -> Table:
    entrants, matches = summary["entrants"], summary["play"] == "matches"
    wins = ["won"] * matches
    table = new_table(_title(summary), "agent", "points", "95 %", "rating", "95 %", *wins, "n", "decision")
    for entrant in entrants:
        rating = entrant["rating"]
        table.add_row(
            entrant["name"],
            *_estimated(entrant["points"]),
            _signed(rating["elo"], 0),
            _range(rating, 0),
            *[_percent(entrant["wins"]["mean"])] * matches,
            str(entrant["points"]["n"]),
            time_text(entrant["time"]["median"]),
        )
    table.caption = (
        f"points: match points a {_unit(summary)}, own minus the others'; rating: from {summary['play']} won, "
        "so its order may differ from that of points; decision: the median time of one"
    )
    return table


def _contracts(summary: dict[str, Any]) -> Table:
    entrants = summary["entrants"]
    shown = {
        rate: name
        for rate, name in _CONTRACTS.items()
        if any(entrant["contracts"]["rates"][rate] for entrant in entrants)
    }
    table = new_table("Contracts", "agent", "deals", *shown.values())
    for entrant in entrants:
        rates = entrant["contracts"]["rates"]
        cells = (_plain(rates[rate]) if rate == "number" else _percent(rates[rate]) for rate in shown)
        table.add_row(entrant["name"], str(entrant["contracts"]["deals"]), *cells)
    table.caption = "bid: contracts of this agent, of all deals; the next columns: of these"
    if "contras" in shown:
        table.caption += "; contras: of the others' contracts; right: of these contras"
    return table


def _meetings(summary: dict[str, Any]) -> Table:
    tested = any(meeting["sprt"] for meeting in summary["meetings"])
    table = new_table("Meetings, the first's points", "", "points", "95 %", "won/drawn/lost", "n", *["test"] * tested)
    for meeting in summary["meetings"]:
        (first, *others), points = meeting["entrants"], meeting["points"]
        score = "/".join(str(meeting[key]) for key in ("won", "drawn", "lost"))
        name = f"{first} against {' and '.join(others)}"
        table.add_row(name, *_estimated(points), score, str(points["n"]), *[_test(meeting["sprt"])] * tested)
        for other, own in zip(others, meeting["others"] or (), strict=False):
            table.add_row(f"… {other}", *_estimated(own))
    return table


def _parts(summary: dict[str, Any]) -> Table:
    table = new_table("Auction and cards apart, the first's points", "", "auction", "95 %", "cards", "95 %", "n")
    for meeting in summary["meetings"]:
        if parts := meeting["parts"]:
            name = " against ".join(meeting["entrants"])
            table.add_row(name, *_estimated(parts["auction"]), *_estimated(parts["cards"]), str(parts["whole"]["n"]))
    table.caption = "auction: by the first's auction alone, with the second's cards; cards: the reverse"
    return table


def _title(summary: dict[str, Any]) -> str:
    fields = summary.get("fields", {})
    house = "".join(f", {field} = {json.dumps(value)}" for field, value in fields.items())
    kind = "duplicate " * summary["duplicate"] + ("matches" if summary["play"] == "matches" else "boards")
    source = f"bank {summary['bank']}" if summary["bank"] else f"seed {summary['seed']}"
    return f"{summary['rules']}: {kind}, {summary['format']}, {source}{house}"


def _unit(summary: dict[str, Any]) -> str:
    return "match" if summary["play"] == "matches" else "board"


def _test(sprt: dict[str, Any] | None) -> str:
    if sprt is None:
        return "–"
    if sprt["settled"] is None:
        return "not settled"
    return f"rather {sprt['margins'][sprt['settled'] == 'upper']:+g}"


def new_table(title: str | None, name: str, *headings: str) -> Table:
    """Return a table that fits into 80 columns: only the names are wrapped."""
    table = Table(title=title, box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), title_justify="left")
    table.caption_justify = "left"
    table.add_column(name, overflow="fold")
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _estimated(points: dict[str, Any]) -> tuple[str, str]:
    return _signed(points["mean"]), _range(points, 2)


def _signed(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else f"{value:+.{digits}f}"


def _range(interval: dict[str, Any], digits: int) -> str:
    if interval["low"] is None:
        return "–"
    return f"{_signed(interval['low'], digits)} … {_signed(interval['high'], digits)}"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def _plain(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def time_text(seconds: float | None) -> str:
    """Return a time as people read it: `35 µs`, `1.2 ms`."""
    if seconds is None:
        return "–"
    factor, unit = (1e6, "µs") if seconds < 1e-3 else (1e3, "ms") if seconds < 1 else (1, "s")
    return f"{factor * seconds:.3g} {unit}"
