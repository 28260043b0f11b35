"""Perfect information in sampled worlds: solve worlds that the seat may be in, and play what is best on average.

    blot tournament pimc:worlds=20 rules --rules bazar --boards 100

Cards are solved exactly in each world; calls, swaps and discards are judged by imagined deals (`imagined`). Whether to
announce and to show is left to the rule-based player.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from math import inf
from queue import SimpleQueue
from time import perf_counter
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from agents.rule_based.player import choose
from agents.rule_based.stakes import WIN
from agents.rule_based.values import values_of
from agents.search.averaging import advantages
from agents.search.imagined import calls_to_weigh, weigh_calls
from agents.search.likelihood import CANDIDATES, TEMPERING, RulesLikelihood, weighted_worlds
from agents.search.optimism import played_of
from agents.search.weighing import Room, only_card, weigh_cards
from agents.search.worlds import sample_worlds
from blot_env.rules import RuleSet
from blot_env.state import ANNOUNCING, PLAY, SHOWING
from blot_env.views import Decisions

MOST_WORLDS, MOST_DEALS, MOST_THREADS = 1000, 200, 64
"""The candidates of a decision then take 50 MB at most, in each thread; worlds are of 2.4 kB."""

CALL_TEMPERING, CALL_CANDIDATES = 0.8, 100
"""Before a card is played only calls tell one world from another, and few worlds explain them well: as `likelihood` has
these for cards. Chosen, in view of how well more candidates foretell deals (docs/search.md, The right worlds)."""
CARD_TRUST, CALL_TRUST = 0.1, 10.0
"""So many worlds the rule-based player's opinion is worth: chosen, for a few deals vary more than calls differ."""
CALL_DOUBT = 1.0
"""By so many standard errors a call must look better than the one that the rule-based player takes: chosen."""


