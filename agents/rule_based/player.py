"""The rule-based player: one compiled pass over the decisions of a batch."""

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel
from agents.rule_based.bidding import choose_call
from agents.rule_based.play import choose_card
from blot_env.rules import RuleSet
from blot_env.state import AUCTION
from blot_env.views import Decisions


class RulePlayer:
    """A sound club player that follows rules and draws no lots.

    It sees views alone, so it cannot know more than its seat does.
    """

    name = "rules@1"

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules.record

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return one legal action for each decision, shape (n,)."""
        actions = np.empty(len(decisions), np.int64)
        choose_all(self._rules, decisions.views, actions)
        return actions


@kernel
def choose_all(rules: np.record, views: NDArray, actions: NDArray[np.int64]) -> None:
    """Write the action for each row of `VIEW`."""
    for row in range(len(views)):
        actions[row] = choose(rules, views[row])


@kernel
def choose(rules: np.record, view: np.record) -> int:
    """Return the action of the seat to act."""
    if view.public.phase == AUCTION:
        return choose_call(rules, view)
    return choose_card(rules, view)
