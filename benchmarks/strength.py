"""How strong the players are: every pair on duplicate boards, and how many of the written positions each gets right.

    python benchmarks/strength.py [--boards N] [SPEC ...]

Prints a table and writes it to benchmarks/strength.md; the figures repeat exactly for the same weights and boards.
"""

import argparse
import json
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

import agents
from blot_env import Game, RuleSet, load_rules
from train.tournament import Estimate, Tournament, run_tournament

SPECS = ("random", "rules", "policy:checkpoints/bazar")
SEED = 2026
POSITIONS = Path(__file__).parents[1] / "tests" / "data" / "positions.jsonl"


def positions_right(spec: str, rules: RuleSet) -> str:
    """Return how many of the written positions an agent gets right, as text."""
    agent, right = agents.make(spec, rules), 0
    positions = [json.loads(line) for line in POSITIONS.read_text(encoding="utf-8").splitlines()]
    for position in positions:
        game = Game.from_record(position["record"])
        for action in position["record"]["actions"]:
            game.play(action)
        chosen = rules.actions.text(int(agents.choose(agent, game.decision(), game.states)[0]))
        right += chosen in position["accept"] if "accept" in position else chosen not in position["reject"]
    return f"{right} of {len(positions)}"


def _interval(estimate: Estimate) -> str:
    return f"{estimate.mean:+.2f} ± {estimate.margin or 0:.2f}"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


def report(tournament: Tournament, rules: RuleSet) -> list[str]:
    """Return the lines of strength.md."""
    specs = " ".join(tournament.specs)
    lines = [
        "# How strong the players are",
        "",
        f"`python benchmarks/strength.py --boards {tournament.boards} {specs}`",
        "",
        f"Match points a board, first minus second, {tournament.boards:,} duplicate boards a pair (seed "
        f"{tournament.seed}), 95 % intervals.",
        "",
        "| first | second | points | won, drawn, lost |",
        "|---|---|---|---|",
    ]
    for pair in tournament.pairs:
        margins, names = pair.result.margins, tournament.names
        score = f"{(margins > 0).sum()}, {(margins == 0).sum()}, {(margins < 0).sum()}"
        lines.append(f"| {names[pair.first]} | {names[pair.second]} | {_interval(pair.points)} | {score} |")
    lines += ["", "| agent | contracts made | mean number | contras right | written positions right |"]
    lines += ["|---|---|---|---|---|"]
    for index, spec in enumerate(tournament.specs):
        rates = tournament.tally(index).rates()
        number = "–" if rates["number"] is None else f"{rates['number']:.1f}"
        row = (_share(rates["made"]), number, _share(rates["contras_right"]), positions_right(spec, rules))
        lines.append(f"| {tournament.names[index]} | {' | '.join(row)} |")
    return lines


def main() -> None:
    """Measure, print, and write strength.md."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("specs", nargs="*", default=SPECS, metavar="SPEC")
    parser.add_argument("--boards", type=int, default=2_000)
    arguments = parser.parse_args()
    rules, specs = load_rules("bazar"), tuple(arguments.specs)
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("boards", total=arguments.boards * len(specs) * (len(specs) - 1) // 2)
        tournament = run_tournament(
            rules, specs, arguments.boards, SEED, advance=lambda boards: progress.advance(task, boards)
        )
    lines = report(tournament, rules)
    print("\n".join(lines))
    Path(__file__).with_suffix(".md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
