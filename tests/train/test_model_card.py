"""The card of a bot says what its knobs mean in its game, and what it is known to be weak at."""

from pathlib import Path

import pytest

from agents.manifest import of_game
from agents.networks import Manifest
from agents.tiers import Tier, load_tier
from agents.tiers.tier import parse_tier
from blot_env import load_rules
from train.model_card import bot_card

SEARCH = {"name": "t", "calls": "rules", "cards": "search", "worlds": 1}


def card(preset: str, tier: Tier, policy: str | None = None) -> str:
    return bot_card(Manifest.model_construct(**of_game(load_rules(preset)), policy=policy, files={}), tier, None)


@pytest.mark.parametrize(("preset", "points"), [("bazar", "one match point"), ("bela4", "10 match points")])
def test_match_points_are_those_of_the_game(preset: str, points: str) -> None:
    """Knobs count tens of them where they are raw points."""
    said = card(preset, parse_tier(SEARCH | {"temperature": 1.0, "cap": 1.0, "sense": 1.0}, "test"))
    for sentence in (
        f"knowingly gives up as much as {points} with an action",
        f"draws among actions that give up at most {points}",
        f"does nothing that gives up more than {points} as",
    ):
        assert sentence in said


def test_one_is_one() -> None:
    said = card("bazar", parse_tier(SEARCH | {"trust": 1.0, "doubt": 1.0, "weights": "rules"}, "test"))
    for sentence in ("imagines one deal in", "solves it with", "counts as one deal besides", "by one standard error."):
        assert sentence in said


def test_a_first_trick_without_deals_is_told() -> None:
    said = card("bazar", parse_tier(SEARCH | {"opening": 0}, "test"))
    assert "For a card of the first trick it imagines nothing: the rule-based player judges it." in said
    assert "by fewer deals" not in said


@pytest.mark.parametrize("tier", ["hard", "crazy"])
def test_strong_tiers_tell_their_weaknesses_too(tier: str) -> None:
    said = card("bazar", load_tier(tier), policy="0" * 64).partition("## What it is weak at")[2]
    assert "calls are those of a network" in said
    assert "as if the score did not matter" in said
    assert "or not lead the partner's suit" in said
    assert ("by fewer deals" in said) == (tier == "hard")


def test_who_asks_for_values_that_are_not_there_says_so() -> None:
    said = card("bazar", parse_tier(SEARCH | {"calls": "values"}, "test"))
    assert "Calls are judged by the rule-based player." in said
    assert "No contract values are in this folder" in said


def test_it_is_told_how_to_install_what_it_needs(tmp_path: Path) -> None:
    said = card("bazar", load_tier("easy"))
    assert "pip install 'blot[" not in said, "a stranger's package has that name"
    assert "pip install '.[bot]'" in said
    assert "wants the extra [tournament]" in said
