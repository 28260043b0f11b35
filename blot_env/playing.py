"""The play of the cards (rules, section 2): what must be played, who wins a trick, and what a card gives away."""

import numpy as np

from blot_env.cards import ABOVE, AT, KING, NT, QUEEN, SUIT
from blot_env.combinations import blot_suits
from blot_env.compile import kernel
from blot_env.seats import seat_after
from blot_env.state import OVER


@kernel(forceinline=True)
def obligation(rules: np.record, public: np.record) -> tuple[int, int, int, int]:
    """Return four sets in order of duty: the seat to act must play from the first that meets its hand.

    When none does, any card may be played. An empty set is no duty. Both the legal cards and what a card tells about
    the rest of a hand follow from these sets: a player who plays from the third holds nothing of the first two.
    """
    if public.trick_size == 0:
        return 0, 0, 0, 0
    strain = public.strain
    suit = SUIT << (public.trick[public.leader] & 24)
    trumps = 0 if strain >= NT else SUIT << 8 * strain
    partner_holds = public.winner != public.seat and rules.side[public.winner] == rules.side[public.seat]
    trumped = bool(trumps >> public.winning & 1)
    return duties(rules, strain, suit, trumps, ABOVE[strain, public.winning], trumped, partner_holds)


@kernel(forceinline=True)
def duties(
    rules: np.record, strain: int, suit: int, trumps: int, higher: int, trumped: bool, partner_holds: bool
) -> tuple[int, int, int, int]:
    """Return the four sets for a player who follows, in whatever order the cards of a suit are numbered.

    Args:
        rules: a record with the fields `beat_all`, `always_trump` and `undertrump`.
        suit: the suit led, as a set; `trumps` the trump suit, empty at NT and AT.
        higher: what takes the trick from the card that holds it.
        trumped: whether that card is a trump; `partner_holds`: whether the player's partner played it.
    """
    must_beat = suit == trumps or strain == AT or (rules.beat_all and strain != NT)
    beat = suit & higher if must_beat else 0
    may_discard = suit == trumps or (partner_holds and not rules.always_trump)
    ruff = 0 if may_discard else trumps
    over = ruff & higher if trumped else ruff
    under = ruff if trumped and rules.undertrump else 0
    return beat, suit, over, under


@kernel(forceinline=True)
def first_met(hand: int, first: int, second: int, third: int, fourth: int) -> int:
    """Return what may be played of a hand: its part of the first of four sets that it meets, or all of it."""
    legal = hand & fourth if hand & fourth else hand
    legal = hand & third if hand & third else legal
    legal = hand & second if hand & second else legal
    return hand & first if hand & first else legal


@kernel(forceinline=True)
def legal_cards(rules: np.record, public: np.record, hand: int) -> int:
    """Return the set of cards that the seat to act may play from `hand`."""
    first, second, third, fourth = obligation(rules, public)
    return first_met(hand, first, second, third, fourth)


@kernel(forceinline=True)
def missed_duties(rules: np.record, public: np.record, card: int) -> int:
    """Return the cards that the seat to act, playing `card`, shows not to hold: those of all duties before its own."""
    first, second, third, fourth = obligation(rules, public)
    missed = first | second | third | (0 if fourth >> card & 1 else fourth)
    missed = first | second if third >> card & 1 else missed
    missed = first if second >> card & 1 else missed
    return 0 if first >> card & 1 else missed


@kernel(forceinline=True)
def play_card(rules: np.record, public: np.record, card: int) -> None:
    """Apply a card by the seat whose turn it is, with all that the table learns from it."""
    seat = public.seat
    strain = public.strain
    if public.trick_size:
        public.excluded[seat] |= missed_duties(rules, public, card)
    public.played[seat] |= 1 << card
    public.trick[seat] = card
    if public.trick_size == 0:
        public.leader = seat
    takes = public.trick_size == 0 or ABOVE[strain, public.winning] >> card & 1
    public.winner = seat if takes else public.winner
    public.winning = card if takes else public.winning
    public.trick_size += 1
    _count_blot(rules, public, card)
    if public.trick_size == rules.players:
        _take_trick(rules, public)
    else:
        public.seat = seat_after(rules.players, seat)


@kernel(forceinline=True)
def _count_blot(rules: np.record, public: np.record, card: int) -> None:
    """Count the blot when its second card is played: every card of a hand is played in the end."""
    if card & 7 in (QUEEN, KING):
        pair = (1 << QUEEN | 1 << KING) << 8 * (card >> 3)
        if public.played[public.seat] & pair == pair and blot_suits(rules, public.strain, pair):
            public.blot[rules.side[public.seat]] += rules.blot


@kernel(forceinline=True)
def _take_trick(rules: np.record, public: np.record) -> None:
    side = rules.side[public.winner]
    points = 0
    for seat in range(rules.players):
        points += rules.points[public.strain, public.trick[seat]]
        public.trick[seat] = -1
    public.trick_number += 1
    if public.trick_number == rules.hand_size:
        points += rules.last_trick
        public.phase = OVER
    public.card_points[side] += points
    public.tricks[side] += 1
    public.seat = public.winner
    public.leader = public.winner
    public.trick_size = 0
    public.winner = -1
    public.winning = -1
