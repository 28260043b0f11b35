"""Worlds are drawn alike from all there are, and no others: compared with all ways in which a pack can lie."""

import math
import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from agents.search.worlds import KNOWLEDGE, sample_worlds, study
from agents.search.worlds.cases import CARDS_ALONE, EVERYTHING, NOT_SILENCE, count_cases
from agents.search.worlds.compile import kernel
from agents.search.worlds.imagine import TRIES, find_world
from blot_env import RULESETS, Game, load_rules
from blot_env.cards import parse_card
from blot_env.dealing import lay_out
from blot_env.random import absorb
from blot_env.state import STATE
from tests.all_worlds import World, all_worlds, world_of
from tests.fuzz import Players, random_board
from tests.positions import replayed
from tests.reference import Reference
from tests.rule_sets import Fields
from tests.tables import play, table

CHOICE: Fields = {"announce": "by_choice"}
SMALL: Fields = {"ranks": "9TJQKA", "belot": False}
TABLES: dict[str, tuple[str, Fields]] = {
    "two": (
        "bela4",
        SMALL | {"players": 2, "teams": False, "hand_size": 6, "visible": 6, "face_down": 0} | {"stock": "out"},
    ),
    "three": ("bela3", {"ranks": "9TJQKA", "hand_size": 8, "visible": 8, "face_down": 0} | {"stock": "none"}),
    "three, discards": ("bela3", SMALL | {"hand_size": 7, "visible": 5, "face_down": 2}),
    "two, many discards": ("bela3", {"players": 2, "ranks": "9TJQKA", "hand_size": 8, "visible": 5, "face_down": 3}),
    "two and the seven": ("bela2", {"hand_size": 4, "visible": 2, "face_down": 2, "belot": False}),
    "four": ("bazar", {"ranks": "9TJQKA", "hand_size": 6, "visible": 6, "strains": ["C", "D", "H", "S"]}),
    "a small duel": ("duel", {"hand_size": 5, "visible": 3}),
}
"""Games with few enough worlds that all of them can be tried, also early in the play."""
HOUSE: list[Fields] = [
    {},
    CHOICE,
    CHOICE,
    CHOICE | {"bluff": True},
    CHOICE | {"late_claims": False},
    CHOICE | {"combination_order": "points", "runs": [0, 0, 0]},
    CHOICE | {"combination_order": "points", "runs": [20, 20, 20], "fours": [20] * 8},
    CHOICE | {"fours": [0] * 8, "worthless_fours": True},
    {"combination_order": "points"},
    {"combination_order": "kind", "run_order": "class", "four_tie": "rank"},
    {"blot_compared": True},
    {"must_beat": "all"},
]


