"""How many ways there are to go on: counts of legal continuations, as known values, from the engine and the reference.

A continuation of depth n is a sequence of n legal actions; a deal that ends before is none.
"""

import copy
from typing import Any

import numpy as np
import pytest

from blot_env import Game
from tests import vectors
from tests.reference import PRESETS, Reference

COUNTS = """
bazar             1   0 auction   2    68636
bazar             1   6 play      4     4096
bazar             1  22 play      5      768
bazar             1  30 play      8       16
bazar             4   8 auction   2    57638
bazar             4   9 play      5      777
bazar             4  25 play      5       48
bazar             4  33 play      8        8
duel              1   0 auction   4      212
duel              1   4 play      4     2646
duel              1  12 play      5      216
duel              1  12 play      8      384
duel              2   1 auction   3       59
duel              2   2 play      5     9408
duel              2  10 play      5      288
duel              2  10 play      8      576
bazar-alltrump    2   0 auction   3      685
bazar-alltrump    2   5 play      4      488
bazar-alltrump    2  21 play      5      720
bazar-alltrump    2  29 play      8       16
bazar-alltrump    7   5 auction   3      605
bazar-alltrump    7   6 play      5      910
bazar-alltrump    7  22 play      5      156
bazar-alltrump    7  30 play      8       12
hayblot           4   0 auction   2    66796
hayblot           4   3 play      4      120
hayblot           4  19 play      5       30
hayblot           4  27 play      8        6
hayblot           5   3 auction   2    64636
hayblot           5   4 play      5     1099
hayblot           5  20 play      5      456
hayblot           5  28 play      8       12
bazar-classic     4   0 auction   2   199291
bazar-classic     4  22 announce  4      126
bazar-classic     4  29 show      4       16
bazar-classic     4  23 play      4      126
bazar-classic     4  41 play      5      288
bazar-classic     4  49 play      8       10
bazar-classic     6   7 auction   3       32
bazar-classic     6   9 announce  4      160
bazar-classic     6  16 show      4      112
bazar-classic     6   8 play      5      928
bazar-classic     6  29 play      5      432
bazar-classic     6  37 play      8        8
bela4             2   0 auction   4      228
bela4             2   3 play      4       56
bela4             2  19 play      5       39
bela4             2  27 play      8        4
bela4             4   3 auction   3       53
bela4             4   4 play      5      315
bela4             4  20 play      5       72
bela4             4  28 play      8       10
bela3             1   0 auction   4     5280
bela3             1   1 discard   4     2750
bela3             1   3 play      4     1395
bela3             1  18 play      5      906
bela3             1  27 play      6        6
bela3             3   0 auction   3      528
bela3             3   1 discard   4     9504
bela3             3   3 play      5    52974
bela3             3  18 play      5     1100
bela3             3  27 play      6        6
bela2            10   0 auction   4       89
bela2            10   1 swap      4      324
bela2            10   2 play      4      336
bela2            10  12 play      5     1200
bela2            10  14 play      8      576
bela2            18   0 auction   3       26
bela2            18   1 swap      4      396
bela2            18   2 play      5     2704
bela2            18  12 play      5      348
bela2            18  14 play      8      576
blotstar          9   0 auction   2   168436
blotstar          9   3 play      4      152
blotstar          9  19 play      5      624
blotstar          9  27 play      8       16
blotstar         39   2 auction   3       38
blotstar         39   3 play      5      504
blotstar         39  19 play      5       27
blotstar         39  27 play      8        8
"""
"""Preset, line of `tests/data/vectors` (of `bazar` for `blotstar`), actions taken before, the phase, depth, count."""

ROWS = [line.split() for line in COUNTS.strip().splitlines()]
POSITIONS = [
    pytest.param(preset, int(line), int(taken), phase, int(depth), int(count), id=f"{preset}-{line}-{taken}-{phase}")
    for preset, line, taken, phase, depth, count in ROWS
]
MANY = 5000  # from here on the reference is slow


def position(preset: str, line: int, taken: int) -> tuple[dict[str, Any], list[str]]:
    """A recorded deal, and its first actions."""
    record, _ = vectors.load(preset if preset in vectors.PRESETS else "bazar")[line - 1]
    return record | {"rules": preset, "result": None}, record["actions"][:taken]


def count(game: Game, depth: int) -> int:
    """Continuations in the engine."""
    legal = np.flatnonzero(game.mask())
    if depth == 1:
        return len(legal)
    continuations = 0
    for action in legal:
        after = game.copy()
        after.take(action)
        continuations += count(after, depth - 1)
    return continuations


def count_reference(deal: Reference, depth: int) -> int:
    """Continuations in the reference."""
    legal = deal.legal_actions()
    if depth == 1:
        return len(legal)
    continuations = 0
    for action in list(legal):
        after = copy.deepcopy(deal)
        after.play(action)
        continuations += count_reference(after, depth - 1)
    return continuations


@pytest.mark.parametrize(("preset", "line", "taken", "phase", "depth", "expected"), POSITIONS)
def test_the_engine_counts(preset, line, taken, phase, depth, expected):
    record, actions = position(preset, line, taken)
    game = Game.from_record(record)
    for action in actions:
        game.play(action)
    assert game.phase == phase
    assert count(game, depth) == expected


@pytest.mark.parametrize(
    ("preset", "line", "taken", "phase", "depth", "expected"),
    [
        pytest.param(*row.values, id=row.id, marks=[pytest.mark.slow] if row.values[-1] >= MANY else [])
        for row in POSITIONS
    ],
)
def test_the_reference_counts(preset, line, taken, phase, depth, expected):
    record, actions = position(preset, line, taken)
    deal = Reference(record)
    for action in actions:
        deal.play(action)
    assert deal.phase == phase
    assert count_reference(deal, depth) == expected


def test_every_preset_is_counted_in_each_of_its_phases():
    phases = {preset: {"auction", "play"} for preset in PRESETS}
    phases["bazar-classic"] |= {"announce", "show"}
    phases["bela2"] |= {"swap"}
    phases["bela3"] |= {"discard"}
    counted = {preset: {phase for other, _, _, phase, _, _ in ROWS if other == preset} for preset in PRESETS}
    assert counted == phases
