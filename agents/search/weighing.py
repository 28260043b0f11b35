"""What pimc and the seer share: cards weighed in a deal that is known, and the room to do it in."""

import numpy as np
from numpy.typing import NDArray

from agents.rule_based.options import OPTION
from agents.rule_based.player import consider
from agents.search.compile import kernel
from agents.search.imagined import MOST_CALLS
from agents.search.payoff import payoff, settle
from agents.search.solver.minimax import NO_CARD, solve_cards
from agents.search.solver.position import new_search, set_up
from blot_env.bits import highest, lowest
from blot_env.places import by_strength
from blot_env.playing import legal_cards
from blot_env.rules import RuleSet
from blot_env.seats import allied, union
from blot_env.state import STATE, VIEW

POINT = 0.01
"""What a card point counts beyond what it brings: match points are rounded, and nobody plays perfectly. Chosen: all
points of a deal together count less than a match point."""


class Room:
    """What one thread works in."""

    def __init__(self, rules: RuleSet) -> None:
        self.table, self.view, self.search = np.zeros(2, STATE), np.zeros(1, VIEW), new_search()
        self.options = np.zeros(rules.actions.size, OPTION)
        self.calls, self.opinions = np.zeros(MOST_CALLS, np.int64), np.zeros(MOST_CALLS)
        self.solved, self.cards = np.zeros((6, 4), np.int64), np.zeros(32, np.int64)


@kernel
def only_card(
    rules: np.record, values: np.record, view: np.record, options: NDArray, opinions: NDArray[np.float64]
) -> int:
    """Return the card to play if all that are legal come to the same, otherwise -1.

    Args:
        values: of the rule-based player.
        options: `OPTION`, room for all actions, to work in.
        opinions: shape (32,), to which the values are written that it gives the legal cards.
    """
    public, hand = view.public, view.hand
    legal = legal_cards(rules, public, hand)
    if legal & (legal - 1) == 0 or _are_one(rules, public, hand, legal):
        return lowest(legal)
    for place in range(consider(rules, values, view, options)):
        opinions[options[place].action] = options[place].value
    return -1


@kernel
def _are_one(rules: np.record, public: np.record, hand: int, legal: int) -> bool:
    """Return whether legal cards are of one suit and worth, and nobody else may hold a card between them."""
    gone, points = union(public.played), rules.points[public.strain, lowest(legal)]
    if public.trick_size:
        gone &= ~(1 << public.winning)
    places = by_strength(public.strain, legal)
    low, high = lowest(places), highest(places)
    between = ((2 << high) - 1) & ~((1 << low) - 1) & ~by_strength(public.strain, hand | gone)
    if low >> 3 != high >> 3 or between:
        return False
    while legal:
        if rules.points[public.strain, lowest(legal)] != points:
            return False
        legal &= legal - 1
    return True


@kernel
def weigh_cards(
    rules: np.record,
    world: np.record,
    by_points: bool,
    win: float,
    table: NDArray,
    search: NDArray,
    cards: NDArray[np.int64],
    outcomes: NDArray[np.float64],
) -> None:
    """Write what each legal card of the seat to act brings it in a world.

    Args:
        world: a row of `STATE` in the play.
        by_points: in match points, otherwise in card points.
        win: as `payoff` has it.
        table: `STATE`, to work in.
        search: `SEARCH`, shape (1,), to work in.
        cards: to work in, shape (32,).
        outcomes: shape (32,), -inf for cards that are not legal.
    """
    seat = world.public.seat
    set_up(rules, world, search[0])
    solve_cards(search[0], cards)
    whole = settle(rules, world, table)
    bidding = allied(rules, world.public, seat, world.public.bidder)
    outcomes[:] = -np.inf
    for card in range(32):
        if cards[card] != NO_CARD:
            points = (2.0 * cards[card] - whole) * (1.0 if bidding else -1.0)
            if not by_points:
                outcomes[card] = points
                continue
            brought = payoff(rules, world, table[0], whole, cards[card], seat, win)
            outcomes[card] = brought + POINT * points / rules.unit
