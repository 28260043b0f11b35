"""What trainings have made, as ONNX files."""

import logging
import warnings
from pathlib import Path

import torch

from agents.checkpoint import load_checkpoint, read_manifest
from agents.network import PolicyNetwork
from blot_env import RuleSet
from train.contract_values.export import load_values, write_values


class WeightsError(ValueError):
    """Weights that are no numbers."""


def write_policy(checkpoint: str | Path, path: Path) -> tuple[RuleSet, str]:
    """Write a policy as a graph, and return the game that it plays and the SHA-256 of its weights.

    Args:
        checkpoint: the folder of a checkpoint or of a run, the user's own or one that ships.
        path: of the new file.

    Raises:
        CheckpointError: the checkpoint cannot be used.
        WeightsError: some of its weights are no numbers.
    """
    _, manifest = read_manifest(checkpoint)
    network, manifest = load_checkpoint(checkpoint, manifest.rules)
    if not all(weights.isfinite().all() for weights in network.parameters()):
        raise WeightsError(f"{checkpoint}: some of its weights are no numbers; export an earlier checkpoint")
    _write(network, manifest.rules, path)
    return manifest.rules, manifest.sha256


def write_contract_values(trained: str | Path, rules: RuleSet, path: Path) -> str:
    """Write contract values as a graph, and return the SHA-256 of their weights.

    Args:
        trained: the folder of their training.
        rules: the game.
        path: of the new file.

    Raises:
        ContractValuesError: they cannot be used, or not for this game.
        WeightsError: some of the weights are no numbers.
    """
    network, manifest = load_values(trained, rules)
    if not all(weights.isfinite().all() for weights in network.parameters()):
        raise WeightsError(f"{trained}: some of its weights are no numbers; export an earlier training")
    write_values(network, rules, path)
    return manifest.sha256


def _write(network: PolicyNetwork, rules: RuleSet, path: Path) -> None:
    """Write the flat logits, (n, columns) uint8 -> (n, actions) float32, as one file."""
    observations = torch.zeros(2, rules.observation.size, dtype=torch.uint8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about torch's own insides
        logging.getLogger("torch.onnx").setLevel(logging.ERROR)
        torch.onnx.export(
            network.eval(),
            (observations,),
            path,
            input_names=["observation"],
            output_names=["logits"],
            dynamic_shapes=({0: torch.export.Dim("n")},),
            dynamo=True,
            external_data=False,
            verbose=False,
        )
