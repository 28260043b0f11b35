"""Who plays against, and with, the learner: its past selves and other agents, by shares of the tables."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import agents
from agents.network import PolicyNetwork
from blot_env import RuleSet
from train.compact import Compact
from train.config import LeagueConfig
from train.rollout import AgentPlayer, NetworkPlayer, Player


@dataclass(frozen=True)
class Seating:
    """Who plays in a rollout: the learner is player 0."""

    others: Sequence[Player]  # players 1, 2, …
    seats: NDArray[np.int64]  # (tables, seats) the players
    strangers: NDArray[np.int64]  # (tables, seats) index in `League.agents`, -1 for the learner and its past selves


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
    ) -> None:
        """Make the agents.

        Args:
            config: the shares.
            rules: the game.
            tables: of a rollout.
            seed: of the agents.
            compact: of the learner's network.
            load_past: returns the learner as it was after an iteration (see `seating`).

        Raises:
            SpecError: an agent's spec is wrong.
        """
        self.agents = tuple(dict.fromkeys([*config.opponents, *config.partners]))
        self._config, self._rules, self._tables, self._compact = config, rules, tables, compact
        self._players = [AgentPlayer(agents.make(spec, rules), seed) for spec in self.agents]
        self._load_past = load_past

    def seating(self, past: Sequence[int], rng: np.random.Generator) -> Seating:
        """Return the seating of one rollout, its past selves drawn uniformly from the iterations `past`."""
        config, players = self._config, self._rules.players
        side = np.array([self._rules.side(seat) for seat in range(players)])
        chosen = rng.permutation(past)[: config.past_players]
        selves = [NetworkPlayer(self._load_past(int(iteration)), self._compact) for iteration in chosen]
        kinds = {spec: 1 + len(selves) + index for index, spec in enumerate(self.agents)}
        seats = np.zeros((self._tables, players), np.int64)
        free = 0  # the first table that nobody has been seated at

        def tables(share: float) -> NDArray[np.int64]:
            nonlocal free
            rows = np.arange(free, min(free + round(share * self._tables), self._tables))
            free += len(rows)
            return rows

        for index in range(len(selves)):
            rows = tables(config.past / len(selves))
            seats[rows] = np.where(side == rows[:, None] % self._rules.sides, 1 + index, 0)
        for spec, share in config.opponents.items():
            rows = tables(share)
            seats[rows] = np.where(side == rows[:, None] % self._rules.sides, kinds[spec], 0)
        for spec, share in config.partners.items():
            rows = tables(share)
            seats[rows, rows % players] = kinds[spec]
        strangers = np.where(seats > len(selves), seats - 1 - len(selves), -1)
        return Seating([*selves, *self._players], seats, strangers)
