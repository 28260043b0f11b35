"""`BatchEnv`: the same game as `Game`, table by table, and its own promises."""

import numpy as np
import pytest

import agents
from blot_env import RULESETS, BatchEnv, Game, IllegalAction, RuleSet, load_rules, random_playouts
from blot_env.actions import CONTRA, PASS
from tests.reference.cards import DECK

RULES = load_rules("bazar")
NAMES = ("observations", "masks", "seats", "rewards", "dones")


def run(env: BatchEnv, steps: int) -> list[tuple[np.ndarray, ...]]:
    """Copies of all that comes back, step by step, when random actions are played."""
    obs, mask, seat = env.reset()
    seen = [(obs.copy(), mask.copy(), seat.copy())]
    for _ in range(steps):
        out = env.step(env.sample(mask))
        mask = out[1]
        seen.append(tuple(array.copy() for array in out))
    return seen


def assert_the_same(one, two) -> None:
    for step, (left, right) in enumerate(zip(one, two, strict=True)):
        for name, a, b in zip(NAMES, left, right, strict=False):
            np.testing.assert_array_equal(a, b, err_msg=f"{name}, step {step}")


def game_at(state: np.record, rules: RuleSet = RULES) -> Game:
    """A `Game` at the board of a table, before its first call."""
    cards = [DECK[card] for card in state.deck[: 4 * len(rules.ranks)]]
    dealt, held = rules.dealt, rules.players * rules.dealt
    return Game.from_record(
        {
            "rules": rules.name,
            "target": int(state.public.target),
            "scores": [int(score) for score in state.public.scores[: rules.sides]],
            "dealer": int(state.public.dealer),
            "hands": [" ".join(cards[place : place + dealt]) for place in range(0, held, dealt)],
            "stock": " ".join(cards[held:]),
            "actions": [],
        }
    )


@pytest.mark.parametrize("preset", RULESETS)
def test_shapes_and_types(preset):
    env = BatchEnv(preset, 7)
    rules = env.rules
    obs, mask, seat = env.reset()
    for _ in range(2):
        assert (obs.shape, obs.dtype) == ((7, rules.observation.size), np.uint8)
        assert (mask.shape, mask.dtype) == ((7, rules.actions.size), np.int8)
        assert (seat.shape, seat.dtype) == ((7,), np.int64)
        obs, mask, seat, reward, done = env.step(env.sample(mask))
        assert (reward.shape, reward.dtype) == ((7, rules.players), np.float32)
        assert (done.shape, done.dtype) == ((7,), np.bool_)


def assert_the_same_view(one: np.void, two: np.void) -> None:
    """All is the same but what an earlier deal has left in the histories."""
    length = int(one["public"]["length"])
    blank = [view.copy() for view in (one, two)]
    for view in blank:
        view["public"]["history"][length:] = 0
        view["public"]["actors"][length:] = 0
    assert blank[0].tobytes() == blank[1].tobytes()


@pytest.mark.parametrize("preset", RULESETS)
@pytest.mark.parametrize("tables", [20, pytest.param(2, marks=pytest.mark.nojit)])
def test_the_same_as_game(preset, tables):
    env = BatchEnv(preset, tables, seed=4, random_scores=True)
    rules = env.rules
    obs, mask, seat = env.reset()
    games = [game_at(state, rules) for state in env.states]
    finished = 0
    for _ in range(80):
        for table, game in enumerate(games):
            own_obs, own_mask = game.observe()
            assert seat[table] == game.seat
            np.testing.assert_array_equal(obs[table], own_obs)
            np.testing.assert_array_equal(mask[table], own_mask)
            assert_the_same_view(env.decisions([table]).views[0], game.view()[0])
        actions = env.sample(mask)
        for game, action in zip(games, actions, strict=True):
            game.play(rules.actions.text(int(action)))
        obs, mask, seat, reward, done = env.step(actions)
        for table, game in enumerate(games):
            assert done[table] == (game.phase == "over")
            if done[table]:
                finished += 1
                assert env.results[table].tobytes() == game.state.result.tobytes()
                points = game.result["points"]
                for player in range(rules.players):
                    others = [other for side, other in enumerate(points) if side != rules.side(player)]
                    assert reward[table][player] == points[rules.side(player)] - sum(others) / len(others)
                games[table] = game_at(env.states[table], rules)
            else:
                assert not reward[table].any()
    assert finished >= tables


