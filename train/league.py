"""Who plays against, and with, the learner: its past selves and other agents, by shares of the tables.

An agent that searches takes thousands of times longer than the learner for a decision. So a rollout seats such agents
at no more tables than `league.search_tables`; at the others that they should have had, the learner plays itself. The
number is fixed, not measured, so that a run is the same whatever the machine's speed.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import agents
from agents import Agent, SearchingAgent, SpecError
from agents.network import PolicyNetwork
from blot_env import RuleSet
from train.compact import Compact
from train.config import LeagueConfig
from train.rollout import AgentPlayer, NetworkPlayer, Player
from train.settings import ConfigError

SEARCHED = 24
"""By default agents that search sit at one of so many tables. So `ismcts:iterations=200` leaves a training more than
two thirds of its speed (benchmarks/training.md)."""


@dataclass(frozen=True)
class Seating:
    """Who plays in a rollout: the learner is player 0."""

    others: Sequence[Player]  # players 1, 2, …
    seats: NDArray[np.int64]  # (tables, seats) the players
    strangers: NDArray[np.int64]  # (tables, seats) index in `League.agents`, -1 for the learner and its past selves
    searching: float  # share of the tables at which an agent searches


def make_steady(spec: str, rules: RuleSet) -> Agent:
    """Return an agent whose actions do not depend on the clock.

    Raises:
        SpecError: the spec is wrong, or the agent takes a time instead of a number of worlds or iterations.
    """
    agent = agents.make(spec, rules)
    if isinstance(agent, SearchingAgent) and agent.timed:
        raise SpecError(
            f"agent {spec!r} thinks for a given time, so a run with it could not be repeated; "
            "give a number of worlds or iterations instead of ms"
        )
    return agent


@contextmanager
def named(key: str) -> Iterator[None]:
    """Name the key of the config whose agent cannot be made.

    Raises:
        ConfigError: it cannot.
    """
    try:
        yield
    except SpecError as error:
        raise ConfigError(f"{key}: {error}") from None


class League:
    """Seats the players of every iteration."""

    def __init__(
        self,
        config: LeagueConfig,
        rules: RuleSet,
        tables: int,
        seed: int,
        compact: Compact,
        load_past: Callable[[int], PolicyNetwork],
        parts: int = 1,
    ) -> None:
        """Make the agents.

        Args:
            config: the shares.
            rules: the game.
            tables: of a rollout.
            seed: of the agents.
            compact: of the learner's network.
            load_past: returns the learner as it was after an iteration (see `seating`).
            parts: equal ones in which a rollout is played; shares and the limit on search are those of the whole.

        Raises:
            SpecError: an agent's spec is wrong, or it thinks by the clock.
        """
        self.agents = tuple(dict.fromkeys(spec for shares in config.shares for spec in shares))
        self._config, self._rules, self._compact = config, rules, compact
        self._tables, self._parts = tables, parts
        self.made = {spec: make_steady(spec, rules) for spec in self.agents}
        self._players = [AgentPlayer(agent, seed) for agent in self.made.values()]
        searches = [isinstance(agent, SearchingAgent) and agent.searches for agent in self.made.values()]
        self._searchers = np.flatnonzero(searches)
        self._load_past = load_past
        shares = [share for kind in config.shares for share in kind.items()]
        searching = np.array([self.agents.index(spec) in self._searchers for spec, _ in shares], bool)
        self._seated = np.array([round(share * tables) for _, share in shares], np.int64)  # tables, by share
        self.searching_wanted = float(self._seated[searching].sum() / tables)
        """Share of the tables at which an agent would search without the limit."""
        most = tables // SEARCHED if config.search_tables is None else config.search_tables
        self._seated[searching] = _limited(self._seated[searching], most)

    def seating(self, past: Sequence[int], rng: np.random.Generator, part: int = 0) -> Seating:
        """Return the seating of a part of a rollout, its past selves drawn uniformly from the iterations `past`.

        It is every `parts`-th table of the whole rollout, so that together they have exactly its shares.
        """
        config, players = self._config, self._rules.players
        side = np.array([self._rules.side(seat) for seat in range(players)])
        chosen = rng.permutation(past)[: config.past_players]
        selves = [NetworkPlayer(self._load_past(int(iteration)), self._compact) for iteration in chosen]
        kinds = {spec: 1 + len(selves) + index for index, spec in enumerate(self.agents)}
        seats = np.zeros((self._tables, players), np.int64)
        free = 0  # the first table that nobody has been seated at

        def tables(number: int) -> NDArray[np.int64]:
            nonlocal free
            rows = np.arange(free, min(free + number, self._tables))
            free += len(rows)
            return rows

        for index in range(len(selves)):
            rows = tables(round(config.past / len(selves) * self._tables))
            seats[rows] = np.where(side == rows[:, None] % self._rules.sides, 1 + index, 0)
        seated = iter(self._seated)
        for spec in config.opponents:
            rows = tables(next(seated))
            seats[rows] = np.where(side == rows[:, None] % self._rules.sides, kinds[spec], 0)
        for spec in config.partners:
            rows = tables(next(seated))
            seats[rows, rows % players] = kinds[spec]
        for spec in config.others:
            rows = tables(next(seated))
            seats[rows] = np.where(np.arange(players) == rows[:, None] % players, 0, kinds[spec])
        seats = seats[part :: self._parts]
        strangers = np.where(seats > len(selves), seats - 1 - len(selves), -1)
        searching = np.isin(strangers, self._searchers).any(1).mean()
        return Seating([*selves, *self._players], seats, strangers, float(searching))


def _limited(numbers: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Return numbers in about the same proportion, whole and not negative, whose sum is `most` at the most."""
    reached = np.concatenate([[0], numbers.cumsum()])
    return np.diff(reached * min(most, reached[-1]) // max(reached[-1], 1))
