"""Train one network for all seats by self-play with RLlib: PPO on the PettingZoo environment, with action masks.

pip install -c constraints.txt -e '.[dev]'
python examples/rllib_self_play.py --rules bela3 --decisions 100000
"""

import argparse
from typing import Any

import ray
import torch
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis import ValueFunctionAPI
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from torch import Tensor, nn

from blot_env import RuleSet, blot_v0, load_rules

RAW_POINTS = 200
"""Raw points that count as a reward of 1: the critic learns better from rewards of that size."""


class Table(PettingZooEnv):
    """Single deals, one decision a step: only the player to act gets an observation, and with it a mask."""

    def __init__(self, config: dict[str, Any]) -> None:
        rules = load_rules(config["rules"])
        super().__init__(blot_v0.raw_env(rules=rules, episode="deal"))  # masked actions are legal, so no wrapper checks
        self._scale = rules.record.unit / RAW_POINTS

    def step(self, action: dict[str, int]) -> tuple[dict[str, Any], ...]:
        observations, rewards, *rest = super().step(action)
        return observations, {agent: reward * self._scale for agent, reward in rewards.items()}, *rest


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """Logits of the legal actions, and a critic."""

    def setup(self) -> None:
        columns = self.observation_space["observation"].shape[0]
        self.policy, self.critic = _network(columns, self.action_space.n), _network(columns, 1)

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Tensor]:
        seen = batch[Columns.OBS]
        logits = self.policy(seen["observation"].float())
        return {Columns.ACTION_DIST_INPUTS: logits.masked_fill(seen["action_mask"] == 0, -1e9)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Tensor:
        return self.critic(batch[Columns.OBS]["observation"].float()).squeeze(-1)


def _network(inputs: int, outputs: int) -> nn.Module:
    return nn.Sequential(nn.Linear(inputs, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, outputs))


def learner(rules: str, batch: int = 2048, seed: int = 0) -> PPO:
    """Return PPO with one untrained network for all seats of a preset, or of a TOML file."""
    torch.set_num_threads(1)  # so small a network is no work to share
    ray.init("local", log_to_driver=False)  # RLlib would join any cluster of this machine, and end when that one does
    config = (
        PPOConfig()
        .environment(Table, env_config={"rules": rules}, disable_env_checking=True)  # it would try illegal actions
        .env_runners(num_env_runners=0, num_envs_per_env_runner=8, rollout_fragment_length=64)  # all in this process
        .multi_agent(policies={"everybody"}, policy_mapping_fn=lambda agent, episode, **_: "everybody")
        .rl_module(rl_module_spec=RLModuleSpec(module_class=MaskedModule))
        .training(
            train_batch_size_per_learner=batch,
            minibatch_size=256,
            num_epochs=6,
            lr=5e-4,
            gamma=1.0,
            lambda_=0.98,
            entropy_coeff=0.005,
            vf_clip_param=float("inf"),
            grad_clip=0.5,
        )
        .debugging(seed=seed, log_level="ERROR")
    )
    return config.build_algo()


@torch.no_grad()
def margin(rules: RuleSet, algorithm: PPO, deals: int, seed: int = 1 << 30) -> float:
    """Return the mean reward, in match points, of each side in turn against random play of the others."""
    module = algorithm.get_module("everybody")
    env, total = blot_v0.raw_env(rules=rules, episode="deal"), 0.0
    for deal in range(deals):
        env.reset(seed=seed if deal == 0 else None)
        own = deal % rules.sides
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            is_own = rules.side(env.possible_agents.index(agent)) == own
            total += reward * is_own * rules.sides / rules.players
            if terminated or truncated:
                env.step(None)
            elif is_own:
                batch = {Columns.OBS: {name: torch.from_numpy(value)[None] for name, value in observation.items()}}
                env.step(int(module.forward_inference(batch)[Columns.ACTION_DIST_INPUTS].argmax()))
            else:
                env.step(int(torch.from_numpy(observation["action_mask"]).float().multinomial(1)))
    return total / deals


def main() -> None:
    """Train, and print how far ahead of random play the network is, before and after."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", default="bela3", help="a preset, or a TOML file")
    parser.add_argument("--decisions", type=int, default=100_000)
    arguments = parser.parse_args()
    rules, algorithm, done = load_rules(arguments.rules), learner(arguments.rules), 0
    before = margin(rules, algorithm, 500)
    while done < arguments.decisions:
        result = algorithm.train()
        done = result["num_env_steps_sampled_lifetime"]
        entropy = result["learners"]["everybody"]["entropy"]
        print(f"{done:.0f} decisions, entropy {entropy:.3f}")
    print(f"match points a deal against random play: {before:+.1f} before, {margin(rules, algorithm, 500):+.1f} after")
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
