"""Whether to name trump and which suit, what to do with the seven, and what to put aside."""

import numpy as np

from agents.compile import kernel
from agents.rule_based.evaluate import card_points, extra_points
from agents.rule_based.outlook import outlook
from agents.rule_based.stakes import bid_value
from blot_env.actions import NAME, PASS, SWAP
from blot_env.auction import legal_words, most_passes
from blot_env.bits import lowest, popcount
from blot_env.rules_record import STOCK_DRAWN
from blot_env.stock import seven


@kernel
def choose_name(rules: np.record, values: np.record, view: np.record) -> int:
    """Return the suit to name, or pass."""
    public = view.public
    legal = legal_words(rules, public)
    best, best_value = PASS, -np.inf
    if legal >> PASS & 1:
        best_value = values.name_margin[min(most_passes(rules) - 1 - public.passes, len(values.name_margin) - 1)]
        if not rules.forced_dealer:
            best_value = max(best_value, 0.0)
    for suit in range(4):
        if legal >> NAME + suit & 1:
            hope = outlook(rules, values, view, suit, _held(rules, view, suit))
            value = bid_value(rules, values, public, view.seat, hope, suit, 0, 0, 0.0)
            if value > best_value:
                best, best_value = NAME + suit, value
    return best


@kernel
def _held(rules: np.record, view: np.record, suit: int) -> int:
    """Return the cards that a seat knows it will hold if it names a suit."""
    public, hand = view.public, view.hand
    if rules.stock == STOCK_DRAWN and public.turned >= 0:
        return hand | 1 << public.turned
    if rules.swap_seven and suit == public.turned >> 3 and hand >> seven(public) & 1:
        return _swapped(public, hand)
    return hand


@kernel
def _swapped(public: np.record, hand: int) -> int:
    return hand & ~(1 << seven(public)) | 1 << public.turned


@kernel
def choose_swap(rules: np.record, values: np.record, view: np.record) -> int:
    """Swap the seven for the higher card, unless that breaks a combination worth more."""
    public = view.public
    kept = _hand_value(rules, values, public.strain, view.hand)
    swapped = _hand_value(rules, values, public.strain, _swapped(public, view.hand))
    return SWAP if swapped >= kept else PASS


@kernel
def choose_discard(rules: np.record, values: np.record, view: np.record) -> int:
    """Return the card to put aside: of the pair (or, if it is the last one, the card) that costs the hand least."""
    last = popcount(view.hand) == rules.hand_size + 1
    best, best_value = lowest(view.hand), -np.inf
    rest = view.hand
    while rest:
        first = lowest(rest)
        rest &= rest - 1
        if last:
            value = _without(rules, values, view, 1 << first)
            if value > best_value:
                best, best_value = first, value
        seconds = 0 if last else rest
        while seconds:
            value = _without(rules, values, view, 1 << first | seconds & -seconds)
            seconds &= seconds - 1
            if value > best_value:
                best, best_value = first, value
    return best


@kernel
def _without(rules: np.record, values: np.record, view: np.record, aside: int) -> float:
    """Return what the hand is worth when some cards have been put aside."""
    strain = view.public.strain
    value = _hand_value(rules, values, strain, view.hand & ~aside)
    if rules.discards_to_namer:
        while aside:
            value += rules.points[strain, lowest(aside)]
            aside &= aside - 1
    return value


@kernel
def _hand_value(rules: np.record, values: np.record, strain: int, hand: int) -> float:
    own, other = extra_points(rules, values, strain, hand)
    return 2.0 * card_points(values, strain, hand) + own - other
