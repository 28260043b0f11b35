"""Who wins a trick, and what may be played to it (rules, sections 1 and 2)."""

from tests.reference.cards import strength, suit_of
from tests.reference.presets import BAZAR, Rules

Trick = list[tuple[int, str]]  # seat and card, in the order played


def best_of(cards: list[str], strain: str) -> str:
    """The strongest of some cards of one suit."""
    return max(cards, key=lambda card: strength(card, strain))


def winning_card(trick: Trick, strain: str) -> str:
    """The highest trump in the trick, otherwise (and at AT and NT always) the highest card of the suit led."""
    cards = [card for _, card in trick]
    trumps = [card for card in cards if suit_of(card) == strain]
    led = [card for card in cards if suit_of(card) == suit_of(cards[0])]
    return best_of(trumps or led, strain)


def winner_of(trick: Trick, strain: str) -> int:
    best = winning_card(trick, strain)
    return next(seat for seat, card in trick if card == best)


def legal_cards(hand: list[str], trick: Trick, strain: str, partner: int | None, rules: Rules = BAZAR) -> list[str]:
    """Cards of `hand` that may be played to `trick`; `partner` is the seat of the player's partner, if any."""
    if not trick:
        return hand
    led = suit_of(trick[0][1])
    follow = [card for card in hand if suit_of(card) == led]
    if follow:
        return _following(follow, trick, strain, rules)
    trumps = [card for card in hand if suit_of(card) == strain]
    if led == strain or not trumps:  # at NT and AT nobody holds trumps
        return hand
    if rules.must_trump == "unless_partner_wins" and winner_of(trick, strain) == partner:
        return hand
    in_trick = [card for _, card in trick if suit_of(card) == strain]
    if not in_trick:
        return trumps
    otherwise = trumps if rules.cannot_overtrump == "undertrump" else hand
    return _beating(trumps, best_of(in_trick, strain), strain) or otherwise


def _following(follow: list[str], trick: Trick, strain: str, rules: Rules) -> list[str]:
    """What may be played by a player who holds these cards of the suit led."""
    led = suit_of(trick[0][1])
    if not (strain in (led, "AT") or (rules.must_beat == "all" and strain != "NT")):
        return follow
    best = winning_card(trick, strain)
    if suit_of(best) != led:  # a plain suit that has been trumped need not be beaten
        return follow
    return _beating(follow, best, strain) or follow


def _beating(cards: list[str], best: str, strain: str) -> list[str]:
    return [card for card in cards if strength(card, strain) > strength(best, strain)]
