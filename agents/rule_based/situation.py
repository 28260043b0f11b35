"""The table as the player to act sees it during play, with all sets by strength (see `cards`)."""

from typing import NamedTuple

import numpy as np

from agents.compile import kernel
from agents.rule_based.cards import by_strength
from blot_env.bits import lowest, popcount
from blot_env.cards import NT, PACK, SUIT
from blot_env.observing import could_hold
from blot_env.playing import legal_cards

LEFT, PARTNER, RIGHT = 0, 1, 2
"""The other players, in the order in which they play after this one."""


class Situation(NamedTuple):
    """What a player knows when it must play a card."""

    strain: int
    trumps: int  # all places of the trump suit; 0 at NT and AT
    hand: int
    legal: int
    unseen: int  # what the other three hold
    could: tuple[int, int, int]  # what LEFT, PARTNER and RIGHT may hold
    turn: int  # cards on the table, 0 to 3: all of LEFT, PARTNER, RIGHT from number 0 to 2 - turn still play
    led: int  # the suit led, as a set; 0 when leading
    winning: int  # the place that holds the trick
    partner_holds: bool
    pot: int  # points on the table
    attacking: bool  # whether this side named the contract
    partner_bid: bool
    partners_suits: int  # the suits that the partner called, as a set
    opponents_suits: int


@kernel
def look(rules: np.record, view: np.record) -> Situation:
    """Return the situation of the seat to act; four players, partners opposite."""
    public = view.public
    me = view.seat
    strain = public.strain
    trumps = SUIT << 8 * strain if strain < NT else 0
    gone, pot = 0, 0
    for seat in range(4):
        gone |= public.played[seat]
        if public.trick[seat] >= 0:
            pot += rules.points[strain, public.trick[seat]]
    unseen = PACK & ~(gone | view.hand)
    turn = public.trick_size
    led, winning = 0, -1
    if turn > 0:
        led = SUIT << (public.trick[public.leader] & 24)
        winning = lowest(by_strength(strain, 1 << public.winning))
    left, partner, right = _could_hold(rules, public, me, unseen)
    bidder = public.bidder
    return Situation(
        strain,
        trumps,
        by_strength(strain, view.hand),
        by_strength(strain, legal_cards(rules, public, view.hand)),
        by_strength(strain, unseen),
        (by_strength(strain, left), by_strength(strain, partner), by_strength(strain, right)),
        turn,
        led,
        winning,
        turn > 0 and public.winner == (me + 2) % 4,
        pot,
        bidder % 2 == me % 2,
        bidder == (me + 2) % 4,
        _called(public, (me + 2) % 4),
        _called(public, (me + 1) % 4) | _called(public, (me + 3) % 4),
    )


@kernel
def _could_hold(rules: np.record, public: np.record, me: int, unseen: int) -> tuple[int, int, int]:
    """Return the sets that the next seat, the partner and the last seat may hold, as natural cards.

    The cards of a seat that may hold just as many as it has are in no other hand.
    """
    left, partner, right = (me + 1) % 4, (me + 2) % 4, (me + 3) % 4
    a = could_hold(public, unseen, left)
    b = could_hold(public, unseen, partner)
    c = could_hold(public, unseen, right)
    if popcount(a) == rules.hand_size - popcount(public.played[left]):
        b &= ~a
        c &= ~a
    if popcount(b) == rules.hand_size - popcount(public.played[partner]):
        a &= ~b
        c &= ~b
    if popcount(c) == rules.hand_size - popcount(public.played[right]):
        a &= ~c
        b &= ~c
    return a, b, c


@kernel
def _called(public: np.record, seat: int) -> int:
    """Return the suits in which a seat has bid, as a set."""
    suits = 0
    for suit in range(4):
        if public.highest[seat, suit]:
            suits |= SUIT << 8 * suit
    return suits
