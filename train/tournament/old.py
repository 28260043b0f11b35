"""A round robin on duplicate boards, over all cores.

    blot tournament --rules bazar --boards 1000 random rules policy:checkpoints/bazar

Boards are played in chunks of a fixed size by worker processes. The cards come from (seed, board) and an agent's
randomness from (seed, board, seat, decision), so the result is the same whatever the number of workers.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import combinations
from multiprocessing import get_context

import numpy as np
from numpy.typing import NDArray

import agents
from blot_env import RuleSet
from train.duplicate import DuplicateResult, Tally, play_duplicate

MOST_BOARDS = 1_000_000  # a pair: some hundreds of megabytes of results, and an interval of some hundredths of a point
CHUNK = 64  # boards a task: fixed, since a network's last bits depend on what shares its batch

_Z95 = 1.959963984540054  # two-sided 95 % of a normal distribution


class TournamentError(ValueError):
    """A tournament that cannot be played as asked."""


@dataclass(frozen=True)
class Estimate:
    """A mean over boards and its 95 % confidence interval, mean ± margin; the margin is None for a single board."""

    mean: float
    margin: float | None
    sd: float | None  # of one board


@dataclass(frozen=True)
class Pair:
    """All boards between two agents, which are named by their place in `Tournament.names`."""

    first: int
    second: int
    result: DuplicateResult

    @property
    def points(self) -> Estimate:
        """Match points a board of the first agent minus those of the second."""
        return estimate(self.result.margins)


@dataclass(frozen=True)
class Tournament:
    """A finished round robin; every pair has played the same boards."""

    rules: RuleSet
    specs: tuple[str, ...]
    names: tuple[str, ...]  # of the agents, made unique
    boards: int
    seed: int
    pairs: tuple[Pair, ...]

    def points(self, agent: int) -> Estimate:
        """Match points a board of one agent against the others, each opponent weighing the same."""
        signed = [pair.result.margins for pair in self.pairs if pair.first == agent]
        signed += [0 - pair.result.margins for pair in self.pairs if pair.second == agent]  # a plain minus makes -0.0
        return estimate(np.mean(signed, axis=0))

    def tally(self, agent: int) -> Tally:
        """All contracts of one agent."""
        own = [pair.result.first for pair in self.pairs if pair.first == agent]
        own += [pair.result.second for pair in self.pairs if pair.second == agent]
        return sum(own, Tally())

    def ranking(self) -> list[int]:
        """The agents, best first."""
        return sorted(range(len(self.names)), key=lambda agent: -self.points(agent).mean)


def estimate(values: NDArray[np.float64]) -> Estimate:
    """Return the mean of independent boards with the normal approximation's 95 % interval."""
    if len(values) < 2:
        return Estimate(float(values.mean()), None, None)
    sd = float(values.std(ddof=1))
    return Estimate(float(values.mean()), _Z95 * sd / len(values) ** 0.5, sd)


def entrants(rules: RuleSet, specs: Sequence[str], boards: int) -> tuple[str, ...]:
    """Return the names, made unique, of agents that can play a tournament.

    Raises:
        TournamentError: fewer than two agents, less than one board or too many.
        SpecError: an agent cannot be made.
    """
    if len(specs) < 2:
        raise TournamentError("a tournament needs two or more agents, such as: random rules")
    if boards < 1:
        raise TournamentError(f"a tournament needs at least one board, not {boards}")
    if boards > MOST_BOARDS:
        raise TournamentError(f"a tournament has at most {MOST_BOARDS} boards a pair")
    return _distinct([agents.make(spec, rules).name for spec in specs])


def run_tournament(
    rules: RuleSet,
    specs: Sequence[str],
    boards: int,
    seed: int = 0,
    workers: int | None = None,
    advance: Callable[[int], None] = lambda boards: None,
) -> Tournament:
    """Let every pair of agents play the same duplicate boards.

    A script that calls this needs the guard `if __name__ == "__main__":`, since workers are spawned.

    Args:
        rules: the game.
        specs: two or more agents; the same one may be named twice, as a control.
        boards: boards a pair.
        seed: fixes the cards and the agents' randomness.
        workers: processes; by default one a core.
        advance: is told how many more boards have been played, at the start 0.

    Raises:
        TournamentError, SpecError: as `entrants` says; or a worker died.
    """
    names = entrants(rules, specs, boards)  # also: what is wrong is told at once
    meetings = list(combinations(range(len(specs)), 2))
    chunks = [range(start, min(start + CHUNK, boards)) for start in range(0, boards, CHUNK)]
    tasks = [(first, second, chunk, seed) for first, second in meetings for chunk in chunks]
    advance(0)
    workers = min(workers or os.cpu_count() or 1, len(tasks))
    with ProcessPoolExecutor(workers, get_context("spawn"), _start_worker, (rules, tuple(specs))) as pool:
        futures = {pool.submit(_play_chunk, *task): index for index, task in enumerate(tasks)}
        played: list[DuplicateResult | None] = [None] * len(tasks)
        try:
            for future in as_completed(futures):
                index = futures[future]
                played[index] = future.result()
                advance(len(tasks[index][2]))
        except BrokenProcessPool:
            raise TournamentError("a worker process died, perhaps for want of memory; try fewer workers") from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    parts = [part for part in played if part is not None]
    return Tournament(
        rules=rules,
        specs=tuple(specs),
        names=names,
        boards=boards,
        seed=seed,
        pairs=tuple(
            Pair(first, second, _joined(parts[index * len(chunks) : (index + 1) * len(chunks)]))
            for index, (first, second) in enumerate(meetings)
        ),
    )


_agents: list[agents.Agent] = []  # of this worker process, in the order of the specs
_rules: RuleSet


def _start_worker(rules: RuleSet, specs: tuple[str, ...]) -> None:
    """Make the agents once a process, each with one thread for its arithmetic, and compiled before time is taken."""
    global _rules
    os.environ["OMP_NUM_THREADS"] = "1"
    _rules = rules
    _agents[:] = [agents.make(spec, rules) for spec in specs]
    for agent in _agents:
        play_duplicate(rules, agent, agent, 1)


def _play_chunk(first: int, second: int, boards: range, seed: int) -> DuplicateResult:
    return play_duplicate(_rules, _agents[first], _agents[second], boards, seed)


def _joined(parts: list[DuplicateResult]) -> DuplicateResult:
    return DuplicateResult(
        boards=np.concatenate([part.boards for part in parts]),
        seating=parts[0].seating,
        results=np.concatenate([part.results for part in parts]),
        first=sum((part.first for part in parts), Tally()),
        second=sum((part.second for part in parts), Tally()),
    )


def _distinct(names: list[str]) -> tuple[str, ...]:
    """Number the agents of equal name."""
    return tuple(
        name if names.count(name) == 1 else f"{name} #{names[: place + 1].count(name)}"
        for place, name in enumerate(names)
    )
