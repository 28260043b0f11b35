"""How fast training goes, everything included: rollouts, updates, league, evaluation, checkpoints.

    python benchmarks/training.py [CONFIG] [--iterations N] [--set KEY=VALUE ...]

A decision is a step of the learner with two or more legal actions, which enters the loss. The first iterations, in
which kernels are compiled and the league is empty, are not counted. Run it on an idle machine; the figure by CPU time
says what a busy one would have reached. Prints a table and writes it to benchmarks/training.md.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from train.config import load_config
from train.trainer import Trainer

WARM_UP = 2


def main() -> None:
    """Train for some iterations of self-play and print the speed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("config", nargs="?", default="configs/bazar.toml")
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--set", dest="overrides", action="append", default=[], metavar="KEY=VALUE")
    arguments = parser.parse_args()
    config = load_config(arguments.config, [*arguments.overrides, "imitation.iterations=0", "imitation.minutes=0"])
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(config, Path(folder))
        marks = []
        for iteration in range(1, WARM_UP + arguments.iterations + 1):
            marks.append((trainer.progress.decisions, time.perf_counter(), time.process_time()))
            trainer.improve()
            trainer.progress.iteration = iteration
            if iteration <= WARM_UP or iteration % config.evaluation.every == 0:
                trainer.evaluate()
            if iteration <= WARM_UP or iteration % config.save_every == 0:
                trainer.save()
        marks.append((trainer.progress.decisions, time.perf_counter(), time.process_time()))
    decisions, seconds, cpu = (end - start for start, end in zip(marks[WARM_UP], marks[-1], strict=True))
    parameters = [sum(p.numel() for p in part.parameters()) for part in (trainer.policy, trainer.learner.critic)]
    command = " ".join(["python benchmarks/training.py", *sys.argv[1:]])
    lines = [
        "# How fast training goes",
        "",
        f"`{command}`: {arguments.config}, {arguments.iterations} iterations on {os.cpu_count()} cores.",
        "",
        "| | |",
        "|---|---|",
        "| parameters of policy and critic | {:,} and {:,} |".format(*parameters),
        f"| learner decisions a second, everything included | {decisions / seconds:,.0f} |",
        f"| learner decisions a second of CPU time | {decisions / cpu:,.0f} |",
        f"| learner decisions, seconds, seconds of CPU time | {decisions:,}, {seconds:.1f}, {cpu:.1f} |",
    ]
    print("\n".join(lines))
    Path(__file__).with_suffix(".md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
