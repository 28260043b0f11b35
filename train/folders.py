"""Folders under `runs/`, for what nobody has named."""

from itertools import count
from pathlib import Path

RUNS = Path("runs")


def free_folder(stem: str) -> Path:
    """Return the first of runs/STEM, runs/STEM-2, runs/STEM-3 … that does not exist."""
    names = (stem if number == 1 else f"{stem}-{number}" for number in count(1))
    return next(RUNS / name for name in names if not (RUNS / name).exists())
