"""The rule-based player: one compiled pass over the decisions of a batch."""

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel
from agents.rule_based.bidding import call_options
from agents.rule_based.claims import announcing_options, showing_options
from agents.rule_based.naming import discard_options, name_options, swap_options
from agents.rule_based.options import OPTION, best
from agents.rule_based.outlook import Counsel
from agents.rule_based.play import card_options, choose_card
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
    options = np.empty(rules.actions, OPTION)
    for row in range(len(views)):
        actions[row] = choose_among(rules, values, views[row], options)


@kernel
def choose(rules: np.record, values: np.record, view: np.record) -> int:
    """Return the action of the seat to act."""
    if view.public.phase == PLAY:
        return choose_card(rules, view)
    return choose_among(rules, values, view, np.empty(rules.actions, OPTION))


@kernel
def choose_among(rules: np.record, values: np.record, view: np.record, options: NDArray) -> int:
    """Return the action of the seat to act; `options` is scratch, as `consider` takes it."""
    if view.public.phase == PLAY:
        return choose_card(rules, view)
    return best(options, consider(rules, values, view, options))


@kernel
def consider(rules: np.record, values: np.record, view: np.record, options: NDArray) -> int:
    """Write the options of the seat to act and return how many they are, at least 1.

    Args:
        options: dtype `OPTION`, room for all actions; what it holds beyond the options does not count.
    """
    phase = view.public.phase
    if phase == PLAY:
        return card_options(rules, view, options)
    if phase == AUCTION:
        return consider_calls(rules, values, view, options, None)
    if phase == DISCARD:
        return discard_options(rules, values, view, options)
    if phase == ANNOUNCING:
        return announcing_options(rules, view, options)
    if phase == SHOWING:
        return showing_options(rules, view, options)
    return swap_options(rules, values, view, options)


@kernel
def consider_calls(
    rules: np.record, values: np.record, view: np.record, options: NDArray, counsel: Counsel | None
) -> int:
    """Write the options of the seat to act in the auction, as `consider` does, by the outlooks of a counsel if any."""
    if rules.auction == NUMBERED:
        return call_options(rules, values, view, options, counsel)
    return name_options(rules, values, view, options, counsel)
