"""What a card is worth in hand: what it is likely to win later (`tricks`), less what may be lost with it."""

import numpy as np

from agents.compile import kernel
from agents.rule_based.chances import safe_from_ruffs
from agents.rule_based.situation import Situation
from agents.rule_based.tricks import PLAIN, TRUMP_ATTACKING, TRUMP_DEFENDING
from blot_env.bits import highest, popcount
from blot_env.places import card_of, suit_of

TRICK_WON = 7.5  # points more for the side, when a plain card takes a trick
TRUMP_TRICK_WON = 14.0  # and when a trump does
GUARDED = 0.7  # how much a guard counts of what it adds to the card that it guards

# How often a card that takes no trick still falls to its own side.
FED_ATTACKING, FED_DEFENDING, FED_AT_NOTRUMP = 0.55, 0.15, 0.85
FED_TRUMP_ATTACKING, FED_TRUMP_DEFENDING = 0.25, 0.2


@kernel(forceinline=True)
def points_of(rules: np.record, at: Situation, place: int) -> float:
    """Return the card points of a place."""
    return float(rules.points[at.strain, card_of(at.strain, place)])


@kernel
def worth(rules: np.record, at: Situation, place: int) -> float:
    """Return what it costs to part with a card, in points of difference between the sides."""
    suit = suit_of(place)
    below = (1 << place) - 1
    higher = popcount(at.unseen & suit & ~below)
    guards = min(popcount(at.hand & suit & below), 3)
    if suit == at.trumps:
        fed = FED_TRUMP_ATTACKING if at.attacking else FED_TRUMP_DEFENDING
        table = TRUMP_ATTACKING if at.attacking else TRUMP_DEFENDING
        wins = table[at.others - 1, higher, guards]
        more = wins * TRUMP_TRICK_WON
    else:
        fed = FED_AT_NOTRUMP if not at.trumps else FED_ATTACKING if at.attacking else FED_DEFENDING
        safe = safe_from_ruffs(at, suit)
        wins = PLAIN[at.others - 1, higher, guards] * safe
        more = wins * TRICK_WON + _guarding(rules, at, suit, place, safe)
    fed = fed * at.fellowship if at.friends else 0.0
    comes_home = wins + (1.0 - wins) * fed
    return (2.0 * comes_home - 1.0) * points_of(rules, at, place) + more


@kernel(forceinline=True)
def _guarding(rules: np.record, at: Situation, suit: int, place: int, safe: float) -> float:
    """Return what a plain card adds to the best card of its suit by guarding it."""
    best = highest(at.hand & suit)
    guards = popcount(at.hand & suit) - 1
    if best == place or guards > 3:
        return 0.0
    higher = popcount(at.unseen & suit & ~((1 << best) - 1))
    more_often = (PLAIN[at.others - 1, higher, guards] - PLAIN[at.others - 1, higher, guards - 1]) * safe
    return GUARDED * more_often * (2.0 * points_of(rules, at, best) + TRICK_WON)


@kernel
def opponents_may_ruff(at: Situation) -> bool:
    """Return whether a foe may still hold a trump."""
    return at.foes_could & at.trumps != 0
