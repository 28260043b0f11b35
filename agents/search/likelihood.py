"""Weights of worlds: how likely the others' calls and cards so far are, if a world is the true one.

A likelihood is any model of the others: the rule-based player made probabilistic, or a policy. Worlds are drawn alike
from all that a seat may be in, weighed, and thinned out (docs/search.md, Weights).
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from agents.rule_based.likely import SOFTNESS, Softness, log_probability
from agents.rule_based.options import OPTION
from agents.rule_based.values import VALUES, values_of
from agents.search.compile import kernel
from agents.search.history import deal_in, retrace
from agents.search.worlds import sample_worlds
from blot_env.random import absorb, draw
from blot_env.rules import RuleSet
from blot_env.state import VIEW
from blot_env.views import Decisions, look, mask_width

TEMPERING = (
    0.6  # the power to which likelihoods are taken: the others are not quite the model, nor their actions independent
)
CANDIDATES = 20  # worlds drawn for each one wanted
POLICY_FLOOR = 0.01  # how often any legal action of a policy is as likely as any other
_LIGHTEST = -500.0  # logarithm of the least weight against the greatest, so that none is 0
_THINNING = 0x7819  # a stream of the generator
_AT_ONCE = 1024  # worlds drawn and weighed, before it is asked whether to stop
_ROWS = 4096  # decisions that a policy is asked at once


class Likelihood(Protocol):
    """A model of the other seats."""

    def log_likelihoods(self, rules: RuleSet, view: NDArray[np.void], worlds: NDArray[np.void]) -> NDArray[np.float64]:
        """Return how likely the other seats' calls and cards so far are in each world: natural logarithms, shape (n,).

        Args:
            view: what a seat knows, dtype `VIEW`, shape (1,).
            worlds: dtype `STATE`, shape (n,); the table of each is that of the view.
        """
        ...


class RulesLikelihood:
    """The others play by `rules`, more or less.

    Args:
        softness: how much less.
    """

    def __init__(self, softness: Softness = SOFTNESS) -> None:
        self._softness = softness

    def log_likelihoods(self, rules: RuleSet, view: NDArray[np.void], worlds: NDArray[np.void]) -> NDArray[np.float64]:
        """Return them as `Likelihood` does."""
        out = np.zeros(len(worlds))
        if len(worlds):
            _weigh(rules.records, _values(rules), self._softness, view, worlds, out)
        return out


class Policy(Protocol):
    """Anything that says how likely it takes each action."""

    def probabilities(self, decisions: Decisions) -> NDArray[np.float64]:
        """Return the probability of each action, shape (n, actions), 0 for illegal ones."""
        ...


class PolicyLikelihood:
    """The others play by a policy, more or less.

    Args:
        policy: one of the same rules.
        floor: how often any legal action is as likely as any other.
    """

    def __init__(self, policy: Policy, floor: float = POLICY_FLOOR) -> None:
        self._policy, self._floor = policy, floor

    def log_likelihoods(self, rules: RuleSet, view: NDArray[np.void], worlds: NDArray[np.void]) -> NDArray[np.float64]:
        """Return them as `Likelihood` does."""
        out = np.zeros(len(worlds))
        if not len(worlds):
            return out
        steps = np.empty(view["public"]["length"][0], VIEW)
        steps = steps[: _retrace(rules.records, worlds, view, steps)]
        each = max(_ROWS // len(worlds), 1)
        for first in range(0, len(steps), each):
            decisions, actions = _decisions(rules, steps[first : first + each], worlds)
            out += self._log_probabilities(decisions, actions).reshape(-1, len(worlds)).sum(0)
        return out

    def _log_probabilities(self, decisions: Decisions, actions: NDArray[np.int64]) -> NDArray[np.float64]:
        legal = decisions.masks.sum(1)
        logs = np.zeros(len(actions))
        rows = np.flatnonzero(legal > 1)
        if len(rows):
            chances = self._policy.probabilities(decisions[rows])[np.arange(len(rows)), actions[rows]]
            logs[rows] = np.log((1 - self._floor) * chances + self._floor / legal[rows])
        return logs


def weighted_worlds(
    rules: RuleSet,
    view: NDArray[np.void],
    n: int,
    seed: int,
    likelihood: Likelihood,
    tempering: float = TEMPERING,
    candidates: int | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> tuple[NDArray[np.void], NDArray[np.float64]]:
    """Return worlds that a seat may be in with their weights; those that explain the others' actions are likelier.

    Weights are likelihoods to the power `tempering`. Of more candidates than are wanted the heaviest are all kept, the
    others by lot, with the weight of those left out: no world comes twice, and sums over the worlds stay right on
    average.

    Args:
        view: what the seat knows, dtype `VIEW`, shape (1,).
        n: how many worlds.
        seed: the worlds follow from it and the view.
        candidates: how many are drawn uniformly, at least `n`; by default twenty times `n`.
        stopped: asked between some and the next: whether to draw no more.

    Returns:
        Worlds, dtype `STATE`, shape (n,), or as many as were drawn when it was stopped, and weights, float64, of the
        same shape, that sum to 1.

    Raises:
        ValueError: as `sample_worlds`, or no world is wanted.
    """
    if n < 1:
        raise ValueError(f"n: at least one world is wanted, not {n!r:.20}")
    wanted = CANDIDATES * n if candidates is None else max(candidates, n)
    parts: list[tuple[NDArray[np.void], NDArray[np.float64]]] = []
    for first in range(0, wanted, _AT_ONCE):
        some = sample_worlds(rules, view, min(_AT_ONCE, wanted - first), seed, first)
        parts.append((some, likelihood.log_likelihoods(rules, view, some)))
        if stopped():
            break
    drawn, logs = (np.concatenate(part) for part in zip(*parts, strict=True))
    logs, n = tempering * logs, min(n, len(drawn))
    weights = np.exp(np.maximum(logs - logs.max(), _LIGHTEST))
    chosen, kept = np.empty(n, np.int64), np.empty(n)
    thin(weights / weights.sum(), (draw(absorb(seed, _THINNING), 0) + 0.5) / 2**32, chosen, kept)
    return drawn[chosen], kept


def effective_size(weights: NDArray[np.float64]) -> float:
    """Return how many equally weighted worlds tell as much as these."""
    return float(weights.sum() ** 2 / (weights**2).sum())


@kernel
def weigh(
    rules: np.record, values: np.record, softness: Softness, view: np.record, worlds: NDArray, out: NDArray
) -> None:
    """Write the log-likelihood of each world under the rule-based player.

    Args:
        view: what a seat knows.
        worlds: dtype `STATE`, shape (n,), at least one; the table of each is that of the view.
        out: float64, shape (n,).
    """
    steps = np.empty(view.public.length, VIEW)
    options = np.empty(rules.actions, OPTION)
    out[:] = 0.0
    for number in range(retrace(rules, worlds[0], view.seat, steps)):
        step = steps[number]
        for row in range(len(worlds)):
            action = deal_in(rules, worlds[row], step)
            out[row] += log_probability(rules, values, step, softness, action, options)


@kernel
def thin(weights: NDArray[np.float64], lot: float, chosen: NDArray[np.int64], kept: NDArray[np.float64]) -> None:
    """Choose among weighted things so that any sum over them is right on average and varies least.

    Those above a threshold are kept as they are, each other one with a chance in proportion to its weight, and then
    with the threshold as weight (Fearnhead and Clifford 2003); no one comes twice.

    Args:
        weights: shape (m,), positive, summing to 1.
        lot: in (0, 1), further from both ends than the rounding of sums.
        chosen: shape (n,), n up to m: their places, ascending.
        kept: shape (n,): their weights, summing to 1.
    """
    ascending = np.sort(weights)
    sums = np.cumsum(ascending)
    left, light = len(chosen), len(weights)  # how many are wanted of how many of the lightest
    while left > 1 and ascending[light - 1] > sums[light - 1] / left:
        left -= 1
        light -= 1
    threshold = sums[light - 1] / left
    count, passed = 0, lot
    for place in range(len(weights)):
        sure = weights[place] > threshold
        passed += 0.0 if sure else weights[place] / threshold
        if sure or passed >= 1.0:
            passed -= 0.0 if sure else 1.0
            chosen[count] = place
            kept[count] = weights[place] if sure else threshold
            count += 1


@lru_cache(maxsize=32)
def _values(rules: RuleSet) -> NDArray[np.void]:
    """Return the rule-based player's values as an array, shape (1,)."""
    values = np.empty(1, VALUES)
    values[0] = values_of(rules)
    return values


