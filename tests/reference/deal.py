"""What every preset's reference shares: whose turn it is, applying an action, and the record (docs/records.md)."""

from abc import ABC, abstractmethod
from typing import Any

Record = dict[str, Any]


class Deal(ABC):
    """One deal, from the cards dealt to its result.

    Subclasses keep `seat` and `phase` ("over" at the end) up to date, and fill in `result` when it is over.
    """

    rules: str
    players = 4

    def __init__(self, record: Record) -> None:
        """Set up the board of a record; its actions are not applied."""
        self.target: int = record["target"]
        self.scores: list[int] = list(record["scores"])
        self.dealer: int = record["dealer"]
        self.dealt: list[list[str]] = [hand.split() for hand in record["hands"]]
        self.stock: list[str] = record["stock"].split()
        self.eldest = (self.dealer + 1) % self.players
        self.seat = self.eldest
        self.phase = "auction"
        self.actions: list[str] = []
        self.result: Record | None = None

    @abstractmethod
    def legal_actions(self) -> list[str]:
        """All actions that `seat` may take, in any order; none when the deal is over."""

    @abstractmethod
    def _apply(self, action: str) -> None:
        """Carry out a legal action."""

    def play(self, action: str) -> None:
        if action not in self.legal_actions():
            raise ValueError(f"{action} is not legal for seat {self.seat}")
        self.actions.append(action)
        self._apply(action)

    def record(self) -> Record:
        return {
            "rules": self.rules,
            "target": self.target,
            "scores": list(self.scores),
            "dealer": self.dealer,
            "hands": [" ".join(hand) for hand in self.dealt],
            "stock": " ".join(self.stock),
            "actions": list(self.actions),
            "result": self.result,
        }
