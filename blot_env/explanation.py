"""How a deal is scored, line by line, in the engine's own numbers (rules, sections 3, 5, 7 and 8)."""

from collections.abc import Sequence
from dataclasses import dataclass

from blot_env.cards import SUIT, set_name
from blot_env.combinations import RUNS, SPOKEN, best_combination, fours_of
from blot_env.game import Game
from blot_env.scoring import counted, discarded_points, kept_blot, rounded, undealt_points
from blot_env.speech import contract_name, listed, side_name

_CONTRA = ("", ", contra", ", recontra")
_RUN_NAMES = {3: "terz", 4: "fifty"}


@dataclass(frozen=True)
class Combination:
    """A run or a four: its name, its cards (a set), and its points."""

    name: str
    cards: int
    points: int

    def __str__(self) -> str:
        return f"{self.name} {set_name(self.cards)} {self.points}"


@dataclass(frozen=True)
class Account:
    """What a side of a finished deal writes, and what for.

    Attributes:
        side: whose account this is.
        counts: what it took, by name; the points add up to the result's `raw`.
        gains: what else is written together with it, by name, such as the points of bidders who failed.
        fixed: match points that it gets for the cards, whatever they are worth; 0 where the cards count.
        kept: what of its own it writes where that is not all, by name; None where it is all its own.
        terms: factors and numbers; the products add up to the result's `points`.
    """

    side: int
    counts: tuple[tuple[str, int], ...]
    gains: tuple[tuple[str, int], ...]
    fixed: int
    kept: tuple[tuple[str, int], ...] | None
    terms: tuple[tuple[int, int], ...]

    @property
    def raw(self) -> int:
        """The side's raw points."""
        return sum(points for _, points in self.counts)

    @property
    def points(self) -> int:
        """Its match points."""
        return sum(factor * number for factor, number in self.terms)

    def text(self, verdict: str = "") -> str:
        """Return it as a line: `cards 96, last trick 10, blot 20 = 126, made 11, 13 + 11 = 24`."""
        text = ", ".join(f"{name} {points}" for name, points in self.counts)
        if len(self.counts) > 1:
            text += f" = {self.raw}"
        if self.gains:
            whole = self.raw + sum(points for _, points in self.gains)
            text += f", with {listed(f'{points} {name}' for name, points in self.gains)} = {whole}"
        if self.fixed:
            text += f", fixed {self.fixed} for the cards"
        if self.kept:
            text += f", keeps {listed(f'{name} {points}' for name, points in self.kept)}"
        if self.kept and len(self.kept) > 1:
            text += f" = {sum(points for _, points in self.kept)}"
        products = [f"{factor} × {number}" if factor > 1 else str(number) for factor, number in self.terms]
        total = " + ".join(products)
        total = f"{total} = {self.points}" if total != str(self.points) else f"writes {total}"
        return ", ".join(part for part in (text, verdict, total) if part)


def combinations_of(game: Game, seat: int) -> list[Combination]:
    """Return the runs and fours of the hand that a seat held as play began, at the contract's strain."""
    rules, strain, cards = game.rules.record, int(game.state.public.strain), int(game.state.dealt[seat])
    found = []
    for suit in range(4):
        ranks = [rank for rank in range(8) if RUNS[cards >> 8 * suit & SUIT, 2] >> rank & 1]
        while ranks:
            length = next((n for n in range(1, len(ranks)) if ranks[n] != ranks[n - 1] + 1), len(ranks))
            bits = sum(1 << 8 * suit + rank for rank in ranks[:length])
            found.append(Combination(_RUN_NAMES.get(length, "hundred"), bits, int(rules.runs[length])))
            ranks = ranks[length:]
    fours = fours_of(rules, strain, cards)
    for rank in range(8):
        if fours >> rank & 1:
            found.append(Combination("four", 0x01010101 << rank, int(rules.fours[strain, rank])))
    return found


def combination_lines(game: Game) -> list[str]:
    """Return what each seat held in combinations and what became of them, and of a blot that does not count.

    Nothing when nothing was played.
    """
    public = game.state.public
    if not public.trick_number:
        return []
    lines = []
    for seat in range(game.rules.players):
        if found := combinations_of(game, seat):
            lines.append(f"Seat {seat}: {', '.join(map(str, found))}: {_fate(game, seat)}")
    return [*lines, *_lost_blots(game)]


def _lost_blots(game: Game) -> list[str]:
    """Return which blots do not count, and why."""
    rules, public, result = game.rules, game.state.public, game.state.result
    lines = []
    for side in range(rules.sides if game.phase == "over" else 0):
        if public.blot[side] > result.blot[side]:
            no_trick = rules.trick_needed and not result.tricks[side]
            why = "lost, for want of a trick" if no_trick else "lost, for the combinations of others score"
            lines.append(f"{side_name(rules, side).capitalize()}: blot {public.blot[side]}: {why}")
    return lines


