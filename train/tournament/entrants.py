"""Who enters a tournament: an agent, or a team of two partners, `hard+rules`."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Entrant:
    """Agents by seat of a side: one spec where one agent plays all of them, two where partners differ.

    Whoever calls may be another than who plays the cards: so the two parts of the game are compared.
    """

    spec: str  # as it was entered
    name: str  # of the agents, made unique in the tournament
    calls: tuple[str, ...]  # specs: who acts in the auction
    cards: tuple[str, ...]  # specs: who does all else
