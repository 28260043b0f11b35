"""The deals of a meeting found again: cards by seed, board and deal, and in a match the scores before each deal."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from blot_env import Game, RuleSet
from blot_env.state import STATE
from train.tournament.played import Played


def first_deals(played: Played, most: int) -> Played:
    """Return the first boards of a meeting, one at least, with no more deals than so many one after another.

    A match has many deals: of matches there are fewer than of boards.
    """
    deals = np.zeros(len(played.boards), np.int64)
    np.maximum.at(deals, np.searchsorted(played.boards, played.board), played.deal + 1)
    return first_boards(played, max(1, int((deals.cumsum() <= most).sum())))


def first_boards(played: Played, most: int) -> Played:
    """Return the first boards of a meeting; clocks and seconds are those of all."""
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
        IllegalAction: as `moments`.
    """
    states = np.zeros(len(played.board), STATE)
    for row, game in moments(rules, seed, played):
        if game.state.public.length == 0:
            states[row] = game.state
    return states


def moments(rules: RuleSet, seed: int, played: Played) -> Iterator[tuple[int, Game]]:
    """Yield the deals one after another, each before its actions and at its end: the row, and a game that goes on.

    Raises:
        IllegalAction: the actions are not those of these rules and this seed.
    """
    game, at = Game(rules), (-1, -1)
    for row, place in enumerate(zip(played.board.tolist(), played.table.tolist(), strict=True)):
        if place != at:
            game, at = Game(rules, seed=seed, board=place[0]), place
        else:
            game.next_deal()
        yield row, game
        for action in played.actions[row]:
            if action < 0:
                break
            game.take(action)
            yield row, game