def _fate(game: Game, seat: int) -> str:
    """Return what became of a seat's combinations."""
    rules, public, result = game.rules, game.state.public, game.state.result
    if public.shown[seat]:
        lost = rules.trick_needed and game.phase == "over" and not result.tricks[rules.side(seat)]
        return "lost, for want of a trick" if lost else "they score"
    if rules.announce == "by_choice":
        if public.announced[seat] == SPOKEN:
            return "not announced"
        return "announced and withheld" if public.withheld >> seat & 1 else "announced, not shown"
    scorer = int(game.state.scorer)
    best, own = (best_combination(rules.record, public.strain, game.state.dealt[one]) for one in (scorer, seat))
    if own == best:
        return f"the best is equal to that of seat {scorer}, which comes first from eldest"
    return f"those of {side_name(rules, rules.side(scorer))} are better"


def accounts(game: Game) -> list[Account]:
    """Return the accounts of all sides of a finished deal in which a contract was played.

    Raises:
        ValueError: there is none: nobody bid, a belot ended the deal, or it is not over.
    """
    rules, result = game.rules, game.state.result
    if game.phase != "over" or result.made < 0:
        raise ValueError("accounts: no contract was played to its end")
    pay = _made if result.made else _failed
    return [pay(game, side) for side in range(rules.sides)]


def _made(game: Game, side: int) -> Account:
    """Return what a side writes of a contract that was made."""
    rules, result = game.rules, game.state.result
    takes_all = bool(result.contra and rules.contra_takes_all)
    if side != rules.side(int(result.bidder)):
        return _account(game, side, kept=[("blot", _kept_blot(game, side))] if takes_all else None)
    others = [other for other in range(rules.sides) if other != side and takes_all]
    gains = [(f"of {side_name(rules, other)}", int(result.raw[other]) - _kept_blot(game, other)) for other in others]
    return _account(game, side, [*_aside(game), *gains], adds_bid=True)


def _failed(game: Game, side: int) -> Account:
    """Return what a side writes of a contract that failed."""
    rules, result = game.rules, game.state.result
    namers = rules.side(int(result.bidder))
    if side == namers:
        return _account(game, side, kept=[("blot", _kept_blot(game, side))])
    if rules.failed_to == "nobody":
        return _account(game, side, adds_bid=True)
    if rules.failed_cards:
        cards = rules.failed_cards[int(result.tricks[side] == rules.hand_size)]
        own = [(name, int(result[name][side])) for name in ("combinations", "blot")]
        return _account(game, side, kept=own, adds_bid=True, fixed=cards)
    lost = int(result.raw[namers]) - _kept_blot(game, namers)
    return _account(game, side, [*_aside(game), (f"of {side_name(rules, namers)}", lost)], adds_bid=True)


def _account(
    game: Game,
    side: int,
    gains: Sequence[tuple[str, int]] = (),
    kept: Sequence[tuple[str, int]] | None = None,
    adds_bid: bool = False,
    fixed: int = 0,
) -> Account:
    """Return an account: of all that a side counts and gains, or of what it keeps, and `fixed` match points."""
    rules, result = game.rules, game.state.result
    counts = _counts(game, side)
    gains = tuple((name, points) for name, points in gains if points)
    factor = int(rules.record.multiplier[result.strain, result.contra])
    raw = sum(points for _, points in ((*counts, *gains) if kept is None else kept))
    terms = [(1 if rules.adds_bid else factor, number) for number in (fixed, int(rounded(rules.record, raw)))]
    if adds_bid and rules.adds_bid:
        terms.append((factor, int(result.number)))
    parts = None if kept is None else tuple((name, points) for name, points in kept if points)
    return Account(side, counts, gains, fixed, parts, tuple(term for term in terms if term[1]) or ((1, 0),))


def _kept_blot(game: Game, side: int) -> int:
    return int(kept_blot(game.rules.record, game.state.result, side))


def _aside(game: Game) -> list[tuple[str, int]]:
    """Return the points of the undealt and of the discarded cards, where they count."""
    rules, state = game.rules.record, game.state
    return [("undealt", int(undealt_points(rules, state))), ("discarded", int(discarded_points(rules, state)))]


def _counts(game: Game, side: int) -> tuple[tuple[str, int], ...]:
    """Return what a side took, by name: what adds up to its raw points."""
    rules, public, result = game.rules, game.state.public, game.state.result
    cards, combinations, blot = (int(result[name][side]) for name in ("card_points", "combinations", "blot"))
    all_tricks = result.tricks[side] == rules.hand_size
    last = rules.last_trick if rules.side(int(public.leader)) == side else 0  # it would lead to the next
    if all_tricks and rules.all_tricks_set:
        parts = [("cards for all tricks", cards)]
    else:
        parts = [("cards", cards - last), ("last trick", last)]
    bonus = int(result.raw[side]) - cards - combinations - blot
    parts += [("combinations", combinations), ("blot", blot), ("all tricks", bonus)]
    return tuple((name, points) for name, points in parts if points) or (("cards", 0),)


