"""What a rollout hands to the learner: one row a decision, in compact form and the network's order of the suits."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


@dataclass
class Experience:
    """Decisions of whole deals in the order in which they were taken; m rows.

    `step` numbers the moments of the rollout, at each of which a table takes at most one decision.
    """

    inputs: Tensor  # (m, critic inputs) uint8; the observation comes first
    legal: Tensor  # (m, width) bool: cards or choices, padded
    raises: Tensor  # (m, 3) int64: how many raises are legal, by ladder
    action: Tensor  # (m,) int64: the card or the choice
    raised: Tensor  # (m,) int64: the raise of a bid, from 0
    log_probability: Tensor  # (m,) float32, under the policy that acted; 0 for a teacher
    is_card: NDArray[np.bool_]  # (m,)
    table: NDArray[np.int64]  # (m,)
    side: NDArray[np.int64]  # (m,)
    step: NDArray[np.int64]  # (m,) ascending
    reward: NDArray[np.float32]  # (tables, sides) at the end, scaled

    def __len__(self) -> int:
        return len(self.table)

    def minibatches(self, size: int, rng: np.random.Generator) -> Iterator[tuple[Tensor, int]]:
        """Yield rows of one pass in random order: calls first, cards from the second value on.

        Each minibatch holds the same share of calls, so that no step rests on a handful of them.
        """
        parts = max(1, round(len(self) / size))
        calls = np.array_split(rng.permutation(np.flatnonzero(~self.is_card)), parts)
        cards = np.array_split(rng.permutation(np.flatnonzero(self.is_card)), parts)
        for first, second in zip(calls, reversed(cards), strict=True):
            yield torch.from_numpy(np.concatenate([first, second])), len(first)


def advantages(
    experience: Experience, values: NDArray[np.float32], trace: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return generalised advantage estimates (γ = 1) and value targets, both (m,), from the acting side's view.

    Of two sides one gains what the other loses, so the value after an action is minus the next decision's if that is
    the other side's: one trajectory a table runs through the decisions of both. Of three sides each has its own.
    """
    sides = experience.reward.shape[1]
    if sides == 2:
        sign = np.where(experience.side == 0, 1, -1).astype(np.float32)
        place, following = experience.table, experience.reward[:, 0].copy()
    else:
        sign = np.ones_like(values)
        place, following = experience.table * sides + experience.side, experience.reward.flatten()
    own = sign * values  # as side 0 sees it, where one trajectory serves both; turned back at the end
    gain = np.zeros_like(values)
    sums = np.zeros_like(following)  # by trajectory: discounted differences from there on; `following`: what comes next
    starts = np.flatnonzero(np.diff(experience.step, prepend=-1))
    for start, stop in zip(starts[::-1], [len(experience), *starts[:0:-1]], strict=True):
        here = place[start:stop]
        sums[here] = following[here] - own[start:stop] + trace * sums[here]
        following[here] = own[start:stop]
        gain[start:stop] = sums[here]
    return sign * gain, sign * gain + values
