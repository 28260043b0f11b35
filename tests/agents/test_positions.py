"""Players against positions that every player gets right (`tests/written_positions.py`).

Those of `bazar` that are older than the rule-based player were written before it, all others before they were played
by anybody.
"""

from collections import Counter

import pytest

from blot_env import RULESETS
from tests.written_positions import Position, in_words, load_positions, wrong_answers

POSITIONS = load_positions()

CONTRAS = {"classic-contra-with-four-trumps", "hayblot-contra-with-four-trumps"}
"""Missed by the rule-based player, too, by which all tiers call in these games."""
NETWORK_CALLS = {
    "no-raise-over-an-overcall",
    "keep-when-it-wins-the-match",  # the policy was trained on points, whatever the scores
    "no-raise-when-one-point-is-missing",
    "contra-before-they-go-out",
}
MISSED = {
    # it remembers no trumps
    "easy": {"second-hand-ruff-without-the-tops", "duel-draw-his-last-trump"},
    "normal": CONTRAS | {"contra-seventeen-with-jack-and-nine", "contra-with-five-trumps"},
    "hard": CONTRAS
    | NETWORK_CALLS
    | {
        "no-ten-king-or-trump-lead",
        "no-ten-lead-from-ten-seven",
        "lead-the-partners-suit",
        "bela4-no-ten-into-the-ace",
    },
    # it may surprise
    "crazy": CONTRAS
    | NETWORK_CALLS
    | {
        "pass-fourth-seat-nothing",
        "support-with-four-aces",
        "ten-of-trumps-under-the-partners-jack",
        "ten-does-not-go-up-under-a-live-ace",
        "no-ten-king-or-trump-lead",
        "lead-the-partners-suit",
        "bela4-draw-with-the-jack",
    },
}
"""What each tier is known to get wrong; docs/tiers.md tells why."""


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.name)
def test_position_is_a_real_choice(position: Position) -> None:
    """Each position can be reached, it is its seat's turn, and there is something right and something wrong to do."""
    game = position.game()
    named = {*position.accept, *position.reject}
    assert game.seat == position.seat
    assert bool(position.accept) != bool(position.reject)
    assert named < set(game.legal_actions())


def test_positions_are_spread() -> None:
    games = Counter(position.rules for position in POSITIONS)
    assert len({position.name for position in POSITIONS}) == len(POSITIONS) >= 170
    assert games["bazar"] >= 100
    assert games["duel"] >= 25
    assert set(games) == set(RULESETS)


def test_rules_gets_the_positions_right() -> None:
    wrong = wrong_answers("rules", POSITIONS)
    assert len(wrong) <= 0.05 * len(POSITIONS), in_words(wrong)


@pytest.mark.parametrize(
    ("tier", "seeds"),
    [
        ("easy", range(2)),
        ("normal", range(1)),
        pytest.param("easy", range(10), marks=pytest.mark.slow, id="easy, many seeds"),
        pytest.param("normal", range(5), marks=pytest.mark.slow, id="normal, many seeds"),
        pytest.param("hard", range(3), marks=pytest.mark.slow),
        pytest.param("crazy", range(1), marks=pytest.mark.slow),
    ],
)
def test_tiers_get_the_positions_right(tier: str, seeds: range) -> None:
    """Easy those that beginners get right, the others all; with every seed, and but for those that are known."""
    positions = [position for position in POSITIONS if tier != "easy" or position.level == "beginner"]
    wrong = wrong_answers(f"tier:{tier}", positions, seeds)
    assert {position.name for position, _ in wrong} <= MISSED[tier], in_words(wrong)


@pytest.mark.parametrize("tier", ["normal", "hard", "crazy"])
def test_tiers_get_enough_positions_right(tier: str) -> None:
    """However many are known to be missed, no fewer than 150 are got right, and 94 of 100."""
    names = {position.name for position in POSITIONS}
    assert MISSED[tier] < names
    assert len(names - MISSED[tier]) >= max(150, 0.94 * len(names))
