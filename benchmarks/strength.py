"""How strong the players are: ladders in which each meets its neighbours and `rules` on duplicate boards.

    python benchmarks/strength.py bazar duel [--minutes 60] [--boards 2000]
    python benchmarks/strength.py search-opponents --minutes 5

All meetings of a ladder play the same boards, from 0 on, in chunks, until each has played `--boards` of them, or the
ladder's minutes are over. So the clock decides how many boards are played, and nothing else: what is played at a board
always repeats. Each chunk is kept in runs/strength/LADDER.jsonl when it is finished, and a later call with more
minutes, or one after a stop, goes on from there; what an agent of another name played is left aside. Prints tables, and
writes them to benchmarks/strength.md.
"""

import argparse
import json
import os
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import agents
from agents import Agent, choose
from blot_env import BatchEnv, Game, RuleSet, load_rules
from train.duplicate import Tally, play_duplicate
from train.tournament.estimates import bootstrap

CHUNK = 10  # boards; fixed, since a network's last bits depend on what shares its batch
SEED = 2026
TIMED = 4  # deals whose decisions are timed
POSITIONS = Path(__file__).parents[1] / "tests" / "data" / "positions.jsonl"
KEPT = Path("runs/strength")
HEAD = f"""# How strong the players are

Agents meet on duplicate boards, one deal each at nil all (seed {SEED}): match points and card points a board, first
minus second, with 95 % intervals. *Gap closed* is what an agent wins against `rules`, as a share of what `seer`, which
sees all cards, wins against `rules` on the same boards. *Time* is CPU time for a decision with a choice, on those of
{TIMED} deals that `rules` played, the same for every agent.
"""


@dataclass(frozen=True)
class Ladder:
    """Agents of one game, the weakest first as far as one knows."""

    title: str
    preset: str
    specs: tuple[str, ...]
    everyone: bool = False  # meets everyone, not only its neighbours and `rules`

    @property
    def meetings(self) -> list[tuple[str, str]]:
        """Who meets whom: the one further up first."""
        below = dict(zip(self.specs[1:], self.specs[:-1], strict=True))
        pairs = [(upper, lower) for lower, upper in combinations(self.specs, 2)]
        return [pair for pair in pairs if self.everyone or below[pair[0]] == pair[1] or "rules" in pair]


_SEARCH = tuple(f"pimc:worlds={worlds}{weights}" for worlds in (5, 20) for weights in (",weights=none", ""))
LADDERS = {
    "bazar": Ladder(
        "Bazar Blot",
        "bazar",
        (
            "random",
            "rules",
            "ismcts:iterations=200",
            "policy:checkpoints/bazar",
            "ismcts:iterations=2000",
            *_SEARCH,
            "seer",
        ),
    ),
    "duel": Ladder(
        "Duel", "duel", ("random", "rules", "ismcts:iterations=200", "ismcts:iterations=2000", *_SEARCH, "seer")
    ),
    "search-opponents": Ladder(
        "What the search opponents changed",
        "bazar",
        ("rules", "policy:checkpoints/bazar", "policy:runs/without-search", "policy:runs/vs-search", "pimc:worlds=5"),
        everyone=True,
    ),
}


@dataclass
class Meeting:
    """What two agents have played against each other: arrays over boards, from 0 on."""

    points: list[float] = field(default_factory=list)  # match points of the first minus those of the second
    cards: list[float] = field(default_factory=list)  # card points
    first: Tally = field(default_factory=Tally)
    second: Tally = field(default_factory=Tally)
    seconds: float = 0.0

    def add(self, chunk: dict[str, Any]) -> None:
        """Add the boards that follow."""
        self.points += chunk["points"]
        self.cards += chunk["cards"]
        self.first += Tally(**chunk["tallies"][0])
        self.second += Tally(**chunk["tallies"][1])
        self.seconds += chunk["seconds"]


