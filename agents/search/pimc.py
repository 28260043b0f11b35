"""Perfect information in sampled worlds: solve worlds that the seat may be in, and play what is best on average.

    blot tournament pimc:worlds=20 rules --rules bazar --boards 100

Cards are solved exactly in each world; calls, swaps and discards are judged by imagined deals (`imagined`). Whether to
announce and to show is left to the rule-based player.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from time import perf_counter
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from agents.rule_based.options import OPTION
from agents.rule_based.player import choose, consider
from agents.rule_based.values import values_of
from agents.search.compile import kernel
from agents.search.imagined import MOST_CALLS, calls_to_weigh, weigh_calls
from agents.search.likelihood import CANDIDATES, TEMPERING, RulesLikelihood, weighted_worlds
from agents.search.optimism import played_of
from agents.search.payoff import WIN, payoff, settle
from agents.search.solver.minimax import NO_CARD, solve_cards
from agents.search.solver.position import new_search, set_up
from agents.search.worlds import sample_worlds
from blot_env.bits import highest, lowest
from blot_env.places import by_strength
from blot_env.playing import legal_cards
from blot_env.rules import RuleSet
from blot_env.seats import allied, union
from blot_env.state import ANNOUNCING, PLAY, SHOWING, STATE, VIEW
from blot_env.views import Decisions

Count = Annotated[int, Field(ge=1)]

POINT = 0.01
"""What a card point counts beyond what it brings: match points are rounded, and nobody plays perfectly."""
CALL_TEMPERING, CALL_CANDIDATES = 0.8, 100
"""Before a card is played only calls tell one world from another, and few worlds explain them well: as `likelihood` has
these for cards."""
CARD_TRUST, CALL_TRUST = 0.1, 10.0
"""So many worlds the rule-based player's opinion is worth."""
CARD_DOUBT, CALL_DOUBT = 0.0, 1.0
"""By so many standard errors an action must look better than the one that the rule-based player takes."""


class Room:
    """What one thread works in."""

    def __init__(self, rules: RuleSet) -> None:
        self.table, self.view, self.search = np.zeros(2, STATE), np.zeros(1, VIEW), new_search()
        self.options = np.zeros(rules.actions.size, OPTION)
        self.calls, self.opinions = np.zeros(MOST_CALLS, np.int64), np.zeros(MOST_CALLS)
        self.solved, self.cards = np.zeros((6, 4), np.int64), np.zeros(32, np.int64)


