"""Why an action is not legal: the sentence that a table would show (rules, sections 2, 4, 6, 7 and 8)."""

import numpy as np

from blot_env.actions import ANNOUNCE, BIDS, CONTRA, PASS, RECONTRA, SHOW, SWAP
from blot_env.auction import bid_number, first_round
from blot_env.cards import card_name
from blot_env.playing import obligation
from blot_env.rules import RuleSet
from blot_env.speech import ASKED, suit_name
from blot_env.state import AUCTION, DISCARD, LAST_WORD, PLAY, RECONTRA_ASKED, SHOWING


def why_not(rules: RuleSet, public: np.record, hand: int, action: int) -> str:
    """Return the reason why an illegal action may not be taken by the seat to act, which holds `hand`."""
    phase = int(public.phase)
    if phase == AUCTION:
        return _why_not_call(rules, public, action)
    if phase == SHOWING and action == SHOW:
        return "You hold no combination to show"
    if phase not in (PLAY, DISCARD) or action >= PASS:
        return ASKED[phase]
    if not hand >> action & 1:
        return f"You do not hold {card_name(action)}"
    return _why_not_card(rules, public, hand, action)


def _why_not_card(rules: RuleSet, public: np.record, hand: int, card: int) -> str:
    _, suit, over, _ = (int(duty) for duty in obligation(rules.record, public))
    trumped = rules.strains[public.strain] not in ("NT", "AT") and public.winning >> 3 == public.strain
    if hand & suit:
        led = public.trick[public.leader] >> 3
        if not suit >> card & 1:
            return f"Follow suit: {suit_name(led)}"
        return "Play a higher trump" if trumped else f"Play a higher card: {suit_name(led)}"
    return "Play a higher trump" if trumped and hand & over else "Play a trump"


def _why_not_call(rules: RuleSet, public: np.record, action: int) -> str:
    if action < PASS:
        return "No card is played before the auction is over"
    if action in (SWAP, ANNOUNCE, SHOW):
        return _not_yet(rules, action)
    if public.asking == RECONTRA_ASKED:
        return "After contra: recontra or pass"
    if action == PASS:
        return f"{'Eldest' if rules.auction == 'eldest' else 'The dealer'} must name a suit"
    if action in (CONTRA, RECONTRA):
        return _why_not_contra(rules, public, action)
    if action < BIDS:
        return _why_not_name(rules, public)
    return _why_not_bid(rules, public, action)


def _not_yet(rules: RuleSet, action: int) -> str:
    if action == SWAP:
        return "Swap when you are asked, after the auction" if rules.swap_seven else "There is no swap in these rules"
    if rules.announce == "automatic":
        return "Combinations are announced and shown without asking in these rules"
    return "Announce with the first trick" if action == ANNOUNCE else "Show after the first trick"


def _why_not_contra(rules: RuleSet, public: np.record, action: int) -> str:
    if not (rules.contra if action == CONTRA else rules.recontra):
        return f"There is no {rules.actions.text(action)} in these rules"
    if public.asking == LAST_WORD:
        return "The last word: keep your bid or raise it"
    return "Contra needs an opponents' bid" if action == CONTRA else "Recontra needs an opponents' contra"


def _why_not_name(rules: RuleSet, public: np.record) -> str:
    if rules.numbered:
        return "Bid a number with the suit"
    turned = suit_name(public.turned >> 3)
    if first_round(rules.record, public):
        return f"Take the turned suit, {turned}, or pass"
    return f"Name another suit: {turned} was refused"


def _why_not_bid(rules: RuleSet, public: np.record, action: int) -> str:
    if public.passed[public.seat] and not rules.reenter and public.asking != LAST_WORD:
        return "Who has passed bids no more"
    capot = action >= rules.actions.capots
    if public.capot and rules.capot == "call":
        return "Nothing goes over capot"
    if public.capot and rules.capot == "mark" and not capot:
        return "Only a capot goes over capot"
    if bid_number(rules.record, action) <= public.number:
        return f"Bid higher than {public.number}"
    return f"Bid one step at a time: {public.number + 1 if public.number else rules.min_number}"
