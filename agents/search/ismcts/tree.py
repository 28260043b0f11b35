"""The tree of a search: its nodes in one hash table.

A node stands for one move at one information set: how often it was made, how often it could have been made (which
differs from world to world), and what came of it for the side that made it. Its key is a hash of all that led there, so
the table is the whole tree: the nodes of an information set are found by its key and the moves, and no node points to
another. Should two ever have the same key (one pair in 2^62 has), they would share their counts.
"""

import numpy as np
from numpy.typing import NDArray

from agents.search.compile import kernel
from blot_env.random import absorb

MOVES = 63
"""The moves at an information set are numbered 0 to 62 (see `moves`), so that a set of them is an int64."""

NODE = np.dtype((np.record, [("key", "i8"), ("visits", "i8"), ("available", "i8"), ("total", "f8")]))
"""A move: made so often, of the `available` times that it could be; the sum of its side's rewards. Key 0: no node."""

PRIOR = np.dtype((np.record, [("key", "i8"), ("chances", "f4", (MOVES,))]))
"""What a network has said of an information set: how likely each move is, -1 where it was not legal."""

ROOT = 1
"""The place, which is what has been said and played since the search began, where it begins."""

UNSEEN = MOVES
"""How a move that is not seen by the others stands in a place."""

_MOVE_KEYS = np.array([[absorb(absorb(0x15AC, seat), move) for move in range(MOVES)] for seat in range(4)], np.int64)


def new_table(most: int, dtype: np.dtype) -> NDArray[np.void]:
    """Return an empty table of `NODE` or `PRIOR` that `most` rows fill by half at most; a power of two long."""
    return np.zeros(1 << max(2 * most - 1, 1).bit_length(), dtype)


@kernel
def clear(table: NDArray[np.void]) -> None:
    """Empty a table."""
    for slot in range(len(table)):
        table[slot].key = 0


@kernel
def after(place: int, seat: int, move: int) -> int:
    """Return the place after a move."""
    return absorb(place, move << 2 | seat)


@kernel(forceinline=True)
def node_key(known: int, seat: int, move: int) -> int:
    """Return the key of a move at an information set: a place, or a place and what the seat to act knows besides."""
    return known ^ _MOVE_KEYS[seat, move]


@kernel(forceinline=True)
def find(table: NDArray[np.void], key: int) -> int:
    """Return the slot of a key, or the empty one where it belongs."""
    last = len(table) - 1
    slot = key & last
    while table[slot].key != 0 and table[slot].key != key:
        slot = (slot + 1) & last
    return slot
