"""Rollouts record what the learner decided and nothing else; advantages run through both sides."""

import numpy as np
import pytest
import torch

import agents
from agents.network import PolicyNetwork
from agents.random_player import RandomPlayer
from agents.sizes import NetworkSize, TrunkSize
from agents.spec import AGENTS, Entry
from blot_env import RULESETS, BatchEnv, RuleSet, load_rules
from blot_env.actions import PASS
from train.compact import Compact
from train.config import LeagueConfig
from train.experience import Experience, advantages
from train.league import League
from train.rollout import AgentPlayer, ForcedOpening, Moment, NetworkPlayer, Recorder, Teacher, play_deals

RULES = load_rules("bazar")
SMALL = NetworkSize(cards=TrunkSize(width=8, blocks=0), auction=TrunkSize(width=8, blocks=0))
TABLES = 40


class Searcher(RandomPlayer):
    """Stands for agents that search, without the time that they take."""

    searches, timed = True, False

    def __init__(self, rules: RuleSet, worlds: int = 1) -> None:
        super().__init__(rules)


class Passes:
    """Passes, and plays any card."""

    def act(self, moment: Moment, rows: np.ndarray) -> np.ndarray:
        return np.where(moment.mask[rows, PASS] > 0, PASS, moment.mask[rows].argmax(1))


@pytest.fixture(scope="module")
def compact() -> Compact:
    torch.manual_seed(0)
    return Compact(RULES, PolicyNetwork(RULES, SMALL))


@pytest.fixture(scope="module")
def policy() -> PolicyNetwork:
    torch.manual_seed(0)
    return PolicyNetwork(RULES, SMALL)


def experience_of(table: list[int], side: list[int], reward: list[list[float]]) -> Experience:
    count = len(table)
    empty = torch.zeros(count, dtype=torch.int64)
    step = np.array([table[:index].count(table[index]) for index in range(count)])
    order = np.argsort(step, kind="stable")
    return Experience(
        inputs=empty,
        legal=empty,
        raises=empty,
        action=empty,
        raised=empty,
        log_probability=empty,
        is_card=np.ones(count, bool),
        table=np.array(table)[order],
        side=np.array(side)[order],
        step=step[order],
        reward=np.array(reward, np.float32),
    )


def zero_sum(*rewards: float) -> list[list[float]]:
    """By table, of two sides."""
    return [[reward, -reward] for reward in rewards]


def test_without_a_trace_an_advantage_is_the_change_of_value() -> None:
    experience = experience_of([0, 0, 0], [0, 1, 1], zero_sum(2.0))
    values = np.array([0.5, -0.25, 1.0], np.float32)  # for side 0: 0.5, 0.25, -1, and 2 at the end
    gains, targets = advantages(experience, values, trace=0)
    assert gains.tolist() == [-0.25, 1.25, -3.0]
    assert targets.tolist() == [0.25, 1.0, -2.0]


def test_with_a_full_trace_the_target_is_the_result() -> None:
    experience = experience_of([0, 1, 0, 1, 1], [0, 1, 1, 0, 1], zero_sum(2.0, -1.0))
    values = np.array([0.5, 0.25, 0.0, 1.0, -1.0], np.float32)
    gains, targets = advantages(experience, values, trace=1)
    wanted = experience.reward[experience.table, experience.side]
    assert targets.tolist() == wanted.tolist()
    assert gains.tolist() == (wanted - values).tolist()


def test_a_trace_in_between_is_discounted() -> None:
    experience = experience_of([0, 0], [0, 0], zero_sum(1.0))
    gains, _ = advantages(experience, np.array([0.5, 0.25], np.float32), trace=0.5)
    assert gains.tolist() == [-0.25 + 0.5 * 0.75, 0.75]


