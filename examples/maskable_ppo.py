"""Train MaskablePPO of sb3-contrib in one seat, against random play and beside the rule-based player.

pip install -c constraints.txt -e '.[dev]'
python examples/maskable_ppo.py 100000
"""

import sys

import gymnasium
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

ENV = "blot_env:Blot-v0"
SEATS = {"opponents": "random", "partner": "rules"}


def train(steps: int, tables: int = 4, seed: int = 0) -> MaskablePPO:
    """Return a model that has learned from `steps` decisions at some tables."""
    env = DummyVecEnv([lambda: gymnasium.make(ENV, **SEATS)] * tables)
    model = MaskablePPO("MlpPolicy", env, n_steps=256, batch_size=256, gamma=1.0, ent_coef=0.01, seed=seed, verbose=1)
    return model.learn(steps)


def mean_reward(model: MaskablePPO | None, episodes: int, seed: int = 1) -> float:
    """Return the mean reward of the model, or of random legal actions, over the same deals."""
    env = gymnasium.make(ENV, **SEATS)
    env.action_space.seed(seed)
    total = 0.0
    for episode in range(episodes):
        observation, info = env.reset(seed=seed if episode == 0 else None)
        over = False
        while not over:
            mask = info["action_mask"]
            if model is None:
                action = env.action_space.sample(mask)
            else:
                action = model.predict(observation, action_masks=mask, deterministic=True)[0]
            observation, reward, over, _, info = env.step(action)
            total += float(reward)
    return total / episodes


def main() -> None:
    """Train, and print how much better than random play the model has become."""
    model = train(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
    print(f"match points a deal: {mean_reward(model, 200):+.1f}, random play {mean_reward(None, 200):+.1f}")


if __name__ == "__main__":
    main()
