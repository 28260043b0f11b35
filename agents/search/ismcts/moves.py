"""Which moves of the seat to act are searched, numbered 0 to 62 so that a set of them is an int64.

    0-41   the actions below 42: cards, and calls without a number
    42-    bids of the next numbers, three where there are five strains, number by number
    then   capots, of the lowest number that they may have, one a strain
    62     at the root: what the rule-based player would bid, if that is none of these

An auction has up to 400 legal bids; most promise more than any hand can make. Higher numbers than these come into reach
when the auction comes round again. The other seats call as the rule-based player would with their cards of the world at
hand: left to choose, they would learn from the results which calls hurt this very hand, and contra all that fails.
"""

from typing import NamedTuple

import numpy as np

from agents.rule_based.player import choose
from agents.search.compile import kernel
from agents.search.ismcts.tree import MOVES
from blot_env.actions import BIDS
from blot_env.auction import bid_action
from blot_env.engine import legal
from blot_env.observing import own_aside
from blot_env.rules_record import CAPOT_FROM

FAR = MOVES - 1  # the move that bids what the rule-based player would, beyond the others
STEPS = 3  # numbers at most


class Seen(NamedTuple):
    """What the seat to act of a world knows: a row of `VIEW` without copying the table."""

    public: np.record
    seat: int
    hand: int
    dealt: int
    aside: int


class Moves(NamedTuple):
    """The moves of the seat to act: a set, and what the numbers from 42 on mean."""

    bits: int
    bids: int  # the first bid
    capots: int  # the first capot
    far: int  # the action of `FAR`


@kernel
def by_rules(rules: np.record, values: np.record, state: np.record) -> int:
    """Return the action of the rule-based player in the seat to act of a world."""
    seat = state.public.seat
    seen = Seen(state.public, seat, state.hands[seat], state.dealt[seat], own_aside(state, seat))
    return choose(rules, values, seen)


@kernel
def steps(rules: np.record) -> int:
    """Return how many numbers are searched."""
    return min(STEPS, (FAR - BIDS - rules.strains) // rules.strains)


@kernel(forceinline=True)
def moves_of(rules: np.record, state: np.record) -> Moves:
    """Return the moves of the seat to act, all but `FAR`."""
    public = state.public
    seat = public.seat
    bits, first, stop, capot = legal(rules, public, state.hands[seat], state.dealt[seat])
    if first == stop and capot == rules.actions:
        return Moves(bits, 0, 0, 0)
    return _with_bids(rules, public, bits, first, stop, capot)


@kernel
def _with_bids(rules: np.record, public: np.record, bits: int, first: int, stop: int, capot: int) -> Moves:
    """Return the moves of a seat that may bid."""
    low = steps(rules) * rules.strains
    bits |= (1 << min(stop - first, low)) - 1 << BIDS
    last = rules.actions
    if rules.capot == CAPOT_FROM:
        capot = bid_action(rules, max(rules.capot_min, public.number + 1), 0)
        last = stop
    if capot >= min(first + low, stop) and capot < last:
        bits |= (1 << rules.strains) - 1 << BIDS + low
    return Moves(bits, first, capot, 0)


@kernel
def with_far(rules: np.record, moves: Moves, action: int) -> Moves:
    """Return moves among which is an action, as `FAR` if it is none of them."""
    if move_of(rules, moves, action) >= 0:
        return moves
    return Moves(moves.bits | 1 << FAR, moves.bids, moves.capots, action)


@kernel(forceinline=True)
def action_of(rules: np.record, moves: Moves, move: int) -> int:
    """Return the action of a move."""
    if move < BIDS:
        return move
    if move == FAR:
        return moves.far
    low = steps(rules) * rules.strains
    place = move - BIDS
    return moves.bids + place if place < low else moves.capots + place - low


@kernel
def move_of(rules: np.record, moves: Moves, action: int) -> int:
    """Return the move of an action, -1 if it is none."""
    move, low = action, steps(rules) * rules.strains
    if action >= BIDS:
        move = BIDS + action - moves.bids
        if action < moves.bids or move >= BIDS + low:
            capot = action - moves.capots
            move = BIDS + low + capot if 0 <= capot < rules.strains else -1
        if action == moves.far:
            move = FAR
    return move if move >= 0 and moves.bits >> move & 1 else -1