class PIMCPlayer:
    """Plays what is best on average over worlds that its seat may be in."""

    searches = True

    def __init__(
        self,
        rules: RuleSet,
        worlds: Annotated[int, Field(ge=1, le=MOST_WORLDS)] = 20,
        weights: Literal["none", "rules"] = "rules",
        value: Literal["points", "cards"] = "points",
        deals: Annotated[int, Field(ge=1, le=MOST_DEALS)] = 20,
        ms: Annotated[float, Field(gt=0)] | None = None,
        threads: Annotated[int, Field(ge=1, le=MOST_THREADS)] = 1,
    ) -> None:
        """Prepare to play.

        Args:
            rules: the game.
            worlds: how many are solved for a card.
            weights: `rules` weighs the worlds by how well they explain the others' calls and cards, if these play by
                the rule-based player; `none` takes all alike.
            value: what is averaged, match points or card points.
            deals: how many worlds are imagined for a call.
            ms: time for a decision in milliseconds, from its beginning: no further world is solved once it is over. The
                worlds are all drawn and weighed and the first one is solved however long that takes. Results then
                cannot be repeated.
            threads: how many decisions of a batch are made at a time; it changes nothing else.
        """
        options = [f"worlds={worlds}", f"weights={weights}", f"value={value}", f"deals={deals}"]
        defaults = ["weights=rules", "value=points", "deals=20"]
        named = [option for option in options if option not in defaults]
        self.name = f"pimc:{','.join(named)}@1" if ms is None else f"pimc:{','.join(named)},ms={ms:g}@1 (timed)"
        self.timed = ms is not None
        self._rules, self._values, self._played = rules, values_of(rules), played_of(rules)
        self._worlds, self._deals, self._by_points, self._ms = worlds, deals, value == "points", ms
        self._likelihood = RulesLikelihood() if weights == "rules" else None
        self._win = WIN * self._values.tenth
        self._rooms: SimpleQueue[Room] = SimpleQueue()
        for _ in range(threads):
            self._rooms.put(Room(rules))
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return one legal action for each decision, shape (n,)."""

        def decide(row: int) -> int:
            room = self._rooms.get()
            try:
                return self._decide(decisions.views[row : row + 1], int(decisions.seeds[row]), room)
            finally:
                self._rooms.put(room)

        rows = range(len(decisions))
        return np.array(list(self._pool.map(decide, rows) if self._pool else map(decide, rows)), np.int64)

    def _decide(self, view: NDArray[np.void], seed: int, room: Room) -> int:
        stop = inf if self._ms is None else perf_counter() + self._ms / 1000
        phase = int(view["public"]["phase"][0])
        if phase in (ANNOUNCING, SHOWING):
            return int(choose(self._rules.record, self._values, view[0]))
        return (self._card if phase == PLAY else self._call)(view, seed, stop, room)

    def _card(self, view: NDArray[np.void], seed: int, stop: float, room: Room) -> int:
        rules, opinions = self._rules.record, np.full(32, -np.inf)
        if (card := only_card(rules, self._values, view[0], room.options, opinions)) >= 0:
            return int(card)
        legal = np.flatnonzero(np.isfinite(opinions))
        outcomes, weights = np.empty((self._worlds, 32)), np.zeros(self._worlds)
        for number, (world, weight) in enumerate(self._imagined(view, self._worlds, seed, stop, TEMPERING, CANDIDATES)):
            weigh_cards(rules, world, self._by_points, self._win, room.table, room.search, room.cards, outcomes[number])
            weights[number] = weight
        opinions = opinions[legal] / (self._rules.record.unit if self._by_points else 1)
        return int(legal[best(outcomes[:, legal], weights, opinions, CARD_TRUST)])

    def _call(self, view: NDArray[np.void], seed: int, stop: float, room: Room) -> int:
        rules, values = self._rules.record, self._values
        count = calls_to_weigh(rules, values, view[0], room.options, room.calls, room.opinions)
        calls, outcomes, weights = room.calls[:count], np.empty((self._deals, count)), np.zeros(self._deals)
        if count == 1:
            return int(calls[0])
        for number, (world, weight) in enumerate(
            self._imagined(view, self._deals, seed, stop, CALL_TEMPERING, CALL_CANDIDATES)
        ):
            weigh_calls(
                rules, values, world, calls, self._played, self._win, room.table, room.view, room.search, room.solved,
                outcomes[number],
            )  # fmt: skip
            weights[number] = weight
        return int(calls[best(outcomes, weights, room.opinions[:count], CALL_TRUST, CALL_DOUBT)])

    def _imagined(
        self, view: NDArray[np.void], n: int, seed: int, stop: float, tempering: float, candidates: int
    ) -> Iterator[tuple[Any, float]]:
        """Yield worlds, rows of `STATE`, with their weights, until there are n or the time is over; at least one.

        Args:
            stop: the time.
            tempering: of the weights.
            candidates: how many worlds are weighed for each one.
        """
        if self._likelihood:
            worlds, weights = weighted_worlds(self._rules, view, n, seed, self._likelihood, tempering, candidates * n)
        else:
            worlds, weights = sample_worlds(self._rules, view, n, seed), np.full(n, 1 / n)
        for world, weight in zip(worlds, weights, strict=True):
            yield world, weight
            if perf_counter() > stop:
                break


def best(
    outcomes: NDArray[np.float64], weights: NDArray[np.float64], opinions: NDArray[np.float64], trust: float,
    doubt: float = 0.0,
) -> int:  # fmt: skip
    """Return the action that looks best, of equals the first.

    Actions are compared with the one of the best opinion: by the mean over worlds of what they bring more, to which the
    difference of opinions counts as `trust` further worlds, less `doubt` standard errors.

    Args:
        outcomes: of k actions in n worlds, shape (n, k).
        weights: of the worlds, shape (n,); those of weight 0 do not count.
        opinions: shape (k,).
    """
    outcomes, weights = outcomes[weights > 0], weights[weights > 0] / weights.sum()
    return int(advantages(outcomes, weights, opinions, trust, doubt).argmax())
