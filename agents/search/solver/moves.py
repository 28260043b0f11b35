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
    """Return what to lead first, from the high end, and second; the rest follows from the low end.

    First the cards that no foe can take, by the defenders no trumps among them while there are others; next the suits
    whose best card the partner has.
    """
    foes, mates = 0, 0
    for seat in range(search.players):
        if search.bidders[seat] != search.bidders[leader]:
            foes |= search.hands[seat]
        elif seat != leader:
            mates |= search.hands[seat]
    sure, helped = 0, 0
    for suit in range(4):
        places = SUIT << 8 * suit
        own, against = hand & places, foes & places
        drawn = places == search.trumps and not against
        if own and not drawn and (places == search.trumps or not _may_ruff(search, leader, places)):
            unbeatable = _over(places, against)
            sure |= own & unbeatable
            if mates & unbeatable:
                helped |= own
    plain = sure & ~search.trumps
    return (plain if plain and not search.bidders[leader] else sure), helped


@kernel(forceinline=True)
def _may_ruff(search: np.record, leader: int, places: int) -> bool:
    """Return whether a foe of the leader is void in a suit and holds a trump."""
    for seat in range(search.players):
        hand = search.hands[seat]
        if search.bidders[seat] != search.bidders[leader] and not hand & places and hand & search.trumps:
            return True
    return False


@kernel(forceinline=True)
def _over(places: int, cards: int) -> int:
    """Return the places of a set that are stronger than all of some cards of its suit."""
    return places & ~((2 << highest(cards)) - 1) if cards else places


@kernel(forceinline=True)
def follow_order(
    search: np.record, seat: int, size: int, winner: int, legal: int, higher: int, led: int
) -> tuple[int, bool, int]:
    """Return what to play first, whether from the high end, and what second; the rest follows from the low end.

    To a trick that the partner is sure to take goes the most; otherwise it is taken if that is sure (with as much
    as possible, but the lowest trump), or else gets the least.
    """
    trumps = search.trumps
    threat = 0  # what the foes behind may play
    after = search.next[seat]
    for _ in range(search.players - size - 1):
        if search.bidders[after] != search.bidders[seat]:
            hand = search.hands[after]
            threat |= hand & led if hand & led else hand & trumps
        after = search.next[after]
    lose = legal & ~higher
    if search.bidders[winner] == search.bidders[seat] and not threat & higher:
        return lose & ~trumps, True, lose
    win = legal & higher
    if win & trumps or led == trumps:
        safe = _over(win, threat & trumps)
    else:
        safe = 0 if threat & trumps else _over(win, threat & led)
    return safe, trumps != 0 and not safe & trumps, lose
