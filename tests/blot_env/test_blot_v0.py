"""The PettingZoo environment: its contract, its rewards, and the tables in its documentation."""

import itertools
import pickle
import re

import numpy as np
import pettingzoo
import pytest
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray
from pettingzoo.test import api_test, seed_test

from blot_env import RULESETS, BatchEnv, Game, IllegalAction, RulesError, blot_v0, load_rules
from blot_env.render import table_text
from blot_env.speech import side_name
from tests.tables import finish, play, table

pytestmark = pytest.mark.filterwarnings("ignore:Observation ")  # PettingZoo would rather have no dict


def act_randomly(env: pettingzoo.AECEnv, rng: np.random.Generator) -> NDArray[np.float64]:
    """Play an episode that has been reset to its end; return what each agent got."""
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        over = terminated or truncated
        env.step(None if over else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    return np.array(list(total.values()))


@pytest.mark.parametrize("make", [blot_v0.env, blot_v0.raw_env])
@pytest.mark.parametrize("arguments", [{"episode": "deal"}, {"episode": "match"}, {"reward": "win"}])
@pytest.mark.parametrize("preset", RULESETS)
def test_pettingzoo_api(preset, make, arguments) -> None:  # type: ignore[no-untyped-def]
    api_test(make(rules=preset, **arguments), num_cycles=200)


@pytest.mark.parametrize("episode", ["deal", "match"])
@pytest.mark.parametrize("preset", RULESETS)
def test_seed_fixes_the_episode(preset, episode) -> None:  # type: ignore[no-untyped-def]
    seed_test(lambda: blot_v0.env(rules=preset, episode=episode), num_cycles=100)


@pytest.mark.parametrize("preset", RULESETS)
def test_rewards_sum_to_nothing_and_are_those_of_a_batch(preset) -> None:  # type: ignore[no-untyped-def]
    """By deal, by match and for the match won, in every game, and partners get the same."""
    rules, rng = load_rules(preset), np.random.default_rng(1)
    house = load_rules(preset, target=60 if rules.rounding != "none" else 200)
    for arguments in ({"episode": "deal"}, {"episode": "match"}, {"episode": "match", "reward": "win"}):
        env, batch = blot_v0.raw_env(house, **arguments), BatchEnv(house, 1, seed=4, **arguments)
        env.reset(seed=4)
        _, mask, _ = batch.reset()
        total, done = np.zeros(rules.players), False
        while not done:
            action = rng.choice(np.flatnonzero(mask[0]))
            env.step(int(action))
            total += list(env.rewards.values())
            _, mask, _, reward, (done,) = batch.step([action])
        assert all(env.terminations.values())
        assert total == pytest.approx(reward[0])
        assert total.sum() == pytest.approx(0)
        assert all(total[seat] == total[rules.side(seat)] for seat in range(rules.players))
        if "reward" in arguments:
            winners = [rules.side(seat) == env.game.winner for seat in range(rules.players)]
            assert total.tolist() == np.where(winners, 1, -1 / (rules.sides - 1)).tolist()


def test_house_rules_from_a_file(tmp_path) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "house.toml"
    file.write_text("preset = 'bela3'\nmust_beat = 'all'")
    env = blot_v0.env(rules=str(file), target=500)
    file.unlink()
    env = pickle.loads(pickle.dumps(env))
    env.reset(seed=1)
    assert env.possible_agents == ["player_0", "player_1", "player_2"]
    assert env.unwrapped.rules == load_rules("bela3", must_beat="all", target=500)


def test_made_by_name() -> None:
    env = pettingzoo.make("aec", "blot_v0", episode="deal", target=301)
    env.reset(seed=1)
    assert str(env) == "blot_v0"
    assert env.unwrapped.rules.target == 301


@pytest.mark.nojit
def test_boards_are_those_of_a_batch() -> None:
    """Seed 5 deals board 0, and each reset without a seed the next one."""
    env = blot_v0.raw_env(episode="deal")
    observations, masks, seats = BatchEnv("bazar", 3, seed=5).reset()
    for board in range(3):
        env.reset(seed=5 if board == 0 else None)
        assert env.agent_selection == f"player_{seats[board]}"
        seen = env.observe(env.agent_selection)
        assert np.array_equal(seen["observation"], observations[board])
        assert np.array_equal(seen["action_mask"], masks[board])


def test_without_a_seed_environments_differ() -> None:
    first, second = blot_v0.raw_env(), blot_v0.raw_env()
    first.reset()
    second.reset()
    assert first.game.hands != second.game.hands


def test_reset_options() -> None:
    env = blot_v0.raw_env()
    env.reset(seed=5, options={"board": 2, "dealer": 0, "scores": [99, 7], "unknown": 1})
    assert env.game.scores == [99, 7]
    assert env.agent_selection == "player_1"
    assert env.game.hands == Game("bazar", seed=5, board=2).hands
    with pytest.raises(ValueError, match="dealer"):
        env.reset(options={"dealer": 4})


def test_an_observation_is_not_overwritten() -> None:
    env = blot_v0.raw_env()
    env.reset(seed=1)
    before = env.observe("player_0")["observation"]
    copy = before.copy()
    env.step(32)
    env.observe("player_0")
    assert np.array_equal(before, copy)


@pytest.mark.nojit
def test_state_is_the_oracle_of_the_seat_to_act() -> None:
    env = blot_v0.env()
    env.reset(seed=3)
    batch = BatchEnv("bazar", 1, seed=3)
    batch.reset()
    for action in (32, 42, 32):
        assert np.array_equal(env.state(), batch.oracle()[0])
        assert env.unwrapped.state_space.contains(env.state())
        env.step(action)
        batch.step([action])


@pytest.mark.parametrize("preset", RULESETS)
def test_state_has_all_cards_that_players_have(preset) -> None:  # type: ignore[no-untyped-def]
    env = blot_v0.raw_env(preset, episode="deal")
    rules, layout = env.rules, env.rules.oracle
    phases = set()
    for seed in range(6):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while not all(env.terminations.values()):
            game, state = env.game, env.state()
            seats = [(game.seat + turn) % rules.players for turn in range(rules.players)]
            assert np.array_equal(state[: rules.observation.size], game.observe(game.seat)[0])
            assert cards(state[layout["hands"]]) == [int(game.state.hands[seat]) for seat in seats[1:]]
            if rules.hides_cards:
                assert cards(state[layout["down"]]) == [int(game.state.down[seat]) for seat in seats]
            phases.add(game.phase)
            env.step(int(rng.choice(np.flatnonzero(game.mask()))))
    assert {"auction", "play"} <= phases


def cards(columns: NDArray[np.uint8]) -> list[int]:
    """The sets of some blocks of 32 columns."""
    return [int(row @ (1 << np.arange(32))) for row in columns.reshape(-1, 32).astype(np.int64)]


def test_points_of_a_deal() -> None:
    """Own match points minus the other side's, once the deal is over; partners get the same."""
    rng = np.random.default_rng(0)
    env = blot_v0.raw_env(episode="deal")
    for seed in range(20):
        env.reset(seed=seed)
        total = act_randomly(env, rng)
        points = env.game.result["points"]
        assert total.tolist() == [points[0] - points[1], points[1] - points[0]] * 2


def test_points_of_a_match_are_paid_deal_by_deal() -> None:
    env = blot_v0.raw_env(target=60)
    env.reset(seed=2)
    total = act_randomly(env, np.random.default_rng(2))
    scores = env.game.scores
    assert env.game.winner is not None
    assert total.tolist() == [scores[0] - scores[1], scores[1] - scores[0]] * 2


def test_a_won_match() -> None:
    env = blot_v0.raw_env(reward="win", target=60)
    winners = set()
    for seed in range(6):
        env.reset(seed=seed)
        total = act_randomly(env, np.random.default_rng(seed))
        winners.add(env.game.winner)
        assert total.tolist() == ([1, -1] * 2 if env.game.winner == 0 else [-1, 1] * 2)
    assert winners == {0, 1}


@pytest.mark.nojit
def test_a_board_that_nobody_bids_on() -> None:
    deal = blot_v0.raw_env(episode="deal")
    deal.reset(seed=1)
    for _ in range(4):
        deal.step(32)
    assert all(deal.terminations.values())
    assert set(deal.rewards.values()) == {0}

    match = blot_v0.raw_env(episode="match")
    match.reset(seed=1)
    hands = match.game.hands
    for _ in range(4):
        match.step(32)
    assert not any(match.terminations.values())
    assert match.agent_selection == "player_0"  # the same dealer deals again
    assert match.game.hands != hands


@pytest.mark.nojit
def test_illegal_action_changes_nothing() -> None:
    env = blot_v0.raw_env()
    env.reset(seed=1)
    before = env.game.state.copy()
    wrong = ((33, "Contra"), (0, "card"), (-1, "no action"), (412, "no action"), (None, "wanted"), ("x", "wanted"))
    for action, why in (*wrong, (1.5, "wanted"), ([], "wanted"), (float("nan"), "wanted")):
        with pytest.raises(IllegalAction, match=why):
            env.step(action)
        assert env.game.state == before
        assert env.agent_selection == "player_0"


def test_before_a_reset_there_is_no_game() -> None:
    env = blot_v0.raw_env(render_mode="ansi")
    for early in (lambda: env.step(32), lambda: env.observe("player_0"), env.state, env.render):
        with pytest.raises(ResetNeeded, match="reset"):
            early()
    env.reset(seed=1)
    with pytest.raises(ValueError, match="no agent is named 'player_9'; there are player_0"):
        env.observe("player_9")


def test_illegal_action_costs_the_offender_one() -> None:
    env = blot_v0.env()
    env.reset(seed=1)
    env.step(32)
    env.step(33)
    assert env.rewards == {"player_0": 0, "player_1": -1, "player_2": 0, "player_3": 0}
    assert all(env.terminations.values())
    for _ in env.agent_iter():
        env.step(None)
    env.reset(seed=1)
    assert not any(env.terminations.values())


@pytest.mark.parametrize(
    ("arguments", "error", "why"),
    [
        ({"episode": "deal", "reward": "win"}, ValueError, "needs episode='match'"),
        ({"episode": "hand"}, ValueError, "'match' or 'deal'"),
        ({"reward": "score"}, ValueError, "'points' or 'win'"),
        ({"render_mode": "rgb_array"}, ValueError, "'ansi' or 'human'"),
        ({"rules": "bazaar"}, RulesError, "did you mean 'bazar'"),
        ({"target": 0}, RulesError, "target"),
    ],
)
def test_arguments_that_cannot_be(arguments, error, why) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error, match=why):
        blot_v0.env(**arguments)


