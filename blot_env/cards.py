"""Cards, strains and what beats what (`card = 8 * suit + rank`, natural order of ranks).

Sets of cards are bit masks held in int64: bit `card` is set when the card is in the set.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

SUITS = "CDHS"
RANKS = "789TJQKA"
STRAINS = ("C", "D", "H", "S", "NT", "AT")
NT, AT = 4, 5

SUIT = 0xFF  # the clubs; `SUIT << 8 * suit` is a suit
PACK = 0xFFFFFFFF  # all 32 cards
QUEEN, KING = 5, 6

TRUMP_ORDER = "78QKTA9J"  # weakest first
PLAIN_ORDER = "789JQKTA"


def _strengths(order: str) -> list[int]:
    return [order.index(rank) for rank in RANKS]


def _tables() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    strength = np.zeros((6, 32), np.int64)
    above = np.zeros((6, 32), np.int64)
    for strain in range(6):
        for card in range(32):
            trump = strain in (AT, card // 8)
            strength[strain, card] = _strengths(TRUMP_ORDER if trump else PLAIN_ORDER)[card % 8]
        for card in range(32):
            for other in range(32):
                same_suit = other // 8 == card // 8 and strength[strain, other] > strength[strain, card]
                ruffs = other // 8 == strain and card // 8 != strain
                if same_suit or ruffs:
                    above[strain, card] |= 1 << other
    return strength, above


STRENGTH, ABOVE = _tables()
"""`STRENGTH[strain, card]`: 0 (weakest) to 7 within the suit. `ABOVE[strain, card]`: the set of cards that take the
trick from `card` while it is winning."""


def pack_of(ranks: str) -> int:
    """Return the set of all cards of some ranks."""
    return sum(1 << 8 * suit + RANKS.index(rank) for suit in range(4) for rank in ranks if rank in RANKS)


def card_name(card: int) -> str:
    """Return the notation of a card: `card_name(31) == "AS"`."""
    return RANKS[card % 8] + SUITS[card // 8]


def parse_card(text: str) -> int:
    """Return the card of a notation; `10D` is read as `TD`.

    Raises:
        ValueError: the text names no card.
    """
    name = "T" + text[2:] if text.startswith("10") else text
    if len(name) == 2 and name[0] in RANKS and name[1] in SUITS:
        return 8 * SUITS.index(name[1]) + RANKS.index(name[0])
    raise ValueError(f"{text!r:.60} is no card: write a rank of {RANKS} and a suit of {SUITS}, such as 9S or TD")


def cards_of(bits: int) -> list[int]:
    """Return the cards of a set, in ascending order."""
    return [card for card in range(32) if int(bits) >> card & 1]


def set_of(cards: Iterable[int]) -> int:
    """Return the set of some cards."""
    bits = 0
    for card in cards:
        bits |= 1 << int(card)
    return bits


def cards_text(cards: Iterable[int]) -> str:
    """Return cards in notation and in their order, such as `JC 8D`."""
    return " ".join(card_name(card) for card in cards)


def set_name(bits: int) -> str:
    """Return a set in notation, such as `7C JC AS`."""
    return cards_text(cards_of(bits))
