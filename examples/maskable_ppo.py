"""Train MaskablePPO of sb3-contrib in one seat, against random play and beside the rule-based player.

pip install -c constraints.txt -e '.[dev]'
python examples/maskable_ppo.py 100000
"""

import sys

import gymnasium
import torch
from gymnasium.wrappers import TransformReward
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

SCALE = 50.0
"""Match points that count as a reward of 1: the value network learns better from rewards of that size."""


def table() -> gymnasium.Env:
    """Return an environment for the learner."""
    env = gymnasium.make("blot_env:Blot-v0", opponents="random", partner="rules")
    return TransformReward(env, lambda reward: reward / SCALE)


def learner(tables: int = 4, seed: int = 0) -> MaskablePPO:
    """Return an untrained model that will learn at some tables at once."""
    torch.set_num_threads(1)  # so small a network is no work to share
    env = DummyVecEnv([table] * tables)
    return MaskablePPO("MlpPolicy", env, n_steps=256, batch_size=256, gamma=1.0, ent_coef=0.01, seed=seed, verbose=1)


def mean_reward(model: MaskablePPO | None, deals: int, seed: int = 1) -> float:
    """Return the mean reward in match points of a model, or of random legal actions, over the same deals."""
    env = table()
    env.action_space.seed(seed)
    total = 0.0
    for deal in range(deals):
        observation, info = env.reset(seed=seed if deal == 0 else None)
        over = False
        while not over:
            mask = info["action_mask"]
            if model is None:
                action = env.action_space.sample(mask)
            else:
                action = model.predict(observation, action_masks=mask, deterministic=True)[0]
            observation, reward, over, _, info = env.step(action)
            total += SCALE * float(reward)
    return total / deals


def main() -> None:
    """Train, and print how much better than random play the model has become."""
    model = learner()
    model.learn(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
    print(f"match points a deal: {mean_reward(model, 500):+.1f}, random play {mean_reward(None, 500):+.1f}")


if __name__ == "__main__":
    main()
