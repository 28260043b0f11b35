"""A position of the play as the solver takes it: all cards by strength, two sides, and a table of what was searched."""

import numpy as np
from numpy.typing import NDArray

from agents.search.solver.compile import kernel
from blot_env.bits import lowest, popcount
from blot_env.cards import NT, SUIT
from blot_env.places import by_strength, card_of
from blot_env.scoring import points_of
from blot_env.seats import seat_after

NO_TRICK = -1
"""The value of a deal in which the bidders take no trick: below that of one in which their tricks hold no points."""

TABLE_BITS = 18

SEARCH = np.dtype(
    (
        np.record,
        [
            ("strain", "i8"),
            ("trumps", "i8"),  # the places of the trump suit; 0 at NT and AT
            ("players", "i8"),
            ("side", "i8", (4,)),  # as the obligations know partners
            ("bidders", "i8", (4,)),  # 1 for the seats that play with the bidder
            ("next", "i8", (4,)),  # the seat after each
            ("beat_all", "i8"),
            ("always_trump", "i8"),
            ("undertrump", "i8"),
            ("last_trick", "i8"),
            ("all_tricks", "i8"),  # points more for the bidders when they take all tricks
            ("points", "i8", (32,)),  # by place
            ("hands", "i8", (4,)),  # places
            ("seat", "i8"),  # to act
            ("trick_size", "i8"),  # cards on the table
            ("winner", "i8"),
            ("winning", "i8"),  # its place
            ("led", "i8"),  # the suit led, as a set of places
            ("pot", "i8"),  # points on the table
            ("taken", "i8"),  # points that the bidders have taken
            ("left", "i8"),  # points on the table and in the hands
            ("took", "i8"),  # who has taken a trick: bit 0 the bidders, bit 1 the others
            ("found", "i8", (33, 32)),  # values of the cards searched, by cards left and place
            ("none", "i8"),  # always -1: recursive kernels must not be called with literals
            ("mask", "i8"),  # of the table's index
            ("table", "i8", (1 << TABLE_BITS,)),
        ],
    )
)
"""One solver at work: a thread needs its own."""


def new_search() -> NDArray[np.void]:
    """Return room for one solver, shape (1,), dtype `SEARCH`; two megabytes."""
    return np.zeros(1, SEARCH)


@kernel
def set_up(rules: np.record, state: np.record, search: np.record) -> None:
    """Write the position of a row of `STATE` whose contract stands, at any point of the play."""
    public = state.public
    strain, players = public.strain, rules.players
    namers = rules.side[public.bidder]
    search.strain, search.trumps = strain, SUIT << 8 * strain if strain < NT else 0
    search.beat_all, search.always_trump, search.undertrump = rules.beat_all, rules.always_trump, rules.undertrump
    search.last_trick = rules.last_trick
    for place in range(32):
        search.points[place] = rules.points[strain, card_of(strain, place)]
    search.players = players
    for seat in range(4):
        search.side[seat] = rules.side[seat]
        search.bidders[seat] = 1 if rules.side[seat] == namers else 0
        search.next[seat] = seat_after(players, seat)
        search.hands[seat] = by_strength(strain, state.hands[seat])
    search.took = 0
    for side in range(rules.sides):
        if public.tricks[side]:
            search.took |= 1 if side == namers else 2
    search.seat, search.trick_size = public.seat, public.trick_size
    search.winner, search.winning, search.led = 0, 0, 0
    if public.trick_size:
        search.winner = public.winner
        search.winning = lowest(by_strength(strain, 1 << public.winning))
        search.led = SUIT << (public.trick[public.leader] & 24)
    held, dealt, pot = 0, 0, 0
    for seat in range(players):
        held |= state.hands[seat]
        dealt |= state.hands[seat] | public.played[seat]
        if public.trick[seat] >= 0:
            pot += rules.points[strain, public.trick[seat]]
    search.pot = pot
    search.left = pot + points_of(rules, strain, held)
    search.taken = public.card_points[namers]
    whole = rules.last_trick + points_of(rules, strain, dealt)
    search.all_tricks = max(rules.all_tricks + (rules.all_tricks_set - whole if rules.all_tricks_set else 0), 1)
    search.none = -1
    clear_table(search, popcount(held))


@kernel
def clear_table(search: np.record, cards: int) -> None:
    """Forget what was searched; a small ending gets a small part of the table, which is sooner empty."""
    size = 1 << min(TABLE_BITS, cards * 5 // 8)
    search.mask = size - 1
    search.table[:size] = 0
