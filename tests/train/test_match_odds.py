"""The odds of a match: symmetric, monotone, and those of matches that are played."""

from pathlib import Path

import numpy as np
import pytest

import agents
from agents.match_odds import MATCH_ODDS, MatchOdds, MatchOddsError
from blot_env import BatchEnv, RuleSet, load_rules
from train.match_odds import OUTCOME, MatchOddsUnknown, match_odds_file, play_outcomes, solve


def outcomes(*rows: tuple[int, int, float]) -> np.ndarray:
    """Deals as points of the side that dealt, of the other one, and their share."""
    found = np.zeros(len(rows), OUTCOME)
    found["own"], found["other"], found["weight"] = zip(*rows, strict=True)
    found["winner"] = found["failed"] = -1
    return found


def test_known_chances() -> None:
    fair = solve(outcomes((1, 0, 0.5), (0, 1, 0.5)), 1, 6)
    assert fair[0, 0] == 0.5
    assert fair[0, 1] == pytest.approx(0.75)
    assert fair[1, 2] == pytest.approx(11 / 16)  # the problem of points: the first to two against the first to three
    late = solve(outcomes((1, 0, 0.25), (0, 1, 0.25), (0, 0, 0.5)), 1, 6)
    assert np.allclose(fair, late), "deals that bring nothing change nothing"
    dealer = solve(outcomes((1, 0, 0.2), (0, 1, 0.2), (0, 0, 0.6)), 1, 1)
    assert dealer[0, 0] == pytest.approx(0.5)
    first = solve(outcomes((1, 0, 0.6), (0, 0, 0.4)), 1, 1)
    assert first[0, 0] == pytest.approx(0.6 / (1 - 0.16))  # whoever deals wins at once or hands the deal on
    both = solve(outcomes((2, 3, 1.0)), 1, 3)
    assert both[0, 0] == 0.0, "of two that reach the target the one with more wins"
    assert both[0, 1] == 1.0, "equals play on, and now the other side deals, which loses"


def test_a_leader_that_failed_plays_on_and_a_belot_wins_at_once() -> None:
    rows = outcomes((0, 16, 1.0))
    assert solve(rows, 1, 10)[0, 0] == 0
    rows["failed"] = 1
    assert solve(rows, 1, 10)[0, 0] == 0.5
    rows["winner"] = 0
    assert (solve(rows, 1, 10) == 1).all()


@pytest.fixture(scope="module")
def table() -> tuple[RuleSet, bytes]:
    rules = load_rules("duel")
    return rules, match_odds_file(rules, agents.make("rules", rules), 4000)


def test_the_table_of_a_game(table: tuple[RuleSet, bytes], tmp_path: Path) -> None:
    rules, content = table
    (tmp_path / MATCH_ODDS).write_bytes(content)
    odds = MatchOdds.load(tmp_path, rules)
    score = np.arange(151)
    for deals in (True, False, None):
        chances = odds.chance(score[:, None], score[None, :], deals)
        assert (np.diff(chances, axis=0) > -1e-4).all(), "more points, better chances"
        assert (np.diff(chances, axis=1) < 1e-4).all()
        turned = None if deals is None else not deals
        assert np.allclose(chances + odds.chance(score[None, :], score[:, None], turned), 1)
        assert chances[150, 0] > 0.95
    assert odds.chance([151, 160, 10], [20, 170, 200]).tolist() == [1, 0, 0]
    assert odds.chance(0, 0) == pytest.approx(0.5)
    assert odds.chance(250, 230, target=301) == odds.chance(100, 80)


def test_matches_end_as_the_table_says(table: tuple[RuleSet, bytes]) -> None:
    rules, content = table
    odds = MatchOdds.read(content, rules)
    env, player = BatchEnv(rules, 500, episode="match", seed=8), agents.make("rules", rules)
    env.reset()
    expected, won, pending = [], [], [[] for _ in range(500)]
    while len(won) < 3000:
        public = env.states["public"]
        begins = public["length"] == 0
        scores, deals = public["scores"][:, :2], public["dealer"] % 2 == 0
        chances = odds.chance(scores[:, 0], scores[:, 1], deals)
        for place in np.flatnonzero(begins):
            pending[place].append(chances[place])
        _, _, _, reward, done = env.step(player.act(env.decisions()))
        for place in np.flatnonzero(done):
            expected += pending[place]
            won += len(pending[place]) * [reward[place, 0] > 0]
            pending[place] = []
    expected, won = np.array(expected), np.array(won)
    assert abs(expected.mean() - won.mean()) < 0.05
    for low, high in ((0, 0.3), (0.3, 0.7), (0.7, 1)):
        some = (expected >= low) & (expected <= high)
        assert abs(expected[some].mean() - won[some].mean()) < 0.08
    chance = np.clip(expected, 0.01, 0.99)
    assert -np.where(won, np.log(chance), np.log(1 - chance)).mean() < 0.9 * np.log(2)


def test_what_is_wrong_is_said(table: tuple[RuleSet, bytes], tmp_path: Path) -> None:
    rules, content = table
    with pytest.raises(MatchOddsUnknown, match="computed for two sides, and bela3 has 3"):
        play_outcomes(load_rules("bela3"), agents.make("rules", load_rules("bela3")), 10, 0)
    with pytest.raises(MatchOddsError, match="made for rules with name"):
        MatchOdds.read(content, load_rules("bazar"))
    with pytest.raises(MatchOddsError, match="chances: as many rows as columns"):
        MatchOdds.read(content.replace(b'"chances":[[', b'"chances":[[0.5],['), rules)
    with pytest.raises(MatchOddsError, match=r"name match-odds\.json, or a folder with it"):
        MatchOdds.load(tmp_path, rules)
