"""What the contract of a deal was worth beside others that could have been bid, when all cards are seen.

A contract is worth what its cards bring double dummy, paid by the engine's scoring: match points of a side minus the
mean of the others', and nothing for the match itself. Everybody is taken to announce and show what there is.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agents.search.compile import kernel
from agents.search.payoff import payoff, settle
from agents.search.solver.double_dummy import share_out
from blot_env import RuleSet
from blot_env.actions import BIDS, CONTRA, NAME
from blot_env.auction import call
from blot_env.rules_record import NUMBERED
from blot_env.state import STATE

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Judged:
    """Deals whose calls are judged: (deals, sides), match points of the side."""

    best: Floats  # of the best contract of its own, without contra, where the side named one; otherwise NaN
    bare: Floats  # of the contract that stood, without contra; 0 where nobody bid
    stood: Floats  # of the contract as it stood, with contra and recontra
    option: Floats  # of the best contract that the side could still have named; -inf where there was none
    contra: Floats  # what the side gains by contra, against the contract without; NaN where it could say none
    makes: NDArray[np.bool_]  # (deals,) whether the contract that stood makes


def judge(
    rules: RuleSet,
    starts: NDArray[np.void],
    ends: NDArray[np.void],
    options: NDArray[np.bool_],
    boards: NDArray[np.void],
    values: NDArray[np.int64],
    threads: int | None = None,
) -> Judged:
    """Judge the calls of deals.

    Args:
        starts: rows of `STATE` before the first call, shape (deals,).
        ends: the same deals when they are over.
        options: what each side could have done instead, shape (deals, sides, actions).
        boards: the deals as `every_contract` has them, (deals, strains, sides).
        values: of the boards, as `solve_states` has them, the same shape; of sides without a call any.
        threads: how many work at them; by default one for each core.
    """
    shape = len(starts), rules.sides
    best, contra = np.full(shape, np.nan), np.full(shape, np.nan)
    bare, stood, option = np.zeros(shape), np.zeros(shape), np.full(shape, -np.inf)
    makes = np.zeros(len(starts), np.bool_)
    out = (best, bare, stood, option, contra, makes)

    def work(_: NDArray[np.void], start: int, stop: int) -> None:
        settled, wholes = np.empty(boards.shape[1:], STATE), np.empty(boards.shape[1:], np.int64)
        deals = (rules.records, starts, ends, options, boards, values)
        _judge(*deals, start, stop, settled, wholes, np.empty(1, STATE), *out)

    share_out(len(starts), threads, work)
    return Judged(*out)


@kernel
def _judge(  # type: ignore[no-untyped-def]
    records, starts, ends, options, boards, values, start, stop, settled, wholes, calls, best, bare, stood, option,
    contra, makes,
):  # fmt: skip
    rules = records[0]
    for deal in range(start, stop):
        for strain in range(rules.strains):
            for side in range(rules.sides):
                wholes[strain, side] = settle(rules, boards[deal, strain, side], settled[strain, side : side + 1])
        end = ends[deal].public
        solved = (boards[deal], values[deal], settled, wholes)
        for side in range(rules.sides):
            if end.bidder >= 0:
                bare[deal, side] = _worth(rules, end, 0, side, solved)
                stood[deal, side] = _worth(rules, end, end.contra, side, solved)
                makes[deal] = settled[end.strain, rules.side[end.bidder]].result.made == 1
                if options[deal, side, CONTRA]:
                    contra[deal, side] = _worth(rules, end, 1, side, solved) - bare[deal, side]
                if side == rules.side[end.bidder]:
                    best[deal, side] = _best(rules, starts[deal], 0, side, options[deal, side], False, calls, solved)
            option[deal, side] = _best(rules, starts[deal], end.number, side, options[deal, side], True, calls, solved)


@kernel
def _best(rules, deal, number, side, options, only_options, calls, solved):  # type: ignore[no-untyped-def]
    """Return what a side's best contract is worth to it, bid over a number; -inf if there is none."""
    first, stop = (BIDS, rules.actions) if rules.auction == NUMBERED else (NAME, NAME + rules.strains)
    best = -np.inf
    for action in range(first, stop):
        if options[action] or not only_options:
            calls[0].public = deal.public
            public = calls[0].public
            public.number, public.seat = number, side  # the first seat of the side
            call(rules, public, action)
            best = max(best, _worth(rules, public, 0, side, solved))
    return best


@kernel
def _worth(rules, contract, contra, side, solved):  # type: ignore[no-untyped-def]
    """Return what the contract on a table is worth to a side at a level of contra."""
    boards, values, settled, wholes = solved
    strain, namers = contract.strain, rules.side[contract.bidder]
    public = settled[strain, namers].public
    public.number, public.capot, public.contra = contract.number, contract.capot, contra
    world, whole, value = boards[strain, namers], wholes[strain, namers], values[strain, namers]
    return payoff(rules, world, settled[strain, namers], whole, value, side, 0.0)
