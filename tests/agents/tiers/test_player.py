"""Players of tiers: legal, repeatable, whatever stands beside them in a batch; and what their knobs mean."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agents
from agents.agent import SearchingAgent
from agents.search.likelihood import RulesLikelihood, weighted_worlds
from agents.tiers import Tier
from agents.tiers.judges import LEAST, NetworkJudge
from agents.tiers.memory import RECALLED, recall
from agents.tiers.player import TierPlayer
from blot_env import RULESETS, BatchEnv, Decisions, Game, RulesError, load_rules
from blot_env.actions import CONTRA, PASS, RECONTRA
from tests.positions import positions
from tests.rule_sets import random_fields

FORGETFUL = Tier(
    name="forgetful", calls="rules", cards="search", worlds=2, memory=1, voids=False, trumps=False, temperature=2, cap=3
)
READING = Tier(name="reading", calls="rules", cards="search", worlds=2, weights="rules", candidates=3, trust=1, doubt=1)


class Hashed:
    """A policy whose opinion of an action follows from the observation, as if at random."""

    values = None

    def __init__(self) -> None:
        self.digests: dict[str, str] = {}

    def probabilities(self, decisions: Decisions) -> np.ndarray:
        noise = [
            np.random.default_rng(int(row.sum())).random(decisions.masks.shape[1]) for row in decisions.observations
        ]
        weights = np.where(decisions.masks, np.array(noise) ** 4, 0)
        return np.asarray(weights / weights.sum(1, keepdims=True))


ASKING = Tier(
    name="asking", calls="network", cards="search", worlds=2, weights="network", candidates=3, trust=2, contra=False
)


@pytest.mark.parametrize("preset", RULESETS)
def test_legal_and_the_same_in_any_batch(preset: str) -> None:
    rules = load_rules(preset)
    players = [TierPlayer(rules, FORGETFUL), TierPlayer(rules, READING), TierPlayer(rules, ASKING, Hashed())]
    env = BatchEnv(rules, 4, seed=4)
    env.reset()
    rng = np.random.default_rng(1)
    for _ in range(22):
        decisions = env.decisions(seed=5)
        chosen = []
        for player in players:
            order = rng.permutation(len(decisions))
            actions = np.empty(len(decisions), np.int64)
            actions[order] = player.act(decisions[order])
            assert decisions.masks[np.arange(len(decisions)), actions].all()
            row = int(rng.integers(len(decisions)))
            assert player.act(decisions[row : row + 1]) == actions[row]
            assert player.think(decisions[row : row + 1]).action == actions[row]
            chosen.append(actions)
        env.step(chosen[int(rng.integers(3))])


def test_legal_under_house_rules() -> None:
    rng, played = random.Random(7), 0
    while played < 12:
        preset, fields = random_fields(rng)
        try:
            rules = load_rules(preset, **fields)
        except RulesError:
            continue
        players = [TierPlayer(rules, tier) for tier in (FORGETFUL, READING)]
        game = Game(rules, seed=rng.randrange(1 << 30))
        while game.phase != "over":
            action = rules.actions.text(int(players[game.seat % 2].act(game.decision(seed=1))[0]))
            game.play("pass" if "pass" in game.legal_actions() and rng.random() < 0.5 else action)
        played += 1


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(at=st.sampled_from(RULESETS).flatmap(lambda preset: positions(0, 45, preset)))
def test_an_action_follows_from_the_view_and_the_seed_alone(at: Any) -> None:
    if at.game.phase == "over":
        return
    decision = at.game.decision(seed=1)
    nothing = (np.zeros_like(rows) for rows in (decision.observations, decision.masks))
    blind = Decisions(at.game.rules, decision.views, *nothing, decision.seeds)
    for tier in (FORGETFUL, READING):
        player = TierPlayer(at.game.rules, tier)
        assert player.act(blind) == player.act(decision)


def test_forgotten_cards_change_nothing() -> None:
    """A card of a forgotten trick is exchanged for one that is still out: it is forgotten, and else it tells."""
    rules = load_rules("bazar")
    forgetful, attentive = (
        TierPlayer(rules, Tier(name="t", calls="rules", cards="search", worlds=3, memory=tricks, voids=False))
        for tricks in (1, 10)
    )
    told = compared = 0
    for seed in range(10):
        rng, game = random.Random(seed), Game(rules, seed=seed)
        while game.phase != "over":
            decision = game.decision(seed=2)
            if game.phase == "play" and (other := with_another_past(decision, game, rng)) is not None:
                compared += 1
                assert forgetful.act(other) == forgetful.act(decision)
                told += int(attentive.act(other)[0] != attentive.act(decision)[0])
            legal = game.legal_actions()
            game.play("pass" if "pass" in legal and rng.random() < 0.7 else rng.choice(legal))
    assert compared > 10
    assert told > 0


def with_another_past(decision: Decisions, game: Game, rng: random.Random) -> Decisions | None:
    """The decision had somebody played a card to the first trick that is still out; None where it would show."""
    views = decision.views.copy()
    view, me = views[0], int(views[0].seat)
    if view.public.trick_number < 3:
        return None
    first = next(place for place in range(view.public.length) if 0 <= view.public.history[place] < 32)
    place = rng.choice([place for place in range(first, first + 4) if view.public.actors[place] != me])
    held = [card for seat in range(4) if seat != me for card in range(32) if game.state.hands[seat] >> card & 1]
    if not held:
        return None
    card, other = int(view.public.history[place]), rng.choice(held)
    view.public.history[place] = other
    view.public.played[view.public.actors[place]] ^= 1 << card | 1 << other
    before, after = np.zeros(1, RECALLED), np.zeros(1, RECALLED)
    recall(decision.rules.record, decision.views[0], 1, False, True, before[0])
    recall(decision.rules.record, view, 1, False, True, after[0])
    if (before["points"] != after["points"]).any() or (before["tricks"] != after["tricks"]).any():
        return None
    return Decisions(decision.rules, views, decision.observations, decision.masks, decision.seeds)


def test_who_does_not_contra_never_does() -> None:
    """Where a policy, or the rules, would."""
    rules = load_rules("bazar")
    for calls in ("rules", "network"):
        networks = Hashed() if calls == "network" else None
        bold, calm = (
            TierPlayer(rules, Tier(name="t", calls=calls, cards="rules", contra=contra), networks)
            for contra in (True, False)
        )
        env, contras = BatchEnv(rules, 150, seed=1), 0
        env.reset()
        for _ in range(12):
            decisions = env.decisions()
            there, here = bold.act(decisions), calm.act(decisions)
            assert not np.isin(here, (CONTRA, RECONTRA)).any()
            contras += int(np.isin(there, (CONTRA, RECONTRA)).sum())
            env.step(there)
        assert contras > 0


def test_without_a_network_the_rules_judge() -> None:
    rules = load_rules("duel")
    rule_based = agents.make("rules", rules)
    player = TierPlayer(rules, Tier(name="t", calls="network", cards="network"))
    env = BatchEnv(rules, 50, seed=2)
    env.reset()
    for _ in range(20):
        decisions = env.decisions()
        actions = player.act(decisions)
        assert (actions == rule_based.act(decisions)).all()
        env.step(actions)


def test_a_nat_is_a_match_point_and_ten_where_match_points_are_raw() -> None:
    for preset, factor in (("bazar", 1), ("duel", 10 / load_rules("duel").record.unit)):
        game = Game(load_rules(preset), seed=1)
        judgement = NetworkJudge(game.rules, Hashed()).judge(game.decision())
        chances = Hashed().probabilities(game.decision())[0]
        assert judgement.values == pytest.approx(factor * np.log(np.maximum(chances[judgement.actions], LEAST)))
        assert len(judgement.actions) == game.mask().sum()


def test_thoughts_tell_worlds_and_values() -> None:
    rules = load_rules("bazar")
    player = TierPlayer(rules, READING)
    game = Game(rules, seed=8)
    searched = 0
    while game.phase != "over":
        thoughts = player.think(game.decision(seed=3))
        legal = np.flatnonzero(game.mask())
        assert set(thoughts.values) <= set(legal)
        if thoughts.values:
            assert thoughts.value == max(thoughts.values.values()) == thoughts.values[thoughts.action]
        if len(thoughts.weights):
            searched += 1
            assert thoughts.weights.sum() == pytest.approx(1)
            assert set(thoughts.values) == set(legal)
            assert (thoughts.hands[:, game.seat] == game.state.hands[game.seat]).all()
        game.play(rules.actions.text(thoughts.action))
    assert searched > 5


def test_time_ends_the_search_after_a_world() -> None:
    game = Game("bazar", seed=8)
    game.play("8C")
    while game.phase == "auction":
        game.play("pass")
    player = TierPlayer(game.rules, Tier(name="t", calls="rules", cards="search", worlds=50))
    assert len(player.think(game.decision(), ms=1e-6).weights) == 1
    timed = TierPlayer(game.rules, Tier(name="t", calls="rules", cards="search", worlds=50, ms=1e-6))
    assert timed.timed
    assert not player.timed
    assert len(timed.think(game.decision()).weights) == 1


def test_no_deals_in_the_first_trick_leave_the_judge_of_cards_alone() -> None:
    rules = load_rules("bazar")
    plain = TierPlayer(rules, Tier(name="plain", calls="rules", cards="rules"))
    looking = TierPlayer(rules, Tier(name="looking", calls="rules", cards="search", worlds=1, opening=0))
    differing = [0, 0]
    for board in range(12):
        game = Game(rules, seed=2, board=board)
        while game.phase != "over":
            decision = game.decision()
            chosen = int(plain.act(decision)[0])
            if game.phase == "play":
                later = int(decision.views[0].public.trick_number > 0)
                differing[later] += chosen != looking.act(decision)[0]
            game.take(chosen)
    assert differing[0] == 0
    assert differing[1] > 0


def test_a_stop_ends_the_drawing_of_worlds_too() -> None:
    """Of all that were to be drawn a part is, whose first world is solved; without a stop nothing changes."""
    game = Game("bazar", seed=8)
    for call in ("8C", "pass", "pass", "pass", "pass"):
        game.play(call)
    tier = Tier(name="t", calls="rules", cards="search", worlds=30, weights="rules", candidates=100)
    player, drawn = TierPlayer(game.rules, tier), []

    class Counting(RulesLikelihood):
        def log_likelihoods(self, *arguments: Any) -> np.ndarray:
            drawn.append(len(arguments[2]))
            return super().log_likelihoods(*arguments)

    player._likelihood = Counting()
    assert len(player.think(game.decision(), stopped=lambda: True).weights) == 1
    assert sum(drawn) < 3000
    drawn.clear()
    whole = player.think(game.decision())
    assert sum(drawn) == 3000
    worlds, weights = weighted_worlds(
        game.rules, game.view(), 30, int(game.decision().seeds[0]), RulesLikelihood(), candidates=3000
    )
    assert (whole.hands == worlds["hands"]).all()
    assert (whole.weights == weights / weights.sum()).all()


def test_only_who_solves_worlds_searches() -> None:
    rules = load_rules("bazar")
    for tier, searches in ((READING, True), (Tier(name="t", calls="rules", cards="rules"), False)):
        player = TierPlayer(rules, tier)
        assert isinstance(player, SearchingAgent)
        assert player.searches == searches


def test_a_table_has_opponents_of_the_tier_and_a_partner_who_is_never_weak() -> None:
    rules = load_rules("bazar")
    partners = {"easy": "hard", "normal": "hard", "hard": "hard", "crazy": "crazy"}
    for tier, partner in partners.items():
        seated = agents.table(tier, rules, seat=1)
        assert {seat: agent.name for seat, agent in seated.items()} == {
            0: f"tier:{tier}", 2: f"tier:{tier}", 3: f"tier:{partner}",
        }  # fmt: skip
    assert sorted(agents.table("easy", load_rules("bela3"))) == [1, 2]
    assert {agent.name for agent in agents.table("easy", load_rules("bela3")).values()} == {"tier:easy"}
    with pytest.raises(agents.SpecError, match="no tier 'hrad'"):
        agents.table("hrad", rules)
    with pytest.raises(ValueError, match="there is no seat 4"):
        agents.table("easy", rules, seat=4)


def test_the_spec_takes_a_file_and_networks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load_rules("bazar")
    (tmp_path / "mine.toml").write_text('calls = "rules"\ncards = "rules"\n')
    player = agents.make(f"tier:{tmp_path / 'mine.toml'}", rules)
    assert player.name == f"tier:{tmp_path / 'mine.toml'}"
    with pytest.raises(agents.SpecError, match=r"name a folder that `blot export` wrote"):
        agents.make(f"tier:easy,networks={tmp_path}", rules)
    with pytest.raises(agents.SpecError, match=r"no checkpoints/bazar/network; the nearest that ships with blot is"):
        agents.make("tier:easy,networks=checkpoints/bazar/network", rules)
    monkeypatch.chdir(tmp_path)
    assert agents.make("tier:easy,networks=checkpoints/bazar/networks", rules).networks is not None
    with pytest.raises(agents.SpecError, match="no tier 'esay'"):
        agents.make("tier:esay", rules)


def test_who_passes_where_it_considers_nothing_but_a_contra() -> None:
    only = agents.tiers.judges.Judgement(np.array([CONTRA]), np.zeros(1))
    assert only.without_contra().actions.tolist() == [PASS]
