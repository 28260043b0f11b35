"""What a seat knows, prepared for drawing worlds: the record `KNOWLEDGE`.

A *box* is where an unseen card may be: box 0, 1, … are the other seats in their order, the last one, if cards are left
over, is where nobody sees them (undealt, or discarded). All of it is about the hands as play began.

Worlds are counted case by case. A *case* settles which fours each seat holds (where that is known to matter) and, where
it matters, which box has the seven that could have been swapped; what is left is counted suit by suit.
"""

import numpy as np

from blot_env.state import PUBLIC, RESULT

NOWHERE = -1
"""The seat of a box that no seat holds."""
UNWATCHED = -1
"""As the fours of a seat: it may hold any."""
UNBOUNDED = 1 << 40
"""More than any combination is worth."""

UNSEEN_PLACES, UNSEEN_HANDS, COUNTED = range(3)
"""How worlds are drawn: by shuffling the places of the deck that the seat has not seen, while there are hidden hands;
by dealing the unseen cards to the hands, where they may lie in any way; or by number."""
FIELD = 6  # bits of a field of a key of `counting`; the highest one guards
GUARDS = 0x820820820820820  # of ten fields
BOXES, CLAIMS = 4, 8
CASES, STARTS, TABLE = 1 << 11, 1 << 12, 1 << 13
ALLOTMENTS, GROUPS, COUNTS = 1 << 20, 1 << 16, 1 << 18
"""Room for the cases of a decision. What does not fit is counted with fewer conditions, which are then checked."""

BOX_FIELDS = [
    ("boxes", "i8"),
    ("seat", "i8", (BOXES,)),  # of a box, or NOWHERE
    ("room", "i8", (BOXES,)),  # how many of the unseen cards it holds
    ("may", "i8", (BOXES,)),  # which of them it may hold
    ("fixed", "i8", (BOXES,)),  # the cards that it is known to hold or to have held
    ("unseen", "i8"),
]
COMBINATION_FIELDS = [
    ("told", "i8", (4,)),  # whether anything is known of the combinations of a seat
    ("least", "i8", (4,)),  # of `best_combination` of its hand
    ("most", "i8", (4,)),
    ("claims", "i8"),
    ("left", "i8", (CLAIMS,)),  # seats (bits) of whom the best was asked to show, or will be
    ("among", "i8", (CLAIMS,)),  # and who of them it can have been
    ("claimants", "i8"),  # those of whom the best will be asked, or is being asked
    ("scorer", "i8"),
]
COUNTING_FIELDS = [
    ("cases", "i8"),
    ("held", "i8", (CASES, BOXES)),  # cards known in a case to be in a box
    ("fours", "i8", (CASES, BOXES)),  # the ranks of which a seat holds a four, or UNWATCHED
    ("suit_groups", "i8", (CASES, 5)),  # where the groups of each suit begin
    ("table", "i8", (CASES, 4)),  # where the counts before each suit begin
    ("starts", "i8"),
    ("start_case", "i8", (STARTS,)),
    ("start_weight", "i8", (STARTS,)),
    ("start_key", "i8", (STARTS,)),
    ("start_index", "i8", (STARTS,)),
    ("start_stop", "i8", (STARTS,)),  # number of worlds up to here, by weight
    ("total", "i8"),
    ("groups", "i8"),
    ("need", "i8", (GROUPS,)),  # what the cards of a suit fill, in packed fields
    ("offset", "i8", (GROUPS,)),  # the same as a distance in the table of counts
    ("alike", "i8", (GROUPS,)),  # how many allotments
    ("first", "i8", (GROUPS,)),
    ("allotments", "i8"),
    ("allotment", "u4", (ALLOTMENTS,)),  # a suit's cards by box, a byte each
    ("counted", "i8"),
    ("count", "i8", (COUNTS,)),
]
DECK_FIELDS = [
    ("deck", "i1", (32,)),  # for a moment before anything is taken up, in one order of the unseen cards
    ("places", "i8"),
    ("place", "i8", (32,)),  # the places of those
    ("order", "i1", (32,)),
]
SCRATCH_FIELDS = [
    ("choices", "i8", (BOXES,)),
    ("choice_fours", "i8", (BOXES, 64)),
    ("choice_runs", "i8", (BOXES, 64)),
    ("runs", "i8", (BOXES,)),  # how the runs of a box are counted in the case at hand
    ("case_room", "i8", (BOXES,)),
    ("case_may", "i8", (BOXES,)),
    ("card_shift", "i8", (BOXES,)),
    ("card_stride", "i8", (BOXES,)),
    ("run_shift", "i8", (BOXES, 3)),
    ("run_stride", "i8", (BOXES, 3)),
    ("run_most", "i8", (BOXES, 3)),
    ("fit_need", "i8", (BOXES, 256)),
    ("fit_offset", "i8", (BOXES, 256)),
    ("unfixed", "i8"),  # the unseen cards whose box is not settled in the case at hand
    *((name, "i8", (BOXES,)) for name in ("left_over", "part", "sum_need", "sum_offset", "sum_allotment")),
    ("leaves", "i8"),
    ("leaf_allotment", "u4", (1 << 16,)),
    ("leaf_need", "i8", (1 << 16,)),
    ("leaf_offset", "i8", (1 << 16,)),
    ("tally", "i8", (TABLE,)),
    ("reached", "i8", (2, TABLE)),
    ("reached_key", "i8", (2, TABLE)),
    ("followed", PUBLIC),  # the history followed
]

KNOWLEDGE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("method", "i8"),
                *BOX_FIELDS,
                *COMBINATION_FIELDS,
                *COUNTING_FIELDS,
                *DECK_FIELDS,
                *SCRATCH_FIELDS,
                ("result", RESULT),  # of a deal that is not over: zeros
            ],
            align=True,
        ),
    )
)
"""What a seat knows, prepared once a decision by `study` and read by `imagine`; a new one must be zeros."""
