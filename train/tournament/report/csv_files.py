"""The figures of a tournament as tables of a spreadsheet."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import merge
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blot_env import RuleSet
from train.tournament.margins import forfeit_of, margins
from train.tournament.played import Played
from train.tournament.seating import seatings
from train.tournament.tournament import Tournament

_ENTRANTS = "first", "second", "third"


def write_csv(path: Path, rows: Iterable[dict[str, Any]], names: Iterable[str]) -> Path:
    """Write rows under the names of their columns, and return the path.

    Raises:
        OSError: it cannot be written.
    """
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(names), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return path


def names_of(rows: Sequence[dict[str, Any]]) -> Iterable[str]:
    """Return the names that any of some rows has."""
    return dict.fromkeys(name for row in rows for name in row)


def standing_rows(summary: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a row an entrant, best first: everything of it that is one number."""
    return [{"rank": rank, **_flat(entrant)} for rank, entrant in enumerate(summary["entrants"], 1)]


def meeting_rows(summary: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a row a meeting: everything of it that is one number; what is each entrant's begins with its place."""
    return [_entrants(meeting["entrants"]) | _flat(_placed(meeting)) for meeting in summary["meetings"]]


def deal_names(tournament: Tournament) -> list[str]:
    """Return the names of the columns of `deal_rows`."""
    sides = range(tournament.rules.sides)
    return [
        *_ENTRANTS[: tournament.config.table], "board", "table", "deal", *(f"side_{side}" for side in sides),
        "contract", "bidder", "contra", "made", *(f"points_{side}" for side in sides), "forfeited_by", "board_margin",
    ]  # fmt: skip


def deal_rows(tournament: Tournament) -> Iterator[dict[str, Any]]:
    """Yield a row a deal, and one a forfeit, which ends its table."""
    for meeting, played in zip(tournament.meetings, tournament.played, strict=True):
        names = [tournament.entrants[index].name for index in meeting.entrants]
        seating = seatings(tournament.rules.sides, len(names))
        forfeit = forfeit_of(tournament.rules, tournament.config.play)
        worth = margins(tournament.rules, played, seating, len(names), forfeit)[:, 0]
        margin = dict(zip(played.boards.tolist(), worth.tolist(), strict=True))
        forfeits = (
            {**_place(names, margin, fault.board, fault.table, fault.deal), "forfeited_by": names[fault.entrant]}
            for fault in sorted(played.faults, key=lambda fault: (fault.board, fault.table))
        )
        deals = _played(tournament.rules, names, seating, played, margin)
        yield from merge(deals, forfeits, key=lambda row: (row["board"], row["table"], row["deal"]))


def _played(
    rules: RuleSet, names: Sequence[str], seating: NDArray[np.int64], played: Played, margin: Mapping[int, float]
) -> Iterator[dict[str, Any]]:
    """Yield a row a deal of a meeting."""
    places = zip(played.board.tolist(), played.table.tolist(), played.deal.tolist(), strict=True)
    for (board, table, deal), result in zip(places, played.results, strict=True):
        bid = result["contract"] >= 0
        yield {
            **_place(names, margin, board, table, deal),
            **{f"side_{side}": names[entrant] for side, entrant in enumerate(seating[table])},
            "contract": rules.actions.text(int(result["contract"])) if bid else "",
            "bidder": int(result["bidder"]) if bid else "",
            "contra": int(result["contra"]),
            "made": int(result["made"]) if bid else "",
            **{f"points_{side}": int(result["points"][side]) for side in range(rules.sides)},
        }


def _place(names: Sequence[str], margin: Mapping[int, float], board: int, table: int, deal: int) -> dict[str, Any]:
    return {**_entrants(names), "board": board, "table": table, "deal": deal, "board_margin": margin[board]}


def _entrants(names: Sequence[str]) -> dict[str, str]:
    return dict(zip(_ENTRANTS, names, strict=False))


def _placed(meeting: dict[str, Any]) -> dict[str, Any]:
    """Return a meeting with its entrants called first, second, third."""
    places = {name: place for place, name in _entrants(meeting["entrants"]).items()}
    own = {key: meeting[key] for key in ("contracts", "regret", "bidding") if meeting[key]}
    by_place = {place: {key: values[name] for key, values in own.items()} for name, place in places.items()}
    return {key: value for key, value in meeting.items() if key not in own} | by_place


def _flat(nested: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Return nested objects as columns with dotted names; lists are left out."""
    row: dict[str, Any] = {}
    for key, value in nested.items():
        if isinstance(value, dict):
            row |= _flat(value, f"{prefix}{key}.")
        elif not isinstance(value, list):
            row[prefix + key] = value
    return row
