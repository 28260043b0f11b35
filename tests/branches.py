"""Which branches of the rules a deal reaches, so that random tests can show that they reach them all.

`branches_of(rules)` names every branch of a rule set; a `Branches` follows one deal of the reference and collects those
that it meets.
"""

from collections.abc import Iterator

from tests.reference import Reference, Rules
from tests.reference.announcing import ByChoice
from tests.reference.auction import NumberedAuction, TurnedAuction
from tests.reference.cards import RANKS, rank_of, suit_of
from tests.reference.combinations import deciding_rule
from tests.reference.scoring import card_points, rounded
from tests.reference.tricks import winner_of

CONTRA = ["", " contra", " recontra"]


def branches_of(rules: Rules) -> list[str]:
    """The names of all branches that deals of these rules can reach."""
    by_family = _numbered_branches(rules) if rules.auction == "numbered" else _naming_branches(rules)
    return by_family + _play_branches(rules) + _combination_branches(rules) + _match_branches(rules)


def _only(*choices: tuple[bool, str]) -> list[str]:
    """The names, separated by semicolons, that go with a true condition."""
    return [name for condition, names in choices if condition for name in names.split("; ")]


def _numbered_branches(rules: Rules) -> list[str]:
    call, mark = rules.capot == "call", rules.capot == "mark"
    kinds = ["suit", "NT", "capot", "NT capot"] + ["AT", "AT capot"] * ("AT" in rules.strains)
    contras = CONTRA[: 1 + rules.contra + rules.recontra]
    return [
        *_only(
            (True, "passed out; first bid after a pass; low raise; the highest number; bid over the partner"),
            (rules.jump_bids, "jump"),
            (rules.reenter, "re-entry after a pass"),
            (rules.last_word, "last word kept; last word raised; second last word"),
            (rules.last_word and rules.contra, "contra after a last word"),
            (rules.last_word and call, "capot as the last word"),
            (rules.contra, "contra; contra of a capot"),
            (rules.recontra, "no recontra; recontra by the bidder"),
            (rules.recontra and rules.recontra_by == "side", "recontra by the partner"),
            (True, "capot first; capot at NT"),
            (call, "capot counts 25; a single legal call"),
            (call and rules.max_number >= 25, "capot counts one more than the bid"),
            (not call, "capot over a capot"),
            (mark and rules.capot_min < 25, "capot below 25"),
            (mark, "a number above 24 without a capot"),
        ),
        *(f"{made} {kind}{contra}" for made in ("made", "failed") for kind in kinds for contra in contras),
        *_only(
            (True, "made exactly; failed by one; all tricks for the bidders; all tricks for the defenders"),
            (not rules.all_tricks_counts and not rules.all_tricks_set, "failed for want of the all-tricks bonus"),
            (rules.capot_needs_points, "all tricks of a capot but too few points"),
            (rules.failed_blot == "opponents", "blot lost with the contract"),
            (rules.failed_blot == "holder", "blot kept by who failed"),
            (rules.failed_blot == "holder" and rules.contra_takes_all, "blot kept by who lost to a contra"),
        ),
    ]


def _naming_branches(rules: Rules) -> list[str]:
    turned, two = rules.auction == "turned", rules.sides == 2
    return _only(
        (rules.auction == "eldest", "named by eldest"),
        (rules.auction == "named", "named by eldest; named after a pass"),
        (turned, "turned suit taken by eldest; turned suit taken by the dealer; another suit named by eldest"),
        (rules.auction != "eldest" and rules.forced_dealer, "named by the forced dealer"),
        (rules.auction != "eldest" and not rules.forced_dealer, "passed out"),
        (rules.swap_seven, "seven swapped; swap declined; the seven itself is turned; seven out of sight; not asked"),
        (rules.stock == "namer", "discarded from the stock; discarded from the hand; trump discarded"),
        (rules.stock == "namer", "points discarded; the last card of a suit discarded"),
        (True, "made; failed; failed by equal points; all tricks for the bidders"),
        (two, "all tricks for the other side"),
        (not two, "all tricks for one of two"),
        (not two, "failed though ahead of each; both opponents score combinations"),
        (not rules.all_tricks_counts, "failed for want of the all-tricks bonus"),
        (rules.trick_needed, "combinations lost without a trick; blot lost without a trick"),
        (rules.belot, "belot of the namers; belot of the others; two belots"),
        (rules.undealt_to == "winner", "undealt cards to the namer; undealt cards to the other"),
        (True, "blot lost with the contract"),
    )


