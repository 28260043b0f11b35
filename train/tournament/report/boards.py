"""The boards of a tournament as the page lists and replays them."""

from typing import Any

import numpy as np

from train.tournament.margins import forfeit_of, margins, wins
from train.tournament.played import Played
from train.tournament.replay import first_boards
from train.tournament.report.replays import deal_data, game_data
from train.tournament.seating import seatings
from train.tournament.tables import players_at
from train.tournament.tournament import Tournament

MOST_DEALS = 60_000  # that the page can replay, of all meetings together: some ten megabytes


def pack(tournament: Tournament, most: int = MOST_DEALS) -> dict[str, Any]:
    """Return what the page needs besides the summary: each board's margin, and the deals card by card.

    Args:
        tournament: what was played.
        most: deals that are kept for the replay, the same number of each meeting, whole boards from the first on.
    """
    each = most // max(1, len(tournament.meetings))
    return {
        "game": game_data(tournament.rules),
        "meetings": [_meeting(tournament, number, each) for number in range(len(tournament.meetings))],
    }


def _meeting(tournament: Tournament, number: int, most: int) -> dict[str, Any]:
    rules, config = tournament.rules, tournament.config
    entrants = [tournament.entrants[index] for index in tournament.meetings[number].entrants]
    played = tournament.played[number]
    forfeit, size = forfeit_of(rules, config.play), len(entrants)
    seating = seatings(rules.sides, size)
    worth = margins(rules, played, seating, size, forfeit)[:, 0]
    won = wins(rules, played, seating, size, forfeit, config.play)[:, 0]
    tables = len(seating)
    return {
        "entrants": [entrant.name for entrant in entrants],
        "seating": seating.tolist(),
        "players": [_players(tournament, number, np.full(tables, parity)) for parity in range(2)],
        "board": played.boards.tolist(),
        "margin": worth.tolist(),
        "outcome": np.sign(won - 1 / size).astype(int).tolist(),
        "faults": [
            {
                "board": fault.board,
                "table": fault.table,
                "seat": fault.seat,
                "name": entrants[fault.entrant].name,
                "reason": fault.reason,
            }
            for fault in played.faults
        ],
        "deals": deal_data(rules, tournament.seed, _first(played, most)),
    }


def _players(tournament: Tournament, number: int, boards: Any) -> list[list[str]]:
    """Return who sits where at each table: an entrant, or the one of two partners whose turn the seat is."""
    rules = tournament.rules
    meeting = [tournament.entrants[index] for index in tournament.meetings[number].entrants]
    players, who = players_at(rules, meeting, seatings(rules.sides, len(meeting)), boards)
    names = [meeting[entrant].name if len(meeting[entrant].calls) == 1 else spec for entrant, spec in players]
    return [[names[player] for player in table] for table in who[0].tolist()]


def _first(played: Played, most: int) -> Played:
    """Return the deals of the first boards, as many whole boards as `most` deals hold."""
    if len(played.board) <= most:
        return played
    return first_boards(played, int((played.boards < played.board[most]).sum()))
