"""Luck taken out of single boards: unbiased over all lots, exactly, and less scatter in real play."""

from itertools import product

import numpy as np
import pytest

from blot_env import load_rules
from tests.train.tournament.meetings import meet
from train.tournament.luck import luck_of, reduced, worth_of_boards
from train.tournament.margins import forfeit_of, margins
from train.tournament.seating import seatings


def test_over_all_lots_the_mean_stays_exactly_what_it_is() -> None:
    """Ten boards of any outcome have 1,024 lots; here what the cards are worth matters at one table more."""
    rng = np.random.default_rng(1)
    boards = 10
    worth = rng.normal(size=(boards, 2, 1)) * 10
    outcome = rng.normal(size=(boards, 2)) * 5 + 3
    outcome[:, 0] += 2 * (worth[:, 0, 0] - worth[:, 1, 0]) + worth[:, 0, 0] ** 2 / 10
    seating = seatings(2, 2)
    raw, less = [], []
    for lots in product((0, 1), repeat=boards):
        tables = np.array(lots)
        own = outcome[np.arange(boards), tables]
        found = np.stack([own, -own], axis=1)
        raw.append(found.mean(0))
        less.append(reduced(found, luck_of(worth, tables, seating, 2)).mean(0))
    assert not np.allclose(raw, less)
    assert np.mean(less, axis=0) == pytest.approx(np.mean(raw, axis=0), abs=1e-9)


@pytest.mark.parametrize(("sides", "entrants"), [(2, 2), (3, 2), (3, 3)])
def test_the_lots_of_a_board_even_out(sides: int, entrants: int) -> None:
    seating = seatings(sides, entrants)
    worth = np.random.default_rng(2).normal(size=(1, sides, 3)).repeat(len(seating), axis=0)
    luck = luck_of(worth, np.arange(len(seating)), seating, entrants)
    assert luck.sum(0) == pytest.approx(np.zeros((entrants, 3)), abs=1e-12)
    assert luck.sum(1) == pytest.approx(np.zeros((len(seating), 3)), abs=1e-12)
    assert abs(luck).max() > 0.1


def test_few_boards_stay_as_they_are() -> None:
    rng = np.random.default_rng(3)
    own = rng.normal(size=(20, 2))
    assert (reduced(own, rng.normal(size=(20, 2, 5))) == own).all()


def test_boards_are_worth_the_same_whatever_they_are_asked_with(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load_rules("duel")
    together = worth_of_boards(rules, 7, range(5, 11))
    monkeypatch.setattr("train.tournament.luck._AT_ONCE", 4)
    assert (worth_of_boards(rules, 7, range(5, 11)) == together).all()
    assert (worth_of_boards(rules, 7, [8]) == together[3]).all()
    assert (together[:, :, -1].sum(1) == 1).all()  # one side is eldest


def test_an_agent_against_itself_has_less_luck_left_in_the_duel() -> None:
    rules = load_rules("duel")
    played = meet(rules, ("rules", "rules"), range(300), 3, duplicate=False)
    seating = seatings(2, 2)
    own = margins(rules, played, seating, 2, forfeit_of(rules))
    worth = worth_of_boards(rules, 3, played.boards.tolist())
    left = reduced(own, luck_of(worth, played.table, seating, 2))
    assert left[:, 0] == pytest.approx(-left[:, 1])
    assert left[:, 0].var() < 0.8 * own[:, 0].var()
    assert abs(left[:, 0].mean()) < 3 * left[:, 0].std() / 300**0.5
