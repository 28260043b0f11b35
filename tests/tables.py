"""Boards and games written as they are read: hands, calls and cards as text."""

from collections.abc import Iterable
from typing import Any

from blot_env import Game
from tests.reference.cards import DECK

Record = dict[str, Any]

WHOLE_SUITS = tuple(" ".join(card for card in DECK if card[1] == suit) for suit in "CDHS")
"""Seat 0 holds all clubs, seat 1 diamonds, seat 2 hearts, seat 3 spades."""


def board(*hands: str, dealer: int = 3, scores: Iterable[int] = (0, 0), target: int = 151, actions: str = "") -> Record:
    """A record without a result. Hands with fewer than eight cards get the rest of the pack, in order."""
    given = [hand.split() for hand in hands]
    named = {card for hand in given for card in hand}
    rest = iter([card for card in DECK if card not in named])
    full = [hand + [next(rest) for _ in range(8 - len(hand))] for hand in given]
    return {
        "rules": "bazar",
        "target": target,
        "scores": list(scores),
        "dealer": dealer,
        "hands": [" ".join(hand) for hand in full],
        "stock": "",
        "actions": actions.split(),
    }


def table(*hands: str, **fields: Any) -> Game:
    """A game at the board that `board` makes."""
    return Game.from_record(board(*hands, **fields))


def play(game: Game, actions: str) -> Game:
    """Play some actions, separated by blanks."""
    for action in actions.split():
        game.play(action)
    return game


def finish(game: Game) -> Game:
    """Play the rest of the deal, each seat its first legal action."""
    while game.phase != "over":
        game.play(game.legal_actions()[0])
    return game


def legal(game: Game) -> set[str]:
    return set(game.legal_actions())
