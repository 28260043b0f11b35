"""A deal followed with the eyes of one seat, through the kernels that the deal itself is played with.

What those read from hidden cards is told instead (`Told`). Every step is checked as far as the seat can tell.
"""

import json
from dataclasses import dataclass

import numpy as np

from blot_env.actions import PASS
from blot_env.auction import begin_play, call
from blot_env.cards import card_name, set_name
from blot_env.engine import is_legal, legal, open_card, remember
from blot_env.hearing import Hearing
from blot_env.holdings import may_hold, without_room
from blot_env.legality import why_not
from blot_env.records import RecordError
from blot_env.rules import RuleSet
from blot_env.seats import union
from blot_env.state import AUCTION, DISCARD, HIDDEN, OVER, PHASES, PLAY
from blot_env.state import SWAP as SWAPPING
from blot_env.stock import answer_swap, ask_swap, holds_suit, may_swap, see_taken, seven

DISCARDED = "discard"
"""How a seat sees what another discards."""


@dataclass(frozen=True)
class Told:
    """What a seat is told besides the actions and the cards that it sees in the auction.

    Attributes:
        taken: the cards that it has taken up, a set.
        swap_asked: the seat that was asked to swap the seven, None where nobody was.
        announced: by seat the bits of its announcement, 0 until it has spoken.
        shown: by seat the set of the cards that it has laid open; None before the first trick is complete.
    """

    taken: int
    swap_asked: int | None
    announced: list[int]
    shown: list[int] | None


