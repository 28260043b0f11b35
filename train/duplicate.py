"""Duplicate play: the same boards at several tables, the agents changing places, so that the cards favour nobody."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents import Agent, choose
from blot_env import BatchEnv, RuleSet
from train.tournament.margins import weighed
from train.tournament.seating import seatings
from train.tournament.tables import play_tables


@dataclass(frozen=True)
class Tally:
    """What one agent did in some deals: counts, which add up over chunks of boards.

    Where the rules have no contra (or no numbers), the counts that need one stay 0.
    """

    deals: int = 0  # tables at which the agent sat
    redealt: int = 0  # deals that all players passed
    bid: int = 0  # contracts that the agent's side named
    made: int = 0  # ... and made
    numbers: int = 0  # the sum of their numbers
    capots: int = 0  # ... those of them that promise all the tricks
    under_contra: int = 0  # ... those that the other side contra'd
    contras: int = 0  # contracts of the others that the agent contra'd
    contras_right: int = 0  # ... and that failed
    decisions: int = 0  # choices between two or more legal actions
    seconds: float = 0.0  # time spent on them

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(*(getattr(self, field.name) + getattr(other, field.name) for field in fields(self)))

    def rates(self) -> dict[str, float | None]:
        """Return the shares that people read; None where nothing stands below the line, or bids have no number."""

        def share(part: float, whole: float) -> float | None:
            return part / whole if whole else None

        return {
            "bid": share(self.bid, self.deals),
            "redealt": share(self.redealt, self.deals),
            "made": share(self.made, self.bid),
            "number": share(self.numbers, self.bid) or None,
            "capots": share(self.capots, self.bid),
            "under_contra": share(self.under_contra, self.bid),
            "contras": share(self.contras, self.deals - self.redealt - self.bid),
            "contras_right": share(self.contras_right, self.contras),
        }


@dataclass(frozen=True)
class DuplicateResult:
    """Boards that two agents played, and what came of them."""

    boards: NDArray[np.int64]  # (boards,) the numbers of the boards
    seating: NDArray[np.bool_]  # (tables, sides) whether the first agent plays this side at this table
    results: NDArray[Any]  # (boards, tables) RESULT rows
    first: Tally
    second: Tally

    @cached_property
    def margins(self) -> NDArray[np.float64]:
        """Match points of the first agent minus those of the second, a table: shape (boards,)."""
        return self._margins("points")

    @property
    def card_margins(self) -> NDArray[np.float64]:
        """Card points of the first agent minus those of the second, a table: as `margins`, shape (boards,)."""
        return self._margins("card_points")

    def _margins(self, points: str) -> NDArray[np.float64]:
        sides = self.seating.shape[1]
        counted = np.ones(self.results.shape, bool)
        return weighed(self.results[points][:, :, :sides], counted, (~self.seating).astype(np.int64), 2)[:, 0]


def play_duplicate(
    rules: RuleSet, first: Agent, second: Agent, boards: int | Sequence[int], seed: int = 0
) -> DuplicateResult:
    """Play boards between two agents; every board is one deal that starts at a score of nil all.

    Args:
        rules: the game.
        first, second: the agents; each plays all seats of its sides.
        boards: how many (numbers 0, 1, 2, ...), or the numbers of the boards to play.
        seed: with a board's number it fixes the cards, and with seat and decision each agent's randomness; which
            boards are played together changes nothing.

    Raises:
        IllegalAction: an agent chose an action that is not legal.
    """
    numbers = np.arange(boards) if isinstance(boards, int) else np.asarray(boards, np.int64)
    seating = seatings(rules.sides, 2)
    side_of = [rules.side(seat) for seat in range(rules.players)]
    who = np.tile(seating[:, side_of], (len(numbers), 1))  # (boards * tables, players)
    env = BatchEnv(rules, len(who), seed=seed)
    decisions, seconds = [0, 0], [0.0, 0.0]

    def ask(player: int, rows: NDArray[np.int64], _: NDArray[np.int64]) -> NDArray[np.int64]:
        start = perf_counter()
        actions = choose((first, second)[player], env.decisions(rows, seed), env.states, rows)
        seconds[player] += perf_counter() - start
        decisions[player] += len(rows)
        return actions

    deals = play_tables(env, np.repeat(numbers, len(seating)), np.stack([who, who]), ask)
    return DuplicateResult(
        boards=numbers,
        seating=seating == 0,
        results=deals.results.reshape(len(numbers), len(seating)),
        first=_tally(deals.results, who == 0, decisions[0], seconds[0]),
        second=_tally(deals.results, who == 1, decisions[1], seconds[1]),
    )


def _tally(results: NDArray[Any], plays: NDArray[np.bool_], decisions: int, seconds: float) -> Tally:
    """Count one agent's contracts; `plays` (deals, players) tells its seats."""
    contract = results["bidder"] >= 0
    own = contract & plays[np.arange(len(results)), results["bidder"]]
    contra = results["contra"] > 0
    contras = contract & ~own & contra
    return Tally(
        deals=len(results),
        redealt=int((~contract).sum()),
        bid=int(own.sum()),
        made=int((results["made"][own] == 1).sum()),
        numbers=int(results["number"][own].sum()),
        capots=int((results["capot"][own] > 0).sum()),
        under_contra=int((own & contra).sum()),
        contras=int(contras.sum()),
        contras_right=int((results["made"][contras] == 0).sum()),
        decisions=decisions,
        seconds=seconds,
    )
