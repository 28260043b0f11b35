"""How fast the environments are on one core, and how often the rules' branches occurred on the way.

    python benchmarks/engine.py

It prints a table and writes it to benchmarks/engine.md. Each figure is the median of several runs, by CPU time: on an
idle machine that is the time on the clock, on a busy one the others disturb less (shared caches still do). With `pip
install colver`, a Rust engine of the same family, its figures stand beside ours.
"""

import os
import platform
import random
import statistics
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import numba
import numpy as np
from pettingzoo import AECEnv

import agents
from blot_env import RULESETS, BatchEnv, RuleSet, blot_v0, load_rules, random_playouts

RULES = load_rules("bazar")
TABLES = 1024
RUNS = 5
SECONDS = 1.0  # a run, at least

Run = Callable[[], tuple[int, float]]
"""Does some work; returns how many things were done and the seconds they took."""


def speed(run: Run) -> float:
    """Return things a second: the median of some runs, after one that compiles and warms up."""
    run()
    speeds = []
    for _ in range(RUNS):
        done, seconds = 0, 0.0
        while seconds < SECONDS:
            more, took = run()
            done, seconds = done + more, seconds + took
        speeds.append(done / seconds)
    return statistics.median(speeds)


class Batch:
    """A batch at play whose actions an agent draws (its spec is given), or else the batch samples."""

    def __init__(self, player: str | None, rules: RuleSet = RULES) -> None:
        self.env = BatchEnv(rules, TABLES)
        self.player = agents.make(player, rules) if player else None
        self.mask = self.env.reset()[1]
        self.actions = np.empty(TABLES, np.int64)

    def draw(self) -> None:
        """Choose an action at each table."""
        if self.player is None:
            self.env.sample(self.mask, self.actions)
        else:
            self.actions = self.player.act(self.env.decisions())

    def step(self, steps: int = 500) -> tuple[int, float]:
        """Step all tables; only the steps are timed."""
        seconds = 0.0
        for _ in range(steps):
            self.draw()
            start = time.process_time()
            self.env.step(self.actions)
            seconds += time.process_time() - start
        return steps * TABLES, seconds

    def sample_and_step(self, steps: int = 500) -> tuple[int, float]:
        """Step all tables; the drawing is timed too."""
        start = time.process_time()
        for _ in range(steps):
            self.draw()
            self.env.step(self.actions)
        return steps * TABLES, time.process_time() - start

    def branches(self, steps: int = 5_000) -> str:
        """Play on; return how often branches of the rules occurred in the deals that ended, in percent."""
        ended = []
        for _ in range(steps):
            self.draw()
            *_, done = self.env.step(self.actions)
            ended.append(self.env.results[done])
        deals = np.concatenate(ended)
        bid = deals["contract"] >= 0
        shares = {
            "passed out": ~bid,
            "capot": deals["capot"] == 1,
            "contra": deals["contra"] == 1,
            "recontra": deals["contra"] == 2,
            "no trump": deals["strain"] == RULES.strains.index("NT"),
            "number above 20": deals["number"] > 20,
            "made": deals["made"] == 1,
            "combinations": deals["combinations"].any(axis=1),
            "blot": deals["blot"].any(axis=1),
            "all tricks": bid & (deals["tricks"][:, : RULES.sides] == RULES.hand_size).any(axis=1),
            "match won at once": deals["match_winner"] >= 0,
        }
        return ", ".join(f"{name} {100 * share.mean():.2f}" for name, share in shares.items())


def playouts(auction: bool, rules: RuleSet = RULES, n: int = 20_000) -> Run:
    """Return a run of random playouts, each time of other boards."""
    seeds = count()

    def run() -> tuple[int, float]:
        start = time.process_time()
        random_playouts(rules, n, seed=next(seeds), auction=auction)
        return n, time.process_time() - start

    return run


def aec(env: AECEnv) -> Run:
    """Return a run of a deal by random legal actions in a PettingZoo environment, drawing included."""
    draw = random.Random(0).random

    def run() -> tuple[int, float]:
        steps, start = 0, time.process_time()
        env.reset()
        for _ in env.agent_iter():
            observation, _, over, _, _ = env.last()
            if over:
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(legal[int(draw() * len(legal))])
            steps += 1
        return steps, time.process_time() - start

    return run


