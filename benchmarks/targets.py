"""Whether the trained players are as strong as they are meant to be, on boards that no training and no tuning has seen.

    python benchmarks/targets.py bazar --partners policy:runs/one policy:runs/two
    python benchmarks/targets.py duel

Measures, each on duplicate boards: the network alone against `pimc:worlds=20`, and the time of its decisions; the
strongest tier against `pimc:worlds=50`; how much of the way from the cards of `rules` to those of the seer it goes, by
the calls of `rules` for all; whether the contras of hard and crazy are right, and whether they contra what fails by
far; and what partners of two trainings lose against either with itself. A game without contra, or without partners,
has no such targets. By default it takes twenty minutes; `--only` measures some of them.

Each is written to benchmarks/targets/PRESET.json as soon as it is known, and benchmarks/targets.md is made of all.
"""

import argparse
import json
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from secrets import randbits
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blot_env import RuleSet, load_rules
from blot_env.scoring import counted
from train.tournament.decision_times import time_decisions
from train.tournament.entrants import Entrant, entrants_of, exchanged
from train.tournament.estimates import Estimate, bootstrap, proportion, ratio
from train.tournament.margins import forfeit_of, margins
from train.tournament.played import Played, joined
from train.tournament.seating import seatings
from train.tournament.workers import LocalWorkers, Task

HERE = Path(__file__).parent
SEARCH, MORE_SEARCH = "pimc:worlds=20", "pimc:worlds=50"
CHUNK = 4  # boards that a process plays at a time
TIMED = 200  # deals whose decisions are timed, of the network alone
LIMIT = 60.0  # seconds that a decision may take
FAR = 3  # match points that a contract fails by, which ought to be contra'd
HEAD = """# Targets

`python benchmarks/targets.py PRESET`, on fresh duplicate boards. Points are match points a board, intervals are 95 %;
*n* counts boards, or calls, contracts and decisions where these are what is measured. How each is measured stands in
[targets.py](targets.py).
"""


@dataclass(frozen=True)
class Target:
    """One line of the table."""

    name: str
    required: str
    measured: float | None  # None: nothing to measure it by came up
    low: float | None
    high: float | None
    n: int
    met: bool


class Bench:
    """Boards of one game, and the processes that play them.

    Args:
        rules: the game.
        workers: who plays.
        boards: of each meeting, at most.
        seconds: of each meeting, by the clock, after which no more is begun.
        seed: of cards and agents.
    """

    def __init__(self, rules: RuleSet, workers: LocalWorkers, boards: int, seconds: float, seed: int) -> None:
        self.rules, self._workers, self._boards, self._seconds, self.seed = rules, workers, boards, seconds, seed

    def entrant(self, spec: str) -> Entrant:
        """Return an entrant by its spec."""
        return entrants_of(self.rules, [spec])[0]

    def meet(self, first: Entrant, second: Entrant) -> Played:
        """Play boards in all seatings, one chunk at least; the same ones in each meeting, as far as they go."""
        began, waiting, done = time.monotonic(), deque[Future[Played]](), list[Played]()
        starts = iter(range(0, self._boards, CHUNK))
        while True:
            late = bool(done) and time.monotonic() - began >= self._seconds
            while not late and len(waiting) < 2 * self._workers.size and (start := next(starts, None)) is not None:
                waiting.append(self._workers.play(self._task((first, second), start)))
            if not waiting:
                return joined(done)
            done.append(waiting.popleft().result())
            if faults := done[-1].faults:
                raise SystemExit(f"{first.name} against {second.name}: a table was forfeited: {faults[0].reason}")

    def margins(self, played: Played) -> NDArray[np.float64]:
        """Return match points of the first entrant, by board."""
        return margins(self.rules, played, self.seating, 2, forfeit_of(self.rules))[:, 0]

    def points(self, first: str, second: str) -> Estimate:
        """Return match points a board of one agent or team against another."""
        return bootstrap(self.margins(self.meet(self.entrant(first), self.entrant(second))))

    @property
    def seating(self) -> NDArray[np.int64]:
        """Who plays each side at each table of a board."""
        return seatings(self.rules.sides, 2)

    def _task(self, meeting: tuple[Entrant, Entrant], start: int) -> Task:
        boards = range(start, min(start + CHUNK, self._boards))
        return Task(self.rules, meeting, boards, self.seed, "boards", duplicate=True, alone=False, limit=LIMIT)


