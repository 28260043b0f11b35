"""Boards and matches of two entrants, for tests of what is read from them."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from blot_env import Game, RuleSet
from tests.train.tournament.meetings import meet
from train.tournament import seating as seats
from train.tournament.played import Played


def seating(rules: RuleSet) -> np.ndarray:
    """Who plays each side at each table, (tables, sides)."""
    return seats.seatings(rules.sides, 2)


def play(rules: RuleSet, first: str, second: str, boards: int | range, seed: int, matches: bool = False) -> Played:
    """Play boards, so many or these, in all seatings of two agents."""
    numbers = range(boards) if isinstance(boards, int) else boards
    return meet(rules, (first, second), numbers, seed, play="matches" if matches else "boards")


def moments(rules: RuleSet, seed: int, played: Played) -> Iterator[tuple[int, Game]]:
    """The deals one after another, each before its actions and at its end: the row, and a game that goes on."""
    game = Game(rules)
    for row, (board, deal) in enumerate(zip(played.board.tolist(), played.deal.tolist(), strict=True)):
        if deal == 0:
            game = Game(rules, seed=seed, board=board)
        else:
            game.next_deal()
        yield row, game
        for action in played.actions[row]:
            if action >= 0:
                game.take(action)
                yield row, game


def record_of(rules: RuleSet, seed: int, played: Played, row: int) -> dict[str, Any]:
    """A deal as a record, in a match with the scores and the dealer that it began with."""
    game = Game(rules, seed=seed, board=int(played.board[row]))
    for deal in range(row - int(played.deal[row]), row + 1):
        if played.deal[deal] > 0:
            game.next_deal()
        for action in played.actions[deal]:
            if action >= 0:
                game.take(action)
    return game.record()
