"""What the end of a deal brings in match points, when the bidders' card points are known and nothing else is.

A solver tells how many points the bidders take and whether they take all tricks or none; combinations and blots follow
from the cards dealt. All is counted and paid by the engine's own scoring, on a copy of the state.
"""

import numpy as np
from numpy.typing import NDArray

from agents.search.compile import kernel
from agents.search.solver.double_dummy import willing_answer
from blot_env.actions import ANNOUNCE
from blot_env.bits import popcount
from blot_env.claims import after_first_trick, answer, speak
from blot_env.combinations import best_combination, blot_suits
from blot_env.scoring import pay, pay_winner, points_of, score
from blot_env.state import ANNOUNCING, PLAY, SHOWING


@kernel
def settle(rules: np.record, world: np.record, scratch: NDArray) -> int:
    """Copy a state whose contract stands, with the combinations and blots that will be counted at the deal's end.

    Everyone who may yet announce and show is taken to do so.

    Args:
        world: a row of `STATE` in the play or about to begin it.
        scratch: `STATE`, shape (1,): the copy, for `payoff`.

    Returns:
        The card points of the deal, the last trick included.
    """
    scratch[0] = world
    state = scratch[0]
    public = state.public
    if public.trick_number == 0:
        for seat in range(rules.players):
            if not public.announced[seat]:
                _speak_out(rules, state, seat)
        public.trick[:] = -1
        after_first_trick(rules, state)
    while state.claimant >= 0:
        public.seat, public.phase = state.claimant, SHOWING
        answer(rules, state, willing_answer(rules, state))
    public.phase = PLAY
    public.blot[:] = 0
    whole = rules.last_trick
    for seat in range(rules.players):
        dealt = state.dealt[seat]
        public.blot[rules.side[seat]] += rules.blot * popcount(blot_suits(rules, public.strain, dealt))
        whole += points_of(rules, public.strain, dealt)
    return int(whole)


@kernel
def _speak_out(rules: np.record, state: np.record, seat: int) -> None:
    """Let a seat that has not played yet announce what it has."""
    public = state.public
    public.seat = seat
    if rules.by_choice and best_combination(rules, public.strain, state.dealt[seat]):
        public.phase = ANNOUNCING
        answer(rules, state, ANNOUNCE)
    else:
        speak(rules, state)


@kernel
def payoff(
    rules: np.record, world: np.record, settled: np.record, whole: int, value: int, seat: int, win: float
) -> float:
    """Return the match points of a seat's side minus the mean of the others', when the deal ends with a value.

    Where two players play together against a namer, they are taken to share alike what they have yet to take, and to
    take a trick each.

    Args:
        world, settled, whole: as `settle` takes, writes and returns them.
        value: of the solver: the bidders' card points with last trick and all-tricks bonus, negative if they take no
            trick.
        seat: whose match points.
        win: what winning the match is worth beyond them.
    """
    public = settled.public
    namers = rules.side[public.bidder]
    every, none = value > whole, value < 0
    own = whole if every else max(value, 0)
    others = rules.sides - 1
    shared = whole - own
    for side in range(rules.sides):
        if side != namers:
            shared -= world.public.card_points[side]
    for side in range(rules.sides):
        if side == namers:
            public.card_points[side] = own
            public.tricks[side] = rules.hand_size if every else 0 if none else 1
        else:
            part = shared // others
            shared -= part
            others -= 1
            public.card_points[side] = world.public.card_points[side] + part
            public.tricks[side] = rules.hand_size if none and rules.sides == 2 else 0 if every else 1
    score(rules, settled)
    return margin(rules, settled.result, seat, win)


@kernel
def margin(rules: np.record, result: np.record, seat: int, win: float) -> float:
    """Return the match points of a seat's side in a scored deal minus the mean of the others', and its part of `win`.

    Whoever wins the match gets `win`, the others lose as much between them.
    """
    shares = np.empty(4, np.float32)
    pay(rules, result.points, shares)
    value = float(shares[seat])
    if result.match_winner >= 0:
        pay_winner(rules, result.match_winner, shares)
        value += win * float(shares[seat])
    return value
