"""Renaming the suits of an observation.

No rule tells one suit from another, so a network may look at every hand in whichever order of the suits it likes best.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from blot_env.observation import ObservationLayout
from blot_env.rules import RuleSet

_CARDS = (
    *("hand", "unseen", "masters", "played", "trick", "could", "shown"),
    *("turned", "aside", "known", "hands", "down"),
)
_KINGS_AND_QUEENS = 8  # where the suits begin in the block "own"


def reordering(rules: RuleSet, layout: ObservationLayout, order: Sequence[int]) -> NDArray[np.int64]:
    """Return the columns, shape (layout.size,), that bring the suits into another order.

    Args:
        rules: whose layout it is.
        layout: of an observation or an oracle vector.
        order: the suit that comes first, second, third and fourth.

    `observation[reordering(...)]` is what the seat would observe if `order[0]` were named C, `order[1]` D and so on.
    """
    columns = np.arange(layout.size)
    cards = [8 * suit + rank for suit in order for rank in range(8)]
    called = len(rules.actions.strains)  # in which numbers are called
    by_strain = [*order, *range(4, called)] if called else []
    first_call = [0, *(1 + suit for suit in order), 5, 6, 7]
    groups = np.arange(8 * (called + 3)).reshape(-1, 8)
    seat = np.concatenate([groups[by_strain].ravel(), groups[called][first_call], groups[-2:].ravel()])
    periods: dict[str, Sequence[int] | NDArray[np.int64]] = dict.fromkeys(_CARDS, cards)
    periods |= {"voids": order, "seats": seat, "strain": [*order, *range(4, 8)]}
    periods["calls"] = groups[[*by_strain, called]].ravel()
    periods["own"] = [*range(8), *(_KINGS_AND_QUEENS + suit for suit in order), *range(12, 16)]
    for block in layout:
        if block.name in periods:
            period = np.asarray(periods[block.name])
            repeated = np.arange(0, block.width, len(period))[:, None] + period
            columns[layout[block.name]] = layout[block.name].start + repeated.ravel()
    return columns
