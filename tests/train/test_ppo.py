"""An update makes good actions likelier, bad ones less likely, by little, and the critic's error smaller."""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest
import torch

from agents.network import PolicyNetwork
from agents.sizes import NetworkSize, TrunkSize
from blot_env import BatchEnv, load_rules
from train.compact import Compact
from train.experience import Experience
from train.loop import Metrics
from train.ppo import Anchor, Critic, Learner, Step, opinions_of
from train.rollout import NetworkPlayer, Recorder, play_deals

RULES = load_rules("bazar")
SIZE = TrunkSize(width=32, blocks=1)
TABLES = 60
STEP = Step(
    learning_rate=1e-3,
    critic_learning_rate=1e-3,
    entropy_cards=0.0,
    entropy_calls=0.0,
    clip=0.2,
    trace=1.0,
    epochs=1,
    minibatch=512,
    max_gradient=0.5,
)


@pytest.fixture
def learner() -> Learner:
    torch.manual_seed(0)
    policy = PolicyNetwork(RULES, NetworkSize(cards=SIZE, auction=SIZE))
    return Learner(policy, Critic(RULES.oracle.size, SIZE))


@pytest.fixture
def experience(learner: Learner) -> Experience:
    """Real decisions, each taken for a deal of its own; `judged` says what it was worth."""
    compact = Compact(RULES, learner.policy)
    seats = np.zeros((TABLES, RULES.players), np.int64)
    recorder = Recorder(RULES, compact, seats - 1, 0)
    player = NetworkPlayer(learner.policy, compact, recorder)
    reward, _ = play_deals(BatchEnv(RULES, TABLES), [player], seats, np.arange(TABLES), np.random.default_rng(0))
    played = recorder.experience(reward)
    return replace(played, table=np.arange(len(played)), step=np.zeros(len(played), np.int64))


def judged(experience: Experience, gains: np.ndarray) -> Experience:
    """The same decisions with advantages (m,): what the acting side wins, as the new critic expects 0 everywhere."""
    of_first = np.where(experience.side == 0, gains, -gains)
    return replace(experience, reward=np.stack([of_first, -of_first], 1).astype(np.float32))


@torch.no_grad()
def log_probabilities(learner: Learner, experience: Experience) -> np.ndarray:
    """What the policy thinks of the actions taken, (m,)."""
    policy, action = learner.policy, experience.action[:, None]
    observations = experience.inputs[:, : policy.columns].float()
    cards = policy.card_log_probabilities(observations, experience.legal[:, :32]).gather(1, action.clamp(max=31))
    legal = experience.legal[:, : policy.choices]
    choice, steps = policy.call_log_probabilities(observations, legal, experience.raises)
    call = action.clamp(max=policy.choices - 1)
    step = steps[torch.arange(len(call)), policy.ladder_of[call[:, 0]]]
    calls = choice.gather(1, call) + step.gather(1, experience.raised[:, None])
    return np.where(experience.is_card, cards[:, 0].numpy(), calls[:, 0].numpy())


def improve(learner: Learner, experience: Experience, **changes: float) -> tuple[np.ndarray, Metrics]:
    """Make one update; return by how much the log-probability of each action rose, (m,), and the metrics."""
    before = log_probabilities(learner, experience)
    metrics = learner.improve(experience, replace(STEP, **changes), np.random.default_rng(1))
    return log_probabilities(learner, experience) - before, metrics


def kinds(experience: Experience) -> Sequence[np.ndarray]:
    return experience.is_card, ~experience.is_card


def test_the_rollout_noted_what_the_policy_thought(learner: Learner, experience: Experience) -> None:
    noted = experience.log_probability.numpy()
    assert log_probabilities(learner, experience) == pytest.approx(noted, abs=1e-5)


def test_good_actions_become_likelier_and_bad_ones_less_likely(learner: Learner, experience: Experience) -> None:
    good = experience.action.numpy() % 2 == 0
    rise, _ = improve(learner, judged(experience, np.where(good, 1.0, -1.0)), epochs=2)
    for kind in kinds(experience):
        assert rise[kind & good].mean() > 0.01
        assert rise[kind & ~good].mean() < -0.01


def test_calls_and_cards_are_each_judged_by_their_own_kind(learner: Learner, experience: Experience) -> None:
    """Calls that all win more than any card does are still better and worse among themselves."""
    good = experience.action.numpy() % 2 == 0
    gains = np.where(good, 1.0, -1.0) + 10 * ~experience.is_card
    rise, _ = improve(learner, judged(experience, gains), epochs=2)
    for kind in kinds(experience):
        assert rise[kind & good].mean() > 0.01
        assert rise[kind & ~good].mean() < -0.01