def _play_branches(rules: Rules) -> list[str]:
    free, more_than_two = rules.cannot_overtrump == "free", rules.players > 2
    spared = rules.must_trump == "unless_partner_wins"
    return _only(
        (True, "follow a plain suit; beat the trump led; no higher trump than the one led; void of the trump led"),
        (True, "must trump; void, without trumps; a single legal card"),
        (more_than_two, "must overtrump"),
        (more_than_two and free, "cannot overtrump"),
        (more_than_two and not free, "must undertrump"),
        (rules.teams, "beat the partner's trump"),
        (rules.teams and spared, "void, the partner holds the trick"),
        (rules.teams and not spared, "must trump though the partner holds the trick"),
        (rules.must_beat == "all", "beat a plain suit; no higher card of the plain suit led"),
        (rules.must_beat == "all" and more_than_two, "a plain suit that was trumped"),
        ("NT" in rules.strains, "follow at NT; void at NT"),
        ("AT" in rules.strains, "beat at AT; no higher card at AT; void at AT"),
    )


def _combination_branches(rules: Rules) -> list[str]:
    fours, kind = any(rules.fours), rules.combination_order == "kind"
    by_rank, by_choice = rules.four_tie == "rank", rules.announce == "by_choice"
    none_at_nt = rules.fours_nt[RANKS.index("9")] == 0
    return _only(
        (True, "no combination; combinations of one side only; combinations that score nothing"),
        (True, "two runs in a hand; a run of six or more; blot of the bidders; blot of the defenders"),
        (kind, "longer run; higher top card; eldest of equal runs"),
        (kind and rules.trump_run_is_better, "run in trump"),
        (kind and fours, "a four beats a run; higher four"),
        (kind and fours and by_rank, "stronger four"),
        (kind and fours and not by_rank, "eldest of equal fours"),
        (not kind, "higher value; eldest of equal runs; eldest of equal fours; eldest of equal combinations"),
        (rules.teams, "combinations of both partners"),
        (fours, "two fours in a hand; a card in a run and a four; four eights or sevens"),
        (fours and "NT" in rules.strains and none_at_nt, "four nines at NT"),
        ("AT" in rules.strains, "two blots in a hand"),
        (by_choice, "announced; stayed silent; nobody is asked to show; claimant shows; claimant withholds"),
        (by_choice, "claim passes to the other side; claim passes to the partner; all withhold"),
        (by_choice, "partner shows; partner withholds; the weaker side scores; claimant asked after the second trick"),
        (by_choice, "a blot alone is not asked"),
    )


def _match_branches(rules: Rules) -> list[str]:
    numbered = rules.auction == "numbered"
    both = "both" if rules.sides == 2 else "several"
    return _only(
        (True, f"match goes on; match won; {both} at the target; equal at the target; at the target before the deal"),
        (rules.rounding != "none", "a half rounded down; rounded halves that do not add up"),
        (rules.tars_kapout_wins, "tars kapout"),
        (rules.tars_kapout and not rules.tars_kapout_wins, "tars kapout, and the match goes on"),
        (rules.tars_kapout, "tars kapout with enough combinations"),
        (rules.capot_contra_wins, "contra'd capot wins the match"),
        (rules.contra and not rules.capot_contra_wins, "contra'd capot, and the match goes on"),
        (rules.leader_cannot_win_by_failing, "the leader failed"),
        (numbered or not (rules.forced_dealer or rules.auction == "eldest"), "passed out at the target"),
    )


