"""Runs, fours and the blot (rules, section 3), for the Armenian presets that compare by kind."""

from typing import NamedTuple

from tests.reference.cards import RANKS, SUITS

FOURS = {"J": 200, "9": 140, "A": 110, "T": 100, "K": 100, "Q": 100}
FOURS_NT = {"J": 200, "A": 190, "T": 100, "K": 100, "Q": 100}


class Combination(NamedTuple):
    kind: str  # "run" or "four"
    cards: list[str]  # a run from its lowest card up
    value: int
    seat: int

    @property
    def name(self) -> str:
        """What its holder announces."""
        return "four" if self.kind == "four" else {20: "terz", 50: "fifty", 100: "hundred"}[self.value]


def combinations_of(hand: list[str], strain: str, seat: int) -> list[Combination]:
    """All runs and fours of one hand."""
    return _runs(hand, seat) + _fours(hand, strain, seat)


def _runs(hand: list[str], seat: int) -> list[Combination]:
    found = []
    for suit in SUITS:
        held: list[str] = []
        for rank in RANKS + "-":  # the dash ends the last run
            if rank + suit in hand:
                held.append(rank + suit)
            else:
                if len(held) >= 3:
                    found.append(Combination("run", held, {3: 20, 4: 50}.get(len(held), 100), seat))
                held = []
    return found


def _fours(hand: list[str], strain: str, seat: int) -> list[Combination]:
    values = FOURS_NT if strain == "NT" else FOURS
    fours = [(rank, [rank + suit for suit in SUITS]) for rank in values]
    return [
        Combination("four", cards, values[rank], seat) for rank, cards in fours if all(card in hand for card in cards)
    ]


def deciding_rule(one: Combination, two: Combination, strain: str, eldest: int) -> tuple[bool, str]:
    """Whether `one` is better than `two`, held by another seat, and the rule of comparison that says so."""
    if one.kind != two.kind:
        return one.kind == "four", "a four beats a run"
    if one.kind == "four" and one.value != two.value:
        return one.value > two.value, "higher four"
    if one.kind == "run":
        if len(one.cards) != len(two.cards):
            return len(one.cards) > len(two.cards), "longer run"
        top_one, top_two = (RANKS.index(run.cards[-1][0]) for run in (one, two))
        if top_one != top_two:
            return top_one > top_two, "higher top card"
        trump_one, trump_two = (run.cards[0][1] == strain for run in (one, two))
        if trump_one != trump_two:
            return trump_one, "run in trump"
    first = min((one, two), key=lambda combination: (combination.seat - eldest) % 4)
    return first is one, f"eldest of equal {one.kind}s"


def best_of_side(combinations: list[Combination], strain: str, eldest: int) -> Combination | None:
    """The single best of some combinations (a seat's own equal ones may stand for each other)."""
    best = None
    for combination in combinations:
        if best is None or deciding_rule(combination, best, strain, eldest)[0]:
            best = combination
    return best


def has_blot(hand: list[str], strain: str) -> bool:
    """King and queen of trump in one hand."""
    return "K" + strain in hand and "Q" + strain in hand
