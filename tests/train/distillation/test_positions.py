"""Positions are noted before anything is played in them, and remembered as they were."""

import numpy as np
import pytest
import torch

from agents.network import PolicyNetwork
from agents.sizes import NetworkSize, TrunkSize
from blot_env import BatchEnv, RuleSet, load_rules
from blot_env.state import PLAY
from train.compact import Compact
from train.distillation.positions import Notes, Positions, Wanderer, centred, no_positions
from train.rollout import Moment, NetworkPlayer, play_deals

SMALL = NetworkSize(cards=TrunkSize(width=8, blocks=0), auction=TrunkSize(width=8, blocks=0))
TABLES = 24


class Kept:
    """Labels that keep the states; each card is worth its number."""

    def __call__(self, states: np.ndarray, seeds: np.ndarray) -> np.ndarray:
        self.states = states
        hands = states["hands"][np.arange(len(states)), states["public"]["seat"]]
        held = hands[:, None] >> np.arange(32) & 1 > 0
        values = np.where(held, np.arange(32.0), -np.inf)
        return np.stack([values, np.where(held, -values, -np.inf)])


def played(rules: RuleSet, deviations: float, shares: tuple[float, ...] = (1.0,)) -> tuple[Positions, np.ndarray]:
    """Positions of some deals and their states."""
    torch.manual_seed(0)
    policy = PolicyNetwork(rules, SMALL)
    compact, labels = Compact(rules, policy), Kept()
    notes = Notes(compact, shares, 0)
    player = Wanderer(NetworkPlayer(policy, compact, notes), deviations)
    env, rng = BatchEnv(rules, TABLES, seed=3), np.random.default_rng(1)
    play_deals(env, [player], np.zeros((TABLES, rules.players), np.int64), np.arange(TABLES), rng)
    return notes.labelled(rules, labels, np.random.default_rng(2)), labels.states


@pytest.mark.parametrize("preset", ["bazar", "duel", "bela3"])
def test_positions_are_those_of_the_deals(preset: str) -> None:
    rules = load_rules(preset)
    positions, states = played(rules, 0.2)
    assert len(positions) == len(states) > 0
    assert (states["public"]["phase"] == PLAY).all()
    oracle, legal, values, points = positions.batch(rules.oracle.size)
    assert (legal.sum(1) > 1).all()
    hand = oracle[:, rules.oracle["hand"]]
    seats = states["public"]["seat"]
    held = np.bitwise_count(states["hands"][np.arange(len(states)), seats])
    assert np.array_equal(hand.sum(1).numpy(), held)
    assert ((hand > 0) | ~legal).all(), "legal cards are cards in the hand, in the same order of the suits"
    assert values.masked_fill(~legal, 0).sum(1).abs().max() < 0.01
    assert (values[~legal] == 0).all()
    assert torch.allclose(values * 200 / rules.record.unit, -points * 20, atol=0.05)
    spread = np.where(legal.numpy(), values.numpy() * 200 / rules.record.unit, np.nan)
    ranges = np.nanmax(spread, 1) - np.nanmin(spread, 1)
    assert ranges == pytest.approx(np.round(ranges), abs=0.05), "cards are worth their numbers"


def test_what_is_played_is_no_part_of_a_position() -> None:
    """All cards deviate, or none: the first decision of the play is noted alike, the later ones lead elsewhere."""
    rules = load_rules("bazar")
    found = []
    for deviations in (0.0, 1.0):
        positions, states = played(rules, deviations)
        length = states["public"]["length"]
        first = np.flatnonzero(length == length.min())
        first = first[np.argsort(states["board"][first])]
        found.append((positions, first, {row.tobytes() for row in states["hands"]}))
    (calm, first, hands), (wild, second, others) = found
    assert len(first) == len(second) > 0
    for name in ("inputs", "legal", "values", "points"):
        assert np.array_equal(getattr(calm, name)[first], getattr(wild, name)[second])
    assert hands != others


def test_deviations_are_legal_cards_and_as_many_as_wanted() -> None:
    rules = load_rules("bazar")

    class First:
        def act(self, moment: Moment, rows: np.ndarray) -> np.ndarray:
            return moment.mask[rows].argmax(1)

    env = BatchEnv(rules, 2000, seed=1)
    _, mask, seat = env.reset()
    rng = np.random.default_rng(0)
    changed = could = 0
    for step in range(40):
        moment, rows = Moment(env, mask, seat, env.oracle(), step, rng), np.arange(2000)
        actions = Wanderer(First(), 0.3).act(moment, rows)  # type: ignore[arg-type]
        assert (mask[rows, actions] > 0).all()
        play = env.states["public"]["phase"] == PLAY
        other = actions != First().act(moment, rows)
        assert not other[~play].any(), "calls are the policy's"
        legal = mask[play].sum(1)
        changed, could = changed + other.sum(), could + (1 - 1 / legal).sum()
        _, mask, seat, *_ = env.step(env.sample(mask))
    assert changed / could == pytest.approx(0.3, abs=0.03)


def test_shares_are_by_trick() -> None:
    rules = load_rules("bazar")
    _, every = played(rules, 0.0)
    _, some = played(rules, 0.0, (0.0, 0.0, 0.5))
    every, some = (np.bincount(states["public"]["trick_number"], minlength=8) for states in (every, some))
    assert not some[:2].any()
    assert every[0] > 0
    assert 0.3 < some[2:].sum() / every[2:].sum() < 0.7


def test_only_the_latest_are_remembered() -> None:
    rules = load_rules("bazar")
    positions, _ = played(rules, 0.0)
    both = no_positions(rules).followed_by(positions, 1000).followed_by(positions, len(positions) + 3)
    assert len(both) == len(positions) + 3
    assert np.array_equal(both.inputs[3:], positions.inputs)
    assert np.array_equal(both.inputs[:3], positions.inputs[-3:])


def test_centred_values_of_legal_cards_sum_to_nothing() -> None:
    values, legal = np.array([[1.0, 2.0, -np.inf, 6.0]]), np.array([[True, True, False, True]])
    assert centred(values, legal).tolist() == [[-2, -1, 0, 3]]
