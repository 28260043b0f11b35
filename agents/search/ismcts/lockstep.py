"""The kernels of searches that ask a network: several advance together, a round of paths at a time.

Arrays have a row for each search; of paths and states, a row for each path of a round, search by search.
"""

import numpy as np
from numpy.typing import NDArray

from agents.search.compile import kernel
from agents.search.ismcts.moves import action_of, moves_of
from agents.search.ismcts.rollout import BY_POLICY, advance, play_out
from agents.search.ismcts.search import back_up, descend, root_moves, write_world
from agents.search.ismcts.tree import MOVES, ROOT, find
from blot_env.bits import lowest
from blot_env.engine import legal, legal_count, nth_legal
from blot_env.observing import own_aside
from blot_env.random import absorb, draw
from blot_env.state import OVER
from blot_env.views import look


@kernel
def start_paths(  # type: ignore[no-untyped-def]
    records,
    values,
    views,
    options,
    seeds,
    leaves,
    nodes,
    priors,
    searches,
    paths,
    knowledge,
    states,
    worlds,
    reached,
    keys,
):
    """Descend along `leaves` new paths of each search."""
    rules = records[0]
    for s in range(len(searches)):
        me = views[s].seat
        for leaf in range(leaves):
            n = s * leaves + leaf
            key = absorb(seeds[s], searches[s].iterations + leaf)
            keys[n] = absorb(key, 2)
            write_world(rules, views[s], knowledge[s], searches[s], key, worlds[s], reached[s], states, n)
            descend(
                rules, values[0], me, options, absorb(key, 1), nodes[s], priors[s], searches[s], paths[n], states[n]
            )


@kernel
def finish_paths(  # type: ignore[no-untyped-def]
    records, values, views, options, leaves, nodes, searches, paths, states, keys
):
    """Play the deals out that are not over yet, and back all paths up."""
    rules = records[0]
    for s in range(len(searches)):
        for leaf in range(leaves):
            n = s * leaves + leaf
            if options.rollouts != BY_POLICY:
                play_out(rules, values[0], states[n], options.rollouts, keys[n])
            back_up(rules, values[0], views[s].seat, nodes[s], searches[s], paths[n], states[n])


@kernel
def questions(records, states, count, rows, observations, masks):  # type: ignore[no-untyped-def]
    """Write what the seats to act observe in the first `count` states that are not over, and which these are.

    Actions without an alternative are taken at once.

    Returns:
        How many they are.
    """
    rules, asked = records[0], 0
    for row in range(count):
        state = states[row]
        public = state.public
        while public.phase != OVER:
            seat = public.seat
            hand, dealt = state.hands[seat], state.dealt[seat]
            bits, first, stop, capot = legal(rules, public, hand, dealt)
            if legal_count(rules, bits, first, stop, capot) > 1:
                look(rules, public, seat, hand, dealt, own_aside(state, seat), observations[asked], masks[asked])
                rows[asked] = row
                asked += 1
                break
            advance(rules, state, nth_legal(bits, first, stop, capot, 0))
    return asked


@kernel
def keep_answers(records, options, leaves, searches, paths, states, rows, logits, priors):  # type: ignore[no-untyped-def]
    """Keep what a network says of the moves at the ends of paths, unless it has been asked there before.

    `logits[i]`, (actions,), are about the end of path `rows[i]`.
    """
    rules = records[0]
    for i in range(len(rows)):
        n = rows[i]
        s = n // leaves
        place = paths[n].known
        row = priors[s, find(priors[s], place)]
        if row.key == 0 and searches[s].asked < options.most:
            searches[s].asked += 1
            row.key = place
            moves = root_moves(searches[s]) if place == ROOT else moves_of(rules, states[n])
            _write_chances(rules, moves, logits[i], row.chances)


@kernel
def _write_chances(rules, moves, logits, chances):  # type: ignore[no-untyped-def]
    """Write the softmax of the logits of some moves, -1 for the rest, shape (MOVES,)."""
    top = -np.inf
    rest = moves.bits
    while rest:
        top = max(top, logits[action_of(rules, moves, lowest(rest))])
        rest &= rest - 1
    total = 0.0
    for move in range(MOVES):
        chances[move] = -1.0
        if moves.bits >> move & 1:
            chances[move] = np.exp(logits[action_of(rules, moves, move)] - top)
            total += chances[move]
    for move in range(MOVES):
        if moves.bits >> move & 1:
            chances[move] /= total


@kernel
def take_answers(records, states, rows, logits, masks, keys):  # type: ignore[no-untyped-def]
    """Take in each of some states an action drawn by a network's logits; a key a state draws."""
    rules = records[0]
    for i in range(len(rows)):
        state = states[rows[i]]
        advance(rules, state, _drawn(logits[i], masks[i], draw(keys[rows[i]], state.public.length)))


@kernel
def _drawn(logits: NDArray[np.float32], mask: NDArray[np.int8], lot: int) -> int:
    """Return a legal action by 32 random bits, each as likely as the logits say."""
    top = -np.inf
    for action in range(len(logits)):
        if mask[action]:
            top = max(top, logits[action])
    total = 0.0
    for action in range(len(logits)):
        if mask[action]:
            total += np.exp(logits[action] - top)
    left, last = lot / 4294967296.0 * total, -1
    for action in range(len(logits)):
        if mask[action]:
            left -= np.exp(logits[action] - top)
            last = action
            if left < 0.0:
                break
    return last
