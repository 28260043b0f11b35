"""Boards and games written as they are read: hands, calls and cards as text."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from blot_env import Game
from tests.reference import PRESETS
from tests.reference.cards import DECK

Record = dict[str, Any]

WHOLE_SUITS = tuple(" ".join(card for card in DECK if card[1] == suit) for suit in "CDHS")
"""Seat 0 holds all clubs, seat 1 diamonds, seat 2 hearts, seat 3 spades."""


def board(
    *hands: str,
    preset: str = "bazar",
    stock_cards: str = "",
    dealer: int | None = None,
    scores: Iterable[int] | None = None,
    target: int | None = None,
    actions: str = "",
    **fields: Any,
) -> Record:
    """A record without a result, of a preset or of house rules. By default seat 0 is eldest, and nobody has points.

    Hands with too few cards, missing hands and the stock get the rest of the pack, in order.
    """
    rules = replace(PRESETS[preset], **fields)
    players, dealt = rules.players, rules.visible + rules.face_down
    given = [hand.split() for hand in [*hands, *[""] * (players - len(hands))]]
    named = {card for hand in [*given, stock_cards.split()] for card in hand}
    rest = iter([card for card in DECK if card not in named and card[0] in rules.ranks])
    full = [hand + [next(rest) for _ in range(dealt - len(hand))] for hand in given]
    return {
        "rules": preset,
        **({"fields": fields} if fields else {}),
        "target": rules.targets[0] if target is None else target,
        "scores": [0] * rules.sides if scores is None else list(scores),
        "dealer": players - 1 if dealer is None else dealer,
        "hands": [" ".join(hand) for hand in full],
        "stock": " ".join([*stock_cards.split(), *rest]),
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


def finish_with_trumps(game: Game) -> Game:
    """Play the rest of the deal, each seat its trumps first, and its highest cards."""
    trump = "CDHS"[int(game.state.public.strain)]
    while game.phase != "over":
        game.play(min(game.legal_actions(), key=lambda card: (card[1] != trump, "J9ATKQ87".index(card[0]))))
    return game


def legal(game: Game) -> set[str]:
    return set(game.legal_actions())
