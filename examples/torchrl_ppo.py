"""Train one network for all seats by self-play with TorchRL: PPO through its wrapper for PettingZoo environments.

pip install -c constraints.txt -e '.[dev]'
python examples/torchrl_ppo.py --rules bela3 --decisions 100000
"""

import argparse
import warnings

import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.envs import ActionMask, Compose, DTypeCastTransform, PettingZooWrapper, RewardScaling, TransformedEnv
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from blot_env import RuleSet, blot_v0, load_rules

OBSERVATION = ("players", "observation", "observation")
KEYS = {
    name: ("players", name)
    for name in ("action", "reward", "done", "terminated", "advantage", "value_target", "state_value")
}
RAW_POINTS = 200
"""Raw points that count as a reward of 1: the critic learns better from rewards of that size."""


def table(rules: RuleSet, seed: int) -> TransformedEnv:
    """Return an environment of single deals; all players are one group, so that they share a network.

    At each step `("players", "mask")` tells who acts: the actions of all others are ignored.
    """
    env = blot_v0.raw_env(rules=rules, episode="deal")  # masked actions are legal, so no wrapper need check them
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PettingZoo in TorchRL is tested")  # with 1.24.3; 1.27 does as well
        wrapped = PettingZooWrapper(env, use_mask=True, group_map={"players": env.possible_agents}, seed=seed)
    scale = rules.record.unit / RAW_POINTS
    return TransformedEnv(
        wrapped,
        Compose(
            ActionMask(KEYS["action"], ("players", "action_mask")),  # so that random actions are legal, too
            DTypeCastTransform(torch.uint8, torch.float32, in_keys=[OBSERVATION]),
            RewardScaling(loc=0.0, scale=scale, in_keys=[KEYS["reward"]]),
        ),
    )


class Learner:
    """A policy for every seat of a game, its critic, and how they learn."""

    def __init__(self, rules: RuleSet, seed: int = 0) -> None:
        torch.manual_seed(seed)
        torch.set_num_threads(1)  # so small a network is no work to share
        self.rules, self.env = rules, table(rules, seed)
        columns, actions = rules.observation.size, rules.actions.size
        self.network = MLP(columns, actions, num_cells=[128, 128], activation_class=nn.ReLU)
        self.policy = ProbabilisticActor(
            TensorDictModule(self.network, in_keys=[OBSERVATION], out_keys=[("players", "logits")]),
            in_keys={"logits": ("players", "logits"), "mask": ("players", "action_mask")},
            out_keys=[KEYS["action"]],
            distribution_class=MaskedCategorical,
            return_log_prob=True,
            log_prob_key=("players", "log_probability"),
        )
        critic = MLP(columns, 1, num_cells=[128, 128], activation_class=nn.ReLU)
        self.critic = ValueOperator(critic, in_keys=[OBSERVATION], out_keys=[KEYS["state_value"]])
        self.gains = GAE(gamma=1.0, lmbda=0.98, value_network=self.critic)
        self.loss = ClipPPOLoss(self.policy, self.critic, entropy_coeff=0.005, normalize_advantage=True)
        keys = {key: KEYS[key] for key in ("reward", "done", "terminated", "advantage", "value_target")}
        self.gains.set_keys(value=KEYS["state_value"], **keys)
        self.loss.set_keys(
            action=KEYS["action"], sample_log_prob=("players", "log_probability"), value=KEYS["state_value"], **keys
        )
        self.optimizer = torch.optim.Adam(self.loss.parameters(), lr=5e-4)

    def learn(self, decisions: int, rollout: int = 2048, epochs: int = 10, minibatch: int = 256) -> None:
        """Play deals and improve on them, until so many decisions have been taken."""
        for done in range(0, decisions, rollout):
            with torch.no_grad():
                played = self.env.rollout(rollout, self.policy, break_when_any_done=False)
                self.gains(played)
            acting = played["players", "mask"]  # (rollout, players): one decision a step
            taken = TensorDict({"players": played["players"][acting]}, [rollout])
            for _ in range(epochs):
                for rows in torch.randperm(rollout).split(minibatch):
                    losses = self.loss(taken[rows])
                    loss = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
                    self.optimizer.zero_grad()
                    loss.backward()
                    nn.utils.clip_grad_norm_(self.loss.parameters(), 0.5)
                    self.optimizer.step()
            print(f"{done + rollout} decisions, entropy {losses['entropy'].item():.3f}")

    @torch.no_grad()
    def margin(self, deals: int, seed: int = 1 << 40) -> float:
        """Return the mean reward, in match points, of each side in turn against random play of the others."""
        env, total = blot_v0.raw_env(rules=self.rules, episode="deal"), 0.0
        for deal in range(deals):
            env.reset(seed=seed if deal == 0 else None)
            own = deal % self.rules.sides
            for agent in env.agent_iter():
                observation, reward, terminated, truncated, _ = env.last()
                is_own = self.rules.side(env.possible_agents.index(agent)) == own
                total += reward * is_own * self.rules.sides / self.rules.players
                if terminated or truncated:
                    env.step(None)
                    continue
                mask = torch.from_numpy(observation["action_mask"]) > 0
                chances = mask.float()
                if is_own:
                    logits = self.network(torch.from_numpy(observation["observation"]).float())
                    chances = logits.masked_fill(~mask, -torch.inf).softmax(0)
                env.step(int(chances.argmax() if is_own else chances.multinomial(1)))
        return total / deals


def main() -> None:
    """Train, and print how far ahead of random play the network is, before and after."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", default="bela3", help="a preset, or a TOML file")
    parser.add_argument("--decisions", type=int, default=100_000)
    arguments = parser.parse_args()
    learner = Learner(load_rules(arguments.rules))
    before = learner.margin(500)
    learner.learn(arguments.decisions)
    print(f"match points a deal against random play: {before:+.1f} before, {learner.margin(500):+.1f} after")


if __name__ == "__main__":
    main()