@pytest.mark.parametrize("episode", ["deal", "match"])
@pytest.mark.parametrize(("preset", "threads"), [("bazar", 2), ("bazar", 100), *((preset, 3) for preset in RULESETS)])
def test_threads_change_nothing(episode, preset, threads):
    rules = load_rules(preset, target=30)
    one = run(BatchEnv(rules, 30, episode=episode, seed=3, threads=1), 200)
    two = run(BatchEnv(rules, 30, episode=episode, seed=3, threads=threads), 200)
    assert_the_same(one, two)
    assert any(step[4].any() for step in one[1:])


@pytest.mark.nojit
def test_the_same_seed_plays_the_same():
    assert_the_same(run(BatchEnv("bazar", 2, seed=8), 45), run(BatchEnv("bazar", 2, seed=8), 45))


@pytest.mark.nojit
def test_sampled_play_stays_the_same_between_versions():
    env = BatchEnv("bazar", 2, seed=8)
    _, mask, _ = env.reset()
    actions = []
    for _ in range(12):
        drawn = env.sample(mask)
        actions.append(" ".join(RULES.actions.text(int(action)) for action in drawn))
        _, mask, _, _, _ = env.step(drawn)
    assert actions == [
        "79S 8D",
        "capotD 63C",
        "contra capotC",
        "pass contra",
        "pass recontra",
        "AD QC",
        "9D JC",
        "JD AS",
        "8C KC",
        "TS JH",
        "9S 9H",
        "7S KH",
    ]


def test_another_seed_has_other_boards():
    one, two = BatchEnv("bazar", 30, seed=1), BatchEnv("bazar", 30, seed=2)
    one.reset()
    two.reset()
    assert not (one.states["deck"] == two.states["deck"]).all(axis=1).any()


def test_reset_begins_anew():
    env = BatchEnv("bazar", 10, seed=8, random_scores=True)
    assert_the_same(run(env, 100), run(env, 100))


# Boards


def test_board_and_seed_make_the_cards():
    env = BatchEnv("bazar", 6, seed=8)
    env.reset()
    assert list(env.boards) == [0, 1, 2, 3, 4, 5]
    decks = env.states["deck"].copy()
    env.reset(boards=[5, 5, 0, 3, 3, 2])
    assert list(env.boards) == [5, 5, 0, 3, 3, 2]
    np.testing.assert_array_equal(env.states["deck"], decks[[5, 5, 0, 3, 3, 2]])
    assert len(np.unique(decks, axis=0)) == 6
    assert Game("bazar", seed=8).hands == game_at(env.states[2]).hands  # board 0 is a game's first deal


def test_each_seat_is_eldest_in_turn():
    env = BatchEnv("bazar", 8)
    _, _, seat = env.reset()
    assert list(seat) == [0, 1, 2, 3, 0, 1, 2, 3]


def test_no_board_comes_twice():
    env = BatchEnv("bazar", 5, seed=1)
    _, mask, _ = env.reset()
    boards = set(env.boards.tolist())
    dealt = 5
    for _ in range(300):
        _, mask, _, _, done = env.step(env.sample(mask))
        dealt += int(done.sum())
        boards |= set(env.boards.tolist())
    assert len(boards) == dealt > 20


@pytest.mark.parametrize("boards", [[0], [0, 1, 2], [0, -1], [[0, 1]], [0.5, 1.5], "ab"])
def test_boards_that_cannot_be(boards):
    with pytest.raises(ValueError, match="boards"):
        BatchEnv("bazar", 2).reset(boards=boards)


