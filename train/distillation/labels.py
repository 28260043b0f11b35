"""What each card of a position is worth: match points when all cards are seen and everybody plays for the best.

In the true deal that is a single draw of what the seat cannot know. Its mean over all deals in which the seat would
know the same is the value over all worlds that there may be, each as likely as the play of these players makes it; a
regression finds that mean, at one solved deal a position. Or the mean over some imagined worlds is taken at once, which
costs as many solved deals.

A contract is made or fails by a few points, and the solver is sure which; real play is not, and comes out around what
the solver promises (`agents.search.optimism`). Values that are paid as play comes out vary much less from deal to deal,
and tell a card that takes more points even in deals where that happens not to decide the contract.
"""

from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

import agents
import blot_env
from agents.rule_based.options import OPTION
from agents.rule_based.values import values_of
from agents.search.likelihood import TEMPERING, Likelihood, weighted_worlds
from agents.search.optimism import as_solved, played_of, played_out
from agents.search.payoff import payoff, settle
from agents.search.solver.double_dummy import share_out
from agents.search.solver.minimax import NO_CARD, solve_cards
from agents.search.solver.position import set_up
from agents.search.weighing import POINT, only_card
from agents.search.worlds import sample_worlds
from blot_env import RuleSet
from blot_env.compile import compiler
from blot_env.seats import allied
from blot_env.state import STATE, VIEW
from blot_env.views import write_view

_AGENTS = Path(agents.__file__).parent
kernel = compiler(Path(blot_env.__file__).parent, _AGENTS / "rule_based", _AGENTS / "search")

Values = NDArray[np.float64]


class Pay(NamedTuple):
    """How the solver's values are paid."""

    win: float  # what winning the match is worth beyond its points, match points
    played: np.record  # what play makes of the values, dtype `agents.search.optimism.PLAYED`


def pay_of(rules: RuleSet, win: float, outcomes: str) -> Pay:
    """Return it.

    Args:
        rules: the game.
        win: of a match, where ten points are one.
        outcomes: `solved`: as the solver promises; `played`: as real play turns out around that, all the less the fewer
            tricks are left.
    """
    return Pay(win * values_of(rules).tenth, as_solved() if outcomes == "solved" else played_of(rules))


class Labels(Protocol):
    """Whoever says what cards are worth."""

    def __call__(self, states: NDArray[np.void], seeds: NDArray[np.int64]) -> Values:
        """Return match points, and card points, from the acting side's view, (2, n, 32) by card.

        They are -inf for cards that are not legal, and throughout where all that are legal come to the same; of the
        card points only the differences mean something. On any number of threads they are the same.

        Args:
            states: rows of `STATE` in the play, shape (n,).
            seeds: of the worlds, shape (n,).
        """
        ...


class TrueDeal:
    """Labels by the deal as it is."""

    def __init__(self, rules: RuleSet, threads: int, pay: Pay) -> None:
        self._rules, self._threads, self._pay, self._values = rules, threads, pay, values_of(rules)

    def __call__(self, states: NDArray[np.void], seeds: NDArray[np.int64]) -> Values:
        """Return them as `Labels` does."""
        out = np.empty((2, len(states), 32))
        deals = (self._rules.record, self._values, *self._pay, states)
        share_out(len(states), self._threads, lambda *part: _weigh(*deals, *part, *_room(self._rules), out))
        return out


class Imagined:
    """Labels by worlds that the seat may be in."""

    def __init__(
        self, rules: RuleSet, threads: int, pay: Pay, worlds: int, candidates: int, likelihood: Likelihood | None
    ) -> None:
        """Prepare to imagine.

        Args:
            rules: the game.
            threads: how many work.
            pay: how values are paid.
            worlds: how many are solved for a position.
            candidates: how many are weighed for each one.
            likelihood: what weighs them; without one all are alike.
        """
        self._rules, self._threads, self._pay, self._values = rules, threads, pay, values_of(rules)
        self._worlds, self._candidates, self._likelihood = worlds, candidates, likelihood

    def __call__(self, states: NDArray[np.void], seeds: NDArray[np.int64]) -> Values:
        """Return them as `Labels` does."""
        rules, out = self._rules, np.empty((2, len(states), 32))

        def work(searches: NDArray[np.void], start: int, stop: int) -> None:
            tables, view, *room = _room(rules)
            for row in range(start, stop):
                _look(states[row], view)
                if _is_one(rules.record, self._values, view, *room[:2]):
                    out[:, row] = -np.inf
                    continue
                worlds, weights = self._imagine(view, int(seeds[row]))
                _mean(rules.record, *self._pay, worlds, weights, searches, tables, room[2], out[:, row])

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
    rules, values, win, played, states, searches, start, stop, tables, view, options, opinions, cards, out
):
    for row in range(start, stop):
        state = states[row]
        write_view(state, state.public.seat, view[0])
        if only_card(rules, values, view[0], options, opinions) >= 0:
            out[:, row] = -np.inf
        else:
            _weigh_cards(rules, state, win, played, tables, searches, cards, out[:, row])


@kernel
def _mean(rules, win, played, worlds, weights, searches, tables, cards, out):  # type: ignore[no-untyped-def]
    outcomes = np.empty((2, 32))
    out[:] = 0.0
    for number in range(len(worlds)):
        if weights[number] > 0.0:
            _weigh_cards(rules, worlds[number], win, played, tables, searches, cards, outcomes)
            out += weights[number] * outcomes


@kernel
def _weigh_cards(rules, world, win, played, tables, searches, cards, out):  # type: ignore[no-untyped-def]
    """Write match points, and the card points that the solver has found."""
    public = world.public
    set_up(rules, world, searches[0])
    solve_cards(searches[0], cards)
    whole = settle(rules, world, tables)
    sign = 1.0 if allied(rules, public, public.seat, public.bidder) else -1.0
    fifths = played.offsets.shape[1]
    left = (rules.hand_size - public.trick_number) / rules.hand_size
    slope = 1.0 + left * (played.slope[public.strain] - 1.0)
    out[:] = -np.inf
    for card in range(32):
        if cards[card] == NO_CARD:
            continue
        total = 0.0
        for fifth in range(fifths):
            taken = played_out(slope, left * played.offsets[public.strain, fifth], fifth, cards[card], whole)
            total += payoff(rules, world, tables[0], whole, taken, public.seat, win)
        out[0, card] = total / fifths + POINT * sign * (2.0 * cards[card] - whole) / rules.unit
        out[1, card] = sign * max(cards[card], 0)


@kernel
def _look(state, view):  # type: ignore[no-untyped-def]
    write_view(state, state.public.seat, view[0])


@kernel
def _is_one(rules, values, view, options, opinions):  # type: ignore[no-untyped-def]
    return only_card(rules, values, view[0], options, opinions) >= 0
