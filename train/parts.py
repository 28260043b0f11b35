"""The deals of an iteration, whole or in parts: who plays them, and what the learner gets of them.

A part has tables, seats and a generator of its own, which follow from seed, iteration and the part's number, and it is
played by a CPU, on one thread. So a rollout in parts is the same to the last bit wherever they are played.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

import agents
from agents.match_odds import MatchOdds
from agents.network import PolicyNetwork
from blot_env import BatchEnv
from train.compact import Compact
from train.config import Config
from train.experience import Experience
from train.league import League, make_steady, named
from train.match_gains import match_gains
from train.rollout import ForcedOpening, NetworkPlayer, Recorder, Teacher, play_deals

Weights = Mapping[str, Tensor]


@dataclass(frozen=True)
class Deals:
    """What the learner gets of some deals."""

    experience: Experience
    own: NDArray[Any]  # RESULT rows of the deals that nobody but the learner had a hand in
    searching: float  # share of the tables at which an agent searches


@dataclass(frozen=True)
class Part:
    """One part of an iteration's deals: all that they follow from, beside the config and the weights."""

    iteration: int
    number: int
    imitating: bool
    past: tuple[int, ...]  # iterations whose weights the league keeps


class Dealer:
    """Plays the deals of a training, all of an iteration or a part.

    Attributes:
        policy: the learner's.
        league: who else plays.
        agents: those of the league and the teacher, by spec.
    """

    def __init__(self, config: Config, policy: PolicyNetwork, weights_of: Callable[[int], Weights]) -> None:
        """Set up the tables of a part and whoever is to sit there.

        Args:
            config: of the training.
            policy: the learner's, which it plays by as it then is.
            weights_of: returns the learner's weights as they were after an iteration that the league keeps.

        Raises:
            ConfigError: an agent cannot be made.
            MatchOddsError: the chances to win a match cannot be read, or are of another game.
        """
        self.policy, self._config, self._rules, self._weights_of = policy, config, config.game, weights_of
        rollout, rules = config.rollout, self._rules
        self._compact = Compact(rules, policy)
        with named("league.opponents, league.partners, league.others"):
            self.league = League(
                config.league, rules, rollout.tables, config.seed, self._compact, self._past, rollout.parts
            )
        with named("imitation.agent"):
            self._teacher = make_steady(config.imitation.agent, rules)
        self.agents = {**self.league.made, config.imitation.agent: self._teacher}
        self._wanderer = agents.make("random", rules)
        self._env = BatchEnv(
            rules, rollout.tables // rollout.parts, seed=config.seed, random_scores=rollout.random_scores
        )
        self._odds = MatchOdds.load(rollout.match_odds, rules) if rollout.match_odds and rollout.match_share else None
        self._selves: dict[int, PolicyNetwork] = {}

    def play(self, part: Part, rng: np.random.Generator | None = None) -> Deals:
        """Play a part, by default with its own generator."""
        tables = self._env.num_envs
        first = part.iteration * self._config.rollout.tables + part.number * tables
        if rng is None:  # numbers from 1, since a last 0 would change nothing
            rng = np.random.default_rng((self._config.seed, part.iteration, 1 + part.number))
        boards = first + np.arange(tables)
        return self._taught(boards, rng) if part.imitating else self._played(part, boards, rng)

    def _taught(self, boards: NDArray[np.int64], rng: np.random.Generator) -> Deals:
        """Let the teacher play all seats."""
        config, rules = self._config, self._rules
        seats = np.zeros((len(boards), rules.players), np.int64)
        recorder = Recorder(rules, self._compact, seats - 1, len(self.league.agents))
        deviations = config.imitation.deviations
        teacher = Teacher(self._teacher, self._wanderer, deviations, config.seed, self._compact, recorder)
        reward, results = play_deals(self._env, [teacher], seats, boards, rng)
        return Deals(recorder.experience(self._rewards(reward, results, boards)), results[:0], 0.0)

    def _played(self, part: Part, boards: NDArray[np.int64], rng: np.random.Generator) -> Deals:
        """Let the learner play, against the league."""
        rules = self._rules
        seating = self.league.seating(part.past, rng, part.number)
        recorder = Recorder(rules, self._compact, seating.strangers, len(self.league.agents))
        opening = ForcedOpening(rules, self._compact.order, self._config.rollout.forced_contracts, len(boards), rng)
        players = [NetworkPlayer(self.policy, self._compact, recorder), *seating.others]
        reward, results = play_deals(self._env, players, seating.seats, boards, rng, opening)
        own = (seating.seats == 0).all(1) & ~opening.forces(0)
        return Deals(recorder.experience(self._rewards(reward, results, boards)), results[own], seating.searching)

    def _rewards(
        self, points: NDArray[np.float32], results: NDArray[Any], boards: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Return what deals are worth, (tables, sides): their points and, if it counts, what they did for the match."""
        if self._odds is None:
            return points
        self._env.reset(boards=boards)  # to the scores at which the deals began
        before = self._env.states["public"]["scores"][:, :2]
        gains = self._config.rollout.match_share * match_gains(self._odds, before, results)
        return points + gains.astype(np.float32)

    def _past(self, iteration: int) -> PolicyNetwork:
        """Return the learner as it was after an iteration."""
        if iteration not in self._selves:
            past = deepcopy(self.policy)
            past.load_state_dict(self._weights_of(iteration))
            self._selves[iteration] = past
        return self._selves[iteration]


class Crew(Protocol):
    """Whoever plays parts."""

    def play(self, parts: Sequence[Part], policy: PolicyNetwork) -> list[Deals]:
        """Return the deals of some parts, played by a policy as it is now."""
        ...


class LocalCrew:
    """This process, part after part."""

    def __init__(self, dealer: Dealer) -> None:
        """Play at a dealer's tables; its policy is to be a copy on the CPU."""
        self._dealer = dealer

    def play(self, parts: Sequence[Part], policy: PolicyNetwork) -> list[Deals]:
        """Return the deals of some parts."""
        self._dealer.policy.load_state_dict(policy.state_dict())
        with single_thread():
            return [self._dealer.play(part) for part in parts]


@contextmanager
def single_thread() -> Iterator[None]:
    """Let torch compute on one thread: how many there are changes last bits."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def joined(parts: Sequence[Deals]) -> Deals:
    """Return the deals of all parts, as if they had been played one after another."""
    experiences = [part.experience for part in parts]
    tables = np.cumsum([0] + [len(part.reward) for part in experiences])
    steps = np.cumsum([0] + [int(part.step[-1]) + 1 for part in experiences])
    columns: dict[str, Any] = {}
    for field in fields(Experience):
        values = [getattr(part, field.name) for part in experiences]
        if field.name in ("table", "step"):
            offsets = tables if field.name == "table" else steps
            values = [value + offset for value, offset in zip(values, offsets, strict=False)]
        columns[field.name] = torch.cat(values) if isinstance(values[0], Tensor) else np.concatenate(values)
    return Deals(
        Experience(**columns),
        np.concatenate([part.own for part in parts]),
        float(np.mean([part.searching for part in parts])),
    )