# Illegal actions


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("wrong", [0, 33, 34, 35, 41, -1, 412, 10**6])
@pytest.mark.nojit
def test_an_illegal_action_changes_nothing_anywhere(threads, wrong):
    env = BatchEnv("bazar", 4, threads=threads)
    _, mask, _ = env.reset()
    for _ in range(3):
        _, mask, _, _, _ = env.step(np.full(4, 32))
    actions = np.full(4, 32)
    actions[3] = wrong
    before = [array.copy() for array in (env.states, mask, env.results)]
    with pytest.raises(IllegalAction, match="table 3, seat 2"):
        env.step(actions)
    for array, kept in zip((env.states, mask, env.results), before, strict=True):
        assert array.tobytes() == kept.tobytes()
    env.step(np.full(4, 32))  # and the batch can go on


@pytest.mark.parametrize("actions", [[32], [32, 32, 32], 32, [[32, 32]]])
def test_actions_of_another_shape(actions):
    env = BatchEnv("bazar", 2)
    env.reset()
    with pytest.raises(ValueError, match="shape"):
        env.step(actions)


# Matches and rewards


@pytest.mark.parametrize("reward", ["points", "win"])
def test_match_episodes(reward):
    rules = load_rules("bazar", target=60)
    env = BatchEnv(rules, 20, episode="match", reward=reward, seed=2)
    _, mask, _ = env.reset()
    totals = np.zeros((20, 2))
    matches = deals = 0
    for _ in range(1500):
        scores = env.states["public"]["scores"][:, :2].copy()
        _, mask, _, rewards, done = env.step(env.sample(mask))
        new_deal = env.states["public"]["length"] == 0
        for table in np.flatnonzero(new_deal):
            deals += 1
            result = env.results[table]
            totals[table] = scores[table] + result.points[:2]
            if done[table]:
                matches += 1
                winner = int(result.match_winner)
                assert winner in (0, 1)
                assert list(env.states["public"]["scores"][table][:2]) == [0, 0]
                gain = totals[table][0] - totals[table][1]
                expected = gain if reward == "points" else 1 - 2 * winner
                assert list(rewards[table]) == [expected, -expected, expected, -expected]
            else:
                assert result.match_winner == -1
                assert list(env.states["public"]["scores"][table][:2]) == list(totals[table])
        assert not rewards[~done].any()
        assert not done[~new_deal].any()
    assert matches > 20
    assert deals > matches


def test_boards_that_all_pass():
    deal, match = (BatchEnv("bazar", 1, episode=episode, seed=6) for episode in ("deal", "match"))
    for env, ends in ((deal, True), (match, False)):
        env.reset()
        deck = env.states["deck"].copy()
        for call in range(4):
            _, _, seat, reward, done = env.step([32])
            assert done[0] == (ends and call == 3)
        assert not reward.any()
        assert env.results[0].contract == -1
        assert (env.states["deck"] != deck).any()
        # A deal ends and the next board has the next dealer; in a match the same dealer deals again.
        assert seat[0] == (1 if ends else 0)


def test_random_scores():
    env = BatchEnv("bazar", 400, random_scores=True, seed=1)
    env.reset()
    scores = env.states["public"]["scores"][:, :2]
    assert scores.min() >= 0
    assert scores.max() < 151
    assert len(np.unique(scores)) > 100
    assert abs(scores.mean() - 75) < 8  # standard deviation of the mean: 1.5
    plain = BatchEnv("bazar", 5)
    plain.reset()
    assert not plain.states["public"]["scores"].any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": 0}, "num_envs"),
        ({"num_envs": 1, "threads": 0}, "threads"),
        ({"num_envs": 1, "episode": "game"}, "'game'"),
        ({"num_envs": 1, "reward": "money"}, "'money'"),
        ({"num_envs": 1, "reward": "win"}, "match"),
        ({"num_envs": 1, "episode": "match", "random_scores": True}, "deal"),
        ({"num_envs": 1, "seed": -1}, "seed"),
    ],
)
def test_arguments_that_cannot_be(arguments, message):
    with pytest.raises(ValueError, match=message):
        BatchEnv("bazar", **arguments)