def colver_figures() -> Iterator[tuple[str, float]]:
    """Yield names and figures of colver, nothing if it is not installed."""
    try:
        import colver
    except ImportError:
        return
    draw = random.Random(0).random
    env = colver.Env()

    def steps() -> tuple[int, float]:
        n, start = 0, time.process_time()
        _, legal = env.reset()
        while legal and not env.is_terminal():
            *_, legal = env.step(legal[int(draw() * len(legal))])
            n += 1
        return n, time.process_time() - start

    def rollouts() -> tuple[int, float]:
        start = time.process_time()
        env.rollout(10_000)
        return 10_000, time.process_time() - start

    yield "colver, a step from Python", speed(steps)
    env.reset()
    yield "colver, playout with auction", speed(rollouts)
    env.reset()
    env.set_contract(trump=0, value=80, team=0, coinche=0)
    env.set_phase_playing()
    yield "colver, playout from play", speed(rollouts)


def figures(uniform: Batch, mixed: Batch) -> Iterator[tuple[str, float, str]]:
    """Yield what was measured, how often a second, and what is wanted."""
    yield "BatchEnv.step, observations and masks included", speed(uniform.step), "8,000,000"
    yield "the same, actions of `random`", speed(mixed.step), "8,000,000"
    yield "BatchEnv.sample and step", speed(uniform.sample_and_step), "4,000,000"
    yield "random playouts from play", speed(playouts(auction=False)), "1,000,000"
    yield "random playouts with the auction", speed(playouts(auction=True)), "600,000"
    yield "AEC raw_env, observing and drawing included", speed(aec(blot_v0.raw_env(episode="deal"))), "25,000"
    yield "AEC env", speed(aec(blot_v0.env(episode="deal"))), ""
    for name, figure in colver_figures():
        yield name, figure, ""


def presets() -> Iterator[str]:
    """Yield a table of all presets, line by line: a step of the batch in M/s and by bazar's, playouts in k/s."""
    yield "| | step | of `bazar` | sample and step | playouts from play | with the auction |"
    yield "|---|---|---|---|---|---|"
    first = None
    for name in RULESETS:
        rules = load_rules(name)
        batch = Batch(None, rules)
        step, both = speed(batch.step) / 1e6, speed(batch.sample_and_step) / 1e6
        first = first or step
        plays = [speed(playouts(auction, rules)) / 1e3 for auction in (False, True)]
        yield f"| `{name}` | {step:.2f} M | {step / first:.2f} | {both:.2f} M | {plays[0]:,.0f} k | {plays[1]:,.0f} k |"


def machine() -> str:
    """Return what the figures were measured on."""
    cpus = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    name = cpus[0].split(":")[1].strip() if cpus else platform.processor()
    return f"{name}, one core, Python {platform.python_version()}, numba {numba.__version__}, numpy {np.__version__}"


def main() -> None:
    """Measure, print, and write engine.md."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    uniform, mixed = Batch(None), Batch("random")
    lines = ["| | a second | wanted |", "|---|---|---|"]
    for name, figure, wanted in figures(uniform, mixed):
        lines.append(f"| {name} | {figure:,.0f} | {wanted} |")
        print(f"{name:60}{figure:>14,.0f}{wanted:>14}", flush=True)
    notes = [f"- uniform actions: {uniform.branches()}", f"- actions of `random`: {mixed.branches()}"]
    print("\n".join(["", "Deals in percent:", *notes, ""]))
    text = ["# Speed of the environments", "", f"`python benchmarks/engine.py`, by CPU time; {machine()}.", "", *lines]
    games = []
    for line in presets():
        games.append(line)
        print(line, flush=True)
    text += ["", "Every preset, uniformly random actions, a second:", "", *games]
    text += ["", "How often branches of the rules occurred, in percent of the deals:", "", *notes]
    Path(__file__).with_suffix(".md").write_text("\n".join(text) + "\n")


if __name__ == "__main__":
    main()
