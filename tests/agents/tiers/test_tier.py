"""Tiers as data: what ships, and what a wrong file is answered."""

from itertools import pairwise
from pathlib import Path

import pytest

from agents.tiers import Tier, TierError, load_tier, tiers
from blot_env import load_rules

FOUR = ["easy", "normal", "hard", "crazy"]


def test_four_tiers_ship() -> None:
    assert sorted(tiers()) == sorted(FOUR)


def test_shipped_tiers_grow_in_worlds_and_memory_and_give_up_less() -> None:
    ladder = [load_tier(name) for name in FOUR]
    for weaker, stronger in pairwise(ladder):
        assert weaker.worlds < stronger.worlds
        assert weaker.memory <= stronger.memory
        assert weaker.cap >= stronger.cap
        assert (weaker.voids, weaker.trumps, weaker.contra) <= (stronger.voids, stronger.trumps, stronger.contra)
    assert ladder[-1].cap == 0


KNOBS = 'calls = "rules"\ncards = "rules"\n'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('calls = "rules"', "cards: field required"),
        (KNOBS + "temperature = -1.0", "temperature: input should be greater than or equal to 0"),
        (KNOBS + "trust = 1e308", r"trust: input should be less than or equal to 1000000"),
        (KNOBS + "call_sense = 1e308", r"call_sense: input should be less than or equal to 1000000"),
        (KNOBS + "cap = nan", "cap: input should be a finite number"),
        (KNOBS + "temprature = 2.0", r"temprature: there is no such knob \(did you mean 'temperature'\?\)"),
        (KNOBS + 'voids = "yes"', "voids: input should be a valid boolean"),
        (KNOBS + "memory = 11", "memory: input should be less than or equal to 10"),
        (KNOBS + "ms = 0", "ms: input should be greater than 0"),
        (KNOBS + "ms = 1e18", "ms: input should be less than or equal to 3600000"),
        ("a = " + "[" * 5000 + "]" * 5000, "nested too deeply; a knob is one value"),
        (KNOBS + 'weights = "all"', "weights: input should be 'none', 'rules' or 'network'"),
        (KNOBS + 'name = "../../easy"', "name: string should match pattern"),
        (KNOBS + "games = 3", "games: a table of knobs is wanted for each game"),
        (KNOBS + "[games.duell]\ncap = 1", "games.duell: there is no such game .did you mean 'duel'"),
        (KNOBS + "[games.duel]\ncaps = 1", "games.duel: caps: there is no such knob"),
        (KNOBS + "opening = 3", "opening: so many worlds are solved in the first trick with"),
        (KNOBS + "worlds = 3", "worlds: so many are solved with"),
        ('calls = "rules"\ncards = "search"', "worlds: so many are solved with"),
        ("temperature = ", "Invalid value"),
        ("temperature = " + 5000 * "9", "digits"),
    ],
)
def test_a_wrong_file_is_refused_by_name_and_key(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(TierError, match=reason) as caught:
        load_tier(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_an_unknown_tier_is_answered_with_those_there_are() -> None:
    with pytest.raises(TierError, match="no tier 'hrad': name one of crazy, easy, hard, normal"):
        load_tier("hrad")


def test_the_users_own_file_is_a_tier(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(KNOBS + "temperature = 0.7\ncap = 2")
    assert load_tier(tmp_path / "mine.toml") == Tier(name="mine", calls="rules", cards="rules", temperature=0.7, cap=2)


def test_knobs_may_stand_otherwise_in_a_game(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(KNOBS + "temperature = 0.7\n[games.duel]\ntemperature = 0.2")
    assert load_tier(path).temperature == load_tier(path, load_rules("bazar")).temperature == 0.7
    assert load_tier(path, load_rules("duel", target=301)) == Tier(
        name="mine", calls="rules", cards="rules", temperature=0.2
    )
