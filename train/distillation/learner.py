"""The update of a distillation: a teacher learns what cards are worth from labels, and the policy from the teacher.

A label is one draw of what the seat cannot know, and its best card is often not the seat's best; so the policy does not
learn from labels but from the teacher's values, which are their means. Its targets are soft, over all legal cards:

    log target = (value of the card) / temperature + anchor × log(probability by the policy as it came) + constant

which maximises the expected value less `temperature` times what it departs from that policy and from chance.
"""

from collections import defaultdict
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from agents.network import PolicyNetwork, log_probabilities
from agents.sizes import TrunkSize
from blot_env import RuleSet
from train.distillation.config import LearningConfig
from train.distillation.positions import Positions
from train.distillation.teacher import Judgement, Teacher
from train.loop import Metrics
from train.rollout import SCALE
from train.tensors import (
    below,
    check_known,
    is_finite,
    load_network,
    load_optimizer,
    network_tensors,
    optimizer_tensors,
    prefixed,
)

_POINTS = SCALE / 10  # match points of ten raw points that are a reward of 1
_AT_ONCE = 4096  # positions


@dataclass(frozen=True)
class Step:
    """The learning rates of an update, read off their schedules."""

    teacher: float
    policy: float


@dataclass
class _Batch:
    """Some positions with what the networks make of them; n rows."""

    oracle: Tensor  # (n, columns)
    legal: Tensor  # (n, 32)
    labels: Tensor  # (n, 32) values
    points: Tensor  # (n, 32) labels, too
    judged: Judgement  # by the teacher
    before: Tensor  # (n, 32) log-probabilities of the policy as it came
    now: Tensor  # (n, 32) of the policy