# Arrays


def test_views_and_copies():
    for copy in (False, True):
        env = BatchEnv("bazar", 3, copy=copy)
        first = env.reset()
        kept = [array.copy() for array in first]
        out = env.step(np.full(3, 42))
        for old, before, new in zip(first, kept, out, strict=False):
            assert np.shares_memory(old, new) != copy
            assert (old.tobytes() == before.tobytes()) == copy


def test_sample_is_uniform_over_legal_actions():
    env = BatchEnv("bazar", 20_000, seed=5)
    _, mask, _ = env.reset()
    mask[:] = 0
    legal = [3, 32, 33, 411]
    mask[:, legal] = 1
    actions = env.sample(mask)
    counts = np.bincount(actions, minlength=412)
    assert counts.sum() == counts[legal].sum() == 20_000
    # 5000 of each on average, standard deviation 61.2; five of those are 306.
    assert (abs(counts[legal] - 5000) < 306).all()
    assert (env.sample(mask) != actions).any()  # each call draws anew


def test_sample_writes_to_out():
    env = BatchEnv("bazar", 4)
    _, mask, _ = env.reset()
    out = np.zeros(4, np.int64)
    assert env.sample(mask, out) is out
    assert mask[np.arange(4), out].all()


@pytest.mark.parametrize("preset", RULESETS)
def test_oracle_is_the_observation_and_what_is_hidden(preset):
    env = BatchEnv(preset, 30, seed=3)
    rules, tables = env.rules, np.arange(30)
    players = rules.players
    obs, mask, seat = env.reset()

    def block(name: str) -> np.ndarray:
        return env.oracle()[:, rules.oracle[name]].reshape(30, -1, 32)

    def cards(name: str, turn: int) -> np.ndarray:
        return env.states[name][tables, (seat + turn) % players][:, None] >> np.arange(32) & 1

    for _ in range(40):
        oracle = env.oracle()
        assert (oracle.shape, oracle.dtype) == ((30, rules.oracle.size), np.uint8)
        np.testing.assert_array_equal(oracle[:, : rules.observation.size], obs)
        for turn in range(1, players):
            np.testing.assert_array_equal(block("hands")[:, turn - 1], cards("hands", turn))
        for turn in range(players if rules.hides_cards else 0):
            np.testing.assert_array_equal(block("down")[:, turn], cards("down", turn))
        obs, mask, seat, _, _ = env.step(env.sample(mask))


def test_decisions():
    env = BatchEnv("bazar", 10, seed=3)
    obs, mask, seat = env.reset()
    for _ in range(20):
        obs, mask, seat, _, _ = env.step(env.sample(mask))
    every, some = env.decisions(), env.decisions([7, 2])
    assert (len(every), len(some)) == (10, 2)
    np.testing.assert_array_equal(every.observations, obs)
    np.testing.assert_array_equal(every.masks, mask)
    np.testing.assert_array_equal(every.views["seat"], seat)
    np.testing.assert_array_equal(every.views["hand"], env.states["hands"][np.arange(10), seat])
    picked = every[np.array([7, 2])]
    for name in ("views", "observations", "masks", "seeds"):
        assert getattr(some, name).tobytes() == getattr(picked, name).tobytes()
    assert len(np.unique(every.seeds)) == 10
    assert (env.decisions(seed=1).seeds != every.seeds).all()
    np.testing.assert_array_equal(env.decisions().seeds, every.seeds)
    assert every.rules == RULES


@pytest.mark.parametrize("preset", RULESETS)
@pytest.mark.parametrize("episode", ["deal", "match"])
def test_save_and_restore(preset, episode):
    env = BatchEnv(preset, 8, episode=episode, seed=6)
    _, mask, _ = env.reset()
    for _ in range(50):
        _, mask, _, _, _ = env.step(env.sample(mask))
    saved = env.save()

    def go_on(env, mask):
        seen = []
        for _ in range(100):
            out = env.step(env.sample(mask))
            mask = out[1]
            seen.append(tuple(array.copy() for array in out))
        return seen, env.results.copy()

    first, results = go_on(env, mask)
    other = BatchEnv(preset, 8, episode=episode, seed=6)
    for again in (env, other):
        second, results_again = go_on(again, again.restore(saved)[1])
        assert_the_same(first, second)
        assert results.tobytes() == results_again.tobytes()


