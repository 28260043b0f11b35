"""The rules of a game in prose for players, assembled from the fields of its rule set."""

from collections.abc import Iterable

from blot_env.cards import PLAIN_ORDER, RANKS, TRUMP_ORDER
from blot_env.rules import RuleSet
from blot_env.speech import RANK_NAMES, STRAIN_NAMES, listed

Chapter = tuple[str, list[str]]
"""A heading and paragraphs; lines that belong together, as in a table, are one paragraph."""

_COUNTS = {2: "Two", 3: "Three", 4: "Four"}


def chapters(rules: RuleSet) -> list[Chapter]:
    """Return the rules as chapters, in Markdown.

    >>> from blot_env import load_rules
    >>> heading, paragraphs = chapters(load_rules("bela3"))[1]
    >>> print(heading, *paragraphs, sep=": ")
    The auction: Eldest, the seat after the dealer, must **name** a trump suit.
    """
    found = [
        ("The table", _table(rules)),
        ("The auction", _numbered(rules) if rules.numbered else _named(rules)),
        ("The play", _play(rules)),
        ("Card points", _card_points(rules)),
        ("Combinations and the blot", _combinations(rules)),
        ("Scoring", _scoring(rules)),
        ("The match", _match(rules)),
    ]
    return [(heading, [paragraph for paragraph in paragraphs if paragraph]) for heading, paragraphs in found]


def _said(*sentences: tuple[bool, str] | str) -> str:
    """Return the sentences that apply, as a paragraph."""
    applying = (said if isinstance(said, str) else said[1] * said[0] for said in sentences)
    return " ".join(filter(None, applying))


def _table(rules: RuleSet) -> list[str]:
    seats = " in two teams, seats 0 and 2 against 1 and 3" if rules.teams else ", each alone"
    low, high = RANK_NAMES[rules.ranks[0]], RANK_NAMES[rules.ranks[-1]]
    down = f", and {rules.face_down} more face down, to be taken up when the auction is over"
    left = rules.stock_size - (rules.auction == "turned")
    stock = {
        "none": "",
        "out": f"The other {left} cards are out of play.",
        "drawn": f"The other {left} are the stock: after the auction the namer of trump takes the turned card "
        f"and draws up "
        f"to {rules.hand_size} cards, then the other does; the rest stays undealt.",
        "namer": f"The {left} cards left over are for the namer of trump, who then discards as many, unseen, and "
        + ("gets their points." if rules.discards == "namer" else "nobody gets their points."),
    }[rules.stock]
    return [
        _said(
            f"{_COUNTS[rules.players]} players{seats}.",
            f"The pack has {4 * len(rules.ranks)} cards, {low} to {high} of each suit.",
            f"Each is dealt {rules.visible} cards{down if rules.face_down else ''}.",
            (rules.auction == "turned", "The next card is turned up."),
            stock,
        )
    ]  # fmt: skip


def _redeal(rules: RuleSet) -> str:
    return "the same dealer deals again" if rules.redeal == "same" else "the next dealer deals"


def _numbered(rules: RuleSet) -> list[str]:
    number = f"{rules.min_number} to {rules.max_number}"
    step = (
        "higher than the standing bid" if rules.jump_bids else "exactly one above the standing bid, at first the lowest"
    )
    over = "only contra goes over it" if rules.contra else "nothing goes over it"
    capot = {
        "none": "",
        "call": f"**Capot**, the promise of all tricks, is a call of its own in each strain, above all numbers; "
        "it counts "
        f"{rules.capot_min}, or one more than the standing number if that is as high. Once it is called {over}.",
        "from_25": f"A bid of {rules.capot_min} or more is a **capot**, the promise of all tricks.",
        "mark": f"A bid of {rules.capot_min} or more may be made as a **capot**, the promise of all tricks; over "
        f"a capot "
        "only a higher capot may be bid.",
    }[rules.capot]
    asked = "the bidder, then the partner, is" if rules.recontra_by == "side" and rules.teams else "the bidder is"
    recontra = f"; {asked} asked for **recontra** or to pass" if rules.recontra else ", and the auction is over"
    return [
        "Eldest, the seat after the dealer, speaks first, then each in turn.",
        f"A **bid** is a number, {number}, and a strain: {_strains(rules)}. The number must be {step}, whatever "
        f"the strain. "
        + ("Who passes may bid later." if rules.reenter else "Who has passed bids no more."),
        capot,
        f"**Contra** may be said to a bid of the other side; no bid follows{recontra}." if rules.contra else "",
        "After a bid the auction ends when all others have passed in a row"
        + ("; but first the bidder has the **last word**, to keep the bid or to raise it (not on a "
        "capot)." * rules.last_word
           or ".")
        + f" When nobody bids, {_redeal(rules)}.",
    ]  # fmt: skip