class Branches:
    """Collects the branches of one deal in `reached`: call `before` each action, and `after` the last."""

    def __init__(self, deal: Reference) -> None:
        self.deal = deal
        self.reached: set[str] = set()
        self._passed: set[int] = set()
        self._raises = 0  # last words that raised
        self._raised = False  # the standing bid is such a raise

    def before(self, action: str) -> None:
        phases = {
            "auction": self._call if self.deal.rules.auction == "numbered" else self._name,
            "swap": self._swap,
            "discard": self._discard,
            "announce": self._announce,
            "show": self._show,
            "play": self._card,
        }
        self.reached.update(phases[self.deal.phase](action))

    def after(self) -> None:
        self.reached.update(self._outcome())

    # The auction

    def _call(self, call: str) -> Iterator[str]:
        auction, seat = self.deal.auction, self.deal.seat
        assert isinstance(auction, NumberedAuction)
        bid = auction.bid
        if len(auction.legal_calls()) == 1:
            yield "a single legal call"
        if call == "pass":
            if auction.moment == "open":
                self._passed.add(seat)
            else:
                yield "last word kept" if auction.moment == "last word" else "no recontra"
        elif call == "contra":
            yield "contra"
            if bid.capot:
                yield "contra of a capot"
            if self._raised:
                yield "contra after a last word"
        elif call == "recontra":
            yield "recontra by the bidder" if seat == bid.seat else "recontra by the partner"
        else:
            yield from self._bid(call)

    def _bid(self, call: str) -> Iterator[str]:
        auction, seat, rules = self.deal.auction, self.deal.seat, self.deal.rules
        assert isinstance(auction, NumberedAuction)
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
            yield from self._capot(standing is None, bool(standing and standing.capot), bid.strain, bid.number)
        elif bid.number > 24:
            yield "a number above 24 without a capot"
        if not call.startswith("capot"):
            lowest = standing.number + 1 if standing else rules.min_number
            yield "low raise" if bid.number == lowest else "jump"
            if bid.number == rules.max_number:
                yield "the highest number"

    def _capot(self, first: bool, over_capot: bool, strain: str, number: int) -> Iterator[str]:
        if first:
            yield "capot first"
        if over_capot:
            yield "capot over a capot"
        if strain == "NT":
            yield "capot at NT"
        if number < 25:
            yield "capot below 25"
        else:
            yield "capot counts 25" if number == 25 else "capot counts one more than the bid"

    def _name(self, call: str) -> Iterator[str]:
        deal = self.deal
        who = "eldest" if deal.seat == deal.eldest else "the dealer"
        if call == "pass":
            return
        if isinstance(deal.auction, TurnedAuction) and suit_of(deal.stock[0]) == call[-1]:
            yield f"turned suit taken by {who}"
            yield from self._seven()
        elif "pass" not in deal.legal_actions() and deal.rules.auction != "eldest":
            yield "named by the forced dealer"
        elif isinstance(deal.auction, TurnedAuction):
            yield f"another suit named by {who}"
        else:
            yield "named by eldest" if deal.seat == deal.eldest else "named after a pass"

    def _seven(self) -> Iterator[str]:
        """Where the seven of the turned suit, that has become trump, is."""
        seven = "7" + suit_of(self.deal.stock[0])
        if self.deal.stock[0] == seven:
            yield "the seven itself is turned"
        elif any(seven in down for down in self.deal.down):
            yield "seven out of sight"
        elif seven in self.deal.stock:
            yield "not asked"

    def _swap(self, answer: str) -> Iterator[str]:
        yield "seven swapped" if answer == "swap" else "swap declined"

    def _discard(self, card: str) -> Iterator[str]:
        deal = self.deal
        hand = deal.hands[deal.seat]
        yield "discarded from the stock" if card in deal.dealt_stock else "discarded from the hand"
        if suit_of(card) == deal.strain:
            yield "trump discarded"
        if card_points(card, deal.strain, deal.rules):
            yield "points discarded"
        if [suit_of(held) for held in hand].count(suit_of(card)) == 1:
            yield "the last card of a suit discarded"

    # Announcing and showing

    def _announce(self, answer: str) -> Iterator[str]:
        yield "announced" if answer == "announce" else "stayed silent"

    def _show(self, answer: str) -> Iterator[str]:
        announcing, seat = self.deal.announcing, self.deal.seat
        assert isinstance(announcing, ByChoice)
        if announcing.showers:
            yield "partner shows" if answer == "show" else "partner withholds"
            return
        if announcing.played[seat] > 1:
            yield "claimant asked after the second trick"
        if answer == "show":
            yield "claimant shows"
            if any((other - seat) % 2 for other in announcing.withheld):
                yield "the weaker side scores"
            return
        yield "claimant withholds"
        left = [s for s in announcing.announcers if s != seat and s not in announcing.withheld]
        others = [other for other in left if (other - seat) % 2]
        yield "claim passes to the other side" if others else "claim passes to the partner" if left else "all withhold"

    # The play

    def _card(self, card: str) -> Iterator[str]:
        deal, rules = self.deal, self.deal.rules
        strain, hand, trick, legal = deal.strain, deal.hands[deal.seat], deal.trick, deal.legal_actions()
        blot_alone = not deal.announcing.held[deal.seat] and deal.announcing.blots[deal.seat]
        if rules.announce == "by_choice" and blot_alone and not deal.tricks:
            yield "a blot alone is not asked"
        if not trick:
            return
        led = suit_of(trick[0][1])
        follows = any(suit_of(card) == led for card in hand)
        partner_holds = winner_of(trick, strain) == rules.partner(deal.seat)
        trumped = any(suit_of(card) == strain for _, card in trick)
        if len(legal) == 1 and len(hand) > 1:
            yield "a single legal card"
        if strain == "NT":
            yield "follow at NT" if follows else "void at NT"
        elif strain == "AT":
            yield ("beat at AT" if self._beats() else "no higher card at AT") if follows else "void at AT"
        elif led == strain:
            yield from self._trump_led(follows, partner_holds)
        elif follows:
            yield from self._plain_suit_led(trumped)
        elif not any(suit_of(card) == strain for card in hand):
            yield "void, without trumps"
        elif partner_holds and rules.must_trump == "unless_partner_wins":
            yield "void, the partner holds the trick"
        elif not trumped:
            yield "must trump though the partner holds the trick" if partner_holds else "must trump"
        elif self._beats():
            yield "must overtrump"
        elif len(hand) > 1:
            yield "must undertrump" if rules.cannot_overtrump == "undertrump" else "cannot overtrump"

    def _beats(self) -> bool:
        """Whether every legal card takes the trick."""
        deal = self.deal
        tricks = [[*deal.trick, (deal.seat, card)] for card in deal.legal_actions()]
        return all(winner_of(trick, deal.strain) == deal.seat for trick in tricks)

    def _trump_led(self, follows: bool, partner_holds: bool) -> Iterator[str]:
        if not follows:
            yield "void of the trump led"
        elif not self._beats():
            yield "no higher trump than the one led"
        else:
            yield "beat the partner's trump" if partner_holds else "beat the trump led"

    def _plain_suit_led(self, trumped: bool) -> Iterator[str]:
        yield "follow a plain suit"
        if self.deal.rules.must_beat == "all":
            if trumped:
                yield "a plain suit that was trumped"
            else:
                yield "beat a plain suit" if self._beats() else "no higher card of the plain suit led"

    # The end

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
        if result["made"] is None:
            yield from self._belot()
            return
        yield from self._combinations()
        yield from self._contract()
        yield from self._match()

    def _belot(self) -> Iterator[str]:
        deal = self.deal
        sides = {seat % deal.rules.sides for seat in range(deal.rules.players) if deal.holds_a_suit(seat)}
        won = deal.result["match_winner"]
        yield "belot of the namers" if won == deal.namer % deal.rules.sides else "belot of the others"
        if len(sides) > 1:
            yield "two belots"

    def _combinations(self) -> Iterator[str]:
        deal, rules, announcing = self.deal, self.deal.rules, self.deal.announcing
        tally = deal.tally()
        sides = [announcing.camp(deal.namer), [s for s in range(rules.players) if s not in announcing.camp(deal.namer)]]
        best = [announcing.best_of(side) for side in sides]
        if best[0] and best[1]:
            yield deciding_rule(best[0], best[1], deal.strain, deal.eldest, rules)[1]
            yield "combinations that score nothing"
        else:
            yield "combinations of one side only" if best[0] or best[1] else "no combination"
        if isinstance(announcing, ByChoice) and (best[0] or best[1]) and not announcing.announcers:
            yield "nobody is asked to show"
        if any(sum(bool(announcing.held[seat]) for seat in side) == 2 for side in sides):
            yield "combinations of both partners"
        if rules.sides == 3 and sum(points > 0 for points in tally.combinations) == 2:
            yield "both opponents score combinations"
        for seat, hand in enumerate(deal.held):
            yield from self._of_hand(seat, hand)
            if rules.trick_needed and not tally.tricks[seat % rules.sides]:
                if announcing.points(seat):
                    yield "combinations lost without a trick"
                if announcing.blots[seat]:
                    yield "blot lost without a trick"
        if tally.blot[tally.bidders]:
            yield "blot of the bidders"
            if not tally.made:
                yield "blot lost with the contract" if rules.failed_blot == "opponents" else "blot kept by who failed"
        if any(tally.blot[side] for side in tally.others):
            yield "blot of the defenders"
            if tally.made and tally.contra and rules.contra_takes_all:
                yield "blot kept by who lost to a contra"

    def _of_hand(self, seat: int, hand: list[str]) -> Iterator[str]:
        deal = self.deal
        held = deal.announcing.held[seat]
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
        if deal.announcing.blots[seat] > deal.rules.blot:
            yield "two blots in a hand"
        ranks = [rank_of(card) for card in hand]
        if deal.strain == "NT" and ranks.count("9") == 4:
            yield "four nines at NT"
        if 4 in (ranks.count("8"), ranks.count("7")):
            yield "four eights or sevens"

    def _contract(self) -> Iterator[str]:
        deal, rules = self.deal, self.deal.rules
        tally = deal.tally()
        bid, made, a = tally.bid, tally.made, tally.bidders
        verdict = "made" if made else "failed"
        if rules.auction == "numbered":
            strain = bid.strain if bid.strain in ("NT", "AT") else ""
            kind = f"{strain} {'capot' if bid.capot else ''}".strip() or "suit"
            yield f"{verdict} {kind}{CONTRA[tally.contra]}"
        else:
            yield verdict
            if tally.undealt:
                yield f"undealt cards to the {'namer' if made else 'other'}"
        yield from self._margin()
        whole = rules.hand_size
        if tally.tricks[a] == whole:
            yield "all tricks for the bidders"
            if not made and bid.capot:
                yield "all tricks of a capot but too few points"
        if rules.sides == 3 and any(tally.tricks[side] == whole for side in tally.others):
            yield "all tricks for one of two"
        elif tally.tricks[a] == 0:
            yield "all tricks for the defenders" if rules.auction == "numbered" else "all tricks for the other side"
        written = tally.raw if made and not tally.contra else [sum(tally.raw)]
        if any(points % 10 == 5 for points in written):
            yield "a half rounded down"
        if sum(rounded(points, rules) for points in tally.raw) != rounded(sum(tally.raw), rules):
            yield "rounded halves that do not add up"

    def _margin(self) -> Iterator[str]:
        """How closely a contract was made or failed, capots apart."""
        rules, tally = self.deal.rules, self.deal.tally()
        bid, made, raw, a = tally.bid, tally.made, tally.raw, tally.bidders
        if bid.capot:
            return
        if rules.auction == "numbered":
            enough = 10 * bid.number - (4 if rules.made_by == "rounded" else 0)  # 86 make nine tens
            if made and raw[a] == enough:
                yield "made exactly"
            if not made and raw[a] == enough - 1:
                yield "failed by one"
            if not made and raw[a] >= enough and tally.bonus[a]:
                yield "failed for want of the all-tricks bonus"
            return
        against = [raw[side] for side in tally.others]
        if raw[a] == sum(against):
            yield "failed by equal points"
        if not made and len(against) == 2 and raw[a] > max(against):
            yield "failed though ahead of each"
        if not made and raw[a] > sum(against):
            yield "failed for want of the all-tricks bonus"

    def _match(self) -> Iterator[str]:
        deal, rules, result = self.deal, self.deal.rules, self.deal.result
        tally = deal.tally()
        totals = [score + points for score, points in zip(deal.scores, result["points"], strict=True)]
        at_target = [total for total in totals if total >= deal.target]
        won, made = result["match_winner"], tally.made
        if tally.tricks[tally.bidders] == 0 and rules.tars_kapout:
            yield "tars kapout" if rules.tars_kapout_wins else "tars kapout, and the match goes on"
            if not tally.bid.capot and tally.raw[tally.bidders] >= 10 * tally.bid.number:
                yield "tars kapout with enough combinations"
            if rules.tars_kapout_wins:
                return
        if tally.bid.capot and tally.contra and made:
            goes_on = not rules.capot_contra_wins and won is None
            yield "contra'd capot, and the match goes on" if goes_on else "contra'd capot wins the match"
        elif at_target and totals.count(max(totals)) > 1:
            yield "equal at the target"
        elif at_target and won is None:
            yield "the leader failed"
        elif len(at_target) > 1:
            yield "both at the target" if rules.sides == 2 else "several at the target"
        else:
            yield "match goes on" if won is None else "match won"