class Follower:
    """Follows a deal.

    Args:
        view: what the seat knows as the deal begins, dtype `VIEW`; it is changed in place.
        told: what the seat is told in the course of the deal.

    The methods raise `ValueError` for an action that cannot be, and `RecordError` for what is told wrongly.
    """

    def __init__(self, rules: RuleSet, view: np.record, told: Told) -> None:
        self._rules, self._record, self._view, self._public, self._told = rules, rules.record, view, view.public, told
        self._own = int(view.seat)
        self.hearing = Hearing(rules, view, told)

    def take(self, text: str) -> None:
        """Apply the next action, written as the seat sees it."""
        public = self._public
        if public.phase == OVER:
            raise ValueError("the deal was over before it")
        self.hearing.ask(text in ("pass", "announce", "show"))
        if public.phase == DISCARD:
            self._discard(text)
            return
        action = self._rules.actions.parse(text, PHASES[public.phase])
        self._check(action)
        if public.phase == PLAY:
            self._play(action)
            return
        remember(public, action)
        if public.phase == AUCTION:
            self._call(action)
        elif public.phase == SWAPPING:
            self._swap(action)
        else:
            self.hearing.answer(action)
            self._check_hands(int(public.seat))

    def check_told(self) -> None:
        """Raise RecordError if more is told than has happened."""
        public, told = self._public, self._told
        if told.swap_asked is not None and not (self._rules.swap_seven and public.known[told.swap_asked]):
            raise RecordError("swap_asked: nobody has been asked to swap the seven, so null is wanted")
        if told.taken and public.phase in (AUCTION, SWAPPING):
            raise RecordError("taken: nothing has been taken up so far, so null is wanted")
        for seat, announced in enumerate(told.announced):
            if announced != public.announced[seat]:
                raise RecordError(f"announced: seat {seat} has not spoken so far, so null is wanted")
        if told.shown is not None and public.trick_number == 0:
            raise RecordError("shown: the first trick is not complete, so null is wanted")
        for seat, shown in enumerate(told.shown or []):
            if shown != public.shown[seat]:
                raise RecordError(f"shown: seat {seat} has not shown anything so far")

    def _call(self, action: int) -> None:
        call(self._record, self._public, action)
        if self._public.phase != PLAY:
            return
        if may_swap(self._record, self._public):
            self._check_swap_asked()
            if self._told.swap_asked is not None:
                ask_swap(self._record, self._public, self._told.swap_asked)
                return
        self._take_up()

    def _check_swap_asked(self) -> None:
        """Check that the seat that is asked to swap may hold the seven."""
        card, asked = int(seven(self._public)), self._told.swap_asked
        if card == self._public.turned:
            possible: list[int | None] = [None]
        elif self._view.hand >> card & 1:
            possible = [self._own]
        else:
            possible = [None, *(seat for seat in range(self._rules.players) if seat != self._own)]
        if asked not in possible:
            wanted, given = (json.dumps(seats) for seats in (possible, asked))
            raise RecordError(f"swap_asked: who may see the {card_name(card)} is one of {wanted}, not {given}")

    def _swap(self, action: int) -> None:
        hand = answer_swap(self._record, self._public, self._view.hand, action)
        if self._public.seat == self._own:
            self._view.hand = hand
        begin_play(self._record, self._public)
        self._take_up()

    def _take_up(self) -> None:
        """Take up the cards that are told."""
        rules, public, view, taken = self._rules, self._public, self._view, self._told.taken
        see_taken(self._record, public)
        count = rules.face_down
        if rules.stock == "drawn":
            count += rules.hand_size - rules.dealt
        if rules.stock == "namer" and public.bidder == self._own:
            count += rules.stock_size
        if taken.bit_count() != count:
            raise RecordError(f"taken: seat {self._own} took up {count} cards, not {taken.bit_count()}")
        if impossible := taken & int(view.hand | public.out | public.excluded[self._own]):
            raise RecordError(f"taken: {set_name(impossible)} cannot be among what seat {self._own} took up")
        hand = int(view.hand) | taken
        if missing := int(public.known[self._own]) & ~hand:
            raise RecordError(f"taken: {set_name(missing)} is missing, which seat {self._own} took up")
        view.hand = view.dealt = hand
        if public.phase == PLAY:
            self._check_belot(self._own, hand)

    def _discard(self, text: str) -> None:
        public, view, seat = self._public, self._view, int(self._public.seat)
        if seat != self._own and text != DISCARDED:
            raise ValueError(f"what seat {seat} discards is hidden: {DISCARDED!r} is wanted")
        if seat == self._own:
            if text == DISCARDED:
                raise ValueError(f"seat {seat} knows what it discards: a card is wanted")
            card = self._rules.actions.parse(text, PHASES[DISCARD])
            self._check(card)
            view.aside |= 1 << card
            view.hand &= ~(1 << card)
            view.dealt = view.hand
        remember(public, HIDDEN)
        if np.count_nonzero(public.history[: public.length] == HIDDEN) == self._rules.stock_size:
            begin_play(self._record, public)
            self._check_belot(self._own, int(view.dealt))

    def _play(self, card: int) -> None:
        public, view, seat = self._public, self._view, int(self._public.seat)
        if public.trick_number == 0:
            self.hearing.speak()
        if seat == self._own:
            view.hand &= ~(1 << card)
        open_card(self._record, public, card)
        if public.trick_number == 1 and public.trick_size == 0:
            self.hearing.after_first_trick()
        self._check_hands(seat)

    def _check(self, action: int) -> None:
        """Raise ValueError if the seat to act cannot take an action."""
        public, seat = self._public, int(self._public.seat)
        hand, dealt = int(self._view.hand), int(self._view.dealt)
        if seat != self._own:
            hand, dealt = int(may_hold(self._record, public, self._seen, seat)), int(self._record.pack)
            if public.phase == PLAY and action < PASS:
                if not hand >> action & 1:
                    raise ValueError(f"seat {seat} cannot hold that card: {self._whereabouts(action)}")
                hand = 1 << action
        if not is_legal(self._record, *legal(self._record, public, hand, dealt), action):
            raise ValueError(why_not(self._rules, public, hand, action))

    def _whereabouts(self, card: int) -> str:
        """Return why another seat cannot hold a card."""
        public = self._public
        for cards, reason in (
            (~int(self._record.pack), "it is not in the pack"),
            (int(union(public.played)), "it has been played"),
            (int(public.out), "it is out of the game"),
            (self._seen, f"seat {self._own} does"),
        ):
            if cards >> card & 1:
                return reason
        return "what has been played and shown tells otherwise"

    def _check_belot(self, seat: int, held: int) -> None:
        if self._rules.belot and holds_suit(self._record, held):
            raise ValueError(f"seat {seat} held a whole suit: the belot won the match at once, nothing is played")

    def _check_hands(self, seat: int) -> None:
        """Raise ValueError if what has been seen, by the last action of a seat, cannot be true of any deal."""
        public = self._public
        held = int(public.played[seat] | public.shown[seat] | public.known[seat])
        self._check_belot(seat, held)
        self.hearing.check(seat, held)
        cards, places = without_room(self._record, public, self._seen, self._own)
        if cards:
            seats = [f"with seat {other}" for other in range(self._rules.players) if places >> other & 1]
            where = " and ".join(seats) or "out of the play"
            raise ValueError(f"then {set_name(cards)} could only be {where}, where there is no room for so many")

    @property
    def _seen(self) -> int:
        """The cards that the seat has had."""
        return int(self._view.dealt | self._view.aside)
