"""The table as the player to act sees it during play, with all sets by strength (see `cards`)."""

from typing import NamedTuple

import numpy as np

from agents.compile import kernel
from blot_env.bits import lowest, popcount
from blot_env.cards import NT, SUIT
from blot_env.observing import could_hold
from blot_env.places import by_strength
from blot_env.seats import allied, seat_after

OTHERS = 3
"""The other players, 0 to 2, in the order in which they play after this one; who is not there holds nothing."""

SPARE_STEPS = 4  # of `Situation.spare`, a hand
MOST_SPARE = 40

FELLOW = 0.25  # what a trick of another defender counts where each plays alone, against one's own


class Situation(NamedTuple):
    """What a player knows when it must play a card."""

    strain: int
    trumps: int  # all places of the trump suit; 0 at NT and AT
    hand: int
    legal: int
    unseen: int  # what the others hold, or nobody
    held: int  # those of them that are in a hand for sure
    spare: int  # how many unseen cards are in no hand: quarters of a hand
    could: tuple[int, int, int]  # what each other player may hold
    others: int  # how many they are
    friends: int  # who of the others play with this one, as bits
    foes: int
    foes_could: int  # what they may hold
    behind: int  # who of them play to this trick after it
    fellowship: float  # what a friend's trick counts against one's own
    turn: int  # cards on the table
    to_follow: int  # cards that the others play to this trick after this one
    led: int  # the suit led, as a set; 0 when leading
    winning: int  # the place that holds the trick
    friend_holds: bool
    pot: float  # points on the table, and what else depends on the trick
    attacking: bool  # whether this side named the contract
    partner_bid: bool
    friends_suits: int  # the suits that friends called, as a set
    foes_suits: int


@kernel(forceinline=True)
def look(rules: np.record, view: np.record, legal: int) -> Situation:
    """Return the situation of the seat to act, which may play some cards."""
    public = view.public
    me, players = view.seat, rules.players
    strain = public.strain
    trumps = SUIT << 8 * strain if strain < NT else 0
    gone, pot = public.out | view.aside, 0
    friends, foes, friends_suits, foes_suits = 0, 0, 0, 0
    cards = 0  # in the others' hands
    for turn in range(players):
        seat = seat_after(players, me, turn)
        gone |= public.played[seat]
        if public.trick[seat] >= 0:
            pot += rules.points[strain, public.trick[seat]]
        if turn:
            cards += rules.hand_size - popcount(public.played[seat])
            if allied(rules, public, me, seat):
                friends |= 1 << turn - 1
                friends_suits |= _called(public, seat)
            else:
                foes |= 1 << turn - 1
                foes_suits |= _called(public, seat)
    unseen = rules.pack & ~(gone | view.hand)
    turn = public.trick_size
    led, winning = 0, -1
    friend_holds = False
    if turn > 0:
        led = SUIT << (public.trick[public.leader] & 24)
        winning = lowest(by_strength(strain, 1 << public.winning))
        friend_holds = allied(rules, public, me, public.winner)
    a, b, c, held = _could_hold(rules, public, me, unseen)
    buried = popcount(unseen) - cards
    in_hand = popcount(view.hand)
    bidder = public.bidder
    return Situation(
        strain,
        trumps,
        by_strength(strain, view.hand),
        by_strength(strain, legal),
        by_strength(strain, unseen),
        by_strength(strain, held if buried else unseen),
        min((SPARE_STEPS * buried + in_hand // 2) // in_hand, MOST_SPARE),
        (by_strength(strain, a), by_strength(strain, b), by_strength(strain, c)),
        players - 1,
        friends,
        foes,
        by_strength(strain, (a if foes & 1 else 0) | (b if foes & 2 else 0) | (c if foes & 4 else 0)),
        (1 << players - 1 - turn) - 1,
        1.0 if rules.sides == 2 else FELLOW,
        turn,
        players - 1 - turn,
        led,
        winning,
        friend_holds,
        pot + _unsecured(rules, public, me),
        rules.side[bidder] == rules.side[me],
        bidder != me and rules.side[bidder] == rules.side[me],
        friends_suits,
        foes_suits,
    )


@kernel(forceinline=True)
def _could_hold(rules: np.record, public: np.record, me: int, unseen: int) -> tuple[int, int, int, int]:
    """Return the sets that each other player may hold, and what they hold for sure, as natural cards.

    The cards of a seat that may hold just as many as it has are in no other hand.
    """
    players = rules.players
    a, b, c, held = 0, 0, 0, 0
    x, y, z = seat_after(players, me), 0, 0
    a = could_hold(public, unseen, x)
    if players > 2:
        y = seat_after(players, me, 2)
        b = could_hold(public, unseen, y)
    if players > 3:
        z = seat_after(players, me, 3)
        c = could_hold(public, unseen, z)
    if popcount(a) == rules.hand_size - popcount(public.played[x]):
        b &= ~a
        c &= ~a
        held |= a
    if popcount(b) == rules.hand_size - popcount(public.played[y]):
        a &= ~b
        c &= ~b
        held |= b
    if popcount(c) == rules.hand_size - popcount(public.played[z]):
        a &= ~c
        b &= ~c
        held |= c
    for seat in range(players):
        held |= (public.known[seat] | public.shown[seat]) & unseen
    return a, b, c, held


@kernel(forceinline=True)
def _unsecured(rules: np.record, public: np.record, me: int) -> float:
    """Return what a side that needs a trick for its combinations and blot stakes on each trick until it has one."""
    side = rules.side[me]
    if not rules.trick_needed or public.tricks[side]:
        return 0.0
    return (public.combinations[side] + public.blot[side]) / (rules.hand_size - public.trick_number)


@kernel(forceinline=True)
def _called(public: np.record, seat: int) -> int:
    """Return the suits in which a seat has bid, as a set."""
    suits = 0
    for suit in range(4):
        if public.highest[seat, suit]:
            suits |= SUIT << 8 * suit
    return suits
