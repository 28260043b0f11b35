"""Who holds what, counted: an unseen card is as likely with each player who may still hold it.

Where unseen cards may be in no hand, those count as one more player with so many cards.
"""

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel
from agents.rule_based.situation import MOST_SPARE, SPARE_STEPS, Situation
from blot_env.bits import highest, popcount
from blot_env.places import above, suit_of

HELPED = 0.6  # how often a friend who holds the best card of the suit led takes the trick with it
RUFFED = 0.5  # and one who can ruff, with a ruff
TOPS = 0.5  # how often of two players who can both beat a card a given one has the better card


def _misses() -> NDArray[np.float64]:
    """Return `_MISSES[s, n, m]`: how likely a player lacks n cards that three may hold and m that two may hold, when
    s quarters of a hand are in no hand."""
    spares = np.arange(MOST_SPARE + 1) / SPARE_STEPS
    counts = np.arange(25)
    three, two = (spares + 2) / (spares + 3), (spares + 1) / (spares + 2)
    return (three[:, None, None] ** counts[:, None]) * two[:, None, None] ** counts


_MISSES = _misses()
_MISSES_ALONE = np.array([[(s / (s + SPARE_STEPS)) ** n for n in range(33)] for s in range(MOST_SPARE + 1)])
"""`_MISSES_ALONE[s, n]`: the same of n cards that nobody else may hold."""


@kernel(forceinline=True)
def lacks(at: Situation, who: int, places: int) -> float:
    """Return the chance that a player holds none of some places."""
    possible = at.could[who] & places
    other, third = at.could[(who + 1) % 3], at.could[(who + 2) % 3]
    alone = possible & ~other & ~third
    if alone:
        return 0.0 if alone & at.held else _lacks_some(at, possible, alone, other & third)
    shared = popcount(possible & other & third)
    return _MISSES[at.spare, shared, popcount(possible) - shared]


@kernel
def _lacks_some(at: Situation, possible: int, alone: int, both: int) -> float:
    shared, own = popcount(possible & both), popcount(alone)
    return _MISSES[at.spare, shared, popcount(possible) - shared - own] * _MISSES_ALONE[at.spare, own]


@kernel(forceinline=True)
def ruffs(at: Situation, who: int, suit: int) -> float:
    """Return the chance that a player is void in a plain suit and holds a trump."""
    if suit == at.trumps or at.could[who] & at.trumps == 0:
        return 0.0
    return lacks(at, who, suit) * (1.0 - lacks(at, who, at.trumps))


@kernel(forceinline=True)
def beats(at: Situation, who: int, led: int, place: int) -> float:
    """Return the chance that a player who has yet to play can take the trick from `place`."""
    higher = above(at.trumps, place)
    chance = 1.0 - lacks(at, who, led & higher)
    if led != at.trumps and at.could[who] & at.trumps:
        chance += lacks(at, who, led) * (1.0 - lacks(at, who, higher & at.trumps))
    return chance


@kernel
def safe_from_ruffs(at: Situation, suit: int) -> float:
    """Return the chance that no foe ruffs when a suit is led."""
    return _no_ruff(at, 0, suit) * _no_ruff(at, 1, suit) * _no_ruff(at, 2, suit)


@kernel(forceinline=True)
def _no_ruff(at: Situation, who: int, suit: int) -> float:
    """Return the chance that a player, if a foe, does not ruff a suit."""
    return 1.0 - ruffs(at, who, suit) if at.foes >> who & 1 else 1.0


@kernel
def takes_as_lead(at: Situation, place: int) -> float:
    """Return the chance that a lead brings the trick to this side: by itself, or by a friend's best card or ruff."""
    suit = suit_of(place)
    holds = _holds(at, 0, suit, place) * _holds(at, 1, suit, place) * _holds(at, 2, suit, place)
    higher = at.unseen & suit & above(at.trumps, place)
    if not higher or not at.friends:
        return holds
    top = 1 << highest(higher)
    safe = safe_from_ruffs(at, suit)
    lost = _in_spite_of(at, 0, suit, top, safe, 1.0 - holds)
    lost = _in_spite_of(at, 1, suit, top, safe, lost)
    return 1.0 - _in_spite_of(at, 2, suit, top, safe, lost)


@kernel(forceinline=True)
def _in_spite_of(at: Situation, who: int, suit: int, top: int, safe: float, lost: float) -> float:
    """Return the chance that a lead is lost in spite of a player, if a friend, from that without."""
    if not at.friends >> who & 1:
        return lost
    best = 1.0 - lacks(at, who, top)
    helped = HELPED * at.fellowship * best * safe
    ruffed = RUFFED * at.fellowship * ruffs(at, who, suit)
    return lost * (1.0 - helped) * (1.0 - ruffed)


@kernel(forceinline=True)
def _holds(at: Situation, who: int, led: int, place: int) -> float:
    """Return the chance that a player, if a foe, does not take the trick from a place that is led."""
    return 1.0 - beats(at, who, led, place) if at.foes >> who & 1 else 1.0


@kernel
def takes_as_follower(at: Situation, place: int) -> float:
    """Return the chance that this side takes the trick when `place` is played to it."""
    wins = above(at.trumps, at.winning) >> place & 1 != 0
    now = place if wins else at.winning
    lost, helped = 0.0, 0.0
    for who in range(at.to_follow):
        chance = beats(at, who, at.led, now)
        if at.foes >> who & 1:
            lost += chance - lost * chance
        else:
            helped += chance - helped * chance
    if wins:
        return 1.0 - lost * (1.0 - TOPS * helped * at.fellowship)
    if at.friend_holds:
        return (1.0 - lost * (1.0 - TOPS * helped)) * at.fellowship
    return helped * (1.0 - TOPS * lost) * at.fellowship