@cache
def ready(preset: str, spec: str) -> Agent:
    """Return an agent, compiled."""
    rules = load_rules(preset)
    agent = agents.make(spec, rules)
    play_duplicate(rules, agent, agent, 1)
    return agent


def play_chunk(preset: str, first: str, second: str, start: int) -> dict[str, Any]:
    """Let two agents play some boards, and return what is kept of it."""
    pair = [ready(preset, spec) for spec in (first, second)]
    begin = time.perf_counter()
    result = play_duplicate(load_rules(preset), *pair, range(start, start + CHUNK), SEED)
    return {
        "names": [agent.name for agent in pair],
        "pair": [first, second],
        "start": start,
        "seconds": round(time.perf_counter() - begin, 3),
        "points": result.margins.tolist(),
        "cards": result.card_margins.tolist(),
        "tallies": [asdict(result.first), asdict(result.second)],
    }


def examine(preset: str, spec: str) -> dict[str, Any]:
    """Return the milliseconds of CPU time that a decision takes, and how many of the written positions are right."""
    agent, rules = ready(preset, spec), load_rules(preset)
    return {
        "spec": spec,
        "name": agent.name,
        "milliseconds": 1000 * _seconds_a_decision(agent, rules),
        "positions": _positions_right(agent, rules),
    }


def _seconds_a_decision(agent: Agent, rules: RuleSet) -> float:
    env, host = BatchEnv(rules, TIMED, seed=SEED), agents.make("rules", rules)
    _, mask, _ = env.reset()
    playing = np.ones(TIMED, bool)
    seconds, count = 0.0, 0
    while playing.any():
        rows = np.flatnonzero(playing & (mask.sum(1) > 1))
        actions = env.sample(mask)
        if len(rows):
            decisions = env.decisions(rows, SEED)
            begin = time.process_time()
            choose(agent, decisions, env.states, rows)
            seconds, count = seconds + time.process_time() - begin, count + len(rows)
            actions[rows] = host.act(decisions)
        _, mask, _, _, done = env.step(actions)
        playing &= ~done
    return seconds / count


def _positions_right(agent: Agent, rules: RuleSet) -> str:
    """Return how many of the game's written positions an agent gets right, as text."""
    lines = [json.loads(line) for line in POSITIONS.read_text(encoding="utf-8").splitlines()]
    positions = [position for position in lines if position["record"]["rules"] == rules.name]
    right = 0
    for position in positions:
        game = Game.from_record(position["record"])
        for action in position["record"]["actions"]:
            game.play(action)
        chosen = rules.actions.text(int(choose(agent, game.decision(), game.states)[0]))
        right += chosen in position["accept"] if "accept" in position else chosen not in position["reject"]
    return f"{right} of {len(positions)}" if positions else "–"


