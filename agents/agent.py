"""What every player is to those who seat it: something that answers decisions with legal actions.

Whoever seats agents asks them through `choose`, which also hands the whole state to those that cheat.
"""

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from blot_env.views import Decisions


class ImpossibleViewError(ValueError):
    """No deal leads to what a seat is said to have seen; agents that imagine deals raise it."""

    def __init__(self) -> None:
        """Say so."""
        super().__init__("no deal leads to what this seat has seen: its hand and what was announced, shown and played")


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


@runtime_checkable
class CheatingAgent(Agent, Protocol):
    """A player that sees all cards: a measure for others, marked in its name, `seer (cheats)`, and nothing to export.

    Its `act` raises a ValueError that says so.
    """

    cheats: bool
    """True."""

    def act_seeing(self, decisions: "Decisions", states: NDArray[np.void]) -> NDArray[np.int64]:
        """Return one legal action for each decision, as `act`; rows of `STATE` are the tables, shape (n,)."""
        ...


@runtime_checkable
class SearchingAgent(Agent, Protocol):
    """A player that takes thousands of times longer for a decision than others, so trainings seat it at few tables."""

    searches: bool
    """Whether it does: an agent that only may, and does not as it was made, has False."""
    timed: bool
    """Whether it thinks for a given time, so that its actions cannot be repeated."""


@runtime_checkable
class FurnishedAgent(Agent, Protocol):
    """A player with knobs or files that decide how it plays, and may be others while its spec stays the same."""

    made_of: dict[str, str]
    """The knobs, and the digests of the files, by name."""


def choose(
    agent: Agent, decisions: "Decisions", states: NDArray[np.void], rows: Any = slice(None)
) -> NDArray[np.int64]:
    """Return an agent's action for each decision, shape (n,).

    Args:
        agent: who decides.
        decisions: of n tables.
        states: rows of `STATE`, which only an agent that cheats gets to see.
        rows: which of them are the decisions' tables, by default all.
    """
    return agent.act_seeing(decisions, states[rows]) if isinstance(agent, CheatingAgent) else agent.act(decisions)
