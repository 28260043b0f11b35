"""Which card to play. Every legal card is judged by three questions: who will take the trick with it, how many points
lie in it, and what is the card worth later? A leader asks a fourth one: does it serve the plan?"""

import numpy as np

from agents.compile import kernel
from agents.rule_based.cards import card_of, suit_of
from agents.rule_based.chances import takes_as_follower, takes_as_lead
from agents.rule_based.situation import Situation, look
from agents.rule_based.worth import TRICK, opponents_may_ruff, points_of, worth
from blot_env.bits import lowest, popcount

TO_COME = 5.0  # points expected of each card that follows
DRAW_TRUMPS = 14.0
KEEP_TRUMPS = 8.0
RUFF_PARTNER = 30.0


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
    trick = points_of(rules, at, place) + TRICK
    value = (2.0 * chance - 1.0) * trick - worth(rules, at, place)
    if suit_of(place) == at.trumps:
        value += _trump_plan(at, place)
    return value


@kernel
def _trump_plan(at: Situation, place: int) -> float:
    """Attackers draw the opponents' trumps, with the master or towards the partner's; defenders keep theirs."""
    if not at.attacking:
        return -KEEP_TRUMPS
    if not opponents_may_ruff(at):
        return -KEEP_TRUMPS
    higher = at.unseen & at.trumps & ~((1 << place) - 1)
    if not higher or at.partner_bid or popcount(at.hand & at.trumps) >= 4:
        return DRAW_TRUMPS
    return 0.0
