"""Calls by contract values: the rule-based player's bidding, with what a network foresees in place of its own outlook.

`values:PATH` calls so and plays its cards by the rules. Where the odds of the match are known too, what a contract
brings is what it changes in the chance to win, counted in the match points that would change as much.
"""

import numpy as np
from numpy.typing import NDArray

from agents.contract_shares import BINS, CENTRES, EVERY, NONE, PARTS
from agents.contract_values import ContractValues, open_values
from agents.rule_based.options import OPTION
from agents.rule_based.outlook import OTHERS, OWN, Counsel, promise_of
from agents.rule_based.player import choose_all, consider_calls
from agents.rule_based.values import values_of
from agents.search.compile import kernel
from blot_env import Decisions, RuleSet
from blot_env.state import AUCTION

PROMISE = promise_of(PARTS)
_NO_ODDS = np.zeros((2, 0, 0))


def call_values(
    rules: RuleSet, decisions: Decisions, contract_values: ContractValues | None = None
) -> NDArray[np.float64]:
    """Return what calls are worth in match points, (n, actions); -inf for those that are not considered.

    Args:
        rules: the game.
        decisions: of auctions.
        contract_values: what contracts bring; None for the rule-based player's own opinion.

    Raises:
        ValueError: a decision is of another moment of the deal.
    """
    if (decisions.views["public"]["phase"] != AUCTION).any():
        raise ValueError("call_values: decisions of the auction are wanted")
    worth = np.full((len(decisions), rules.actions.size), -np.inf)
    work = np.empty(rules.actions.size, OPTION)
    if contract_values is None:
        _value_by_rules(rules.record, values_of(rules), decisions.views, work, worth)
    else:
        odds = _NO_ODDS if contract_values.odds is None else contract_values.odds.table
        promised = promises(contract_values, decisions.observations)
        _value_by_counsel(rules.record, values_of(rules), decisions.views, promised, odds, work, worth)
    return worth


def promises(contract_values: ContractValues, observations: NDArray[np.uint8]) -> NDArray[np.void]:
    """Return what contracts promise whoever plays them, (n, strains, 2), dtype `PROMISE`."""
    shares, extras = (part.astype(np.float64) for part in contract_values.foresee(observations))
    deck = contract_values.deck[:, None]
    promised = np.zeros(shares.shape[:3], PROMISE)
    mean, square = shares @ CENTRES, shares @ CENTRES**2
    extra = np.stack([extras[:, :, OWN, 0], extras[:, :, OTHERS, 1]], 2)  # of whoever plays it
    promised["deck"], promised["extra"], promised["none"] = deck, extra, shares[..., NONE]
    promised["own"] = mean * deck + extra
    promised["other"] = (1 - mean) * deck + extras.sum(3) - extra
    promised["spread"] = np.maximum(np.sqrt(np.maximum(square - mean**2, 0)) * deck, 1.0)
    reached = shares[..., :0:-1].cumsum(3)[..., ::-1]  # (..., BINS - 1) of each part or more
    taken = (shares * CENTRES)[..., :0:-1].cumsum(3)[..., ::-1]
    assert reached.shape[3] == EVERY == BINS - 1
    promised["reach"], promised["taken"] = reached, taken * deck[..., None]
    return promised


class ValuesPlayer:
    """Calls by contract values and plays by the rules."""

    def __init__(self, rules: RuleSet, path: str) -> None:
        """Open them.

        Args:
            rules: the game.
            path: `values.onnx`, or a folder with it and, where it is known, `match-odds.json`.

        Raises:
            ContractValuesError, GraphError, MatchOddsError: they cannot be used, or not for this game.
        """
        self.name = f"values:{path}"
        self.contract_values = open_values(rules, path)
        self.made_of = self.contract_values.digests
        self._rules, self._values = rules, values_of(rules)

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return one legal action for each decision, shape (n,)."""
        actions = np.empty(len(decisions), np.int64)
        choose_all(self._rules.record, self._values, decisions.views, actions)
        calls = np.flatnonzero(decisions.views["public"]["phase"] == AUCTION)
        if len(calls):
            actions[calls] = call_values(self._rules, decisions[calls], self.contract_values).argmax(1)
        return actions


@kernel
def _value_by_rules(
    rules: np.record, values: np.record, views: NDArray, options: NDArray, worth: NDArray[np.float64]
) -> None:
    for row in range(len(views)):
        for place in range(consider_calls(rules, values, views[row], options, None)):
            worth[row, options[place].action] = options[place].value


@kernel
def _value_by_counsel(
    rules: np.record,
    values: np.record,
    views: NDArray,
    promised: NDArray,
    odds: NDArray[np.float64],
    options: NDArray,
    worth: NDArray[np.float64],
) -> None:
    for row in range(len(views)):
        counsel = Counsel(promised[row], odds)
        for place in range(consider_calls(rules, values, views[row], options, counsel)):
            worth[row, options[place].action] = options[place].value
