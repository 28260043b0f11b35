"""Bazar Blot: auction, play and scoring (rules, sections 1 to 5)."""

from tests.reference.auction import Auction
from tests.reference.cards import card_points
from tests.reference.combinations import Combination, best_of_side, combinations_of, has_blot
from tests.reference.deal import Deal, Record
from tests.reference.tricks import Trick, legal_cards, winner_of

MULTIPLIER_SUIT = [1, 2, 4]  # plain, contra, recontra
MULTIPLIER_NT = [2, 3, 5]


def rounded(points: int) -> int:
    """A tenth, rounded to the nearest, halves down: 85 is 8, 86 is 9."""
    tenths, rest = divmod(points, 10)
    return tenths + (1 if rest > 5 else 0)


class Bazar(Deal):
    rules = "bazar"

    def __init__(self, record: Record) -> None:
        super().__init__(record)
        self.auction = Auction(self.eldest)
        self.hands = [list(hand) for hand in self.dealt]
        self.trick: Trick = []
        self.tricks: list[Trick] = []
        self.winners: list[int] = []

    @property
    def strain(self) -> str:
        assert self.auction.bid
        return self.auction.bid.strain

    def legal_actions(self) -> list[str]:
        if self.phase == "auction":
            return self.auction.legal_calls()
        if self.phase == "play":
            return legal_cards(self.hands[self.seat], self.trick, self.strain, (self.seat + 2) % 4)
        return []

    def _apply(self, action: str) -> None:
        if self.phase == "auction":
            self._call(action)
        else:
            self._play_card(action)

    def _call(self, call: str) -> None:
        self.auction.call(call)
        if not self.auction.over:
            self.seat = self.auction.seat
        elif self.auction.bid is None:
            self.phase, self.result = "over", self._redealt()
        else:
            self.phase, self.seat = "play", self.eldest

    def _play_card(self, card: str) -> None:
        self.hands[self.seat].remove(card)
        self.trick.append((self.seat, card))
        if len(self.trick) < 4:
            self.seat = (self.seat + 1) % 4
            return
        self.seat = winner_of(self.trick, self.strain)
        self.tricks.append(self.trick)
        self.winners.append(self.seat)
        self.trick = []
        if len(self.tricks) == 8:
            self.phase, self.result = "over", self._score()

    # Combinations

    def combinations(self, seats: tuple[int, ...] = (0, 1, 2, 3)) -> list[Combination]:
        """Those that the seats held as play began."""
        return [found for seat in seats for found in combinations_of(self.dealt[seat], self.strain, seat)]

    def scoring_side(self) -> int | None:
        """The side of the best combination."""
        best = best_of_side(self.combinations(), self.strain, self.eldest)
        return None if best is None else best.seat % 2

    def announced(self, seat: int) -> list[str]:
        """The classes of combinations that a seat has announced, with its first card."""
        first_cards = [player for player, _ in (self.tricks[0] if self.tricks else self.trick)]
        return sorted(found.name for found in self.combinations((seat,))) if seat in first_cards else []

    def shown(self, seat: int) -> set[str]:
        """The cards of a seat that have been public as combinations since the first trick was complete."""
        if not self.tricks or self.scoring_side() != seat % 2:
            return set()
        return {card for found in self.combinations((seat,)) for card in found.cards}

    # Scoring

    def _score(self) -> Record:
        bid, contra, strain = self.auction.bid, self.auction.contra, self.strain
        assert bid
        tricks, cards, blot, combinations, bonus = ([0, 0] for _ in range(5))

        for trick, winner in zip(self.tricks, self.winners, strict=True):
            tricks[winner % 2] += 1
            cards[winner % 2] += sum(card_points(card, strain) for _, card in trick)
        cards[self.winners[-1] % 2] += 10
        for seat, hand in enumerate(self.dealt):
            if has_blot(hand, strain):
                blot[seat % 2] += 20
        scoring = self.scoring_side()
        if scoring is not None:
            combinations[scoring] = sum(found.value for found in self.combinations((scoring, scoring + 2)))
        for side in (0, 1):
            if tricks[side] == 8:
                bonus[side] = 90
        raw = [cards[side] + combinations[side] + blot[side] + bonus[side] for side in (0, 1)]

        a = bid.seat % 2
        b = 1 - a
        enough = raw[a] - bonus[a] >= 10 * bid.number and tricks[a] > 0
        made = tricks[a] == 8 if bid.capot else enough
        stake = (MULTIPLIER_NT if strain == "NT" else MULTIPLIER_SUIT)[contra] * bid.number
        points = [0, 0]
        if not made:
            points[b] = rounded(sum(raw)) + stake
        elif contra:
            points[a] = rounded(sum(raw)) + stake
        else:
            points[a] = rounded(raw[a]) + stake
            points[b] = rounded(raw[b])

        return {
            "contract": bid.call,
            "number": bid.number,
            "bidder": bid.seat,
            "contra": contra,
            "tricks": tricks,
            "card_points": cards,
            "raw": raw,
            "combinations": combinations,
            "blot": blot,
            "made": made,
            "points": points,
            "match_winner": self._match_winner(points, tricks[a], made),
        }

    def _match_winner(self, points: list[int], tricks: int, made: bool) -> int | None:
        """The side that has won the match; `tricks` are those of the bidders."""
        bid = self.auction.bid
        assert bid
        bidders = bid.seat % 2
        if tricks == 0:  # tars kapout
            return 1 - bidders
        if bid.capot and self.auction.contra and made:
            return bidders
        totals = [score + gained for score, gained in zip(self.scores, points, strict=True)]
        if max(totals) < self.target or totals[0] == totals[1]:
            return None
        return totals.index(max(totals))

    @staticmethod
    def _redealt() -> Record:
        nothing: Record = {name: [0, 0] for name in ("tricks", "card_points", "raw", "combinations", "blot", "points")}
        unknown: Record = dict.fromkeys(("contract", "number", "bidder", "made", "match_winner"))
        return nothing | unknown | {"contra": 0}
