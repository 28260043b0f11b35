"""Bidding by contract values is the rules' bidding with another outlook: given the same outlook it calls alike."""

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import agents
from agents.contract_calls import call_values, promises
from agents.contract_shares import BINS, PARTS
from agents.contract_values import ContractValues
from agents.match_odds import MatchOdds
from agents.rule_based.outlook import OTHERS, OWN, outlook
from agents.rule_based.player import RulePlayer
from agents.rule_based.values import values_of
from agents.tiers.judges import RulesJudge, ValuesJudge
from blot_env import BatchEnv, Decisions, RuleSet, load_rules
from blot_env.actions import CONTRA, PASS
from blot_env.state import AUCTION
from tests.untrained import untrained_values
from train.export import export_networks


def auctions(rules: RuleSet, tables: int, steps: int = 5, **options: Any) -> Decisions:
    """Decisions of auctions, some of which have gone on for some calls."""
    env, player = BatchEnv(rules, tables, seed=4, **options), RulePlayer(rules)
    env.reset()
    for step in range(steps):
        decisions = env.decisions()
        passes = (np.arange(tables) % (steps + 1) >= steps - step) & (decisions.masks[:, PASS] > 0)
        env.step(np.where(passes, PASS, player.act(decisions)))
    decisions = env.decisions()
    return decisions[decisions.views["public"]["phase"] == AUCTION]


