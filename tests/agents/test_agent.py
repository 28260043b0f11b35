"""Agents that cheat are given the whole state, and others never."""

import io
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import agents
from agents.protocol import serve
from blot_env import BatchEnv, Decisions, RuleSet
from train.duplicate import play_duplicate


class Peeker:
    """Plays at random and keeps what it has seen."""

    name, cheats = "peeker (cheats)", True

    def __init__(self, rules: RuleSet) -> None:
        self.random, self.seen = agents.make("random", rules), [np.zeros(0, np.void)]

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        raise ValueError(f"{self.name}: it sees all cards")

    def act_seeing(self, decisions: Decisions, states: NDArray[Any]) -> NDArray[np.int64]:
        assert len(states) == len(decisions)
        seats = decisions.views["seat"]
        assert (states["hands"][np.arange(len(seats)), seats] == decisions.views["hand"]).all()
        self.seen.append(states)
        return self.random.act(decisions)


def test_an_agent_that_cheats_sees_the_tables_of_its_decisions(rules: RuleSet) -> None:
    env, rows = BatchEnv(rules, 5, seed=3), [4, 1]
    env.reset()
    peeker = Peeker(rules)
    actions = agents.choose(peeker, env.decisions(rows), env.states, rows)
    assert (actions == peeker.random.act(env.decisions(rows))).all()
    assert (peeker.seen[-1] == env.states[rows]).all()


def test_an_agent_that_does_not_is_given_its_decisions_alone(rules: RuleSet) -> None:
    env = BatchEnv(rules, 5, seed=3)
    env.reset()
    random = agents.make("random", rules)
    nothing = np.zeros(0, env.states.dtype)
    assert (agents.choose(random, env.decisions(), nothing) == random.act(env.decisions())).all()


def test_drivers_ask_through_choose(rules: RuleSet) -> None:
    peeker = Peeker(rules)
    play_duplicate(rules, peeker, agents.make("random", rules), 3, seed=1)
    assert sum(map(len, peeker.seen)) >= 3 * 2 * 2, "both its seats call at both tables of a board"


def test_a_bot_that_cheats_is_refused(rules: RuleSet) -> None:
    with pytest.raises(ValueError, match=r"peeker \(cheats\): it sees all cards"):
        serve(rules, Peeker(rules), [b"{}"], io.StringIO())
