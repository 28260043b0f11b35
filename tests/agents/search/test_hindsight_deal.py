"""The worth of a deal before anybody speaks, against the play of the whole deal in each contract."""

import numpy as np
import pytest

from agents.search.hindsight_deal import KINDS, worth_of
from agents.search.solver import every_contract, play_best
from blot_env import BatchEnv, RuleSet, load_rules


def deals(rules: RuleSet, boards: int, seed: int = 0) -> np.ndarray:
    env = BatchEnv(rules, boards, seed=seed)
    env.reset()
    return env.states


def margin(rules: RuleSet, end: np.void) -> float:
    points = end["result"]["points"][: rules.sides]
    side = rules.side(int(end["public"]["bidder"]))
    return float(points[side] - np.delete(points, side).mean())


@pytest.mark.parametrize("name", ["bazar", "duel"])
def test_each_contract_is_paid_as_if_it_were_played_out(name: str) -> None:
    rules = load_rules(name)
    starts = deals(rules, 1 if rules.numbered else 3)
    for start, worth in zip(starts, worth_of(rules, starts), strict=True):
        boards = every_contract(rules, start)
        paid, numbers = np.zeros(boards.shape), np.zeros(boards.shape)
        for place in np.ndindex(boards.shape):
            for number in range(rules.min_number, rules.max_number + 1) if rules.numbered else [0]:
                board = boards[place].copy()
                board["public"]["number"] = number
                end = play_best(rules, np.array([board]), threads=1)[0]
                makes = end["result"]["made"] == 1
                if makes or number == rules.min_number or not rules.numbered:
                    paid[place], numbers[place] = margin(rules, end), number if makes else number - 1
                if not makes:
                    break
        assert worth[:, KINDS.index("best")] == pytest.approx(paid.max(0))
        assert worth[:, KINDS.index("mean")] == pytest.approx(paid.mean(0))
        if rules.numbered:
            assert worth[:, KINDS.index("number")] == pytest.approx(numbers.max(0))
            assert (worth[:, KINDS.index("turned")] == 0).all()
        else:
            suit = "CDHS"[start["public"]["turned"] // 8]
            turned = np.maximum(paid[rules.strains.index(suit)], 0)
            assert worth[:, KINDS.index("turned")] == pytest.approx(turned)


def test_a_deal_whose_namer_will_discard_is_worth_nothing_known() -> None:
    rules = load_rules("bela3")
    assert (worth_of(rules, deals(rules, 2)) == 0).all()


def test_threads_change_nothing() -> None:
    rules = load_rules("duel")
    starts = deals(rules, 30)
    assert (worth_of(rules, starts, 1) == worth_of(rules, starts, 3)).all()