def _decisions(
    rules: RuleSet, steps: NDArray[np.void], worlds: NDArray[np.void]
) -> tuple[Decisions, NDArray[np.int64]]:
    """Return all steps in all worlds as decisions, step by step, and the actions taken."""
    n = len(steps) * len(worlds)
    views, actions = np.repeat(steps, len(worlds)), np.empty(n, np.int64)
    observations = np.zeros((n, rules.observation.size), np.uint8)
    masks = np.zeros((n, mask_width(rules)), np.int8)
    _look_back(rules.records, worlds, views, actions, observations, masks)
    decisions = Decisions(rules, views, observations, masks[:, : rules.actions.size], np.zeros(n, np.int64))
    return decisions, actions


@kernel
def _weigh(records: Any, values: Any, softness: Any, views: Any, worlds: Any, out: Any) -> None:
    weigh(records[0], values[0], softness, views[0], worlds, out)


@kernel
def _retrace(records: Any, worlds: Any, views: Any, steps: Any) -> int:
    return retrace(records[0], worlds[0], views[0].seat, steps)


@kernel
def _look_back(records: Any, worlds: Any, views: Any, actions: Any, observations: Any, masks: Any) -> None:
    rules = records[0]
    for row in range(len(views)):
        view = views[row]
        actions[row] = deal_in(rules, worlds[row % len(worlds)], view)
        look(rules, view.public, view.seat, view.hand, view.dealt, view.aside, observations[row], masks[row])