class Learner:
    """The policy, the policy as it came, the teacher, and their optimizers."""

    def __init__(self, rules: RuleSet, policy: PolicyNetwork, teacher: TrunkSize, settings: LearningConfig) -> None:
        """Take a policy to be improved; its auction stays as it is."""
        self.policy, self.settings, self.device = policy, settings, policy.device
        self.before = deepcopy(policy).eval()
        self.teacher = Teacher(rules, policy.size.cards.width, teacher).to(self.device)
        cards = [*policy.cards_trunk.parameters(), *policy.cards_head.parameters()]
        self.policy_optimizer = torch.optim.Adam(cards, eps=1e-5, fused=True)
        self.teacher_optimizer = torch.optim.Adam(self.teacher.parameters(), eps=1e-5, fused=True)
        self._columns = rules.oracle.size

    def learn(self, memory: Positions, new: int, step: Step, rng: np.random.Generator) -> Metrics:
        """Run the minibatches that are due for some new positions; return what TensorBoard shows, means over them.

        Args:
            memory: whence the minibatches are drawn, at random.
            new: how many of its positions are new.
            step: the learning rates.
            rng: for the draws.
        """
        settings = self.settings
        totals: dict[str, list[float]] = defaultdict(list)
        if not len(memory):
            return {}
        for _ in range(max(1, round(settings.passes * new / settings.minibatch))):
            rows = rng.integers(0, len(memory), min(settings.minibatch, len(memory)))
            batch = self._batch(memory, rows)
            judged, legal = batch.judged, batch.legal
            loss = functional.huber_loss(judged.values[legal], batch.labels[legal])
            points = functional.huber_loss(judged.points[legal], batch.points[legal])
            unseen, holder = self.teacher.holders(batch.oracle)
            cross_entropy = functional.cross_entropy(judged.holders[unseen], holder[unseen])
            whole = loss + settings.points * points + settings.holders * cross_entropy
            descend(self.teacher, self.teacher_optimizer, whole, step.teacher, settings.max_gradient)
            targets = self.targets(judged.values.detach(), batch.labels, batch.before, legal)
            distance = -(targets * batch.now).sum(1).mean()
            descend(self.policy, self.policy_optimizer, distance, step.policy, settings.max_gradient)
            totals["loss/labels"].append(loss.item())
            totals["loss/points"].append(points.item())
            totals["loss/holders"].append(cross_entropy.item())
            totals["loss/targets"].append(distance.item())
        return {name: float(np.mean(values)) for name, values in totals.items()}

    def targets(self, values: Tensor, labels: Tensor, before: Tensor, legal: Tensor) -> Tensor:
        """Return the probabilities that the policy is to have, (n, 32), 0 for cards that are not legal.

        Args:
            values: of the teacher, in rewards, (n, 32).
            labels: (n, 32).
            before: log-probabilities of the policy as it came, (n, 32).
            legal: (n, 32) bool.
        """
        settings = self.settings
        wanted = values if settings.targets == "teacher" else labels
        return log_probabilities(wanted * (_POINTS / settings.temperature) + settings.anchor * before, legal).exp()

    @torch.no_grad()
    def judge(self, positions: Positions) -> Metrics:
        """Return how well the networks do in positions that they have not learnt yet; nothing of no positions."""
        sums: dict[str, float] = defaultdict(float)
        if not len(positions):
            return {}
        for rows in _parts(len(positions)):
            batch = self._batch(positions, rows)
            values = batch.judged.values
            best, card, first = (part.argmax(1, keepdim=True) for part in self._favourites(batch))
            unseen, holder = self.teacher.holders(batch.oracle)
            found = {
                "unexplained": (batch.labels - values).square(),
                "spread": batch.labels.square(),
                "agreement": best == card,
                "given_up": values.gather(1, best) - values.gather(1, card),
                "gained": batch.labels.gather(1, card) - batch.labels.gather(1, first),
                "possible": batch.labels.gather(1, best) - batch.labels.gather(1, first),
                "entropy": -(batch.now.exp() * batch.now),
                "known": (batch.judged.holders.argmax(2) == holder) & unseen,
                "unseen": unseen,
            }
            for name, numbers in found.items():
                sums[name] += float(numbers.sum())
        mean = {name: value / len(positions) for name, value in sums.items()}
        return {
            "teacher/explained_variance": 1 - mean["unexplained"] / (mean["spread"] + 1e-12),
            "teacher/holders": mean["known"] / (mean["unseen"] + 1e-12),
            "teacher/gain": mean["possible"] * _POINTS,
            "policy/gain": mean["gained"] * _POINTS,
            "policy/given_up": mean["given_up"] * _POINTS,
            "policy/agreement": mean["agreement"],
            "entropy/cards": mean["entropy"],
        }

    def tensors(self) -> dict[str, Tensor]:
        """Return weights and optimizer states by name; `load_tensors` takes them back."""
        tensors: dict[str, Tensor] = {}
        for name, network in self._networks():
            tensors |= prefixed(name, network_tensors(network))
        for name, optimizer in self._optimizers():
            tensors |= prefixed(name, optimizer_tensors(optimizer))
        return tensors

    def load_tensors(self, tensors: dict[str, Tensor]) -> None:
        """Go back to what `tensors` returned."""
        for name, network in self._networks():
            load_network(network, below(name, tensors))
        for name, optimizer in self._optimizers():
            load_optimizer(optimizer, below(name, tensors))
        check_known(tensors, self.tensors())

    def is_finite(self) -> bool:
        """Return whether all weights are numbers still."""
        return is_finite(*(network for _, network in self._networks()))

    def _networks(self) -> tuple[tuple[str, nn.Module], ...]:
        return ("policy", self.policy), ("before", self.before), ("teacher", self.teacher)

    def _optimizers(self) -> tuple[tuple[str, torch.optim.Optimizer], ...]:
        return ("policy", self.policy_optimizer), ("teacher", self.teacher_optimizer)

    def _batch(self, positions: Positions, rows: slice | np.ndarray) -> _Batch:
        oracle, legal, labels, points = (part.to(self.device) for part in positions.batch(self._columns, rows))
        observations = oracle[:, : self.policy.columns]
        with torch.no_grad():
            features = self.before.cards_trunk(observations)
            before = log_probabilities(self.before.cards_head(features), legal)
        judged = self.teacher(observations, features, before, legal)
        now = self.policy.card_log_probabilities(observations, legal)
        return _Batch(oracle, legal, labels, points, judged, before, now)

    @staticmethod
    def _favourites(batch: _Batch) -> tuple[Tensor, Tensor, Tensor]:
        """Return what the teacher, the policy and the policy as it came choose the highest of."""
        return batch.judged.values.masked_fill(~batch.legal, -torch.inf), batch.now, batch.before


def descend(
    network: nn.Module, optimizer: torch.optim.Optimizer, loss: Tensor, rate: float, max_gradient: float
) -> None:
    """Take one step down the gradient, clipped by its norm."""
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), max_gradient)
    optimizer.step()


def _parts(n: int) -> Iterator[slice]:
    return (slice(start, start + _AT_ONCE) for start in range(0, n, _AT_ONCE))
