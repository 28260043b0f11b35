"""Cards by strength: within a suit, bit 0 is the weakest card and bit 7 the strongest, as the contract ranks them.

So "the master of a suit" is its highest bit and "what beats this card" is a mask. A `place` is `8 * suit + strength`.
"""

import numpy as np
from numpy.typing import NDArray

from blot_env.cards import AT, PLAIN_ORDER, RANKS, SUIT, TRUMP_ORDER
from blot_env.compile import kernel

_ORDERS = (PLAIN_ORDER, TRUMP_ORDER)


def _tables() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    by_strength = np.zeros((2, 256), np.int64)
    for order, ranks in enumerate(_ORDERS):
        for byte in range(256):
            for rank in range(8):
                if byte >> rank & 1:
                    by_strength[order, byte] |= 1 << ranks.index(RANKS[rank])
    rank_of = np.array([[RANKS.index(rank) for rank in ranks] for ranks in _ORDERS], np.int64)
    return by_strength, rank_of


_BY_STRENGTH, _RANK_OF = _tables()


@kernel
def by_strength(strain: int, cards: int) -> int:
    """Return the places of a set of cards."""
    places = 0
    for suit in range(4):
        order = 1 if suit == strain or strain == AT else 0
        places |= _BY_STRENGTH[order, cards >> 8 * suit & SUIT] << 8 * suit
    return places


@kernel
def card_of(strain: int, place: int) -> int:
    """Return the card of a place."""
    suit = place >> 3
    order = 1 if suit == strain or strain == AT else 0
    return suit << 3 | _RANK_OF[order, place & 7]


@kernel
def suit_of(place: int) -> int:
    """Return the set of all places of a place's suit."""
    return SUIT << (place & 24)


@kernel
def above(trumps: int, place: int) -> int:
    """Return the places that take the trick from `place` while it is winning."""
    higher = suit_of(place) & ~((2 << place) - 1)
    return higher if trumps >> place & 1 else higher | trumps