def test_each_of_three_sides_has_a_trajectory_of_its_own() -> None:
    experience = experience_of([0, 0, 1, 0, 0], [2, 0, 2, 1, 2], [[1.0, 0.5, -1.5], [0.0, 0.0, 3.0]])
    values = np.array([0.25, 2.0, 0.5, -1.0, 0.75], np.float32)
    assert list(zip(experience.table, experience.side, strict=True)) == [(0, 2), (1, 2), (0, 0), (0, 1), (0, 2)]
    gains, targets = advantages(experience, values, trace=0)
    assert targets.tolist() == [0.75, 3.0, 1.0, 0.5, -1.5], "the side's next decision, or else its result"
    assert gains.tolist() == (targets - values).tolist()
    _, targets = advantages(experience, values, trace=1)
    assert targets.tolist() == [-1.5, 3.0, 1.0, 0.5, -1.5]


def test_only_choices_of_the_learner_are_recorded(compact: Compact, policy: PolicyNetwork) -> None:
    env = BatchEnv(RULES, TABLES, seed=1)
    seats = np.zeros((TABLES, 4), np.int64)
    seats[:20, 1::2] = 1
    strangers = np.where(seats == 1, 0, -1)
    recorder = Recorder(RULES, compact, strangers, 1)
    players = [NetworkPlayer(policy, compact, recorder), AgentPlayer(agents.make("random", RULES), 0)]
    reward, results = play_deals(env, players, seats, np.arange(TABLES), np.random.default_rng(0))
    experience = recorder.experience(reward)

    assert set(experience.side[experience.table < 20]) == {0}
    assert set(experience.side[experience.table >= 20]) == {0, 1}
    assert experience.inputs.shape == (len(experience), RULES.oracle.size + 3)
    met = experience.inputs[:, RULES.oracle.size :].numpy()  # at seats 1 to 3 from the one to act
    assert (met == np.where(experience.table < 20, [[1], [0], [1]], 0).T).all()
    assert (np.diff(experience.step) >= 0).all()
    assert len(np.unique(experience.table * 1000 + experience.step)) == len(experience)
    legal = experience.legal.numpy()
    assert legal[np.arange(len(legal)), experience.action.numpy()].all()
    assert (legal.sum(1) + np.maximum(experience.raises.numpy().max(1) - 1, 0) > 1).all()
    assert (experience.log_probability < 0).all()
    margin = results["points"][:, 0] - results["points"][:, 1]
    assert (reward[:, 1] == -reward[:, 0]).all()
    assert (np.sign(reward[:, 0]) == np.sign(margin)).all()
    assert (abs(reward) < 5).all()
    assert reward[abs(margin) < 20, 0] == pytest.approx(margin[abs(margin) < 20] / 20, abs=0.02)


@pytest.mark.parametrize("preset", [name for name in RULESETS if name != "bazar"])
def test_every_game_is_recorded(preset: str) -> None:
    rules, rng = load_rules(preset), np.random.default_rng(0)
    torch.manual_seed(0)
    policy = PolicyNetwork(rules, SMALL)
    compact = Compact(rules, policy)
    seats = np.zeros((TABLES, rules.players), np.int64)
    recorder = Recorder(rules, compact, seats - 1, 0)
    opening = ForcedOpening(rules, compact.order, 0.5, TABLES, rng)
    player = NetworkPlayer(policy, compact, recorder)
    reward, results = play_deals(BatchEnv(rules, TABLES), [player], seats, np.arange(TABLES), rng, opening)
    experience = recorder.experience(reward)
    legal = experience.legal.numpy()
    assert legal[np.arange(len(legal)), experience.action.numpy()].all()
    assert (experience.log_probability < 0).all()
    assert set(experience.side) == set(range(rules.sides))
    points = results["points"][:, : rules.sides]
    margins = points - (points.sum(1, keepdims=True) - points) / (rules.sides - 1)
    raw = margins * (1 if rules.rounding == "none" else 10)  # 200 raw points are a reward of 1, whatever the game
    assert reward == pytest.approx(5 * np.tanh(raw / 1000), abs=1e-5)
    assert (results["bidder"][opening.forces(0)] >= 0).all()


