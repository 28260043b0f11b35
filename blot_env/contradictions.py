"""What the fields of a rule set must meet together."""

from typing import TYPE_CHECKING

from blot_env.cards import RANKS, STRAINS

if TYPE_CHECKING:
    from blot_env.rules import RuleSet


def contradictions(rules: "RuleSet") -> list[str]:
    """Return what in a rule set cannot be, each as the field, a colon and the reason."""
    wrong = [f"{field}: {reason}" for field, holds, reason in _demands(rules) if not holds]
    for field in (
        "points_trump",
        "points_plain",
        "points_nt",
        "points_at",
        "runs",
        "fours",
        "fours_nt",
        "failed_cards",
    ):
        if not all(0 <= points <= 1000 for points in getattr(rules, field)):
            wrong.append(f"{field}: points lie between 0 and 1000")
    for field in ("multiplier", "multiplier_nt"):
        if not all(1 <= factor <= 100 for factor in getattr(rules, field)):
            wrong.append(f"{field}: factors lie between 1 and 100")
    if not all(1 <= target <= 100_000 for target in rules.targets):
        wrong.append("targets: match points lie between 1 and 100000")
    return wrong


def _demands(rules: "RuleSet") -> list[tuple[str, bool, str]]:
    """Return what a rule set must meet: a field, whether it does, and the reason."""
    numbered, turned, size, rest = rules.numbered, rules.auction == "turned", rules.hand_size, rules.stock_size
    strains = (STRAINS[:4], STRAINS[:5], STRAINS) if numbered else (STRAINS[:4],)
    draws = size - rules.dealt
    return [
        ("ranks", rules.ranks in (RANKS, RANKS[1:], RANKS[2:]), f"the pack is {RANKS}, or it begins with 8 or with 9"),
        ("teams", not rules.teams or rules.players == 4, "partners need four players"),
        ("players", rest >= 0, f"{rules.players} hands of {rules.dealt} cards are more than the pack holds"),
        ("stock", rules.stock != "none" or rest == 0, f"{rest} cards are left over: say what becomes of them"),
        ("stock", rules.stock == "none" or rest > 0, "no card is left over"),
        ("stock", rules.stock != "namer" or rest <= 8, f"the namer discards at most 8 cards, not {rest}"),
        ("hand_size", rules.stock == "drawn" or draws == 0, f"each player gets {rules.dealt} cards, not {size}"),
        (
            "hand_size",
            rules.stock != "drawn" or 0 < draws <= rest // rules.players,
            f"{rest} cards are left for {rules.players} hands of {rules.dealt} to draw up to {size}",
        ),
        ("strains", rules.strains in strains, "give C D H S" + ", then NT if it is played, then AT" * numbered),
        ("auction", not numbered or rules.sides == 2, "numbers are bid by two sides"),
        (
            "auction",
            not turned or (rules.stock in ("out", "drawn") and rest > 0),
            "a card is turned from a stock, and there is none",
        ),
        ("swap_seven", not rules.swap_seven or (turned and rules.stock == "out"), "a turned card that nobody draws"),
        ("swap_seven", not rules.swap_seven or rules.ranks == RANKS, "there are no sevens in the pack"),
        ("min_number", rules.min_number <= rules.max_number, f"{rules.min_number} is above max_number"),
        ("contra", not rules.contra or numbered, "contra is said to a numbered bid"),
        ("recontra", not rules.recontra or rules.contra, "there is no recontra without contra"),
        ("last_word", not rules.last_word or numbered, "the last word is about a numbered bid"),
        ("capot", rules.capot == "none" or numbered, "capot is a numbered bid"),
        (
            "capot_min",
            rules.capot not in ("mark", "from_25") or rules.min_number <= rules.capot_min <= rules.max_number,
            "a capot bid's number lies between min_number and max_number",
        ),
        ("made_by", (rules.made_by == "more") != numbered, "numbered bids by raw or rounded, others by more"),
        ("adds_bid", not rules.adds_bid or numbered, "there is no number to add"),
        (
            "failed_to",
            rules.sides == 2 or rules.failed_to == "nobody",
            f"with {rules.sides} sides no other can take it all: say nobody",
        ),
        ("failed_cards", len(rules.failed_cards) in (0, 2), "none, or two numbers: for the cards, for all tricks"),
        ("failed_cards", 0 not in rules.failed_cards, "both numbers are at least 1"),
        ("failed_cards", not rules.failed_cards or rules.failed_to == "opponents", "they go to the opponents"),
        (
            "tars_kapout_wins",
            not rules.tars_kapout_wins or rules.sides == 2,
            "with more than two sides nobody wins by it",
        ),
        ("undealt_to", rules.undealt_to == "nobody" or rules.stock in ("out", "drawn"), "no card stays undealt"),
        (
            "undealt_to",
            rules.undealt_to == "nobody" or rules.sides == 2,
            "with more than two sides nobody wins the contract",
        ),
        ("discards", rules.discards == "out" or rules.stock == "namer", "nobody discards"),
        (
            "blot_compared",
            not rules.blot_compared or rules.announce == "automatic",
            "a blot is not announced by choice",
        ),
        ("bluff", not rules.bluff or rules.announce == "by_choice", "there is nothing to choose"),
        ("runs", list(rules.runs) == sorted(rules.runs), "a longer run is worth no less than a shorter one"),
        ("belot", not rules.belot or rules.hand_size >= len(rules.ranks), "no hand holds a whole suit"),
    ]
