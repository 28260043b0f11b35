"""Cards as strings such as `TD`: their order and their points (rules, section 1)."""

SUITS = "CDHS"
RANKS = "789TJQKA"  # the natural order
DECK = [rank + suit for suit in SUITS for rank in RANKS]

TRUMP_ORDER = "78QKTA9J"  # weakest first
PLAIN_ORDER = "789JQKTA"

TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3, "8": 0, "7": 0}
PLAIN_POINTS = {"J": 2, "9": 0, "A": 11, "T": 10, "K": 4, "Q": 3, "8": 0, "7": 0}
NT_POINTS = {"J": 2, "9": 0, "A": 19, "T": 10, "K": 4, "Q": 3, "8": 0, "7": 0}


def rank_of(card: str) -> str:
    return card[0]


def suit_of(card: str) -> str:
    return card[1]


def card_points(card: str, strain: str) -> int:
    """Points of a card in tricks when `strain` (a suit or `NT`) is played."""
    if strain == "NT":
        return NT_POINTS[rank_of(card)]
    return (TRUMP_POINTS if suit_of(card) == strain else PLAIN_POINTS)[rank_of(card)]


def strength(card: str, strain: str) -> int:
    """Place of a card among those of its suit, 0 the weakest."""
    return (TRUMP_ORDER if suit_of(card) == strain else PLAIN_ORDER).index(rank_of(card))