def test_own_rules_and_their_target() -> None:
    env = blot_v0.raw_env(load_rules("bazar", last_word=False), target=301)
    assert (env.rules.last_word, env.rules.target) == (False, 301)
    assert int(env.rules.record.target) == 301


def test_pickles() -> None:
    env = pickle.loads(pickle.dumps(blot_v0.env(target=301, episode="deal")))
    env.reset(seed=1)
    assert env.unwrapped.rules.target == 301


def test_render_as_text() -> None:
    env = blot_v0.env(render_mode="ansi")
    env.reset(seed=7)
    assert env.render() == table_text(env.unwrapped.game)

    game = table(
        "AS 8S 7S KS AH KH TH 9D", "TS AC KC QC TC AD TD 7D", "JS 9C 8C 7C JD 8D 9H 7H", "QS 9S JC KD QD QH JH 8H"
    )
    text = table_text(play(game, "9S pass 10S contra pass pass KS TS JS QS 7C"))
    assert "Said      0 9S, 1 pass, 2 10S, 3 contra, 2 pass, 0 pass" in text
    assert "Contract  10S by seat 2, contra by seat 3" in text
    assert "Trick 1   0 KS, 1 TS, 2 JS, 3 QS\nTrick 2   2 7C" in text
    assert "> seat 3  C J         D KQ        H QJ8       S 9" in text
    assert "Result" not in text
    assert "Result    10S by seat 2, contra: needs 100 points, has " in table_text(finish(game))


