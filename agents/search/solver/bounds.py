"""What a side is sure to take from the start of a trick on, without searching."""

import numpy as np

from agents.search.solver.compile import kernel
from agents.search.solver.position import NO_TRICK
from blot_env.bits import highest, popcount
from blot_env.cards import SUIT


@kernel(forceinline=True)
def bounds(search: np.record, leader: int, left: int, took: int) -> tuple[int, int]:
    """Return a lower and an upper bound of the bidders' points to come.

    The top trumps of a side, in one hand or two, win the tricks that they are played to. The leader's own top trumps
    can be cashed at once, and then, if nobody else can ruff, the masters of its other suits.

    Args:
        left: points in the hands.
        took: who has taken a trick, as in `SEARCH`.
    """
    bidders, others = 0, 0
    for seat in range(search.players):
        if search.bidders[seat]:
            bidders |= search.hands[seat]
        else:
            others |= search.hands[seat]
    remaining = left + search.last_trick
    lower = 0 if took & 1 else NO_TRICK
    upper = remaining if took & 2 else remaining + search.all_tricks
    live = bidders | others
    top = live & search.trumps
    if top:
        side = bidders if bidders >> highest(top) & 1 else others
        _, sure = _masters(search, top, side)
        if side == bidders:
            lower = max(lower, sure)
        else:
            upper = min(upper, remaining - sure)
    hand = search.hands[leader]
    count, cashed = _masters(search, live & search.trumps, hand)
    if _drawn(search, leader, count):
        for suit in range(4):
            more, points = _masters(search, live & SUIT << 8 * suit & ~search.trumps, hand)
            count += more
            cashed += points
    if count == 0:
        return lower, upper
    every = count == popcount(hand)
    if search.bidders[leader]:
        lower = max(lower, upper if every else cashed)
    else:
        upper = min(upper, (0 if took & 1 else NO_TRICK) if every else remaining - cashed)
    return lower, upper


@kernel(forceinline=True)
def _masters(search: np.record, suit: int, holding: int) -> tuple[int, int]:
    """Return how many of the strongest live cards of a suit a holding has without a gap, and their points."""
    count, points = 0, 0
    while suit and holding >> highest(suit) & 1:
        points += search.points[highest(suit)]
        count += 1
        suit ^= 1 << highest(suit)
    return count, points


@kernel(forceinline=True)
def _drawn(search: np.record, leader: int, rounds: int) -> bool:
    """Return whether nobody can take the leader's masters with a trump after some rounds of trumps."""
    for seat in range(search.players):
        ruffs = search.always_trump or search.side[seat] != search.side[leader]  # only a partner may let it pass
        if seat != leader and ruffs and popcount(search.hands[seat] & search.trumps) > rounds:
            return False
    return True
