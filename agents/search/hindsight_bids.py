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
from blot_env.engine import apply, is_legal, legal
from blot_env.rules_record import NUMBERED
from blot_env.state import AUCTION, STATE

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Auctions:
    """What was called in deals, and what could have been: where each bid ends the auction, any turn is the last."""

    starts: NDArray[np.void]  # (deals,) rows of `STATE` before the first call
    ends: NDArray[np.void]  # (deals,) the same deals when they are over
    options: NDArray[np.bool_]  # (deals, sides, actions) legal calls, at the side's last turn


@dataclass(frozen=True)
class Judged:
    """Deals whose calls are judged: (deals, sides), match points of the side."""

    best: Floats  # of the best contract of its own, without contra, where the side named one; otherwise NaN
    bare: Floats  # of the contract that stood, without contra; 0 where nobody bid
    stood: Floats  # of the contract as it stood, with contra and recontra
    option: Floats  # of the best contract that the side could still have named; -inf where there was none
    contra: Floats  # what the side gains by contra, against the contract without; NaN where it could say none
    makes: NDArray[np.bool_]  # (deals,) whether the contract that stood makes


def auctions_of(rules: RuleSet, starts: NDArray[np.void], actions: NDArray[np.int16]) -> Auctions:
    """Play deals again and note what each side could have called.

    Args:
        starts: rows of `STATE` before the first action, shape (deals,).
        actions: legal ones to the end of each deal, -1 behind the last, shape (deals, longest).
    """
    found = Auctions(starts, starts.copy(), np.zeros((len(starts), rules.sides, rules.actions.size), np.bool_))
    _listen(rules.records, found.ends, actions, found.options)
    return found


@kernel
def _listen(records, states, actions, options):  # type: ignore[no-untyped-def]
    """Play deals to their end and write what could have been called."""
    rules = records[0]
    for deal in range(len(states)):
        state = states[deal]
        public = state.public
        for step in range(actions.shape[1]):
            action = int(actions[deal, step])
            if action < 0:
                break
            if public.phase == AUCTION:
                seat = public.seat
                own = options[deal, rules.side[seat]]
                bits, first, stop, capot = legal(rules, public, state.hands[seat], state.dealt[seat])
                for option in range(len(own)):
                    heard = own[option] and rules.auction != NUMBERED
                    own[option] = heard or is_legal(rules, bits, first, stop, capot, option)
            apply(rules, state, action)


def judge(
    rules: RuleSet,
    auctions: Auctions,
    boards: NDArray[np.void],
    values: NDArray[np.int64],
    threads: int | None = None,
) -> Judged:
    """Judge the calls of deals.

    Args:
        auctions: the deals.
        boards: the deals as `every_contract` has them, (deals, strains, sides).
        values: of the boards, as `solve_states` has them, the same shape; of sides without a call any.
        threads: how many work at them; by default one for each core.
    """
    starts, ends, options = auctions.starts, auctions.ends, auctions.options
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