class Echo:
    """Foresees what the rule-based player does: card points spread normally, no more of them for all tricks."""

    odds: MatchOdds | None = None

    def __init__(self, rules: RuleSet, decisions: Decisions) -> None:
        values, strains = values_of(rules), range(len(rules.strains))
        self.deck = values.deck[: len(strains)].copy()
        self._shares = np.zeros((len(decisions), len(strains), 2, BINS))
        self._extras = np.zeros((len(decisions), len(strains), 2, 2))
        for row, view in enumerate(decisions.views):
            drawn = 1 << int(view.public.turned) if rules.stock == "drawn" else 0
            for strain in strains:
                hope = outlook(rules.record, values, view, strain, view.hand | drawn)
                cards = self.deck[strain] * hope.own / (hope.own + hope.other)
                rest = self.deck[strain] - cards
                for whose, mean in ((OWN, cards), (OTHERS, rest)):
                    self._shares[row, strain, whose, 1:-1] = normal_parts(mean, hope.spread, self.deck[strain])
                self._extras[row, strain] = hope.own - cards, hope.other - rest

    def foresee(self, _: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self._shares, self._extras


def normal_parts(mean: float, spread: float, deck: float) -> np.ndarray:
    edges = np.linspace(0, deck + 1, PARTS + 1)[1:-1]  # of whole points
    below = np.array([0.5 * math.erfc((mean - edge) / spread / math.sqrt(2)) for edge in edges])
    return np.diff(below, prepend=0, append=1)


@pytest.mark.parametrize("preset", ["bazar", "duel"])
def test_the_same_outlook_calls_alike(preset: str) -> None:
    rules = load_rules(preset)
    decisions = auctions(rules, 300, steps=5 if rules.numbered else 1)
    echo: Any = Echo(rules, decisions)
    own, told = call_values(rules, decisions), call_values(rules, decisions, echo)
    both = np.isfinite(own) & np.isfinite(told)
    assert both.sum() > 0.97 * np.isfinite(own).sum()
    assert np.isfinite(told[decisions.masks == 0]).sum() == 0
    assert np.abs(own[both] - told[both]).mean() < 0.5
    assert (own.argmax(1) == told.argmax(1)).mean() > 0.9
    assert (own.argmax(1) == RulePlayer(rules).act(decisions)).mean() > 0.99  # but for equals
    if preset == "bazar":
        assert np.isfinite(told[:, CONTRA]).any()


def test_promises_are_distributions() -> None:
    rules = load_rules("bazar")
    decisions = auctions(rules, 40)
    echo: Any = Echo(rules, decisions)
    promised = promises(echo, decisions.observations)
    assert np.allclose(promised["reach"][..., 0], 1)
    assert (np.diff(promised["reach"], axis=-1) <= 0).all()
    whole = promised["own"] + promised["other"]
    assert np.allclose(whole, promised["deck"] + echo.foresee(decisions.observations)[1].sum(3))
    assert np.allclose(promised["taken"][..., 0] + promised["extra"], promised["own"])


def test_a_better_promise_is_worth_more() -> None:
    rules = load_rules("bazar")
    decisions = auctions(rules, 60)
    echo: Any = Echo(rules, decisions)
    shares, extras = echo.foresee(decisions.observations)
    more = np.concatenate([np.zeros_like(shares[..., :4]), shares[..., :-4]], 3)
    more[..., -1] += shares[..., -4:].sum(3)
    better: Any = SimpleNamespace(deck=echo.deck, odds=None, foresee=lambda _: (more, extras))
    before, after = call_values(rules, decisions, echo), call_values(rules, decisions, better)
    bids = np.isfinite(before) & np.isfinite(after)
    bids[:, :42] = False
    assert (after[bids] >= before[bids]).mean() > 0.99


def test_near_the_end_a_call_is_worth_what_it_changes_in_the_chance_to_win() -> None:
    rules = load_rules("bazar")
    decisions = auctions(rules, 400, random_scores=True)
    echo: Any = Echo(rules, decisions)
    plain = call_values(rules, decisions, echo)
    missing = np.arange(1, 152)
    echo.odds = MatchOdds(rules, missing[None, :] / (missing[:, None] + missing[None, :]))
    told = call_values(rules, decisions, echo)
    assert (np.isfinite(told) == np.isfinite(plain)).mean() > 0.99
    public = decisions.views["public"]
    both = np.isfinite(told) & np.isfinite(plain) & (np.arange(told.shape[1]) >= 42)
    far = (public["scores"][:, :2] < 60).all(1)
    near = (public["scores"][:, :2] > 110).any(1)
    gaps = [np.abs(told[rows][both[rows]] - plain[rows][both[rows]]).mean() for rows in (far, near)]
    assert gaps[0] < 6
    assert gaps[1] > gaps[0]
    assert (told[:, PASS].argmax() >= 0) & np.isfinite(told[np.isfinite(told)]).all()


def test_only_auctions_are_judged() -> None:
    rules = load_rules("bazar")
    env, player = BatchEnv(rules, 1), RulePlayer(rules)
    env.reset()
    while env.states["public"]["phase"][0] == AUCTION:
        env.step(player.act(env.decisions()))
    with pytest.raises(ValueError, match="decisions of the auction are wanted"):
        call_values(rules, env.decisions())


def test_contract_values_of_another_game_are_refused() -> None:
    with pytest.raises(ValueError, match="onnxruntime cannot load it"):
        ContractValues(load_rules("duel"), b"")


def test_a_tier_may_judge_its_calls_by_them() -> None:
    rules = load_rules("bazar")
    decision = auctions(rules, 30)[7:8]
    echo: Any = Echo(rules, decision)
    judgement, worth = ValuesJudge(rules, echo).judge(decision), call_values(rules, decision, echo)[0]
    assert dict(zip(judgement.actions, judgement.values, strict=True)) == {
        action: value for action, value in enumerate(worth) if np.isfinite(value)
    }
    env, player = BatchEnv(rules, 1), RulePlayer(rules)
    env.reset()
    while env.states["public"]["phase"][0] == AUCTION:
        env.step(player.act(env.decisions()))
    cards = env.decisions()
    assert (ValuesJudge(rules, echo).judge(cards).values == RulesJudge(rules).judge(cards).values).all()


def test_a_tier_that_judges_its_calls_by_them_plays_as_their_player(
    rules: RuleSet, checkpoint: Path, tmp_path: Path
) -> None:
    """Whole deals, with the contract values that were exported beside a policy."""
    export_networks(checkpoint, tmp_path / "networks", untrained_values(rules, 0, tmp_path / "values"))
    (tmp_path / "mine.toml").write_text('calls = "values"\ncards = "rules"')
    tier = agents.make(f"tier:{tmp_path / 'mine.toml'},networks={tmp_path / 'networks'}", rules)
    player, by_rules = agents.make(f"values:{tmp_path / 'networks'}", rules), RulePlayer(rules)
    env = BatchEnv(rules, 20, seed=6)
    env.reset()
    differing = 0
    for _ in range(30):
        decisions = env.decisions()
        actions = tier.act(decisions)
        assert (actions == player.act(decisions)).all()
        differing += int((actions != by_rules.act(decisions)).sum())
        env.step(actions)
    assert differing > 0