def _strains(rules: RuleSet) -> str:
    return listed((STRAIN_NAMES[strain] for strain in rules.strains), "or")


def _named(rules: RuleSet) -> list[str]:
    forced = " The dealer, when all others have passed, must name one." if rules.forced_dealer else ""
    ways = {
        "turned": "Eldest, the seat after the dealer, then the others may **take** the turned suit as trump or "
        "pass. When all "
        "have passed they may in a second round **name** another suit or pass.",
        "named": "Eldest, the seat after the dealer, then each in turn may **name** a trump suit or pass.",
        "eldest": "Eldest, the seat after the dealer, must **name** a trump suit.",
    }
    nobody = "" if rules.forced_dealer or rules.auction == "eldest" else f" When nobody names a suit, {_redeal(rules)}."
    swap = (
        "Whoever sees the seven of the turned suit among the cards dealt open, when that suit became trump, may "
        "**swap** "
        "it for the turned card before anything else is taken up."
    )
    return [ways[rules.auction] + forced + nobody, *[swap] * rules.swap_seven]


def _play(rules: RuleSet) -> list[str]:
    beat = {
        "trump": "When trump is led a player must beat the highest one if able.",
        "all": "A player must beat the highest card of the suit led if able, in every suit, unless it has been "
        "trumped.",
    }[rules.must_beat]
    partner = (
        ", unless the partner holds the trick" if rules.must_trump == "unless_partner_wins" and rules.teams else ""
    )
    over = "must put a lower one" if rules.cannot_overtrump == "undertrump" else "may play any card"
    return [
        f"Eldest leads to the first of {rules.hand_size} tricks, the winner of a trick to the next. Follow suit. "
        f"{beat}",
        f"A player who is void in the suit led must trump{partner}, and over a trump in the trick put a higher "
        f"one; who has "
        f"trumps but none so high {over}. Who can do none of this plays any card.",
        _said(
            ("NT" in rules.strains, "At no trump a player must follow suit, and that is all."),
            (
                "AT" in rules.strains,
                "At all trump every suit is ranked as trump, and the suit led must be beaten if able.",
            ),
        ),
    ]


def _ranks(rules: RuleSet) -> str:
    return "".join(rank for rank in reversed(TRUMP_ORDER) if rank in rules.ranks)


def _points_table(rules: RuleSet, rows: Iterable[tuple[str, tuple[int, ...]]], total: bool) -> str:
    """Return a table of points by rank, in Markdown."""
    ranks = _ranks(rules)
    lines = [f"| | {' | '.join(ranks)} |{' suit |' * total}", "|---" * (1 + len(ranks) + total) + "|"]
    for name, points in rows:
        by_rank = [points[RANKS.index(rank)] for rank in ranks]
        lines.append(f"| {name} | {' | '.join(map(str, by_rank))} |{f' {sum(by_rank)} |' * total}")
    return "\n".join(lines)


def _card_points(rules: RuleSet) -> list[str]:
    plain = " ".join(rank for rank in reversed(PLAIN_ORDER) if rank in rules.ranks)
    rows = [("trump, strongest first", rules.points_trump), (f"plain suit, {plain}", rules.points_plain)]
    if "NT" in rules.strains:
        rows.append((f"no trump, {plain}", rules.points_nt))
    if "AT" in rules.strains:
        rows.append(("all trump", rules.points_at))
    return [_points_table(rules, rows, total=True), f"The last trick is worth {rules.last_trick}."]


