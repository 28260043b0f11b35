"""What each seat gave away by its cards in deals that were played, when all cards are seen.

A card gives away what the deal is worth before it less what it is worth after it, double dummy, to the side that plays
it. So what the deal was worth as its play began, less what the bidders gave away, more what the others did, is what the
bidders took. In a game of three the two others are held to play together, as the solver does.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.search.compile import kernel
from agents.search.payoff import payoff, settle
from agents.search.solver.double_dummy import share_out
from agents.search.solver.minimax import solve
from agents.search.solver.position import set_up
from blot_env import RuleSet
from blot_env.engine import apply
from blot_env.playing import legal_cards
from blot_env.seats import allied
from blot_env.state import PLAY, STATE


@dataclass(frozen=True)
class GivenAway:
    """Deals seen in hindsight.

    Card points are those of the tricks, with the last trick and without any bonus. Match points are those of the
    bidders' side minus the mean of the others', and nothing for the match itself; everybody is taken to announce and
    show what there is, and the others in a game of three to share alike what they take. The best play is that for card
    points: where bidders who fail are paid worst for taking all tricks, a trick given away may gain them match points.
    """

    played: NDArray[np.bool_]  # (deals,) whether there was a card to choose
    worth: NDArray[np.float64]  # (deals, 2) card points and match points of the bidders as the play began
    given: NDArray[np.float64]  # (deals, players, tricks, 2) card points and match points that a seat's card cost it


def given_away(
    rules: RuleSet, starts: NDArray[np.void], actions: NDArray[np.int16], threads: int | None = None
) -> GivenAway:
    """Play deals again and solve them before each card with a choice.

    Args:
        starts: rows of `STATE`, shape (deals,), before the first action.
        actions: legal ones in order, -1 behind the last, shape (deals, longest).
        threads: how many work at them; by default one for each core.
    """
    deals = len(starts)
    away = GivenAway(
        np.zeros(deals, np.bool_), np.zeros((deals, 2)), np.zeros((deals, rules.players, rules.hand_size, 2))
    )
    work = (rules.records, starts, actions)
    out = (away.played, away.worth, away.given)
    share_out(deals, threads, lambda *part: _look_back(*work, *part, np.empty(3, STATE), *out))
    return away


@kernel
def _look_back(  # type: ignore[no-untyped-def]
    records, starts, actions, searches, start, stop, tables, played, worth, given
):
    rules = records[0]
    for deal in range(start, stop):
        tables[0] = starts[deal]
        state = tables[0]
        public = state.public
        before = 0
        for number in range(actions.shape[1]):
            action = int(actions[deal, number])
            if action < 0:
                break
            if public.phase == PLAY:
                cards = legal_cards(rules, public, state.hands[public.seat])
                if cards & (cards - 1):
                    set_up(rules, state, searches[0])
                    value = solve(searches[0])
                    if played[deal]:
                        _give(rules, tables, before, value, given[deal])
                    tables[1] = state
                    if not played[deal]:
                        played[deal] = True
                        _weigh(rules, tables, value, worth[deal])
                    before = value
            apply(rules, state, action)
        if played[deal]:
            set_up(rules, state, searches[0])
            _give(rules, tables, before, solve(searches[0]), given[deal])


@kernel
def _give(rules, tables, before, after, given):  # type: ignore[no-untyped-def]
    """Write what the card played at `tables[1]` gave away, which took the deal from one value to another."""
    public = tables[1].public
    own, left = np.empty(2), np.empty(2)
    _weigh(rules, tables, before, own)
    _weigh(rules, tables, after, left)
    sign = 1 if allied(rules, public, public.seat, public.bidder) else -1
    for unit in range(2):
        given[public.seat, public.trick_number, unit] = sign * (own[unit] - left[unit])


@kernel
def _weigh(rules, tables, value, worth):  # type: ignore[no-untyped-def]
    """Write the bidders' card points and match points when the deal of `tables[1]` ends with a value."""
    world = tables[1]
    whole = settle(rules, world, tables[2:])
    worth[0] = min(max(value, 0), whole)
    worth[1] = payoff(rules, world, tables[2], whole, value, world.public.bidder, 0.0)
