"""Searches with a trained network: priors, and on demand rollouts, by the policy of a checkpoint.

The network answers many questions at once much faster than one by one. So the searches of a batch advance together: a
round adds `LEAVES` paths to each, and the network is asked about the choices at their ends, and where it plays the
deals out, about every choice until the last card. Paths of one tree keep apart because those under way count as lost.
"""

from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from agents.agent import ImpossibleViewError
from agents.policy import PolicyAgent
from agents.search.ismcts.lockstep import finish_paths, keep_answers, questions, start_paths, take_answers
from agents.search.ismcts.rollout import BY_POLICY
from agents.search.ismcts.search import PATH, SEARCH, WORLDS, Options, begin
from agents.search.ismcts.tree import NODE, PRIOR, ROOT, new_table
from agents.search.ismcts.workspace import Findings, Workspace, new_findings, write_findings
from agents.search.worlds import KNOWLEDGE
from blot_env.rules import RuleSet
from blot_env.state import STATE
from blot_env.views import mask_width

LEAVES = 8  # paths of a search in a round
TOGETHER = 16  # searches
BATCH = 64  # rows that the network is asked about at once: always as many, so that an answer depends on its row alone


class LockstepSearch:
    """Searches of one game by a network."""

    def __init__(self, rules: RuleSet, values: NDArray[np.void], options: Options, path: str) -> None:
        """Load the network from the checkpoint in the folder `path`."""
        self._rules, self._values, self._options = rules.records, values, options
        self.network = PolicyAgent(rules, path)
        paths = LEAVES * TOGETHER  # a multiple of BATCH
        self._observations = np.zeros((paths, rules.observation.size), np.uint8)
        self._masks = np.zeros((paths, mask_width(rules)), np.int8)
        self._logits = np.zeros((paths, rules.actions.size), np.float32)
        self._rows, self._keys = np.zeros(paths, np.int64), np.zeros(paths, np.int64)
        self._paths, self._states = np.zeros(paths, PATH), np.zeros(paths, STATE)
        self._searches, self._knowledge = np.zeros(TOGETHER, SEARCH), np.zeros(TOGETHER, KNOWLEDGE)
        self._worlds, self._reached = np.zeros((TOGETHER, WORLDS), STATE), np.zeros((TOGETHER, WORLDS))
        self._nodes, self._priors = np.zeros((0, 1), NODE), np.zeros((0, 1), PRIOR)

    def search(self, views: NDArray[np.void], seeds: NDArray[np.int64], iterations: int, seconds: float) -> Findings:
        """Return what the searches of some views find, one by one.

        Args:
            views: shape (n,), of seats that have a choice.
            seeds: shape (n,).
            iterations: of each.
            seconds: for each; 0: no limit.
        """
        found = new_findings(len(views))
        for start in range(0, len(views), TOGETHER):
            few = slice(start, start + TOGETHER)
            self._search(views[few], seeds[few], iterations, seconds, found, start)
        return found

    def _search(
        self,
        views: NDArray[np.void],
        seeds: NDArray[np.int64],
        iterations: int,
        seconds: float,
        found: Findings,
        start: int,
    ) -> None:
        count = len(views)
        stop = perf_counter() + seconds * count
        self._make_room(count)
        nodes, priors = self._nodes[:count], self._priors[:count]
        searches, knowledge = self._searches[:count], self._knowledge[:count]
        fixed = (self._rules, self._values, views)
        for s in range(count):
            if not begin(*fixed, s, self._options, seeds[s], *self._workspace(s)):
                raise ImpossibleViewError
            self._paths["known"][s] = ROOT
        self._ask(count, searches, priors, 1, False)
        done = 0
        while done < iterations and (not done or not seconds or perf_counter() < stop):
            leaves = min(LEAVES, iterations - done)
            work = (nodes, priors, searches, self._paths, knowledge, self._states, self._worlds, self._reached)
            start_paths(*fixed, self._options, seeds, leaves, *work, self._keys)
            self._ask(count * leaves, searches, priors, leaves, self._options.rollouts == BY_POLICY)
            finish_paths(*fixed, self._options, leaves, nodes, searches, self._paths, self._states, self._keys)
            done += leaves
        for s in range(count):
            write_findings(self._rules, views, s, self._workspace(s), found, start + s)

    def _make_room(self, count: int) -> None:
        """Have tables for so many searches."""
        if len(self._nodes) < count:
            one = new_table(self._options.most, NODE), new_table(self._options.most, PRIOR)
            self._nodes, self._priors = (np.zeros((count, len(table)), table.dtype) for table in one)

    def _workspace(self, s: int) -> Workspace:
        """Return the workspace of a search; its path and state are those of the first round's first path."""
        one = slice(s, s + 1)
        own = (self._searches[one], self._paths[one], self._knowledge[one], self._states[one])
        return Workspace(self._nodes[s], self._priors[s], *own, self._worlds[s], self._reached[s])

    def _ask(
        self, count: int, searches: NDArray[np.void], priors: NDArray[np.void], leaves: int, play_out: bool
    ) -> None:
        """Ask about the ends of the first `count` paths, `leaves` a search, and, to play out, on to the last cards."""
        at_end = True
        while asked := questions(self._rules, self._states, count, self._rows, self._observations, self._masks):
            for first in range(0, asked, BATCH):
                batch = slice(first, first + BATCH)
                self._logits[batch] = self.network.logits(self._observations[batch])
            rows = self._rows[:asked]
            if at_end:
                keep_answers(
                    self._rules, self._options, leaves, searches, self._paths, self._states, rows, self._logits, priors
                )
            if not play_out:
                break
            take_answers(self._rules, self._states, rows, self._logits, self._masks, self._keys)
            at_end = False
