"""The spec `ismcts:iterations=2000`: information set Monte Carlo tree search, for calls and cards."""

from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from time import perf_counter
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from agents.agent import ImpossibleViewError
from agents.cores import cores
from agents.rule_based.likely import SOFTNESS
from agents.rule_based.values import values_of
from agents.search.ismcts.rollout import ROLLOUTS
from agents.search.ismcts.search import Options, begin, iterate
from agents.search.ismcts.selection import PRIORS
from agents.search.ismcts.workspace import (
    Findings,
    Workspace,
    new_findings,
    new_workspace,
    write_findings,
)
from blot_env.random import absorb
from blot_env.rules import RuleSet
from blot_env.views import Decisions

ITERATIONS = 2000
MOST = 1 << 22  # iterations
MOST_NODES, MOST_ASKED = 1 << 18, 1 << 13  # of a tree; the second where a network is asked about each
EXPLORATION = {
    "none": 1.0,
    "rules": 1.4,
    "policy": 1.4,
}  # from short duplicate matches
LOSS = 1.0  # what a path that is under way seems to have lost
CHUNK = 64  # iterations between two looks at the clock

Prior = Literal["none", "rules", "policy"]
Rollouts = Literal["random", "rules", "policy"]


class IsmctsPlayer:
    """Searches each decision that has a choice."""

    searches = True

    def __init__(
        self,
        rules: RuleSet,
        iterations: Annotated[int, Field(ge=1, le=MOST)] | None = None,
        exploration: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None,
        rollouts: Rollouts = "rules",
        observers: Literal["one", "many"] = "one",
        prior: Prior | None = None,
        weights: Literal["rules", "none"] = "rules",
        policy: str | None = None,
        threads: Annotated[int, Field(ge=1, le=64)] = 1,
        ms: Annotated[int, Field(ge=1, le=60_000)] | None = None,
    ) -> None:
        """Set up the searches of one game.

        Args:
            rules: the game.
            iterations: of a decision, by all its trees; 2000 unless `ms` is given.
            exploration: how much unlike moves are tried, in standard deviations of the rewards.
            rollouts: who plays a deal out beyond the tree.
            observers: one tree for all seats, or what each seat knows by itself.
            prior: which moves are looked at first; with `none` all are, by UCB.
            weights: worlds are drawn by how likely they make what the others called and played, or all alike.
            policy: the folder of a checkpoint, for priors and rollouts.
            threads: trees of a decision, each of its own, whose visits are added up.
            ms: search for so many milliseconds, up to a minute; such a search does not repeat.

        Raises:
            ValueError: options that contradict each other.
        """
        if policy == "":
            raise ValueError("the policy is empty: write policy=PATH, or leave it out")
        if iterations and ms:
            raise ValueError("a search ends after iterations or after ms: give one of them")
        prior = prior or ("policy" if policy else "rules")
        if "policy" in (prior, rollouts) and not policy:
            raise ValueError("prior and rollouts of a policy need one: write policy=PATH")
        if policy and "policy" not in (prior, rollouts):
            raise ValueError("neither prior nor rollouts are those of the policy: leave it out")
        given = {
            **({"ms": ms} if ms else {"iterations": iterations or ITERATIONS}),
            **({"exploration": exploration} if exploration else {}),
            **({"rollouts": rollouts} if rollouts != "rules" else {}),
            **({"observers": observers} if observers != "one" else {}),
            **({"prior": prior} if prior != ("policy" if policy else "rules") else {}),
            **({"weights": weights} if weights != "rules" else {}),
            **({"policy": policy} if policy else {}),
            **({"threads": threads} if threads > 1 else {}),
        }
        options = ",".join(f"{key}={value}" for key, value in given.items())
        self.name = f"ismcts:{options}@1" + (" (timed)" if ms else "")
        self.timed = ms is not None
        self._rules, self._values = rules.records, np.array([values_of(rules)])
        self._seconds, self._trees = (ms or 0) / 1000, threads
        self._iterations = MOST if ms else -(-(iterations or ITERATIONS) // threads)
        most = min(self._iterations, MOST_ASKED if policy else MOST_NODES)
        self._options = Options(
            int(weights == "rules"),
            exploration or EXPLORATION[prior],
            int(observers == "many"),
            ROLLOUTS.index(rollouts),
            PRIORS.index(prior),
            most,
            SOFTNESS,
            LOSS if policy else 0.0,
        )
        self.made_of: dict[str, str] = {}
        self._policy = None
        if policy:
            from agents.search.ismcts.by_policy import LockstepSearch  # torch is loaded for those who need it

            self._policy = LockstepSearch(rules, self._values, self._options, policy)
            self.made_of = self._policy.network.made_of
        workers = cores()
        self._spaces: SimpleQueue[Workspace] = SimpleQueue()
        for _ in range(workers):
            self._spaces.put(new_workspace(most))
        self._pool = ThreadPoolExecutor(workers)

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return one legal action for each decision, shape (n,)."""
        actions = decisions.masks.argmax(1).astype(np.int64)
        rows = np.flatnonzero(np.count_nonzero(decisions.masks, 1) > 1)
        if len(rows):
            actions[rows] = self.search(decisions[rows]).best()
        return actions

    def search(self, decisions: Decisions) -> Findings:
        """Return what the search of each decision, which must have a choice, finds."""
        tasks = len(decisions) * self._trees
        seeds = [int(absorb(int(seed), tree)) for seed in decisions.seeds for tree in range(self._trees)]
        if self._policy:
            views = np.repeat(decisions.views, self._trees)
            found = self._policy.search(views, np.array(seeds), self._iterations, self._seconds)
            return found.merged(self._trees)
        found = new_findings(tasks)

        def one(task: int) -> None:
            row = task // self._trees
            space = self._spaces.get()
            try:
                self._search(decisions.views, row, seeds[task], space)
                write_findings(self._rules, decisions.views, row, space, found, task)
            finally:
                self._spaces.put(space)

        list(self._pool.map(one, range(tasks)))
        return found.merged(self._trees)

    def _search(self, views: NDArray[np.void], row: int, seed: int, space: Workspace) -> None:
        fixed = (self._rules, self._values, views, row)
        if not begin(*fixed, self._options, seed, *space):
            raise ImpossibleViewError
        if not self._seconds:
            iterate(*fixed, self._options, seed, self._iterations, *space)
            return
        stop = perf_counter() + self._seconds
        iterate(*fixed, self._options, seed, CHUNK, *space)
        while perf_counter() < stop:
            iterate(*fixed, self._options, seed, CHUNK, *space)
