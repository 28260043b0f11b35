"""The decisions that the others have taken in a deal so far, and what they knew then if a world is the true one.

The table was the same in all worlds, so it is played again once; only the cards differ.
"""

import numpy as np
from numpy.typing import NDArray

from agents.search.compile import kernel
from blot_env.bits import popcount
from blot_env.dealing import lay_out, visible_cards
from blot_env.engine import apply
from blot_env.observing import own_aside
from blot_env.state import AUCTION, DISCARD, HIDDEN, STATE, SWAP


@kernel
def retrace(rules: np.record, world: np.record, seat: int, steps: NDArray) -> int:
    """Write the table at each decision that the others have taken; return how many they are.

    Args:
        world: a row of `STATE`.
        seat: whose own decisions are left out.
        steps: dtype `VIEW`, room for all actions; the cards are for `deal_in` to write.
    """
    states = np.empty(1, STATE)
    states[0].public = world.public
    states[0].deck[:] = world.deck
    lay_out(rules, states[0])
    count = 0
    for number in range(world.public.length):
        state = states[0]  # taken anew, since a record alone does not keep its array from being freed
        public = state.public
        if public.seat != seat:
            steps[count].public = public
            steps[count].seat = public.seat
            count += 1
        apply(rules, state, action_taken(world, number, popcount(state.aside)))
    return count


@kernel(forceinline=True)
def action_taken(world: np.record, number: int, put_aside: int) -> int:
    """Return an action of the deal by its number; a discard, which the table does not tell, by how many were before."""
    action = int(world.public.history[number])
    return int(world.discards[put_aside]) if action == HIDDEN else action


@kernel
def deal_in(rules: np.record, world: np.record, step: np.record) -> int:
    """Write the cards that the seat of a step had in a world, and return the action that it took there."""
    public, seat = step.public, step.seat
    put_aside = 0
    step.aside = 0
    if public.phase == AUCTION or public.phase == SWAP:
        step.hand = visible_cards(rules, world, seat)
        step.dealt = step.hand
    elif public.phase == DISCARD:
        while int(public.history[public.length - 1 - put_aside]) == HIDDEN:
            step.aside |= 1 << int(world.discards[put_aside])
            put_aside += 1
        step.hand = (world.dealt[seat] | world.aside) & ~step.aside
        step.dealt = step.hand
    else:
        step.dealt = world.dealt[seat]
        step.hand = step.dealt & ~public.played[seat]
        step.aside = own_aside(world, seat)
    return action_taken(world, public.length, put_aside)
