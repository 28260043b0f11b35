"""Proximal policy optimisation of the policy network, with a critic that sees all hands.

`Learner.improve` is one PPO update on a rollout, `Learner.imitate` one pass of imitation on a teacher's decisions. With
an anchor an update also pays for straying from the policy that a stage starts from: Jacob et al. 2022, *Modeling strong
and human-like gameplay with KL-regularized search*.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np
import torch
from torch import Tensor, nn

from agents.network import PolicyNetwork, Trunk
from agents.sizes import TrunkSize
from train.experience import Experience, advantages
from train.loop import Metrics
from train.tensors import (
    WEIGHTS,
    below,
    check_known,
    is_finite,
    load_network,
    load_optimizer,
    network_tensors,
    optimizer_tensors,
    prefixed,
)

_CHUNK = 4096  # decisions that a network is asked about at once


@dataclass(frozen=True)
class Step:
    """The settings of one update, read off their schedules."""

    learning_rate: float
    critic_learning_rate: float
    entropy_cards: float
    entropy_calls: float
    clip: float
    trace: float
    epochs: int
    minibatch: int
    max_gradient: float
    anchor: float = 0.0  # what a nat of divergence from the anchor costs


@dataclass(frozen=True)
class Opinions:
    """What a policy makes of some decisions: log-probabilities over legal actions, calls and cards apart."""

    choice: Tensor  # (calls, choices)
    steps: Tensor  # (calls, 3, raises) by ladder, once a choice of it is made
    cards: Tensor  # (cards, 32)


class Critic(nn.Module):
    """The expected reward of the acting side, seeing all hands: (n, inputs) -> (n,)."""

    def __init__(self, inputs: int, size: TrunkSize) -> None:
        super().__init__()
        self.trunk = Trunk(inputs, size)
        self.head = nn.Linear(size.width, 1)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.trunk(x)).squeeze(1)


class Learner:
    """The policy, its critic and their optimizers; and the policy from which it is not to stray far."""

    def __init__(self, policy: PolicyNetwork, critic: Critic, anchor: PolicyNetwork | None = None) -> None:
        self.policy, self.critic, self.anchor = policy, critic, anchor
        self.policy_optimizer = torch.optim.Adam(policy.parameters(), eps=1e-5, fused=True)
        self.critic_optimizer = torch.optim.Adam(critic.parameters(), eps=1e-5, fused=True)
        self.device = policy.device

    @torch.no_grad()
    def values(self, experience: Experience) -> np.ndarray:
        """Return the critic's values, (m,) float32."""
        chunks = experience.inputs.split(_CHUNK)
        return torch.cat([self.critic(chunk.to(self.device).float()) for chunk in chunks]).cpu().numpy()

    def improve(self, experience: Experience, step: Step, rng: np.random.Generator) -> Metrics:
        """Run the epochs of one PPO update; return what TensorBoard shows of it, means over minibatches."""
        values = self.values(experience)
        gains, targets = advantages(experience, values, step.trace)
        for kind in (experience.is_card, ~experience.is_card):
            if not kind.any():
                continue
            gains[kind] = (gains[kind] - gains[kind].mean()) / (gains[kind].std() + 1e-8)
        gain, target = torch.from_numpy(gains), torch.from_numpy(targets)
        anchor = Anchor(self.anchor, experience) if self.anchor is not None and step.anchor else None

        totals: dict[str, list[float]] = defaultdict(list)
        for _ in range(step.epochs):
            for rows, calls in experience.minibatches(step.minibatch, rng):
                inputs, old = self._inputs(experience, rows), experience.log_probability[rows].to(self.device)
                opinions = opinions_of(self.policy, experience, rows, calls, inputs)
                new, entropy = self._judge(opinions, experience, rows)
                strayed = None if anchor is None else anchor.divergence(opinions, rows)
                advantage = gain[rows].to(self.device)
                log_ratio = new - old
                ratio = log_ratio.exp()
                surrogate = torch.min(ratio * advantage, ratio.clamp(1 - step.clip, 1 + step.clip) * advantage)
                loss = torch.zeros((), device=self.device)
                for name, part, bonus in (
                    ("calls", slice(0, calls), step.entropy_calls),
                    ("cards", slice(calls, None), step.entropy_cards),
                ):
                    if not len(new[part]):
                        continue
                    policy_loss, spread = -surrogate[part].mean(), entropy[part].mean()
                    loss = loss + policy_loss - bonus * spread
                    if strayed is not None:
                        divergence = strayed[part].mean()
                        loss = loss + step.anchor * divergence
                        totals[f"anchor/{name}"].append(divergence.item())
                    with torch.no_grad():
                        clipped = ((ratio[part] - 1).abs() > step.clip).float().mean()
                        drift = (ratio[part] - 1 - log_ratio[part]).mean()
                    totals[f"loss/{name}"].append(policy_loss.item())
                    totals[f"entropy/{name}"].append(spread.item())
                    totals[f"clip_fraction/{name}"].append(clipped.item())
                    totals[f"kl/{name}"].append(drift.item())
                totals["gradient/policy"].append(self._descend(self.policy, self.policy_optimizer, loss, step))
                self._fit_critic(inputs, target[rows].to(self.device), step, totals)
        return _means(totals) | {"value/explained_variance": _explained(values, targets)}

    def imitate(self, experience: Experience, step: Step, rng: np.random.Generator) -> Metrics:
        """Make the teacher's decisions likelier, one pass, and teach the critic what came of the deals."""
        values = self.values(experience)
        _, targets = advantages(experience, values, 1.0)
        target = torch.from_numpy(targets)
        totals: dict[str, list[float]] = defaultdict(list)
        for rows, calls in experience.minibatches(step.minibatch, rng):
            inputs = self._inputs(experience, rows)
            opinions = opinions_of(self.policy, experience, rows, calls, inputs)
            log_probability, _ = self._judge(opinions, experience, rows)
            loss = torch.zeros((), device=self.device)
            for name, part in (("calls", slice(0, calls)), ("cards", slice(calls, None))):
                if len(log_probability[part]):
                    cross_entropy = -log_probability[part].mean()
                    loss = loss + cross_entropy
                    totals[f"imitation/{name}"].append(cross_entropy.item())
            totals["gradient/policy"].append(self._descend(self.policy, self.policy_optimizer, loss, step))
            self._fit_critic(inputs, target[rows].to(self.device), step, totals)
        return _means(totals) | {"value/explained_variance": _explained(values, targets)}

    def tensors(self) -> dict[str, Tensor]:
        """Return weights and optimizer states by name; `load_tensors` takes them back."""
        tensors: dict[str, Tensor] = {}
        for name, network, optimizer in self._parts():
            tensors |= prefixed(name, network_tensors(network) | optimizer_tensors(optimizer))
        return tensors

    def load_tensors(self, tensors: Mapping[str, Tensor], whole: bool = True) -> None:
        """Go back to what `tensors` returned; by default all of it has to be there.

        Raises:
            ValueError, RuntimeError: it does not fit.
        """
        for name, network, optimizer in self._parts():
            own = below(name, tensors)
            if whole or below(WEIGHTS, own):
                load_network(network, own)
            load_optimizer(optimizer, own)
        check_known(tensors, self.tensors())

    def is_finite(self) -> bool:
        """Return whether all weights are numbers still."""
        return is_finite(self.policy, self.critic)

    def _parts(self) -> tuple[tuple[str, nn.Module, torch.optim.Optimizer], ...]:
        return (
            ("policy", self.policy, self.policy_optimizer),
            ("critic", self.critic, self.critic_optimizer),
        )

    def _inputs(self, experience: Experience, rows: Tensor) -> Tensor:
        return experience.inputs[rows].to(self.device).float()

    def _judge(self, opinions: Opinions, experience: Experience, rows: Tensor) -> tuple[Tensor, Tensor]:
        """Return log-probabilities of the actions taken, and entropies over the legal ones; both (rows,)."""
        choice, steps, calls, ladder_of = opinions.choice, opinions.steps, len(opinions.choice), self.policy.ladder_of
        action = experience.action[rows].to(self.device)[:, None]
        raised = experience.raised[rows[:calls]].to(self.device)[:, None]
        step = steps[torch.arange(calls), ladder_of[action[:calls, 0]]]
        called = (choice.gather(1, action[:calls]) + step.gather(1, raised)).squeeze(1)
        call_entropy = _entropy(choice) + (choice.exp() * _entropy(steps)[:, ladder_of]).sum(1)
        played = opinions.cards.gather(1, action[calls:]).squeeze(1)
        return torch.cat([called, played]), torch.cat([call_entropy, _entropy(opinions.cards)])

    def _fit_critic(self, inputs: Tensor, target: Tensor, step: Step, totals: dict[str, list[float]]) -> None:
        loss = nn.functional.mse_loss(self.critic(inputs), target)
        totals["gradient/critic"].append(self._descend(self.critic, self.critic_optimizer, loss, step))
        totals["loss/value"].append(loss.item())

    def _descend(self, network: nn.Module, optimizer: torch.optim.Optimizer, loss: Tensor, step: Step) -> float:
        """Take one step down the gradient; return its norm before clipping."""
        rate = step.learning_rate if network is self.policy else step.critic_learning_rate
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(network.parameters(), step.max_gradient)
        optimizer.step()
        return float(norm)


