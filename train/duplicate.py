"""Duplicate play: the same boards at several tables, the agents changing places, so that the cards favour nobody."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from agents import Agent, choose
from blot_env import BatchEnv, RuleSet
from train.tournament.margins import weighed
from train.tournament.seating import seatings
from train.tournament.tables import play_tables

Part = Literal["whole", "auction", "cards"]


@dataclass(frozen=True)
class DuplicateResult:
    """Boards that two agents played, and what came of them."""

    boards: NDArray[np.int64]  # (boards,) the numbers of the boards
    seating: NDArray[np.bool_]  # (tables, sides) whether the first agent plays this side at this table
    results: NDArray[Any]  # (boards, tables) RESULT rows

    @cached_property
    def margins(self) -> NDArray[np.float64]:
        """Match points of the first agent minus those of the second, a table: shape (boards,)."""
        sides = self.seating.shape[1]
        counted = np.ones(self.results.shape, bool)
        return weighed(self.results["points"][:, :, :sides], counted, (~self.seating).astype(np.int64), 2)[:, 0]


def play_duplicate(
    rules: RuleSet, first: Agent, second: Agent, boards: int | Sequence[int], seed: int = 0, part: Part = "whole"
) -> DuplicateResult:
    """Play boards between two agents; every board is one deal that starts at a score of nil all.

    Args:
        rules: the game.
        first, second: the agents; each plays all seats of its sides.
        boards: how many (numbers 0, 1, 2, ...), or the numbers of the boards to play.
        seed: with a board's number it fixes the cards, and with seat and decision each agent's randomness; which
            boards are played together changes nothing.
        part: what the first agent does at its seats, by default all; the rest is done by the second one.

    Raises:
        IllegalAction: an agent chose an action that is not legal.
    """
    numbers = np.arange(boards) if isinstance(boards, int) else np.asarray(boards, np.int64)
    seating = seatings(rules.sides, 2)
    side_of = [rules.side(seat) for seat in range(rules.players)]
    who = np.tile(seating[:, side_of], (len(numbers), 1))  # (boards * tables, players)
    second_alone = np.ones_like(who)
    calls, cards = (second_alone if part == other else who for other in ("cards", "auction"))
    env = BatchEnv(rules, len(who), seed=seed)

    def ask(player: int, rows: NDArray[np.int64], _: NDArray[np.int64]) -> NDArray[np.int64]:
        return choose((first, second)[player], env.decisions(rows, seed), env.states, rows)

    deals = play_tables(env, np.repeat(numbers, len(seating)), np.stack([calls, cards]), ask)
    return DuplicateResult(
        boards=numbers,
        seating=seating == 0,
        results=deals.results.reshape(len(numbers), len(seating)),
    )
