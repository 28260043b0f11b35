"""Who judges the actions of a decision: the rule-based player or a trained network. Values are match points.

A network says how likely it takes an action, not what that is worth: one nat of log-probability counts as a match
point, where match points are raw points as ten.
"""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from agents.contract_calls import call_values
from agents.contract_values import ContractValues
from agents.rule_based.options import OPTION
from agents.rule_based.player import consider
from agents.rule_based.values import values_of
from blot_env.actions import CONTRA, PASS, RECONTRA
from blot_env.rules import RuleSet
from blot_env.state import AUCTION
from blot_env.views import Decisions

LEAST = 1e-9
"""Probabilities below it count as it."""


class Networks(Protocol):
    """A trained policy, and contract values where they were trained."""

    values: ContractValues | None
    digests: dict[str, str]

    def probabilities(self, decisions: Decisions) -> NDArray[np.float64]:
        """Return the probability of each action, shape (n, actions), 0 for illegal ones."""
        ...


class Judgement(NamedTuple):
    """Actions, shape (k,), and their values in match points, shape (k,)."""

    actions: NDArray[np.int64]
    values: NDArray[np.float64]

    def without_contra(self) -> "Judgement":
        """Return the judgement of a player who never contras; who considers nothing else passes."""
        kept = (self.actions != CONTRA) & (self.actions != RECONTRA)
        if not kept.any():
            return Judgement(np.array([PASS]), np.zeros(1))
        return Judgement(self.actions[kept], self.values[kept])


class Judge(Protocol):
    """Says what actions are worth."""

    def judge(self, decision: Decisions) -> Judgement:
        """Return what is considered at one decision, at least one action."""
        ...


class RulesJudge:
    """The rule-based player: what it considers, which is not every legal call."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules, self._values = rules.record, values_of(rules)
        self._size = rules.actions.size

    def judge(self, decision: Decisions) -> Judgement:
        """Return them as `Judge` does."""
        options = np.empty(self._size, OPTION)
        view = decision.views[0]
        considered = options[: consider(self._rules, self._values, view, options)]
        unit = 1 if view.public.phase == AUCTION else int(self._rules.unit)
        return Judgement(considered["action"].copy(), considered["value"] / unit)


class ValuesJudge(RulesJudge):
    """The rule-based player; in the auction with trained contract values in place of its own outlook."""

    def __init__(self, rules: RuleSet, contract_values: ContractValues) -> None:
        super().__init__(rules)
        self._game, self._contract_values = rules, contract_values

    def judge(self, decision: Decisions) -> Judgement:
        """Return them as `Judge` does."""
        if decision.views[0].public.phase != AUCTION:
            return super().judge(decision)
        worth = call_values(self._game, decision, self._contract_values)[0]
        calls = np.flatnonzero(np.isfinite(worth))
        return Judgement(calls, worth[calls])


class NetworkJudge:
    """A policy: all legal actions."""

    def __init__(self, rules: RuleSet, networks: Networks) -> None:
        self._networks, self._tenth = networks, 10 / rules.record.unit

    def judge(self, decision: Decisions) -> Judgement:
        """Return them as `Judge` does."""
        legal = np.flatnonzero(decision.masks[0])
        chances = self._networks.probabilities(decision)[0, legal]
        return Judgement(legal, self._tenth * np.log(np.maximum(chances, LEAST)))