def _combinations(rules: RuleSet) -> list[str]:
    three, four, five = rules.runs
    rows = [("four of a rank", rules.fours)]
    if "NT" in rules.strains:
        rows.append(("at no trump", rules.fours_nt))
    worthless = "0 points count for nothing, but may be the best" if rules.worthless_fours else "0: no combination"
    has_fours = rules.worthless_fours or any(any(points) for _, points in rows)
    fours = f"Four cards of a rank ({worthless}):" if has_fours else "Fours do not count."
    return [
        f"A **run** is three or more consecutive cards of a suit in the order {' '.join(rules.ranks)}: three (terz) "
        f"{three}, four "
        f"(fifty) {four}, five or more (hundred) {five}. {fours}",
        _points_table(rules, rows, total=False) if has_fours else "",
        _said(
            "The side with the best combination scores all of its own, the other none." if rules.sides == 2 else
            "If the namer holds the best combination, it scores its own; otherwise each of the others scores its own.",
            _better(rules, has_fours),
            (rules.trick_needed, "A side without a trick loses its combinations and blot, and nobody gets them."),
        ),
        _announcing(rules),
        _said(
            f"**Blot**: king and queen of trump in one hand, {rules.blot}, whatever is announced.",
            ("NT" in rules.strains, "There is none at no trump."),
            ("AT" in rules.strains, "At all trump each suit's pair counts." if rules.blot_at else "None at all trump."),
            (rules.blot_compared, "It counts only for the side whose combinations score, and is itself the "
            "lowest of them."),
        ),
        "**Belot**: a whole suit in one hand wins the match at once, before a card is played." if rules.belot else "",
    ]  # fmt: skip


def _better(rules: RuleSet, has_fours: bool) -> str:
    """Return which of two combinations is the better one."""
    if rules.combination_order == "points":
        return "Better is what is worth more points; of equal ones that of the player who comes first from eldest."
    run = "the longer run" if rules.run_order == "length" else "the run of the higher class (terz, fifty, hundred)"
    fours = " (of equal ones the stronger rank)" if rules.four_tie == "rank" else ""
    trump = ", then the one in trump" if rules.trump_run_is_better else ""
    kinds = f"A four is better than a run, and a four of more points{fours} better than another; then"
    return (
        f"{kinds if has_fours else 'Better is'} {run}, then the one with the higher top card{trump}, then that of the "
        "player who comes first from eldest."
    )


def _announcing(rules: RuleSet) -> str:
    if rules.announce == "automatic":
        return (
            "Each player announces the classes of its combinations with its first card, without being asked. "
            "When the first "
            "trick is complete, the side with the best one shows its own."
        )
    return _said(
        "With its first card a player",
        "may announce" if rules.bluff else "who holds a combination may announce",
        "the class of its best combination, or stay silent.",
        (rules.bluff, "Who holds none may announce a terz."),
        "When the first trick is complete, the best announcer is asked before its next card to show its "
        "combinations, which "
        "then score; if it shows nothing, the best of the other side is asked, or else the best one left of its "
        "own. After "
        "somebody has shown, only the partner is asked.",
        (not rules.late_claims, "Who has already played to the second trick is not asked any more."),
    )


def _scoring(rules: RuleSet) -> list[str]:
    all_tricks = f"{rules.all_tricks} more for all tricks" + (
        " (the bidders only)" if rules.all_tricks_for == "bidders" else ""
    )
    kinds = ["card points", "the last trick", "combinations", "the blot", *[all_tricks] * bool(rules.all_tricks)]
    rounding = {
        "half_down": "`r` divides by ten and rounds, halves down: r(85) = 8, r(86) = 9.",
        "half_up": "`r` divides by ten and rounds, halves up: r(84) = 8, r(85) = 9.",
        "none": "Points are written as they are.",
    }[rules.rounding]
    return [
        _said(
            f"A side's raw points are {listed(kinds)}.",
            (rules.all_tricks_set > 0, f"With all tricks its cards and the last trick count {rules.all_tricks_set}."),
            rounding,
        ),
        _made(rules),
        _multipliers(rules),
        _payments(rules),
    ]


