"""What was played adds up over chunks."""

import numpy as np
import pytest

from train.tournament.played import Clock, bin_times, stacked


def test_clocks_add_up_and_know_their_times() -> None:
    times = [0, 1e-7, 3e-6, 0.02, 0.02, 5.0, 1e9]
    clock = Clock.of(times[:3]) + Clock.of(times[3:])
    assert (clock.counts == Clock.of(times).counts).all()
    assert clock.counts.sum() == len(times)
    assert clock.counts[0] == 2
    assert clock.counts[-1] == 1
    assert Clock.of([0.02]).counts.argmax() == 86  # log10(20000) * 20
    assert bin_times()[86] == pytest.approx(0.02, rel=0.06)


def test_rows_of_several_widths_stand_below_each_other() -> None:
    rows = [np.array([[1, 2], [3, -1]], np.int16), np.zeros((0, 5), np.int16), np.array([[4, 5, 6]], np.int16)]
    assert stacked(rows).tolist() == [[1, 2, -1, -1, -1], [3, -1, -1, -1, -1], [4, 5, 6, -1, -1]]
    assert stacked(rows[1:2]).shape == (0, 5)
