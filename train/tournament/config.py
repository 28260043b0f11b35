"""The settings of a tournament: a TOML file, flags of `blot tournament`, or both.

agents = ["random", "rules", "policy:checkpoints/bazar"]
rules = "bazar"
format = "round-robin"
boards = 1000
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StrictBool, model_validator

from blot_env import RuleSet, load_rules
from blot_env.episode import with_target
from train.settings import Count, Natural, NotNegative, Positive, Rules, Section, Share, read_settings

MOST_AGENTS = 100
MOST_BOARDS = 1_000_000  # a meeting: some hundreds of megabytes of results


def _some(agents: tuple[str, ...]) -> tuple[str, ...]:
    if len(agents) < 2:
        raise ValueError('give two or more agents, such as ["random", "rules"]')
    if len(agents) > MOST_AGENTS:
        raise ValueError(f"give at most {MOST_AGENTS} agents")
    return agents


def _rising(bounds: tuple[float, float]) -> tuple[float, float]:
    if not bounds[0] < bounds[1]:
        raise ValueError("give two rising numbers, such as [0, 0.2]")
    return bounds


Boards = Annotated[Natural, Field(le=MOST_BOARDS)]
Error = Annotated[float, Field(gt=0, lt=0.5, strict=True)]


class SprtConfig(Section):
    """A sequential test of each meeting: it ends as soon as it is settled which of two margins is the likelier."""

    margins: Annotated[tuple[float, float], AfterValidator(_rising)]  # match points a board; in matches, match points
    alpha: Error = 0.05  # how often the upper one may be accepted where the lower is true
    beta: Error = 0.05  # how often the lower one may be accepted where the upper is true


class GateConfig(Section):
    """What the agents of a ladder have to show: each rung a share of the matches, and each agent its speed.

    A rung is passed where the share is reached and the lower end of its interval lies above `lows`.
    """

    shares: tuple[Share, ...]  # of the matches, that each agent wins against the one before it in `agents`
    lows: tuple[Share, ...]  # above which the lower end of the interval lies
    matches: Annotated[Count, Field(le=MOST_BOARDS)] = 64  # of a rung, before which nothing is settled
    minutes: Positive = 120.0  # by the clock, that a rung may take
    mean_ms: tuple[Positive, ...]  # that each agent may take for a decision on one core, in the mean
    p99_ms: tuple[Positive, ...]  # and 99 of 100 times
    timed: Annotated[Count, Field(le=10_000)] = 30  # deals of each agent with itself whose decisions are timed

    @model_validator(mode="after")
    def _fits(self) -> "GateConfig":
        if len(self.shares) != len(self.lows):
            raise ValueError(f"there are {len(self.shares)} shares and {len(self.lows)} lows: give one of each a rung")
        if any(low >= share for low, share in zip(self.lows, self.shares, strict=True)):
            raise ValueError("each of the lows lies below its share")
        if not len(self.mean_ms) == len(self.p99_ms) == len(self.shares) + 1:
            raise ValueError("give mean_ms and p99_ms of each agent, and shares of each but the first")
        return self


class TournamentConfig(Section):
    """A tournament."""

    agents: Annotated[tuple[str, ...], AfterValidator(_some)]  # specs; `a+b` is a team of two partners
    rules: Rules = load_rules("bazar")  # a preset, or a table
    target: Annotated[Count, Field(le=100_000)] | None = None  # points that win a match; by default those of the rules
    format: Literal["round-robin", "gauntlet", "ladder", "duel"] = "round-robin"
    """gauntlet: the first against each other one; ladder: each against the one before it, so the weakest is first"""
    play: Literal["boards", "matches"] = "boards"  # a deal each at nil all, or whole matches to the target
    table: Literal[2, 3] = 2  # different entrants at a table; 3 only in games of three sides
    duplicate: StrictBool = True  # a board is played in all seatings; otherwise in one, drawn by lot
    boards: Annotated[Count, Field(le=MOST_BOARDS)] = 1000  # (or matches) of a meeting, at most
    seed: Annotated[int, Field(ge=0, lt=1 << 63, strict=True)] = 0  # of the cards and of the agents' randomness
    bank: str | None = None  # a fixed bank of boards instead of those of the seed, such as "standard@1"
    sprt: SprtConfig | None = None
    gate: GateConfig | None = None
    minutes: NotNegative = 0  # by the clock, after which no more is begun; 0: no limit
    limit: Annotated[Positive, Field(le=86_400)] = 60.0  # seconds that an agent may take for one decision
    reduce_luck: StrictBool = False  # take the worth of the cards, double dummy, from boards that are not duplicated
    parts: Boards = 0  # boards of a meeting on which the auction alone, and the card play alone, are exchanged
    analysed: Boards = 100  # boards of a meeting whose tables are compared with double dummy
    workers: Annotated[Natural, Field(le=1024)] = 0  # processes; 0: one a core

    @model_validator(mode="after")
    def _fits(self) -> "TournamentConfig":
        if self.format == "duel" and len(self.agents) != 2:
            raise ValueError(f"a duel has two agents, not {len(self.agents)}")
        if self.table == 3 and (self.rules.sides != 3 or len(self.agents) < 3 or self.format == "duel"):
            raise ValueError("table = 3 needs a game of three sides, such as bela3, and three agents or more")
        if self.table == 3 and self.format == "ladder":
            raise ValueError("a ladder is for table = 2: its rungs tell two agents apart")
        if self.gate and (self.format != "ladder" or self.play != "matches" or self.sprt):
            raise ValueError('gate is for format = "ladder" and play = "matches", without sprt')
        if self.gate and len(self.gate.mean_ms) != len(self.agents):
            raise ValueError(f"gate is for {len(self.gate.mean_ms)} agents, not {len(self.agents)}")
        if self.table == 3 and (self.sprt or self.parts):
            raise ValueError("sprt and parts are for table = 2: they tell two agents apart")
        if self.bank is not None and self.seed:
            raise ValueError("bank has a seed of its own: leave out seed")
        if self.duplicate and self.reduce_luck:
            raise ValueError("reduce_luck is for duplicate = false: on duplicate boards the cards are even already")
        if self.play == "matches" and self.reduce_luck:
            raise ValueError(
                'reduce_luck is for play = "boards": which cards a match brings depends on how it is played'
            )
        return self

    @property
    def game(self) -> RuleSet:
        """The rules, to the target."""
        return with_target(self.rules, self.target)


def load_tournament(path: str | Path, overrides: Sequence[str] = ()) -> TournamentConfig:
    """Read the settings of a tournament from a file, the user's own or one that ships.

    Raises:
        ConfigError: as `train.settings.read_settings` says.
    """
    return read_settings(TournamentConfig, path, overrides)
