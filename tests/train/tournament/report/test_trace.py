"""The trace of deals against single games that play them step by step."""

from typing import Any

import numpy as np
import pytest

from blot_env import Game, load_rules
from blot_env.cards import cards_text
from blot_env.state import PHASES
from tests.played import record_of
from tests.train.tournament.meetings import meet
from train.tournament.report.replays import deal_data, game_data
from train.tournament.report.trace import trace

SEED = 4


@pytest.mark.parametrize(
    ("name", "play"),
    [
        ("bazar", "boards"), ("duel", "matches"), ("bela3", "boards"), ("bela2", "boards"), ("bela4", "boards"),
        ("bazar-classic", "boards"),
    ],
)  # fmt: skip
def test_a_trace_is_what_a_game_shows_step_by_step(name: str, play: str) -> None:
    rules = load_rules(name)
    played = meet(rules, ["random", "random"], range(2 if play == "matches" else 6), SEED, play=play)
    traced = trace(rules, SEED, played)
    for row in range(len(played.board)):
        record = record_of(rules, SEED, played, row)
        game = Game.from_record(record)
        assert cards_text(traced.deck[row, : rules.record.pack_size].tolist()) == _deck(record)
        assert (traced.dealer[row], traced.scores[row, : rules.sides].tolist()) == (record["dealer"], record["scores"])
        winners, worth = [], []
        for step, action in enumerate(record["actions"]):
            public, held = game.state.public.copy(), _hands(game)
            assert (traced.seat[row, step], PHASES[traced.phase[row, step]]) == (game.seat, game.phase)
            assert traced.trick[row, step] == public.trick_number
            card = 1 << int(played.actions[row, step]) if game.phase == "play" else 0
            held[game.seat] ^= card
            game.play(action)
            assert (np.array(held) ^ traced.moved[row, step]).tolist() == _hands(game)
            after = game.state.public
            if after.trick_number > public.trick_number:
                winners.append(int(after.leader))
                worth.append(int((after.card_points - public.card_points).sum()))
        assert game.phase == "over"
        assert [seat for seat in traced.winner[row] if seat >= 0] == winners
        assert traced.worth[row, : len(worth)].tolist() == worth
        assert traced.shown[row].tolist() == [int(cards) for cards in game.state.public.shown]
        assert (traced.seat[row, len(record["actions"]) :] == -1).all()


@pytest.mark.parametrize("name", ["bazar", "bela3"])
def test_columns_hold_what_records_do(name: str) -> None:
    rules = load_rules(name)
    played = meet(rules, ["random", "random:uniform"], range(5), SEED)
    game, columns = game_data(rules), deal_data(rules, SEED, played)
    action_of = dict(zip(game["letters"], game["actions"], strict=True))
    for row in range(len(played.board)):
        record = record_of(rules, SEED, played, row)
        assert [action_of[letter] for letter in columns["actions"][row]] == record["actions"]
        assert " ".join(action_of[letter] for letter in columns["deck"][row]) == _deck(record)
        result = record["result"]
        for key in ("tricks", "card_points", "combinations", "blot", "raw", "points"):
            assert columns[key][row] == result[key]
        assert len(columns["seats"][row]) == len(columns["phases"][row]) == len(record["actions"])


def test_letters_are_single_and_need_no_escape() -> None:
    for name in ("bazar", "bazar-classic"):
        letters = game_data(load_rules(name))["letters"]
        assert len(set(letters)) == len(letters)
        assert all(" " < letter < "\x7f" or "\xa0" < letter < "\ud800" for letter in letters)
        assert not set(letters) & set('"\\')


def test_a_meeting_without_a_deal_has_an_empty_trace() -> None:
    rules = load_rules("bazar")
    played = meet(rules, ["random", "random"], range(1), SEED)
    nothing = {name: getattr(played, name)[:0] for name in ("boards", "board", "table", "deal", "results", "actions")}
    columns = deal_data(rules, SEED, type(played)(**nothing, faults=(), clocks=played.clocks, seconds=0.0))
    assert columns["actions"] == columns["deck"] == []


def _hands(game: Game) -> list[int]:
    return [int(held | down) for held, down in zip(game.state.hands, game.state.down, strict=True)]


def _deck(record: dict[str, Any]) -> str:
    return " ".join(filter(None, [*record["hands"], record["stock"]]))