class Anchor:
    """What the policy that a stage starts from makes of the decisions of a rollout, asked once for all epochs."""

    @torch.no_grad()
    def __init__(self, policy: PolicyNetwork, experience: Experience) -> None:
        self._ladder_of = policy.ladder_of
        self._place = torch.zeros(len(experience), dtype=torch.int64)  # of a row among those of its kind
        found = []
        for kind in (~experience.is_card, experience.is_card):
            rows = torch.from_numpy(np.flatnonzero(kind))
            self._place[rows] = torch.arange(len(rows))
            for chunk in rows.split(_CHUNK):
                inputs = experience.inputs[chunk].to(policy.device).float()
                calls = 0 if kind is experience.is_card else len(chunk)
                found.append(opinions_of(policy, experience, chunk, calls, inputs))
        self._opinions = Opinions(
            *(torch.cat([getattr(opinions, field.name) for opinions in found]) for field in fields(Opinions))
        )

    def divergence(self, opinions: Opinions, rows: Tensor) -> Tensor:
        """Return the Kullback-Leibler divergence of a policy's opinions on some rows from the anchor's, (rows,)."""
        calls, place = len(opinions.choice), self._place[rows].to(opinions.cards.device)
        choice, steps, cards = opinions.choice, opinions.steps, opinions.cards
        of_step = _divergence(steps, self._opinions.steps[place[:calls]])[:, self._ladder_of]  # (calls, choices)
        of_call = _divergence(choice, self._opinions.choice[place[:calls]]) + (choice.exp() * of_step).sum(1)
        return torch.cat([of_call, _divergence(cards, self._opinions.cards[place[calls:]])])


