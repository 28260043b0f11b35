"""Small policies and contract values of random weights, as if they had learnt something, and bots made of them."""

from pathlib import Path

import torch

from agents.checkpoint import save_checkpoint
from agents.network import PolicyNetwork
from agents.sizes import NetworkSize, TrunkSize
from blot_env import RuleSet
from train.contract_values.export import save_values
from train.contract_values.network import ContractNetwork
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


def untrained_values(rules: RuleSet, seed: int, folder: Path) -> Path:
    """The folder of contract values that differ from hand to hand."""
    torch.manual_seed(seed)
    network = ContractNetwork(rules, TrunkSize(width=16, blocks=1))
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    save_values(folder, network, rules, {})
    return folder
