"""Announcing and showing as one seat follows it: who is asked, and whether what is told of others can be.

The order of those who may be asked to show is hidden; what is known of it is that each who is asked had the best
combination of all that were left, and that who plays without being asked had not.
"""

from typing import TYPE_CHECKING

import numpy as np

from blot_env.actions import ANNOUNCE, SHOW
from blot_env.announcements import Worths, classes_text
from blot_env.cards import set_name
from blot_env.claims import claimants, show
from blot_env.combinations import KINDS, SPOKEN, announcement, best_announcement, best_combination, combination_cards
from blot_env.holdings import may_hold
from blot_env.records import RecordError
from blot_env.rules import RuleSet
from blot_env.seats import allied
from blot_env.state import ANNOUNCING, PLAY, SHOWING

if TYPE_CHECKING:
    from blot_env.following import Told


class Hearing:
    """What a seat hears and sees of the combinations of all.

    Args:
        view: what the seat knows, dtype `VIEW`; its table is changed in place.
        told: what it is told of announcements and shown cards.

    The methods raise `ValueError` for an action that cannot be, and `RecordError` for what is told wrongly.
    """

    def __init__(self, rules: RuleSet, view: np.record, told: "Told") -> None:
        self._rules, self._view, self._public, self._told = rules, view, view.public, told
        self._seats, self._own = range(rules.players), int(view.seat)
        self._by_choice = rules.announce == "by_choice"
        self._worths = Worths(rules, int(view.public.dealer))
        self._left: set[int] = set()  # those of whom the best is asked to show next
        self._candidates: set[int] = set()  # who of them may be the best
        self._better: list[tuple[int, int]] = []  # whose combination is better than whose, as the asking has told

    @property
    def may_be_asked(self) -> bool:
        """Whether the seat to act may be asked to show before its card."""
        return self._public.phase == PLAY and int(self._public.seat) in self._candidates

    def ask(self, answers: bool) -> None:
        """Ask the seat to act, about to play, what it is asked where players choose.

        Args:
            answers: whether it does answer; for the own seat, announcing, the cards tell.
        """
        public, seat = self._public, int(self._public.seat)
        if not self._by_choice or public.phase != PLAY:
            return
        if public.trick_number == 0:
            holds = answers if seat != self._own else best_combination(self._rules.record, public.strain, self._dealt)
            if not public.announced[seat] and (self._rules.bluff or holds):
                public.phase = ANNOUNCING
        elif answers:
            if seat not in self._candidates:
                raise ValueError(f"seat {seat} is not asked to show now: {self._who_is_asked()}")
            self._better += [(seat, other) for other in self._left - {seat}]
            public.phase = SHOWING
        else:
            self._candidates.discard(seat)
            if self._left and not self._candidates:
                raise ValueError(f"before its card seat {seat} is asked to show or pass")

    def answer(self, action: int) -> None:
        """Apply what the seat asked to announce or to show has chosen."""
        public, seat = self._public, int(self._public.seat)
        if public.phase == ANNOUNCING:
            self._hear(seat, action == ANNOUNCE)
        else:
            if action == SHOW:
                self._see(seat)
            else:
                public.withheld |= 1 << seat
            self._next_claimant()
        public.phase = PLAY

    def speak(self) -> None:
        """Announce with the first card of the seat to act; where it chooses, it holds nothing if it was not asked."""
        seat = int(self._public.seat)
        if not self._by_choice:
            self._hear(seat, True)
        elif not self._public.announced[seat]:
            self._hear(seat, False)
            self._worths.hear(seat, int(self._public.strain), SPOKEN)

    def after_first_trick(self) -> None:
        """Show what is told to be shown, or, where players choose, see who may be asked first."""
        if self._told.shown is None:
            raise RecordError("shown: a list by seat is wanted once the first trick is complete, not null")
        if self._by_choice:
            self._next_claimant()
            return
        for seat in self._seats:
            if self._told.shown[seat]:
                self._see(seat)
        self._check_best()

    def check(self, seat: int, held: int) -> None:
        """Raise ValueError if a seat, known to have held some cards, contradicts what it has announced."""
        if best_combination(self._rules.record, self._public.strain, held) > self._worths.most[seat]:
            said = classes_text(int(self._public.announced[seat]))
            raise ValueError(f"seat {seat} announced {said} and shows with it that it holds better")

    @property
    def _dealt(self) -> int:
        return int(self._view.dealt)

    def _hear(self, seat: int, announces: bool) -> None:
        """Take over the announcement that is told of a seat, which is nothing where it did not choose to make one."""
        record, strain, heard = self._rules.record, self._public.strain, self._told.announced[seat]
        if not heard:
            raise RecordError(f"announced: seat {seat} has spoken, so a list of classes is wanted, not null")
        if seat == self._own:
            of_hand = best_announcement if self._by_choice else announcement
            wanted = int(of_hand(record, strain, self._dealt)) if announces else SPOKEN
            if heard != wanted:
                raise RecordError(f"announced: seat {seat} announced {classes_text(wanted)}, not {classes_text(heard)}")
        elif self._by_choice and not (heard & ~SPOKEN in KINDS if announces else heard == SPOKEN):
            what = "one class, of its best combination" if announces else "nothing"
            raise RecordError(f"announced: seat {seat} announced {what}, not {classes_text(heard)}")
        if seat == self._own:
            self._worths.see(seat, int(strain), self._dealt)
        elif announces:
            self._worths.hear(seat, int(strain), heard)
        self._public.announced[seat] = heard

    def _see(self, seat: int) -> None:
        """Lay open the cards that a seat is told to show."""
        record, public = self._rules.record, self._public
        cards = self._told.shown[seat] if self._told.shown else 0
        strain, announced = int(public.strain), int(public.announced[seat])
        of_hand = best_announcement if self._by_choice else announcement
        used = int(combination_cards(record, strain, self._dealt if seat == self._own else cards))
        if cards != used or not cards:
            wanted = set_name(used) if used else "the cards of its combinations"
            raise RecordError(f"shown: seat {seat} showed {wanted}, not {set_name(cards) or 'nothing'}")
        if seat != self._own and cards & ~(int(may_hold(record, public, self._dealt, seat)) | int(public.played[seat])):
            raise RecordError(f"shown: seat {seat} cannot hold {set_name(cards)}")
        if of_hand(record, strain, cards) != announced:
            raise RecordError(f"shown: {set_name(cards)} is not what seat {seat} announced, {classes_text(announced)}")
        show(record, public, seat, cards)
        self._worths.see(seat, strain, cards)
        for better, other in self._better:
            if not self._worths.could_beat(better, other):
                raise RecordError(
                    f"shown: seat {better} was asked before seat {other}, which shows a better combination"
                )

    def _next_claimant(self) -> None:
        bits = int(claimants(self._rules.record, self._public))
        self._left = {seat for seat in self._seats if bits >> seat & 1}
        self._candidates = self._worths.could_be_best(self._left)

    def _who_is_asked(self) -> str:
        seats = " or ".join(str(seat) for seat in sorted(self._candidates))
        return f"seat {seats} is" if seats else "nobody is"

    def _check_best(self) -> None:
        """Check that exactly those show who score together with the best combination, as far as the seat can tell."""
        public, worths = self._public, self._worths
        announcers = [seat for seat in self._seats if public.announced[seat] != SPOKEN]
        showing = [seat for seat in self._seats if public.shown[seat]]
        if not showing:
            for seat in announcers:
                if worths.least[seat] > 0:
                    raise RecordError(f"shown: seat {seat} announced a combination, so somebody must show one")
            return
        together = {seat for seat in self._seats if allied(self._rules.record, public, showing[0], seat)}
        if not set(showing) <= together:
            raise RecordError("shown: only one side's combinations score and are shown")
        for seat in announcers:
            if seat in together and seat not in showing:
                raise RecordError(f"shown: the side of seat {seat} scores and seat {seat} announced, so it shows too")
        for seat in set(self._seats) - together:
            if not any(worths.could_beat(other, seat) for other in showing):
                whose = "the seat's own combination is" if seat == self._own else f"seat {seat} announced"
                raise RecordError(f"shown: {whose} a better combination than any that is shown")
