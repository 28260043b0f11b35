"""The command `blot tournament`: settings, play, results."""

import sys
from collections.abc import Mapping, Sequence
from json import dumps
from pathlib import Path
from secrets import randbits
from typing import Any

from rich.console import Console

from train.drawing import Screen
from train.folders import free_folder
from train.overrides import lost_networks
from train.settings import ConfigError, check_settings
from train.tournament.config import TournamentConfig, load_tournament
from train.tournament.decision_times import time_decisions
from train.tournament.live import Watch
from train.tournament.report.gate_tables import gate_figures, print_gate, write_gate
from train.tournament.report.terminal import print_tournament
from train.tournament.report.writing import write_report
from train.tournament.run import resume_tournament, run_tournament
from train.tournament.tournament import Tournament
from train.tournament.workers import Workers


def tournament(
    named: Sequence[str],
    options: Mapping[str, Any],
    overrides: Sequence[str] = (),
    *,
    fresh: bool = False,
    out: Path | None = None,
    resume: Path | None = None,
    ray: str | None = None,
) -> bool:
    """Play a tournament, or go on with one, and write and print its results.

    Returns False where it has a gate that was not passed.

    Args:
        named: agents, or one TOML file.
        options: values of settings by key; None where the settings' own stands.
        overrides: `key=value` each, after the options.
        fresh: draw a seed.
        out: folder of a new one.
        resume: folder of one that was stopped.
        ray: address of a Ray cluster that plays.

    Raises:
        ConfigError: what is asked for does not fit together.
        ValueError: as `run_tournament` and `resume_tournament`.
    """
    changes = [f"{key}={dumps(value, ensure_ascii=False)}" for key, value in options.items() if value is not None]
    changes += [f"seed={randbits(53)}"] if fresh else []  # a number that JavaScript reads without loss
    changes += overrides
    if resume is not None:
        if named or out:
            raise ConfigError("--resume DIR names agents and folder already: leave out all others")
        folder, config = resume, None
    else:
        folder, config = out or free_folder("tournament"), _settings(named, changes)
        if told := lost_networks(config.game, config.agents):
            print(told, file=sys.stderr)
    watch = Watch(str(folder))
    try:
        with watch:
            if config:
                result = run_tournament(config, folder, _workers(ray), watch.show)
            else:
                result = resume_tournament(folder, changes, _workers(ray), watch.show)
        return _conclude(result, folder)
    finally:
        if watch.progress and not watch.progress.over:
            again = [f" --ray {ray}"] * (ray is not None) + [" --minutes N"] * (watch.progress.minutes > 0)
            print(f"to go on with it: blot tournament --resume {folder}{''.join(again)}", file=sys.stderr)


def _settings(named: Sequence[str], changes: Sequence[str]) -> TournamentConfig:
    if not named:
        raise ConfigError("agents are wanted, such as: random rules; or a TOML file, or --resume DIR")
    if len(named) == 1 and named[0].endswith(".toml"):
        return load_tournament(named[0], changes)
    return check_settings(TournamentConfig, {"agents": list(named)}, "tournament", changes)


def _workers(ray: str | None) -> Workers | None:
    if ray is None:
        return None
    from train.tournament.ray_workers import RayWorkers

    return RayWorkers(ray)


def _conclude(result: Tournament, folder: Path) -> bool:
    """Write what came of it, and print it; return False where its gate was not passed."""
    from train.tournament.summary import summary  # which loads scipy's statistics: half a second

    with Console(stderr=True).status("comparing with double dummy, writing the report"):
        figures = summary(result, result.config.workers or None)
        written = write_report(result, figures, folder)
    console = Screen().console
    print_tournament(figures, console)
    passed = True
    if gate := result.config.gate:
        config = result.config
        fresh = range(config.boards, config.boards + gate.timed)
        with Console(stderr=True).status("timing decisions on one core"):
            times = time_decisions(result.rules, result.entrants, fresh, result.seed, config.limit)
        digests = [result.networks.get(entrant.spec) for entrant in result.entrants]
        found = gate_figures(figures, gate, times, digests)
        written += write_gate(found, folder)
        print_gate(found, console)
        passed = found["outcome"] == "passed"
    print("written:", *written)
    return passed
