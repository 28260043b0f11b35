"""Seatings: each entrant sits wherever the others sat."""

from itertools import permutations

import numpy as np
import pytest

from train.tournament.seating import lot, seatings


def test_two_at_two_sides_change_places_once() -> None:
    assert seatings(2, 2).tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize("sides", [3, 4])
def test_two_at_more_sides_play_each_alone_and_against_each_alone(sides: int) -> None:
    seating = seatings(sides, 2)
    assert len(seating) == 2 * sides
    rows = set(map(tuple, seating.tolist()))
    assert rows == set(map(tuple, (1 - seating).tolist()))
    assert {tuple(int(side != own) for side in range(sides)) for own in range(sides)} <= rows


def test_three_at_three_sides_sit_in_every_order() -> None:
    assert set(map(tuple, seatings(3, 3).tolist())) == set(permutations(range(3)))


def test_three_cannot_share_two_sides() -> None:
    with pytest.raises(ValueError, match="3 entrants cannot share 2 sides"):
        seatings(2, 3)


def test_the_lot_is_even_and_its_own_for_each_seed() -> None:
    drawn = np.array([lot(4, board, 6) for board in range(6000)])
    assert np.bincount(drawn).tolist() == pytest.approx([1000] * 6, abs=120)  # four standard deviations
    assert drawn.tolist() != [lot(5, board, 6) for board in range(6000)]
