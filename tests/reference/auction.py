"""The numbered auction of `bazar` (rules, section 4)."""

from typing import NamedTuple

STRAINS = ["C", "D", "H", "S", "NT"]
LOWEST, HIGHEST = 8, 80
NUMBERED = [f"{number}{strain}" for number in range(LOWEST, HIGHEST + 1) for strain in STRAINS]
CAPOTS = ["capot" + strain for strain in STRAINS]


class Bid(NamedTuple):
    call: str
    number: int
    strain: str
    capot: bool
    seat: int


class Auction:
    """`seat` is asked at a `moment`: "open", "last word" or "recontra", until `over`."""

    def __init__(self, eldest: int) -> None:
        self.seat = eldest
        self.moment = "open"
        self.over = False
        self.bid: Bid | None = None  # the standing one
        self.contra = 0
        self.passes = 0  # in a row; while recontra is asked, of the bidding side

    def legal_calls(self) -> list[str]:
        if self.moment == "recontra":
            return ["pass", "recontra"]
        calls = ["pass", *self._higher_bids()]
        if self.moment == "open" and self.bid and (self.bid.seat - self.seat) % 2 == 1:
            calls.append("contra")
        return calls

    def _higher_bids(self) -> list[str]:
        if self.bid and self.bid.capot:
            return []
        too_low = len(STRAINS) * (self.bid.number - LOWEST + 1) if self.bid else 0
        return NUMBERED[too_low:] + CAPOTS

    def call(self, call: str) -> None:
        """Apply a legal call."""
        if call == "pass":
            self._pass()
        elif call == "contra":
            assert self.bid
            self.contra, self.moment, self.passes, self.seat = 1, "recontra", 0, self.bid.seat
        elif call == "recontra":
            self.contra, self.over = 2, True
        else:
            self.bid = self.read(call)
            self.moment, self.passes, self.seat = "open", 0, (self.seat + 1) % 4

    def _pass(self) -> None:
        self.passes += 1
        if self.moment == "last word":
            self.over = True
        elif self.moment == "recontra":
            self.over = self.passes == 2
            self.seat = (self.seat + 2) % 4
        elif self.bid is None:
            self.over = self.passes == 4
            self.seat = (self.seat + 1) % 4
        elif self.passes < 3:
            self.seat = (self.seat + 1) % 4
        elif self.bid.capot:
            self.over = True
        else:
            self.moment, self.seat = "last word", self.bid.seat

    def read(self, call: str) -> Bid:
        """The bid that a call would be now."""
        if call.startswith("capot"):
            standing = self.bid.number if self.bid else 0
            return Bid(call, max(25, standing + 1), call.removeprefix("capot"), True, self.seat)
        number = "".join(character for character in call if character.isdigit())
        return Bid(call, int(number), call.removeprefix(number), False, self.seat)
