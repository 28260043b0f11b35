"""The rule-based player: one compiled pass over the decisions of a batch."""

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel
from agents.rule_based.bidding import choose_call
from agents.rule_based.claims import choose_announcement, choose_showing
from agents.rule_based.naming import choose_discard, choose_name, choose_swap
from agents.rule_based.play import choose_card
from agents.rule_based.values import values_of
from blot_env.rules import RuleSet
from blot_env.rules_record import NUMBERED
from blot_env.state import ANNOUNCING, AUCTION, DISCARD, PLAY, SHOWING
from blot_env.views import Decisions


class RulePlayer:
    """A sound club player that follows rules and draws no lots.

    It sees views alone, so it cannot know more than its seat does.
    """

    name = "rules@1"

    def __init__(self, rules: RuleSet) -> None:
        self._rules, self._values = rules.record, values_of(rules)

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return one legal action for each decision, shape (n,)."""
        actions = np.empty(len(decisions), np.int64)
        choose_all(self._rules, self._values, decisions.views, actions)
        return actions


@kernel
def choose_all(rules: np.record, values: np.record, views: NDArray, actions: NDArray[np.int64]) -> None:
    """Write the action for each row of `VIEW`."""
    for row in range(len(views)):
        actions[row] = choose(rules, values, views[row])


@kernel
def choose(rules: np.record, values: np.record, view: np.record) -> int:
    """Return the action of the seat to act."""
    phase = view.public.phase
    if phase == PLAY:
        return choose_card(rules, view)
    if phase == AUCTION:
        return choose_call(rules, values, view) if rules.auction == NUMBERED else choose_name(rules, values, view)
    if phase == DISCARD:
        return choose_discard(rules, values, view)
    if phase == ANNOUNCING:
        return choose_announcement(rules, view)
    if phase == SHOWING:
        return choose_showing(rules, view)
    return choose_swap(rules, values, view)
