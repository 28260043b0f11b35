"""The Gymnasium environment: its contract, its rewards."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from agents import SpecError
from agents.gym_env import BlotEnv
from blot_env import RULESETS, Game, load_rules

ENV = "blot_env:Blot-v0"
RANDOM = {"opponents": "random", "partner": "random"}


def play_episode(env: BlotEnv, rng: np.random.Generator, mask: np.ndarray) -> float:
    """Play an episode that has been reset to its end; return what the learner got."""
    total, over = 0.0, False
    while not over:
        _, reward, over, truncated, info = env.step(int(rng.choice(np.flatnonzero(mask))))
        total, mask = total + reward, info["action_mask"]
        assert not truncated
    return total


@pytest.mark.parametrize(
    "arguments", [{}, RANDOM, {"episode": "match", "reward": "win", "opponents": "random:uniform"}]
)
@pytest.mark.parametrize("preset", RULESETS)
def test_gymnasium_checker(preset: str, arguments: dict[str, Any]) -> None:
    env = gymnasium.make(ENV, rules=preset, **arguments)
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("preset", RULESETS)
def test_reward_is_what_the_deal_paid(preset: str) -> None:
    rules, rng = load_rules(preset), np.random.default_rng(0)
    for seat in range(rules.players):
        env = BlotEnv(preset, seat=seat, **RANDOM)
        _, info = env.reset(seed=seat)
        total = play_episode(env, rng, info["action_mask"])
        points = env.game.result["points"]
        own = points.pop(rules.side(seat))
        assert total == own - np.mean(points)


def test_rules_play_where_nothing_else_is_said() -> None:
    env = BlotEnv()
    env.reset(seed=1)
    total = play_episode(env, np.random.default_rng(1), env.action_masks())
    points = env.game.result["points"]
    assert total == points[0] - points[1]


def test_learner_is_asked_only_in_its_turn() -> None:
    env = BlotEnv(seat=2, **RANDOM)
    rng = np.random.default_rng(0)
    observation, info = env.reset(seed=3)
    assert env.action_masks().dtype == np.int8
    for _ in range(300):
        assert env.game.seat == 2
        assert np.array_equal(observation, env.game.observe(2)[0])
        assert np.array_equal(info["action_mask"], env.action_masks())
        observation, _, over, _, info = env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
        if over:
            observation, info = env.reset()


def test_seats_are_taken_by_partner_and_opponents() -> None:
    env = BlotEnv(opponents="random", partner="random:uniform", seat=1)
    assert [agent.name for seat, agent in enumerate(env._agents) if seat != 1] == [
        "random@1",
        "random@1",
        "random:uniform@1",
    ]


def test_deal_goes_round() -> None:
    env = BlotEnv(**RANDOM)
    dealers = []
    for board in range(4):
        env.reset(seed=5 if board == 0 else None)
        dealers.append(env.game.dealer)
        assert env.game.record()["hands"] == Game("bazar", seed=5, board=board).record()["hands"]
    assert dealers == [3, 0, 1, 2]


def test_reset_options() -> None:
    env = BlotEnv(**RANDOM)
    env.reset(seed=5, options={"board": 2, "dealer": 3, "scores": [99, 7], "unknown": 1})
    assert (env.game.dealer, env.game.scores) == (3, [99, 7])
    assert env.game.record()["hands"] == Game("bazar", seed=5, board=2).record()["hands"]


def test_same_seed_same_episode() -> None:
    totals, records = [], []
    for _ in range(2):
        env = BlotEnv(**RANDOM)
        _, info = env.reset(seed=11)
        totals.append(play_episode(env, np.random.default_rng(0), info["action_mask"]))
        records.append(env.game.record())
    assert totals[0] == totals[1]
    assert records[0] == records[1]


def test_points_of_a_deal() -> None:
    env = BlotEnv(seat=1, **RANDOM)
    rng = np.random.default_rng(0)
    for seed in range(10):
        _, info = env.reset(seed=seed)
        total = play_episode(env, rng, info["action_mask"])
        points = env.game.result["points"]
        assert total == points[1] - points[0]


def test_points_and_winner_of_a_match() -> None:
    for reward in ("points", "win"):
        env = BlotEnv(episode="match", target=60, reward=reward, **RANDOM)
        _, info = env.reset(seed=4)
        total = play_episode(env, np.random.default_rng(4), info["action_mask"])
        scores = env.game.scores
        assert env.game.winner is not None
        assert total == (scores[0] - scores[1] if reward == "points" else 1 - 2 * env.game.winner)


def test_illegal_action_ends_the_episode() -> None:
    env = BlotEnv(illegal_penalty=-30.0, **RANDOM)
    _, info = env.reset(seed=1)
    assert info["illegal"] is False
    observation, reward, terminated, truncated, info = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, terminated, truncated, info["illegal"]) == (-30.0, True, False, True)
    assert env.observation_space.contains(observation)
    _, info = env.reset()
    assert info["illegal"] is False


@pytest.mark.parametrize(
    ("arguments", "error", "why"),
    [
        ({"opponents": "rule"}, SpecError, "did you mean 'rules'"),
        ({"partner": "random:wild"}, SpecError, "style"),
        ({"opponents": None}, SpecError, "None: an agent is named by a text"),
        ({"seat": 4}, ValueError, "0 to 3"),
        ({"reward": "win"}, ValueError, "needs episode='match'"),
        ({"render_mode": "rgb_array"}, ValueError, "'ansi' or 'human'"),
    ],
)
def test_arguments_that_cannot_be(arguments: dict[str, Any], error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        BlotEnv(**arguments)


def test_render(capsys: pytest.CaptureFixture[str]) -> None:
    env = gymnasium.make(ENV, render_mode="ansi", **RANDOM)
    env.reset(seed=1)
    assert "> seat 0" in env.render()
    BlotEnv(render_mode="human", **RANDOM).reset(seed=1)
    assert "> seat 0" in capsys.readouterr().out


def test_an_episode_that_is_over_stays_over() -> None:
    env = BlotEnv(**RANDOM)
    for early in (lambda: env.step(32), env.action_masks, env.render, lambda: env.game):
        with pytest.raises(ResetNeeded, match="reset"):
            early()
    env.reset(seed=1)
    for wrong in (10**30, -1, np.int64(5000), np.array(-1), True):
        env.reset(seed=1)
        assert env.step(wrong)[1:4] == (env.illegal_penalty, True, False)
        with pytest.raises(ResetNeeded):
            env.step(32)


def test_what_is_no_number_is_a_bug_and_no_illegal_action() -> None:
    env = BlotEnv(**RANDOM)
    env.reset(seed=1)
    before = env.game.states.tobytes()
    for wrong in ("x", "32", None, [32], 1.7, float("nan"), np.float64(32), np.array([32]), object()):
        with pytest.raises(TypeError, match="step: the number of an action is wanted, not "):
            env.step(wrong)
    assert env.game.states.tobytes() == before
    assert env.step(np.int64(32))[4]["illegal"] is False


def test_a_reset_that_fails_changes_nothing() -> None:
    env = BlotEnv(**RANDOM)
    first, _ = env.reset(seed=4)
    for board in ("x", -1, 1.5, None):
        with pytest.raises(ValueError, match="board"):
            env.reset(options={"board": board})
    env.reset()  # board 1
    again, _ = env.reset(options={"board": 0})
    np.testing.assert_array_equal(first, again)


@pytest.mark.parametrize(
    "wrong", [{"seat": True}, {"seat": "0"}, {"seat": 4}, {"illegal_penalty": float("nan")}, {"illegal_penalty": "x"}]
)
def test_wrong_arguments(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        BlotEnv(**wrong)
