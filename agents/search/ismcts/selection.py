"""Which move of an information set to look at next.

By `by_bound` (UCB1 of Auer et al., with the availability counts of Cowling et al.): each move once, then the one of the
highest bound on what it may be worth. By `by_prior` (PUCT, as AlphaZero has it): the one that looks best by its results
and by how likely it looked before the search.
"""

import numpy as np
from numpy.typing import NDArray

from agents.search.compile import kernel
from agents.search.ismcts.moves import Moves, by_rules, move_of
from agents.search.ismcts.tree import find, node_key
from blot_env.bits import lowest, nth, popcount
from blot_env.random import below

PRIORS = ("none", "rules", "policy")
NO_PRIOR, RULES_PRIOR, POLICY_PRIOR = range(3)

RULES_SHARE = 0.5  # of the prior goes to the move of the rule-based player, the rest to all alike


@kernel
def by_bound(
    bits: int, known: int, seat: int, explore: float, room: bool, lot: int, nodes: NDArray[np.void]
) -> tuple[int, bool]:
    """Return a move without a node, by lot, and true; or the one of highest bound, and false.

    Args:
        bits: the moves.
        known: the information set.
        explore: what exploring counts, in rewards.
        room: whether a node may be added; without room and nodes the move is -1.
        lot: a key that draws.
    """
    best, best_bound, untried = -1, 0.0, 0
    rest = bits
    while rest:
        move = lowest(rest)
        rest &= rest - 1
        node = nodes[find(nodes, node_key(known, seat, move))]
        if node.key == 0:
            untried |= 1 << move
        else:
            node.available += 1
            bound = node.total / node.visits + explore * (np.log(node.available) / node.visits) ** 0.5
            if best < 0 or bound > best_bound:
                best, best_bound = move, bound
    if untried and room:
        return nth(untried, below(lot, 0, popcount(untried))), True
    return best, False


@kernel
def by_prior(
    bits: int,
    known: int,
    seat: int,
    explore: float,
    room: bool,
    chances: NDArray[np.float64],
    nodes: NDArray[np.void],
) -> tuple[int, bool]:
    """Return the move that looks best and whether it has no node yet; arguments as `by_bound`.

    `chances` are the priors of the moves, shape (MOVES,). A move not yet made is taken to be worth the mean of the
    others.
    """
    visits, total = 0, 0.0
    rest = bits
    while rest:
        move = lowest(rest)
        rest &= rest - 1
        node = nodes[find(nodes, node_key(known, seat, move))]
        if node.key != 0:
            node.available += 1
            visits += node.visits
            total += node.total
    mean = total / max(visits, 1)
    urge = explore * max(visits, 1) ** 0.5
    best, best_score, is_new = -1, 0.0, False
    rest = bits
    while rest:
        move = lowest(rest)
        rest &= rest - 1
        node = nodes[find(nodes, node_key(known, seat, move))]
        made = node.visits if node.key != 0 else 0
        if made or room:
            score = (node.total / made if made else mean) + urge * chances[move] / (1 + made)
            if best < 0 or score > best_score:
                best, best_score, is_new = move, score, made == 0
    return best, is_new


@kernel
def write_rules_prior(
    rules: np.record, values: np.record, state: np.record, moves: Moves, chances: NDArray[np.float64]
) -> None:
    """Write the priors of the moves of the seat to act: one of them is what the rule-based player does."""
    own = move_of(rules, moves, by_rules(rules, values, state))
    share = RULES_SHARE if own >= 0 else 0.0
    each = (1.0 - share) / popcount(moves.bits)
    rest = moves.bits
    while rest:
        move = lowest(rest)
        rest &= rest - 1
        chances[move] = each + (share if move == own else 0.0)


@kernel
def write_policy_prior(known: int, bits: int, priors: NDArray[np.void], chances: NDArray[np.float64]) -> None:
    """Write the priors of the moves of an information set as a network gave them, in some world.

    A move that was not legal there, and every move of a set that it was not asked about, counts like any other.
    """
    row = priors[find(priors, known)]
    alike = 1.0 / popcount(bits)
    rest = bits
    while rest:
        move = lowest(rest)
        rest &= rest - 1
        said = row.chances[move] if row.key != 0 else -1.0
        chances[move] = said if said >= 0.0 else alike
