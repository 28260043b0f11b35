"""Whole matches in notation, one of each preset: every step legal, every line what the game makes of it."""

import pytest

from blot_env import RULESETS, Game
from tests.matches import FOLDER, match_text, read_match
from tests.reference import Reference


def text_of(preset: str) -> str:
    return (FOLDER / f"{preset}.md").read_text(encoding="utf-8")


def test_there_is_one_of_each_preset():
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(RULESETS)


@pytest.mark.parametrize("preset", [pytest.param(preset, marks=pytest.mark.nojit) for preset in RULESETS])
def test_a_whole_match(preset):
    deals = read_match(text_of(preset))
    games: list[Game] = []
    for record, seats in deals:
        if games:  # the match goes on where the deal before it ended
            before = games[-1].copy()
            before.next_deal()
            assert (before.scores, before.dealer) == (record["scores"], record["dealer"])
        game, reference = Game.from_record(record), Reference(record)
        for seat, action in zip(seats, record["actions"], strict=True):
            assert game.seat == reference.seat == seat
            assert action in game.legal_actions()
            game.play(action)
            reference.play(action)
        assert game.result == reference.result
        games.append(game)
    assert [game.winner is not None for game in games] == [False] * (len(games) - 1) + [True]
    assert match_text(games) == text_of(preset)


def test_a_line_that_is_changed_is_noticed():
    text = text_of("bazar").replace("Match points    0 : 42", "Match points    42 : 0", 1)
    games = [Game.from_record(record) for record, _ in read_match(text)]
    for game, (record, _) in zip(games, read_match(text), strict=True):
        for action in record["actions"]:
            game.play(action)
    assert match_text(games) == text_of("bazar") != text
