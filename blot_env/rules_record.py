"""A rule set as the kernels read it: one record, in int64."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from blot_env.cards import AT, NT, pack_of

if TYPE_CHECKING:
    from blot_env.rules import RuleSet

AUCTIONS = ("numbered", "turned", "named", "eldest")
NUMBERED, TURNED, NAMED, ELDEST = range(4)
CAPOTS = ("none", "call", "from_25", "mark")
NO_CAPOT, CAPOT_CALL, CAPOT_FROM, CAPOT_MARK = range(4)
STOCKS = ("none", "out", "drawn", "namer")
NO_STOCK, STOCK_OUT, STOCK_DRAWN, STOCK_TO_NAMER = range(4)
MADE_BY = ("raw", "rounded", "more")
BY_RAW, BY_ROUNDED, BY_MORE = range(3)
"""How the record has the fields `auction`, `capot`, `stock` and `made_by`."""

RULES = np.dtype(
    (
        np.record,
        [
            ("target", "i8"),
            ("players", "i8"),
            ("sides", "i8"),
            ("side", "i8", (4,)),  # by seat
            ("pack", "i8"),  # a set
            ("pack_size", "i8"),
            ("cards", "i8", (32,)),  # of the pack, in ascending order
            ("hand_size", "i8"),
            ("visible", "i8"),
            ("dealt", "i8"),  # cards to a hand before the auction: visible and face down
            ("stock", "i8"),
            ("auction", "i8"),
            ("strains", "i8"),
            ("min_number", "i8"),
            ("max_number", "i8"),
            ("jump_bids", "i8"),
            ("reenter", "i8"),
            ("capot", "i8"),
            ("capot_min", "i8"),
            ("capot_needs_points", "i8"),
            ("capots", "i8"),  # the first capot bid
            ("actions", "i8"),
            ("last_word", "i8"),
            ("contra", "i8"),
            ("recontra", "i8"),
            ("recontra_by_partner", "i8"),
            ("forced_dealer", "i8"),
            ("redeal_same", "i8"),
            ("swap_seven", "i8"),
            ("hides_cards", "i8"),
            ("prepares", "i8"),  # whether anything happens between auction and play
            ("discards_to_namer", "i8"),
            ("undealt_to_winner", "i8"),
            ("beat_all", "i8"),
            ("always_trump", "i8"),
            ("undertrump", "i8"),
            ("last_trick", "i8"),
            ("all_tricks", "i8"),
            ("all_tricks_for_bidders", "i8"),
            ("all_tricks_counts", "i8"),
            ("all_tricks_set", "i8"),
            ("by_choice", "i8"),
            ("bluff", "i8"),
            ("late_claims", "i8"),
            ("by_points", "i8"),
            ("by_class", "i8"),
            ("four_tie_by_rank", "i8"),
            ("trump_run_is_better", "i8"),
            ("trick_needed", "i8"),
            ("blot", "i8"),
            ("blot_at", "i8"),
            ("blot_compared", "i8"),
            ("belot", "i8"),
            ("made_by", "i8"),
            ("adds_bid", "i8"),
            ("contra_takes_all", "i8"),
            ("failed_to_opponents", "i8"),
            ("failed_cards", "i8", (2,)),  # match points for the cards, and for all tricks; 0: the whole deal counts
            ("holder_keeps_blot", "i8"),
            ("unit", "i8"),  # raw points to a match point
            ("round_up_at", "i8"),  # the remainder from which points are rounded up
            ("tars_kapout", "i8"),
            ("tars_kapout_wins", "i8"),
            ("capot_contra_wins", "i8"),
            ("leader_cannot_win_by_failing", "i8"),
            ("multiplier", "i8", (6, 3)),  # by strain and contra level
            ("points", "i8", (6, 32)),  # by strain and card
            ("runs", "i8", (9,)),  # by length
            ("fours", "i8", (6, 8)),  # by strain and rank
            ("four_counts", "i8", (6,)),  # by strain: the ranks (a byte) of which a four is a combination
        ],
    )
)
"""What the kernels read of a rule set: one value a field, in int64."""


def records_of(rules: "RuleSet") -> NDArray[np.void]:
    """Return the record of a rule set as an array, shape (1,), dtype `RULES`."""
    records = np.zeros(1, RULES)
    r = records[0]
    for field in set(RULES.names or ()) & set(type(rules).model_fields):
        if isinstance(value := getattr(rules, field), int):  # true and false too
            r[field] = value
    r.tars_kapout_wins = rules.tars_kapout and rules.tars_kapout_wins
    r.failed_cards[: len(rules.failed_cards)] = rules.failed_cards
    r.auction, r.capot = AUCTIONS.index(rules.auction), CAPOTS.index(rules.capot)
    r.stock, r.made_by = STOCKS.index(rules.stock), MADE_BY.index(rules.made_by)
    r.sides, r.strains, r.dealt = rules.sides, len(rules.strains), rules.dealt
    r.side[: rules.players] = [rules.side(seat) for seat in range(rules.players)]
    r.pack = pack_of(rules.ranks)
    r.pack_size = 4 * len(rules.ranks)
    r.cards[: r.pack_size] = [card for card in range(32) if r.pack >> card & 1]
    r.capots, r.actions = rules.actions.capots, rules.actions.size
    r.recontra_by_partner = rules.recontra_by == "side" and rules.teams
    r.hides_cards = rules.hides_cards
    r.prepares = rules.hides_cards or rules.belot
    r.redeal_same, r.discards_to_namer = rules.redeal == "same", rules.discards == "namer"
    r.undealt_to_winner = rules.undealt_to == "winner"
    r.beat_all = rules.must_beat == "all"
    r.always_trump, r.undertrump = rules.must_trump == "always", rules.cannot_overtrump == "undertrump"
    r.all_tricks_for_bidders = rules.all_tricks_for == "bidders"
    r.by_choice = rules.announce == "by_choice"
    r.by_points, r.by_class = rules.combination_order == "points", rules.run_order == "class"
    r.four_tie_by_rank = rules.four_tie == "rank"
    r.failed_to_opponents = rules.failed_to == "opponents"
    r.holder_keeps_blot = rules.failed_blot == "holder"
    r.unit = 1 if rules.rounding == "none" else 10
    r.round_up_at = {"half_down": 6, "half_up": 5, "none": 1}[rules.rounding]
    r.runs[3], r.runs[4], r.runs[5:] = rules.runs
    for strain in range(6):
        r.multiplier[strain] = rules.multiplier_nt if strain == NT else rules.multiplier
        r.fours[strain] = rules.fours_nt if strain == NT else rules.fours
        counting = [rank for rank in range(8) if r.fours[strain, rank] or rules.worthless_fours]
        r.four_counts[strain] = sum(1 << rank for rank in counting)
        trump = rules.points_at if strain == AT else rules.points_trump
        plain = rules.points_nt if strain == NT else rules.points_plain
        for suit in range(4):
            r.points[strain, 8 * suit : 8 * suit + 8] = trump if strain in (AT, suit) else plain
    return records
