"""The teacher learns values and holders, the policy what the teacher makes of them."""

from collections.abc import Iterator

import numpy as np
import pytest
import torch

from agents.checkpoint import load_checkpoint
from agents.network import PolicyNetwork
from agents.sizes import NetworkSize, TrunkSize
from blot_env import BatchEnv, load_rules
from train.compact import Compact
from train.distillation.config import LearningConfig
from train.distillation.labels import TrueDeal, pay_of
from train.distillation.learner import Learner, Step
from train.distillation.positions import Notes, Positions, Wanderer
from train.parts import single_thread
from train.rollout import NetworkPlayer, play_deals

SMALL = NetworkSize(cards=TrunkSize(width=32, blocks=1), auction=TrunkSize(width=8, blocks=0))
RULES = load_rules("bazar")


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    """Several wait for each other on a machine that is busy."""
    with single_thread():
        yield


def learner(**settings: object) -> Learner:
    torch.manual_seed(0)
    return Learner(RULES, PolicyNetwork(RULES, SMALL), TrunkSize(width=64, blocks=1), LearningConfig(**settings))


def some_positions(policy: PolicyNetwork, tables: int, seed: int) -> Positions:
    """Labelled positions of the last tricks."""
    compact, rng = Compact(RULES, policy), np.random.default_rng(seed)
    notes = Notes(compact, (0, 0, 0, 0, 1), 0)
    player = Wanderer(NetworkPlayer(policy, compact, notes), 0.1)
    play_deals(BatchEnv(RULES, tables, seed=seed), [player], np.zeros((tables, 4), int), np.arange(tables), rng)
    return notes.labelled(RULES, TrueDeal(RULES, 1, pay_of(RULES, 0, "played")), rng)


def test_targets_are_probabilities_of_the_legal_cards() -> None:
    torch.manual_seed(1)
    legal = torch.rand(50, 32) < 0.2
    legal[:, :2] = True
    values, before = torch.randn(50, 32) * 0.1, torch.randn(50, 32).masked_fill(~legal, -1e9).log_softmax(1)
    for settings in ({}, {"temperature": 0.01}, {"anchor": 0}, {"targets": "labels"}):
        targets = learner(**settings).targets(values, -values, before, legal)
        assert targets.sum(1) == pytest.approx(torch.ones(50))
        assert (targets[~legal] == 0).all()
        assert (targets[legal] > 0).all() or settings


def test_targets_weigh_values_and_the_policy_as_it_came() -> None:
    legal = torch.tensor([[True, True, False] + 29 * [False]])
    before = torch.log(torch.tensor([[0.8, 0.2, 0.0] + 29 * [0.0]]))
    values, labels = torch.zeros(1, 32), torch.zeros(1, 32)
    before = before.clamp(min=-1e9)
    still = learner(anchor=1.0).targets(values, labels, before, legal)
    assert still[0, :2] == pytest.approx(torch.tensor([0.8, 0.2])), "a teacher that knows nothing changes nothing"
    values[0, 1] = 0.1  # two match points
    odds = learner(anchor=0.0, temperature=0.5).targets(values, labels, before, legal)[0, :2].log()
    assert float(odds[1] - odds[0]) == pytest.approx(2 / 0.5)
    labels[0, 0] = 0.1
    odds = learner(anchor=0.0, temperature=0.5, targets="labels").targets(values, labels, before, legal)[0, :2].log()
    assert float(odds[0] - odds[1]) == pytest.approx(2 / 0.5)


def test_holders_are_read_off_the_oracle() -> None:
    teacher = learner().teacher
    oracle = torch.zeros(1, RULES.oracle.size)
    oracle[0, RULES.oracle["unseen"]][[3, 8, 20]] = 1
    hands = RULES.oracle["hands"].start
    oracle[0, [hands + 3, hands + 2 * 32 + 8]] = 1
    unseen, holder = teacher.holders(oracle)
    assert unseen.nonzero()[:, 1].tolist() == [3, 8, 20]
    assert holder[0, [3, 8, 20]].tolist() == [0, 2, 3], "the next seat, the one before, nobody"


def test_learning_raises_the_agreement_with_double_dummy() -> None:
    """The policy bids as the one that ships does, and knows nothing of cards."""
    torch.manual_seed(0)
    policy, _ = load_checkpoint("checkpoints/bazar", RULES)
    torch.nn.init.orthogonal_(policy.cards_head.weight, 0.01)
    torch.nn.init.zeros_(policy.cards_head.bias)
    settings = LearningConfig(minibatch=128, anchor=0, temperature=0.3)
    student = Learner(RULES, policy, TrunkSize(width=64, blocks=1), settings)
    fresh, positions = (some_positions(policy, tables, seed) for tables, seed in ((500, 8), (1500, 7)))
    auction = policy.auction_head.weight.clone()
    before = student.judge(fresh)
    student.learn(positions, len(positions), Step(5e-4, 5e-4), np.random.default_rng(0))
    after = student.judge(fresh)
    assert before["policy/gain"] == 0
    assert after["policy/gain"] > 0.3, "match points a decision, by double dummy"
    assert after["policy/agreement"] > before["policy/agreement"]
    assert after["teacher/gain"] > 0.3
    assert after["teacher/holders"] > 0.37, "which of three seats holds a card"
    assert torch.equal(policy.auction_head.weight, auction)
