"""The auctions (rules, sections 4, 7 and 8): by numbers, over a turned card, by naming a suit."""

from abc import ABC, abstractmethod
from functools import cache
from typing import NamedTuple

from tests.reference.cards import suit_of
from tests.reference.presets import Rules


class Bid(NamedTuple):
    """A call that makes a contract: a numbered bid, or a named suit."""

    call: str
    number: int  # 0 for a named suit
    strain: str
    capot: bool
    seat: int


@cache
def numbered_calls(lowest: int, highest: int, *strains: str) -> list[str]:
    """All bids of a number and a strain in between, by rising number."""
    return [f"{number}{strain}" for number in range(lowest, highest + 1) for strain in strains]


class Auction(ABC):
    """`seat` is asked until `over`; then `bid` is the contract, None when everybody passed."""

    def __init__(self, rules: Rules, dealer: int) -> None:
        self.rules = rules
        self.dealer = dealer
        self.seat = (dealer + 1) % rules.players
        self.over = False
        self.bid: Bid | None = None  # the standing one
        self.contra = 0
        self.passes = 0  # in a row; while recontra is asked, of the bidding side

    @abstractmethod
    def legal_calls(self) -> list[str]:
        """All calls that `seat` may make."""

    @abstractmethod
    def call(self, call: str) -> None:
        """Apply a legal call."""

    def _next_seat(self) -> None:
        self.seat = (self.seat + 1) % self.rules.players


class NumberedAuction(Auction):
    """`seat` is asked at a `moment`: "open", "last word" or "recontra"."""

    def __init__(self, rules: Rules, dealer: int) -> None:
        super().__init__(rules, dealer)
        self.moment = "open"
        self.passed: set[int] = set()

    def legal_calls(self) -> list[str]:
        if self.moment == "recontra":
            return ["pass", "recontra"]
        calls = ["pass"]
        if self.rules.reenter or self.seat not in self.passed or self.moment == "last word":
            calls += self._higher_bids()
        if self.rules.contra and self.moment == "open" and self.bid and (self.bid.seat - self.seat) % 2 == 1:
            calls.append("contra")
        return calls

    def _higher_bids(self) -> list[str]:
        rules, bid = self.rules, self.bid
        lowest = rules.min_number if bid is None else bid.number + 1
        highest = rules.max_number if rules.jump_bids else min(lowest, rules.max_number)
        plain = numbered_calls(lowest, highest, *rules.strains)
        over_capot = bid is not None and bid.capot
        if rules.capot == "call":
            return [] if over_capot else plain + ["capot" + strain for strain in rules.strains]
        if rules.capot == "mark":  # capots may be called at any time, whatever plain bids there are
            bids = numbered_calls(max(lowest, rules.capot_min), rules.max_number, *rules.strains)
            return plain * (not over_capot) + [call + "capot" for call in bids]
        return plain  # from_25: over a capot all higher numbers are capots too

    def call(self, call: str) -> None:
        if call == "pass":
            self._pass()
        elif call == "contra":
            assert self.bid
            self.contra = 1
            self.over = not self.rules.recontra
            self.moment, self.passes, self.seat = "recontra", 0, self.bid.seat
        elif call == "recontra":
            self.contra, self.over = 2, True
        else:
            self.bid = self.read(call)
            self.moment, self.passes = "open", 0
            self._next_seat()

    def _pass(self) -> None:
        self.passes += 1
        self.passed.add(self.seat)
        if self.moment == "last word":
            self.over = True
        elif self.moment == "recontra":
            self.over = self.passes == (2 if self.rules.recontra_by == "side" else 1)
            self.seat = (self.seat + 2) % 4
        elif self.bid is None:
            self.over = self.passes == 4
            self._next_seat()
        elif self.passes < 3:
            self._next_seat()
        elif self.rules.last_word and not self.bid.capot:
            self.moment, self.seat = "last word", self.bid.seat
        else:
            self.over = True

    def read(self, call: str) -> Bid:
        """The bid that a call would be now."""
        if call.startswith("capot"):
            standing = self.bid.number if self.bid else 0
            number, strain = max(self.rules.capot_min, standing + 1), call.removeprefix("capot")
        else:
            number, strain = _number(call), call.removesuffix("capot").lstrip("0123456789")
        return Bid(call, number, strain, self.is_capot(call), self.seat)

    def is_capot(self, call: str) -> bool:
        return "capot" in call or (self.rules.capot == "from_25" and _number(call) >= self.rules.capot_min)


def _number(call: str) -> int:
    return int("".join(character for character in call if character.isdigit()))


class NamingAuction(Auction):
    """Everybody in turn may name any suit; the dealer, who speaks last, may be forced to."""

    rounds = 1

    def legal_calls(self) -> list[str]:
        last = self.passes == self.rounds * self.rules.players - 1
        return self._names() if last and self.rules.forced_dealer else ["pass", *self._names()]

    def _names(self) -> list[str]:
        return ["name" + strain for strain in self.rules.strains]

    def call(self, call: str) -> None:
        if call == "pass":
            self.passes += 1
            self.over = self.passes == self.rounds * self.rules.players
            self._next_seat()
        else:
            self.bid = Bid(call, 0, call.removeprefix("name"), False, self.seat)
            self.over = True


class EldestNames(NamingAuction):
    """Eldest must name."""

    def legal_calls(self) -> list[str]:
        return self._names()


class TurnedAuction(NamingAuction):
    """First everybody may take the suit of the turned card, then name another one."""

    rounds = 2

    def __init__(self, rules: Rules, dealer: int, turned: str) -> None:
        super().__init__(rules, dealer)
        self.turned = suit_of(turned)

    def _names(self) -> list[str]:
        first_round = self.passes < self.rules.players
        return ["name" + suit for suit in self.rules.strains if (suit == self.turned) == first_round]


def auction_of(rules: Rules, dealer: int, stock: list[str]) -> Auction:
    if rules.auction == "turned":
        return TurnedAuction(rules, dealer, stock[0])
    kinds = {"numbered": NumberedAuction, "named": NamingAuction, "eldest": EldestNames}
    return kinds[rules.auction](rules, dealer)