def test_a_teacher_is_recorded_where_others_led(compact: Compact) -> None:
    env = BatchEnv(RULES, TABLES, seed=2)
    seats = np.zeros((TABLES, 4), np.int64)
    rules, random = agents.make("rules", RULES), agents.make("random", RULES)
    rewards = []
    for deviations in (0.0, 1.0):
        recorder = Recorder(RULES, compact, seats - 1, 0)
        teacher = Teacher(rules, random, deviations, 0, compact, recorder)
        reward, _ = play_deals(env, [teacher], seats, np.arange(TABLES), np.random.default_rng(0))
        experience = recorder.experience(reward)
        legal = experience.legal.numpy()
        assert legal[np.arange(len(legal)), experience.action.numpy()].all()
        rewards.append(reward)
    for agent, reward in zip((rules, random), rewards, strict=True):
        alone, _ = play_deals(env, [AgentPlayer(agent, 0)], seats, np.arange(TABLES), np.random.default_rng(0))
        assert np.array_equal(alone, reward)


def test_forced_openings_make_contracts_and_are_not_recorded(compact: Compact, policy: PolicyNetwork) -> None:
    env = BatchEnv(RULES, TABLES, seed=3)
    rng = np.random.default_rng(0)

    seats = np.zeros((TABLES, 4), np.int64)
    opening = ForcedOpening(RULES, compact.order, 0.5, TABLES, rng)
    forced = opening.forces(0)
    assert 10 < forced.sum() < 30
    _, results = play_deals(env, [Passes()], seats, np.arange(TABLES), rng, opening)
    assert ((results["bidder"] >= 0) == forced).all()
    assert set(results["number"][forced]) <= set(range(8, 14))
    assert len(set((results["bidder"][forced] - np.flatnonzero(forced)) % 4)) == 4

    opening = ForcedOpening(RULES, compact.order, 1.0, TABLES, rng)
    recorder = Recorder(RULES, compact, seats - 1, 0)
    reward, _ = play_deals(env, [NetworkPlayer(policy, compact, recorder)], seats, np.arange(TABLES), rng, opening)
    experience = recorder.experience(reward)
    first = [experience.step[experience.table == table].min() for table in range(TABLES)]
    assert set(first) == {1, 2, 3, 4}


def test_forced_bids_are_those_that_the_rules_know() -> None:
    rules = load_rules("bazar", strains=["C", "D", "H", "S"], max_number=10)
    compact = Compact(rules, PolicyNetwork(rules, SMALL))
    rng = np.random.default_rng(0)
    opening = ForcedOpening(rules, compact.order, 1.0, TABLES, rng)
    seats = np.zeros((TABLES, 4), np.int64)
    _, results = play_deals(BatchEnv(rules, TABLES, seed=3), [Passes()], seats, np.arange(TABLES), rng, opening)
    assert set(results["number"]) == {8, 9, 10}
    assert set(results["strain"]) <= {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("preset", "fields", "seats"),
    [("bela4", {}, 4), ("duel", {"forced_dealer": False}, 2), ("bela3", {}, 1), ("bela3", {"auction": "named"}, 3)],
)
def test_forced_openings_name_a_suit(preset: str, fields: dict[str, object], seats: int) -> None:
    """Every seat whose turn it may be to open, and in the duel the turned suit first, later another."""
    rules, rng = load_rules(preset, **fields), np.random.default_rng(0)
    compact = Compact(rules, PolicyNetwork(rules, SMALL))
    opening = ForcedOpening(rules, compact.order, 1.0, 4 * TABLES, rng)
    tables = np.zeros((4 * TABLES, rules.players), np.int64)
    env = BatchEnv(rules, 4 * TABLES, seed=3)
    env.reset()
    turned = env.states["public"]["turned"] >> 3
    _, results = play_deals(env, [Passes()], tables, np.arange(4 * TABLES), rng, opening)
    bidders = (results["bidder"] - np.arange(4 * TABLES)) % rules.players
    assert set(bidders) == set(range(seats))
    if rules.auction == "turned":
        second = opening.forces(rules.players)
        assert ((results["strain"] == turned) == ~second).all()


