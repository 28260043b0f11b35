"""How fast training goes, everything included: rollouts, updates, league, evaluation, checkpoints.

    python benchmarks/training.py [CONFIG] [--iterations N] [--set KEY=VALUE ...]
    python benchmarks/training.py --search ismcts:iterations=200 [--share 0.1]

A decision is a step of the learner with two or more legal actions, which enters the loss. The first iterations, in
which kernels are compiled and the league is empty, are not counted. Run it on an idle machine; the figure by CPU time
says what a busy one would have reached. With --search a second training has that agent as an opponent at a share of the
tables, as far as league.search_tables allows; the iterations of both alternate, so that both have the same machine.
Prints a table and writes it to benchmarks/training.md.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from train.config import Config, load_config
from train.trainer import Trainer

WARM_UP = 2


class Measured:
    """A training of which iterations are timed."""

    def __init__(self, config: Config, folder: Path) -> None:
        self.trainer = Trainer(config, folder)
        self.decisions, self.seconds, self.cpu, self.searching = 0, 0.0, 0.0, 0.0

    def advance(self) -> None:
        """Train for one iteration of self-play, with what else is due; the first ones are not counted."""
        trainer, config = self.trainer, self.trainer.config
        before, begin, cpu = trainer.progress.decisions, time.perf_counter(), time.process_time()
        metrics = trainer.improve()
        trainer.progress.iteration += 1
        iteration = trainer.progress.iteration
        if iteration <= WARM_UP or iteration % config.evaluation.every == 0:
            trainer.evaluate()
        if iteration <= WARM_UP or iteration % config.save_every == 0:
            trainer.save()
        self.searching = metrics.get("league/searching", 0.0)
        if iteration > WARM_UP:
            self.decisions += trainer.progress.decisions - before
            self.seconds += time.perf_counter() - begin
            self.cpu += time.process_time() - cpu

    def figures(self) -> dict[str, str]:
        """Return what a table says of it."""
        league, parts = self.trainer.league, (self.trainer.policy, self.trainer.learner.critic)
        parameters = [sum(parameter.numel() for parameter in part.parameters()) for part in parts]
        return {
            "parameters of policy and critic": "{:,} and {:,}".format(*parameters),
            "learner decisions a second, everything included": f"{self.decisions / self.seconds:,.0f}",
            "learner decisions a second of CPU time": f"{self.decisions / self.cpu:,.0f}",
            "learner decisions": f"{self.decisions:,}",
            "seconds, of CPU time": f"{self.seconds:.1f}, {self.cpu:.1f}",
            "tables where an agent searches": f"{self.searching:.1%}, wanted {league.searching_wanted:.1%}",
        }


def main() -> None:
    """Train for some iterations of self-play and print the speed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", nargs="?", default="configs/bazar/1-self-play.toml")
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--set", dest="overrides", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--search", metavar="SPEC", help="an agent that searches, for a second training")
    parser.add_argument("--share", type=float, default=0.1, help="of the tables, for --search")
    arguments = parser.parse_args()
    overrides = [*arguments.overrides, "imitation.iterations=0", "imitation.minutes=0"]
    config = load_config(arguments.config, overrides)
    configs = {"as configured": config}
    if arguments.search:
        shares = {**config.league.opponents, arguments.search: arguments.share}
        opponents = ", ".join(f"{json.dumps(spec)} = {share}" for spec, share in shares.items())
        with_search = load_config(arguments.config, [*overrides, f"league.opponents={{ {opponents} }}"])
        configs[f"with `{arguments.search}`"] = with_search
    with tempfile.TemporaryDirectory() as folder:
        measured = {name: Measured(config, Path(folder, name)) for name, config in configs.items()}
        for _ in range(WARM_UP + arguments.iterations):
            for one in measured.values():
                one.advance()
    command = " ".join(["python benchmarks/training.py", *sys.argv[1:]])
    figures = [one.figures() for one in measured.values()]
    lines = [
        "# How fast training goes",
        "",
        f"`{command}`: {arguments.config}, {arguments.iterations} iterations on {os.cpu_count()} cores.",
        "",
        f"| | {' | '.join(measured)} |",
        "|---" * (1 + len(figures)) + "|",
        *(f"| {name} | {' | '.join(column[name] for column in figures)} |" for name in figures[0]),
    ]
    if arguments.search:
        without, searched = measured.values()
        clock = searched.decisions / searched.seconds / (without.decisions / without.seconds)
        cpu = searched.decisions / searched.cpu / (without.decisions / without.cpu)
        lines += ["", f"With search the training keeps {clock:.0%} of its decisions a second, {cpu:.0%} by CPU time."]
    print("\n".join(lines))
    Path(__file__).with_suffix(".md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