Measure = Callable[[Bench], Iterator[Target]]


def network_alone(bench: Bench, network: str) -> Iterator[Target]:
    """Yield the network's strength without search, and the time of its decisions."""
    found = bench.points(network, SEARCH)
    yield _target(f"`{network}` against `{SEARCH}`", "at least 0", found, found.mean >= 0)
    (times,) = time_decisions(bench.rules, [bench.entrant(network)], range(TIMED), bench.seed, LIMIT)
    mean = None if times["mean"] is None else 1000 * times["mean"]
    met = mean is not None and mean <= 3 and not times["faults"]
    yield Target(f"a decision of `{network}`, ms on one core", "at most 3", mean, None, None, times["n"], met)


def strongest(bench: Bench, tier: str) -> Iterator[Target]:
    """Yield the strongest tier's margin over much search."""
    found = bench.points(tier, MORE_SEARCH)
    better = found.low is not None and found.low > 0
    yield _target(f"`{tier}` against `{MORE_SEARCH}`", "interval above 0", found, better)


def gap(bench: Bench, tier: str) -> Iterator[Target]:
    """Yield how far a tier's cards go from those of `rules` to the seer's, on the same boards and by the same calls.

    All call as `rules`. The cards of `rules` against themselves are worth exactly nothing on duplicate boards.
    """
    rules = bench.entrant("rules")
    own, best = (bench.margins(bench.meet(exchanged(rules, bench.entrant(spec)), rules)) for spec in (tier, "seer"))
    both = min(len(own), len(best))
    if best[:both].sum() <= 0:
        yield Target(f"`{tier}`: share of the gap to the seer", "at least 0.5", None, None, None, both, False)
        return
    found = ratio(own[:both], best[:both])
    yield _target(f"`{tier}`: share of the gap to the seer", "at least 0.5", found, found.mean >= 0.5)


def contras(bench: Bench, tier: str) -> Iterator[Target]:
    """Yield how often a tier's contras of contracts of `rules` are right, and how many it contras that fail by far."""
    played = bench.meet(bench.entrant(tier), bench.entrant("rules"))
    results = against(bench, played)
    doubled, failed = results["contra"] > 0, results["made"] == 0
    far = np.array([short_by(bench.rules, result) >= FAR for result in results], bool)
    yield _share(f"`{tier}`: contras that are right", 0.6, failed[doubled])
    yield _share(f"`{tier}`: contra'd of what fails by {FAR} or more", 1 / 3, doubled[far])


def against(bench: Bench, played: Played) -> NDArray[Any]:
    """Return the results of the contracts that the first entrant defended against and that were played."""
    side_of = np.array([bench.rules.side(seat) for seat in range(bench.rules.players)])
    results = played.results
    named = bench.seating[played.table, side_of[results["bidder"]]]
    return results[(results["bidder"] >= 0) & (results["made"] >= 0) & (named == 1)]


def short_by(rules: RuleSet, result: np.void) -> float:
    """Return how many match points a numbered contract fails by, 0 where it is made."""
    side = rules.side(int(result["bidder"]))
    return 0.0 if result["made"] else float(result["number"] - counted(rules.record, result, side) / 10)


def cross_play(bench: Bench, one: str, other: str) -> Iterator[Target]:
    """Yield what partners of two trainings lose against either of them with itself."""
    for spec in (one, other):
        found = bench.points(f"{one}+{other}", spec)
        yield _target(f"`{one}` + `{other}` against `{spec}`", "above −1", found, found.mean > -1)


