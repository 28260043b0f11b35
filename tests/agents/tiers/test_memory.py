"""What forgetful seats take to be possible: all that they remember, and again what they have forgotten."""

import random
from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from agents.search.worlds import KNOWLEDGE, sample_worlds
from agents.tiers.dealing import LIE, deal_anew
from agents.tiers.memory import RECALLED, recall
from blot_env import RULESETS, Game, RuleSet, load_rules
from blot_env.cards import SUIT
from blot_env.state import STATE

EVERYTHING = (10, True, True)
KNOBS = [(0, False, False), (1, True, True), (1, False, False), (10, True, False), (10, False, True)]


def remembered(rules: RuleSet, view: np.void, knobs: tuple[int, bool, bool]) -> np.void | None:
    """What a seat remembers, None if that is everything."""
    recalled = np.zeros(1, RECALLED)
    return None if recall(rules.record, view, *knobs, recalled[0]) else recalled[0]


def dealt_anew(rules: RuleSet, view: np.void, recalled: np.void, n: int, seed: int = 1) -> NDArray[np.void]:
    worlds = np.zeros(n, STATE)
    deal_anew(rules.record, view, recalled, np.zeros(1, KNOWLEDGE)[0], seed, np.zeros(1, LIE)[0], worlds)
    return worlds


def moments(preset: str, seed: int) -> Iterator[Game]:
    """The moments of a deal in which a seat has to play a card; cards at random."""
    return moments_of(load_rules(preset), seed)


def moments_of(rules: RuleSet, seed: int) -> Iterator[Game]:
    """The same by other rules."""
    rng = random.Random(seed)
    game = Game(rules, seed=seed)
    while game.phase != "over":
        if game.phase == "play":
            yield game
        legal = game.legal_actions()
        game.play("pass" if "pass" in legal and rng.random() < 0.6 else rng.choice(legal))


def sets(cards: Any) -> list[int]:
    return [int(card) for card in cards]


def test_who_remembers_everything_knows_all_that_the_table_shows() -> None:
    for preset in RULESETS:
        for game in moments(preset, 2):
            assert remembered(game.rules, game.decision().views[0], EVERYTHING) is None


@pytest.mark.parametrize("preset", RULESETS)
def test_worlds_of_who_forgets(preset: str) -> None:
    """Own hand, sizes and all that is remembered are right, no card is twice anywhere, and all points add up."""
    rules, forgotten, came_back = load_rules(preset), 0, 0
    record, seats = rules.record, range(rules.players)
    for game in (game for seed in (1, 2) for game in moments(preset, seed)):
        view = game.decision().views[0]
        me, public, true = int(view.seat), view.public, sets(game.state.hands)
        for knobs in KNOBS:
            recalled = remembered(rules, view, knobs)
            if recalled is None:
                continue
            for world in dealt_anew(rules, view, recalled, 3):
                hands, dealt, played = (sets(held) for held in (world.hands, world.dealt, world.public.played))
                sure, lacks = sets(recalled.seen.public.played), sets(recalled.seen.public.excluded)
                assert hands[me] == view.hand
                assert [held.bit_count() for held in hands] == [held.bit_count() for held in true]
                assert [dealt[seat].bit_count() for seat in seats] == [rules.hand_size] * rules.players
                assert reduce(or_, dealt).bit_count() == rules.hand_size * rules.players
                assert dealt == [held | gone for held, gone in zip(hands, played, strict=True)]
                assert all(sure[seat] & ~played[seat] == 0 for seat in seats)
                assert all(hands[seat] & lacks[seat] == 0 for seat in seats if seat != me)
                assert reduce(or_, hands) & (int(view.aside) | int(public.out)) == 0
                assert int(world.aside).bit_count() in (0, int(game.state.aside).bit_count())
                points = record.points[public.strain]
                left = sum(int(points[card]) for held in hands for card in range(32) if held >> card & 1)
                whole = sum(int(points[card]) for held in dealt for card in range(32) if held >> card & 1)
                pot = sum(int(points[card]) for card in public.trick if card >= 0)
                assert whole == left + pot + sum(sets(world.public.card_points))
                assert all(world.public.tricks[side] for side in range(rules.sides) if world.public.card_points[side])
                gone = reduce(or_, sets(public.played))
                forgotten += knobs[0] < public.trick_number
                came_back += bool(reduce(or_, hands) & gone)
    assert came_back > forgotten / 4 > 10


def test_what_is_inferred_from_the_tricks_remembered() -> None:
    """Whole suits that a seat has shown not to hold, and parts of suits, by two knobs."""
    game = next(
        game
        for seed in range(400)
        for game in moments("bazar", seed)
        if game.state.public.trick_number and any(sets(game.state.public.excluded))
    )
    view = game.decision().views[0]
    lacks = sets(view.public.excluded)
    for voids in (False, True):
        for trumps in (False, True):
            recalled = remembered(game.rules, view, (10, voids, trumps))
            found = lacks if recalled is None else sets(recalled.seen.public.excluded)
            for seat in range(4):
                for suit in range(4):
                    cards = SUIT << 8 * suit
                    wanted = voids if lacks[seat] & cards == cards else trumps
                    assert found[seat] & cards == (lacks[seat] & cards if wanted else 0) or seat == view.seat


def test_who_only_infers_less_deals_from_what_the_exact_worlds_have_and_more() -> None:
    """Without forgotten cards the lies are those of the exact sampler, where nothing is inferred; all come up."""
    rules = load_rules("bazar", runs=[0, 0, 0], fours=[0] * 8, fours_nt=[0] * 8, belot=False)
    game = next(
        game
        for seed in range(400)
        for game in moments_of(rules, seed)
        if game.state.public.trick_number == 6
        and remembered(rules, game.decision().views[0], (10, False, False)) is not None
    )
    view = game.decision().views
    recalled = remembered(rules, view[0], (10, False, False))
    assert recalled is not None
    anew = {tuple(sets(world.hands)) for world in dealt_anew(rules, view[0], recalled, 3000)}
    blank = view.copy()
    blank["public"]["excluded"] = blank["public"]["announced"] = 0
    free = {tuple(sets(world.hands)) for world in sample_worlds(rules, blank, 3000, 1)}
    exact = {tuple(sets(world.hands)) for world in sample_worlds(rules, view, 3000, 1)}
    assert exact < anew
    assert anew == free


def test_lies_are_alike_likely() -> None:
    """Seen with a void remembered, so that cards have to be exchanged."""
    rules = load_rules("bazar", runs=[0, 0, 0], fours=[0] * 8, fours_nt=[0] * 8, belot=False)
    for game in (game for seed in range(400) for game in moments_of(rules, seed)):
        view = game.decision().views[0]
        recalled = remembered(rules, view, (10, True, False))
        if game.state.public.trick_number != 6 or recalled is None or not any(sets(recalled.seen.public.excluded)):
            continue
        worlds = dealt_anew(rules, view, recalled, 6000)
        _, counts = np.unique(worlds["hands"], axis=0, return_counts=True)
        if len(counts) < 10:
            continue
        expected = 6000 / len(counts)
        assert ((counts - expected) ** 2 / expected).sum() < len(counts) + 5 * np.sqrt(2 * len(counts))
        return
    pytest.fail("no such moment")
