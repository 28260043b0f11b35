"""The state of a deal: one row of a structured array.

`PUBLIC` is what lies open on the table; a seat's `VIEW` adds its own cards; `STATE` holds everything. Kernels that
decide for a seat take a `PUBLIC` and that seat's cards, so they cannot see more. Scalars are int64, as is all kernel
arithmetic; the two long histories are narrow and read through `int()`. Cards, sets and strains as in `blot_env.cards`.
"""

from typing import Any

import numpy as np

PHASES = ("auction", "swap", "discard", "announce", "show", "play", "over")
AUCTION, SWAP, DISCARD, ANNOUNCING, SHOWING, PLAY, OVER = range(7)

OPEN, LAST_WORD, RECONTRA_ASKED = range(3)
"""What the seat to call is asked: anything, to keep or raise its own bid, or whether to recontra."""

HISTORY = 376
"""80 bids of rising number and a capot, each after three passes, contra, recontra, 32 cards, four who announce and are
asked to show: 369."""

HIDDEN = -1
"""How a discard stands in the public history."""

DISCARDS = 8  # at most


def _record(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    return np.dtype((np.record, np.dtype(fields, align=True)))


PUBLIC = _record(
    [
        ("phase", "i8"),
        ("seat", "i8"),  # whose turn it is
        ("dealer", "i8"),
        ("asking", "i8"),  # OPEN, LAST_WORD or RECONTRA_ASKED
        ("target", "i8"),
        ("scores", "i8", (4,)),  # match points by side, before this deal
        ("number", "i8"),  # of the standing bid; 0: none yet, or bids have no number
        ("strain", "i8"),  # -1: none yet
        ("capot", "i8"),
        ("bidder", "i8"),
        ("contra", "i8"),  # 0, 1 contra, 2 recontra
        ("contra_by", "i8"),
        ("recontra_by", "i8"),
        ("passes", "i8"),  # in a row
        ("highest", "i8", (4, 6)),  # highest number called, by seat and strain
        ("called", "i8", (4,)),  # the same as observations have it, by levels: a byte a strain
        ("numbers", "i8", (4,)),  # the same in binary, and above the strains' bytes the first number called
        ("opening", "i8", (4,)),  # the first call of each seat as bits: pass, C D H S NT AT, capot; 0: none yet
        ("passed", "i8", (4,)),  # how often each seat has passed
        ("trick_number", "i8"),  # tricks complete
        ("leader", "i8"),
        ("trick", "i8", (4,)),  # the card on the table, by seat, or -1
        ("trick_size", "i8"),
        ("winner", "i8"),  # the seat that holds the trick, or -1
        ("winning", "i8"),  # its card
        ("tricks", "i8", (4,)),  # by side
        ("card_points", "i8", (4,)),  # by side, with the last trick
        ("combinations", "i8", (4,)),  # awarded points, by side
        ("blot", "i8", (4,)),  # by side
        ("played", "i8", (4,)),  # sets, by seat
        ("excluded", "i8", (4,)),  # cards that the seat has shown by its plays not to hold
        ("shown", "i8", (4,)),  # cards of the combinations that scored
        ("announced", "i8", (4,)),  # bits of blot_env.combinations; 0 until the seat has spoken or played
        ("turned", "i8"),  # the card that was turned up from the stock, or -1
        ("known", "i8", (4,)),  # cards that everyone knows a seat to hold or to have held, apart from `shown`
        ("out", "i8"),  # cards that everyone knows to be out of the game
        ("withheld", "i8"),  # seats (bits) that were asked to show and did not
        ("belot", "i8"),  # the seat whose belot has won the match, or -1
        ("length", "i8"),
        ("history", "i2", (HISTORY,)),  # the actions so far; a discard is HIDDEN
        ("actors", "i1", (HISTORY,)),  # who took them
    ]
)

RESULT = _record(
    [
        ("contract", "i8"),  # the action that made it; -1: nobody bid
        ("number", "i8"),  # 0: nobody bid, or bids have no number
        ("strain", "i8"),
        ("bidder", "i8"),
        ("capot", "i8"),
        ("contra", "i8"),
        ("made", "i8"),  # 1, 0, or -1 when nobody bid or a belot ended the match
        ("tricks", "i8", (4,)),
        ("card_points", "i8", (4,)),
        ("combinations", "i8", (4,)),
        ("blot", "i8", (4,)),
        ("raw", "i8", (4,)),
        ("points", "i8", (4,)),  # match points
        ("match_winner", "i8"),  # a side, or -1
    ]
)
"""The result of a deal, lists by side."""

VIEW = _record([("public", PUBLIC), ("seat", "i8"), ("hand", "i8"), ("dealt", "i8"), ("aside", "i8")])
"""What one seat knows: the table, its own seat, the cards it holds, those it held as play began (until then: those it
holds) and those it has discarded."""

STATE = _record(
    [
        ("public", PUBLIC),
        ("hands", "i8", (4,)),
        ("dealt", "i8", (4,)),  # the hands as play began; until then the hands
        ("down", "i8", (4,)),  # own cards that lie face down
        ("deck", "i1", (32,)),  # hands seat by seat, each in the order dealt, then the stock
        ("aside", "i8"),  # the namer's discards
        ("discards", "i1", (DISCARDS,)),  # the same in order
        ("claimant", "i8"),  # the seat that will be asked to show before its next card, or -1
        ("scorer", "i8"),  # a seat of the side whose combinations score, or -1
        ("seed", "i8"),
        ("board", "i8"),
        ("deal", "i8"),  # of the match
        ("redeal", "i8"),  # of the deal, after boards that nobody bid on
        ("result", RESULT),
    ]
)
