"""What a stage leaves to the next one beside its checkpoint: critic and optimizer states, `learner.safetensors`.

    critic.weights.NAME       the critic
    critic.optimizer.I.NAME   Adam's state of its parameter I
    policy.optimizer.I.NAME   and of the policy's

All of them may be missing. The critic is told which agents sit at the other seats; the metadata has their specs, so
that it may go on with other agents: it knows nothing of those that are new.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from pydantic import TypeAdapter
from safetensors.torch import save
from torch import Tensor

from agents.checkpoint import write_whole
from agents.resources import find
from blot_env import RuleSet
from train.folders import LEARNER
from train.loop import reason_of
from train.ppo import Learner
from train.settings import ConfigError
from train.tensors import read_tensors

_POLICY = "policy.weights."  # stand in the checkpoint
_AGENTS = TypeAdapter(list[str])
_FIRST_LAYER = ("critic.weights.trunk.first.weight", "critic.optimizer.0.exp_avg", "critic.optimizer.0.exp_avg_sq")


def write_learner(folder: Path, tensors: Mapping[str, Tensor], agents: Sequence[str] = ()) -> None:
    """Write the file of a stage that has come to its end.

    Args:
        folder: of the stage.
        tensors: as of `train.ppo.Learner.tensors`, or some of them.
        agents: specs of those that the critic knows, `train.league.League.agents`.
    """
    kept = {name: tensor.cpu().contiguous() for name, tensor in tensors.items() if not name.startswith(_POLICY)}
    write_whole(folder / LEARNER, save(kept, metadata={"agents": json.dumps(list(agents))}))


def read_left(init: str | Path, device: torch.device | None = None) -> tuple[dict[str, Tensor], list[str]]:
    """Return what a stage left to the next one: tensors, and the agents that its critic knows; nothing if it did not.

    Raises:
        ConfigError: the file is damaged.
    """
    path = find(init) / LEARNER
    try:
        tensors, beside = read_tensors(path, device)
        return tensors, _AGENTS.validate_json(beside.get("agents", "[]"))
    except FileNotFoundError:
        return {}, []
    except (OSError, ValueError) as error:
        raise ConfigError(f"init: {path} is damaged: {reason_of(error)}") from None


def read_learner(init: str | Path, learner: Learner, rules: RuleSet, agents: Sequence[str]) -> None:
    """Let a learner go on where a stage ended, as far as that left something.

    Args:
        init: the checkpoint of that stage.
        learner: with the policy of that checkpoint.
        rules: the game.
        agents: specs of those that its critic is to know.

    Raises:
        ConfigError: the file is damaged, or does not fit.
    """
    tensors, before = read_left(init, learner.device)
    try:
        for name in _FIRST_LAYER:
            if name in tensors:
                tensors[name] = _rearranged(tensors[name], rules, before, agents)
        learner.load_tensors(tensors, whole=False)
    except (LookupError, ValueError, RuntimeError) as error:
        raise ConfigError(
            f"init: {find(init) / LEARNER} does not fit: {reason_of(error)}; give network.critic the sizes that it was "
            "made with, or remove the file to begin with a new critic"
        ) from None


def _rearranged(first: Tensor, rules: RuleSet, before: Sequence[str], agents: Sequence[str]) -> Tensor:
    """Return what belongs to the critic's first layer, (width, inputs), for other agents: 0 where they are new."""
    known, seats = first[:, : rules.oracle.size], rules.players - 1
    old = first[:, rules.oracle.size :].reshape(len(first), seats, len(before))
    new = torch.zeros(len(first), seats, len(agents), dtype=first.dtype, device=first.device)
    for place, spec in enumerate(agents):
        if spec in before:
            new[:, :, place] = old[:, :, before.index(spec)]
    return torch.cat([known, new.flatten(1)], 1)
