"""Why an action is not legal, as a player would say it."""

import numpy as np

from blot_env.actions import BIDS, CONTRA, PASS, RECONTRA
from blot_env.cards import SUIT, SUITS, set_name
from blot_env.playing import obligation
from blot_env.rules import RuleSet
from blot_env.state import LAST_WORD, PLAY, RECONTRA_ASKED

_SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def why_not(rules: RuleSet, public: np.record, hand: int, action: int) -> str:
    """Return the reason why an action that exists may not be taken by the seat to act, which holds `hand`."""
    if public.phase == PLAY:
        return _why_not_card(rules, public, hand, action)
    if action < PASS:
        return "no card is played before the auction is over"
    if public.asking == RECONTRA_ASKED:
        return "after contra the bidders may only pass or recontra"
    if action in (CONTRA, RECONTRA):
        if not (rules.contra if action == CONTRA else rules.recontra):
            return f"there is no {rules.actions.text(action)} in these rules"
        if public.asking == LAST_WORD:
            return "the last word is to keep (pass) or to raise"
        return "contra needs an opponents' bid" if action == CONTRA else "recontra needs a contra"
    if action < BIDS:
        return f"there is no {rules.actions.text(action)} in these rules"
    if public.capot:
        return "nothing goes over capot"
    return f"a bid must be higher than {public.number}"


def _why_not_card(rules: RuleSet, public: np.record, hand: int, action: int) -> str:
    if action >= PASS:
        return "the auction is over: play a card"
    if not hand >> action & 1:
        return f"seat {public.seat} does not hold it; it holds {set_name(hand)}"
    beat, suit, ruff, _ = (int(duty) for duty in obligation(rules.record, public))
    if hand & beat:
        return f"play a higher card of the suit led: {set_name(hand & beat)}"
    if hand & suit:
        led = _SUIT_NAMES[SUITS[next(s for s in range(4) if suit >> 8 * s & SUIT)]]
        return f"follow suit: {led}"
    if hand & ruff:
        return f"play a trump that takes the trick: {set_name(hand & ruff)}"
    return "play a trump"
