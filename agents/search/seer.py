"""The seer: it sees all cards and plays double dummy. It cheats: a measure of what there is to gain, not a player.

blot tournament seer pimc:worlds=20 rules --rules bazar --boards 100
"""

import numpy as np
from numpy.typing import NDArray

from agents.rule_based.player import choose
from agents.rule_based.stakes import WIN
from agents.rule_based.values import values_of
from agents.search.imagined import weigh_calls
from agents.search.optimism import as_solved
from agents.search.weighing import Room, only_card, weigh_cards
from blot_env.actions import BIDS
from blot_env.rules import RuleSet
from blot_env.state import ANNOUNCING, PLAY, SHOWING
from blot_env.views import Decisions

MOST_RAISES = 30
"""So many of the lowest bids in each strain are weighed, and every capot in it: chosen, higher ones are of no use."""


class Seer:
    """Knows the deal, and takes the others to call by the rules and to play double dummy as it does.

    Of cards that take the same it plays the one that the rule-based player likes best.
    """

    name, cheats = "seer@1 (cheats)", True
    searches, timed = True, False

    def __init__(self, rules: RuleSet) -> None:
        self._rules, self._values, self._played = rules, values_of(rules), as_solved()
        self._win = WIN * self._values.tenth
        self._room = Room(rules)

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Refuse to decide from what a seat knows.

        Raises:
            ValueError: always.
        """
        raise ValueError(f"{self.name}: it sees all cards, and decisions hold only what their seats know")

    def act_seeing(self, decisions: Decisions, states: NDArray[np.void]) -> NDArray[np.int64]:
        """Return the best legal action for each decision, shape (n,); `states` are the tables."""
        return np.array(
            [
                self._decide(decisions.views[row : row + 1], decisions.masks[row], states[row])
                for row in range(len(states))
            ],
            np.int64,
        )

    def _decide(self, view: NDArray[np.void], mask: NDArray[np.int8], state: np.void) -> int:
        rules, values, room = self._rules.record, self._values, self._room
        phase = int(view["public"]["phase"][0])
        if phase in (ANNOUNCING, SHOWING):
            return int(choose(rules, values, view[0]))
        if phase == PLAY:
            outcomes, opinions = np.empty(32), np.full(32, -np.inf)
            if (card := only_card(rules, values, view[0], room.options, opinions)) >= 0:
                return int(card)
            weigh_cards(rules, state, True, self._win, room.table, room.search, room.cards, outcomes)
            return int(np.where(outcomes == outcomes.max(), opinions, -np.inf).argmax())
        calls = self._calls(mask)
        outcomes = np.empty(len(calls))
        weigh_calls(
            rules, values, state, calls, self._played, self._win, room.table, room.view, room.search, room.solved,
            outcomes,
        )  # fmt: skip
        return int(calls[outcomes.argmax()])

    def _calls(self, mask: NDArray[np.int8]) -> NDArray[np.int64]:
        """Return the legal actions, of the bids only those low enough to be of use."""
        legal = np.flatnonzero(mask)
        capots = self._rules.actions.capots
        bids = legal[(legal >= BIDS) & (legal < capots)][: MOST_RAISES * len(self._rules.strains)]
        return np.concatenate([legal[legal < BIDS], bids, legal[legal >= capots][: len(self._rules.strains)]])
