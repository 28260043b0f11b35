"""From points with all cards seen to points as they are really played.

With all cards seen nobody guesses wrong: the bidders of strong hands are promised more than they come to take. What is
taken follows what is promised along a straight line with a normal spread, fitted to the contracts that were played; of
those that are promised every trick, or none, a share keeps it. `benchmarks/optimism.py` measures the same for the
search. So few numbers are sure after some hundred deals, and move a distribution without making its order unsound.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from agents.contract_shares import BINS, CENTRES, EVERY, NONE, PARTS
from blot_env import RuleSet
from train.contract_values.deals import Calls

FEWEST = 30  # contracts that a correction is fitted to; with fewer there is none
_EDGES = np.linspace(0, 1, PARTS + 1)[1:-1]


class Line(NamedTuple):
    """Shares in play over shares promised, and how often all or nothing comes true."""

    slope: float = 1.0
    height: float = 0.0
    spread: float = 0.0
    kept_none: float = 1.0
    kept_every: float = 1.0


def fit(solved: NDArray[np.integer], played: NDArray[np.integer]) -> Line:
    """Fit a line to bins of contracts, both (n,)."""
    if len(solved) < FEWEST:
        return Line()
    promised, taken = CENTRES[solved], CENTRES[played]
    design = np.stack([promised, np.ones_like(promised)], 1)
    (slope, height), *_ = np.linalg.lstsq(design, taken, rcond=None)
    spread = (taken - promised * slope - height).std()
    return Line(float(slope), float(height), float(spread), _kept(solved, played, NONE), _kept(solved, played, EVERY))


def matrix(line: Line) -> NDArray[np.float64]:
    """Return how likely each bin is as it is played, from each with all cards seen, (BINS, BINS)."""
    if line.spread == 0:
        return np.eye(BINS)
    edges = (_EDGES - (line.slope * CENTRES + line.height)[:, None]) / (line.spread * sqrt(2))
    below = 0.5 * (1 + torch.erf(torch.from_numpy(edges)).numpy())
    parts = np.diff(below, prepend=0.0, append=1.0, axis=1)
    whole = np.zeros((BINS, BINS))
    whole[:, 1:-1] = parts
    for extreme, kept in ((NONE, line.kept_none), (EVERY, line.kept_every)):
        whole[extreme] *= 1 - kept
        whole[extreme, extreme] = kept
    return whole


def corrections(rules: RuleSet, calls: Calls) -> Tensor:
    """Return the matrices of all strains, (strains, BINS, BINS) float32; all suits have one."""
    deals = calls.deals
    found = []
    for strain in range(len(rules.strains)):
        own = deals.strain < 4 if strain < 4 else deals.strain == strain
        found.append(matrix(fit(deals.solved[own], deals.played[own])))
    return torch.from_numpy(np.stack(found)).float()


def _kept(solved: NDArray[np.integer], played: NDArray[np.integer], extreme: int) -> float:
    """Return how often an extreme came true that was promised; half a case for and against it is added."""
    promised = solved == extreme
    return float(((played[promised] == extreme).sum() + 0.5) / (promised.sum() + 1))
