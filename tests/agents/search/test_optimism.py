"""What play makes of the solver's promises: more is never less, and all tricks stay all tricks two times in five."""

import numpy as np
import pytest

from agents.search.optimism import NORMAL, as_solved, played_of, played_out
from blot_env import RULESETS, load_rules

WHOLE = 162
VALUES = [-1, *range(0, WHOLE + 1, 9), WHOLE + 90]


@pytest.mark.parametrize("preset", RULESETS)
def test_promises_are_kept_in_order(preset: str) -> None:
    played = played_of(load_rules(preset))
    for strain in range(6):
        fifths = [
            [played_out(played.slope[strain], offset, fifth, value, WHOLE) for value in VALUES]
            for fifth, offset in enumerate(played.offsets[strain])
        ]
        assert (np.diff(fifths, axis=0) >= 0).all()
        assert (np.diff(fifths, axis=1) >= 0).all()
        assert [row[-1] > WHOLE for row in fifths] == [False, False, False, True, True]
        assert [row[0] < 0 for row in fifths] == [True, True, False, False, False]


def test_as_solved_changes_nothing() -> None:
    played = as_solved()
    for fifth in range(len(NORMAL)):
        assert [
            played_out(played.slope[0], played.offsets[0, fifth], fifth, value, WHOLE) for value in VALUES
        ] == VALUES
