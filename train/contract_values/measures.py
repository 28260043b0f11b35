"""How well contract values foresee deals that they have not learnt from."""

import numpy as np
import torch
from numpy.typing import NDArray

from agents.contract_shares import CENTRES
from train.contract_values.deals import UNPLAYED, Calls
from train.contract_values.network import ContractNetwork

_LEAST = 1e-6  # a chance below it counts as it


def log_loss(chances: NDArray[np.floating], bins: NDArray[np.integer]) -> float:
    """Return the mean of -ln of the chance that was given to what came, in nats; (n, BINS) and (n,)."""
    given = np.take_along_axis(chances, bins[:, None].astype(np.int64), 1)[:, 0]
    return float(-np.log(np.maximum(given, _LEAST)).mean())


@torch.no_grad()
def measure(network: ContractNetwork, calls: Calls) -> dict[str, float]:
    """Return the quality of the distributions on some calls.

    Args:
        network: the contract values.
        calls: of held-out deals.
    """
    if not len(calls):
        return {}
    logits, extras = network(torch.from_numpy(calls.seen))
    promised = logits.softmax(-1).numpy()
    shares = calls.shares.astype(np.int64)
    found = {
        "values/solved": log_loss(promised.reshape(-1, promised.shape[-1]), shares.ravel()),
        "values/error": float(np.abs(promised @ CENTRES - CENTRES[shares]).mean()),
        "values/extras_error": float(np.abs(extras.numpy() - calls.extras).mean()),
    }
    rows = np.flatnonzero(calls.last & (calls.strain != UNPLAYED))
    if len(rows):
        at = rows, calls.strain[rows], calls.role[rows]
        found["values/played"] = log_loss(network.played(logits).numpy()[at], calls.played[rows])
        found["values/uncorrected"] = log_loss(promised[at], calls.played[rows])
    return found
