"""Who holds what, counted: an unseen card is as likely with each player who may still hold it."""

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel
from agents.rule_based.cards import above, suit_of
from agents.rule_based.situation import LEFT, PARTNER, RIGHT, Situation
from blot_env.bits import highest, popcount

HELPED = 0.6  # how often a partner who holds the best card of the suit led takes the trick with it
RUFFED = 0.5  # and one who can ruff, with a ruff
TOPS = 0.5  # how often of two players who can both beat a card a given one has the better card


def _misses() -> NDArray[np.float64]:
    """Return `_MISSES[n, m]`: how likely a player lacks n cards that three may hold and m that two may hold."""
    return np.array([[(2 / 3) ** n * 0.5**m for m in range(33)] for n in range(33)])


_MISSES = _misses()


@kernel
def lacks(at: Situation, who: int, places: int) -> float:
    """Return the chance that a player holds none of some places."""
    possible = at.could[who] & places
    other, third = at.could[(who + 1) % 3], at.could[(who + 2) % 3]
    if possible & ~other & ~third:
        return 0.0
    shared = popcount(possible & other & third)
    return _MISSES[shared, popcount(possible) - shared]


@kernel
def ruffs(at: Situation, who: int, suit: int) -> float:
    """Return the chance that a player is void in a plain suit and holds a trump."""
    if suit == at.trumps or at.could[who] & at.trumps == 0:
        return 0.0
    return lacks(at, who, suit) * (1.0 - lacks(at, who, at.trumps))


@kernel
def beats(at: Situation, who: int, led: int, place: int) -> float:
    """Return the chance that a player who has yet to play can take the trick from `place`."""
    higher = above(at.trumps, place)
    chance = 1.0 - lacks(at, who, led & higher)
    if led != at.trumps and at.could[who] & at.trumps:
        chance += lacks(at, who, led) * (1.0 - lacks(at, who, higher & at.trumps))
    return chance


@kernel
def safe_from_ruffs(at: Situation, suit: int) -> float:
    """Return the chance that neither opponent ruffs when a suit is led."""
    return (1.0 - ruffs(at, LEFT, suit)) * (1.0 - ruffs(at, RIGHT, suit))


@kernel
def takes_as_lead(at: Situation, place: int) -> float:
    """Return the chance that a lead brings the trick to this side: by itself, or by the partner's best card or ruff."""
    suit = suit_of(place)
    holds = (1.0 - beats(at, LEFT, suit, place)) * (1.0 - beats(at, RIGHT, suit, place))
    higher = at.unseen & suit & above(at.trumps, place)
    if not higher:
        return holds
    top = 1 << highest(higher)
    best = 1.0 - lacks(at, PARTNER, top)
    helped = HELPED * best * safe_from_ruffs(at, suit)
    ruffed = RUFFED * ruffs(at, PARTNER, suit)
    return 1.0 - (1.0 - holds) * (1.0 - helped) * (1.0 - ruffed)


@kernel
def takes_as_follower(at: Situation, place: int) -> float:
    """Return the chance that this side takes the trick when `place` is played to it."""
    wins = above(at.trumps, at.winning) >> place & 1 != 0
    ours = wins or at.partner_holds
    now = place if wins else at.winning
    if at.turn == 3:
        return 1.0 if ours else 0.0
    if at.turn == 2:
        return 1.0 - beats(at, LEFT, at.led, now) if ours else 0.0
    lost = beats(at, LEFT, at.led, now)
    helped = beats(at, PARTNER, at.led, now)
    if wins:
        return 1.0 - lost * (1.0 - TOPS * helped)
    return helped * (1.0 - TOPS * lost)
