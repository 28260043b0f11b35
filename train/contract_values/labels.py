"""What every contract of a deal is worth with all cards seen: one solve a strain serves all seats and turns.

Where it changes the hands or the sides who plays a contract (a stock that is drawn, a game of three), each seat is
solved as the one who does; the rule-based player then swaps and discards for it.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.contract_shares import EVERY, NONE, bin_of
from agents.rule_based.player import choose
from agents.rule_based.values import values_of
from agents.search.compile import kernel
from agents.search.payoff import settle
from agents.search.solver.double_dummy import share_out
from agents.search.solver.minimax import solve
from agents.search.solver.position import set_up
from blot_env import RuleSet
from blot_env.engine import apply, force_contract
from blot_env.state import DISCARD, OVER, STATE, SWAP, VIEW
from blot_env.views import write_view


@dataclass(frozen=True)
class Labels:
    """What the contracts of some deals are worth, by the seat that plays them."""

    shares: NDArray[np.uint8]  # (deals, seats, strains) bin of its side's card points
    extras: NDArray[np.int16]  # (deals, seats, strains, sides) combinations and blots of each side


def label(rules: RuleSet, starts: NDArray[np.void], threads: int | None = None) -> Labels:
    """Solve deals in every strain.

    Args:
        rules: the game.
        starts: rows of `STATE` before the first action, shape (deals,).
        threads: how many work at them; by default one for each core.
    """
    seats = solved_seats(rules)
    shape = len(starts), seats, len(rules.strains)
    solved, wholes = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    extras = np.zeros((*shape, rules.sides), np.int16)
    work = (rules.records, np.array([values_of(rules)]), starts)
    out = (solved, wholes, extras)
    share_out(len(starts), threads, lambda *part: _label(*work, *part, np.empty(2, STATE), np.empty(1, VIEW), *out))
    bins = np.where(solved < 0, NONE, np.where(solved > wholes, EVERY, bin_of(solved, wholes))).astype(np.uint8)
    if seats == 1:  # the other side is the mirror of the first
        bins, extras = np.concatenate([bins, EVERY - bins], 1), np.repeat(extras, 2, 1)
        bins, extras = np.tile(bins, (1, rules.players // 2, 1)), np.tile(extras, (1, rules.players // 2, 1, 1))
    return Labels(bins, extras)


def solved_seats(rules: RuleSet) -> int:
    """Return how many seats have to be solved: all of them, or one for everybody."""
    return rules.players if rules.sides > 2 or rules.stock in ("drawn", "namer") else 1


def played_shares(results: NDArray[Any], bidder_side: NDArray[np.int64], tricks: int) -> NDArray[np.int64]:
    """Return the bins of the card points that bidders really took, (deals,).

    Args:
        results: rows of `RESULT` of deals with a contract.
        bidder_side: (deals,).
        tricks: of a deal.
    """
    deal = np.arange(len(results))
    own, taken = results["card_points"][deal, bidder_side], results["tricks"][deal, bidder_side]
    bins = bin_of(own, results["card_points"].sum(1))
    return np.where(taken == 0, NONE, np.where(taken == tricks, EVERY, bins))


@kernel
def _label(  # type: ignore[no-untyped-def]
    records, all_values, starts, searches, start, stop, tables, views, solved, wholes, extras
):
    rules, values = records[0], all_values[0]
    for deal in range(start, stop):
        for seat in range(solved.shape[1]):
            for strain in range(solved.shape[2]):
                tables[0] = starts[deal]
                state = tables[0]
                public = state.public
                force_contract(rules, state, seat, strain)
                while public.phase == SWAP or public.phase == DISCARD:
                    write_view(state, public.seat, views[0])
                    apply(rules, state, choose(rules, values, views[0]))
                if public.phase == OVER:  # by a belot: all is its side's
                    every = rules.side[public.belot] == rules.side[seat]
                    solved[deal, seat, strain], wholes[deal, seat, strain] = (1 if every else -1), 0
                    continue
                set_up(rules, state, searches[0])
                solved[deal, seat, strain] = solve(searches[0])
                wholes[deal, seat, strain] = settle(rules, state, tables[1:])
                for side in range(extras.shape[3]):
                    counted = tables[1].public
                    extras[deal, seat, strain, side] = counted.combinations[side] + counted.blot[side]
