"""Which card to play. Every legal card is judged by three questions: who will take the trick with it, how many points
lie in it, and what is the card worth later? A leader asks a fourth one: does it serve the plan?"""

import numpy as np

from agents.compile import kernel
from agents.rule_based.cards import card_of, suit_of
from agents.rule_based.chances import takes_as_follower, takes_as_lead
from agents.rule_based.situation import PARTNER, Situation, look
from agents.rule_based.worth import opponents_may_ruff, points_of, worth
from blot_env.bits import highest, lowest, popcount

TO_COME = 3.0  # points expected of each card that follows
LED_TRICK = 7.5  # points that the others' cards bring to a lead
DRAW_TRUMPS = 30.0
DRAW_TRUMPS_LOW = 24.0
KEEP_TRUMPS = 15.0
RUFF_PARTNER = 30.0
PARTNERS_SUIT = 15.0
OPPONENTS_SUIT = 12.0
SINGLETON = 7.0
GIVE_RUFF = 12.0


@kernel
def choose_card(rules: np.record, view: np.record) -> int:
    """Return the card to play."""
    at = look(rules, view)
    best, best_value = -1, -1e9
    rest = at.legal
    while rest:
        place = lowest(rest)
        rest &= rest - 1
        value = lead_value(rules, at, place) if at.turn == 0 else follow_value(rules, at, place)
        if value > best_value:
            best, best_value = place, value
    return card_of(at.strain, best)


@kernel
def follow_value(rules: np.record, at: Situation, place: int) -> float:
    """Return what it is worth to play a card to a trick that others have begun."""
    chance = takes_as_follower(at, place)
    trick = at.pot + points_of(rules, at, place) + TO_COME * (3 - at.turn)
    value = (2.0 * chance - 1.0) * trick - worth(rules, at, place)
    if at.partner_holds and suit_of(place) == at.trumps and at.led != at.trumps:
        value -= RUFF_PARTNER
    return value


@kernel
def lead_value(rules: np.record, at: Situation, place: int) -> float:
    """Return what it is worth to lead a card."""
    chance = takes_as_lead(at, place)
    trick = points_of(rules, at, place) + LED_TRICK
    value = (2.0 * chance - 1.0) * trick - worth(rules, at, place)
    if suit_of(place) == at.trumps:
        return value + _trump_plan(rules, at, place)
    return value + _plain_plan(rules, at, place)


@kernel
def _trump_plan(rules: np.record, at: Situation, place: int) -> float:
    """Attackers draw the opponents' trumps, with the master or towards the partner's; defenders keep theirs."""
    if not at.attacking or not opponents_may_ruff(at):
        return -KEEP_TRUMPS
    higher = at.unseen & at.trumps & ~((1 << place) - 1)
    if not higher and place == highest(at.hand & at.trumps):
        return DRAW_TRUMPS
    if at.partner_bid or popcount(at.hand & at.trumps) >= 4:
        return DRAW_TRUMPS_LOW
    return 0.0


@kernel
def _plain_plan(rules: np.record, at: Situation, place: int) -> float:
    """Lead what the partner called, not what the opponents did; a lone card for a ruff."""
    suit = suit_of(place)
    value = 0.0
    if at.partners_suits & suit:
        value += PARTNERS_SUIT
    if at.opponents_suits & suit:
        value -= OPPONENTS_SUIT
    if at.could[PARTNER] & suit == 0 and at.could[PARTNER] & at.trumps:
        value += GIVE_RUFF
    alone = at.hand & suit == 1 << place and points_of(rules, at, place) == 0.0
    if alone and at.hand & at.trumps and opponents_may_ruff(at):
        value += SINGLETON
    return value
