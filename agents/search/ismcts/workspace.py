"""What one search writes to, and what it found."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.search.compile import kernel
from agents.search.ismcts.moves import action_of
from agents.search.ismcts.search import PATH, SEARCH, WORLDS, root_moves
from agents.search.ismcts.tree import MOVES, NODE, PRIOR, ROOT, find, new_table, node_key
from agents.search.worlds import KNOWLEDGE
from blot_env.bits import lowest
from blot_env.state import STATE


class Workspace(NamedTuple):
    """Arrays of one row, but for the tables of nodes and priors and the worlds."""

    nodes: NDArray[np.void]
    priors: NDArray[np.void]
    search: NDArray[np.void]
    path: NDArray[np.void]
    knowledge: NDArray[np.void]
    state: NDArray[np.void]
    worlds: NDArray[np.void]  # those that are weighed
    reached: NDArray[np.float64]  # the sums of their weights so far


def new_workspace(most: int, asked: int = 0) -> Workspace:
    """Return a workspace for a tree of so many nodes, in which a network is asked so often."""
    return Workspace(
        nodes=new_table(most, NODE),
        priors=new_table(asked, PRIOR),
        search=np.zeros(1, SEARCH),
        path=np.zeros(1, PATH),
        knowledge=np.zeros(1, KNOWLEDGE),
        state=np.zeros(1, STATE),
        worlds=np.zeros(WORLDS, STATE),
        reached=np.zeros(WORLDS),
    )


@dataclass(frozen=True)
class Findings:
    """What searches found at the roots of `n` decisions, by move (see `moves`); rewards in match points."""

    actions: NDArray[np.int64]  # (n, MOVES), -1 where there is no such move
    visits: NDArray[np.int64]  # (n, MOVES)
    available: NDArray[np.int64]  # (n, MOVES)
    totals: NDArray[np.float64]  # (n, MOVES) sums of rewards
    nodes: NDArray[np.int64]  # (n,)

    def merged(self, trees: int) -> "Findings":
        """Return what each group of so many trees found together."""
        groups = {name: rows.reshape(-1, trees, *rows.shape[1:]) for name, rows in vars(self).items()}
        return Findings(groups.pop("actions")[:, 0], **{name: rows.sum(1) for name, rows in groups.items()})

    def best(self) -> NDArray[np.int64]:
        """Return the actions of the moves most often made, (n,); of those made alike, the one that brought more."""
        means = self.totals / np.maximum(self.visits, 1)
        most = self.visits == self.visits.max(1, keepdims=True)
        return self.actions[np.arange(len(means)), np.where(most, means, -np.inf).argmax(1)]


def new_findings(n: int) -> Findings:
    """Return room for the findings of `n` searches."""
    shape = (n, MOVES)
    counts = np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros(shape)
    return Findings(np.full(shape, -1), *counts, np.zeros(n, np.int64))


def write_findings(
    rules: NDArray[np.void], views: NDArray[np.void], row: int, space: Workspace, found: Findings, task: int
) -> None:
    """Write what a search of `views[row]` has found to row `task`."""
    found.nodes[task] = space.search["nodes"][0]
    rows = (found.actions[task], found.visits[task], found.available[task], found.totals[task])
    _write_root(rules, views, row, space.nodes, space.search, *rows)


@kernel
def _write_root(records, views, row, nodes, searches, actions, visits, available, totals):  # type: ignore[no-untyped-def]
    moves = root_moves(searches[0])
    rest = moves.bits
    while rest:
        move = lowest(rest)
        rest &= rest - 1
        actions[move] = action_of(records[0], moves, move)
        node = nodes[find(nodes, node_key(ROOT, views[row].seat, move))]
        if node.key != 0:
            visits[move] = node.visits
            available[move] = node.available
            totals[move] = node.total
