"""What each side has, whether the contract is made, and who writes what (rules, sections 5, 7 and 8)."""

from dataclasses import dataclass, field

from tests.reference.auction import Bid
from tests.reference.cards import RANKS, rank_of, suit_of
from tests.reference.presets import Rules


def card_points(card: str, strain: str, rules: Rules) -> int:
    """Points of a card in tricks when `strain` (a suit, `NT` or `AT`) is played."""
    if strain == "NT":
        points = rules.points_nt
    elif strain == "AT":
        points = rules.points_at
    else:
        points = rules.points_trump if suit_of(card) == strain else rules.points_plain
    return points[RANKS.index(rank_of(card))]


def rounded(points: int, rules: Rules) -> int:
    """Match points: a tenth, rounded to the nearest, 85 is 8 or 9; or the points themselves."""
    if rules.rounding == "none":
        return points
    tenths, rest = divmod(points, 10)
    return tenths + (rest > 5 if rules.rounding == "half_down" else rest >= 5)


@dataclass
class Tally:
    """What was played for and what each side took, in lists by side; the rest follows."""

    rules: Rules
    bid: Bid
    contra: int
    tricks: list[int]
    cards: list[int]  # with the last trick
    combinations: list[int]
    blot: list[int]
    undealt: int = 0  # points of cards that nobody played
    discards: int = 0
    bonus: list[int] = field(init=False)
    raw: list[int] = field(init=False)

    def __post_init__(self) -> None:
        rules = self.rules
        self.bidders = self.bid.seat % rules.sides
        self.others = [side for side in range(rules.sides) if side != self.bidders]
        self.bonus = [0] * rules.sides
        for side in range(rules.sides):
            if self.tricks[side] == rules.hand_size:
                if rules.all_tricks_set:
                    self.cards[side] = rules.all_tricks_set
                if rules.all_tricks_for == "either" or side == self.bidders:
                    self.bonus[side] = rules.all_tricks
        parts = zip(self.cards, self.combinations, self.blot, self.bonus, strict=True)
        self.raw = [sum(part) for part in parts]

    @property
    def multiplier(self) -> int:
        return (self.rules.multiplier_nt if self.bid.strain == "NT" else self.rules.multiplier)[self.contra]

    @property
    def taken(self) -> list[int]:
        """Raw points, and those of the discards where they are the namer's."""
        kept = self.discards if self.rules.discards == "namer" else 0
        return [raw + kept * (side == self.bidders) for side, raw in enumerate(self.raw)]

    @property
    def made(self) -> bool:
        rules, bid, bidders = self.rules, self.bid, self.bidders
        if rules.tars_kapout and self.tricks[bidders] == 0:
            return False
        if bid.capot and (self.tricks[bidders] < rules.hand_size or not rules.capot_needs_points):
            return self.tricks[bidders] == rules.hand_size
        counted = self.taken
        if not rules.all_tricks_counts:
            counted = [points - bonus for points, bonus in zip(counted, self.bonus, strict=True)]
        if rules.made_by == "more":
            return counted[bidders] > sum(counted[side] for side in self.others)
        if rules.made_by == "rounded":
            return rounded(counted[bidders], rules) >= bid.number
        return counted[bidders] >= 10 * bid.number

    def points(self) -> list[int]:
        """The match points that each side writes."""
        rules, made = self.rules, self.made
        winner, loser = (self.bidders, self.others[0]) if made else (self.others[0], self.bidders)
        taken = self.taken
        if rules.undealt_to == "winner":
            taken[winner] += self.undealt

        own_blot = self.blot[loser] if rules.failed_blot == "holder" else 0
        if made and not (self.contra and rules.contra_takes_all):
            pass  # each writes its own
        elif not made and rules.failed_cards:
            taken[loser], taken[winner] = own_blot, self.combinations[winner] + self.blot[winner]
        elif not made and rules.failed_to == "nobody":
            taken[loser] = own_blot
        else:
            taken[loser], taken[winner] = own_blot, sum(taken) - own_blot

        points = [rounded(of_side, rules) for of_side in taken]
        if not made and rules.failed_cards:
            points[winner] += rules.failed_cards[self.tricks[winner] == rules.hand_size]
        if not rules.adds_bid:
            return [self.multiplier * of_side for of_side in points]
        points[winner] += self.multiplier * self.bid.number
        return points
