"""Worlds that a seat imagines are deals that it cannot tell from the real one."""

import random
from collections import Counter

import numpy as np
import pytest

from agents.search.worlds import sample_worlds
from blot_env import RULESETS, Game, RuleSet
from blot_env.dealing import lay_out
from blot_env.state import HIDDEN
from tests.fuzz import Players, random_board
from tests.positions import replayed
from tests.reference import Reference

PHASES = {
    **{preset: {"auction", "play"} for preset in RULESETS},
    "bazar-classic": {"auction", "announce", "show", "play"},
    "bela2": {"auction", "swap", "play"},
    "bela3": {"auction", "discard", "play"},
}


def dealt_again(rules: RuleSet, world: np.record) -> Game:
    """The game of a world: its deck laid out, and all that has been said and played done again."""
    game = Game(rules)
    for name in ("dealer", "target", "scores"):
        game.state.public[name] = world.public[name]
    game.state.deck[:] = world.deck
    lay_out(rules.record, game.state)
    discards = iter(world.discards)
    for action in world.public.history[: world.public.length]:
        game.take(int(next(discards) if action == HIDDEN else action))
    return game


def assert_possible(game: Game, seat: int, seed: int, worlds: int = 3) -> None:
    """Worlds of a seat, played again, come to the state that they are said to be in, and look to it like the deal."""
    view = game.view(seat)
    for world in sample_worlds(game.rules, view, worlds, seed):
        again = dealt_again(game.rules, world)
        assert again.view(seat).tobytes() == view.tobytes()
        for name in world.dtype.names:
            assert (again.state[name] == world[name]).all(), name


def check_deals(preset: str, deals: int, seed: int) -> Counter[str]:
    """Stop random deals at random moments, at a random seat; return how often in each phase."""
    checked: Counter[str] = Counter()
    for number in range(deals):
        rng = random.Random(f"{preset} {seed} {number}")
        deal, players = Reference(random_board(rng, preset)), Players(rng)
        game = replayed(deal.record())
        while deal.phase != "over":
            if rng.random() < 0.3:
                assert_possible(game, rng.randrange(game.rules.players), number)
                checked[deal.phase] += 1
            action = players.choose(deal)
            deal.play(action)
            game.play(action)
    return checked


@pytest.mark.parametrize("preset", RULESETS)
def test_worlds_are_deals_that_look_the_same(preset):
    assert set(check_deals(preset, 30, seed=1)) >= PHASES[preset]