def _share(name: str, required: float, values: NDArray[np.bool_]) -> Target:
    if not len(values):
        return Target(name, f"at least {required:.0%}", None, None, None, 0, False)
    found = proportion(values.astype(np.float64))
    return _target(name, f"at least {required:.0%}", found, found.mean >= required)


def _target(name: str, required: str, found: Estimate, met: bool) -> Target:
    return Target(name, required, found.mean, found.low, found.high, found.n, met)


def measures(rules: RuleSet, network: str, partners: list[str] | None) -> dict[str, tuple[int, Measure]]:
    """Return what is measured in a game: by name how many meetings it takes, and who measures it."""
    found: dict[str, tuple[int, Measure]] = {
        "network": (1, partial(network_alone, network=network)),
        "strongest": (1, partial(strongest, tier="tier:crazy")),
        "gap": (2, partial(gap, tier="tier:crazy")),
    }
    if rules.contra and rules.numbered:
        for tier in ("hard", "crazy"):
            found[f"contras-{tier}"] = (1, partial(contras, tier=f"tier:{tier}"))
    if rules.teams and partners:
        found["cross-play"] = (2, partial(cross_play, one=partners[0], other=partners[1]))
    return found


def tables(folder: Path) -> Iterator[str]:
    """Yield the lines about all games that were measured."""
    for path in sorted(folder.glob("*.json")):
        yield from ("", f"## `{path.stem}`", "", "| target | required | measured | 95 % | n | met |")
        yield "|---|---|---:|---:|---:|---|"
        for measured in json.loads(path.read_text(encoding="utf-8")).values():
            for target in measured["targets"]:
                yield _row(**target)


def _row(
    name: str, required: str, measured: float | None, low: float | None, high: float | None, n: int, met: bool
) -> str:
    value, *ends = ("–" if number is None else f"{number:.2f}".replace("-", "−") for number in (measured, low, high))
    return f"| {name} | {required} | {value} | {' … '.join(ends)} | {n:,} | {'yes' if met else '**no**'} |"


def main() -> None:
    """Measure, write and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("preset")
    parser.add_argument("--network", help="a spec; by default the checkpoint that ships")
    parser.add_argument("--partners", nargs=2, metavar="SPEC", help="networks of two trainings, for cross-play")
    parser.add_argument("--boards", type=int, default=2000, help="of each meeting, at most")
    parser.add_argument("--minutes", type=float, default=20, help="for all meetings together")
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--seed", type=int, help="by default one is drawn")
    parser.add_argument("--only", nargs="+", help="names of measures: network, strongest, gap, contras-hard, …")
    options = parser.parse_args()
    rules = load_rules(options.preset)
    wanted = measures(rules, options.network or f"policy:checkpoints/{options.preset}", options.partners)
    if unknown := sorted({*(options.only or ())} - {*wanted}):
        parser.error(f"{', '.join(unknown)}: there are {', '.join(wanted)} (cross-play needs --partners)")
    wanted = {name: wanted[name] for name in options.only or wanted}
    seed = randbits(53) if options.seed is None else options.seed
    seconds = 60 * options.minutes / sum(meetings for meetings, _ in wanted.values())
    path = HERE / "targets" / f"{options.preset}.json"
    path.parent.mkdir(exist_ok=True)
    with LocalWorkers(options.workers) as workers:
        bench = Bench(rules, workers, options.boards, seconds, seed)
        for name, (_, measure) in wanted.items():
            targets = [asdict(target) for target in measure(bench)]
            kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
            path.write_text(json.dumps(kept | {name: {"seed": seed, "targets": targets}}, indent=2) + "\n")
            print(*(_row(**target) for target in targets), sep="\n", flush=True)
    (HERE / "targets.md").write_text("\n".join([HEAD.rstrip(), *tables(path.parent), ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
