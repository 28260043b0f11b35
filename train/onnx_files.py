"""What trainings have made, as ONNX files."""

from pathlib import Path

from agents.checkpoint import load_checkpoint, read_manifest
from blot_env import RuleSet
from train.contract_values.export import load_values, write_values
from train.onnx_graph import write_graph


def write_policy(checkpoint: str | Path, path: Path) -> tuple[RuleSet, str]:
    """Write a policy as a graph, and return the game that it plays and the SHA-256 of its weights.

    Args:
        checkpoint: the folder of a checkpoint or of a run, the user's own or one that ships.
        path: of the new file.

    Raises:
        CheckpointError: the checkpoint cannot be used.
    """
    _, manifest = read_manifest(checkpoint)
    network, manifest = load_checkpoint(checkpoint, manifest.rules)
    write_graph(network, manifest.rules.observation.size, "logits", path)
    return manifest.rules, manifest.sha256


def write_contract_values(trained: str | Path, rules: RuleSet, path: Path) -> str:
    """Write contract values as a graph, and return the SHA-256 of their weights.

    Args:
        trained: the folder of their training.
        rules: the game.
        path: of the new file.

    Raises:
        ContractValuesError: they cannot be used, or not for this game.
    """
    network, manifest = load_values(trained, rules)
    write_values(network, rules, path)
    return manifest.sha256
