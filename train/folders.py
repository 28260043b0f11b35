"""The folders of runs: new ones under `runs/`, and those to go on with."""

import shutil
from collections.abc import Collection, Sequence
from itertools import count
from pathlib import Path
from typing import TypeVar

from train.settings import ConfigError, Section, differences, read_settings, value_of

S = TypeVar("S", bound=Section)

RUNS = Path("runs")
CONFIG = "config.toml"
"""Every setting of a run."""
RESUME = "resume.safetensors"
"""What a resume needs."""
LEARNER = "learner.safetensors"
"""What the next stage takes over beside the weights; a stage writes it last of all, so it says that it has ended."""

_BEGUN = {CONFIG, "checkpoints", "deals"}  # and curves: what a run leaves that is killed before it first saves


def free_folder(stem: str) -> Path:
    """Return the first of runs/STEM, runs/STEM-2, runs/STEM-3 … that does not exist."""
    names = (stem if number == 1 else f"{stem}-{number}" for number in count(1))
    return next(RUNS / name for name in names if not (RUNS / name).exists())


def new_folder(name: str | Path | None, stem: str, resumed_by: str = RESUME) -> Path:
    """Return the folder of a new run, which is not made yet.

    Args:
        name: its folder is runs/NAME; a path is the folder itself.
        stem: of a free folder, for a run without a name.
        resumed_by: the file that a resume needs.

    Raises:
        ConfigError: the name is none, or the folder exists.
    """
    if name is None:
        return free_folder(stem)
    if isinstance(name, str) and (name in {"", ".."} or Path(name).name != name):
        raise ConfigError(f"--name {name}: give the name of a folder in {RUNS}, with no path around it")
    folder = RUNS / name if isinstance(name, str) else name
    if (folder / resumed_by).exists():
        raise ConfigError(f"{folder}: this run exists; go on with it by --resume {folder}, or choose a name")
    if folder.exists():
        raise ConfigError(f"{folder}: exists, but holds nothing to resume; remove it, or choose a name")
    return folder


def clear(folder: Path) -> None:
    """Remove the folder of a run that was killed before it first saved, if there is one.

    Raises:
        ConfigError: it holds something else.
    """
    if not folder.exists():
        return
    for name in sorted(path.name for path in folder.iterdir()):
        if name not in _BEGUN and not name.startswith("events.out.tfevents.") and not name.endswith(".draft"):
            raise ConfigError(
                f"{folder}: holds {name}, but neither {LEARNER} of a run that has ended nor {RESUME} of one to go on "
                "with; move the folder away to train anew"
            )
    shutil.rmtree(folder)


def open_run(
    model: type[S],
    config: S | str | Path,
    overrides: Sequence[str] = (),
    *,
    name: str | Path | None,
    resume: str | Path | None,
    stem: str,
    may_change: Collection[str] = (),
    resumed_by: str = RESUME,
) -> tuple[S, Path]:
    """Return the settings of a run and its folder, a new one that is not made yet or the one to go on with.

    Args:
        model: of the settings.
        config: settings, or the path of a config.
        overrides: `key=value` each, if `config` is a path.
        name: of a new run, as `new_folder` takes it.
        resume: the folder of a run to go on with.
        stem: of a free folder, for settings that come from no file.
        may_change: keys, with dots, that may differ when it goes on.
        resumed_by: the file that a resume needs.

    Raises:
        ConfigError: the config is wrong, the run exists already, or there is nothing to resume.
    """
    settings = config if isinstance(config, Section) else read_settings(model, config, overrides)
    if resume is None:
        return settings, new_folder(name, stem if isinstance(config, Section) else Path(config).stem, resumed_by)
    check_same(settings, Path(resume), may_change)
    return settings, Path(resume)


def check_same(config: Section, folder: Path, may_change: Collection[str]) -> None:
    """Check that a run to be resumed has these settings, but for some.

    Args:
        config: what it is to go on with.
        folder: of the run.
        may_change: keys, with dots, that may differ.

    Raises:
        ConfigError: there is no such run, or it has others.
    """
    if not (folder / CONFIG).is_file():
        raise ConfigError(f"{folder}: no training run: it holds no {CONFIG}")
    before = read_settings(type(config), folder / CONFIG)
    for key in differences(config, before):
        if key not in may_change:
            now, then = value_of(config, key), value_of(before, key)
            raise ConfigError(
                f"{key}: {now!r}, but the run to resume has {then!r}; a run keeps its settings: "
                f"leave out the config to go on with {folder / CONFIG}"
            )
