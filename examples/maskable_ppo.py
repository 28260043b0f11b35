"""Train MaskablePPO of sb3-contrib in one seat, against random play and, where there is a partner, beside `rules`.

pip install -c constraints.txt -e '.[dev]'
python examples/maskable_ppo.py 100000 --rules duel
"""

import argparse
from functools import partial

import gymnasium
import torch
from gymnasium.wrappers import TransformReward
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

RAW_POINTS = 500
"""Raw points that count as a reward of 1: the value network learns better from rewards of that size."""


def table(rules: str) -> gymnasium.Env:
    """Return an environment for the learner; `rules` names a preset or a TOML file."""
    env = gymnasium.make("blot_env:Blot-v0", rules=rules, opponents="random", partner="rules")
    scale = env.unwrapped.rules.record.unit / RAW_POINTS
    return TransformReward(env, lambda reward: reward * scale)


def learner(rules: str, tables: int = 4, seed: int = 0) -> MaskablePPO:
    """Return an untrained model that will learn at some tables at once."""
    torch.set_num_threads(1)  # so small a network is no work to share
    env = DummyVecEnv([partial(table, rules)] * tables)
    return MaskablePPO("MlpPolicy", env, n_steps=256, batch_size=256, gamma=1.0, ent_coef=0.01, seed=seed, verbose=1)


def mean_reward(rules: str, model: MaskablePPO | None, deals: int, seed: int = 1) -> float:
    """Return the mean reward in match points of a model, or of random legal actions, over the same deals."""
    env = table(rules).unwrapped
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
            total += reward
    return total / deals


def main() -> None:
    """Train, and print how much better than random play the model has become."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", nargs="?", type=int, default=20_000)
    parser.add_argument("--rules", default="bazar", help="a preset, or a TOML file")
    arguments = parser.parse_args()
    model = learner(arguments.rules)
    model.learn(arguments.steps)
    own, random = (mean_reward(arguments.rules, player, 500) for player in (model, None))
    print(f"match points a deal: {own:+.1f}, random play {random:+.1f}")


if __name__ == "__main__":
    main()
