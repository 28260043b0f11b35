"""Checkpoints: the weights of a policy and a manifest that says what they are for.

    manifest.json       rules, layouts, sizes, where the weights come from, and their SHA-256
    policy.safetensors  the weights

A checkpoint of other rules or layouts than those installed, or one that was changed or cut short, is refused.
"""

import json
import os
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import safetensors
import safetensors.torch
from pydantic import BaseModel, ConfigDict, ValidationError

from agents.bot import Layout, Sha256, file_digest
from agents.network import PolicyNetwork
from agents.resources import find
from agents.sizes import NetworkSize
from blot_env import RuleSet

MANIFEST = "manifest.json"
WEIGHTS = "policy.safetensors"


class CheckpointError(ValueError):
    """A checkpoint that cannot be used; the message says which file is wrong and why."""


class Manifest(BaseModel):
    """What `manifest.json` holds."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["blot-checkpoint/1"] = "blot-checkpoint/1"
    blot: str  # version of blot that wrote it
    rules: dict[str, Any]  # every field of the rule set
    observation: Layout
    actions: Layout
    network: NetworkSize
    training: dict[str, Any]  # config, iterations, deals, decisions, evaluations
    sha256: Sha256  # of the weights


def save_checkpoint(folder: Path, policy: PolicyNetwork, rules: RuleSet, training: dict[str, Any]) -> None:
    """Write a checkpoint; each file appears at once or not at all.

    Args:
        folder: made if it is not there.
        policy: the network.
        rules: the game that it plays.
        training: where the weights come from, as JSON values.
    """
    folder.mkdir(parents=True, exist_ok=True)
    weights = safetensors.torch.save({name: tensor.cpu() for name, tensor in policy.state_dict().items()})
    manifest = Manifest(
        blot=version("blot"),
        rules=rules.model_dump(mode="json"),
        observation=Layout(version=rules.observation.version, size=rules.observation.size),
        actions=Layout(version=rules.actions.version, size=rules.actions.size),
        network=policy.size,
        training=training,
        sha256=file_digest(weights),
    )
    write_whole(folder / WEIGHTS, weights)
    write_whole(folder / MANIFEST, manifest.model_dump_json(indent=2).encode() + b"\n")


def load_checkpoint(path: str | Path, rules: RuleSet) -> tuple[PolicyNetwork, Manifest]:
    """Load a policy for a game, on the CPU and ready to act.

    Args:
        path: the folder of a checkpoint (that of a training run is one), or one that ships, such as checkpoints/bazar.
        rules: the game; its target may differ from the one trained for.

    Raises:
        CheckpointError: something is missing, damaged, or made for other rules or layouts.
    """
    folder, manifest = read_manifest(path)
    _check_rules(folder, manifest.rules, rules)
    for what, own, layout in (
        ("observation", manifest.observation, rules.observation),
        ("action", manifest.actions, rules.actions),
    ):
        if (own.version, own.size) != (layout.version, layout.size):
            raise CheckpointError(
                f"{folder}: trained on {what} layout {own.version} of size {own.size}, but this blot has layout "
                f"{layout.version} of size {layout.size}; train again, or install the blot that wrote it "
                f"({manifest.blot})"
            )
    try:
        content = (folder / WEIGHTS).read_bytes()
    except OSError as error:
        raise CheckpointError(f"{folder / WEIGHTS}: {error.strerror}; copy the whole folder") from None
    if file_digest(content) != manifest.sha256:
        raise CheckpointError(f"{folder / WEIGHTS}: its SHA-256 is not the one in {MANIFEST}: changed or cut short")
    policy = PolicyNetwork(rules, manifest.network)
    try:
        policy.load_state_dict(safetensors.torch.load(content))
    except (safetensors.SafetensorError, RuntimeError) as error:
        reason = str(error).splitlines()[-1].strip()
        raise CheckpointError(f"{folder / WEIGHTS}: no weights of this network: {reason}") from None
    return policy.eval(), manifest


def read_manifest(path: str | Path) -> tuple[Path, Manifest]:
    """Return the folder of a checkpoint and its manifest.

    Raises:
        CheckpointError: there is none, or it is not valid.
    """
    try:
        folder = find(path)
        return folder, Manifest.model_validate_json((folder / MANIFEST).read_bytes())
    except FileNotFoundError as error:
        reason = f"{error.filename}: there is none" if error.filename else str(error)
        raise CheckpointError(f"{reason}; name the folder of a checkpoint or of a training run") from None
    except OSError as error:
        raise CheckpointError(f"{error.filename}: {error.strerror}; name the folder of a checkpoint") from None
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise CheckpointError(f"{folder / MANIFEST}: {key + ': ' if key else ''}{first['msg']}") from None


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all, whenever the process is killed."""
    draft = path.with_name(f".{path.name}.draft")
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _check_rules(folder: Path, own: dict[str, Any], wanted: RuleSet) -> None:
    asked = wanted.model_dump(mode="json")
    for field in sorted(own.keys() | asked.keys(), key=lambda field: (field != "name", field)):
        if field != "target" and own.get(field) != asked.get(field):
            trained, given = json.dumps(own.get(field)), json.dumps(asked.get(field))
            raise CheckpointError(f"{folder}: trained on rules with {field} = {trained}, not {given}")
