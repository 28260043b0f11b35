"""What several test files share: an untrained policy and the bot exported from it."""

from pathlib import Path

import pytest

from blot_env import RuleSet, load_rules


@pytest.fixture(scope="session")
def rules() -> RuleSet:
    return load_rules("bazar")


@pytest.fixture(scope="session")
def checkpoint(rules: RuleSet, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A policy of random weights, large enough that its choices differ from hand to hand."""
    import torch

    from agents.checkpoint import save_checkpoint
    from agents.network import PolicyNetwork
    from agents.sizes import NetworkSize

    torch.manual_seed(0)
    network = PolicyNetwork(rules, NetworkSize())
    for parameter in network.parameters():
        if parameter.dim() == 2:
            torch.nn.init.normal_(parameter, std=1.5 * parameter.shape[1] ** -0.5)
    folder = tmp_path_factory.mktemp("policy")
    save_checkpoint(folder, network, rules, training={})
    return folder


@pytest.fixture(scope="session")
def bot(checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bot of this policy, tier hard."""
    from train.export import export_bot

    folder = tmp_path_factory.mktemp("bots") / "hard"
    export_bot(checkpoint, "hard", folder)
    return folder
