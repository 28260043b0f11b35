"""Small policies of random weights, as if they had learnt something, and bots exported from them."""

from pathlib import Path

import torch

from agents.checkpoint import save_checkpoint
from agents.network import PolicyNetwork
from agents.sizes import NetworkSize, TrunkSize
from blot_env import RuleSet
from train.export import export_bot

SMALL = NetworkSize(cards=TrunkSize(width=16, blocks=1), auction=TrunkSize(width=16, blocks=1))


def untrained_network(rules: RuleSet, seed: int, size: NetworkSize = SMALL) -> PolicyNetwork:
    """A network whose choices differ from hand to hand."""
    torch.manual_seed(seed)
    network = PolicyNetwork(rules, size)
    for head in (network.cards_head, network.auction_head):
        torch.nn.init.normal_(head.weight)
    return network


def untrained_bot(rules: RuleSet, seed: int, folder: Path) -> Path:
    """The folder of a bot that takes what its policy likes best; the policy stands beside it in `policy`."""
    save_checkpoint(folder / "policy", untrained_network(rules, seed), rules, training={})
    (folder / "plain.toml").write_text('calls = "network"\ncards = "network"')
    export_bot(folder / "policy", folder / "plain.toml", folder / "bot")
    return folder / "bot"
