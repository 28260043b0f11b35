"""Worlds that a seat imagines are deals that it cannot tell from the real one."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from agents.search.worlds import sample_worlds
from blot_env import RULESETS, Game, RuleSet, load_rules
from blot_env.dealing import lay_out
from blot_env.state import HIDDEN
from tests.fuzz import Players, random_board, several
from tests.positions import Position, position, replayed
from tests.reference import Reference
from tests.rule_sets import Fields
from tests.tables import play, table
from tests.worlds import another_world

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


def check_deals(preset: str, deals: int, seed: int, house: bool = False) -> Counter[str]:
    """Stop random deals at random moments, at a random seat; return how often in each phase."""
    checked: Counter[str] = Counter()
    for number in range(deals):
        rng = random.Random(f"{preset} {seed} {number}")
        fields: Fields | None = several(preset, rng) if house else None
        deal, players = Reference(random_board(rng, preset, fields)), Players(rng)
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
@pytest.mark.parametrize(("deals", "seed"), [(30, 1), pytest.param(1000, 2, marks=pytest.mark.slow)])
def test_worlds_are_deals_that_look_the_same(preset, deals, seed):
    assert set(check_deals(preset, deals, seed)) >= PHASES[preset]


@pytest.mark.parametrize("preset", RULESETS)
@pytest.mark.parametrize(("deals", "seed"), [(15, 3), pytest.param(500, 4, marks=pytest.mark.slow)])
def test_worlds_are_deals_that_look_the_same_under_house_rules(preset, deals, seed):
    assert sum(check_deals(preset, deals, seed, house=True).values()) > deals


@pytest.mark.nojit
def test_worlds_without_compilation():
    assert_possible(position(2, 14).game, 1, seed=3, worlds=1)
    assert_possible(position(5, 20, "bela3").game, 0, seed=3, worlds=1)


# What a world is made of


@pytest.mark.parametrize("preset", RULESETS)
def test_the_same_seed_gives_the_same_worlds_and_knows_nothing_hidden(preset):
    """Of two deals that look alike to a seat it imagines the same."""
    alike = 0
    for number in range(20):
        at: Position = position(number, 8 + number, preset)
        if at.deal.phase == "over":
            continue
        seat = at.rng.randrange(at.game.rules.players)
        other = replayed(another_world(at.deal, seat, at.rng))
        other.state.seed, other.state.board, other.state.deal = 99, 7, 3
        one, two = (sample_worlds(game.rules, game.view(seat), 4, seed=number) for game in (at.game, other))
        assert one.tobytes() == two.tobytes()
        assert one[:2].tobytes() == sample_worlds(at.game.rules, at.game.view(seat), 2, seed=number).tobytes()
        assert not any(one[name].any() for name in ("seed", "board", "deal", "redeal"))
        alike += at.game.state.hands.tobytes() != other.state.hands.tobytes()
    assert alike > 5


def test_worlds_differ():
    game = table(preset="bazar")
    assert len({world.hands.tobytes() for world in sample_worlds(game.rules, game.view(), 100, seed=1)}) == 100


def test_a_world_whose_deal_is_over_is_refused():
    game = play(table(), "pass pass pass pass")
    with pytest.raises(ValueError, match="the deal is over"):
        sample_worlds(game.rules, game.view(0), 1, seed=1)


def first_world(game: Game, seat: int) -> Any:
    return sample_worlds(game.rules, game.view(seat), 1, seed=5)[0]


def test_a_world_knows_who_will_be_asked_to_show():
    """Seats 1 and 3 announced a terz: seat 0 cannot know whose is better, its worlds do."""
    hands = ("AC 8C TH QH JD AD TS QS", "KC JC 7H 9H KD 7S 8S 9S", "7C 9C 8H KH TD QD KS AS", "TC QC JH AH JS 7D 8D 9D")
    game = table(*hands, preset="bazar-classic")
    play(game, "8H pass pass pass AC announce JC 7C announce TC")
    claimants = {int(world.claimant) for world in sample_worlds(game.rules, game.view(0), 200, seed=1)}
    assert claimants == {1, 3}
    for world in sample_worlds(game.rules, game.view(0), 50, seed=2):
        assert dealt_again(game.rules, world).state.claimant == world.claimant


def test_what_is_no_view_is_refused() -> None:
    game = Game("bazar", seed=7)
    play(game, "8H pass pass pass pass")
    wrong_seat, no_cards, all_cards = game.view(), game.view(), game.view()
    wrong_seat["seat"], no_cards["hand"], all_cards["hand"] = 77, 0, 0xFFFFFFFF
    for view in (wrong_seat, no_cards, all_cards):
        with pytest.raises(ValueError, match="no deal leads to"):
            sample_worlds(game.rules, view, 2, seed=1)
    with pytest.raises(ValueError, match="no deal leads to"):
        sample_worlds(load_rules("duel"), game.view(), 2, seed=1)
    with pytest.raises(ValueError, match="one row of VIEW"):
        sample_worlds(game.rules, game.states, 2, seed=1)
    for n in (-1, 1.5, 10**9):
        with pytest.raises(ValueError, match="n: "):
            sample_worlds(game.rules, game.view(), n, seed=1)  # type: ignore[arg-type]