@pytest.mark.parametrize(
    ("calls", "contract"),
    [
        ("", "nobody has bid"),
        ("pass pass pass pass", "Nobody bid: the cards are dealt again"),
        ("8NT", "8NT by seat 0, so far"),
        ("capotH contra recontra", "capotH (counts 25) by seat 0, recontra by seat 0"),
    ],
)
def test_render_contract(calls: str, contract: str) -> None:
    assert contract in table_text(play(table("", "", "", ""), calls))


@pytest.mark.parametrize("preset", RULESETS)
def test_every_moment_can_be_rendered(preset) -> None:  # type: ignore[no-untyped-def]
    env = blot_v0.raw_env(preset, episode="deal", render_mode="ansi")
    env.reset(seed=3)
    for agent in env.agent_iter():
        assert "match points" in env.render()
        observation, _, over, _, _ = env.last()
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))


def test_render_for_people_prints_each_step_and_each_result(capsys: pytest.CaptureFixture[str]) -> None:
    env = blot_v0.raw_env(render_mode="human", target=400)
    env.reset(seed=7)
    act_randomly(env, np.random.default_rng(0))
    printed = capsys.readouterr().out
    assert "nobody has bid" in printed
    assert f"{side_name(env.rules, env.game.winner).capitalize()} win the match" in printed
    assert printed.count("Result") >= 2


