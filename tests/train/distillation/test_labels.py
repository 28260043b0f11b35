"""Labels are what a seer would weigh, in the true deal and in imagined ones."""

import numpy as np
import pytest
from numpy.typing import NDArray

from agents.rule_based.stakes import WIN
from agents.rule_based.values import values_of
from agents.search.likelihood import RulesLikelihood, weighted_worlds
from agents.search.seer import Seer
from agents.search.weighing import Room, weigh_cards
from agents.search.worlds import sample_worlds
from blot_env import RULESETS, BatchEnv, RuleSet, load_rules
from blot_env.state import PLAY
from blot_env.views import Decisions
from train.distillation.labels import Imagined, TrueDeal

PRESETS = [
    name if name in ("bazar", "duel", "bela3") else pytest.param(name, marks=pytest.mark.slow) for name in RULESETS
]


def positions(rules: RuleSet, cards: int = 12, most: int = 40) -> tuple[Decisions, NDArray[np.void]]:
    """Positions of random deals in which seats are to play, after so many cards or more, with the whole deals."""
    env = BatchEnv(rules, 60, seed=4)
    _, mask, _ = env.reset()
    for _ in range(60):
        public = env.states["public"]
        played = np.bitwise_count(public["played"]).sum(1)
        rows = np.flatnonzero((public["phase"] == PLAY) & (played >= cards))[:most]
        if len(rows) >= most // 2:
            return env.decisions(rows), env.states[rows]
        _, mask, *_ = env.step(env.sample(mask))
    raise AssertionError("random deals never came so far")


@pytest.mark.parametrize("preset", PRESETS)
def test_labels_of_the_true_deal_are_what_the_seer_weighs(preset: str) -> None:
    rules = load_rules(preset)
    decisions, states = positions(rules)
    labels = TrueDeal(rules, 1)(states, decisions.seeds)
    legal = decisions.masks[:, :32] > 0
    choosing = np.isfinite(labels).any(1)
    assert choosing.any()
    assert (np.isfinite(labels) == legal & choosing[:, None]).all()

    room, outcomes = Room(rules), np.empty(32)
    win = WIN * values_of(rules).tenth
    for row in np.flatnonzero(choosing):
        weigh_cards(rules.record, states[row], True, win, room.table, room.search, room.cards, outcomes)
        assert np.array_equal(labels[row], outcomes)
    best = Seer(rules).act_seeing(decisions, states)
    assert (labels[np.arange(len(best)), best] == labels.max(1)).all()


@pytest.mark.parametrize("preset", ["bazar", "duel"])
def test_labels_of_imagined_deals_are_means_over_worlds(preset: str) -> None:
    rules = load_rules(preset)
    decisions, states = positions(rules, cards=8 if preset == "duel" else 18, most=16)
    true = TrueDeal(rules, 1)
    for likelihood in (None, RulesLikelihood()):
        found = Imagined(rules, 1, 4, 5, likelihood)(states, decisions.seeds)
        assert (np.isfinite(found).any(1) == np.isfinite(true(states, decisions.seeds)).any(1)).all()
        for row in np.flatnonzero(np.isfinite(found).any(1)):
            view, seed = decisions.views[row : row + 1], int(decisions.seeds[row])
            if likelihood is None:
                worlds, weights = sample_worlds(rules, view, 4, seed), np.full(4, 0.25)
            else:
                worlds, weights = weighted_worlds(rules, view, 4, seed, likelihood, candidates=20)
            assert found[row] == pytest.approx(weights @ true(worlds, np.zeros(4, np.int64)))


def test_labels_are_the_same_on_any_number_of_threads() -> None:
    rules = load_rules("bazar")
    decisions, states = positions(rules, cards=16)
    for one, three in (
        (TrueDeal(rules, 1), TrueDeal(rules, 3)),
        (Imagined(rules, 1, 2, 3, RulesLikelihood()), Imagined(rules, 3, 2, 3, RulesLikelihood())),
    ):
        assert np.array_equal(one(states, decisions.seeds), three(states, decisions.seeds))