def excess(packs: Counter[World], drawn: Counter[World]) -> float:
    """By how many standard deviations chi-square is too high, by the approximation of Wilson and Hilferty."""
    number, total, freedom = sum(drawn.values()), sum(packs.values()), len(packs) - 1
    if not freedom:
        return 0.0
    chi = sum((drawn[world] - number * ways / total) ** 2 / (number * ways / total) for world, ways in packs.items())
    spread = 2 / (9 * freedom)
    return ((chi / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)


def assert_uniform(game: Game, seat: int, seed: int, most: int) -> int:
    """Compare worlds drawn with all there are, where at most so many packs have to be tried; return how many those are.

    Each pack is drawn twenty times on average: that one of 1,500 worlds is never drawn has a chance of 3 in a million.
    """
    packs = all_worlds(game, seat, most)
    if packs is None:
        return 0
    assert world_of(game.state) in packs
    worlds = sample_worlds(game.rules, game.view(seat), 20 * sum(packs.values()), seed)
    drawn = Counter(map(world_of, worlds))
    assert set(drawn) == set(packs)
    assert excess(packs, drawn) < 4.5  # of a normal variable: 3 in a million
    return len(packs)


def combined_deck(game: Game, rng: random.Random) -> None:
    """Put a deck with runs, or fours, before the game."""
    size = int(game.rules.record.pack_size)
    cards = sorted(map(int, game.state.deck[:size]), key=rng.choice([lambda card: card, lambda card: (card % 8, card)]))
    for _ in range(rng.randrange(1, 9)):
        one, two = rng.randrange(size), rng.randrange(size)
        cards[one], cards[two] = cards[two], cards[one]
    start = rng.randrange(size)
    game.state.deck[:size] = cards[start:] + cards[:start]
    lay_out(game.rules.record, game.state)


def random_action(game: Game, rng: random.Random) -> str:
    legal = game.legal_actions()
    if game.phase == "auction" and "pass" in legal and rng.random() < 0.5:
        return "pass"
    return rng.choice([action for action in legal if action != "pass"][:8] or legal)


def check_house(name: str, deals: int, most: int, seed: int) -> Counter[str]:
    """Play random deals of a small game; return in which phases worlds were compared, and how often several."""
    checked: Counter[str] = Counter()
    preset, fields = TABLES[name]
    for number in range(deals):
        rng = random.Random(f"{name} {seed} {number}")
        game = Game(load_rules(preset, **fields | rng.choice(HOUSE)), seed=number)
        if rng.random() < 0.7:
            combined_deck(game, rng)
        while game.phase != "over":
            if rng.random() < (0.6 if game.phase in ("announce", "show") else 0.15):
                found = assert_uniform(game, rng.randrange(game.rules.players), number, most)
                checked[game.phase] += found > 1
            game.play(random_action(game, rng))
    return checked


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(("deals", "most", "seed"), [(25, 700, 1), pytest.param(100, 2500, 2, marks=pytest.mark.slow)])
def test_all_worlds_of_small_games_are_drawn_alike(name, deals, most, seed):
    assert sum(check_house(name, deals, most, seed).values()) > 8


@pytest.mark.parametrize("preset", [preset for preset in RULESETS if preset != "bela2"])
@pytest.mark.parametrize(("deals", "most", "seed"), [(20, 700, 1), pytest.param(100, 2500, 2, marks=pytest.mark.slow)])
def test_all_worlds_late_in_the_play_are_drawn_alike(preset, deals, most, seed):
    several = 0
    for number in range(deals):
        rng = random.Random(f"{preset} {seed} {number}")
        deal, players = Reference(random_board(rng, preset)), Players(rng)
        game = replayed(deal.record())
        while deal.phase != "over":
            if rng.random() < 0.3:
                several += assert_uniform(game, rng.randrange(game.rules.players), number, most) > 1
            action = players.choose(deal)
            deal.play(action)
            game.play(action)
    assert several > 5


# Cases


def test_the_seven_that_nobody_could_swap_lay_face_down_or_is_out():
    """Bela for two: of ten cards four lay face down, so the seven is in the stock more often than not swapped."""
    game = table("AC 8C TH QH JD AD TS QS KC 9C", preset="bela2", stock_cards="8S")
    play(game, "nameS")
    assert game.phase == "play"
    worlds = sample_worlds(game.rules, game.view(0), 20_000, seed=1)
    seven = 1 << parse_card("7S")
    share = np.mean(worlds["hands"][:, 1] & seven > 0)
    assert abs(share - 4 / 15) < 0.01  # four places face down against eleven of the stock
    first, last = game.rules.dealt, game.rules.dealt + game.rules.visible
    assert not (worlds["deck"][:, first:last] == parse_card("7S")).any()


def test_the_cards_of_others_that_lay_face_down_are_any_of_theirs():
    """What a seat saw in the auction is drawn as well: six of the eight cards that it holds, each as often."""
    game = play(Game("bela4", seed=4), "nameC")
    worlds = sample_worlds(game.rules, game.view(), 20_000, seed=1)
    seat = (game.seat + 1) % 4
    for card in [1 << card for card in range(32) if not game.state.dealt[game.seat] >> card & 1][:4]:
        holding = worlds[worlds["hands"][:, seat] & card > 0]
        seen = holding["deck"][:, 8 * seat : 8 * seat + 6].astype(np.int64)
        assert abs(((1 << seen) & card > 0).any(axis=1).mean() - 6 / 8) < 0.03


# What is not counted is checked


@kernel
def _find(records, views, conditions, tries, worlds):  # type: ignore[no-untyped-def]
    """Find worlds of which only some conditions have been counted, with so many tries at random; return the total."""
    knowledge = np.zeros(1, KNOWLEDGE)
    rules, view, known = records[0], views[0], knowledge[0]
    study(rules, view, known)
    count_cases(rules, view, conditions, known)
    for number in range(len(worlds)):
        worlds[number].dealt[view.seat] = view.dealt
        find_world(rules, view.public, known, absorb(7, number), tries, worlds[number])
    return known.total


def positions_of_three(deals: int) -> Iterator[tuple[Game, int, Counter[World]]]:
    """Positions in the play of small games of three in which players announce, mostly by choice, and their worlds."""
    preset, fields = TABLES["three"]
    for number in range(deals):
        rng = random.Random(number)
        game = Game(load_rules(preset, **fields | rng.choice(HOUSE)), seed=number)
        combined_deck(game, rng)
        while game.phase != "over":
            seat = rng.randrange(3)
            if game.phase in ("announce", "show", "play") and rng.random() < 0.3:
                packs = all_worlds(game, seat, 300)
                if packs and len(packs) > 1:
                    yield game, seat, packs
            game.play(random_action(game, rng))


def found(game: Game, seat: int, conditions: int, tries: int, number: int) -> tuple[Counter[World], int]:
    worlds = np.zeros(number, STATE)
    total = _find(game.rules.records, game.view(seat), conditions, tries, worlds)
    return Counter(map(world_of, worlds)), total


def test_worlds_are_drawn_alike_whatever_is_counted():
    refused: Counter[int] = Counter()
    for game, seat, packs in positions_of_three(25):
        for conditions in (EVERYTHING, NOT_SILENCE, CARDS_ALONE):
            drawn, total = found(game, seat, conditions, TRIES, 20 * len(packs))
            assert set(drawn) == set(packs)
            assert excess(packs, drawn) < 4.5
            assert total >= len(packs)
            refused[conditions] = max(refused[conditions], total // len(packs))
    assert refused[EVERYTHING] < 5 <= refused[CARDS_ALONE]


def test_a_world_is_found_when_none_is_tried_at_random():
    """The numbers in order after a random one find most that there are, though not each as often."""
    drawn, there = 0, 0
    for game, seat, packs in positions_of_three(10):
        worlds = set(found(game, seat, CARDS_ALONE, 1, 20 * len(packs))[0])
        assert worlds <= set(packs)
        drawn, there = drawn + len(worlds), there + len(packs)
    assert drawn > there / 2
