"""How combinations become known, and whose score (rules, sections 3 and 6)."""

from abc import ABC, abstractmethod

from tests.reference.combinations import Combination, best_of, blots_of, combinations_of
from tests.reference.presets import Rules


class Announcing(ABC):
    """The combinations of the hands as play begins, under a strain that `namer` has bid or named."""

    def __init__(self, rules: Rules, hands: list[list[str]], strain: str, namer: int, eldest: int) -> None:
        self.rules = rules
        self.strain = strain
        self.namer = namer
        self.eldest = eldest
        self.held = [combinations_of(hand, strain, seat, rules) for seat, hand in enumerate(hands)]
        self.blots = [rules.blot * blots_of(hand, strain, rules) for hand in hands]
        self.played = [0] * rules.players  # cards by seat

    @abstractmethod
    def question(self, seat: int) -> str | None:
        """What a seat is asked before its next card: announce, show, or nothing."""

    @abstractmethod
    def answer(self, seat: int, answer: str) -> None:
        """Apply the answer: announce, show or pass."""

    @abstractmethod
    def announced(self, seat: int) -> list[str]:
        """The classes of combinations that a seat has announced, sorted."""

    @abstractmethod
    def shown(self, seat: int) -> set[str]:
        """The cards of combinations of a seat that are public."""

    @abstractmethod
    def scoring_seats(self) -> list[int]:
        """The seats whose combinations score."""

    def points(self, seat: int) -> int:
        """What the combinations of a seat score."""
        return sum(found.value for found in self.held[seat]) if seat in self.scoring_seats() else 0

    def blot_points(self, seat: int) -> int:
        """What the blots of a seat score; where they are compared, they are the lowest of combinations."""
        scorers = self.scoring_seats() or self.first([seat for seat, blot in enumerate(self.blots) if blot])
        camps = [other for scorer in scorers for other in self.camp(scorer)]
        return self.blots[seat] if not self.rules.blot_compared or seat in camps else 0

    def card_played(self, seat: int) -> None:
        self.played[seat] += 1

    def has_spoken(self, seat: int) -> bool:
        return self.played[seat] > 0

    @property
    def first_trick_over(self) -> bool:
        return all(self.played)

    def first(self, seats: list[int]) -> list[int]:
        """Of some seats the one that comes first, counted from eldest, if there is one."""
        return sorted(seats, key=lambda seat: (seat - self.eldest) % self.rules.players)[:1]

    def best_of(self, seats: list[int]) -> Combination | None:
        found = [combination for seat in seats for combination in self.held[seat]]
        return best_of(found, self.strain, self.eldest, self.rules)

    def camp(self, seat: int) -> list[int]:
        """The seats that compare as one side: a team, or all who play against a namer who plays alone."""
        seats = range(self.rules.players)
        if self.rules.teams:
            return [other for other in seats if other % 2 == seat % 2]
        return [other for other in seats if (other == self.namer) == (seat == self.namer)]


class Automatic(Announcing):
    """All is announced with each player's first card, and what scores is shown after the first trick."""

    def question(self, seat: int) -> str | None:
        return None

    def answer(self, seat: int, answer: str) -> None:
        raise ValueError("nobody is asked")

    def announced(self, seat: int) -> list[str]:
        return sorted(found.name for found in self.held[seat]) if self.played[seat] else []

    def shown(self, seat: int) -> set[str]:
        if not self.first_trick_over or seat not in self.scoring_seats():
            return set()
        return {card for found in self.held[seat] for card in found.cards}

    def scoring_seats(self) -> list[int]:
        best = self.best_of(list(range(self.rules.players)))
        return [] if best is None else self.camp(best.seat)


class ByChoice(Announcing):
    """Who holds a combination is asked to announce; after the first trick a claimant to show."""

    def __init__(self, rules: Rules, hands: list[list[str]], strain: str, namer: int, eldest: int) -> None:
        super().__init__(rules, hands, strain, namer, eldest)
        self.silent: list[int] = []
        self.announcers: list[int] = []
        self.showers: list[int] = []
        self.withheld: list[int] = []
        self.claimant: int | None = None  # who is to be asked before its next card

    def question(self, seat: int) -> str | None:
        answered = seat in self.announcers + self.silent
        if not self.played[seat] and not answered and (self.held[seat] or self.rules.bluff):
            return "announce"
        return "show" if seat == self.claimant else None

    def answer(self, seat: int, answer: str) -> None:
        if answer == "announce":
            self.announcers.append(seat)
        elif answer == "show":
            self.showers.append(seat)
            partner = [other for other in self._remaining() if other in self.camp(seat)]
            self.claimant = partner[0] if partner else None
        elif seat == self.claimant:
            self.withheld.append(seat)
            others = [other for other in self._remaining() if other not in self.camp(seat)]
            self._claim(others or self._remaining())
        else:
            self.silent.append(seat)

    def card_played(self, seat: int) -> None:
        super().card_played(seat)
        if sum(self.played) == self.rules.players:
            self._claim(self._remaining())

    def has_spoken(self, seat: int) -> bool:
        return seat in self.announcers + self.silent or super().has_spoken(seat)

    def _remaining(self) -> list[int]:
        """The announcers who have neither shown nor withheld."""
        answered = self.showers + self.withheld
        late = [] if self.rules.late_claims else [seat for seat, cards in enumerate(self.played) if cards > 1]
        return [seat for seat in self.announcers if seat not in answered + late]

    def _claim(self, seats: list[int]) -> None:
        best = self.best_of(seats)
        claimants = [best.seat] if best else self.first(seats)  # who bluffed comes last
        self.claimant = claimants[0] if claimants and not self.showers else None

    def announced(self, seat: int) -> list[str]:
        best = self.best_of([seat])
        return [best.name if best else "terz"] if seat in self.announcers else []

    def shown(self, seat: int) -> set[str]:
        return {card for found in self.held[seat] for card in found.cards} if seat in self.showers else set()

    def scoring_seats(self) -> list[int]:
        return self.showers