class PIMCPlayer:
    """Plays what is best on average over worlds that its seat may be in."""

    searches = True

    def __init__(
        self,
        rules: RuleSet,
        worlds: Count = 20,
        weights: Literal["none", "rules"] = "rules",
        value: Literal["points", "cards"] = "points",
        deals: Count = 20,
        ms: Annotated[float, Field(gt=0)] | None = None,
        threads: Count = 1,
    ) -> None:
        """Prepare to play.

        Args:
            rules: the game.
            worlds: how many are solved for a card.
            weights: `rules` weighs the worlds by how well they explain the others' calls and cards, if these play by
                the rule-based player; `none` takes all alike.
            value: what is averaged, match points or card points.
            deals: how many worlds are imagined for a call.
            ms: time for a decision in milliseconds: no further world is begun once it is over. Results then cannot be
                repeated.
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
        self._win = WIN * 10 / rules.record.unit
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
        phase = int(view["public"]["phase"][0])
        if phase in (ANNOUNCING, SHOWING):
            return int(choose(self._rules.record, self._values, view[0]))
        return self._card(view, seed, room) if phase == PLAY else self._call(view, seed, room)

    def _card(self, view: NDArray[np.void], seed: int, room: Room) -> int:
        rules, opinions = self._rules.record, np.full(32, -np.inf)
        if (card := only_card(rules, self._values, view[0], room.options, opinions)) >= 0:
            return int(card)
        legal = np.flatnonzero(np.isfinite(opinions))
        outcomes, weights = np.empty((self._worlds, 32)), np.zeros(self._worlds)
        for number, (world, weight) in enumerate(self._imagined(view, self._worlds, seed, TEMPERING, CANDIDATES)):
            weigh_cards(rules, world, self._by_points, self._win, room.table, room.search, room.cards, outcomes[number])
            weights[number] = weight
        opinions = opinions[legal] / (self._rules.record.unit if self._by_points else 1)
        return int(legal[best(outcomes[:, legal], weights, opinions, CARD_TRUST, CARD_DOUBT)])

    def _call(self, view: NDArray[np.void], seed: int, room: Room) -> int:
        rules, values = self._rules.record, self._values
        count = calls_to_weigh(rules, values, view[0], room.options, room.calls, room.opinions)
        calls, outcomes, weights = room.calls[:count], np.empty((self._deals, count)), np.zeros(self._deals)
        if count == 1:
            return int(calls[0])
        for number, (world, weight) in enumerate(
            self._imagined(view, self._deals, seed, CALL_TEMPERING, CALL_CANDIDATES)
        ):
            weigh_calls(
                rules, values, world, calls, self._played, self._win, room.table, room.view, room.search, room.solved,
                outcomes[number],
            )  # fmt: skip
            weights[number] = weight
        return int(calls[best(outcomes, weights, room.opinions[:count], CALL_TRUST, CALL_DOUBT)])

    def _imagined(
        self, view: NDArray[np.void], n: int, seed: int, tempering: float, candidates: int
    ) -> Iterator[tuple[Any, float]]:
        """Yield worlds, rows of `STATE`, with their weights, until there are n or the time is over.

        Args:
            tempering: of the weights.
            candidates: how many worlds are weighed for each one.
        """
        start = perf_counter()
        if self._likelihood:
            worlds, weights = weighted_worlds(self._rules, view, n, seed, self._likelihood, tempering, candidates * n)
        else:
            worlds, weights = sample_worlds(self._rules, view, n, seed), np.full(n, 1 / n)
        for world, weight in zip(worlds, weights, strict=True):
            yield world, weight
            if self._ms is not None and 1000 * (perf_counter() - start) > self._ms:
                break


def best(
    outcomes: NDArray[np.float64], weights: NDArray[np.float64], opinions: NDArray[np.float64], trust: float,
    doubt: float,
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
    calm = opinions.argmax()
    more = outcomes - outcomes[:, calm, None]
    mean = weights @ more
    error = np.sqrt(weights**2 @ (more - mean) ** 2)
    worlds = 1.0 / (weights**2).sum()
    return int(((worlds * mean + trust * (opinions - opinions[calm])) / (worlds + trust) - doubt * error).argmax())


@kernel
def only_card(
    rules: np.record, values: np.record, view: np.record, options: NDArray, opinions: NDArray[np.float64]
) -> int:
    """Return the card to play if all that are legal come to the same, otherwise -1.

    Args:
        values: of the rule-based player.
        options: `OPTION`, room for all actions, to work in.
        opinions: shape (32,), to which the values are written that it gives the legal cards.
    """
    public, hand = view.public, view.hand
    legal = legal_cards(rules, public, hand)
    if legal & (legal - 1) == 0 or _are_one(rules, public, hand, legal):
        return lowest(legal)
    for place in range(consider(rules, values, view, options)):
        opinions[options[place].action] = options[place].value
    return -1


@kernel
def _are_one(rules: np.record, public: np.record, hand: int, legal: int) -> bool:
    """Return whether legal cards are of one suit and worth, and nobody else may hold a card between them."""
    gone, points = union(public.played), rules.points[public.strain, lowest(legal)]
    if public.trick_size:
        gone &= ~(1 << public.winning)
    places = by_strength(public.strain, legal)
    low, high = lowest(places), highest(places)
    between = ((2 << high) - 1) & ~((1 << low) - 1) & ~by_strength(public.strain, hand | gone)
    if low >> 3 != high >> 3 or between:
        return False
    while legal:
        if rules.points[public.strain, lowest(legal)] != points:
            return False
        legal &= legal - 1
    return True


@kernel
def weigh_cards(
    rules: np.record,
    world: np.record,
    by_points: bool,
    win: float,
    table: NDArray,
    search: NDArray,
    cards: NDArray[np.int64],
    outcomes: NDArray[np.float64],
) -> None:
    """Write what each legal card of the seat to act brings it in a world.

    Args:
        world: a row of `STATE` in the play.
        by_points: in match points, otherwise in card points.
        win: as `payoff` has it.
        table: `STATE`, to work in.
        search: `SEARCH`, shape (1,), to work in.
        cards: to work in, shape (32,).
        outcomes: shape (32,), -inf for cards that are not legal.
    """
    seat = world.public.seat
    set_up(rules, world, search[0])
    solve_cards(search[0], cards)
    whole = settle(rules, world, table)
    bidding = allied(rules, world.public, seat, world.public.bidder)
    outcomes[:] = -np.inf
    for card in range(32):
        if cards[card] != NO_CARD:
            points = (2.0 * cards[card] - whole) * (1.0 if bidding else -1.0)
            if not by_points:
                outcomes[card] = points
                continue
            brought = payoff(rules, world, table[0], whole, cards[card], seat, win)
            outcomes[card] = brought + POINT * points / rules.unit
