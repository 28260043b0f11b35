"""Checkpoints: the weights of a policy and a manifest that says what they are for.

    manifest.json       rules, layouts, sizes, where the weights come from, and their SHA-256
    policy.safetensors  the weights

While new weights are written they stand beside the old ones, as policy.safetensors.new, until the manifest names them:
whenever the writing is killed, the manifest and one of the two files belong together.

A checkpoint of other rules or layouts than those installed, or one that was changed or cut short, is refused.
"""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

import safetensors
import safetensors.torch
from pydantic import ValidationError
from torch import nn

from agents.manifest import MANIFEST, MAX_MANIFEST, GameManifest, Sha256, explain, file_digest, of_game
from agents.network import PolicyNetwork
from agents.resources import find
from agents.sizes import NetworkSize, TrunkSize
from blot_env import RuleSet
from blot_env.files import read_regular

WEIGHTS = "policy.safetensors"
NEW_WEIGHTS = f"{WEIGHTS}.new"

N = TypeVar("N", bound=nn.Module)


class CheckpointError(ValueError):
    """A checkpoint that cannot be used; the message says which file is wrong and why."""


class Manifest(GameManifest):
    """What `manifest.json` holds."""

    format: Literal["blot-checkpoint/1"] = "blot-checkpoint/1"
    network: NetworkSize
    training: dict[str, Any]  # config, iterations, deals, decisions, evaluations
    sha256: Sha256  # of the weights


def save_checkpoint(folder: Path, policy: PolicyNetwork, rules: RuleSet, training: dict[str, Any]) -> None:
    """Write a checkpoint; a folder that holds one holds the old one or the new one, whenever the process is killed.

    Args:
        folder: made if it is not there.
        policy: the network.
        rules: the game that it plays.
        training: where the weights come from, as JSON values.
    """
    folder.mkdir(parents=True, exist_ok=True)
    weights = safetensors.torch.save({name: tensor.cpu() for name, tensor in policy.state_dict().items()})
    manifest = Manifest(**of_game(rules), network=policy.size, training=training, sha256=file_digest(weights))
    write_whole(folder / NEW_WEIGHTS, weights)
    write_whole(folder / MANIFEST, manifest.model_dump_json(indent=2).encode() + b"\n")
    (folder / NEW_WEIGHTS).replace(folder / WEIGHTS)


def load_checkpoint(path: str | Path, rules: RuleSet) -> tuple[PolicyNetwork, Manifest]:
    """Load a policy for a game, on the CPU and ready to act.

    Args:
        path: the folder of a checkpoint (that of a training run is one), or one that ships, such as checkpoints/bazar.
        rules: the game; its target may differ from the one trained for.

    Raises:
        CheckpointError: something is missing, damaged, or made for other rules or layouts.
    """
    folder, manifest = read_manifest(path)
    if misfit := manifest.misfit(rules):
        raise CheckpointError(f"{folder}: {misfit}")
    content, size = _weights(folder, manifest.sha256), manifest.network
    try:
        policy = filled(lambda: PolicyNetwork(rules, size), (size.cards, size.auction), content)
    except ValueError as error:
        raise CheckpointError(f"{folder / WEIGHTS}: no weights of this network: {error}") from None
    return policy.eval(), manifest


def read_manifest(path: str | Path) -> tuple[Path, Manifest]:
    """Return the folder of a checkpoint and its manifest.

    Raises:
        CheckpointError: there is none, or it is not valid.
    """
    try:
        folder = find(path)
        return folder, Manifest.model_validate_json(read_regular(folder / MANIFEST, MAX_MANIFEST))
    except FileNotFoundError as error:
        reason = f"{error.filename}: there is none" if error.filename else str(error)
        raise CheckpointError(f"{reason}; name the folder of a checkpoint or of a training run") from None
    except OSError as error:
        raise CheckpointError(f"{error.filename}: {error.strerror}; name the folder of a checkpoint") from None
    except ValidationError as error:
        raise CheckpointError(f"{folder / MANIFEST}: {explain(error)}") from None


def filled(make: Callable[[], N], trunks: Sequence[TrunkSize], content: bytes) -> N:
    """Return a network with the weights that a safetensors file holds.

    Args:
        make: returns it; it is not asked for one that is larger than the file.
        trunks: of the network.
        content: of the file.

    Raises:
        ValueError: they do not fit, or are not all numbers; the message is one line.
    """
    try:
        weights = safetensors.torch.load(content)
        if 4 * sum(trunk.weights for trunk in trunks) > len(content):
            raise ValueError(f"{MANIFEST} has sizes of more weights than there are")
        network = make()
        network.load_state_dict(weights)
    except (safetensors.SafetensorError, RuntimeError) as error:
        raise ValueError(str(error).splitlines()[-1].strip()) from None
    if wild := [name for name, own in network.state_dict().items() if not own.isfinite().all()]:
        raise ValueError(f"{wild[0]} is not finite")
    return network


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all, whenever the process is killed."""
    draft = path.with_name(f".{path.name}.draft")
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _weights(folder: Path, digest: str) -> bytes:
    """Return the weights that the manifest names: the new ones where a kill has kept them from taking their place."""
    path = folder / WEIGHTS
    try:
        contents = [read_regular(file) for file in (path, folder / NEW_WEIGHTS) if file.exists()]
    except OSError as error:
        raise CheckpointError(f"{error.filename}: {error.strerror}") from None
    if not contents:
        raise CheckpointError(f"{path}: there is none; copy the whole folder")
    for content in contents:
        if file_digest(content) == digest:
            return content
    raise CheckpointError(f"{path}: its SHA-256 is not the one in {MANIFEST}: changed or cut short")
