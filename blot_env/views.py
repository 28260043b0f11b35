"""What a seat knows: rows of `VIEW`, and batches of them with observations and masks (`Decisions`)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blot_env.compile import kernel
from blot_env.engine import legal
from blot_env.observing import observe, own_aside, write_mask
from blot_env.rules import RuleSet


@dataclass(frozen=True)
class Decisions:
    """What the seats to act at `n` tables know, and what they may do.

    Attributes:
        rules: the rule set of all tables.
        views: rows of `VIEW`, shape (n,).
        observations: uint8, shape (n, rules.observation.size).
        masks: int8, shape (n, rules.actions.size), 1 for each legal action.
        seeds: int64, shape (n,), one for each decision: a hash of seed, board, seat and number of actions so far.
    """

    rules: RuleSet
    views: NDArray[np.void]
    observations: NDArray[np.uint8]
    masks: NDArray[np.int8]
    seeds: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.seeds)

    def __getitem__(self, rows: Any) -> "Decisions":
        """Return the decisions of some rows (an index array, mask or slice)."""
        return Decisions(
            self.rules, self.views[rows], self.observations[rows], self.masks[rows], np.asarray(self.seeds[rows])
        )


def decision_of(rules: RuleSet, view: NDArray[np.void], seed: int) -> Decisions:
    """Return the one decision of a view.

    Args:
        view: shape (1,), dtype `VIEW`, whose seat is to act.
        seed: the decision's seed.
    """
    observation = np.zeros((1, rules.observation.size), np.uint8)
    mask = np.zeros((1, mask_width(rules)), np.int8)
    _look_at_view(rules.record, view, observation[0], mask[0])
    return Decisions(rules, view, observation, mask[:, : rules.actions.size], np.array([seed], np.int64))


def mask_width(rules: RuleSet) -> int:
    """Return the length of a padded row of a mask, a multiple of 64."""
    return -(-rules.actions.size // 64) * 64


@kernel
def look(rules, public, seat, hand, dealt, aside, observation, mask):  # type: ignore[no-untyped-def]
    """Write what a seat observes and may do, which is nothing out of turn, to rows of `mask_width` and all columns."""
    observe(rules, public, seat, hand, dealt, aside, observation)
    none = int(rules.actions)
    if seat == public.seat:
        bits, first, stop, capot = legal(rules, public, hand, dealt)
        write_mask(rules, bits, first, stop, capot, True, mask)
    else:
        write_mask(rules, 0, none, none, none, True, mask)


@kernel
def _look_at_view(rules, views, observation, mask):  # type: ignore[no-untyped-def]
    view = views[0]
    look(rules, view.public, view.seat, view.hand, view.dealt, view.aside, observation, mask)


@kernel(forceinline=True)
def write_view(state: np.record, seat: int, view: np.record) -> None:
    """Write what a seat knows."""
    view.public = state.public
    view.seat = seat
    view.hand = state.hands[seat]
    view.dealt = state.dealt[seat]
    view.aside = own_aside(state, seat)
