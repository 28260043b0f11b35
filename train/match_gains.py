"""What deals change in the chance to win the match: a reward beside points, which tells what they are worth."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.match_odds import MatchOdds


def match_gains(odds: MatchOdds, before: NDArray[np.integer], results: NDArray[Any]) -> NDArray[np.float64]:
    """Return by how much deals raised each side's chance, (deals, 2), from -1 to 1; of two sides.

    Args:
        odds: the chances by score.
        before: (deals, 2) match points of both sides before the deals.
        results: (deals,) RESULT rows.
    """
    own, other = (before + results["points"][:, :2]).T
    winner = results["match_winner"]
    after = np.where(winner < 0, odds.chance(own, other), winner == 0)
    gain = after - odds.chance(*before.T)
    return np.stack([gain, -gain], 1)