@pytest.mark.parametrize("far", [True, False], ids=["far enough", "the wrong way"])
def test_what_has_moved_as_far_as_the_clip_allows_is_left_alone(
    learner: Learner, experience: Experience, far: bool
) -> None:
    """Judged by a policy that has since moved by a factor e, towards good actions (or away from them)."""
    gains = np.where(experience.action.numpy() % 2 == 0, 1.0, -1.0)
    noted = log_probabilities(learner, experience) - (gains if far else -gains)
    then = replace(judged(experience, gains), log_probability=torch.from_numpy(noted.astype(np.float32)))
    rise, metrics = improve(learner, then)
    assert metrics["clip_fraction/cards"] == metrics["clip_fraction/calls"] == 1
    assert not rise.any() if far else (rise * gains).mean() > 0.01


def test_a_bonus_spreads_the_policy(learner: Learner, experience: Experience) -> None:
    nothing = judged(experience, np.zeros(len(experience)))
    with torch.no_grad():  # opinions that the bonus can soften
        for head in (learner.policy.cards_head, learner.policy.auction_head):
            torch.nn.init.normal_(head.weight)
    settings = {"epochs": 3, "learning_rate": 3e-3, "entropy_cards": 1.0, "entropy_calls": 1.0}
    noted = torch.from_numpy(log_probabilities(learner, nothing))
    _, first = improve(learner, replace(nothing, log_probability=noted), **settings)
    noted = torch.from_numpy(log_probabilities(learner, nothing))
    _, second = improve(learner, replace(nothing, log_probability=noted), **settings)
    for name in ("entropy/calls", "entropy/cards"):
        assert second[name] > first[name] + 0.02


def test_the_critic_comes_nearer_to_the_results(learner: Learner, experience: Experience) -> None:
    gains = np.where(experience.is_card, 1.0, -1.0)
    case = judged(experience, gains)
    assert not learner.values(case).any()
    improve(learner, case, epochs=4)
    assert ((learner.values(case) - gains) ** 2).mean() < 0.7


def anchored(learner: Learner, experience: Experience, **changes: float) -> tuple[Learner, Metrics]:
    """Make some updates away from a policy of opinions; return the learner and the last metrics."""
    anchor = deepcopy(learner.policy)
    found = Learner(deepcopy(learner.policy), deepcopy(learner.critic), anchor)
    case = judged(experience, np.where(experience.action.numpy() % 2 == 0, 1.0, -1.0))
    for number in range(4):
        metrics = found.improve(case, replace(STEP, epochs=2, **changes), np.random.default_rng(number))
    return found, metrics


def opinionated(learner: Learner) -> Learner:
    with torch.no_grad():
        for head in (learner.policy.cards_head, learner.policy.auction_head):
            torch.nn.init.normal_(head.weight, std=0.3)
    return learner


def test_an_anchor_that_costs_nothing_changes_nothing(learner: Learner, experience: Experience) -> None:
    found, metrics = anchored(opinionated(learner), experience)
    without = Learner(deepcopy(learner.policy), deepcopy(learner.critic))
    case = judged(experience, np.where(experience.action.numpy() % 2 == 0, 1.0, -1.0))
    for number in range(4):
        plain = without.improve(case, replace(STEP, epochs=2), np.random.default_rng(number))
    first, second = found.tensors(), without.tensors()
    assert all(torch.equal(tensor, second[name]) for name, tensor in first.items())
    assert metrics == plain


def test_a_strong_anchor_keeps_the_policy_near(learner: Learner, experience: Experience) -> None:
    _, weak = anchored(opinionated(learner), experience, anchor=1e-6)
    _, strong = anchored(learner, experience, anchor=3.0)
    for name in ("anchor/calls", "anchor/cards"):
        assert 0 < 5 * strong[name] < weak[name]


@torch.no_grad()
def test_the_divergence_is_that_of_whole_actions(learner: Learner, experience: Experience) -> None:
    """Choice and raise as one distribution, written out; and nothing from itself."""
    other = deepcopy(opinionated(learner).policy)
    for parameter in other.parameters():
        parameter += 0.05 * torch.randn_like(parameter)
    calls, cards = (np.flatnonzero(kind)[:40] for kind in (~experience.is_card, experience.is_card))
    rows = torch.from_numpy(np.concatenate([calls, cards]))
    inputs = experience.inputs[rows].float()
    own = opinions_of(learner.policy, experience, rows, len(calls), inputs)
    assert not Anchor(learner.policy, experience).divergence(own, rows).abs().max() > 1e-6

    def actions(policy: PolicyNetwork) -> tuple[np.ndarray, np.ndarray]:
        found = opinions_of(policy, experience, rows, len(calls), inputs)
        pairs = found.choice[:, :, None] + found.steps[:, policy.ladder_of]  # (calls, choices, raises)
        return pairs.double().exp().flatten(1).numpy(), found.cards.double().exp().numpy()

    expected = []
    for mine, theirs in zip(actions(learner.policy), actions(other), strict=True):
        possible = mine > 0
        ratio = np.divide(mine, theirs, out=np.ones_like(mine), where=possible)
        expected.append((mine * np.log(ratio)).sum(1))
    found = Anchor(other, experience).divergence(own, rows).numpy()
    assert found == pytest.approx(np.concatenate(expected), abs=1e-4)
    assert found.min() > 0
