"""What a card is worth in hand: what it is likely to win later, less what may be lost with it.

The tables were counted over 60,000 deals of this player's own play and rounded.
"""

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel
from agents.rule_based.cards import card_of, suit_of
from agents.rule_based.chances import safe_from_ruffs
from agents.rule_based.situation import LEFT, RIGHT, Situation
from blot_env.bits import highest, popcount

TRICK_WON = 7.5  # points more for the side, when a plain card takes a trick
TRUMP_TRICK_WON = 14.0  # and when a trump does
GUARDED = 0.7  # how much a guard counts of what it adds to the card that it guards

# How often a card that takes no trick still falls to its own side.
FED_ATTACKING, FED_DEFENDING, FED_AT_NOTRUMP = 0.55, 0.15, 0.85
FED_TRUMP_ATTACKING, FED_TRUMP_DEFENDING = 0.25, 0.2

# How often a card takes a trick later, by the number of unseen cards above it (row) and own cards below it (column).
_PLAIN: NDArray[np.float64] = np.array(
    [
        [0.65, 0.70, 0.75, 0.75],
        [0.15, 0.24, 0.27, 0.27],
        [0.05, 0.11, 0.15, 0.15],
        [0.03, 0.05, 0.07, 0.07],
        [0.02, 0.03, 0.04, 0.04],
        [0.01, 0.02, 0.02, 0.02],
        [0.00, 0.01, 0.01, 0.01],
        [0.00, 0.00, 0.00, 0.00],
    ]
)
_TRUMP_ATTACKING: NDArray[np.float64] = np.array(
    [
        [1.00, 1.00, 1.00, 1.00],
        [0.59, 0.78, 0.87, 0.92],
        [0.44, 0.62, 0.82, 0.87],
        [0.36, 0.57, 0.77, 0.80],
        [0.33, 0.45, 0.63, 0.70],
        [0.21, 0.30, 0.45, 0.60],
        [0.10, 0.15, 0.30, 0.40],
        [0.07, 0.10, 0.20, 0.30],
    ]
)
_TRUMP_DEFENDING: NDArray[np.float64] = np.array(
    [
        [1.00, 1.00, 1.00, 1.00],
        [0.44, 0.60, 0.94, 0.98],
        [0.23, 0.37, 0.81, 0.92],
        [0.11, 0.27, 0.67, 0.90],
        [0.07, 0.20, 0.48, 0.75],
        [0.05, 0.14, 0.48, 0.60],
        [0.04, 0.06, 0.30, 0.50],
        [0.03, 0.05, 0.20, 0.40],
    ]
)


@kernel
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
        wins = _TRUMP_ATTACKING[higher, guards] if at.attacking else _TRUMP_DEFENDING[higher, guards]
        more = wins * TRUMP_TRICK_WON
    else:
        fed = FED_AT_NOTRUMP if not at.trumps else FED_ATTACKING if at.attacking else FED_DEFENDING
        safe = safe_from_ruffs(at, suit)
        wins = _PLAIN[higher, guards] * safe
        more = wins * TRICK_WON + _guarding(rules, at, suit, place, safe)
    comes_home = wins + (1.0 - wins) * fed
    return (2.0 * comes_home - 1.0) * points_of(rules, at, place) + more


@kernel
def _guarding(rules: np.record, at: Situation, suit: int, place: int, safe: float) -> float:
    """Return what a plain card adds to the best card of its suit by guarding it."""
    best = highest(at.hand & suit)
    guards = popcount(at.hand & suit) - 1
    if best == place or guards > 3:
        return 0.0
    higher = popcount(at.unseen & suit & ~((1 << best) - 1))
    more_often = (_PLAIN[higher, guards] - _PLAIN[higher, guards - 1]) * safe
    return GUARDED * more_often * (2.0 * points_of(rules, at, best) + TRICK_WON)


@kernel
def opponents_may_ruff(at: Situation) -> bool:
    """Return whether an opponent may still hold a trump."""
    return (at.could[LEFT] | at.could[RIGHT]) & at.trumps != 0