def test_restore_wants_the_same_size():
    saved = BatchEnv("bazar", 3).save()
    with pytest.raises(ValueError, match=r"3 tables.*4"):
        BatchEnv("bazar", 4).restore(saved)


# Playouts


@pytest.mark.parametrize("preset", RULESETS)
def test_random_playouts_of_every_game(preset):
    rules = load_rules(preset)
    points = random_playouts(rules, 300, seed=1)
    assert (points.shape, points.dtype) == ((300, rules.sides), np.int64)
    np.testing.assert_array_equal(points[:50], random_playouts(rules, 50, seed=1))
    assert points.min() >= 0
    assert (points.sum(axis=1) > 0).mean() > 0.9


def test_random_playouts():
    points = random_playouts(RULES, 3000, seed=1)
    assert (points.shape, points.dtype) == ((3000, 2), np.int64)
    np.testing.assert_array_equal(points, random_playouts(RULES, 3000, seed=1))
    np.testing.assert_array_equal(points[:100], random_playouts(RULES, 100, seed=1))
    assert (points != random_playouts(RULES, 3000, seed=2)).any()
    assert points.min() >= 0
    # Uniform calls end nearly every auction in a contract: somebody scores.
    assert (points.sum(axis=1) > 0).mean() > 0.95


def test_random_playouts_from_the_play():
    points = random_playouts(RULES, 3000, seed=1, auction=False)
    # A plain bid of 8 that all keep: 16 or 17 card points and combinations, and 8 for the contract (16 at NT).
    assert (points.sum(axis=1) >= 16 + 8).all()
    assert points.max() < 150
    assert ((points == 0).any(axis=1)).mean() > 0.3  # often failed


def test_matches_of_random_players_end():
    """Their lots differ from deal to deal and from redeal to redeal, so that four passes are not for ever."""
    player, env = agents.make("random", RULES), BatchEnv(RULES, 60, "match")
    env.reset()
    ended = np.zeros(60, bool)
    for _ in range(40_000):
        *_, done = env.step(player.act(env.decisions()))
        ended |= done
        if ended.all():
            return
    raise AssertionError(f"{60 - ended.sum()} matches go on and on")


def test_wrong_arguments_change_nothing():
    env = BatchEnv(RULES, 4)
    with pytest.raises(IllegalAction, match="first reset"):
        env.step(np.full(4, 50))
    _, mask, _ = env.reset()
    before = env.save()
    for rows in ([500_000], [-1], [4]):
        with pytest.raises(ValueError, match="0 to 3"):
            env.decisions(rows)
    with pytest.raises(ValueError, match="sample: an int8 mask"):
        env.sample(mask.tolist())
    for out in (np.zeros(1, np.int64), np.zeros(4, np.int32), [0] * 4):
        with pytest.raises(ValueError, match="sample"):
            env.sample(mask, out)
    nothing = mask.copy()
    nothing[2] = 0
    with pytest.raises(ValueError, match="row 2"):
        env.sample(nothing)
    for actions in (["42"] * 4, [[], 32, 32, 32], np.full(4, 32.7), np.full(3, 32), np.full((4, 1), 32)):
        with pytest.raises(ValueError, match="actions"):
            env.step(actions)
    assert all(before[key].tobytes() == value.tobytes() for key, value in env.save().items())


@pytest.mark.parametrize(
    "other",
    [
        lambda: BatchEnv(load_rules("bazar", max_number=12), 4),
        lambda: BatchEnv(RULES, 4, seed=1),
        lambda: BatchEnv(RULES, 4, episode="match"),
        lambda: BatchEnv(RULES, 5),
    ],
)
def test_a_batch_of_another_kind_is_not_restored(other):
    env = BatchEnv(RULES, 4)
    env.reset()
    with pytest.raises(ValueError, match="restore"):
        other().restore(env.save())


