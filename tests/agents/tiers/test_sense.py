"""What no player would do: a tier with sense plays no card that the rule-based player takes for a blunder."""

import pytest

import agents
from agents.tiers.judges import RulesJudge
from agents.tiers.player import TierPlayer
from agents.tiers.tier import parse_tier
from blot_env import BatchEnv, load_rules
from blot_env.state import AUCTION

WILD = {"calls": "rules", "cards": "search", "worlds": 1, "temperature": 100.0, "cap": 1000.0}


@pytest.mark.parametrize("preset", ["bazar", "bela3"])
def test_sense_bounds_what_an_action_gives_up(preset: str) -> None:
    """At any temperature, after the auction; without it the same player blunders."""
    env = BatchEnv(load_rules(preset), 2, seed=3)
    rules, judge, mover = env.rules, RulesJudge(env.rules), agents.make("rules", env.rules)
    sense = 0.5
    players = {
        sense: TierPlayer(rules, parse_tier({"name": "sane", "sense": sense, **WILD}, "test")),
        None: TierPlayer(rules, parse_tier({"name": "wild", **WILD}, "test")),
    }
    most: dict[float | None, float] = dict.fromkeys(players, 0.0)
    env.reset()
    for _ in range(40):
        decisions = env.decisions()
        for row in range(len(decisions)):
            decision = decisions[row : row + 1]
            if decision.views[0].public.phase == AUCTION:
                continue
            judged, values = judge.judge(decision)
            for key, player in players.items():
                given_up = float(values.max() - values[judged == player.act(decision)[0]][0])
                most[key] = max(most[key], given_up * rules.record.unit / 10)
        env.step(mover.act(decisions))
    assert most[sense] <= sense < most[None]
