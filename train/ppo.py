"""Proximal policy optimisation of the policy network, with a critic that sees all hands.

`Learner.improve` is one PPO update on a rollout, `Learner.imitate` one pass of imitation on a teacher's decisions.
"""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from agents.network import PolicyNetwork, Trunk
from agents.sizes import TrunkSize
from train.experience import Experience, advantages

Metrics = dict[str, float]


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
    """The policy, its critic and their optimizers."""

    def __init__(self, policy: PolicyNetwork, critic: Critic) -> None:
        self.policy, self.critic = policy, critic
        self.policy_optimizer = torch.optim.Adam(policy.parameters(), eps=1e-5, fused=True)
        self.critic_optimizer = torch.optim.Adam(critic.parameters(), eps=1e-5, fused=True)
        self.device = policy.device

    @torch.no_grad()
    def values(self, experience: Experience) -> np.ndarray:
        """Return the critic's values, (m,) float32."""
        chunks = experience.inputs.split(4096)
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

        totals: dict[str, list[float]] = defaultdict(list)
        for _ in range(step.epochs):
            for rows, calls in experience.minibatches(step.minibatch, rng):
                inputs, old = self._inputs(experience, rows), experience.log_probability[rows].to(self.device)
                new, entropy = self._log_probabilities(experience, rows, calls, inputs)
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
            log_probability, _ = self._log_probabilities(experience, rows, calls, inputs)
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
            tensors |= {f"{name}.weights.{key}": tensor for key, tensor in network.state_dict().items()}
            for index, state in optimizer.state_dict()["state"].items():
                tensors |= {f"{name}.optimizer.{index}.{key}": tensor for key, tensor in state.items()}
        return tensors

    def load_tensors(self, tensors: dict[str, Tensor]) -> None:
        """Go back to what `tensors` returned."""
        for name, network, optimizer in self._parts():
            own = {key.removeprefix(f"{name}."): value for key, value in tensors.items() if key.startswith(f"{name}.")}
            weights = {key: value for key, value in own.items() if key.startswith("weights.")}
            network.load_state_dict({key.removeprefix("weights."): value for key, value in weights.items()})
            state: dict[int, dict[str, Tensor]] = defaultdict(dict)
            for key, value in own.items():
                if key.startswith("optimizer."):
                    _, index, field = key.split(".")
                    state[int(index)][field] = value
            optimizer.load_state_dict({**optimizer.state_dict(), "state": dict(state)})

    def is_finite(self) -> bool:
        """Return whether all weights are numbers still."""
        return all(
            bool(weights.isfinite().all()) for _, network, _ in self._parts() for weights in network.parameters()
        )

    def _parts(self) -> tuple[tuple[str, nn.Module, torch.optim.Optimizer], ...]:
        return (
            ("policy", self.policy, self.policy_optimizer),
            ("critic", self.critic, self.critic_optimizer),
        )

    def _inputs(self, experience: Experience, rows: Tensor) -> Tensor:
        return experience.inputs[rows].to(self.device).float()

    def _log_probabilities(
        self, experience: Experience, rows: Tensor, calls: int, inputs: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return log-probabilities of the actions taken, and entropies over the legal ones; both (rows,)."""
        policy = self.policy
        observations = inputs[:, : policy.columns]
        legal, action = experience.legal[rows].to(self.device), experience.action[rows].to(self.device)[:, None]
        raises = experience.raises[rows[:calls]].to(self.device)
        raised = experience.raised[rows[:calls]].to(self.device)[:, None]

        choice, steps = policy.call_log_probabilities(observations[:calls], legal[:calls, : policy.choices], raises)
        chosen = action[:calls, 0]
        step = steps[torch.arange(calls), policy.ladder_of[chosen]]
        called = (choice.gather(1, action[:calls]) + step.gather(1, raised)).squeeze(1)
        call_entropy = _entropy(choice) + (choice.exp() * _entropy(steps)[:, policy.ladder_of]).sum(1)

        cards = policy.card_log_probabilities(observations[calls:], legal[calls:, :32])
        played = cards.gather(1, action[calls:]).squeeze(1)
        return torch.cat([called, played]), torch.cat([call_entropy, _entropy(cards)])

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


def _entropy(log_probabilities: Tensor) -> Tensor:
    return -(log_probabilities.exp() * log_probabilities).sum(-1)


def _means(totals: dict[str, list[float]]) -> Metrics:
    return {name: float(np.mean(values)) for name, values in totals.items()}


def _explained(values: np.ndarray, targets: np.ndarray) -> float:
    """Return the share of the targets' variance that the values explain."""
    return float(1 - np.var(targets - values) / (np.var(targets) + 1e-12))
