"""The figures of a tournament as tables of a spreadsheet."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from train.tournament.margins import forfeit_of, margins
from train.tournament.seating import seatings
from train.tournament.tournament import Tournament


def write_csv(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """Write rows under the names that any of them has, and return the path.

    Raises:
        OSError: it cannot be written.
    """
    names = dict.fromkeys(name for row in rows for name in row)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(names), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return path


def standing_rows(summary: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a row an entrant, best first: everything of it that is one number."""
    return [{"rank": rank, **_flat(entrant)} for rank, entrant in enumerate(summary["entrants"], 1)]


def meeting_rows(summary: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a row a meeting: everything of it that is one number; what is each entrant's begins with its place."""
    return [_entrants(meeting["entrants"]) | _flat(_placed(meeting)) for meeting in summary["meetings"]]


def deal_rows(tournament: Tournament) -> Iterable[dict[str, Any]]:
    """Return a row a deal, and one a forfeit, which ends its table."""
    rules, text_of = tournament.rules, tournament.rules.actions.text
    forfeit = forfeit_of(rules, tournament.config.play)
    for meeting, played in zip(tournament.meetings, tournament.played, strict=True):
        names = [tournament.entrants[index].name for index in meeting.entrants]
        seating = seatings(rules.sides, len(names))
        worth = margins(rules, played, seating, len(names), forfeit)[:, 0].tolist()
        margin = dict(zip(played.boards.tolist(), worth, strict=True))
        places = zip(played.board.tolist(), played.table.tolist(), played.deal.tolist(), strict=True)
        rows = []
        for (board, table, deal), result in zip(places, played.results, strict=True):
            bid, points = result["contract"] >= 0, result["points"].tolist()
            rows.append(
                {
                    **_place(names, board, table, deal),
                    **{f"side_{side}": names[seating[table, side]] for side in range(rules.sides)},
                    "contract": text_of(int(result["contract"])) if bid else "",
                    "bidder": int(result["bidder"]) if bid else "",
                    "contra": int(result["contra"]),
                    "made": int(result["made"]) if bid else "",
                    **{f"points_{side}": points[side] for side in range(rules.sides)},
                    "forfeited_by": "",
                    "board_margin": margin[board],
                }
            )
        for fault in played.faults:
            place = _place(names, fault.board, fault.table, fault.deal)
            rows.append({**place, "forfeited_by": names[fault.entrant], "board_margin": margin[fault.board]})
        yield from sorted(rows, key=lambda row: (row["board"], row["table"], row["deal"]))


def _place(names: Sequence[str], board: int, table: int, deal: int) -> dict[str, Any]:
    return {**_entrants(names), "board": board, "table": table, "deal": deal}


def _entrants(names: Sequence[str]) -> dict[str, str]:
    return dict(zip(("first", "second", "third"), names, strict=False))


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
