"""The stages of a training: what `blot train CONFIG` does is said by the config's key `stage`.

Each kind of stage is a module with its settings, a `train.settings.Section` with a key `stage`, and a function

    run(config, overrides=(), *, name=None, resume=None) -> folder

as `train.trainer.run` is; `train.folders` has what they share. The folder of a stage is a checkpoint, which the next
one starts from by its key `init`. A stage that has come to its end leaves `END` there, which it writes last of all.
"""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from blot_env.rules import nearest
from train.settings import ConfigError, Section, read_values

KINDS = {
    "self-play": "train.trainer",
    "contract-values": "train.contract_values.stage",
    "distillation": "train.distillation.trainer",
}
"""The module of each kind, imported when it is wanted."""
END = "learner.safetensors"
"""What the next stage takes over beside the weights: critic, and states of the optimizers."""


def run(
    config: Section | str | Path,
    overrides: Sequence[str] = (),
    *,
    name: str | Path | None = None,
    resume: str | Path | None = None,
    ray: str | None = None,
) -> Path:
    """Train as a config says and return the run's folder; the command `blot train` does the same.

    Args:
        config: settings of a stage, or the path of a config.
        overrides: `key=value` each, if `config` is a path.
        name: of the run; its folder is runs/NAME, or the path that is given. By default that of the config's file,
            with a number if it is taken.
        resume: the folder of a run that was stopped, to go on with it. Its config must be the same, but for what
            changes nothing in what is learnt before it ends.
        ray: address of a Ray cluster (`train.ray_cluster.connected`) that plays the parts of the rollouts of self-play.

    Raises:
        ConfigError: the config is wrong, the run exists already, or there is nothing to resume.
        ValueError: as the stage's module says.
    """
    kind = kind_of(config, overrides)
    options: dict[str, Any] = {"name": name, "resume": resume}
    if ray is not None:
        if kind != "self-play":
            raise ConfigError(f"--ray: a cluster plays the rollouts of self-play, and this is a stage of {kind}")
        options["ray"] = ray
    folder: Path = import_module(KINDS[kind]).run(config, overrides, **options)
    return folder


def kind_of(config: Section | str | Path, overrides: Sequence[str] = ()) -> str:
    """Return the kind of stage that a config is.

    Raises:
        ConfigError: there is no such config, or no such kind.
    """
    if isinstance(config, Section):
        return str(getattr(config, "stage", "self-play"))
    path, values = read_values(config, overrides)
    kind = values.get("stage", "self-play")
    if not isinstance(kind, str) or kind not in KINDS:
        near = nearest(str(kind), list(KINDS))
        raise ConfigError(f"{path}: stage: there is no stage {kind!r}{near}; there are {', '.join(KINDS)}")
    return kind