def test_render_without_a_mode_warns(caplog: pytest.LogCaptureFixture) -> None:
    env = blot_v0.raw_env()
    env.reset(seed=7)
    with pytest.warns(UserWarning, match="render_mode='ansi'"):
        assert env.render() is None


def spans(heading: str) -> list[tuple[int, int, str]]:
    """The rows `| first – last | text |` of a table in the documentation, found by the heading of its first column."""
    table = blot_v0.__doc__.split(f"\n| {heading} |")[1].split("\n\n")[0]
    rows = re.findall(r"^\| (\d+)(?: – (\d+))? \| (.*) \|$", table, re.MULTILINE)
    return [(int(first), int(last or first), text) for first, last, text in rows]


def test_documented_columns_are_those_of_the_layout() -> None:
    layout = load_rules("bazar").observation
    documented = [(first, last + 1, text.split("`")[1]) for first, last, text in spans("columns")]
    assert documented == [(layout[name].start, layout[name].stop, name) for name in layout.names]


@pytest.mark.parametrize(
    ("heading", "width"),
    [
        ("in a seat's 64 of `seats`", 64),
        ("in `moment`", 16),
        ("in a side's 24 of `scores`", 24),
        ("in a side's 32 of `progress`", 32),
        ("in `own`", 16),
    ],
)
def test_documented_parts_fill_their_block(heading: str, width: int) -> None:
    rows = spans(heading)
    assert rows[0][0] == 0
    assert rows[-1][1] == width - 1
    assert all(following[0] == row[1] + 1 for row, following in itertools.pairwise(rows))


def test_documented_actions_are_those_of_the_layout() -> None:
    actions = load_rules("bazar").actions
    rows = spans("index")
    assert [row[:2] for row in rows] == [
        (0, 31), (32, 32), (33, 33), (34, 34), (35, 38), (39, 39), (40, 40), (41, 41),
        (42, actions.capots - 1), (actions.capots, actions.size - 1),
    ]  # fmt: skip
    words = "7C pass contra recontra nameC swap announce show 8C capotC"
    assert [actions.text(row[0]) for row in rows] == words.split()
    assert actions.text(42 + 5 * (12 - 8) + 4) == "12NT"


def test_documented_sizes_are_those_of_the_presets() -> None:
    rows = re.findall(r"^\| `(.*)` \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", blot_v0.__doc__, re.MULTILINE)
    rules = [load_rules(preset) for preset in RULESETS]
    assert [(name, *map(int, sizes)) for name, *sizes in rows] == [
        (game.name, game.players, game.observation.size, game.actions.size, game.oracle.size) for game in rules
    ]


def test_documented_blocks_of_the_other_games_are_those_of_the_layouts() -> None:
    bazar = load_rules("bazar").observation
    table = blot_v0.__doc__.split("\n| where |")[1].split("\n\n")[0]
    rows = re.findall(r"^\| (.*) \| (\d+)( a seat)? \| `(.*)` \|", table, re.MULTILINE)
    hiding = re.findall("`(.*?)`", rows[0][0])
    widths = {name: (int(width), bool(a_seat)) for _, width, a_seat, name in rows}
    for preset in RULESETS:
        rules = load_rules(preset)
        names = [name for name in bazar.names if rules.numbered or name not in ("calls", "number", "number_bits")]
        names += ["turned", "aside", "known", "more"] if preset in hiding else []
        names += ["claims"] if f"`{preset}`" in rows[-1][0] else []
        assert list(rules.observation.names) == names
        for block in rules.observation:
            if block.name in widths:
                width, a_seat = widths[block.name]
                assert block.width == width * (rules.players if a_seat else 1)


def test_a_reset_that_fails_changes_nothing() -> None:
    env = blot_v0.raw_env(episode="deal")
    env.reset(seed=3)
    first = env.state().copy()
    for wrong in ({"seed": -1}, {"seed": 1.5}, {"options": {"board": "x"}}, {"options": {"dealer": 9}}):
        with pytest.raises(ValueError, match="whole number"):
            env.reset(**wrong)
    env.reset()  # board 1
    env.reset(options={"board": 0})
    np.testing.assert_array_equal(env.state(), first)
