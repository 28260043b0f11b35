"""The deals of a tournament as the page reads them: columns of short texts and numbers, small once compressed."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from blot_env import RuleSet
from blot_env.cards import cards_of
from blot_env.state import PHASES
from train.tournament.played import Played
from train.tournament.report.trace import trace

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
        "moved": _by_deal(traced.moved, letters),
        "winners": _texts(traced.winner, _DIGITS),
        "worth": traced.worth.tolist(),
        "shown": _by_deal(traced.shown, letters),
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


def _by_deal(sets: NDArray[np.uint32], letters: NDArray[np.str_]) -> dict[int, list[tuple[Any, ...]]]:
    """Return the sets of cards that are not empty, by deal, each with its other places (step and seat) before it."""
    found: dict[int, list[tuple[Any, ...]]] = {}
    for deal, *places in np.argwhere(sets).tolist():
        cards = "".join(letters[card] for card in cards_of(int(sets[deal, *places])))
        found.setdefault(deal, []).append((*places, cards))
    return found
