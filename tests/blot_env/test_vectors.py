"""The recorded deals replay exactly: phases, seats, legal actions at every step, results."""

import numpy as np
import pytest

from blot_env import BatchEnv, Game, load_rules, replay
from tests import vectors

DEALS = [
    pytest.param(record, trace, id=f"{preset}-{line}", marks=[pytest.mark.nojit] if line % 4 == 0 else [])
    for preset in vectors.PRESETS
    for line, (record, trace) in enumerate(vectors.load(preset), start=1)
]


@pytest.mark.parametrize(("record", "trace"), DEALS)
def test_each_step(record, trace):
    game = Game.from_record(record)
    for action, before in zip(record["actions"], trace, strict=True):
        assert (game.seat, game.phase) == (before["seat"], before["phase"])
        legal = sorted(game.legal_actions())
        assert legal == before["legal"] if "legal" in before else len(legal) == before["legal_count"]
        assert game.result is None
        game.play(action)
    assert game.phase == "over"
    assert game.legal_actions() == []
    assert game.result == record["result"]
    assert game.scores == [sum(pair) for pair in zip(record["scores"], record["result"]["points"], strict=True)]
    assert game.winner == record["result"]["match_winner"]


@pytest.mark.parametrize(("record", "trace"), DEALS)
def test_replay_and_back(record, trace):
    assert replay(record).record() == record


@pytest.mark.parametrize("preset", [*vectors.PRESETS, "blotstar"])
@pytest.mark.parametrize("threads", [1, 2])
def test_batch_gives_the_same_results(preset, threads):
    deals = [record for record, _ in (vectors.worked() if preset == "blotstar" else vectors.load(preset))]
    rules = load_rules(preset)
    env = BatchEnv(rules, len(deals), threads=threads, seed=5)
    env.reset()
    saved = env.save()
    for table, record in enumerate(deals):
        saved["states"][table] = Game.from_record(record).state
    _, mask, seat = env.restore(saved)
    games = [Game.from_record(record) for record in deals]
    finished = np.zeros(len(deals), bool)
    actions = np.zeros(len(deals), np.int64)
    for step in range(max(len(record["actions"]) for record in deals)):
        env.sample(mask, actions)  # tables that are done go on with other boards
        for table in np.flatnonzero(~finished):
            game, text = games[table], deals[table]["actions"][step]
            assert seat[table] == game.seat
            assert sorted(rules.actions.text(int(action)) for action in np.flatnonzero(mask[table])) == sorted(
                game.legal_actions()
            )
            actions[table] = rules.actions.parse(text, game.phase)
            game.play(text)
        _, mask, seat, reward, done = env.step(actions)
        for table in np.flatnonzero(~finished):
            ends = step + 1 == len(deals[table]["actions"])
            assert done[table] == ends
            if ends:
                finished[table] = True
                _check_result(rules, deals[table]["result"], env.results[table], reward[table])
    assert finished.all()


def _check_result(rules, expected, row, reward):
    contract = None if row.contract < 0 else rules.actions.text(int(row.contract))
    assert contract == expected["contract"]
    assert (int(row.number) or None) == expected["number"]
    assert (None if row.bidder < 0 else int(row.bidder)) == expected["bidder"]
    made = None if row.made < 0 else bool(row.made)
    assert made == expected["made"]
    assert int(row.contra) == expected["contra"]
    for name in ("tricks", "card_points", "raw", "combinations", "blot", "points"):
        assert list(row[name][: rules.sides]) == expected[name]
    assert int(row.match_winner) == (-1 if expected["match_winner"] is None else expected["match_winner"])
    points, others = expected["points"], rules.sides - 1
    ahead = [own - (sum(points) - own) / others for own in points]  # of the mean of the other sides
    assert list(reward) == [ahead[rules.side(seat)] for seat in range(rules.players)]
