"""What no player would do: a tier with sense does nothing that the rule-based player takes for a blunder."""

import numpy as np
import pytest

import agents
from agents.tiers.judges import RulesJudge
from agents.tiers.player import TierPlayer
from agents.tiers.tier import Tier, parse_tier
from blot_env import BatchEnv, load_rules
from blot_env.actions import CONTRA
from blot_env.state import AUCTION
from tests.agents.tiers.test_player import Hashed

WILD = {"calls": "rules", "cards": "search", "worlds": 1, "temperature": 100.0, "cap": 1000.0}


def most_given_up(env: BatchEnv, tiers: dict[str, Tier], auction: bool) -> dict[str, float]:
    """Return by tier the most that it gave up by the judgement of the rules in or after the auction, contras apart."""
    rules, judge, mover = env.rules, RulesJudge(env.rules), agents.make("rules", env.rules)
    players = {name: TierPlayer(rules, tier, Hashed()) for name, tier in tiers.items()}
    most = dict.fromkeys(players, 0.0)
    env.reset()
    for _ in range(40):
        decisions = env.decisions()
        for row in range(len(decisions)):
            decision = decisions[row : row + 1]
            if (decision.views[0].public.phase == AUCTION) != auction:
                continue
            judged, values = judge.judge(decision)
            for name, player in players.items():
                if (action := player.act(decision)[0]) == CONTRA:
                    continue
                given_up = float((values.max() - values)[judged == action].sum()) if action in judged else 1000.0
                most[name] = max(most[name], given_up * rules.record.unit / 10)
        env.step(mover.act(decisions))
    return most


@pytest.mark.parametrize("preset", ["bazar", "bela3"])
def test_sense_bounds_what_an_action_gives_up(preset: str) -> None:
    """At any temperature, after the auction; without it the same player blunders."""
    sane, wild = (
        parse_tier({"name": "sane", "sense": 0.5, **WILD}, "test"),
        parse_tier({"name": "wild", **WILD}, "test"),
    )
    most = most_given_up(BatchEnv(load_rules(preset), 2, seed=3), {"sane": sane, "wild": wild}, auction=False)
    assert most["sane"] <= 0.5 < most["wild"]


def test_sense_in_the_auction_bounds_what_a_network_bids() -> None:
    by_network = WILD | {"calls": "network", "temperature": 0.0, "cap": 0.0}
    sane = parse_tier({"name": "sane", "call_sense": 3.0, **by_network}, "test")
    wild = parse_tier({"name": "wild", **by_network}, "test")
    most = most_given_up(BatchEnv(load_rules("bazar"), 16, seed=3), {"sane": sane, "wild": wild}, auction=True)
    assert most["sane"] <= 3.0 < most["wild"]


def test_whoever_never_contras_may_pass_where_sense_would_contra() -> None:
    """As far as no call is left that sense allows, the best of all is taken."""
    rules = load_rules("bazar")
    meek = parse_tier({"name": "meek", "call_sense": 0.0, **WILD, "contra": False}, "test")
    player, contra, env = TierPlayer(rules, meek), 0, BatchEnv(rules, 256, seed=5)
    judge, mover = RulesJudge(rules), agents.make("rules", rules)
    env.reset()
    for _ in range(8):
        decisions = env.decisions()
        for row in np.flatnonzero(decisions.views["public"]["phase"] == AUCTION):
            judged, values = judge.judge(decisions[row : row + 1])
            if judged[values.argmax()] == CONTRA:
                contra += 1
                assert player.act(decisions[row : row + 1])[0] != CONTRA
        env.step(mover.act(decisions))
    assert contra


def test_regard_decides_between_cards_that_look_alike() -> None:
    """The more of it, the less its cards give up by the judgement of the rules."""
    env = BatchEnv(load_rules("bazar"), 8, seed=11)
    search = {"calls": "rules", "cards": "search", "worlds": 6}
    tiers = {
        str(regard): parse_tier({"name": "one", "regard": regard, **search}, "test") for regard in (0.0, 0.5, 100.0)
    }
    most = most_given_up(env, tiers, auction=False)
    assert most["100.0"] < most["0.5"] < most["0.0"]


@pytest.mark.parametrize("preset", ["bazar-classic", "bela2", "bela3"])
def test_regard_without_sense_is_of_cards_alone(preset: str) -> None:
    """What the rules do not consider, among calls, discards and answers, keeps a value that is a number."""
    rules = load_rules(preset)
    tier = parse_tier({"name": "one", "calls": "network", "cards": "rules", "regard": 0.3}, "test")
    player, env, mover = TierPlayer(rules, tier, Hashed()), BatchEnv(rules, 16, seed=3), agents.make("rules", rules)
    env.reset()
    for _ in range(12):
        decisions = env.decisions()
        for row in range(len(decisions)):
            assert np.isfinite(list(player.think(decisions[row : row + 1]).values.values())).all()
        env.step(mover.act(decisions))
