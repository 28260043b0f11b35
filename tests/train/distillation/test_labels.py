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
from train.distillation.labels import Imagined, TrueDeal, pay_of
from train.distillation.positions import centred

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
    labels, points = TrueDeal(rules, 1, pay_of(rules, WIN, "solved"))(states, decisions.seeds)
    legal = decisions.masks[:, :32] > 0
    choosing = np.isfinite(labels).any(1)
    assert choosing.any()
    assert (np.isfinite(labels) == legal & choosing[:, None]).all()

    room, outcomes = Room(rules), np.empty(32)
    win = WIN * values_of(rules).tenth
    for row in np.flatnonzero(choosing):
        weigh_cards(rules.record, states[row], True, win, room.table, room.search, room.cards, outcomes)
        assert labels[row] == pytest.approx(outcomes)
        weigh_cards(rules.record, states[row], False, win, room.table, room.search, room.cards, outcomes)
        apart = 2 * (points[row, legal[row]] - points[row, legal[row]].max())
        assert apart == pytest.approx(outcomes[legal[row]] - outcomes[legal[row]].max(), abs=2), "no trick is no point"
    best = Seer(rules).act_seeing(decisions, states)
    assert (labels[np.arange(len(best)), best] == labels.max(1)).all()


@pytest.mark.parametrize("preset", ["bazar", "duel"])
def test_labels_of_imagined_deals_are_means_over_worlds(preset: str) -> None:
    rules = load_rules(preset)
    decisions, states = positions(rules, cards=8 if preset == "duel" else 18, most=16)
    pay = pay_of(rules, WIN, "played")
    true = TrueDeal(rules, 1, pay)
    for likelihood in (None, RulesLikelihood()):
        found = Imagined(rules, 1, pay, 4, 5, likelihood)(states, decisions.seeds)
        choosing = np.isfinite(found[0]).any(1)
        assert (choosing == np.isfinite(true(states, decisions.seeds)[0]).any(1)).all()
        for row in np.flatnonzero(choosing):
            view, seed = decisions.views[row : row + 1], int(decisions.seeds[row])
            if likelihood is None:
                worlds, weights = sample_worlds(rules, view, 4, seed), np.full(4, 0.25)
            else:
                worlds, weights = weighted_worlds(rules, view, 4, seed, likelihood, candidates=20)
            means = weights @ true(worlds, np.zeros(4, np.int64))
            assert found[:, row] == pytest.approx(means)


def test_labels_are_the_same_on_any_number_of_threads() -> None:
    rules = load_rules("bazar")
    decisions, states = positions(rules, cards=16)
    pay = pay_of(rules, WIN, "played")
    for one, three in (
        (TrueDeal(rules, 1, pay), TrueDeal(rules, 3, pay)),
        (Imagined(rules, 1, pay, 2, 3, RulesLikelihood()), Imagined(rules, 3, pay, 2, 3, RulesLikelihood())),
    ):
        assert np.array_equal(one(states, decisions.seeds), three(states, decisions.seeds))


def test_real_play_softens_what_decides_a_contract() -> None:
    """Paid as play comes out values vary less from card to card, and those that take more points are worth more.

    All tricks are left out: their bonus is lost, too, with a contract that is out of reach.
    """
    rules = load_rules("bazar")
    _, states = positions(rules, cards=4)
    spreads = {}
    for outcomes in ("solved", "played"):
        values, points = TrueDeal(rules, 1, pay_of(rules, 0, outcomes))(states, states["seed"])
        choosing = np.isfinite(values).any(1)
        values, points = values[choosing], points[choosing]
        spreads[outcomes] = centred(values, np.isfinite(values)).std()
        for value, point in zip(values, points, strict=True):
            kept = np.isfinite(value) & (np.abs(point) <= 162)
            order = np.argsort(point[kept])
            assert (np.diff(value[kept][order])[np.diff(point[kept][order]) > 0] > 0).all()
    assert 0 < spreads["played"] < 0.8 * spreads["solved"]
