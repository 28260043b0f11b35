"""How the rule-based player bids and plays, and how fast: `bazar` in detail, then every game.

    python benchmarks/rules_player.py [--deals N]

It plays with itself, then matches and deals against `random`. It prints two tables and writes them to
benchmarks/rules_player.md; everything is seeded, so the figures but the speed repeat exactly.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import agents
from agents.agent import Agent
from blot_env import RULESETS, BatchEnv, RuleSet, load_rules
from train.duplicate import play_duplicate

RULES = load_rules("bazar")
TABLES = 500
MATCHES = 1_000
BOARDS = 2_000


def own_play(rules: RuleSet, agent: Agent, deals: int) -> tuple[NDArray[Any], float]:
    """Return the results of deals that an agent plays with itself, and its decisions a second of CPU time."""
    env = BatchEnv(rules, TABLES, seed=1)
    env.reset()
    agent.act(env.decisions())  # compiles
    found: list[NDArray[Any]] = []
    seconds, decisions = 0.0, 0
    while sum(map(len, found)) < deals:
        choices = env.decisions()
        start = time.process_time()
        actions = agent.act(choices)
        seconds += time.process_time() - start
        decisions += len(choices)
        *_, done = env.step(actions)
        found.append(env.results[done])
    return np.concatenate(found)[:deals], decisions / seconds


def matches_won(agent: Agent, opponent: Agent, matches: int) -> float:
    """Return the share of matches that an agent wins, one of the two sides by turns."""
    env = BatchEnv(RULES, matches, episode="match", reward="win", seed=2)
    seat = env.reset()[2]
    sides = np.arange(matches) % 2
    won, playing = np.zeros(matches), np.ones(matches, bool)
    while playing.any():
        decisions = env.decisions()
        own = seat % 2 == sides
        actions = np.where(own, agent.act(decisions), opponent.act(decisions))
        _, _, seat, reward, done = env.step(actions)
        ended = playing & done
        won[ended] = reward[ended, sides[ended]] > 0
        playing &= ~done
    return float(won.mean())


def margin(rules: RuleSet, agent: Agent, opponent: Agent) -> str:
    """Return the match points a board by which an agent beats another in duplicate play, with a 95 % interval."""
    margins = play_duplicate(rules, agent, opponent, BOARDS, seed=3).margins
    return f"{margins.mean():.1f} ± {1.96 * margins.std(ddof=1) / BOARDS**0.5:.1f}"


def percent(share: float) -> str:
    """Return a share in percent."""
    return f"{100 * share:.1f} %"


def figures(deals: int) -> dict[str, tuple[str, str]]:
    """Return by name what was measured and what is wanted."""
    rules, random = agents.make("rules", RULES), agents.make("random", RULES)
    results, speed = own_play(RULES, rules, deals)
    bid, contra = results["contract"] >= 0, results["contra"] > 0
    recontra = results["contra"] == 2
    made = results["made"] == 1
    return {
        "contracts made": (percent(made[bid].mean()), "60-80 %"),
        "boards passed out": (percent((~bid).mean()), "< 25 %"),
        "contras": (percent(contra[bid].mean()), "they occur"),
        "contras right": (percent(1 - made[contra].mean()), ">= 55 %"),
        "recontras": (percent(recontra[bid].mean()), "rare"),
        "recontras right": (percent(made[recontra].mean()), ""),
        "capots called": (f"{(results['capot'] == 1).sum()}", "rare"),
        "number of a contract, mean": (f"{results['number'][bid].mean():.1f}", ""),
        "contracts at no trump": (percent((results["strain"][bid] == RULES.strains.index("NT")).mean()), ""),
        f"matches won against `random`, of {MATCHES:,}": (percent(matches_won(rules, random, MATCHES)), "nearly all"),
        f"match points a board against `random`, {BOARDS:,} boards": (margin(RULES, rules, random), ""),
        "decisions a second of CPU time": (f"{speed:,.0f}", "1,000,000"),
    }


def every_game(deals: int) -> list[list[str]]:
    """Return the rows of a table with a line for each preset, its head first."""
    rows = [["game", "contracts made", "passed out", "under contra", "number, mean", "match points against `random`"]]
    for preset in RULESETS:
        game = load_rules(preset)
        rules = agents.make("rules", game)
        results, _ = own_play(game, rules, deals)
        bid = results[results["bidder"] >= 0]
        contra = percent((bid["contra"] > 0).mean()) if game.contra else "–"
        number = f"{bid['number'].mean():.1f}" if game.numbered else "–"
        made, passed = percent((bid["made"] == 1).mean()), percent(1 - len(bid) / len(results))
        rows.append([preset, made, passed, contra, number, margin(game, rules, agents.make("random", game))])
    return rows


def main() -> None:
    """Measure, print, and write rules_player.md."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=10_000, help="deals of its own play")
    deals = parser.parse_args().deals
    name = agents.make("rules", RULES).name
    text = [
        f"# The rule-based player, {name}",
        "",
        f"`python benchmarks/rules_player.py`, {deals:,} deals of its own play.",
        "",
    ]
    text += ["| | measured | wanted |", "|---|---|---|"]
    for what, (measured, wanted) in figures(deals).items():
        text.append(f"| {what} | {measured} | {wanted} |")
        print(f"{what:60}{measured:>16}{wanted:>14}")
    text += ["", f"## Every game, {deals:,} deals each and {BOARDS:,} boards against `random`", ""]
    head, *rows = every_game(deals)
    table = [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]
    text += table
    print("", *table, sep="\n")
    Path(__file__).with_suffix(".md").write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
