"""Who wins a trick, and what may be played to it (rules, sections 1 and 2), for the Armenian presets."""

from tests.reference.cards import strength, suit_of

Trick = list[tuple[int, str]]  # seat and card, in the order played


def best_of(cards: list[str], strain: str) -> str:
    """The strongest of some cards of one suit."""
    return max(cards, key=lambda card: strength(card, strain))


def winning_card(trick: Trick, strain: str) -> str:
    """The highest trump in the trick, otherwise the highest card of the suit led."""
    cards = [card for _, card in trick]
    trumps = [card for card in cards if suit_of(card) == strain]
    led = [card for card in cards if suit_of(card) == suit_of(cards[0])]
    return best_of(trumps or led, strain)


def winner_of(trick: Trick, strain: str) -> int:
    best = winning_card(trick, strain)
    return next(seat for seat, card in trick if card == best)


def legal_cards(hand: list[str], trick: Trick, strain: str, partner: int | None) -> list[str]:
    """Cards of `hand` that may be played to `trick`; `partner` is the seat of the player's partner."""
    if not trick:
        return hand
    led = suit_of(trick[0][1])
    trumped = [card for _, card in trick if suit_of(card) == strain]
    follow = [card for card in hand if suit_of(card) == led]
    trumps = [card for card in hand if suit_of(card) == strain]

    if follow and led == strain:
        return _beating(follow, best_of(trumped, strain), strain) or follow
    if follow:
        return follow
    if led == strain or not trumps:  # at NT nobody holds trumps
        return hand
    if winner_of(trick, strain) == partner:
        return hand
    if not trumped:
        return trumps
    return _beating(trumps, best_of(trumped, strain), strain) or hand


def _beating(cards: list[str], best: str, strain: str) -> list[str]:
    return [card for card in cards if strength(card, strain) > strength(best, strain)]
