"""No agent acts on cards that its seat does not see: exchanged hidden cards change no action."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings

import agents
from agents.agent import Agent
from blot_env import load_rules
from tests.blot_env.test_information import another_world, replayed
from tests.positions import Position, positions


@pytest.fixture(scope="module")
def players(checkpoint: Path, bot: Path) -> dict[int, list[Agent]]:
    """All agents, by target."""
    specs = ("rules", "random", "random:uniform", f"policy:{checkpoint}", f"bot:{bot}")
    return {
        target: [agents.make(spec, load_rules("bazar", target=target)) for spec in specs]
        for target in load_rules("bazar").targets
    }


@settings(derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])  # it compiles
@given(at=positions(0, 45))
def test_hidden_cards_change_no_action(players: dict[int, list[Agent]], at: Position) -> None:
    assume(at.game.phase != "over")
    other = replayed(another_world(at, at.game.seat))
    assume(other.hands != at.game.hands)
    for agent in players[at.game.rules.target]:
        assert agent.act(at.game.decision(seed=1)) == agent.act(other.decision(seed=1)), agent.name
