"""Which card to play. Every legal card is judged by three questions: who will take the trick, how many points lie
in it, and what is the card worth later? A leader asks a fourth one: does the lead serve the plan?

Values are differences between the sides in card points; the weights were found by duplicate play against themselves.
"""

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel
from agents.rule_based.chances import takes_as_follower, takes_as_lead
from agents.rule_based.options import add
from agents.rule_based.situation import OTHERS, Situation, look
from agents.rule_based.worth import opponents_may_ruff, points_of, worth
from blot_env.bits import highest, lowest, popcount
from blot_env.places import card_of, suit_of
from blot_env.playing import legal_cards

TO_COME = 5.0  # points that each card still to follow brings
LED_TRICK = 7.5  # points that three cards following a lead bring

# What a lead is worth to the plan.
DRAW_TRUMPS = 30.0  # attackers: with the top trump, while opponents may hold any
DRAW_TRUMPS_LOW = 20.0  # ... without it, towards the bidder's or from a long holding
LONG = 4  # trumps
KEEP_TRUMPS = -22.0
PARTNERS_SUIT = 10.0
OPPONENTS_SUIT = -12.0
GIVE_RUFF = 18.0  # a suit of which the partner is out
SEEK_RUFF = 5.0  # a lone card without points
RUFF_PARTNER = -30.0  # trumping the trick that the partner holds
TEN = 6  # its strength in a plain suit
TEN_AT_RISK = 0.15  # chance at most of a trick on which a ten is staked against a live ace


@kernel
def card_options(rules: np.record, view: np.record, options: NDArray) -> int:
    """Write the legal cards, the lowest first; return how many they are."""
    at = look(rules, view, legal_cards(rules, view.public, view.hand))
    count, rest = 0, at.legal
    while rest:
        place = lowest(rest)
        rest &= rest - 1
        count = add(options, count, card_of(at.strain, place), _value(rules, at, place))
    return count


@kernel
def choose_card(rules: np.record, view: np.record) -> int:
    """Return the best of `card_options`; this is where playouts spend their time, so it writes no list."""
    legal = legal_cards(rules, view.public, view.hand)
    if legal & (legal - 1) == 0:
        return lowest(legal)
    at = look(rules, view, legal)
    best, best_value = -1, -np.inf
    rest = at.legal
    while rest:
        place = lowest(rest)
        rest &= rest - 1
        value = _value(rules, at, place)
        if value > best_value:
            best, best_value = place, value
    return card_of(at.strain, best)


@kernel(forceinline=True)
def _value(rules: np.record, at: Situation, place: int) -> float:
    """Return what it is worth to play a card."""
    return _follow_value(rules, at, place) if at.turn else _lead_value(rules, at, place)


@kernel
def _follow_value(rules: np.record, at: Situation, place: int) -> float:
    """Return what it is worth to play a card to a trick that others have begun."""
    chance = takes_as_follower(at, place)
    if at.led >> place & 1 and _stakes_ten(at, place, _next_foe(at)):
        chance = min(chance, TEN_AT_RISK)
    trick = at.pot + points_of(rules, at, place) + TO_COME * at.to_follow
    value = (2.0 * chance - 1.0) * trick - worth(rules, at, place)
    if at.friend_holds and suit_of(place) == at.trumps and at.led != at.trumps:
        value += RUFF_PARTNER * at.fellowship
    return value


@kernel
def _next_foe(at: Situation) -> int:
    """Return what the next player may hold if it is a foe who plays to this trick."""
    return at.could[0] if at.behind & at.foes & 1 else 0


@kernel
def _lead_value(rules: np.record, at: Situation, place: int) -> float:
    """Return what it is worth to lead a card."""
    chance = takes_as_lead(at, place)
    if _stakes_ten(at, place, at.unseen):
        chance = min(chance, TEN_AT_RISK)
    trick = points_of(rules, at, place) + LED_TRICK * at.to_follow / OTHERS
    value = (2.0 * chance - 1.0) * trick - worth(rules, at, place)
    if suit_of(place) == at.trumps:
        return value + _trump_plan(at, place)
    return value + _plain_plan(rules, at, place)


@kernel
def _stakes_ten(at: Situation, place: int, behind: int) -> bool:
    """Return whether a card is a plain ten and a better one of its suit may be among those behind."""
    suit = suit_of(place)
    better = behind & suit & ~((2 << place) - 1)
    return bool(better and suit != at.trumps and place & 7 == TEN)


@kernel
def _trump_plan(at: Situation, place: int) -> float:
    """Attackers draw the opponents' trumps from the top; defenders keep theirs."""
    if not at.attacking or not opponents_may_ruff(at):
        return KEEP_TRUMPS
    higher = at.unseen & at.trumps & ~((1 << place) - 1)
    if not higher and place == highest(at.hand & at.trumps):
        return DRAW_TRUMPS
    if at.partner_bid or popcount(at.hand & at.trumps) >= LONG:
        return DRAW_TRUMPS_LOW
    return 0.0


@kernel
def _plain_plan(rules: np.record, at: Situation, place: int) -> float:
    """Lead what the partner called or can ruff, not what the opponents called; a lone card for a ruff of one's own."""
    suit = suit_of(place)
    value = 0.0
    if at.friends_suits & suit:
        value += PARTNERS_SUIT
    if at.foes_suits & suit:
        value += OPPONENTS_SUIT
    for who in range(OTHERS):
        if at.friends >> who & 1 and at.could[who] & suit == 0 and at.could[who] & at.trumps:
            value += GIVE_RUFF * at.fellowship
    alone = at.hand & suit == 1 << place and points_of(rules, at, place) == 0.0
    if alone and at.hand & at.trumps and opponents_may_ruff(at):
        value += SEEK_RUFF
    return value
