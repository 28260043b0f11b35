"""How well the rule-based player made probabilistic foresees calls and cards, and what that tells about hidden hands.

    python benchmarks/likelihood.py [--fit] [--positions N]

It watches `rules` and the shipped policy of `bazar` play with themselves. `--fit` first looks for the softness that is
likeliest for both, half of the decisions by each; `agents/rule_based/likely.py` holds it. The tables are written to
benchmarks/likelihood.md; everything is seeded, so all figures but the times repeat exactly.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import agents
from agents.rule_based.likely import SOFTNESS, LikelyPlayer, Softness
from agents.search.likelihood import (
    CANDIDATES,
    TEMPERING,
    Likelihood,
    PolicyLikelihood,
    RulesLikelihood,
    effective_size,
    thin,
    weighted_worlds,
)
from agents.search.worlds import sample_worlds
from blot_env import RULESETS, BatchEnv, Decisions, RuleSet, load_rules
from blot_env.state import AUCTION, PLAY

POLICY = "policy:checkpoints/bazar"
BAZAR = load_rules("bazar")
TABLES, STEPS = 250, 90
WANTED = 20  # worlds
POLICY_SHARE = 2  # a policy is slow: it weighs worlds in one position of so many
TEMPERATURES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0)
FLOORS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4)
MOMENTS = {
    "auction": (AUCTION, 0, 0),
    "first trick": (PLAY, 0, 0),
    "tricks 2-4": (PLAY, 1, 3),
    "tricks 5-6": (PLAY, 4, 5),
}
"""Phase, and how many tricks are complete."""


# How well single decisions are foreseen


class Seen(NamedTuple):
    """What a player did where it had a choice."""

    decisions: Decisions
    actions: NDArray[np.int64]

    def of(self, rows: NDArray[np.bool_]) -> "Seen":
        """Return some of it."""
        return Seen(self.decisions[rows], self.actions[rows])

    @property
    def calls(self) -> NDArray[np.bool_]:
        """Which are calls."""
        return self.decisions.views["public"]["phase"] == AUCTION


def play(rules: RuleSet, spec: str, steps: int = STEPS) -> Iterator[tuple[BatchEnv, Decisions, NDArray[np.int64]]]:
    """Tables at which a player plays with itself: before each step, the decisions, and the actions to come."""
    env = BatchEnv(rules, TABLES, seed=5, random_scores=True)
    env.reset()
    player = agents.make(spec, rules)
    for _ in range(steps):
        decisions = env.decisions()
        actions = player.act(decisions)
        yield env, decisions, actions
        env.step(actions)


def watch(rules: RuleSet, spec: str) -> Seen:
    """Return what a player does in its own play."""
    views, masks, actions = [], [], []
    for _, decisions, chosen in play(rules, spec):
        rows = decisions.masks.sum(1) > 1
        views.append(decisions.views[rows])
        masks.append(decisions.masks[rows])
        actions.append(chosen[rows])
    n = sum(map(len, actions))
    nothing = np.zeros((n, 0), np.uint8)
    return Seen(
        Decisions(rules, np.concatenate(views), nothing, np.concatenate(masks), np.zeros(n, np.int64)),
        np.concatenate(actions),
    )


def foreseen(seen: Seen, softness: Softness) -> float:
    """Return the mean logarithm of the probability of what was done."""
    model = LikelyPlayer(seen.decisions.rules, softness)
    rows = np.arange(2000)
    logs = []
    for first in range(0, len(seen.actions), len(rows)):
        part = slice(first, first + len(rows))
        chances = model.probabilities(seen.decisions[part])
        logs.append(np.log(chances[rows[: len(chances)], seen.actions[part]]))
    return float(np.concatenate(logs).mean())


def uniformly(seen: Seen) -> float:
    """The same where all legal actions are equally likely."""
    return float(-np.log(seen.decisions.masks.sum(1)).mean())


def fit(seen: list[Seen], name: str) -> list[str]:
    """Return the rows of a table: the likeliest temperature and floor, calls and cards apart."""
    rows = []
    shipped = {"cards": (SOFTNESS.cards, SOFTNESS.card_floor), "calls": (SOFTNESS.calls, SOFTNESS.call_floor)}
    for kind in ("cards", "calls"):
        parts = [part.of(part.calls if kind == "calls" else ~part.calls) for part in seen]
        parts = [part.of(np.arange(len(part.actions)) < 8000) for part in parts]

        def likelihood(numbers: tuple[float, float], parts: list[Seen] = parts) -> float:
            temperature, floor = numbers
            return float(np.mean([foreseen(part, Softness(temperature, temperature, floor, floor)) for part in parts]))

        best = climb(likelihood)
        figures = f"{best[0]:g} | {best[1]:g} | {likelihood(best):.3f} | {likelihood(shipped[kind]):.3f}"
        rows.append(f"| {name} | {kind} | {figures} |")
        print(rows[-1], flush=True)
    return rows


def climb(value: Callable[[tuple[float, float]], float]) -> tuple[float, float]:
    """Return where in the grid of temperatures and floors a value is greatest, from neighbour to neighbour."""
    known: dict[tuple[int, int], float] = {}

    def at(place: tuple[int, int]) -> float:
        if place not in known:
            known[place] = value((TEMPERATURES[place[0]], FLOORS[place[1]]))
        return known[place]

    here = (len(TEMPERATURES) // 2, len(FLOORS) // 2)
    while True:
        around = [(here[0] + i, here[1] + j) for i, j in product((-1, 0, 1), repeat=2)]
        best = max((p for p in around if 0 <= p[0] < len(TEMPERATURES) and 0 <= p[1] < len(FLOORS)), key=at)
        if best == here:
            return TEMPERATURES[here[0]], FLOORS[here[1]]
        here = best


def foresight(seen: dict[tuple[str, str], Seen]) -> list[str]:
    """Return a table of log-likelihoods a decision."""
    rows = ["| game | player | calls | uniform | cards and the like | uniform |", "|---|---|---|---|---|---|"]
    for (preset, spec), done in seen.items():
        columns = []
        for part in (done.of(done.calls), done.of(~done.calls)):
            columns += [f"{foreseen(part, SOFTNESS):.3f}", f"{uniformly(part):.3f}"]
        rows.append(f"| {preset} | `{spec}` | {' | '.join(columns)} |")
    return rows


# What the weights tell


class Position(NamedTuple):
    """The true world and what the seat to act knows of it."""

    view: NDArray[np.void]
    world: NDArray[np.void]
    seed: int


def positions(spec: str, moment: tuple[int, int, int], n: int) -> list[Position]:
    """Return positions of a player's own play in `bazar`."""
    phase, first, last = moment
    found: list[Position] = []
    rng = np.random.default_rng(1)
    for env, decisions, _ in play(BAZAR, spec, steps=1000):
        public = decisions.views["public"]
        wanted = (public["phase"] == phase) & (public["trick_number"] >= first) & (public["trick_number"] <= last)
        wanted &= (public["length"] > 0) & (rng.random(len(wanted)) < 0.02)
        for row in np.flatnonzero(wanted):
            found.append(
                Position(decisions.views[row : row + 1], env.states[row : row + 1].copy(), int(decisions.seeds[row]))
            )
        if len(found) >= n:
            break
    return found[:n]


