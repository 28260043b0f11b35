"""What a seat should observe, block by block, read slowly from a deal of the reference (docs/environment.md)."""

from tests.reference import Reference
from tests.reference.cards import DECK, is_trump, strength, suit_of
from tests.reference.combinations import combinations_of
from tests.reference.scoring import card_points, rounded
from tests.reference.tricks import winner_of
from tests.seen import ANNOUNCED, BONUS, CALLED, FIRST_CALLS, MISSING, MOMENTS, NUMBERS, STATUS, STRAIN_NAMES
from tests.worlds import Cards, excluded, has_begun, known_to_all

Bits = list[int]


def cards(held: Cards | list[str]) -> Bits:
    return [int(card in held) for card in DECK]


def levels(value: int, steps: list[int] | range) -> Bits:
    """A bit for each step that the value reaches."""
    return [int(value >= step) for step in steps]


def words(held: list[str] | set[str], names: list[str]) -> Bits:
    return [int(name in held) for name in names]


def binary(number: int) -> Bits:
    return [number >> bit & 1 for bit in range(8)]


def flat(rows: list[Bits]) -> Bits:
    return [bit for row in rows for bit in row]


class Calls:
    """What the seats have called, in order."""

    def __init__(self, deal: Reference) -> None:
        seats = range(deal.rules.players)
        self.highest: list[dict[str, int]] = [{} for _ in seats]
        self.first_number = [0 for _ in seats]
        self.first: list[list[str]] = [[] for _ in seats]  # pass, or the strain, and capot
        self.passed = [0 for _ in seats]
        self.contra: list[int | None] = [None, None, None]  # who said it, who said recontra (from 1)
        replay = Reference(deal.record())
        for action in deal.actions:
            if replay.phase != "auction":
                break
            seat, auction = replay.seat, replay.auction
            moment = getattr(auction, "moment", "open")
            if action == "pass":
                if moment == "open":
                    self.passed[seat] += 1
                    self.first[seat] = self.first[seat] or ["pass"]
            elif action in ("contra", "recontra"):
                self.contra[["contra", "recontra"].index(action) + 1] = seat
            elif action.startswith("name"):
                self.first[seat] = self.first[seat] or [action[4:]]
            else:
                bid = auction.read(action)
                self.highest[seat][bid.strain] = bid.number
                self.first_number[seat] = self.first_number[seat] or bid.number
                self.first[seat] = self.first[seat] or [bid.strain, *["capot"] * bid.capot]
            replay.play(action)


