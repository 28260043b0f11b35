"""What every player is to those who seat it: something that answers decisions with legal actions."""

from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from blot_env.views import Decisions


class Agent(Protocol):
    """A player of one rule set."""

    name: str
    """As it stands in results: `rules@1`, `policy:PATH`. A player that plays otherwise gets another name."""

    def act(self, decisions: "Decisions") -> NDArray[np.int64]:
        """Return one legal action for each decision, shape (n,).

        A decision's action follows from what the decision holds, its seed included, and from nothing else: neither
        from the other decisions of the batch nor from earlier calls. So the same seed replays, however tables are
        batched.
        """
        ...
