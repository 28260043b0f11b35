"""What a board was worth to each entrant: match points, and wins."""

from math import lcm
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from blot_env import RuleSet
from blot_env.cards import STRAINS
from blot_env.scoring import points_of, rounded
from train.tournament.played import Played


def forfeit_of(rules: RuleSet, play: Literal["boards", "matches"] = "boards") -> int:
    """Return what a forfeited table costs in match points: all the cards of a deal, or the target of a match."""
    if play == "matches":
        return rules.target
    record = rules.record
    strains = [STRAINS.index(strain) for strain in rules.strains]
    return max(int(rounded(record, points_of(record, strain, record.pack) + record.last_trick)) for strain in strains)


def margins(
    rules: RuleSet, played: Played, seating: NDArray[np.int64], entrants: int, forfeit: float
) -> NDArray[np.float64]:
    """Return match points a side of each entrant minus the others' mean, a mean over tables: shape (boards, entrants).

    A match counts with all its deals. A board with a forfeited table counts by its forfeited tables alone, for the
    others have nothing to be compared with: there the guilty sides write `forfeit` below nothing, the others nothing.

    Args:
        rules: the game.
        played: the boards, each in all seatings or in some.
        seating: who plays each side at each table, (tables, sides).
        entrants: how many there are.
        forfeit: what a forfeited table costs, in match points.
    """
    points, counted = _table_points(rules, played, seating, forfeit)
    return weighed(points, counted, seating, entrants)


def wins(
    rules: RuleSet,
    played: Played,
    seating: NDArray[np.int64],
    entrants: int,
    forfeit: float,
    play: Literal["boards", "matches"] = "boards",
) -> NDArray[np.float64]:
    """Return each entrant's share of the win of a board, shape (boards, entrants); a row adds up to 1.

    A board is won by the best margin; equal ones share it, so a draw of two is a half each. Of matches it is the mean
    over tables: a match is won by the side that wins it, or by the others where it was forfeited; all entrants share
    one that nobody won.
    """
    if play == "boards":
        values = margins(rules, played, seating, entrants, forfeit)
        best = values == values.max(1, keepdims=True)
        return best / best.sum(1, keepdims=True)
    _, counted = _table_points(rules, played, seating, forfeit)
    share = np.full((*counted.shape, entrants), 1 / entrants)
    place = np.searchsorted(played.boards, played.board)
    won = played.results["match_winner"] >= 0
    winner = seating[played.table[won], played.results["match_winner"][won]]
    share[place[won], played.table[won]] = np.eye(entrants)[winner]
    for fault in played.faults:
        others = np.arange(entrants) != fault.entrant
        share[np.searchsorted(played.boards, fault.board), fault.table] = others / others.sum()
    return (share * counted[:, :, None]).sum(1) / counted.sum(1, keepdims=True)


def weighed(
    points: NDArray[Any], counted: NDArray[np.bool_], seating: NDArray[np.int64], entrants: int
) -> NDArray[np.float64]:
    """Return points a side of each entrant minus the others' mean, a mean over tables: shape (boards, entrants).

    Args:
        points: whole numbers, (boards, tables, sides).
        counted: (boards, tables) which tables count.
        seating: who plays each side at each table, (tables, sides).
        entrants: how many there are.
    """
    sides = seating.shape[1]
    scale = lcm(*range(1, sides))  # whole weights keep sums exact, so that what is even is even to the last bit
    own = seating[:, None, :] == np.arange(entrants)[:, None]  # (tables, entrants, sides)
    size = own.sum(2, keepdims=True)
    weights = np.where(own, scale // size, -(scale // (sides - size)))
    total = np.einsum("bts,tes->be", np.where(counted[:, :, None], points, 0), weights)
    return total / (scale * counted.sum(1, keepdims=True)) + 0.0  # and no -0.0


def _table_points(
    rules: RuleSet, played: Played, seating: NDArray[np.int64], forfeit: float
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the match points of each side, (boards, tables, sides), and which tables count, (boards, tables)."""
    shape = len(played.boards), *seating.shape
    points, counted = np.zeros(shape), np.zeros(shape[:2], bool)
    place = np.searchsorted(played.boards, played.board)
    np.add.at(points, (place, played.table), played.results["points"][:, : rules.sides])
    counted[place, played.table] = True
    forfeited = np.searchsorted(played.boards, [fault.board for fault in played.faults])
    counted[forfeited] = False
    for row, fault in zip(forfeited, played.faults, strict=True):
        points[row, fault.table] = np.where(seating[fault.table] == fault.entrant, -forfeit, 0)
        counted[row, fault.table] = True
    return points, counted