def told(likelihood: Likelihood, at: list[Position], temperings: tuple[float, ...]) -> list[str]:
    """Return how much likelier the true world is than one drawn without weights, for each tempering."""
    everything = []
    for view, world, seed in at:
        worlds = np.concatenate([world, sample_worlds(BAZAR, view, 100, seed)])
        everything.append(likelihood.log_likelihoods(BAZAR, view, worlds))
    cells = []
    for tempering in temperings:
        logs = tempering * np.array(everything)
        logs -= logs[:, 1:].max(1, keepdims=True)
        weights = np.exp(logs[:, 1:])
        gains = logs[:, 0] - np.log(weights.mean(1))
        error = 1.96 * gains.std() / len(gains) ** 0.5
        worth = np.mean([effective_size(each) for each in weights])
        cells.append(f"{gains.mean():.2f} ± {error:.2f} ({worth:.0f})")
    return cells


def knowledge(n: int) -> list[str]:
    """Return a table of what different likelihoods tell of the hidden hands."""
    policy = PolicyLikelihood(agents.make(POLICY, BAZAR))  # type: ignore[arg-type]
    models: list[tuple[str, Likelihood, tuple[float, ...], int]] = [
        ("calls alone", RulesLikelihood(SOFTNESS._replace(card_floor=1.0)), (1.0,), n),
        ("cards alone", RulesLikelihood(SOFTNESS._replace(call_floor=1.0)), (1.0,), n),
        ("both", RulesLikelihood(), (1.0, TEMPERING), n),
        ("the policy's probabilities", policy, (1.0, TEMPERING), n // POLICY_SHARE),
    ]
    rows = [f"| play of | weights | {' | '.join(MOMENTS)} |", "|---|---|" + "---|" * len(MOMENTS)]
    for spec in ("rules", POLICY):
        found = {moment: positions(spec, where, n) for moment, where in MOMENTS.items()}
        for name, likelihood, temperings, most in models:
            columns = [told(likelihood, at[:most], temperings) for at in found.values()]
            for tempering, cells in zip(temperings, zip(*columns, strict=True), strict=True):
                power = "" if tempering == 1 else f", to the power {tempering:g}"
                rows.append(f"| `{spec}` | {name}{power} | {' | '.join(cells)} |")
                print(rows[-1], flush=True)
    return rows


# How to choose worlds


def holdings(view: NDArray[np.void], worlds: NDArray[np.void]) -> NDArray[np.float64]:
    """Return which card lies with which seat in each world, shape (n, 4 × 32)."""
    cards = worlds["hands"][:, :, None] >> np.arange(32) & 1
    return cards.reshape(len(worlds), -1).astype(np.float64)


def choices() -> dict[str, Callable[[NDArray[np.float64], float], tuple[NDArray[Any], NDArray[np.float64]]]]:
    """Ways to choose `WANTED` of some candidates by weights (which sum to 1) and a lot: places, and their weights."""

    def thinned(weights: NDArray[np.float64], lot: float) -> tuple[NDArray[Any], NDArray[np.float64]]:
        chosen, kept = np.empty(WANTED, np.int64), np.empty(WANTED)
        thin(weights, lot, chosen, kept)
        return chosen, kept

    def resampled(weights: NDArray[np.float64], lot: float) -> tuple[NDArray[Any], NDArray[np.float64]]:
        chosen = np.searchsorted(np.cumsum(weights), (np.arange(WANTED) + lot) / WANTED)
        return np.minimum(chosen, len(weights) - 1), np.full(WANTED, 1 / WANTED)

    def heaviest(weights: NDArray[np.float64], lot: float) -> tuple[NDArray[Any], NDArray[np.float64]]:
        chosen = np.argsort(-weights, kind="stable")[:WANTED]
        return chosen, weights[chosen] / weights[chosen].sum()

    def first(weights: NDArray[np.float64], lot: float) -> tuple[NDArray[Any], NDArray[np.float64]]:
        return np.arange(WANTED), weights[:WANTED] / weights[:WANTED].sum()

    return {
        "the heaviest and a lot among the rest (`thin`)": thinned,
        "systematic resampling": resampled,
        "the heaviest only": heaviest,
        "as many as are wanted drawn, all kept": first,
    }


def selection(n: int) -> list[str]:
    """Return a table: how far the chances of who holds what are off with 20 chosen worlds."""
    at = positions("rules", MOMENTS["first trick"], n) + positions("rules", MOMENTS["tricks 2-4"], n)
    likelihood, lots = RulesLikelihood(), np.random.default_rng(2).random(len(at))
    sizes = (2, 5, 10, 20)
    errors: dict[str, list[list[float]]] = {name: [[] for _ in sizes] for name in choices()}
    for (view, _, seed), lot in zip(at, lots, strict=True):
        worlds = sample_worlds(BAZAR, view, 3000, seed)
        logs = TEMPERING * likelihood.log_likelihoods(BAZAR, view, worlds)
        weights = np.exp(np.maximum(logs - logs.max(), -100))
        held = holdings(view, worlds)
        truth = weights @ held / weights.sum()
        for column, size in enumerate(sizes):
            part = weights[: size * WANTED] / weights[: size * WANTED].sum()
            for name, choose in choices().items():
                chosen, kept = choose(part, lot)
                errors[name][column].append(float(((kept @ held[chosen] - truth) ** 2).sum()))
    rows = [f"| {WANTED} worlds chosen | {' | '.join(f'of {size * WANTED}' for size in sizes)} |"]
    rows.append("|---|" + "---|" * len(sizes))
    for name, columns in errors.items():
        rows.append(f"| {name} | {' | '.join(f'{np.mean(column):.3f}' for column in columns)} |")
    return rows


def times() -> list[str]:
    """Return a table of times."""
    at = [p for p in positions("rules", MOMENTS["tricks 2-4"], 60) if 18 <= p.view["public"]["length"][0] <= 22]
    rules_likelihood, policy = RulesLikelihood(), PolicyLikelihood(agents.make(POLICY, BAZAR))  # type: ignore[arg-type]
    drawn = [sample_worlds(BAZAR, p.view, 100, p.seed) for p in at]
    rows = ["| | ms, median |", "|---|---|"]
    for name, work in (
        ("100 worlds weighed by `rules`", lambda i: rules_likelihood.log_likelihoods(BAZAR, at[i].view, drawn[i])),
        ("100 worlds weighed by the policy", lambda i: policy.log_likelihoods(BAZAR, at[i].view, drawn[i])),
        (
            f"{WANTED} weighted worlds, of {CANDIDATES * WANTED} drawn",
            lambda i: weighted_worlds(BAZAR, at[i].view, WANTED, at[i].seed, rules_likelihood),
        ),
    ):
        spent = [min(seconds(work, i) for _ in range(3)) for i in range(len(at))]
        rows.append(f"| {name} | {1000 * float(np.median(spent)):.2f} |")
    return rows


def seconds(work: Callable[[int], object], i: int) -> float:
    """Return how long some work takes."""
    start = time.perf_counter()
    work(i)
    return time.perf_counter() - start


def main() -> None:
    """Measure, print, and write likelihood.md."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fit", action="store_true", help="look for the likeliest softness too")
    parser.add_argument("--positions", type=int, default=80, help="for each moment, to weigh worlds in")
    options = parser.parse_args()
    seen = {(preset, "rules"): watch(load_rules(preset), "rules") for preset in RULESETS}
    seen["bazar", POLICY] = watch(BAZAR, POLICY)
    text = ["# Weights of worlds", "", "`python benchmarks/likelihood.py --fit`", ""]
    if options.fit:
        both = [seen["bazar", "rules"], seen["bazar", POLICY]]
        text += ["## The likeliest softness", "", "In `bazar`, by the mean log-likelihood a decision.", ""]
        text += ["| fitted to | | temperature | floor | log-likelihood | as shipped |", "|---|---|---|---|---|---|"]
        text += [*fit(both[:1], "`rules`"), *fit(both[1:], f"`{POLICY}`"), *fit(both, "both alike"), ""]
    text += ["## Log-likelihood a decision, in nats", "", f"With {SOFTNESS}.", "", *foresight(seen), ""]
    print("\n".join(text), flush=True)
    told_rows = knowledge(options.positions)
    text += [
        "## What weights tell of the hidden hands",
        "",
        f"`bazar`, {options.positions} positions each ({options.positions // POLICY_SHARE} for the policy's"
        " probabilities): the mean logarithm of the true world's weight over the mean weight of 100 worlds drawn alike,"
        " in nats; in brackets how many equally weighted worlds these 100 are worth.",
        "",
        *told_rows,
        "",
        "## How worlds are chosen",
        "",
        "Squared error of the chances that a seat holds a card, summed over seats and cards, against 3,000 weighted"
        " worlds; during the first four tricks.",
        "",
        *(chosen := selection(options.positions)),
        "",
        "## Time",
        "",
        "Positions with 18 to 22 actions so far, the best of three tries each; the policy uses all cores.",
        "",
        *(spent := times()),
    ]
    print("\n".join([*chosen, *spent]))
    Path(__file__).with_suffix(".md").write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
