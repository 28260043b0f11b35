"""Which branches of the rules a deal reaches, so that random tests can show that they reach them all.

`ALL` names every branch; a `Branches` follows one deal of the reference and collects those that it meets.
"""

from collections.abc import Iterator

from tests.reference import Bazar
from tests.reference.cards import suit_of
from tests.reference.combinations import best_of, deciding_rule
from tests.reference.scoring import rounded
from tests.reference.tricks import winner_of

AUCTION = [
    "passed out",
    "first bid after a pass",
    "low raise",
    "jump",
    "the highest number",
    "bid over the partner",
    "re-entry after a pass",
    "last word kept",
    "last word raised",
    "second last word",
    "contra",
    "contra after a last word",
    "contra of a capot",
    "no recontra",
    "recontra by the bidder",
    "recontra by the partner",
    "capot first",
    "capot counts 25",
    "capot counts one more than the bid",
    "capot as the last word",
    "capot at NT",
    "a single legal call",
]
PLAY = [
    "follow a plain suit",
    "beat the trump led",
    "beat the partner's trump",
    "no higher trump than the one led",
    "void of the trump led",
    "must trump",
    "must overtrump",
    "cannot overtrump",
    "void, the partner holds the trick",
    "void, without trumps",
    "follow at NT",
    "void at NT",
    "a single legal card",
]
COMBINATIONS = [
    "no combination",
    "combinations of one side only",
    "a four beats a run",
    "higher four",
    "eldest of equal fours",
    "longer run",
    "higher top card",
    "run in trump",
    "eldest of equal runs",
    "combinations of both partners",
    "combinations that score nothing",
    "two runs in a hand",
    "two fours in a hand",
    "a card in a run and a four",
    "four nines at NT",
    "four eights or sevens",
    "a run of six or more",
    "blot of the bidders",
    "blot of the defenders",
    "blot lost with the contract",
]
CONTRACTS = [
    f"{made} {kind}{contra}"
    for made in ("made", "failed")
    for kind in ("suit", "NT", "capot", "NT capot")
    for contra in ("", " contra", " recontra")
]
SCORING = [
    "made exactly",
    "failed by one",
    "all tricks for the bidders",
    "all tricks for the defenders",
    "failed for want of the all-tricks bonus",
    "a half rounded down",
    "rounded halves that do not add up",
]
MATCH = [
    "match goes on",
    "match won",
    "both at the target",
    "equal at the target",
    "at the target before the deal",
    "tars kapout",
    "tars kapout with enough combinations",
    "contra'd capot wins the match",
    "passed out at the target",
]
ALL = AUCTION + PLAY + COMBINATIONS + CONTRACTS + SCORING + MATCH


