"""Cards as strings such as `TD`: their order, strongest last, and their points (rules, section 1)."""

SUITS = "CDHS"
RANKS = "789TJQKA"  # the natural order
STRAINS = [*SUITS, "NT", "AT"]
DECK = [rank + suit for suit in SUITS for rank in RANKS]

TRUMP_ORDER = "78QKTA9J"  # weakest first
PLAIN_ORDER = "789JQKTA"


def rank_of(card: str) -> str:
    return card[0]


def suit_of(card: str) -> str:
    return card[1]


def is_trump(card: str, strain: str) -> bool:
    """Whether a card ranks and counts as trump when `strain` (a suit, `NT` or `AT`) is played."""
    return strain in ("AT", suit_of(card))


def strength(card: str, strain: str) -> int:
    """Place of a card among those of its suit, 0 the weakest."""
    return (TRUMP_ORDER if is_trump(card, strain) else PLAIN_ORDER).index(rank_of(card))
