"""Runs, fours and the blot, and which of two combinations is better (rules, section 3)."""

from typing import NamedTuple

from tests.reference.cards import PLAIN_ORDER, RANKS, SUITS, TRUMP_ORDER
from tests.reference.presets import BAZAR, Rules


class Combination(NamedTuple):
    kind: str  # "run" or "four"
    cards: list[str]  # a run from its lowest card up
    value: int
    seat: int

    @property
    def name(self) -> str:
        """The class that its holder announces."""
        return "four" if self.kind == "four" else {3: "terz", 4: "fifty"}.get(len(self.cards), "hundred")


def combinations_of(hand: list[str], strain: str, seat: int, rules: Rules = BAZAR) -> list[Combination]:
    """All runs and fours of one hand."""
    return _runs(hand, seat, rules) + _fours(hand, strain, seat, rules)


def _runs(hand: list[str], seat: int, rules: Rules) -> list[Combination]:
    found = []
    for suit in SUITS:
        held: list[str] = []
        for rank in RANKS + "-":  # the dash ends the last run
            if rank + suit in hand:
                held.append(rank + suit)
            else:
                if len(held) >= 3:
                    found.append(Combination("run", held, rules.runs[min(len(held), 5) - 3], seat))
                held = []
    return found


def _fours(hand: list[str], strain: str, seat: int, rules: Rules) -> list[Combination]:
    found = []
    for rank, value in zip(RANKS, rules.fours_nt if strain == "NT" else rules.fours, strict=True):
        cards = [rank + suit for suit in SUITS]
        if (value or rules.worthless_fours) and all(card in hand for card in cards):
            found.append(Combination("four", cards, value, seat))
    return found


def _merits(found: Combination, strain: str, rules: Rules) -> list[tuple[str, int]]:
    """What is compared of a combination, in this order, and how good it is in that."""
    if rules.combination_order == "points":
        return [("higher value", found.value)]
    if found.kind == "four":
        order = PLAIN_ORDER if strain == "NT" else TRUMP_ORDER
        stronger = order.index(found.cards[0][0]) if rules.four_tie == "rank" else 0
        return [("a four beats a run", 1), ("higher four", found.value), ("stronger four", stronger)]
    length = len(found.cards) if rules.run_order == "length" else min(len(found.cards), 5)
    top_rank, suit = found.cards[-1]
    in_trump = int(rules.trump_run_is_better and suit == strain)
    return [
        ("a four beats a run", 0),
        ("longer run", length),
        ("higher top card", RANKS.index(top_rank)),
        ("run in trump", in_trump),
    ]


def deciding_rule(
    one: Combination, two: Combination, strain: str, eldest: int, rules: Rules = BAZAR
) -> tuple[bool, str]:
    """Whether `one` is better than `two`, held by another seat, and the rule of comparison that says so."""
    merits = zip(_merits(one, strain, rules), _merits(two, strain, rules), strict=False)
    for (rule, of_one), (_, of_two) in merits:
        if of_one != of_two:
            return of_one > of_two, rule
    first, second = ((found.seat - eldest) % rules.players for found in (one, two))
    kinds = f"{one.kind}s" if one.kind == two.kind else "combinations"
    return first < second, f"eldest of equal {kinds}"


def best_of(combinations: list[Combination], strain: str, eldest: int, rules: Rules = BAZAR) -> Combination | None:
    """The single best of some combinations (a seat's own equal ones may stand for each other)."""
    best = None
    for combination in combinations:
        if best is None or deciding_rule(combination, best, strain, eldest, rules)[0]:
            best = combination
    return best


def blots_of(hand: list[str], strain: str, rules: Rules = BAZAR) -> int:
    """How many kings and queens of a trump suit are together in one hand."""
    at_all_trump = SUITS if rules.blot_at else ""
    trumps = {"NT": "", "AT": at_all_trump}.get(strain, strain)
    return sum("K" + suit in hand and "Q" + suit in hand for suit in trumps)
