"""The deals of a meeting found again: cards by seed, board and deal, and in a match the scores before each deal."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from blot_env import Game, RuleSet
from blot_env.state import STATE
from train.tournament.played import Played


def first_boards(played: Played, most: int) -> Played:
    """Return the first boards of a meeting: their deals, without clocks and faults of the others."""
    boards = played.boards[:most]
    kept = np.isin(played.board, boards)
    return replace(
        played,
        boards=boards,
        board=played.board[kept],
        table=played.table[kept],
        deal=played.deal[kept],
        results=played.results[kept],
        actions=played.actions[kept],
        faults=tuple(fault for fault in played.faults if fault.board in boards),
    )


def starts_of(rules: RuleSet, seed: int, played: Played) -> NDArray[np.void]:
    """Return each deal before its first action: rows of `STATE`, shape (deals,).

    Raises:
        IllegalAction: the actions are not those of these rules and this seed.
    """
    states = np.zeros(len(played.board), STATE)
    game, at = Game(rules), (-1, -1)
    for row, place in enumerate(zip(played.board.tolist(), played.table.tolist(), strict=True)):
        if place != at:
            game, at = Game(rules, seed=seed, board=place[0]), place
        else:
            game.next_deal()
        states[row] = game.state
        for action in played.actions[row]:
            if action < 0:
                break
            game.take(action)
    return states
