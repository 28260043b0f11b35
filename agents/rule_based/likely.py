"""The player made probabilistic: how likely each legal action is, if nobody plays exactly by these rules.

A softmax over the values of what it considers, mixed with a floor: now and then any legal action is as likely as any
other, so none is impossible. `benchmarks/likelihood.py` fits the numbers of `SOFTNESS`.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel
from agents.rule_based.options import OPTION
from agents.rule_based.player import consider
from agents.rule_based.values import values_of
from blot_env.engine import legal, legal_count, nth_legal
from blot_env.rules import RuleSet
from blot_env.state import AUCTION
from blot_env.views import Decisions


class Softness(NamedTuple):
    """How far actions stray from the rules."""

    cards: float  # temperature of cards, swaps and discards: points of difference between the sides
    calls: float  # temperature of calls: match points, where ten raw points are one
    card_floor: float  # how often any legal card is as likely as any other
    call_floor: float  # and any legal call


SOFTNESS = Softness(cards=0.5, calls=3.0, card_floor=0.2, call_floor=0.005)


@kernel
def soften(rules: np.record, values: np.record, view: np.record, softness: Softness, options: NDArray) -> int:
    """Write the options of the seat to act, the floor's share of their probability aside; return how many they are.

    Args:
        options: dtype `OPTION`, room for all actions; `value` becomes the probability.
    """
    count = consider(rules, values, view, options)
    temperature = softness.calls * values.tenth if view.public.phase == AUCTION else softness.cards
    most, total = -np.inf, 0.0
    for place in range(count):
        most = max(most, options[place].value)
    for place in range(count):
        weight = math.exp((options[place].value - most) / temperature)
        options[place].value = weight
        total += weight
    for place in range(count):
        options[place].value /= total
    return count


@kernel
def floor_of(view: np.record, softness: Softness) -> float:
    """Return how often any legal action of the seat to act is as likely as any other."""
    return softness.call_floor if view.public.phase == AUCTION else softness.card_floor


@kernel
def log_probability(
    rules: np.record, values: np.record, view: np.record, softness: Softness, action: int, options: NDArray
) -> float:
    """Return the logarithm of the probability of a legal action of the seat to act.

    Args:
        options: scratch, dtype `OPTION`, room for all actions.
    """
    bits, first, stop, capot = legal(rules, view.public, view.hand, view.dealt)
    actions = legal_count(rules, bits, first, stop, capot)
    if actions == 1:
        return 0.0
    count = soften(rules, values, view, softness, options)
    chance = 0.0
    for place in range(count):
        if options[place].action == action:
            chance = options[place].value
    floor = floor_of(view, softness)
    return math.log((1.0 - floor) * chance + floor / actions)


@kernel
def write_probabilities(
    rules: np.record, values: np.record, view: np.record, softness: Softness, options: NDArray, row: NDArray[np.float64]
) -> None:
    """Write the probability of every action of the seat to act to `row`, shape (actions,)."""
    bits, first, stop, capot = legal(rules, view.public, view.hand, view.dealt)
    actions = legal_count(rules, bits, first, stop, capot)
    floor = floor_of(view, softness)
    row[:] = 0.0
    for number in range(actions):
        row[nth_legal(bits, first, stop, capot, number)] = floor / actions
    for place in range(soften(rules, values, view, softness, options)):
        row[options[place].action] += (1.0 - floor) * options[place].value


class LikelyPlayer:
    """The rule-based player made probabilistic, as a policy."""

    def __init__(self, rules: RuleSet, softness: Softness = SOFTNESS) -> None:
        self._rules, self._values, self._softness = rules.record, values_of(rules), softness

    def probabilities(self, decisions: Decisions) -> NDArray[np.float64]:
        """Return the probability of each action, shape (n, actions), 0 for illegal ones."""
        rows = np.empty((len(decisions), decisions.rules.actions.size))
        _write_all(self._rules, self._values, decisions.views, self._softness, rows)
        return rows


@kernel
def _write_all(
    rules: np.record, values: np.record, views: NDArray, softness: Softness, rows: NDArray[np.float64]
) -> None:
    options = np.empty(rules.actions, OPTION)
    for row in range(len(views)):
        write_probabilities(rules, values, views[row], softness, options, rows[row])
