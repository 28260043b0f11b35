"""Whether to name trump and which suit, what to do with the seven, and what to put aside."""

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel
from agents.rule_based.evaluate import card_points, extra_points
from agents.rule_based.options import add
from agents.rule_based.outlook import OWN, Counsel, foreseen
from agents.rule_based.stakes import bid_value
from blot_env.actions import NAME, PASS, SWAP
from blot_env.auction import legal_words, most_passes
from blot_env.bits import lowest, popcount
from blot_env.rules_record import STOCK_DRAWN
from blot_env.stock import seven


@kernel
def name_options(
    rules: np.record, values: np.record, view: np.record, options: NDArray, counsel: Counsel | None
) -> int:
    """Write pass and the suits that may be named; return how many options there are."""
    public = view.public
    legal = legal_words(rules, public)
    count = 0
    if legal >> PASS & 1:
        passed = values.name_margin[min(most_passes(rules) - 1 - public.passes, len(values.name_margin) - 1)]
        count = add(options, count, PASS, passed if rules.forced_dealer else max(passed, 0.0))
    for suit in range(4):
        if legal >> NAME + suit & 1:
            hope = foreseen(rules, values, view, counsel, suit, _held(rules, view, suit), OWN)
            value = bid_value(rules, values, public, view.seat, hope, suit, 0, 0, 0.0, counsel, OWN)
            count = add(options, count, NAME + suit, value)
    return count


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
def swap_options(rules: np.record, values: np.record, view: np.record, options: NDArray) -> int:
    """Write the swap of the seven for the higher card, which may break a combination worth more, and pass; return 2."""
    public = view.public
    count = add(options, 0, SWAP, _hand_value(rules, values, public.strain, _swapped(public, view.hand)))
    return add(options, count, PASS, _hand_value(rules, values, public.strain, view.hand))


@kernel
def discard_options(rules: np.record, values: np.record, view: np.record, options: NDArray) -> int:
    """Write each card of the hand; return how many they are.

    The value of one is what the hand is worth without it and another card, that which is missed least; without it
    alone if it is the last one.
    """
    hand, count = view.hand, 0
    last = popcount(hand) == rules.hand_size + 1
    while hand:
        card = lowest(hand)
        hand &= hand - 1
        count = add(options, count, card, _without(rules, values, view, 1 << card) if last else -np.inf)
    if last:
        return count
    for first in range(count):
        for second in range(first + 1, count):
            value = _without(rules, values, view, 1 << options[first].action | 1 << options[second].action)
            options[first].value = max(options[first].value, value)
            options[second].value = max(options[second].value, value)
    return count


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