class Branches:
    """Collects the branches of one deal in `reached`: call `before` each action, and `after` the last."""

    def __init__(self, deal: Bazar) -> None:
        self.deal = deal
        self.reached: set[str] = set()
        self._passed: set[int] = set()
        self._raises = 0  # last words that raised
        self._raised = False  # the standing bid is such a raise

    def before(self, action: str) -> None:
        deal = self.deal
        if deal.phase == "auction":
            self.reached.update(self._call(action))
        elif deal.trick:
            self.reached.update(self._card())

    def after(self) -> None:
        self.reached.update(self._outcome())

    def _call(self, call: str) -> Iterator[str]:
        auction, seat = self.deal.auction, self.deal.seat
        bid = auction.bid
        if len(auction.legal_calls()) == 1:
            yield "a single legal call"
        if call == "pass":
            if auction.moment == "open":
                self._passed.add(seat)
            else:
                yield "last word kept" if auction.moment == "last word" else "no recontra"
        elif call == "contra":
            assert bid
            yield "contra"
            if bid.capot:
                yield "contra of a capot"
            if self._raised:
                yield "contra after a last word"
        elif call == "recontra":
            assert bid
            yield "recontra by the bidder" if seat == bid.seat else "recontra by the partner"
        else:
            yield from self._bid(call)

    def _bid(self, call: str) -> Iterator[str]:
        auction, seat = self.deal.auction, self.deal.seat
        standing = auction.bid
        bid = auction.read(call)
        self._raised = auction.moment == "last word"
        if self._raised:
            self._raises += 1
            yield "capot as the last word" if bid.capot else "last word raised"
            if self._raises == 2:
                yield "second last word"
        elif seat in self._passed:
            yield "re-entry after a pass"
        if standing is None and self._passed:
            yield "first bid after a pass"
        if standing and (standing.seat - seat) % 4 == 2:
            yield "bid over the partner"
        if bid.capot:
            if standing is None:
                yield "capot first"
            if bid.strain == "NT":
                yield "capot at NT"
            yield "capot counts 25" if bid.number == 25 else "capot counts one more than the bid"
        else:
            yield "low raise" if bid.number - (standing.number if standing else 7) == 1 else "jump"
            if bid.number == 80:
                yield "the highest number"

    def _card(self) -> Iterator[str]:
        deal = self.deal
        strain, hand, trick, legal = deal.strain, deal.hands[deal.seat], deal.trick, deal.legal_actions()
        led = suit_of(trick[0][1])
        follows = any(suit_of(card) == led for card in hand)
        partner_holds = (winner_of(trick, strain) - deal.seat) % 4 == 2
        trumped = any(suit_of(card) == strain for _, card in trick)
        if len(legal) == 1 and len(hand) > 1:
            yield "a single legal card"
        if strain == "NT":
            yield "follow at NT" if follows else "void at NT"
        elif led == strain:
            yield from self._trump_led(follows, partner_holds)
        elif follows:
            yield "follow a plain suit"
        elif not any(suit_of(card) == strain for card in hand):
            yield "void, without trumps"
        elif partner_holds:
            yield "void, the partner holds the trick"
        elif not trumped:
            yield "must trump"
        else:
            yield "cannot overtrump" if len(legal) == len(hand) > 1 else "must overtrump"

    def _trump_led(self, follows: bool, partner_holds: bool) -> Iterator[str]:
        deal = self.deal
        if not follows:
            yield "void of the trump led"
            return
        after = [*deal.trick, (deal.seat, deal.legal_actions()[0])]
        if winner_of(after, deal.strain) != deal.seat:
            yield "no higher trump than the one led"
        else:
            yield "beat the partner's trump" if partner_holds else "beat the trump led"

    def _outcome(self) -> Iterator[str]:
        deal, result = self.deal, self.deal.result
        assert result
        at_target = max(deal.scores) >= deal.target
        if at_target:
            yield "at the target before the deal"
        if result["contract"] is None:
            yield "passed out"
            if at_target:
                yield "passed out at the target"
            return
        yield from self._combinations()
        yield from self._scoring()
        yield from self._match()

    def _combinations(self) -> Iterator[str]:
        deal, result = self.deal, self.deal.result
        assert result
        assert deal.auction.bid
        strain = deal.strain
        sides = [deal.combinations((side, side + 2)) for side in (0, 1)]
        best = [best_of(side, strain, deal.eldest) for side in sides]
        if best[0] and best[1]:
            yield deciding_rule(best[0], best[1], strain, deal.eldest)[1]
            yield "combinations that score nothing"
        else:
            yield "combinations of one side only" if best[0] or best[1] else "no combination"
        if any(len({found.seat for found in side}) == 2 for side in sides):
            yield "combinations of both partners"
        for seat, hand in enumerate(deal.dealt):
            held = deal.combinations((seat,))
            runs = [found.cards for found in held if found.kind == "run"]
            fours = [found.cards for found in held if found.kind == "four"]
            if len(runs) == 2:
                yield "two runs in a hand"
            if len(fours) == 2:
                yield "two fours in a hand"
            if any(len(run) > 5 for run in runs):
                yield "a run of six or more"
            if any(card in four for run in runs for card in run for four in fours):
                yield "a card in a run and a four"
            ranks = [card[0] for card in hand]
            if strain == "NT" and ranks.count("9") == 4:
                yield "four nines at NT"
            if 4 in (ranks.count("8"), ranks.count("7")):
                yield "four eights or sevens"
        bidders = deal.auction.bid.seat % 2
        if result["blot"][bidders]:
            yield "blot of the bidders"
            if not result["made"]:
                yield "blot lost with the contract"
        if result["blot"][1 - bidders]:
            yield "blot of the defenders"

    def _scoring(self) -> Iterator[str]:
        deal, result = self.deal, self.deal.result
        assert result
        assert deal.auction.bid
        bid, raw, made = deal.auction.bid, result["raw"], result["made"]
        bidders = bid.seat % 2
        kind = ("NT capot" if bid.capot else "NT") if bid.strain == "NT" else ("capot" if bid.capot else "suit")
        yield f"{'made' if made else 'failed'} {kind}{['', ' contra', ' recontra'][result['contra']]}"
        if not bid.capot and raw[bidders] == 10 * bid.number and made:
            yield "made exactly"
        if not bid.capot and raw[bidders] == 10 * bid.number - 1:
            yield "failed by one"
        if result["tricks"][bidders] == 8:
            yield "all tricks for the bidders"
            if not made and raw[bidders] >= 10 * bid.number:
                yield "failed for want of the all-tricks bonus"
        elif result["tricks"][bidders] == 0:
            yield "all tricks for the defenders"
        written = raw if made and not result["contra"] else [sum(raw)]
        if any(points % 10 == 5 for points in written):
            yield "a half rounded down"
        if len(written) == 2 and rounded(raw[0], deal.rules) + rounded(raw[1], deal.rules) != rounded(
            sum(raw), deal.rules
        ):
            yield "rounded halves that do not add up"

    def _match(self) -> Iterator[str]:
        deal, result = self.deal, self.deal.result
        assert result
        assert deal.auction.bid
        bid = deal.auction.bid
        totals = [score + points for score, points in zip(deal.scores, result["points"], strict=True)]
        if result["tricks"][bid.seat % 2] == 0:
            yield "tars kapout"
            if not bid.capot and result["raw"][bid.seat % 2] >= 10 * bid.number:
                yield "tars kapout with enough combinations"
        elif bid.capot and result["contra"] and result["made"]:
            yield "contra'd capot wins the match"
        elif totals[0] == totals[1] >= deal.target:
            yield "equal at the target"
        elif min(totals) >= deal.target:
            yield "both at the target"
        else:
            yield "match goes on" if result["match_winner"] is None else "match won"
