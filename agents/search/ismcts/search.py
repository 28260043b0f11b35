"""Information set Monte Carlo tree search (Cowling, Powley, Whitehouse 2012).

Each iteration takes a world, descends the tree by moves that are legal in it, adds one node, plays the deal out, and
adds what came of it to the nodes that it passed. With one observer an information set is what has been said and played
since the root; with many it is that and what the seat to act holds, so that every seat decides by what it knows itself.

A move without an alternative is made, and needs no node. What the others do unseen, and their calls, are not searched:
see `moves`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.rule_based.likely import Softness
from agents.rule_based.stakes import WIN
from agents.search.compile import kernel
from agents.search.ismcts.moves import Moves, action_of, by_rules, moves_of, with_far
from agents.search.ismcts.rollout import advance, play_out
from agents.search.ismcts.selection import (
    NO_PRIOR,
    POLICY_PRIOR,
    by_bound,
    by_prior,
    write_policy_prior,
    write_rules_prior,
)
from agents.search.ismcts.tree import MOVES, ROOT, UNSEEN, after, clear, find, node_key
from agents.search.likelihood import TEMPERING, weigh
from agents.search.payoff import margin
from agents.search.worlds import imagine, study
from blot_env.bits import lowest
from blot_env.observing import own_aside
from blot_env.random import absorb, draw
from blot_env.state import AUCTION, DISCARD, HISTORY, OVER

WORLDS = 256
"""How many worlds are weighed."""


class Options(NamedTuple):
    """How to search."""

    weights: int  # 1: worlds are drawn by how likely they make the others' calls and cards, 0: all alike
    exploration: float  # in standard deviations of the rewards
    observers: int  # 0: one, 1: many
    rollouts: int  # of `ROLLOUTS`
    prior: int  # of `PRIORS`
    most: int  # nodes
    softness: Softness  # of the others, where worlds are weighed
    loss: float  # what a path that is under way seems to have lost, in standard deviations


SEARCH = np.dtype(
    (
        np.record,
        [
            ("iterations", "i8"),
            ("nodes", "i8"),
            ("asked", "i8"),  # information sets about which a network was asked
            ("total", "f8"),  # of the rewards of the seat that decides
            ("squares", "f8"),  # and of their squares
            ("weighted", "i8"),  # whether worlds are
            ("moves", "i8", (4,)),  # of the root, see `Moves`
            ("chances", "f8", (MOVES,)),  # priors of the moves at hand
        ],
    )
)
"""What a search keeps besides its tree."""

PATH = np.dtype(
    (
        np.record,
        [
            ("length", "i8"),
            ("slots", "i8", (HISTORY,)),  # of its nodes
            ("sides", "i8", (HISTORY,)),  # that made these moves
            ("known", "i8"),  # the information set where it ends
            ("loss", "f8"),  # what its nodes have lost until it is backed up
            ("rewards", "f8", (4,)),  # by side
        ],
    )
)
"""The path of one iteration."""


@kernel
def begin(  # type: ignore[no-untyped-def]
    records, values, views, row, options, seed, nodes, priors, searches, paths, knowledge, states, worlds, reached
):
    """Prepare the search of `views[row]` in a `Workspace`: an empty tree, what the seat knows, and its moves.

    Returns whether there is a world to search.
    """
    rules, view, search, state = records[0], views[row], searches[0], states[0]
    clear(nodes)
    clear(priors)
    search.iterations = 0
    search.nodes = 0
    search.asked = 0
    search.total = 0.0
    search.squares = 0.0
    if not study(rules, view, knowledge[0]):
        return False
    if not imagine(rules, view, knowledge[0], seed, state):
        return False
    # any world tells the moves, as the own hand is always the same
    moves = with_far(rules, moves_of(rules, state), by_rules(rules, values[0], state))
    search.moves[0] = moves.bits
    search.moves[1] = moves.bids
    search.moves[2] = moves.capots
    search.moves[3] = moves.far
    search.weighted = options.weights and view.public.length > 0
    if search.weighted:
        for number in range(len(worlds)):
            imagine(rules, view, knowledge[0], absorb(seed, number), worlds[number])
        weigh(rules, values[0], options.softness, view, worlds, reached)
        add_up(reached)
    return True


@kernel
def add_up(logs: NDArray[np.float64]) -> None:
    """Turn log-likelihoods into the sums of the tempered weights so far, the last one 1."""
    most, total = logs.max(), 0.0
    for number in range(len(logs)):
        total += np.exp(TEMPERING * (logs[number] - most))
        logs[number] = total
    logs /= total


@kernel
def write_world(  # type: ignore[no-untyped-def]
    rules, view, knowledge, search, key, worlds, reached, states, n
):
    """Write a world of the seat to `states[n]`."""
    if search.weighted:
        lot = draw(key, 0) / 4294967296.0
        states[n] = worlds[np.searchsorted(reached, lot, "right")]
    else:
        imagine(rules, view, knowledge, key, states[n])


@kernel
def root_moves(search: np.record) -> Moves:
    """Return the moves of the root."""
    return Moves(search.moves[0], search.moves[1], search.moves[2], search.moves[3])


@kernel
def iterate(  # type: ignore[no-untyped-def]
    records,
    values,
    views,
    row,
    options,
    seed,
    count,
    nodes,
    priors,
    searches,
    paths,
    knowledge,
    states,
    worlds,
    reached,
):
    """Add some iterations to the search of `views[row]`."""
    rules, view, search, path, state = records[0], views[row], searches[0], paths[0], states[0]
    me = view.seat
    for _ in range(count):
        key = absorb(seed, search.iterations)
        write_world(rules, view, knowledge[0], search, key, worlds, reached, states, 0)
        descend(rules, values[0], me, options, absorb(key, 1), nodes, priors, search, path, state)
        play_out(rules, values[0], state, options.rollouts, absorb(key, 2))
        back_up(rules, values[0], me, nodes, search, path, state)


@kernel
def descend(
    rules: np.record,
    values: np.record,
    me: int,
    options: Options,
    key: int,
    nodes: NDArray[np.void],
    priors: NDArray[np.void],
    search: np.record,
    path: np.record,
    state: np.record,
) -> None:
    """Follow the tree in a world until a node has been added, and on to the next choice or the end of the deal."""
    public = state.public
    deviation = _deviation(search)
    path.length = 0
    path.loss = options.loss * deviation
    place, is_new = ROOT, False
    while public.phase != OVER:
        seat = public.seat
        if seat != me and (public.phase == DISCARD or public.phase == AUCTION):
            action = by_rules(rules, values, state)
            place = after(place, seat, UNSEEN if public.phase == DISCARD else action)
            advance(rules, state, action)
            continue
        moves = root_moves(search) if place == ROOT else moves_of(rules, state)
        move = lowest(moves.bits)
        if moves.bits & (moves.bits - 1):
            if options.observers and seat != me:
                known = absorb(absorb(place, state.hands[seat]), own_aside(state, seat))
            else:  # what the root's seat holds follows from the place, and from what it has put aside
                known = place if place == ROOT else absorb(place, own_aside(state, me))
            path.known = known
            if is_new:
                break
            explore, room = options.exploration * deviation, search.nodes < options.most
            if options.prior == NO_PRIOR:
                lot = absorb(key, path.length)
                move, is_new = by_bound(moves.bits, known, seat, explore, room, lot, nodes)
            else:
                if options.prior == POLICY_PRIOR:
                    write_policy_prior(known, moves.bits, priors, search.chances)
                else:
                    write_rules_prior(rules, values, state, moves, search.chances)
                move, is_new = by_prior(moves.bits, known, seat, explore, room, search.chances, nodes)
            if move < 0:
                break
            _visit(node_key(known, seat, move), rules.side[seat], nodes, search, path)
        place = after(place, seat, UNSEEN if public.phase == DISCARD else move)
        advance(rules, state, action_of(rules, moves, move))


@kernel
def _deviation(search: np.record) -> float:
    """Return the standard deviation of the rewards so far, at least a little."""
    count = max(search.iterations, 1)
    mean = search.total / count
    return max(search.squares / count - mean * mean, 1e-6) ** 0.5


@kernel
def _visit(key: int, side: int, nodes: NDArray[np.void], search: np.record, path: np.record) -> None:
    """Count a visit of a node, which is added if there is none, and note it on the path."""
    slot = find(nodes, key)
    node = nodes[slot]
    if node.key == 0:
        node.key = key
        node.visits = 0
        node.available = 1
        node.total = 0.0
        search.nodes += 1
    node.visits += 1
    node.total -= path.loss
    path.slots[path.length] = slot
    path.sides[path.length] = side
    path.length += 1


@kernel
def back_up(
    rules: np.record,
    values: np.record,
    me: int,
    nodes: NDArray[np.void],
    search: np.record,
    path: np.record,
    state: np.record,
) -> None:
    """Add what came of a deal, in match points, to the nodes of a path."""
    rewards = path.rewards
    for side in range(rules.sides):  # a seat of the same number is of that side
        rewards[side] = margin(rules, state.result, side, WIN * values.tenth)
    for step in range(path.length):
        nodes[path.slots[step]].total += rewards[path.sides[step]] + path.loss
    own = rewards[rules.side[me]]
    search.total += own
    search.squares += own * own
    search.iterations += 1
