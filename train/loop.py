"""What the loops of all stages share: how far they are, where they compute, what they log, evaluate and resume from."""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

import torch
from pydantic import TypeAdapter, ValidationError
from torch import Tensor
from torch.utils.tensorboard import SummaryWriter

from agents import Agent
from agents.manifest import explain
from blot_env import RuleSet
from train.config import EvaluationConfig
from train.evaluation import learner_margins
from train.settings import ConfigError, Finite
from train.tensors import read_tensors
from train.tournament.estimates import bootstrap

MAY_CHANGE = {"minutes", "iterations", "device", "threads", "save_every", "evaluation.every"}
"""Keys of a config that may be others when a run is resumed."""
_EVALUATION_SEED = 1 << 40  # apart from the boards of any training

Metrics = dict[str, float]
Margins = dict[str, tuple[Finite, Finite]]
"""Of an evaluation, by agent: mean, and half its interval."""
P = TypeVar("P")


class TrainingError(ValueError):
    """A training that cannot go on."""


def part(done: float, whole: float) -> float:
    """Return done / whole, 0 where there is no such limit."""
    return done / whole if whole > 0 else 0.0


def at(schedule: tuple[float, float], done: float) -> float:
    """Return the value of a schedule when so much of it is over."""
    start, end = schedule
    return start + (end - start) * min(done, 1.0)


def device_of(name: str) -> torch.device:
    """Return the device that a config names.

    Raises:
        ConfigError: there is none.
    """
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if name == "cuda" and not torch.cuda.is_available():
        raise ConfigError("device: 'cuda', but torch finds no such device here; auto takes one if there is one")
    return torch.device(name)


def log(writer: SummaryWriter, metrics: Metrics, iteration: int) -> None:
    """Write an iteration's metrics for TensorBoard."""
    for name, value in metrics.items():
        writer.add_scalar(name, value, iteration)


def margins(
    rules: RuleSet, learner: Agent, opponents: Mapping[str, Agent], config: EvaluationConfig, seed: int
) -> Margins:
    """Return match points a board against each opponent, and half their 95 % interval.

    The duplicate boards are always the same ones.
    """
    found: Margins = {}
    for spec, opponent in opponents.items():
        boards = learner_margins(rules, learner, opponent, config.boards, _EVALUATION_SEED + seed, config.alone)
        points = bootstrap(boards)
        found[spec] = (points.mean, points.margin or 0.0)
    return found


def as_metrics(found: Margins) -> Metrics:
    """Return margins as TensorBoard shows them."""
    means = {f"evaluation/{spec}": mean for spec, (mean, _) in found.items()}
    return means | {f"evaluation/{spec}_margin": half for spec, (_, half) in found.items()}


def read_resume(path: Path, progress: type[P], device: torch.device) -> tuple[P, dict[str, Tensor]]:
    """Return how far a run had come and the tensors beside it.

    Args:
        path: of a resume file.
        progress: a dataclass.
        device: to which the tensors go.

    Raises:
        ConfigError: there is no such file, or it is damaged.
    """
    try:
        tensors, beside = read_tensors(path, device)
        return TypeAdapter(progress).validate_json(beside["progress"]), tensors
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is none, so there is nothing to resume") from None
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, ("progress", *first["loc"])))
        raise ConfigError(f"{path}: damaged, or of another version: {key}: {first['msg']}") from None
    except (OSError, ValueError, KeyError) as error:
        raise damaged(path, error) from None


def damaged(path: Path, error: Exception) -> ConfigError:
    """Return what to say of a resume file that does not fit."""
    return ConfigError(f"{path}: damaged, or of another version: {reason_of(error)}")


def reason_of(error: Exception) -> str:
    """Return in one line why something cannot be read or does not fit."""
    if isinstance(error, OSError):
        return error.strerror or str(error)
    if isinstance(error, ValidationError):
        return explain(error)
    return (str(error).splitlines() or [type(error).__name__])[-1].strip()  # torch lists all that does not fit
