"""The network that learns from labels what cards are worth; only training has it."""

import torch
from torch import Tensor, nn

from agents.network import Trunk
from agents.sizes import TrunkSize
from blot_env import RuleSet


class Teacher(nn.Module):
    """What each legal card brings more than their mean, and who holds each card that its seat does not see.

    It sees an observation, and what the policy as it came makes of it: so it need not learn the game from nothing.
    """

    def __init__(self, rules: RuleSet, features: int, size: TrunkSize) -> None:
        """Make one that takes all cards to be worth the same.

        Args:
            rules: the game.
            features: how many the policy's trunk has.
            size: of its own trunk.
        """
        super().__init__()
        layout = rules.oracle
        self.columns, self.unseen, self.hands = rules.observation.size, layout["unseen"], layout["hands"]
        self.trunk = Trunk(self.columns + features, size)
        self.values_head = nn.Linear(size.width, 32)
        self.holders_head = nn.Linear(size.width, 32 * rules.players)  # the other seats, and nobody
        nn.init.zeros_(self.values_head.weight)
        nn.init.zeros_(self.values_head.bias)

    def forward(self, observations: Tensor, features: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        """Return values, (n, 32), in rewards, 0 for cards not legal; and logits of the holders, (n, 32, players)."""
        hidden = self.trunk(torch.cat([observations, features], 1))
        holders = self.holders_head(hidden).unflatten(1, (32, -1))
        return centred(self.values_head(hidden), legal), holders

    def holders(self, oracle: Tensor) -> tuple[Tensor, Tensor]:
        """Return which cards are unseen, (n, 32) bool, and who holds each: 0 is the next seat, the last nobody."""
        hands = oracle[:, self.hands].unflatten(1, (-1, 32))
        nobody = 1 - hands.sum(1, keepdim=True)
        return oracle[:, self.unseen] > 0, torch.cat([hands, nobody], 1).argmax(1)


def centred(values: Tensor, legal: Tensor) -> Tensor:
    """Return values (n, 32) less the mean of the legal ones; 0 for others."""
    mean = (values * legal).sum(1, keepdim=True) / legal.sum(1, keepdim=True)
    return (values - mean) * legal