class Reading:
    """The blocks of an observation: `Reading(deal, seat).block(name)`."""

    def __init__(self, deal: Reference, seat: int) -> None:
        self.deal, self.seat, self.rules = deal, seat, deal.rules
        self.seats = [(seat + turn) % self.rules.players for turn in range(self.rules.players)]
        self.others = self.seats[1:]
        self.sides = [(seat + turn) % self.rules.sides for turn in range(self.rules.sides)]
        self.bid = deal.auction.bid
        self.strain = self.bid.strain if self.bid else ""
        self.calls = Calls(deal)
        self.known, self.out = known_to_all(deal)
        self.aside: Cards = set(deal.discarded) if self.bid and self.bid.seat == seat else set()
        self.tricks = [*deal.tricks, deal.trick]
        self.played = [{card for trick in self.tricks for who, card in trick if who == other} for other in self.seats]
        self.own = set(deal.hands[seat]) | self.played[0]  # as play began, or now
        self.live = {card for card in DECK if card[0] in self.rules.ranks} - set().union(*self.played)
        self.live -= self.out | self.aside
        self.unseen = self.live - self.own
        self.shown = [deal.shown(other) if has_begun(deal) else set() for other in self.seats]
        self.without = excluded(deal)

    def block(self, name: str) -> Bits:
        return getattr(self, f"_{name}")()

    def _hand(self) -> Bits:
        return cards(self.deal.hands[self.seat])

    def _unseen(self) -> Bits:
        return cards(self.unseen)

    def _masters(self) -> Bits:
        of_suits = [[card for card in self.live if suit_of(card) == suit] for suit in "CDHS"]
        best = {max(suit, key=lambda card: strength(card, self.strain)) for suit in of_suits if suit}
        return cards(best if self.deal.phase == "play" else set())

    def _played(self) -> Bits:
        return flat([cards(played) for played in self.played])

    def _trick(self) -> Bits:
        table = dict(self.deal.trick)
        return flat([cards([table.get(other, "")]) for other in self.others])

    def could(self, turn: int) -> Cards:
        """What the seat some turns on may hold."""
        elsewhere = set().union(*(self.shown[place] for place in range(len(self.seats)) if place != turn))
        return self.unseen - elsewhere - self.without[self.seats[turn]]

    def _could(self) -> Bits:
        return flat([cards(self.could(turn)) for turn in range(1, len(self.seats))])

    def _shown(self) -> Bits:
        return flat([cards(shown - played) for shown, played in zip(self.shown, self.played, strict=True)])

    def _voids(self) -> Bits:
        held = [set(self.deal.hands[self.seat]), *(self.could(turn) for turn in range(1, len(self.seats)))]
        voids = [[int(not any(suit_of(card) == suit for card in hand)) for suit in "CDHS"] for hand in held]
        return flat(voids + [[0] * 4] * (4 - len(voids)))

    def _no_higher_trump(self) -> Bits:
        by_strength = [
            {strength(card, self.strain) for card in self.without[other] if suit_of(card) == self.strain}
            for other in self.others
        ]
        return flat([[int(step in lacked) for step in range(8)] for lacked in by_strength])

    @property
    def _strains(self) -> list[str]:
        """Those in which numbers are called."""
        return list(self.rules.strains) if self.rules.auction == "numbered" else []

    def _seats(self) -> Bits:
        rows = []
        for turn, other in enumerate(self.seats):
            called = [levels(self.calls.highest[other].get(strain, 0), CALLED) for strain in self._strains]
            first = words(self.calls.first[other], FIRST_CALLS)
            rows += [*called, first, words(self._status(other), STATUS), words(self._said(turn), ANNOUNCED)]
        return flat(rows)

    def _status(self, seat: int) -> list[str]:
        deal = self.deal
        held = {
            "contra": seat == self.calls.contra[1],
            "recontra": seat == self.calls.contra[2],
            "bidder": self.bid is not None and seat == self.bid.seat,
            "dealer": seat == deal.dealer,
            "holds the trick": bool(deal.trick) and winner_of(deal.trick, self.strain) == seat,
        }
        held |= {f"passed {times}": self.calls.passed[seat] >= times for times in (1, 2, 3)}
        return [name for name, holds in held.items() if holds]

    def _said(self, turn: int) -> list[str]:
        seat = self.seats[turn]
        if not has_begun(self.deal) or not self.deal.has_spoken(seat):
            return []
        classes = self.deal.announced(seat)
        return ["spoken", *classes, *(f"2 {name}" for name in set(classes) if classes.count(name) > 1)]

    def _calls(self) -> Bits:
        by_seat = [
            [*(self.calls.highest[other].get(strain, 0) for strain in self._strains), self.calls.first_number[other]]
            for other in self.seats
        ]
        return flat([binary(number) for numbers in by_seat for number in numbers])

    def _strain(self) -> Bits:
        return words([self.strain or "none", *["capot"] * bool(self.bid and self.bid.capot)], STRAIN_NAMES)

    def _number(self) -> Bits:
        return levels(self.bid.number if self.bid else 0, NUMBERS)

    def _number_bits(self) -> Bits:
        return binary(self.bid.number if self.bid else 0)

    def _moment(self) -> Bits:
        deal, rules, moment = self.deal, self.rules, getattr(self.deal.auction, "moment", "")
        winner = winner_of(deal.trick, self.strain) if deal.trick else None
        holds = {
            deal.phase: True,
            "contra": self.calls.contra[1] is not None and self.calls.contra[2] is None,
            "recontra": self.calls.contra[2] is not None,
            "last word": deal.phase == "auction" and moment == "last word",
            "recontra asked": deal.phase == "auction" and moment == "recontra",
            "own side bid": self.bid is not None and self.bid.seat % rules.sides == self.sides[0],
            "own turn": deal.seat == self.seat,
            "partner holds the trick": winner is not None and winner == rules.partner(self.seat),
            "last to play": deal.phase == "play" and len(deal.trick) == rules.players - 1,
            "leading": deal.phase == "play" and not deal.trick,
        }
        return words([name for name, true in holds.items() if true], MOMENTS)

    def _scores(self) -> Bits:
        unit = 10 if self.rules.rounding == "none" else 1  # match points are raw points: counted in tens
        missing = [-((self.deal.scores[side] - self.deal.target) // unit) for side in self.sides]
        return flat([[int(number > step) for step in MISSING] for number in missing])

    def taken(self, side: int) -> tuple[int, int, int]:
        """Card points, tricks, and the points of combinations shown and of blots played, of a side."""
        deal, rules = self.deal, self.rules
        points = tricks = bonus = 0
        for trick, winner in zip(deal.tricks, deal.winners, strict=True):
            if winner % rules.sides == side:
                points += sum(card_points(card, self.strain, rules) for _, card in trick)
                tricks += 1
        for turn, seat in enumerate(self.seats):
            if seat % rules.sides == side and has_begun(deal):
                bonus += deal.announcing.points(seat) if self.shown[turn] else 0
                for suit in "CDHS":
                    trump = is_trump("K" + suit, self.strain) and (self.strain != "AT" or rules.blot_at)
                    bonus += rules.blot if trump and {"K" + suit, "Q" + suit} <= self.played[turn] else 0
        return points, tricks, bonus

    def _progress(self) -> Bits:
        rows = []
        for side in self.sides:
            points, tricks, bonus = self.taken(side)
            rows.append(levels(points, range(10, 161, 10)) + levels(tricks, range(1, 9)) + levels(bonus, BONUS))
        return flat(rows)

    def _need(self) -> Bits:
        if not self.bid:
            return [0] * 16
        points = {side: self.taken(side)[0] + self.taken(side)[2] for side in self.sides}
        own = points.pop(self.bid.seat % self.rules.sides)
        wanted = sum(points.values()) + 1 if self.rules.made_by == "more" else 10 * self.bid.number
        if self.rules.made_by == "rounded":
            wanted = next(points for points in range(wanted + 1) if rounded(points, self.rules) >= self.bid.number)
        return [int(wanted - own > step) for step in range(0, 151, 10)]

    def _own(self) -> Bits:
        deal, hand = self.deal, list(self.own)
        value = sum(found.value for found in combinations_of(hand, self.strain or "C", self.seat, self.rules))
        pairs = [int({"K" + suit, "Q" + suit} <= self.own) for suit in "CDHS"]
        trump = self.strain if self.strain in "CDHS" else "no suit"
        held = any(suit_of(card) == trump for card in deal.hands[self.seat])
        led = bool(deal.trick) and suit_of(deal.trick[0][1]) == trump
        place = [self.seat == deal.eldest, self.seat == deal.dealer, bool(self.strain) and held, led]
        return levels(value, BONUS) + pairs + [int(true) for true in place]

    def _turned(self) -> Bits:
        return cards(self.deal.dealt_stock[:1] if self.rules.auction == "turned" else [])

    def _aside(self) -> Bits:
        return cards(self.out | self.aside)

    def _known(self) -> Bits:
        return flat([cards(self.known[other]) for other in self.seats])

    def _more(self) -> Bits:
        announced = [self.deal.announced(other) if has_begun(self.deal) else [] for other in self.seats]
        announced += [[]] * (4 - len(self.seats))
        third_terz = [int(classes.count("terz") > 2) for classes in announced]
        return third_terz + [int(classes.count("hundred") > 1) for classes in announced]

    def _claims(self) -> Bits:
        withheld = self.deal.announcing.withheld if has_begun(self.deal) else []
        shown = [int(bool(shown)) for shown in self.shown]
        return shown + [int(other in withheld) for other in self.seats]
