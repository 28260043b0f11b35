"""The stages of a training: what `blot train CONFIG` does is said by the config's key `stage`.

Each kind of stage is a module with its settings, a `train.settings.Section` with a key `stage`, and a function

    run(config, overrides=(), *, name=None, resume=None) -> folder

as `train.trainer.run` is; `train.folders` has what they share. The folder of a stage is a checkpoint, which the next
one starts from by its key `init`. A stage that has come to its end leaves `train.folders.LEARNER` there, last of all.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from blot_env import RuleSet
from blot_env.rules import nearest
from train.settings import ConfigError, Section, read_settings, read_values

KINDS = {
    "self-play": ("train.trainer", "Config"),
    "contract-values": ("train.contract_values.stage", "ContractValuesConfig"),
    "distillation": ("train.distillation.trainer", "DistillationConfig"),
    "pipeline": ("train.pipeline", "PipelineConfig"),
}
"""By kind the module, imported when it is wanted, and its settings."""


class StageSettings(Protocol):
    """What the settings of all stages of a pipeline have."""

    @property
    def init(self) -> str | None:
        """A checkpoint to start from."""
        ...

    @property
    def specs(self) -> Mapping[str, Sequence[str]]:
        """The specs of all agents, by key."""
        ...

    @property
    def game(self) -> RuleSet:
        """The rules, to the target."""
        ...


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
    module, _ = KINDS[kind]
    folder: Path = import_module(module).run(config, overrides, **options)
    return folder


def settings_of(config: str | Path, overrides: Sequence[str] = ()) -> StageSettings:
    """Return the settings of a stage of any kind.

    Raises:
        ConfigError: as `train.settings.read_settings` says, or there is no such kind.
    """
    module, name = KINDS[kind_of(config, overrides)]
    settings: StageSettings = read_settings(getattr(import_module(module), name), config, overrides)
    return settings


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