def _made(rules: RuleSet) -> str:
    without = (
        "" if rules.all_tricks_counts or not rules.all_tricks else f", without the {rules.all_tricks} for all tricks"
    )
    needed = {
        "raw": f"A contract of number N is made with 10 × N raw points{without}.",
        "rounded": f"A contract of number N is made when r of its bidders' raw points is at least N{without}.",
        "more": f"The namers make their contract with more raw points than the others together{without}.",
    }[rules.made_by]
    return _said(
        needed,
        (
            rules.capot != "none",
            "A capot is made with all tricks" + (" and the points of its number." if rules.capot_needs_points else "."),
        ),
        (rules.tars_kapout, "Bidders without a trick have failed, whatever their combinations."),
    )


def _multipliers(rules: RuleSet) -> str:
    if not rules.adds_bid and set(rules.multiplier + rules.multiplier_nt) == {1}:
        return ""
    shown = 1 + rules.contra + rules.recontra
    lines = [f"| multiplier M | {' | '.join(['plain', 'contra', 'recontra'][:shown])} |", "|---" * (1 + shown) + "|"]
    rows = [("in a suit", rules.multiplier), *[("at no trump", rules.multiplier_nt)] * ("NT" in rules.strains)]
    lines += [f"| {name} | {' | '.join(map(str, factors[:shown]))} |" for name, factors in rows]
    return "\n".join(lines)


def _payments(rules: RuleSet) -> str:
    """Return the table of what each side writes, in Markdown."""
    bidders, others = ("bidders", "defenders") if rules.numbered else ("namer", "others")
    extra = " + undealt cards" * (rules.undealt_to == "winner") + " + discards" * (rules.discards == "namer")
    bid = " + M × N" if rules.adds_bid else ""
    blot = "own blot" if rules.failed_blot == "holder" else ""
    kept = _times(rules, blot) if blot else "0"
    rows = [("made", _times(rules, f"own raw{extra}") + bid, _times(rules, "own raw"))]
    if rules.contra:
        under = "made under contra" + " or recontra" * rules.recontra
        if rules.contra_takes_all:
            whole = "whole deal" + " − defenders' blot" * bool(blot) + extra
            rows.append((under, _times(rules, whole) + bid, kept))
        else:
            rows.append((under, *rows[0][1:]))
    if rules.failed_to == "nobody":
        rows.append(("failed", kept, _times(rules, "own raw") + bid))
    elif rules.failed_cards:
        cards, all_tricks = rules.failed_cards
        fixed = f"{cards} ({all_tricks} with all tricks)"
        rows.append(("failed", kept, f"{_prefix(rules)}({fixed} + {_r(rules, 'own combinations + blot')}){bid}"))
    else:
        whole = "whole deal" + f" − {bidders}' blot" * bool(blot) + extra
        rows.append(("failed", kept, _times(rules, whole) + bid))
    lines = [f"| contract | {bidders} | {others} |", "|---|---|---|"]
    return "\n".join([*lines, *(f"| {name} | {first} | {second} |" for name, first, second in rows)])


def _r(rules: RuleSet, points: str) -> str:
    return points if rules.rounding == "none" else f"r({points})"


def _prefix(rules: RuleSet) -> str:
    multiplied = not rules.adds_bid and set(rules.multiplier + rules.multiplier_nt) != {1}
    return "M × " if multiplied else ""


def _times(rules: RuleSet, points: str) -> str:
    return _prefix(rules) + _r(rules, points)


def _match(rules: RuleSet) -> list[str]:
    others = [str(target) for target in rules.targets if target != rules.target]
    reached = f"{rules.target} (or {listed(others, 'or')})" if others else str(rules.target)
    return [
        f"The first to reach {reached} at the end of a deal wins the match; if several "
        "do, the one with the most; if these are equal, another deal is played. The deal passes to the next seat.",
        _said(
            (
                rules.tars_kapout and rules.tars_kapout_wins,
                "Bidders who take no trick lose the match at once (tars kapout).",
            ),
            (
                rules.capot_contra_wins and rules.capot != "none" and rules.contra,
                "A capot that is made under contra wins the match at once.",
            ),
            (
                rules.leader_cannot_win_by_failing,
                "The side that leads does not win in a deal in which it failed its own contract: play goes on.",
            ),
        ),
    ]
