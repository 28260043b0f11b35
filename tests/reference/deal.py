"""One deal from the cards dealt to its result, and the record of it (docs/records.md)."""

from dataclasses import replace
from typing import Any

from tests.reference.announcing import Announcing, Automatic, ByChoice
from tests.reference.auction import Bid, auction_of
from tests.reference.cards import SUITS, suit_of
from tests.reference.combinations import Combination
from tests.reference.presets import PRESETS
from tests.reference.scoring import Tally, card_points
from tests.reference.tricks import Trick, legal_cards, winner_of

Record = dict[str, Any]


class Reference:
    """A deal: `phase` is auction, swap, discard, announce, show, play or over, and `seat` is to act in it."""

    announcing: Announcing  # from the moment that play begins

    def __init__(self, record: Record, **fields: Any) -> None:
        """Set up the board of a record; its actions are not applied. `fields` are house rules."""
        self.preset: str = record["rules"]
        self.fields: dict[str, Any] = record.get("fields", {}) | fields
        self.rules = replace(PRESETS[self.preset], **self.fields)
        self.target: int = record["target"]
        self.scores: list[int] = list(record["scores"])
        self.dealer: int = record["dealer"]
        self.dealt: list[list[str]] = [hand.split() for hand in record["hands"]]
        self.dealt_stock: list[str] = record["stock"].split()
        self.eldest = (self.dealer + 1) % self.rules.players

        self.hands = [hand[: self.rules.visible] for hand in self.dealt]
        self.down = [hand[self.rules.visible :] for hand in self.dealt]  # own cards, face down
        self.stock = list(self.dealt_stock)
        self.discarded: list[str] = []
        self.auction = auction_of(self.rules, self.dealer, self.stock)
        self.trick: Trick = []
        self.tricks: list[Trick] = []
        self.winners: list[int] = []
        self.actions: list[str] = []
        self.result: Record | None = None
        self.phase, self.seat = "auction", self.eldest

    @property
    def contract(self) -> Bid:
        assert self.auction.bid
        return self.auction.bid

    @property
    def strain(self) -> str:
        return self.contract.strain

    @property
    def namer(self) -> int:
        """The seat that plays the contract."""
        return self.contract.seat

    def legal_actions(self) -> list[str]:
        """All actions that `seat` may take, in any order; none when the deal is over."""
        hand = self.hands[self.seat]
        if self.phase == "auction":
            return self.auction.legal_calls()
        if self.phase == "show" and not self.announcing.held[self.seat]:
            return ["pass"]  # it has bluffed
        if self.phase in ("swap", "announce", "show"):
            return ["pass", self.phase]
        if self.phase == "discard":
            return hand
        if self.phase == "play":
            return legal_cards(hand, self.trick, self.strain, self.rules.partner(self.seat), self.rules)
        return []

    def play(self, action: str) -> None:
        if action not in self.legal_actions():
            raise ValueError(f"{action} is not legal for seat {self.seat}")
        self.actions.append(action)
        if self.phase == "auction":
            self._call(action)
        elif self.phase == "swap":
            self._swap(action)
        elif self.phase == "discard":
            self._discard(action)
        elif self.phase == "play":
            self._play_card(action)
        else:
            self.announcing.answer(self.seat, action)
            self._ask(self.seat)

    def record(self) -> Record:
        record = {
            "rules": self.preset,
            "target": self.target,
            "scores": list(self.scores),
            "dealer": self.dealer,
            "hands": [" ".join(hand) for hand in self.dealt],
            "stock": " ".join(self.dealt_stock),
            "actions": list(self.actions),
            "result": self.result,
        }
        return record | {"fields": self.fields} if self.fields else record

    # From the auction to the first card

    def _call(self, call: str) -> None:
        self.auction.call(call)
        if not self.auction.over:
            self.seat = self.auction.seat
        elif self.auction.bid is None:
            self._end(self._nothing())
        else:
            self._ask_for_the_seven()

    def _ask_for_the_seven(self) -> None:
        """Who sees the seven of the turned suit, now trump, may swap it for the turned card."""
        seven = "7" + self.strain
        holders = [seat for seat, hand in enumerate(self.hands) if seven in hand]
        if self.rules.swap_seven and suit_of(self.stock[0]) == self.strain and holders:
            self.phase, self.seat = "swap", holders[0]
        else:
            self._take_up()

    def _swap(self, answer: str) -> None:
        if answer == "swap":
            seven, turned = "7" + self.strain, self.stock[0]
            hand = self.hands[self.seat]
            hand[hand.index(seven)] = turned
            self.stock[0] = seven
        self._take_up()

    def _take_up(self) -> None:
        rules = self.rules
        for hand, down in zip(self.hands, self.down, strict=True):
            hand += down
            down.clear()
        if rules.stock == "drawn":
            for turn in range(rules.players):
                hand = self.hands[(self.namer + turn) % rules.players]
                self._draw(hand, rules.hand_size - len(hand))
        if rules.stock == "namer":
            self._draw(self.hands[self.namer], len(self.stock))
            self.phase, self.seat = "discard", self.namer
        else:
            self._begin_play()

    def _draw(self, hand: list[str], cards: int) -> None:
        hand += self.stock[:cards]
        del self.stock[:cards]

    def _discard(self, card: str) -> None:
        self.hands[self.seat].remove(card)
        self.discarded.append(card)
        if len(self.hands[self.seat]) == self.rules.hand_size:
            self._begin_play()

    def _begin_play(self) -> None:
        kind = ByChoice if self.rules.announce == "by_choice" else Automatic
        self.held = [list(hand) for hand in self.hands]  # as play begins
        self.announcing = kind(self.rules, self.held, self.strain, self.namer, self.eldest)
        belot = [seat for seat in self._from_eldest() if self.holds_a_suit(seat)]
        if self.rules.belot and belot:
            self._end(self._nothing() | self._called() | {"match_winner": belot[0] % self.rules.sides})
        else:
            self._ask(self.eldest)

    def _from_eldest(self) -> list[int]:
        return [(self.eldest + turn) % self.rules.players for turn in range(self.rules.players)]

    def holds_a_suit(self, seat: int) -> bool:
        suits = [suit_of(card) for card in self.held[seat]]
        return any(suits.count(suit) == len(self.rules.ranks) for suit in SUITS)

    # Play

    def _ask(self, seat: int) -> None:
        """A seat is to play a card, but may have to be asked something before it."""
        self.seat = seat
        self.phase = self.announcing.question(seat) or "play"

    def _play_card(self, card: str) -> None:
        self.hands[self.seat].remove(card)
        self.trick.append((self.seat, card))
        self.announcing.card_played(self.seat)
        if len(self.trick) < self.rules.players:
            self._ask((self.seat + 1) % self.rules.players)
            return
        winner = winner_of(self.trick, self.strain)
        self.tricks.append(self.trick)
        self.winners.append(winner)
        self.trick = []
        if len(self.tricks) < self.rules.hand_size:
            self._ask(winner)
        else:
            self._end(self._score())

    # Combinations

    def combinations(self, seats: tuple[int, ...]) -> list[Combination]:
        """Those that the seats held as play began."""
        return [found for seat in seats for found in self.announcing.held[seat]]

    def has_spoken(self, seat: int) -> bool:
        """Whether a seat has announced, or let its turn to announce go by."""
        return self.announcing.has_spoken(seat)

    def announced(self, seat: int) -> list[str]:
        """The classes of combinations that a seat has announced, sorted."""
        return self.announcing.announced(seat)

    def shown(self, seat: int) -> set[str]:
        """The cards of a seat that have become public as combinations."""
        return self.announcing.shown(seat)

    # The end

    def _end(self, result: Record) -> None:
        self.phase, self.result = "over", result

    def tally(self) -> Tally:
        """What was taken and held, by side."""
        rules, strain, sides = self.rules, self.strain, self.rules.sides
        tricks, cards, combinations, blot = ([0] * sides for _ in range(4))
        for trick, winner in zip(self.tricks, self.winners, strict=True):
            tricks[winner % sides] += 1
            cards[winner % sides] += sum(card_points(card, strain, rules) for _, card in trick)
        cards[self.winners[-1] % sides] += rules.last_trick
        for seat in range(rules.players):
            if tricks[seat % sides] or not rules.trick_needed:
                blot[seat % sides] += self.announcing.blot_points(seat)
                combinations[seat % sides] += self.announcing.points(seat)
        left, aside = (sum(card_points(card, strain, rules) for card in pile) for pile in (self.stock, self.discarded))
        return Tally(rules, self.contract, self.auction.contra, tricks, cards, combinations, blot, left, aside)

    def _called(self) -> Record:
        """What a result says of the auction."""
        bid = self.contract
        return {"contract": bid.call, "number": bid.number or None, "bidder": bid.seat, "contra": self.auction.contra}

    def _score(self) -> Record:
        tally = self.tally()
        points = tally.points()
        return self._called() | {
            "tricks": tally.tricks,
            "card_points": tally.cards,
            "raw": tally.raw,
            "combinations": tally.combinations,
            "blot": tally.blot,
            "made": tally.made,
            "points": points,
            "match_winner": self._match_winner(tally, points),
        }

    def _match_winner(self, tally: Tally, points: list[int]) -> int | None:
        """The side that has won the match."""
        rules = self.rules
        if rules.tars_kapout_wins and tally.tricks[tally.bidders] == 0:
            return tally.others[0]
        if rules.capot_contra_wins and tally.bid.capot and tally.contra and tally.made:
            return tally.bidders
        totals = [score + gained for score, gained in zip(self.scores, points, strict=True)]
        highest = max(totals)
        if highest < self.target or totals.count(highest) > 1:
            return None
        leader = totals.index(highest)
        if rules.leader_cannot_win_by_failing and leader == tally.bidders and not tally.made:
            return None
        return leader

    def _nothing(self) -> Record:
        """The result of a board that was not played."""
        lists = ("tricks", "card_points", "raw", "combinations", "blot", "points")
        nothing: Record = {name: [0] * self.rules.sides for name in lists}
        unknown: Record = dict.fromkeys(("contract", "number", "bidder", "made", "match_winner"))
        return nothing | unknown | {"contra": 0}
