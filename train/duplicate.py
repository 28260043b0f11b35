"""Duplicate play: the same boards at several tables, the agents changing places, so that the cards favour nobody."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents import Agent, choose
from blot_env import BatchEnv, RuleSet


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
    margins: NDArray[np.float64]  # (boards,) match points of the first agent minus those of the second, a table
    first: Tally
    second: Tally

    @property
    def card_margins(self) -> NDArray[np.float64]:
        """Card points of the first agent minus those of the second, a table: as `margins`, shape (boards,)."""
        return _margins(self.results["card_points"][:, :, : self.seating.shape[1]], self.seating)


def seatings(sides: int) -> NDArray[np.bool_]:
    """Return which sides the first agent plays at each table of a board, shape (tables, sides).

    Two sides need two tables. With three, each agent plays each side alone against the other agent at the other two:
    six tables. Exchanging the agents permutes the tables, so the margins only change their sign.
    """
    alone = np.eye(sides, dtype=bool)
    return np.unique(np.concatenate([alone, ~alone]), axis=0)[::-1]  # first the table where the first agent is side 0


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
    seating = seatings(rules.sides)
    tables = len(seating)
    side_of = np.array([rules.side(seat) for seat in range(rules.players)])
    of_first = np.tile(seating[:, side_of], (len(numbers), 1))  # (boards * tables, players)

    env = BatchEnv(rules, len(numbers) * tables, seed=seed)
    _, mask, seat = env.reset(boards=np.repeat(numbers, tables))
    results: NDArray[Any] = np.zeros(env.num_envs, env.results.dtype)
    actions = np.zeros(env.num_envs, np.int64)
    table = np.arange(env.num_envs)
    playing = np.ones(env.num_envs, bool)
    decisions, seconds = [0, 0], [0.0, 0.0]
    while playing.any():
        env.sample(mask, actions)  # the only action where there is one; finished tables play on unheeded
        choosing = playing & (mask.sum(1) > 1)
        firsts_turn = of_first[table, seat]
        for index, (agent, turn) in enumerate(((first, firsts_turn), (second, ~firsts_turn))):
            rows = np.flatnonzero(choosing & turn)
            if len(rows):
                start = perf_counter()
                actions[rows] = choose(agent, env.decisions(rows, seed), env.states, rows)
                seconds[index] += perf_counter() - start
                decisions[index] += len(rows)
        _, mask, seat, _, done = env.step(actions)
        ended = playing & done
        results[ended] = env.results[ended]
        playing &= ~done

    return DuplicateResult(
        boards=numbers,
        seating=seating,
        results=results.reshape(len(numbers), tables),
        margins=_margins(results["points"][:, : rules.sides].reshape(len(numbers), tables, rules.sides), seating),
        first=_tally(results, of_first, decisions[0], seconds[0]),
        second=_tally(results, ~of_first, decisions[1], seconds[1]),
    )


def _margins(points: NDArray[np.int64], seating: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the mean over tables of the first agent's points a side minus the second's, shape (boards,)."""
    others = ~seating
    weights = seating / seating.sum(1, keepdims=True) - others / others.sum(1, keepdims=True)  # (tables, sides)
    return (points * weights).sum((1, 2)) / len(seating)


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
