"""What happens at a table, told from what all see of it."""

import numpy as np

from blot_env.actions import ANNOUNCE, SHOW
from blot_env.announcements import announced_classes
from blot_env.cards import set_name
from blot_env.combinations import SPOKEN
from blot_env.rules import RuleSet
from blot_env.speech import done, listed, standing_bid
from blot_env.state import AUCTION, HIDDEN
from blot_env.state import SWAP as SWAPPING


class Narrator:
    """Tells the actions of a deal.

    Args:
        you: the seat that is told, and called `You`; None for an onlooker.
    """

    def __init__(self, rules: RuleSet, you: int | None = None) -> None:
        self.rules, self.you = rules, you

    def name(self, seat: int) -> str:
        """Return what a seat is called."""
        if seat == self.you:
            return "You"
        partner = self.you is not None and seat == self.rules.partner(self.you)
        return f"Seat {seat}{' (your partner)' if partner else ''}"

    def tell(self, before: np.record, after: np.record, action: int) -> list[str]:
        """Return what an action did, in sentences.

        Args:
            before, after: the table (dtype `PUBLIC`) before the action and after it.
            action: by its number; `HIDDEN` for a discard of somebody else.

        >>> from blot_env import Game
        >>> game = Game("bela2", seed=57)
        >>> for action in ("nameH", "swap", "TC", "AC"):
        ...     before, number = game.state.public.copy(), game.rules.actions.parse(action, game.phase)
        ...     game.play(action)
        ...     for sentence in Narrator(game.rules, you=1).tell(before, game.state.public, number):
        ...         print(sentence)
        Seat 0 takes hearts as trump
        Seat 0 is asked whether to swap the seven
        Seat 0 swaps 7H for AH
        Seat 0 plays TC
        Seat 0 announces fifty
        You play AC
        Seat 0 shows JH QH KH AH
        You take trick 1, 21 points
        """
        who = self.name(int(before.seat))
        if action == HIDDEN:
            return [f"{who} discards a card"]
        told = [] if action in (ANNOUNCE, SHOW) else [done(self.rules, before, action, who)]
        return [*told, *self.asides(before, after), *self._contract(before, after), *self._trick(before, after)]

    def asides(self, before: np.record, after: np.record) -> list[str]:
        """Return what happened beside a call or card: who announced, was asked for the seven, or showed something."""
        seat, told = int(before.seat), []
        if classes := announced_classes(int(after.announced[seat] & ~before.announced[seat] | SPOKEN)):
            told.append(self._does(seat, "announce", listed(classes)))
        if after.phase == SWAPPING:
            asked = "are" if after.seat == self.you else "is"
            told.append(f"{self.name(int(after.seat))} {asked} asked whether to swap the seven")
        if (after.blot != before.blot).any():
            told.append(self._does(seat, "complete", f"the blot: {int((after.blot - before.blot).sum())}"))
        for other in range(self.rules.players):
            if after.shown[other] != before.shown[other]:
                told.append(self._does(other, "show", set_name(after.shown[other])))
        if after.belot >= 0 > before.belot:
            told.append(self._does(int(after.belot), "hold", "all cards of a suit: belot"))
        return told

    def _does(self, seat: int, verb: str, what: str) -> str:
        return f"{self.name(seat)} {verb}{'' if seat == self.you else 's'} {what}"

    def _contract(self, before: np.record, after: np.record) -> list[str]:
        """Return what the auction that has ended has led to."""
        if before.phase != AUCTION or after.phase == AUCTION:
            return []
        if after.bidder < 0:
            return ["Nobody has bid: the cards are dealt again"]
        return [f"The contract is {standing_bid(self.rules, after)}"] if self.rules.numbered else []

    def _trick(self, before: np.record, after: np.record) -> list[str]:
        """Return who has taken a trick."""
        if after.trick_number == before.trick_number:
            return []
        points = int((after.card_points - before.card_points).sum())
        return [self._does(int(after.leader), "take", f"trick {after.trick_number}, {points} points")]