def verdict(game: Game) -> str:
    """Return whether the contract was made, and what it needed: `11H by seat 0: needs 110 points, has 126: made`."""
    rules, result = game.rules, game.state.result
    namers = rules.side(int(result.bidder))
    contract = f"{contract_name(rules, game.state.public)} by seat {result.bidder}{_CONTRA[result.contra]}"
    return f"{contract}: {', '.join(_needs(game, namers))}: {'made' if result.made else 'failed'}"


def _needs(game: Game, namers: int) -> list[str]:
    """Return what the contract needed and what its bidders have."""
    rules, result = game.rules, game.state.result
    tricks = int(result.tricks[namers])
    if rules.tars_kapout and not tricks:
        return ["needs a trick, has none"]
    towards = [int(counted(rules.record, result, side)) for side in range(rules.sides)]
    own = towards[namers] + int(discarded_points(rules.record, game.state))
    if result.capot:
        needed = [f"needs all {rules.hand_size} tricks, has {tricks}"]
        return [*needed, f"needs {10 * result.number} points, has {own}"] if rules.capot_needs_points else needed
    if rules.made_by == "more":
        return [f"needs more than {sum(towards) - towards[namers]} points, has {own}"]
    if rules.made_by == "rounded":
        return [f"needs {result.number} match points, has {rounded(rules.record, own)}"]
    return [f"needs {10 * result.number} points, has {own}"]


def scoring_lines(game: Game) -> list[str]:
    """Return how a finished deal is scored, line by line.

    >>> from blot_env import replay
    >>> hands = ["JC 8D 7D QC KH AH 9D 7C", "KD JD QD TH JS KC 7S 9C"]
    >>> hands += ["KS 7H 8H TS AC QS 8C QH", "9S JH 8S 9H AS TC TD AD"]
    >>> actions = "9S contra pass pass JH KH TH QH KC 8C TC 7C 8S JC JS QS 7S TS 9S AH AD 9D JD KS 7H 9H 8D KD"
    >>> actions = f"{actions} TD 7D QD 8H AS QC 9C AC".split()
    >>> record = {"rules": "bazar", "target": 301, "scores": [99, 207], "dealer": 2, "hands": hands, "actions": actions}
    >>> for line in scoring_lines(replay(record))[:2]:
    ...     print(line)
    9S by seat 3, contra: needs 90 points, has 165: made
    Seats 0 and 2: cards 17, blot 20 = 37, writes 0
    """
    rules, result = game.rules, game.state.result
    if game.phase != "over":
        return []
    if result.bidder < 0:
        return ["Nobody bid: the cards are dealt again"]
    if result.made < 0:
        belot = int(game.state.public.belot)
        return [f"Seat {belot} holds a whole suit: belot wins the match for {side_name(rules, rules.side(belot))}"]
    namers = rules.side(int(result.bidder))
    lines = [verdict(game)]
    for account in accounts(game):
        said = ""
        if account.side == namers:
            number = f" {result.number}" if rules.numbered else ""
            said = f"made{number}" if result.made else f"bid{number} and failed" if number else "failed"
        lines.append(f"{side_name(rules, account.side).capitalize()}: {account.text(said)}")
    return [*lines, *_match_lines(game)]


def _match_lines(game: Game) -> list[str]:
    """Return the match points with this deal's, and who wins."""
    rules, result, target = game.rules, game.state.result, game.state.public.target
    sums = [
        f"{side_name(rules, side)}: {total - int(points)} + {points} = {total}"
        for side, (total, points) in enumerate(zip(game.scores, result.points, strict=False))
    ]
    lines = [f"Match to {target}, {'; '.join(sums)}"]
    reached = max(game.scores) >= target
    if game.winner is None:
        return [*lines, f"{target} is reached, but {_no_winner(game)}: play goes on"] if reached else lines
    namers = rules.side(int(result.bidder))
    if rules.tars_kapout_wins and not result.tricks[namers]:
        why = f"{side_name(rules, namers)} took no trick, tars kapout"
    elif rules.capot_contra_wins and result.capot and result.contra and result.made:
        why = "a capot was made under contra"
    else:
        why = f"{game.scores[game.winner]} of {target}"
    winner = side_name(rules, game.winner)
    return [*lines, f"{winner.capitalize()} {'wins' if rules.sides == rules.players else 'win'} the match: {why}"]


def _no_winner(game: Game) -> str:
    best = max(game.scores)
    return "the totals are equal" if game.scores.count(best) > 1 else "the leader has failed its own contract"
