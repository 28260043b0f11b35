"""Deals found again are those that were played, in matches with the scores they began at."""

import numpy as np
import pytest

from blot_env import load_rules
from tests.played import moments, play
from train.tournament.replay import ReplayError, first_deals, starts_of


@pytest.mark.parametrize("preset", ["duel", "bela3", "bela2"])
def test_a_deal_begins_as_a_game_shows_it(preset: str) -> None:
    rules = load_rules(preset)
    played = play(rules, "random", "random", 2, seed=5, matches=True)
    starts = starts_of(rules, 5, played)
    begun = {row: game.state.copy() for row, game in moments(rules, 5, played) if game.state.public.length == 0}
    assert [starts[row].tobytes() for row in range(len(starts))] == [begun[row].tobytes() for row in sorted(begun)]


@pytest.mark.parametrize("preset", ["duel", "bela3", "bazar"])
def test_a_match_begins_each_deal_where_the_last_one_ended(preset: str) -> None:
    rules = load_rules(preset)
    played = play(rules, "rules", "random", 2, seed=6, matches=True)
    scores = starts_of(rules, 6, played)["public"]["scores"]
    assert (scores[played.deal == 0] == 0).all()
    later = np.flatnonzero(played.deal > 0)
    assert len(later) > 4
    assert (scores[later] == scores[later - 1] + played.results["points"][later - 1]).all()


def test_tables_of_a_board_hold_the_same_cards() -> None:
    rules = load_rules("bazar")
    starts = starts_of(rules, 3, play(rules, "random", "random", 3, seed=3))
    assert (starts["hands"][::2] == starts["hands"][1::2]).all()
    assert (starts["hands"][0] != starts["hands"][2]).any()


def test_actions_of_other_cards_are_refused() -> None:
    rules = load_rules("bazar")
    played = play(rules, "random", "random", 3, seed=3)
    with pytest.raises(ReplayError):
        starts_of(rules, 4, played)


def test_first_boards_are_whole() -> None:
    rules = load_rules("duel")
    played = play(rules, "random", "random", 5, seed=3)
    first = first_deals(played, 2)
    assert first.boards.tolist() == [0, 1]
    assert first.board.tolist() == [0, 0, 1, 1]
    assert (first.results == played.results[:4]).all()
    assert (first.actions == played.actions[:4]).all()
    assert first_deals(played, 9).board.tolist() == played.board.tolist()


def test_of_matches_fewer_are_taken() -> None:
    rules = load_rules("duel")
    played = play(rules, "random", "random", 5, seed=3, matches=True)
    longest = [max(played.deal[played.board == board]) + 1 for board in range(5)]
    assert first_deals(played, sum(longest[:3])).boards.tolist() == [0, 1, 2]
    assert first_deals(played, sum(longest[:3]) - 1).boards.tolist() == [0, 1]
    assert first_deals(played, 1).boards.tolist() == [0]
