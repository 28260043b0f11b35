"""Reordering the columns is what renaming the suits does."""

from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from agents.suits import reordering
from blot_env import RULESETS, Game, load_rules
from blot_env.observing import observe_all
from tests.renaming import moments, renamed_actions, renamed_deal


def oracle(game: Game) -> NDArray[np.uint8]:
    row = np.empty(game.rules.oracle.size, np.uint8)
    observe_all(game.rules.record, game.states, 0, row)
    return row


# blocks that a game with hidden cards has all the same
EMPTY = {
    "duel": {"down", "more"},
    "bela4": {"turned", "aside", "known", "more"},
    "bela3": {"turned", "known", "more"},
    "bela2": {"more"},
}


@pytest.mark.parametrize("preset", RULESETS)
def test_a_deal_with_renamed_suits_looks_as_the_reordered_columns(preset: str) -> None:
    rules, rng = load_rules(preset), np.random.default_rng(0)
    orders = list(permutations(range(4)))[1::3]
    phases, seen = set(), np.zeros(rules.oracle.size, bool)
    for board, order in enumerate(2 * orders):
        game = Game(rules, seed=3, board=board)
        twin = renamed_deal(game, order)
        actions, columns = renamed_actions(rules, order), reordering(rules, rules.oracle, order)
        renamed = actions.argsort()  # by action, its new name
        for action in moments(game, rng):
            for seat in range(rules.players):
                observation, mask = game.observe(seat)
                observed, allowed = twin.observe(seat)
                assert np.array_equal(observed, observation[columns[: rules.observation.size]])
                assert np.array_equal(allowed, mask[actions])
            assert np.array_equal(oracle(twin), oracle(game)[columns])
            phases.add(game.phase)
            seen |= oracle(game).astype(bool)
            twin.take(int(renamed[action]))
    assert {"auction", "play"} <= phases
    empty = {name for name in rules.oracle.names if not seen[rules.oracle[name]].any()}
    assert empty == EMPTY.get(preset, set()), "every other block was put to the test"


@pytest.mark.parametrize("preset", RULESETS)
def test_an_order_and_its_inverse_undo_each_other(preset: str) -> None:
    rules = load_rules(preset)
    for layout in (rules.observation, rules.oracle):
        columns = np.arange(layout.size)
        for order in permutations(range(4)):
            back = reordering(rules, layout, np.argsort(order).tolist())
            assert np.array_equal(columns[reordering(rules, layout, order)][back], columns)
