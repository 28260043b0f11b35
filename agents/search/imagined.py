"""Auction, swap and discards by imagined deals: a call is worth what it brings in worlds that the seat may be in.

In a world the call is made, the rule-based player ends the auction for everybody, the deal is solved, and its match
points are paid. So a call is judged with all that it leads to: bids over it, contra and recontra, the last word.
"""

import numpy as np
from numpy.typing import NDArray

from agents.rule_based.options import add
from agents.rule_based.outlook import outlook
from agents.rule_based.player import choose, consider
from agents.rule_based.stakes import standing_value
from agents.search.compile import kernel
from agents.search.optimism import played_out
from agents.search.payoff import margin, payoff, settle
from agents.search.solver.minimax import solve
from agents.search.solver.position import set_up
from blot_env.actions import BIDS, CONTRA, PASS
from blot_env.auction import legal_words
from blot_env.engine import apply
from blot_env.rules_record import NUMBERED
from blot_env.state import AUCTION, DISCARD, OVER, SWAP
from blot_env.views import write_view

MOST_CALLS = 10
"""So many calls at most are weighed at a decision: chosen, each costs a solved deal in every world."""
NEAR = 10.0
"""Those that the rule-based player holds to be worse than its best by more match points are not: chosen. Where ten
points are one."""
UNSOLVED = -9
"""In the memory of solved contracts: not solved yet."""


@kernel
def calls_to_weigh(
    rules: np.record,
    values: np.record,
    view: np.record,
    options: NDArray,
    calls: NDArray[np.int64],
    opinions: NDArray[np.float64],
) -> int:
    """Write the calls of the seat to act that may be best; return how many they are, at least 1.

    Args:
        values: of the rule-based player.
        options: `OPTION`, room for all actions, to work in.
        calls: actions, shape (MOST_CALLS,).
        opinions: match points that the rule-based player gives them, shape (MOST_CALLS,).
    """
    public = view.public
    listed = consider(rules, values, view, options)
    if public.phase == AUCTION and rules.auction == NUMBERED:
        if listed == 1 and options[0].action >= BIDS:
            calls[0] = options[0].action  # a capot that cannot fail
            return 1
        listed = _add_contra(rules, values, view, options, listed)
    unit = 1.0 if public.phase == AUCTION else 1.0 / rules.unit
    count = 0
    while count < min(listed, MOST_CALLS):
        best = 0
        for place in range(1, listed):
            if options[place].value > options[best].value:
                best = place
        opinions[count] = unit * options[best].value
        if opinions[count] < opinions[0] - NEAR * values.tenth:
            break
        calls[count] = options[best].action
        options[best].value = -np.inf
        count += 1
    return count


@kernel
def _add_contra(rules: np.record, values: np.record, view: np.record, options: NDArray, count: int) -> int:
    """Add the contra that the rule-based player would not consider; return how many options there are."""
    public, me = view.public, view.seat
    for place in range(count):
        if options[place].action == CONTRA and not public.capot:
            return count
    if not legal_words(rules, public) >> CONTRA & 1:
        return count
    if public.capot:
        count = add(options, 0, PASS, 0.0)
        return add(options, count, CONTRA, 0.0)
    hope = outlook(rules, values, view, public.strain, view.hand)
    return add(options, count, CONTRA, standing_value(rules, values, public, me, hope, 1, None))


@kernel
def weigh_calls(
    rules: np.record,
    values: np.record,
    world: np.record,
    calls: NDArray[np.int64],
    played: np.record,
    win: float,
    table: NDArray,
    view: NDArray,
    search: NDArray,
    solved: NDArray[np.int64],
    outcomes: NDArray[np.float64],
) -> None:
    """Write what each call of the seat to act brings it in a world.

    Args:
        values: of the rule-based player.
        world: a row of `STATE` before the play.
        calls: legal actions, shape (n,).
        played: what play makes of the solver's values, dtype `PLAYED`.
        win: as `payoff` has it.
        table: `STATE`, shape (2,), to work in.
        view: `VIEW`, shape (1,), to work in.
        search: `SEARCH`, shape (1,), to work in.
        solved: to work in, shape (6, 4).
        outcomes: match points, shape (n,).
    """
    seat = world.public.seat
    solved[:] = UNSOLVED
    for place in range(len(calls)):
        table[0] = world
        state = table[0]
        apply(rules, state, calls[place])
        if world.public.phase != AUCTION:
            solved[:] = UNSOLVED  # other cards lie aside
        _end_auction(rules, values, state, view)
        outcomes[place] = _outcome(rules, state, seat, played, win, table[1:], search, solved)


@kernel
def _end_auction(rules: np.record, values: np.record, state: np.record, view: NDArray) -> None:
    """Let the rule-based player call, swap and discard for everybody until the play begins, or the deal is over."""
    public = state.public
    while public.phase in (AUCTION, SWAP, DISCARD):
        write_view(state, public.seat, view[0])
        apply(rules, state, choose(rules, values, view[0]))


@kernel
def _outcome(
    rules: np.record,
    state: np.record,
    seat: int,
    played: np.record,
    win: float,
    scratch: NDArray,
    search: NDArray,
    solved: NDArray[np.int64],
) -> float:
    """Return the match points that a seat may expect of a deal whose play begins, or which is over."""
    public = state.public
    if public.phase == OVER:
        return margin(rules, state.result, seat, win)
    if solved[public.strain, public.bidder] == UNSOLVED:
        set_up(rules, state, search[0])
        solved[public.strain, public.bidder] = solve(search[0])
    value = solved[public.strain, public.bidder]
    whole = settle(rules, state, scratch)
    total = 0.0
    fifths = played.offsets.shape[1]
    for fifth in range(fifths):
        taken = played_out(played.slope[public.strain], played.offsets[public.strain, fifth], fifth, value, whole)
        total += payoff(rules, state, scratch[0], whole, taken, seat, win)
    return total / fifths
