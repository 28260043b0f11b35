"""What a deal did for the match is a reward beside its points."""

from pathlib import Path

import numpy as np
import pytest

from agents.manifest import of_game
from agents.match_odds import MatchOdds, MatchOddsError, MatchOddsFile
from blot_env import BatchEnv, RuleSet, load_rules
from tests.untrained import untrained_network
from train.config import Config
from train.parts import Dealer, Part
from train.settings import ConfigError, check_settings

TABLES = 200


@pytest.fixture(scope="module")
def rules() -> RuleSet:
    return load_rules("duel", target=61)


@pytest.fixture(scope="module")
def odds(rules: RuleSet, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of its own making: whoever misses half as much is twice as likely to win."""
    missing = np.arange(1, rules.target + 1)
    chances = missing / (missing[:, None] + missing)
    file = tmp_path_factory.mktemp("odds") / "match-odds.json"
    content = MatchOddsFile(**of_game(rules), agent="nobody", deals=1, chances=chances.tolist())
    file.write_text(content.model_dump_json())
    return file


def config(rules: RuleSet, **rollout: object) -> Config:
    size = {"width": 16, "blocks": 1}
    values = {
        "rules": rules,
        "iterations": 1,
        "network": {"cards": size, "auction": size, "critic": size},
        "rollout": {"tables": TABLES, "forced_contracts": 0.0, **rollout},
        "league": {"past": 0.0, "opponents": {}, "partners": {}},
    }
    return check_settings(Config, values)


def played(rules: RuleSet, **rollout: object) -> tuple[np.ndarray, np.ndarray]:
    """The rewards of some deals and their results."""
    dealer = Dealer(config(rules, **rollout), untrained_network(rules, 0), lambda iteration: {})
    deals = dealer.play(Part(3, 0, False, ()))
    return deals.experience.reward, deals.own


def test_rewards_are_points_and_what_a_deal_did_for_the_match(rules: RuleSet, odds: Path) -> None:
    points, results = played(rules)
    both, same = played(rules, match_odds=str(odds), match_share=4.0)
    assert np.array_equal(results, same)
    env = BatchEnv(rules, TABLES, random_scores=True)
    env.reset(boards=3 * TABLES + np.arange(TABLES))
    table = MatchOdds.load(odds, rules)
    won = 0
    for deal, before in enumerate(env.states["public"]["scores"][:, :2]):
        after, winner = before + results[deal]["points"][:2], results[deal]["match_winner"]
        chance = float(table.chance(*after)) if winner < 0 else float(winner == 0)
        gain = 4 * (chance - float(table.chance(*before)))
        assert both[deal] - points[deal] == pytest.approx([gain, -gain], abs=1e-5)
        won += winner >= 0
    assert 10 < won < TABLES - 10


def test_a_share_of_nothing_changes_nothing(rules: RuleSet, odds: Path) -> None:
    assert np.array_equal(played(rules)[0], played(rules, match_odds=str(odds))[0])


def test_what_cannot_be_is_said(rules: RuleSet, odds: Path) -> None:
    with pytest.raises(ConfigError, match=r"rollout: match_share: what the match counts is told by match_odds"):
        config(rules, match_share=1.0)
    with pytest.raises(MatchOddsError):
        played(load_rules("bela3"), match_odds=str(odds), match_share=1.0)
