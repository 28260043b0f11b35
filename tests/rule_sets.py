"""Random rule sets, possible or not, and what must hold of any deal that is played by one that is."""

import random
from collections.abc import Iterable
from typing import Any

from blot_env import RULESETS, Game, RuleSet
from blot_env.cards import AT, NT, STRAINS
from blot_env.state import HISTORY
from tests.reference.cards import DECK, RANKS

Fields = dict[str, Any]

SUITS = ["C", "D", "H", "S"]
POINTS = [0, 1, 2, 3, 4, 10, 11, 20]
FLAG = [True, False]

VALUES: dict[str, list[Any]] = {
    "target": [1, 50, 100_000],
    "targets": [[1], [77, 99]],
    "players": [2, 3, 4],
    "teams": FLAG,
    "ranks": ["9TJQKA", "89TJQKA", "789TJQKA"],
    "hand_size": [1, 2, 5, 6, 7, 8, 9, 10],
    "visible": [1, 2, 5, 6, 7, 8, 9, 10],
    "face_down": [0, 1, 2, 3, 4],
    "stock": ["none", "out", "drawn", "namer"],
    "auction": ["numbered", "turned", "named", "eldest"],
    "strains": [SUITS, [*SUITS, "NT"], [*SUITS, "NT", "AT"]],
    "min_number": [1, 8, 20, 80],
    "max_number": [1, 8, 24, 80],
    "jump_bids": FLAG,
    "reenter": FLAG,
    "last_word": FLAG,
    "contra": FLAG,
    "recontra": FLAG,
    "recontra_by": ["side", "bidder"],
    "capot": ["none", "call", "from_25", "mark"],
    "capot_min": [1, 8, 25, 80],
    "capot_needs_points": FLAG,
    "forced_dealer": FLAG,
    "redeal": ["same", "next"],
    "swap_seven": FLAG,
    "discards": ["out", "namer"],
    "must_beat": ["trump", "all"],
    "must_trump": ["unless_partner_wins", "always"],
    "cannot_overtrump": ["free", "undertrump"],
    "points_trump": [POINTS, POINTS[::-1], [0] * 8],
    "points_plain": [POINTS, POINTS[::-1], [0] * 8],
    "points_nt": [POINTS, POINTS[::-1], [0] * 8],
    "points_at": [POINTS, POINTS[::-1], [1000] * 8],
    "last_trick": [0, 10, 1000],
    "runs": [[20, 50, 100], [0, 0, 0], [0, 1, 1000], [1000, 1, 0]],
    "fours": [[0] * 8, [1000] * 8, [10, 20, 30, 40, 50, 60, 70, 80]],
    "fours_nt": [[0] * 8, [1000] * 8, [10, 20, 30, 40, 50, 60, 70, 80]],
    "worthless_fours": FLAG,
    "combination_order": ["kind", "points"],
    "run_order": ["length", "class"],
    "four_tie": ["eldest", "rank"],
    "trump_run_is_better": FLAG,
    "trick_needed": FLAG,
    "announce": ["automatic", "by_choice"],
    "bluff": FLAG,
    "late_claims": FLAG,
    "blot": [0, 20, 1000],
    "blot_at": FLAG,
    "blot_compared": FLAG,
    "belot": FLAG,
    "made_by": ["raw", "rounded", "more"],
    "all_tricks": [0, 90, 1000],
    "all_tricks_for": ["either", "bidders"],
    "all_tricks_counts": FLAG,
    "all_tricks_set": [0, 250, 1000],
    "multiplier": [[1, 2, 4], [100, 100, 100]],
    "multiplier_nt": [[1, 2, 4], [100, 100, 100]],
    "adds_bid": FLAG,
    "contra_takes_all": FLAG,
    "failed_to": ["opponents", "nobody"],
    "failed_cards": [[], [16, 25], [1, 0]],
    "failed_blot": ["holder", "opponents"],
    "undealt_to": ["nobody", "winner"],
    "rounding": ["half_down", "half_up", "none"],
    "tars_kapout": FLAG,
    "tars_kapout_wins": FLAG,
    "capot_contra_wins": FLAG,
    "leader_cannot_win_by_failing": FLAG,
}
"""Values that a field may have, ordinary ones and extremes."""

