"""The examples run, learn, and use the environments as their libraries want them used."""

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blot_env import load_rules

EXAMPLES = Path(__file__).parent.parent / "examples"


def changed(before: Any, after: Any) -> bool:
    """Whether some weights of a network differ from those of another."""
    return any(not first.equal(second) for first, second in zip(before.parameters(), after.parameters(), strict=True))


@pytest.mark.parametrize("preset", ["bazar", "duel"])
def test_maskable_ppo_trains(preset: str) -> None:
    """The model sees the masks, changes its weights, and plays legal actions."""
    pytest.importorskip("sb3_contrib")
    example = runpy.run_path(str(EXAMPLES / "maskable_ppo.py"))
    untrained, trained = (example["learner"](preset, tables=2) for _ in range(2))
    trained.learn(500)
    assert changed(untrained.policy, trained.policy)
    assert trained.num_timesteps >= 500
    assert isinstance(example["mean_reward"](preset, trained, 5), float)


@pytest.fixture(scope="module")
def torchrl() -> dict[str, Any]:
    pytest.importorskip("torchrl")
    return runpy.run_path(str(EXAMPLES / "torchrl_ppo.py"))


@pytest.mark.parametrize("preset", ["bela3", "duel", "bazar-classic"])
def test_torchrl_plays_deals_with_one_legal_decision_a_step(torchrl: dict[str, Any], preset: str) -> None:
    from torchrl.envs import check_env_specs

    learner = torchrl["Learner"](load_rules(preset))
    check_env_specs(learner.env)
    played = learner.env.rollout(200, learner.policy, break_when_any_done=False)
    acting = played["players", "mask"]
    assert acting.shape == (200, learner.rules.players)
    assert (acting.sum(1) == 1).all()
    masks, actions = played["players", "action_mask"][acting], played["players", "action"][acting]
    assert masks.any(1).all()
    assert not masks.all(1).any(), "the mask of the acting player says something"
    assert masks.gather(1, actions[:, None]).all()
    paid, over = played["next", "players", "reward"][..., 0], played["next", "players", "done"][..., 0]
    assert 2 <= over.all(1).sum() == over.any(1).sum() == played["next", "done"].sum()
    assert paid[over].any()
    assert not paid[~over].any()
    assert np.allclose(paid.sum(1), 0, atol=1e-5)


def test_torchrl_trains(torchrl: dict[str, Any]) -> None:
    untrained, trained = (torchrl["Learner"](load_rules("bela3")) for _ in range(2))
    assert not changed(untrained.network, trained.network)
    trained.learn(256, rollout=128)
    assert changed(untrained.network, trained.network)
    assert isinstance(trained.margin(3), float)


@pytest.mark.slow
def test_torchrl_learns(torchrl: dict[str, Any]) -> None:
    learner = torchrl["Learner"](load_rules("bela3"))
    before = learner.margin(500)
    learner.learn(40_960)
    assert learner.margin(500) > before + 10


@pytest.mark.slow
def test_rllib_learns() -> None:
    """Legal actions alone, for the environment refuses others; and one network for all seats."""
    ray = pytest.importorskip("ray")
    pytest.importorskip("ray.rllib")
    example = runpy.run_path(str(EXAMPLES / "rllib_self_play.py"))
    rules = load_rules("bela3")
    algorithm = example["learner"]("bela3")
    try:
        before, decisions = example["margin"](rules, algorithm, 300), 0
        while decisions < 40_000:
            result = algorithm.train()
            decisions = result["num_env_steps_sampled_lifetime"]
        assert set(result["learners"]) == {"everybody", "__all_modules__"}
        assert example["margin"](rules, algorithm, 300) > before + 10
    finally:
        algorithm.stop()
        ray.shutdown()
