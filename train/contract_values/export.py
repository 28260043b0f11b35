"""Contract values as files: a training's folder, and `values.onnx`, which bots use without torch."""

from pathlib import Path
from typing import Any, Literal

import safetensors.torch
from pydantic import ValidationError

from agents.checkpoint import filled, write_whole
from agents.contract_values import VALUES, ContractValuesError
from agents.manifest import MAX_MANIFEST, GameManifest, Sha256, explain, file_digest, of_game
from agents.match_odds import MATCH_ODDS
from agents.resources import find
from agents.sizes import TrunkSize
from blot_env import RuleSet
from blot_env.files import read_regular
from train.contract_values.network import ContractNetwork, Corrected
from train.onnx_graph import write_graph

WEIGHTS, MANIFEST = "values.safetensors", "values.json"
VALUE_FILES = WEIGHTS, VALUES, MATCH_ODDS, MANIFEST
"""What a training of contract values leaves; the manifest, by which they are found, is last."""


class ValuesManifest(GameManifest):
    """What `values.json` holds."""

    format: Literal["blot-contract-values/1"] = "blot-contract-values/1"
    network: TrunkSize
    training: dict[str, Any]
    sha256: Sha256  # of the weights


def save_values(folder: Path, network: ContractNetwork, rules: RuleSet, training: dict[str, Any]) -> None:
    """Write the weights and then the manifest that names them."""
    folder.mkdir(parents=True, exist_ok=True)
    weights = safetensors.torch.save(network.state_dict())
    manifest = ValuesManifest(**of_game(rules), network=network.size, training=training, sha256=file_digest(weights))
    write_whole(folder / WEIGHTS, weights)
    write_whole(folder / MANIFEST, manifest.model_dump_json(indent=2).encode() + b"\n")


def has_values(folder: str | Path) -> bool:
    """Return whether a folder holds contract values."""
    try:
        return (find(folder) / MANIFEST).is_file()
    except OSError:
        return False


def load_values(path: str | Path, rules: RuleSet) -> tuple[ContractNetwork, ValuesManifest]:
    """Load contract values of a game from a folder.

    Raises:
        ContractValuesError: something is missing, damaged, or made for other rules or layouts.
    """
    try:
        folder = find(path)
        manifest = ValuesManifest.model_validate_json(read_regular(folder / MANIFEST, MAX_MANIFEST))
        content = read_regular(folder / WEIGHTS)
    except OSError as error:
        raise ContractValuesError(f"{error.filename or path}: {error.strerror or error}") from None
    except ValidationError as error:
        raise ContractValuesError(f"{path}/{MANIFEST}: {explain(error)}") from None
    if misfit := manifest.misfit(rules):
        raise ContractValuesError(f"{path}: {misfit}")
    if file_digest(content) != manifest.sha256:
        raise ContractValuesError(f"{folder / WEIGHTS}: its SHA-256 is not the one in {MANIFEST}: changed or cut short")
    try:
        network = filled(lambda: ContractNetwork(rules, manifest.network), (manifest.network,), content)
    except ValueError as error:
        raise ContractValuesError(f"{folder / WEIGHTS}: no weights of this network: {error}") from None
    return network.eval(), manifest


def write_values(network: ContractNetwork, rules: RuleSet, path: Path) -> None:
    """Write `values.onnx`, as `agents.contract_values` describes it."""
    write_graph(Corrected(network), rules.observation.size, "values", path)
