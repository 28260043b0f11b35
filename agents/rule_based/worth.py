"""What a card is worth in hand: the points that it is likely to bring later, or to lose."""

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel
from agents.rule_based.cards import card_of, suit_of
from agents.rule_based.chances import safe_from_ruffs
from agents.rule_based.situation import LEFT, RIGHT, Situation
from blot_env.bits import highest, popcount

TRICK = 12.0  # points that the other three cards of a trick bring
GUARD = 0.6  # share of an honour's points that its last needed guard is worth

# How likely a card takes a trick later, by the number of unseen cards above it (row) and own cards below it (column).
_PLAIN: NDArray[np.float64] = np.array(
    [
        [0.95, 0.95, 0.95, 0.95],
        [0.15, 0.45, 0.50, 0.55],
        [0.05, 0.15, 0.25, 0.30],
        [0.02, 0.05, 0.10, 0.15],
    ]
)
_TRUMP: NDArray[np.float64] = np.array(
    [
        [1.00, 1.00, 1.00, 1.00],
        [0.40, 0.65, 0.75, 0.80],
        [0.35, 0.45, 0.55, 0.65],
        [0.30, 0.35, 0.40, 0.45],
    ]
)


@kernel
def points_of(rules: np.record, at: Situation, place: int) -> float:
    """Return the card points of a place."""
    return float(rules.points[at.strain, card_of(at.strain, place)])


@kernel
def worth(rules: np.record, at: Situation, place: int) -> float:
    """Return what it costs to part with a card, in points."""
    suit = suit_of(place)
    below = (1 << place) - 1
    higher = min(popcount(at.unseen & suit & ~below), 3)
    guards = min(popcount(at.hand & suit & below), 3)
    if suit == at.trumps:
        chance = _TRUMP[higher, guards]
    else:
        chance = _PLAIN[higher, guards] * safe_from_ruffs(at, suit)
    points = points_of(rules, at, place)
    return chance * (points + TRICK) - (1.0 - chance) * points + _guarding(rules, at, suit, place)


@kernel
def _guarding(rules: np.record, at: Situation, suit: int, place: int) -> float:
    """Return what a card is worth as the guard without which the best card of its suit would fall."""
    best = highest(at.hand & suit)
    if best == place:
        return 0.0
    needed = popcount(at.unseen & suit & ~((1 << best) - 1))
    held = popcount(at.hand & suit) - 1
    return GUARD * points_of(rules, at, best) if needed == held else 0.0


@kernel
def opponents_may_ruff(at: Situation) -> bool:
    """Return whether an opponent may still hold a trump."""
    return (at.could[LEFT] | at.could[RIGHT]) & at.trumps != 0
