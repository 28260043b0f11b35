"""Tiers: what may be chosen, how often, and what a wrong file is answered."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from agents.tier import Tier, TierError, load_tier, tiers

LOGITS = np.log(np.array([[0.5, 0.3, 0.15, 0.05, 0.9]]))
MASK = np.array([[1, 1, 1, 1, 0]], np.int8)
DRAWS = 20_000


def shares(tier: Tier) -> list[float]:
    """How often each of the five actions is drawn."""
    seeds = np.arange(DRAWS) * 0x9E3779B97F4A7C1 % (1 << 62)
    chosen = tier.choose(np.repeat(LOGITS, DRAWS, 0), np.repeat(MASK, DRAWS, 0), seeds)
    counts = Counter(chosen.tolist())
    return [counts[action] / DRAWS for action in range(5)]


def test_temperature_0_takes_the_likeliest_legal_action() -> None:
    assert shares(Tier(name="t", temperature=0, cap=9)) == [1, 0, 0, 0, 0]


def test_of_equally_likely_actions_the_lowest_is_taken() -> None:
    logits = np.array([[1.0, 2.0, 2.0, 2.0]])
    mask = np.array([[1, 0, 1, 1]], np.int8)
    assert Tier(name="t", temperature=0, cap=0).choose(logits, mask, np.zeros(1, np.int64)).tolist() == [2]


def test_temperature_1_draws_as_the_policy_does() -> None:
    assert shares(Tier(name="t", temperature=1, cap=9)) == pytest.approx([0.5, 0.3, 0.15, 0.05, 0], abs=0.015)


def test_temperature_2_is_bolder() -> None:
    roots = np.sqrt([0.5, 0.3, 0.15, 0.05, 0])
    assert shares(Tier(name="t", temperature=2, cap=9)) == pytest.approx(roots / roots.sum(), abs=0.015)


def test_nothing_beyond_the_cap_is_drawn() -> None:
    assert shares(Tier(name="t", temperature=1, cap=1.0)) == pytest.approx([0.625, 0.375, 0, 0, 0], abs=0.015)
    assert shares(Tier(name="t", temperature=1, cap=0.4)) == [1, 0, 0, 0, 0]


def test_the_same_seed_draws_the_same_whatever_is_in_the_batch() -> None:
    tier = Tier(name="t", temperature=1, cap=9)
    seeds = np.arange(50)
    together = tier.choose(np.repeat(LOGITS, 50, 0), np.repeat(MASK, 50, 0), seeds)
    alone = [int(tier.choose(LOGITS, MASK, seeds[row : row + 1])[0]) for row in range(50)]
    assert together.tolist() == alone
    assert len(set(alone)) > 1


def test_shipped_tiers_grow_bolder_from_hard_to_easy() -> None:
    assert sorted(tiers()) == ["crazy", "easy", "hard", "normal"]
    easy, normal, hard, crazy = (load_tier(name) for name in ("easy", "normal", "hard", "crazy"))
    assert easy.temperature > normal.temperature > hard.temperature >= crazy.temperature == 0
    assert easy.cap > normal.cap > hard.cap >= crazy.cap


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("temperature = 1.0", "cap: field required"),
        ("temperature = -1.0\ncap = 1.0", "temperature: input should be greater than or equal to 0"),
        ("temperature = 1.0\ncap = nan", "cap: input should be"),
        ("temperature = 1.0\ncap = 1.0\ntemprature = 2.0", "temprature: extra inputs are not permitted"),
        ("temperature = ", "Invalid value"),
        ("temperature = " + 5000 * "9", "digits"),
        ("temperature = " + 5000 * "[", "recursion"),
    ],
)
def test_a_wrong_file_is_refused_by_name_and_key(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(TierError, match=reason) as caught:
        load_tier(path)
    assert str(caught.value).startswith(str(path))


def test_an_unknown_tier_is_answered_with_those_there_are() -> None:
    with pytest.raises(TierError, match="no tier 'hrad': name one of crazy, easy, hard, normal"):
        load_tier("hrad")


def test_the_users_own_file_is_a_tier(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("temperature = 0.7\ncap = 0.2")
    assert load_tier(tmp_path / "mine.toml") == Tier(name="mine", temperature=0.7, cap=0.2)
