"""Luck of the cards, taken out of boards that are not duplicated: control variates from double dummy.

By lot an entrant sits where the cards are good or where they are bad. What they are worth to its side, less what they
are worth to the others, is nothing in the mean over the lots, whoever plays: so any multiple of it may be taken from
the margins without changing their mean. How much of each kind of worth is taken is fitted to the margins by least
squares: for each tenth of the boards to the other nine, so that what is taken from a board was settled without it, and
the mean stays what it is to the last bit over all lots. Where nothing of it explains the margins, about nothing is
taken.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from agents.search.hindsight_deal import worth_of
from blot_env import BatchEnv, RuleSet
from train.tournament.margins import weighed
from train.tournament.seating import lot

FOLDS = 10
_ROWS_A_KIND = 6  # boards for each coefficient, or nothing is taken
_AT_ONCE = 1024  # boards held in memory with all that they could become


def without_luck(
    margins: NDArray[np.float64],
    seed: int,
    boards: NDArray[np.int64],
    worth: NDArray[np.float64],
    seating: NDArray[np.int64],
) -> NDArray[np.float64]:
    """Return the margins of boards that were played at one table each, less what the lot explains of them.

    Args:
        margins: (boards, entrants).
        seed: that drew the lots.
        boards: their numbers, (boards,).
        worth: of these boards, as `worth_of_boards` returns it.
        seating: who plays each side at each table, (tables, sides).
    """
    tables = np.array([lot(seed, board, len(seating)) for board in boards.tolist()])
    return reduced(margins, luck_of(worth, tables, seating, margins.shape[1]))


def worth_of_boards(
    rules: RuleSet, seed: int, boards: Sequence[int], threads: int | None = None
) -> NDArray[np.float64]:
    """Return what boards are worth to each side, at least one board: (boards, sides, kinds).

    The kinds are those of `agents.search.hindsight_deal`, and whether the side is eldest.
    """
    side_of = np.array([rules.side(seat) for seat in range(rules.players)])
    found = []
    for start in range(0, len(boards), _AT_ONCE):
        numbers = np.asarray(boards[start : start + _AT_ONCE], np.int64)
        env = BatchEnv(rules, len(numbers), seed=seed)
        env.reset(boards=numbers)
        eldest = (env.states["public"]["dealer"] + 1) % rules.players
        leads = np.eye(rules.sides)[side_of[eldest]]
        found.append(np.concatenate([worth_of(rules, env.states, threads), leads[:, :, None]], axis=2))
    return np.concatenate(found)


def luck_of(
    worth: NDArray[np.float64], tables: NDArray[np.int64], seating: NDArray[np.int64], entrants: int
) -> NDArray[np.float64]:
    """Return what the lot gave to each entrant, own worth a side minus the others': (boards, entrants, kinds).

    Args:
        worth: (boards, sides, kinds).
        tables: the one at which each board was played, (boards,).
        seating: who plays each side at each table, (tables, sides).
        entrants: how many there are.
    """
    counted = tables[:, None] == np.arange(len(seating))
    points = np.broadcast_to(worth[:, None], (len(worth), len(seating), *worth.shape[1:]))
    return np.stack([weighed(points[..., kind], counted, seating, entrants) for kind in range(worth.shape[2])], axis=2)


def reduced(margins: NDArray[np.float64], luck: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return margins less what luck explains of them, which leaves their mean over the lots: (boards, entrants).

    Args:
        margins: (boards, entrants).
        luck: (boards, entrants, kinds).
    """
    boards, entrants, kinds = luck.shape
    if boards < _ROWS_A_KIND * kinds:
        return margins
    fold = np.arange(boards) % FOLDS
    left = margins.copy()
    for entrant in range(entrants):
        for number in range(FOLDS):
            out = fold == number
            design = np.column_stack([np.ones(boards), luck[:, entrant]])
            fitted = np.linalg.lstsq(design[~out], margins[~out, entrant])[0]
            left[out, entrant] -= luck[out, entrant] @ fitted[1:]
    return left