class Play:
    """The meetings of a ladder, with what earlier calls kept of them."""

    def __init__(self, name: str) -> None:
        """Read what was kept and is still of these agents."""
        self.ladder, self._path = LADDERS[name], KEPT / f"{name}.jsonl"
        rules = load_rules(self.ladder.preset)
        self.names = {spec: agents.make(spec, rules).name for spec in self.ladder.specs}
        self._chunks: dict[tuple[str, str], dict[int, dict[str, Any]]] = {pair: {} for pair in self.ladder.meetings}
        self.examined: dict[str, dict[str, Any]] = {}
        if self._path.exists():
            for line in self._path.read_text(encoding="utf-8").splitlines():
                self._take(json.loads(line))

    def _take(self, kept: dict[str, Any]) -> None:
        if "spec" in kept:
            if self.names.get(kept["spec"]) == kept["name"]:
                self.examined[kept["spec"]] = kept
            return
        pair = tuple(kept["pair"])
        if pair in self._chunks and [self.names[spec] for spec in pair] == kept["names"]:
            self._chunks[pair][kept["start"]] = kept

    def _keep(self, kept: dict[str, Any]) -> None:
        self._take(kept)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(kept) + "\n")

    def meeting(self, first: str, second: str) -> Meeting:
        """Return the boards of two agents without a gap."""
        chunks, meeting = self._chunks[first, second], Meeting()
        while (start := len(meeting.points)) in chunks:
            meeting.add(chunks[start])
        return meeting

    @property
    def seconds(self) -> float:
        """Time that the workers have spent on boards, all together."""
        return sum(chunk["seconds"] for chunks in self._chunks.values() for chunk in chunks.values())

    def run(self, minutes: float, boards: int, workers: int) -> None:
        """Play until each meeting has had its boards, or the time is over."""
        with ProcessPoolExecutor(workers, get_context("spawn"), _start_worker) as pool:
            tasks = self._tasks(boards)
            running: set[Future[dict[str, Any]]] = set()
            shown = time.perf_counter()
            while True:
                while len(running) < workers and self.seconds < 60 * minutes * workers and (task := next(tasks, None)):
                    running.add(pool.submit(*task))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    self._keep(future.result())
                if time.perf_counter() - shown > 60:
                    shown = time.perf_counter()
                    print(f"{self.seconds / workers / 60:.1f} of {minutes:g} minutes", file=sys.stderr, flush=True)

    def _tasks(self, boards: int) -> Iterator[tuple[Any, ...]]:
        """Yield what to do next; between two tasks the results of earlier ones may come in."""
        preset = self.ladder.preset
        for spec in self.ladder.specs:
            if spec not in self.examined:
                yield examine, preset, spec
        given: dict[tuple[str, str], set[int]] = defaultdict(set)

        def due(pair: tuple[str, str]) -> tuple[float, int]:
            """Return what comes first if it is least: the cost of a chunk times the square of their number.

            Where it is alike for all, the sum of the variances of the means is least for the time spent.
            """
            chunks = self._chunks[pair]
            seconds = sum(chunk["seconds"] for chunk in chunks.values()) / max(len(chunks), 1)
            return seconds * len(chunks.keys() | given[pair]) ** 2, len(given[pair])

        def following(pair: tuple[str, str]) -> int | None:
            kept = self._chunks[pair].keys() | given[pair]
            return next((start for start in range(0, boards, CHUNK) if start not in kept), None)

        while open_ := {pair: start for pair in self._chunks if (start := following(pair)) is not None}:
            pair = min(open_, key=due)
            given[pair].add(open_[pair])
            yield play_chunk, preset, *pair, open_[pair]


def _start_worker() -> None:
    os.environ["OMP_NUM_THREADS"] = "1"


