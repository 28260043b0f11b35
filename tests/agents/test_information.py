"""No agent acts on cards that its seat does not see: exchanged hidden cards change no action."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import agents
from agents.search.worlds import sample_worlds
from blot_env import RULESETS, BatchEnv, Decisions, load_rules
from tests.positions import Position, positions, replayed
from tests.worlds import another_world

SETTINGS: dict[str, Any] = {
    "derandomize": True,
    "deadline": None,
    "database": None,
    "suppress_health_check": [HealthCheck.too_slow],  # it compiles
}


def assert_blind(at: Position, specs: list[str]) -> None:
    """The seat to act does the same in another world that it cannot tell apart."""
    assume(at.game.phase != "over")
    other = replayed(another_world(at.deal, at.game.seat, at.rng))
    assume(other.state.tobytes() != at.game.state.tobytes())
    for spec in specs:
        agent = agents.make(spec, at.game.rules)
        assert agent.act(at.game.decision(seed=1)) == agent.act(other.decision(seed=1)), agent.name


@settings(**SETTINGS)
@given(at=st.sampled_from(RULESETS).flatmap(lambda preset: positions(0, 45, preset)))
def test_hidden_cards_change_no_action(at: Position) -> None:
    assert_blind(at, ["rules", "random", "random:uniform"])


@settings(max_examples=40, **SETTINGS)
@given(at=positions(0, 45))
def test_hidden_cards_change_no_action_of_a_policy_or_bot(at: Position, checkpoint: Path, bot: Path) -> None:
    assert_blind(at, [f"policy:{checkpoint}", f"bot:{bot}"])


SHIPPED = Path(__file__).parents[2] / "checkpoints" / "bazar"


@pytest.mark.slow
@pytest.mark.parametrize("preset", RULESETS)
def test_hidden_cards_change_no_action_of_whole_batches(preset: str) -> None:
    """Each table beside one with other hidden cards; 1200 positions a game at least, in all more than 10,000."""
    rules = load_rules(preset)
    env, other, different = BatchEnv(rules, 60, seed=9), BatchEnv(rules, 60, seed=9), 0
    specs = ["rules", "random", "random:uniform", *([f"policy:{SHIPPED}"] if preset == "bazar" else [])]
    players = [agents.make(spec, rules) for spec in specs]
    env.reset()
    for step in range(40):
        seen, saved = env.decisions(seed=step), env.save()
        states = saved["states"]
        worlds = np.concatenate([sample_worlds(rules, seen.views[row : row + 1], 1, step) for row in range(60)])
        different += (worlds["hands"] != states["hands"]).any(1).sum()
        for name in ("seed", "board", "deal", "redeal"):  # a decision's seed follows from them
            worlds[name] = states[name]
        other.restore(saved | {"states": worlds})
        told = other.decisions(seed=step)
        actions = [player.act(seen) for player in players]
        for player, chosen in zip(players, actions, strict=True):
            assert (player.act(told) == chosen).all(), player.name
        env.step(np.where(np.arange(60) % 2, actions[0], actions[1]))
    assert different > 1200


@pytest.mark.parametrize("preset", RULESETS)
def test_rules_reads_nothing_but_the_view(preset: str) -> None:
    env = BatchEnv(load_rules(preset), 50, seed=6)
    env.reset()
    agent = agents.make("rules", env.rules)
    for _ in range(60):
        seen = env.decisions()
        nothing = (np.zeros_like(rows) for rows in (seen.observations, seen.masks, seen.seeds))
        actions = agent.act(seen)
        assert (agent.act(Decisions(env.rules, seen.views, *nothing)) == actions).all()
        env.step(actions)