TABLES: list[Fields] = [
    {},
    {"players": 2, "teams": False, "hand_size": 8, "visible": 8, "face_down": 0, "stock": "out"},
    {"players": 2, "teams": False, "hand_size": 10, "visible": 6, "face_down": 0, "stock": "drawn"},
    {"players": 4, "teams": True, "hand_size": 7, "visible": 4, "face_down": 3, "stock": "namer"},
    {"players": 4, "teams": True, "hand_size": 6, "visible": 6, "face_down": 0, "stock": "none", "ranks": "9TJQKA"},
    {"players": 4, "teams": False, "hand_size": 5, "visible": 3, "face_down": 0, "stock": "drawn"},
    {"players": 3, "teams": False, "hand_size": 9, "visible": 9, "face_down": 0, "stock": "namer"},
    {"players": 3, "teams": False, "hand_size": 8, "visible": 8, "face_down": 0, "stock": "none", "ranks": "9TJQKA"},
    {"players": 2, "teams": False, "hand_size": 1, "visible": 1, "face_down": 0, "stock": "out"},
]
"""Tables that other fields are changed at."""


def random_fields(rng: random.Random) -> tuple[str, Fields]:
    """A preset and some fields, which may contradict each other."""
    changed = rng.sample(list(VALUES), rng.randrange(7))
    return rng.choice(RULESETS), rng.choice(TABLES) | {field: rng.choice(VALUES[field]) for field in changed}


def play_out(rules: RuleSet, rng: random.Random, deals: int = 2) -> Game:
    """Play some deals of a match, half of the calls passes, and check what must hold of each when it is over."""
    game = Game(rules, seed=rng.randrange(1 << 30))
    for deal in range(deals):
        if deal:
            game.next_deal()
        while game.phase != "over":
            legal = game.legal_actions()
            assert legal, game.record()
            passes = game.phase == "auction" and "pass" in legal and rng.random() < 0.5
            game.play("pass" if passes else rng.choice(legal))
            game.observe()
        check_result(game)
        if game.winner is not None:
            break
    return game


def check_result(game: Game) -> None:
    """AssertionError if a deal that is over does not add up."""
    rules, result, state = game.rules, game.result, game.state
    assert result
    assert 0 < state.public.length <= HISTORY
    assert len(result["points"]) == rules.sides
    if result["made"] is None:
        assert result["contract"] is None or result["match_winner"] is not None
        assert not any(map(any, (result["tricks"], result["card_points"], result["raw"], result["points"])))
        return
    assert sum(result["tricks"]) == rules.hand_size
    namer = result["bidder"] % rules.sides
    for side in range(rules.sides):
        all_tricks = result["tricks"][side] == rules.hand_size
        bonus = rules.all_tricks if all_tricks and (side == namer or rules.all_tricks_for == "either") else 0
        parts = sum(result[name][side] for name in ("card_points", "combinations", "blot"))
        assert result["raw"][side] == parts + bonus
    if rules.hand_size not in result["tricks"] or not rules.all_tricks_set:
        played = [int(cards) for cards in state.public.played]
        assert sum(result["card_points"]) == _points(rules, int(state.public.strain), played) + rules.last_trick


def _points(rules: RuleSet, strain: int, piles: Iterable[int]) -> int:
    """The points of all cards in some sets."""
    total = 0
    for place, card in enumerate(DECK):
        trump = rules.points_at if strain == AT else rules.points_trump
        plain = rules.points_nt if strain == NT else rules.points_plain
        column = trump if STRAINS[strain] in ("AT", card[1]) else plain
        total += column[RANKS.index(card[0])] * sum(pile >> place & 1 for pile in piles)
    return total
