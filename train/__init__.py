"""Whatever makes agents better or compares them: self-play PPO, tournaments, export, the command line.

>>> import train
>>> folder = train.run("configs/quick.toml", ["minutes=3"], name="first")  # doctest: +SKIP

Importing this package loads no torch; `run` does.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from train.settings import Section


def run(
    config: "Section | str | Path",
    overrides: Sequence[str] = (),
    *,
    name: str | Path | None = None,
    resume: str | Path | None = None,
    ray: str | None = None,
) -> Path:
    """Train as a config says, whatever its stage, and return the run's folder: see `train.stages.run`."""
    from train import stages

    return stages.run(config, overrides, name=name, resume=resume, ray=ray)


# Threads that wait for each other by spinning make torch several times slower on a machine that does other work too.
# OpenMP reads this as torch is loaded.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

__all__ = ["run"]
