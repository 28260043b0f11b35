"""The seer plays double dummy, says that it cheats, and is refused where only a seat's knowledge is at hand."""

import io

import numpy as np
import pytest

import agents
from agents.protocol import serve
from agents.search.solver import NO_TRICK, solve_cards_of, solve_states
from blot_env import RULESETS, BatchEnv, load_rules
from blot_env.state import PLAY
from tests.tables import play, table
from train.duplicate import play_duplicate


@pytest.mark.parametrize("preset", RULESETS)
def test_it_never_gives_up_a_point(preset: str) -> None:
    rules = load_rules(preset)
    env, player, seer = BatchEnv(rules, 15, seed=8), agents.make("rules", rules), agents.make("seer", rules)
    env.reset()
    for _ in range(4 * rules.players):
        env.step(player.act(env.decisions()))
    rows = np.flatnonzero(env.states["public"]["phase"] == PLAY)
    actions = agents.choose(seer, env.decisions(rows), env.states, rows)
    values, best = solve_cards_of(rules, env.states[rows]), solve_states(rules, env.states[rows])
    assert len(rows) > 3
    assert (values[np.arange(len(rows)), actions] == best).all()
    assert ((values >= NO_TRICK) & (values != best[:, None])).any()  # it could have given up some


def test_it_bids_what_the_cards_are_worth_and_contras_what_must_fail() -> None:
    rules, seer = load_rules("bazar"), agents.make("seer", load_rules("bazar"))
    game = table("JC 9C AC TC KC QC 8C 7C")
    assert rules.actions.text(int(agents.choose(seer, game.decision(), game.states)[0])) == "capotNT"
    play(game, "pass capotC pass pass")  # by another than the one who holds them
    assert rules.actions.text(int(agents.choose(seer, game.decision(), game.states)[0])) == "contra"


@pytest.mark.parametrize("preset", ["bazar", "duel"])
def test_it_beats_the_rules(preset: str) -> None:
    rules = load_rules(preset)
    played = play_duplicate(rules, agents.make("seer", rules), agents.make("rules", rules), 6, seed=1)
    assert played.margins.mean() > 0
    bidder = played.results["bidder"]
    own = (bidder >= 0) & played.seating[np.arange(len(played.seating)), bidder % rules.sides]
    assert own.any()
    assert (played.results["made"][own] == 1).all()


def test_it_says_that_it_cheats_and_decides_nothing_blindfold() -> None:
    rules = load_rules("bazar")
    seer = agents.make("seer", rules)
    assert seer.name == "seer@1 (cheats)"
    with pytest.raises(ValueError, match=r"seer@1 \(cheats\): it sees all cards"):
        seer.act(table().decision())
    with pytest.raises(ValueError, match="a host tells a bot only what its seat saw"):
        serve(rules, seer, [], io.StringIO())
