"""What the installed wheel does with the base dependencies alone; .ci/run starts it in an empty folder."""

import importlib.util
from pathlib import Path

import numpy as np
from gymnasium import make as make_gym

import agents
import train
from agents import resources
from blot_env import BatchEnv, Game, blot_v0, load_rules, replay
from train.tournament.report.page import page

assert not list(Path.cwd().iterdir()), "the checkout must be out of reach"
assert importlib.util.find_spec("torch") is None, "the base install brings torch along"
assert all("site-packages" in package.__path__[0] for package in (agents, train))

rules = load_rules("bazar")
player = agents.make("rules", rules)
table = BatchEnv(rules, 1, seed=7)
table.reset()
done = np.zeros(1, bool)
while not done[0]:
    *_, done = table.step(player.act(table.decisions()))
print("BatchEnv: a deal between rules, match points", table.results["points"][0])

game = Game(rules, seed=7)
while game.phase != "over":
    game.take(int(player.act(game.decision())[0]))
assert replay(game.record()).result == game.result
print("Game: a deal played and replayed:", *game.record()["actions"])

aec = blot_v0.env(episode="deal")
aec.reset(seed=7)
for agent in aec.agent_iter():
    observation, _, termination, truncation, _ = aec.last()
    over = termination or truncation
    aec.step(None if over else aec.action_space(agent).sample(observation["action_mask"]))
print("PettingZoo: a deal at random")

learner = make_gym("blot_env:Blot-v0", opponents="rules", partner="rules")
learner.reset(seed=7)
print("Gymnasium:", learner.spec.id)

for name in ("configs/quick.toml", "configs/tiers/hard.toml", "checkpoints/bazar/networks/policy.onnx"):
    print("found", resources.find(name))
assert page({"rules": "bazar", "entrants": []}, {}).startswith("<!doctype html>")
print("found the page of tournaments")
