"""What the auction alone, and the card play alone, contribute to a margin.

An entrant that calls as the first and plays the cards as the second one meets the second on the same boards: what it
gains, the first one's auction gains. With the parts exchanged it is the first one's card play.
"""

from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blot_env import RuleSet
from train.tournament.estimates import bootstrap
from train.tournament.margins import margins
from train.tournament.played import Played


def report_parts(
    rules: RuleSet, played: Played, parts: tuple[Played, Played], seating: NDArray[np.int64], forfeit: float
) -> dict[str, Any]:
    """Return match points a board that the first entrant's parts gain over the second's, as JSON takes it.

    `auction` and `cards` are the parts alone and `whole` is the meeting on the same boards; `together` is what is left
    of it: good bids may be worth more to who plays the cards well.

    Args:
        played: the meeting, from its first board on.
        parts: the first entrant's auction with the second's cards, and the reverse, each against the second entrant;
            the first boards of the meeting, one or more.
        seating, forfeit: as `margins` takes them.
    """
    whole, auction, cards = (margins(rules, each, seating, 2, forfeit)[:, 0] for each in (played, *parts))
    whole = whole[: len(auction)]
    shares = {"auction": auction, "cards": cards, "together": whole - auction - cards, "whole": whole}
    return {name: asdict(bootstrap(values)) for name, values in shares.items()}
