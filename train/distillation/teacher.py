"""The network that learns from labels what cards are worth; only training has it."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from agents.network import Trunk
from agents.sizes import TrunkSize
from blot_env import RuleSet

_LEAST = -8.0  # log-probability: below it cards are equally unwanted


class Judgement(NamedTuple):
    """What a teacher makes of n positions."""

    values: Tensor  # (n, 32) what a card brings more than the mean of the legal ones, in rewards; 0 if it is not legal
    points: Tensor  # (n, 32) the same in card points, as `train.distillation.positions.Positions` has them
    holders: Tensor  # (n, 32, players) logits of who holds a card


class Teacher(nn.Module):
    """What each legal card brings more than their mean, and who holds each card that its seat does not see.

    It sees an observation, and what the policy as it came makes of it: so it need not learn the game from nothing, and
    the values are corrections to that policy's preferences, to which it gives a weight that is learnt.
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
        self.values_head, self.points_head = nn.Linear(size.width, 32), nn.Linear(size.width, 32)
        self.holders_head = nn.Linear(size.width, 32 * rules.players)  # the other seats, and nobody
        self.weight = nn.Parameter(torch.zeros(2))  # of the policy's preferences
        for head in (self.values_head, self.points_head):
            nn.init.zeros_(head.weight)
            nn.init.zeros_(head.bias)

    def forward(self, observations: Tensor, features: Tensor, preferences: Tensor, legal: Tensor) -> Judgement:
        """Judge positions.

        Args:
            observations: (n, columns).
            features: of the policy's trunk, (n, features).
            preferences: the policy's log-probabilities, (n, 32).
            legal: (n, 32) bool.
        """
        hidden = self.trunk(torch.cat([observations, features], 1))
        preferences = preferences.clamp(min=_LEAST)
        values = self.values_head(hidden) + self.weight[0] * preferences
        points = self.points_head(hidden) + self.weight[1] * preferences
        return Judgement(
            centred(values, legal), centred(points, legal), self.holders_head(hidden).unflatten(1, (32, -1))
        )

    def holders(self, oracle: Tensor) -> tuple[Tensor, Tensor]:
        """Return which cards are unseen, (n, 32) bool, and who holds each: 0 is the next seat, the last nobody."""
        hands = oracle[:, self.hands].unflatten(1, (-1, 32))
        nobody = 1 - hands.sum(1, keepdim=True)
        return oracle[:, self.unseen] > 0, torch.cat([hands, nobody], 1).argmax(1)


def centred(values: Tensor, legal: Tensor) -> Tensor:
    """Return values (n, 32) less the mean of the legal ones; 0 for others."""
    mean = (values * legal).sum(1, keepdim=True) / legal.sum(1, keepdim=True)
    return (values - mean) * legal