def opinions_of(policy: PolicyNetwork, experience: Experience, rows: Tensor, calls: int, inputs: Tensor) -> Opinions:
    """Ask a policy about some rows of an experience, the first `calls` of them calls; `inputs` are theirs."""
    observations, legal = inputs[:, : policy.columns], experience.legal[rows].to(policy.device)
    raises = experience.raises[rows[:calls]].to(policy.device)
    choice, steps = policy.call_log_probabilities(observations[:calls], legal[:calls, : policy.choices], raises)
    return Opinions(choice, steps, policy.card_log_probabilities(observations[calls:], legal[calls:, :32]))


def _divergence(own: Tensor, other: Tensor) -> Tensor:
    """Return KL(own ‖ other) of log-probabilities over the last dimension."""
    return (own.exp() * (own - other)).sum(-1)


def _entropy(log_probabilities: Tensor) -> Tensor:
    return -(log_probabilities.exp() * log_probabilities).sum(-1)


def _means(totals: dict[str, list[float]]) -> Metrics:
    return {name: float(np.mean(values)) for name, values in totals.items()}


def _explained(values: np.ndarray, targets: np.ndarray) -> float:
    """Return the share of the targets' variance that the values explain."""
    return float(1 - np.var(targets - values) / (np.var(targets) + 1e-12))
