"""The deals of a tournament as the page reads them: columns of short texts and numbers, small once compressed."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blot_env import RuleSet
from blot_env.cards import cards_of
from blot_env.state import PHASES
from train.tournament.played import Played
from train.tournament.report.trace import Trace, trace

_BY_SIDE = ("tricks", "card_points", "combinations", "blot", "raw", "points")


def game_data(rules: RuleSet) -> dict[str, Any]:
    """Return what the page has to know of a game: how its actions are written, and who plays with whom."""
    return {
        "actions": [rules.actions.text(action) for action in range(rules.actions.size)],
        "letters": "".join(_letters(rules)),  # one for each action, a card's too
        "phases": list(PHASES),
        "side": [rules.side(seat) for seat in range(rules.players)],
        "seen": rules.visible,
        "dealt": rules.dealt,
        "turned": rules.auction == "turned",
    }


def deal_data(rules: RuleSet, seed: int, played: Played) -> dict[str, Any]:
    """Return deals as columns, a value a deal."""
    traced, letters = trace(rules, seed, played), _letters(rules)
    shown = [[_set_text(cards, letters) for cards in row[: rules.players]] for row in traced.shown.tolist()]
    results = played.results
    return {
        "board": played.board.tolist(),
        "table": played.table.tolist(),
        "deal": played.deal.tolist(),
        "deck": _texts(traced.deck, letters),
        "dealer": traced.dealer.tolist(),
        "scores": traced.scores[:, : rules.sides].tolist(),
        "actions": _texts(played.actions, letters),
        "seats": _texts(traced.seat, _DIGITS),
        "phases": _texts(traced.phase, _DIGITS),
        "trick": _texts(traced.trick, _DIGITS),
        "moved": _moves(traced, letters),
        "winners": _texts(traced.winner, _DIGITS),
        "worth": traced.worth.tolist(),
        "shown": shown if traced.shown.any() else [],
        **{name: results[name].tolist() for name in ("contract", "bidder", "contra", "made", "match_winner")},
        **{name: results[name][:, : rules.sides].tolist() for name in _BY_SIDE},
    }


def _letters(rules: RuleSet) -> NDArray[np.str_]:
    """Return a letter for each action: ASCII for cards and passes, none that JSON would have to escape."""
    return np.array([chr(ord("0") + action if action < 44 else 0xA1 + action) for action in range(rules.actions.size)])


_DIGITS = np.array(list("0123456789"))


def _texts(numbers: NDArray[Any], letters: NDArray[np.str_]) -> list[str]:
    """Return each row's numbers as one text, up to the first that is negative."""
    rows, width = numbers.shape
    if not rows or not width:
        return [""] * rows
    written = np.where(numbers < 0, "", letters[np.maximum(numbers, 0)])
    return written.astype("U1").view(f"U{width}")[:, 0].tolist()  # numpy drops what is empty at the end


def _moves(traced: Trace, letters: NDArray[np.str_]) -> dict[int, list[tuple[int, int, str]]]:
    """Return by deal at which step which cards came to a seat's hand or left it."""
    moves: dict[int, list[tuple[int, int, str]]] = {}
    for deal, step, seat in np.argwhere(traced.moved).tolist():
        moves.setdefault(deal, []).append((step, seat, _set_text(int(traced.moved[deal, step, seat]), letters)))
    return moves


def _set_text(cards: int, letters: Sequence[str] | NDArray[np.str_]) -> str:
    return "".join(letters[card] for card in cards_of(cards))
