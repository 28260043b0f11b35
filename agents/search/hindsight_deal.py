"""What a deal is worth to each side before anybody speaks, when all cards are seen: how good its cards are.

Each side is given the best contract that it makes, strain by strain, with nobody bidding against it.
"""

import numpy as np
from numpy.typing import NDArray

from agents.search.compile import kernel
from agents.search.payoff import payoff, settle
from agents.search.solver.double_dummy import NotSolvable, every_contract, share_out, solve_states
from blot_env import RuleSet
from blot_env.cards import SUITS
from blot_env.state import STATE

KINDS = ("best", "mean", "number", "turned")
"""In match points of the side minus the mean of the others', the best strain, the mean of the strains, and the suit of
the card that is turned up where it pays; and the highest number that makes. What the rules do not have is 0."""


def worth_of(rules: RuleSet, deals: NDArray[np.void], threads: int | None = None) -> NDArray[np.float64]:
    """Return what deals are worth to each side; 0 throughout for a deal that is not played or not solved.

    Args:
        deals: rows of `STATE` before the first action, shape (deals,).
        threads: how many work at them; by default one for each core.

    Returns:
        float64 (deals, sides, KINDS).
    """
    worth = np.zeros((len(deals), rules.sides, len(KINDS)))
    rows, found = [], [np.zeros((0, len(rules.strains), rules.sides), STATE)]
    for row in range(len(deals)):
        try:
            found.append(every_contract(rules, deals[row])[None])
        except NotSolvable:  # a belot; or the namer will discard, nobody knows what
            continue
        rows.append(row)
    boards = np.concatenate(found)
    values = solve_states(rules, boards.ravel(), threads).reshape(boards.shape)
    paid, numbers = np.zeros(boards.shape), np.zeros(boards.shape)
    most = rules.max_number if rules.numbered else 0
    work = (rules.records, boards, values, most)
    share_out(len(boards), threads, lambda _, *part: _grade(*work, *part, np.empty(1, STATE), paid, numbers))
    for row, deal_paid, deal_numbers in zip(rows, paid, numbers, strict=True):
        worth[row, :, 0] = deal_paid.max(0)
        worth[row, :, 1] = deal_paid.mean(0)
        worth[row, :, 2] = deal_numbers.max(0) if rules.numbered else 0
        turned = int(deals[row]["public"]["turned"])
        if turned >= 0:
            worth[row, :, 3] = np.maximum(deal_paid[rules.strains.index(SUITS[turned // 8])], 0)
    return worth


@kernel
def _grade(records, boards, values, most, start, stop, settled, paid, numbers):  # type: ignore[no-untyped-def]
    """Write what the best number that makes in each strain pays to each side, or else the lowest, and the number."""
    rules = records[0]
    for deal in range(start, stop):
        for strain in range(boards.shape[1]):
            for side in range(boards.shape[2]):
                board, value = boards[deal, strain, side], values[deal, strain, side]
                whole = settle(rules, board, settled)
                public = settled[0].public
                lowest = public.number
                for number in range(lowest, max(lowest, most) + 1):
                    public.number = number
                    worth = payoff(rules, board, settled[0], whole, value, public.bidder, 0.0)
                    makes = settled[0].result.made == 1
                    if makes or number == lowest:
                        paid[deal, strain, side] = worth
                        numbers[deal, strain, side] = number if makes else number - 1
                    if not makes:
                        break
