"""The settings of a training; `train.settings` reads and checks them.

config = load_config("configs/quick.toml", ["ppo.clip=0.1", "seed=3"])
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StrictBool, model_validator

from agents.sizes import NetworkSize, TrunkSize
from blot_env import RuleSet, load_rules
from blot_env.episode import with_target
from train.settings import (
    Count,
    Natural,
    NotNegative,
    Positive,
    Rules,
    Schedule,
    Section,
    Seed,
    Share,
    Shares,
    read_settings,
)

_ROWS = 1 << 20  # at most, of whatever is in memory at once


class NetworkConfig(Section):
    """The policy's two trunks, and the critic, which only training needs."""

    cards: TrunkSize = TrunkSize(width=128, blocks=2)
    auction: TrunkSize = TrunkSize(width=128, blocks=2)
    critic: TrunkSize = TrunkSize(width=160, blocks=1)

    @property
    def policy(self) -> NetworkSize:
        """The sizes of the policy."""
        return NetworkSize(cards=self.cards, auction=self.auction)


class RolloutConfig(Section):
    """The deals of an iteration."""

    tables: Annotated[Count, Field(le=_ROWS)] = 1024  # deals an iteration
    parts: Annotated[Count, Field(le=1024)] = 1  # in which they are played, so that a Ray cluster may play them at once
    random_scores: StrictBool = True  # deals start from any score of a match, not only from nil all
    forced_contracts: Share = 0.2  # of the deals begin with some passes and a low bid
    match_odds: str | None = None  # a table of chances to win the match, or a folder with one (agents/match_odds.py)
    match_share: NotNegative = 0.0  # what the match counts as a reward, beside points: 1 is as much as 20 match points

    @model_validator(mode="after")
    def _equal_parts(self) -> "RolloutConfig":
        if self.tables % self.parts:
            raise ValueError(f"{self.tables} tables cannot be played in {self.parts} equal parts")
        if self.match_share and self.match_odds is None:
            raise ValueError("match_share: what the match counts is told by match_odds, so give it, too")
        return self


class ImitationConfig(Section):
    """Before self-play: learn what an agent does. `iterations` and `minutes` both 0 leave it out."""

    agent: str = "rules"
    minutes: NotNegative = 0  # whichever ...
    iterations: Natural = 0  # ... ends first, of those not 0
    deviations: Share = 0.1  # of its actions are exchanged for random ones
    learning_rate: Schedule = (1e-3, 3e-4)
    critic_learning_rate: Schedule = (1e-3, 5e-4)


class PPOConfig(Section):
    """The update."""

    epochs: Count = 2
    minibatch: Annotated[Count, Field(le=_ROWS)] = 4096
    clip: Positive = 0.15
    trace: Share = 0.95  # λ of the generalised advantage estimate
    learning_rate: Schedule = (3e-4, 3e-5)
    critic_learning_rate: Schedule = (5e-4, 1e-4)
    entropy_cards: Schedule = (0.01, 0.002)
    entropy_calls: Schedule = (0.02, 0.005)
    max_gradient: Positive = 0.5
    critic_first: Natural = 0  # iterations in which only the critic learns, for use with init
    anchor: Schedule = (0.0, 0.0)  # what a nat of divergence from the policy of init costs


class LeagueConfig(Section):
    """Who else plays, as shares of the tables; at all others the learner plays itself."""

    past: Share = 0.2  # against earlier versions of itself
    past_players: Count = 2  # how many of them in an iteration
    every: Count = 20  # iterations from one such version to the next
    opponents: Shares = Field({"rules": 0.1, "random": 0.05})  # by agent: it plays one side
    partners: Shares = Field({"rules": 0.05})  # by agent: it plays one seat, and the learner all others
    others: Shares = Field({})  # by agent: it plays all seats but one, which is the learner's
    search_tables: Natural | None = None  # at no more tables do agents that search sit; by default one of 24

    @property
    def shares(self) -> tuple[Shares, Shares, Shares]:
        """By agent, the shares of the tables at which it plays a side, a seat, or all seats but one."""
        return self.opponents, self.partners, self.others


class EvaluationConfig(Section):
    """Duplicate boards against fixed opponents."""

    every: Count = 20  # iterations
    boards: Annotated[Count, Field(ge=2, le=_ROWS)] = 200
    agents: tuple[str, ...] = ("random", "rules")
    alone: StrictBool = False  # the learner plays one seat, and the agent all others; by default whole sides


class Config(Section):
    """A training."""

    stage: Literal["self-play"] = "self-play"  # what kind of config this is: see `train.stages`
    rules: Rules = load_rules("bazar")  # a preset, or a table: see above
    target: Annotated[Count, Field(le=100_000)] | None = None  # points that win a match; by default those of the rules
    seed: Seed = 0
    device: Literal["auto", "cpu", "cuda"] = "auto"
    threads: Annotated[Natural, Field(le=1024)] = 0  # of torch; 0: one a core
    minutes: NotNegative = 0  # whichever ...
    iterations: Natural = 0  # ... ends first, of those not 0; imitation included
    init: str | None = None  # a checkpoint to start from, and what a stage left of its learner beside it
    save_every: Count = 10  # iterations from one resume file to the next
    network: NetworkConfig = NetworkConfig()
    rollout: RolloutConfig = RolloutConfig()
    imitation: ImitationConfig = ImitationConfig()
    ppo: PPOConfig = PPOConfig()
    league: LeagueConfig = LeagueConfig()
    evaluation: EvaluationConfig = EvaluationConfig()

    @model_validator(mode="after")
    def _ends(self) -> "Config":
        if not self.minutes and not self.iterations:
            raise ValueError("give minutes or iterations: a training has to end")
        if any(self.ppo.anchor) and self.init is None:
            raise ValueError("ppo.anchor: it is the policy of init, so give init, too")
        league = self.league
        if league.past + sum(sum(shares.values()) for shares in league.shares) > 1 + 1e-9:
            raise ValueError("league: the shares of past, opponents, partners and others add up to more than 1")
        return self

    @property
    def specs(self) -> dict[str, tuple[str, ...]]:
        """The specs of all agents, by key."""
        league = tuple(spec for shares in self.league.shares for spec in shares)
        return {
            "league": league,
            "imitation.agent": (self.imitation.agent,),
            "evaluation.agents": self.evaluation.agents,
        }

    @property
    def game(self) -> RuleSet:
        """The rules, to the target."""
        return with_target(self.rules, self.target)


def load_config(path: str | Path, overrides: Sequence[str] = ()) -> Config:
    """Read the settings of a training from a file, the user's own or one that ships.

    Args:
        path: a TOML file.
        overrides: `key=value` each, the key with dots (`ppo.clip=0.1`), the value as in TOML; text needs no quotes.

    Raises:
        ConfigError: as `train.settings.read_settings` says.
    """
    return read_settings(Config, path, overrides)