def test_an_illegal_action_is_explained():
    env = BatchEnv(RULES, 2)
    env.reset()
    with pytest.raises(IllegalAction, match="table 1, seat 1: contra: Contra needs an opponents' bid"):
        env.step([PASS, CONTRA])


@pytest.mark.parametrize(
    "wrong",
    [
        {"seed": 1.5}, {"seed": True}, {"num_envs": "3"}, {"threads": 1.5}, {"num_envs": 0}, {"random_scores": None},
        {"copy": 1},
    ],
)  # fmt: skip
def test_numbers_are_whole_and_choices_made(wrong):
    with pytest.raises(ValueError, match=next(iter(wrong))):
        BatchEnv(RULES, **({"num_envs": 2} | wrong))


@pytest.mark.parametrize("preset", RULESETS)
def test_tables_that_cannot_be_are_not_restored(preset):
    env = BatchEnv(preset, 6, "match", seed=3)
    env.restore(env.save())  # before the first reset
    _, mask, _ = env.reset()
    rng = np.random.default_rng(1)
    for _ in range(40):
        _, mask, *_ = env.step(env.sample(mask))
    saved = env.save()
    env.restore(saved)
    for name, value in (
        ("phase", 99), ("phase", 6), ("seat", 4), ("dealer", 9), ("target", 0), ("length", 377), ("length", 0),
        ("trick_number", 11), ("bidder", 7), ("scores", 1 << 62), ("history", 5000), ("winning", 77),
    ):  # fmt: skip
        wrong = {key: array.copy() for key, array in saved.items()}
        wrong["states"]["public"][name][2] = value
        with pytest.raises(ValueError, match="restore: table 2: its "):
            env.restore(wrong)
    for name in ("hands", "deck", "seed", "board", "deal", "down", "dealt"):
        wrong = {key: array.copy() for key, array in saved.items()}
        wrong["states"][name][4] = rng.permutation(wrong["states"][name][4]) if name == "deck" else -7
        with pytest.raises(ValueError, match="restore: table 4: its "):
            env.restore(wrong)
    assert all(saved[key].tobytes() == value.tobytes() for key, value in env.save().items())


@pytest.mark.parametrize(
    "change",
    [
        {"results": np.zeros(1)}, {"results": None}, {"counters": []}, {"counters": np.array([0, 0])},
        {"counters": np.array([6.5, 0])}, {"states": None}, {"options": None}, {"rules": "bazar"},
    ],
)  # fmt: skip
def test_parts_of_another_kind_are_not_restored(change):
    env = BatchEnv(RULES, 2)
    env.reset()
    saved = env.save()
    with pytest.raises(ValueError, match="restore: "):
        env.restore(saved | change)
    assert all(saved[key].tobytes() == value.tobytes() for key, value in env.save().items())


@pytest.mark.parametrize("saved", [{}, None, {"states": 1}])
def test_only_what_was_saved_is_restored(saved):
    with pytest.raises(ValueError, match="restore"):
        BatchEnv(RULES, 2).restore(saved)


def test_boards_and_rows_are_whole_numbers_in_range():
    env = BatchEnv(RULES, 2)
    for boards in ([0, 2**63 - 1], np.array([0, 2**63], np.uint64), [0.5, 1], [0]):
        with pytest.raises(ValueError, match="boards"):
            env.reset(boards)
    env.reset()
    for rows in ([1.5], [True], [[0]], ["x"]):
        with pytest.raises(ValueError, match="rows"):
            env.decisions(rows)
    assert len(env.decisions([])) == 0


def test_playouts_take_the_name_of_a_preset():
    np.testing.assert_array_equal(random_playouts("bazar", 5), random_playouts(RULES, 5))
    with pytest.raises(ValueError, match="seed"):
        random_playouts("bazar", 5, seed=-1)
