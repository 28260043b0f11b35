"""The chance to win a match from its score.

A table of what both sides miss to the target, which `train.match_odds` computes, in `match-odds.json`. Where match
points are raw points it counts in tens.
"""

from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import Field, ValidationError, model_validator

from agents.manifest import GameManifest, explain
from agents.resources import find
from blot_env import RuleSet
from blot_env.files import read_regular

MATCH_ODDS = "match-odds.json"

Chance = Annotated[float, Field(ge=0, le=1)]


class MatchOddsError(ValueError):
    """A table that cannot be used; the message says which file is wrong and why."""


class MatchOddsFile(GameManifest):
    """What the file holds."""

    format: Literal["blot-match-odds/1"] = "blot-match-odds/1"
    agent: str  # who played the deals
    deals: int
    chances: list[
        list[Chance]
    ]  # of the side that deals, by what it misses and what the other one does, from one step on

    @model_validator(mode="after")
    def _is_square(self) -> "MatchOddsFile":
        if not self.chances or any(len(row) != len(self.chances) for row in self.chances):
            raise ValueError("chances: as many rows as columns are wanted")
        return self


class MatchOdds:
    """Chances to win from what each side misses.

    Attributes:
        table: float64 (2, n, n): chances of a side that does not deal next, and of one that does, by what it and the
            other side miss, in steps; 0 is won.
        step: match points.
        target: of the rules.
    """

    def __init__(self, rules: RuleSet, chances: NDArray[np.float64]) -> None:
        """Complete a table.

        Args:
            rules: the game, of two sides.
            chances: of the side that deals, (n, n), from one step on.
        """
        self.step, self.target = step_of(rules), rules.target
        self.table = np.zeros((2, len(chances) + 1, len(chances) + 1))
        self.table[:, 0, 1:] = 1.0
        self.table[1, 1:, 1:] = chances
        self.table[0, 1:, 1:] = 1.0 - chances.T
        self.table[:, 0, 0] = 0.5

    def chance(
        self, own: ArrayLike, other: ArrayLike, deals: ArrayLike | None = None, target: int | None = None
    ) -> NDArray[np.float64]:
        """Return the chance of a side to win, of the common shape of the arguments.

        Args:
            own, other: match points of the side and of the other one; who has reached the target alone has won, and of
                two the one with more.
            deals: whether the side deals next; by default it is not known.
            target: of the match; by default that of the rules. What a side misses beyond the table counts as its end.
        """
        goal = self.target if target is None else target
        own, other = np.broadcast_arrays(np.asarray(own), np.asarray(other))
        missing = [np.clip(-(-(goal - score) // self.step), 0, self.table.shape[1] - 1) for score in (own, other)]
        second, first = self.table[0][*missing], self.table[1][*missing]
        chances = (first + second) / 2 if deals is None else np.where(deals, first, second)
        over = np.maximum(own, other) >= goal
        return np.where(over, np.where(own > other, 1.0, np.where(own < other, 0.0, 0.5)), chances)

    @classmethod
    def load(cls, path: str | Path, rules: RuleSet) -> "MatchOdds":
        """Read a table of a game from its file, or from a folder that holds it.

        Raises:
            MatchOddsError: there is none, it is damaged, or of another game.
        """
        try:
            found = find(path)
            file = found / MATCH_ODDS if found.is_dir() else found
            return cls.read(read_regular(file), rules, file)
        except OSError as error:
            reason = f"{error.filename}: {error.strerror}" if error.filename else str(error)
            raise MatchOddsError(f"{reason}; name {MATCH_ODDS}, or a folder with it") from None

    @classmethod
    def read(cls, content: bytes, rules: RuleSet, path: Path = Path(MATCH_ODDS)) -> "MatchOdds":
        """Read a table from the content of its file, as `load`."""
        try:
            file = MatchOddsFile.model_validate_json(content)
        except ValidationError as error:
            raise MatchOddsError(f"{path}: {explain(error)}; make it again") from None
        if misfit := file.misfit(rules):
            raise MatchOddsError(f"{path}: {misfit}")
        return cls(rules, np.array(file.chances))


def step_of(rules: RuleSet) -> int:
    """Return how many match points a table counts in."""
    return 10 // int(rules.record.unit)