def test_tables_are_shared_out_as_the_config_says(compact: Compact, policy: PolicyNetwork) -> None:
    config = LeagueConfig(
        past=0.2, past_players=2, opponents={"rules": 0.1, "random": 0.05}, partners={"rules": 0.1, "random:uniform": 0}
    )
    loaded: list[int] = []

    def load(iteration: int) -> PolicyNetwork:
        loaded.append(iteration)
        return policy

    league = League(config, RULES, 200, 0, compact, load)
    assert league.agents == ("rules", "random", "random:uniform")
    seating = league.seating([0, 20, 40], np.random.default_rng(0))
    assert len(set(loaded)) == 2
    assert set(loaded) <= {0, 20, 40}
    patterns = {tuple(row): int((seating.seats == row).all(1).sum()) for row in np.unique(seating.seats, axis=0)}
    rules, random = 3, 4
    assert patterns.pop((0, 0, 0, 0)) == 200 - 40 - 20 - 10 - 20
    for player, tables in ((1, 20), (2, 20), (rules, 20), (random, 10)):
        assert patterns.pop((player, 0, player, 0)) == patterns.pop((0, player, 0, player)) == tables // 2
    for seat in range(4):
        assert patterns.pop(tuple(rules if place == seat else 0 for place in range(4))) == 5
    assert not patterns
    assert (seating.strangers == np.select([seating.seats == rules, seating.seats == random], [0, 1], -1)).all()
    assert len(seating.others) == 2 + 3

    alone = league.seating([], np.random.default_rng(0))
    assert set(np.unique(alone.seats)) == {0, 1, 2}
    assert (alone.seats == 0).all(1).sum() == 200 - 20 - 10 - 20


@pytest.mark.parametrize("preset", ["bazar", "bela3", "duel"])
def test_the_learner_may_play_one_seat_alone(preset: str) -> None:
    rules = load_rules(preset)
    network = PolicyNetwork(rules, SMALL)
    config = LeagueConfig(past=0, opponents={}, partners={}, others={"rules": 0.5, "random": 0.5})
    league = League(config, rules, 24, 0, Compact(rules, network), lambda iteration: network)
    seating = league.seating([], np.random.default_rng(0))
    assert league.agents == ("rules", "random")
    assert ((seating.seats == 0).sum(1) == 1).all()
    for rows, player in ((slice(12), 1), (slice(12, 24), 2)):
        seats = seating.seats[rows]
        assert set(np.unique(seats)) == {0, player}
        assert ((seats == 0).sum(0) == 12 // rules.players).all(), "each seat as often"
    assert (seating.strangers == seating.seats - 1).all()


@pytest.mark.parametrize("preset", ["bazar", "bela3", "duel"])
@pytest.mark.parametrize(("limit", "most"), [(0, 0), (1, 1), (7, 7), (48, 48), (1000, 56), (None, 160 // 24)])
def test_agents_that_search_are_seated_up_to_a_limit(
    preset: str, limit: int | None, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(AGENTS, "searcher", Entry(f"{__name__}:Searcher"))
    rules, tables = load_rules(preset), 160
    network = PolicyNetwork(rules, SMALL)
    config = LeagueConfig(
        past=0.1,
        opponents={"searcher": 0.2, "rules": 0.1, "searcher:worlds=2": 0.1},
        partners={"random": 0.1, "searcher": 0.05},
        search_tables=limit,
    )
    league = League(config, rules, tables, 0, Compact(rules, network), lambda iteration: network)
    seating = league.seating([0], np.random.default_rng(0))
    kind = {spec: seating.strangers == index for index, spec in enumerate(league.agents)}
    assert list(kind) == ["searcher", "rules", "searcher:worlds=2", "random"]

    searched = (kind["searcher"] | kind["searcher:worlds=2"]).any(1)
    assert searched.sum() == most
    assert seating.searching == searched.mean()
    assert league.searching_wanted == 56 / tables
    for spec, wanted in (("searcher", 32 + 8), ("searcher:worlds=2", 16)):  # each gives up the same part
        assert abs(kind[spec].any(1).sum() - wanted * most / 56) <= 2
    assert (kind["rules"].any(1).sum(), kind["random"].any(1).sum()) == (16, 16), "others keep their tables"
    assert (seating.seats == 0).all(1).sum() == tables - 16 - 32 - most, "the learner plays the rest alone"
    assert (seating.seats == 0).any(1).all(), "the learner sits everywhere"
