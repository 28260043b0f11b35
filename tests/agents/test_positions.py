"""Players against positions that every player gets right (`tests/written_positions.py`).

Those of `bazar` that are older than the rule-based player were written before it, all others before they were played
by anybody.
"""

from collections import Counter

import pytest

from blot_env import RULESETS
from tests.written_positions import Position, in_words, load_positions, wrong_answers

POSITIONS = load_positions()


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
    ("tier", "seeds", "misses"),
    [
        ("easy", range(2), 0.02),  # it does not count the trumps, as two positions want
        ("normal", range(1), 0.02),
        pytest.param("easy", range(10), 0.03, marks=pytest.mark.slow, id="easy, many seeds"),
        pytest.param("normal", range(5), 0.02, marks=pytest.mark.slow, id="normal, many seeds"),
        pytest.param("hard", range(3), 0.05, marks=pytest.mark.slow),  # a policy calls, and knows no scores
        pytest.param("crazy", range(1), 0.07, marks=pytest.mark.slow),  # and it may surprise
    ],
)
def test_tiers_get_the_positions_right(tier: str, seeds: range, misses: float) -> None:
    """Easy those that beginners get right, the others all; with every seed."""
    positions = [position for position in POSITIONS if tier != "easy" or position.level == "beginner"]
    wrong = wrong_answers(f"tier:{tier}", positions, seeds)
    assert len(wrong) <= misses * len(positions), in_words(wrong)
