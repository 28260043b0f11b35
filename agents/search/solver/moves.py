"""In which order cards are tried: up to two groups that look best, then the rest, each from its low or its high end."""

import numpy as np

from agents.search.solver.compile import kernel
from blot_env.bits import highest, lowest
from blot_env.cards import SUIT

_RANK = 0x01010101  # the weakest place of each suit


@kernel(forceinline=True)
def pick(cards: int, high: bool) -> int:
    """Return the strongest (or weakest) card of a set, whatever its suit."""
    ranks = (cards | cards >> 8 | cards >> 16 | cards >> 24) & SUIT
    rank = highest(ranks) if high else lowest(ranks)
    return lowest(cards & _RANK << rank)


@kernel(forceinline=True)
def lead_order(search: np.record, leader: int, hand: int) -> tuple[int, int]:
    """Return what to lead first and second, both from the high end; the rest follows from the low end.

    First the cards of side suits that no foe can take, then such trumps; next the suits whose best card the partner has.
    """
    foes, mates, ruffers = 0, 0, 0
    for seat in range(search.players):
        if search.bidders[seat] != search.bidders[leader]:
            foes |= search.hands[seat]
        elif seat != leader:
            mates |= search.hands[seat]
    sure, helped = 0, 0
    for suit in range(4):
        places = SUIT << 8 * suit
        own = hand & places
        if own == 0:
            continue
        against = foes & places
        if search.trumps and places != search.trumps:
            ruffers = 0
            for seat in range(search.players):
                other = search.hands[seat]
                if search.bidders[seat] != search.bidders[leader] and not other & places and other & search.trumps:
                    ruffers = 1
            if ruffers:
                continue
        above = places & ~((2 << highest(against)) - 1) if against else places
        sure |= own & above
        if mates & above:
            helped |= own
    return sure, helped


@kernel(forceinline=True)
def follow_order(
    search: np.record, seat: int, size: int, winner: int, legal: int, higher: int, led: int
) -> tuple[int, bool, int]:
    """Return what to play first, whether from the high end, and what second; the rest follows from the low end."""
    trumps = search.trumps
    threat = 0
    after = search.next[seat]
    for _ in range(search.players - size - 1):
        if search.bidders[after] != search.bidders[seat]:
            hand = search.hands[after]
            threat |= hand & led if hand & led else hand & trumps
        after = search.next[after]
    win = legal & higher
    lose = legal & ~higher
    if search.bidders[winner] == search.bidders[seat] and threat & higher == 0:
        plain = lose & ~trumps
        return plain, True, lose
    safe = win
    if threat & higher:
        if win & trumps and led != trumps:
            above = threat & trumps
        else:
            above = threat & led
            if threat & trumps and led != trumps:
                safe = 0
        if above:
            safe &= ~((2 << highest(above)) - 1)
    return safe, False, lose
