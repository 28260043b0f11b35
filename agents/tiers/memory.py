"""What a forgetful seat remembers: its own cards, what lies open, and the latest tricks card by card.

What it has forgotten is as if it had not happened: the cards are unseen again, and whoever played them might hold them.
Everything else that a table shows stays known to it, such as who has taken how many points and who announced what.
"""

import numpy as np

from agents.tiers.compile import kernel
from blot_env.cards import SUIT
from blot_env.playing import missed_duties, play_card
from blot_env.seats import union
from blot_env.state import PLAY, PUBLIC, VIEW

RECALLED = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("seen", VIEW),  # the others' cards of forgotten tricks, and what was not inferred, are left out
                ("tricks", "i8", (4,)),  # forgotten, by side
                ("points", "i8", (4,)),  # card points in them
                ("table", PUBLIC),  # the play followed
            ],
            align=True,
        ),
    )
)
"""What a seat remembers."""


@kernel
def recall(rules: np.record, view: np.record, tricks: int, voids: bool, trumps: bool, recalled: np.record) -> bool:
    """Write what a seat in the play remembers; return whether that is all there was to know.

    Args:
        view: dtype `VIEW`.
        tricks: how many of the latest complete ones it remembers card by card, besides the one on the table.
        voids: whether it infers from those who is out of a suit.
        trumps: whether it infers from those who lacks the higher cards.
        recalled: dtype `RECALLED`, written.
    """
    recalled.seen = view
    public, table = recalled.seen.public, recalled.table
    _take_back(rules, view, public, table)
    recalled.tricks[:] = 0
    recalled.points[:] = 0
    first = max(view.public.trick_number - tricks, 0)
    for place in range(view.public.length):
        card, actor = int(view.public.history[place]), int(view.public.actors[place])
        if not 0 <= card < 32:  # no card played
            continue
        table.seat = actor
        if table.trick_number >= first:
            public.played[actor] |= 1 << card
            if table.trick_size:
                public.excluded[actor] |= _inferred(rules, missed_duties(rules, table, card), voids, trumps)
        play_card(rules, table, card)
        if table.trick_number == first and table.trick_size == 0:
            recalled.tricks[:] = table.tricks
            recalled.points[:] = table.card_points
    public.played[view.seat] = view.public.played[view.seat]
    unseen = rules.pack & ~(view.dealt | view.aside | view.public.out | union(view.public.played))
    forgotten = 0
    for seat in range(rules.players):
        forgotten |= view.public.played[seat] & ~public.played[seat]
        if seat != view.seat:
            forgotten |= view.public.excluded[seat] & ~public.excluded[seat] & unseen
    return forgotten == 0


@kernel
def _take_back(rules: np.record, view: np.record, public: np.record, table: np.record) -> None:
    """Take back the play: what a seat remembers of it, and the table that it is followed at."""
    table.strain, table.bidder, table.phase = view.public.strain, view.public.bidder, PLAY
    table.trick_number, table.trick_size, table.winner, table.winning = 0, 0, -1, -1
    for seat in range(4):
        table.trick[seat] = -1
        table.tricks[seat], table.card_points[seat], table.blot[seat] = 0, 0, 0
        table.played[seat], table.excluded[seat] = 0, 0
        public.played[seat], public.excluded[seat] = 0, 0
    for seat in range(rules.players):
        for other in range(rules.players):
            if other != seat:
                public.excluded[other] |= view.public.known[seat]


@kernel
def _inferred(rules: np.record, missed: int, voids: bool, trumps: bool) -> int:
    """Return what of the cards that a seat has shown not to hold is inferred: whole suits, and parts of suits."""
    inferred = 0
    for suit in range(4):
        cards = SUIT << 8 * suit
        part = missed & cards
        inferred |= part if (voids if part == cards else trumps) else 0
    return inferred