class Report:
    """The tables of a ladder."""

    def __init__(self, play: Play, command: str) -> None:
        self._play, self._ladder, self._command = play, play.ladder, command
        self._meetings = {pair: play.meeting(*pair) for pair in play.ladder.meetings}
        self._meetings = {pair: meeting for pair, meeting in self._meetings.items() if meeting.points}

    def lines(self) -> list[str]:
        """Return the section of strength.md."""
        minutes = self._play.seconds / 60
        return [
            f"## {self._ladder.title}",
            "",
            f"`{self._command}`: {minutes:,.0f} minutes of one core, by the clock.",
            "",
            *self._table(self._agents()),
            "",
            *self._table(self._pairs()),
        ]

    def _agents(self) -> list[dict[str, str]]:
        rows = []
        for spec in self._ladder.specs:
            own = [meeting.first for (first, _), meeting in self._meetings.items() if first == spec]
            own += [meeting.second for (_, second), meeting in self._meetings.items() if second == spec]
            rates = sum(own, Tally()).rates()
            examined = self._play.examined.get(spec)
            rows.append(
                {
                    "agent": f"`{spec}`" + (" (cheats)" if "cheats" in self._play.names[spec] else ""),
                    "points against `rules`": _interval(self._against_rules(spec, "points")),
                    "card points": _interval(self._against_rules(spec, "cards")),
                    "gap closed": self._closed(spec, "points"),
                    "of card points": self._closed(spec, "cards"),
                    "time": f"{examined['milliseconds']:.2g} ms" if examined else "–",
                    "contracts made": _share(rates["made"]),
                    "mean number": _number(rates["number"]),
                    "contras right": _share(rates["contras_right"]),
                    "positions right": examined["positions"] if examined else "–",
                }
            )
        return rows

    def _pairs(self) -> list[dict[str, str]]:
        rows = []
        for (first, second), meeting in self._meetings.items():
            points = np.array(meeting.points)
            rows.append(
                {
                    "first": f"`{first}`",
                    "second": f"`{second}`",
                    "boards": f"{len(points):,}",
                    "points": _interval(points),
                    "card points": _interval(np.array(meeting.cards)),
                    "won, drawn, lost": f"{(points > 0).sum()}, {(points == 0).sum()}, {(points < 0).sum()}",
                }
            )
        return rows

    def _against_rules(self, spec: str, kind: str) -> NDArray[np.float64]:
        """Return an agent's margins against `rules` by board, shape (boards,)."""
        for pair, sign in (((spec, "rules"), 1), (("rules", spec), -1)):
            if pair in self._meetings:
                return sign * np.array(getattr(self._meetings[pair], kind))
        return np.zeros(0)

    def _closed(self, spec: str, kind: str) -> str:
        """Return the share of the gap between `rules` and `seer` that an agent closes, with its interval."""
        own, most = self._against_rules(spec, kind), self._against_rules("seer", kind)
        boards = min(len(own), len(most))
        if boards < 2 or spec == "seer":
            return "–"
        own, most = own[:boards], most[:boards]
        ratio = own.mean() / most.mean()
        error = bootstrap((own - ratio * most) / most.mean()).margin  # to first order
        return f"{ratio:.0%} ± {error:.0%}"

    @staticmethod
    def _table(rows: list[dict[str, str]]) -> list[str]:
        """Return rows as Markdown, without the columns in which nothing stands."""
        columns = [name for name in rows[0] if any(row[name] != "–" for row in rows)]
        body = [[row[name] for name in columns] for row in rows]
        return [f"| {' | '.join(cells)} |" for cells in (columns, ["---"] * len(columns), *body)]


def _interval(values: NDArray[np.float64]) -> str:
    if len(values) < 2:
        return "–"
    margin = bootstrap(values)
    return f"{margin.mean:+.2f} ± {margin.margin:.2f}"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def write_section(path: Path, lines: Sequence[str]) -> None:
    """Write a section, in the place of the one with the same heading if there is one."""
    _, *sections = re.split(r"(?m)^(?=## )", path.read_text(encoding="utf-8") if path.exists() else "")
    kept = {section.partition("\n")[0]: section.strip() for section in sections}
    kept[lines[0]] = "\n".join(lines)
    path.write_text("\n\n".join([HEAD.strip(), *kept.values()]) + "\n", encoding="utf-8")


def main() -> None:
    """Measure, print, and write strength.md."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ladders", nargs="+", choices=LADDERS, metavar="LADDER", help=", ".join(LADDERS))
    parser.add_argument(
        "--minutes", type=float, default=60, help="by the clock for each ladder, earlier calls included"
    )
    parser.add_argument("--boards", type=int, default=2_000, help="of a meeting at the most")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes; by default one a core")
    arguments = parser.parse_args()
    for name in arguments.ladders:
        play = Play(name)
        play.run(arguments.minutes, arguments.boards, arguments.workers)
        command = f"python benchmarks/strength.py {name} --minutes {arguments.minutes:g} --boards {arguments.boards}"
        lines = Report(play, command).lines()
        print("\n".join(lines))
        write_section(Path(__file__).with_suffix(".md"), lines)


if __name__ == "__main__":
    main()
