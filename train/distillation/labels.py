"""What each card of a position is worth: match points when all cards are seen and everybody plays for the best.

In the true deal that is a single draw of what the seat cannot know. Its mean over all deals in which the seat would
know the same is the value over all worlds that there may be, each as likely as the play of these players makes it; a
regression finds that mean, at one solved deal a position. Or the mean over some imagined worlds is taken at once, which
costs as many solved deals.
"""

from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

import agents
import blot_env
from agents.rule_based.options import OPTION
from agents.rule_based.stakes import WIN
from agents.rule_based.values import values_of
from agents.search.likelihood import TEMPERING, Likelihood, weighted_worlds
from agents.search.solver.double_dummy import share_out
from agents.search.weighing import only_card, weigh_cards
from agents.search.worlds import sample_worlds
from blot_env import RuleSet
from blot_env.compile import compiler
from blot_env.state import STATE, VIEW
from blot_env.views import write_view

_AGENTS = Path(agents.__file__).parent
kernel = compiler(Path(blot_env.__file__).parent, _AGENTS / "rule_based", _AGENTS / "search", Path(__file__).parent)

Values = NDArray[np.float64]


class Labels(Protocol):
    """Whoever says what cards are worth."""

    def __call__(self, states: NDArray[np.void], seeds: NDArray[np.int64]) -> Values:
        """Return match points from the acting side's view, (n, 32) by card, the same on any number of threads.

        They are -inf for cards that are not legal, and throughout where all that are legal come to the same.

        Args:
            states: rows of `STATE` in the play, shape (n,).
            seeds: of the worlds, shape (n,).
        """
        ...


class TrueDeal:
    """Labels by the deal as it is."""

    def __init__(self, rules: RuleSet, threads: int) -> None:
        self._rules, self._threads, self._values = rules, threads, values_of(rules)
        self._win = WIN * self._values.tenth

    def __call__(self, states: NDArray[np.void], seeds: NDArray[np.int64]) -> Values:
        """Return them as `Labels` does."""
        out = np.empty((len(states), 32))
        deals = (self._rules.record, self._values, self._win, states)
        share_out(len(states), self._threads, lambda *part: _weigh(*deals, *part, *_room(self._rules), out))
        return out


class Imagined:
    """Labels by worlds that the seat may be in."""

    def __init__(
        self, rules: RuleSet, threads: int, worlds: int, candidates: int, likelihood: Likelihood | None
    ) -> None:
        """Prepare to imagine.

        Args:
            rules: the game.
            threads: how many work.
            worlds: how many are solved for a position.
            candidates: how many are weighed for each one.
            likelihood: what weighs them; without one all are alike.
        """
        self._rules, self._threads, self._values = rules, threads, values_of(rules)
        self._win = WIN * self._values.tenth
        self._worlds, self._candidates, self._likelihood = worlds, candidates, likelihood

    def __call__(self, states: NDArray[np.void], seeds: NDArray[np.int64]) -> Values:
        """Return them as `Labels` does."""
        rules, out = self._rules, np.empty((len(states), 32))

        def work(searches: NDArray[np.void], start: int, stop: int) -> None:
            tables, view, *room = _room(rules)
            for row in range(start, stop):
                _look(states[row], view)
                if _is_one(rules.record, self._values, view, *room[:2]):
                    out[row] = -np.inf
                    continue
                worlds, weights = self._imagine(view, int(seeds[row]))
                _mean(rules.record, self._win, worlds, weights, searches, tables, room[2], out[row])

        share_out(len(states), self._threads, work)
        return out

    def _imagine(self, view: NDArray[np.void], seed: int) -> tuple[NDArray[np.void], Values]:
        n = self._worlds
        if self._likelihood is None:
            return sample_worlds(self._rules, view, n, seed), np.full(n, 1 / n)
        return weighted_worlds(self._rules, view, n, seed, self._likelihood, TEMPERING, self._candidates * n)


def _room(rules: RuleSet) -> tuple[Any, ...]:
    """Return room for a thread: a table, a view, options, opinions, and cards."""
    options = np.zeros(rules.actions.size, OPTION)
    return np.zeros(2, STATE), np.zeros(1, VIEW), options, np.empty(32), np.zeros(32, np.int64)


@kernel
def _weigh(  # type: ignore[no-untyped-def]
    rules, values, win, states, searches, start, stop, tables, view, options, opinions, cards, out
):
    for row in range(start, stop):
        state = states[row]
        write_view(state, state.public.seat, view[0])
        if only_card(rules, values, view[0], options, opinions) >= 0:
            out[row] = -np.inf
        else:
            weigh_cards(rules, state, True, win, tables, searches, cards, out[row])


@kernel
def _mean(rules, win, worlds, weights, searches, tables, cards, out):  # type: ignore[no-untyped-def]
    outcomes = np.empty(32)
    out[:] = 0.0
    for number in range(len(worlds)):
        if weights[number] > 0.0:
            weigh_cards(rules, worlds[number], True, win, tables, searches, cards, outcomes)
            out += weights[number] * outcomes


@kernel
def _look(state, view):  # type: ignore[no-untyped-def]
    write_view(state, state.public.seat, view[0])


@kernel
def _is_one(rules, values, view, options, opinions):  # type: ignore[no-untyped-def]
    return only_card(rules, values, view[0], options, opinions) >= 0
