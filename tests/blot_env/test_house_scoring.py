"""House rules of scoring and of the end of the match."""

import pytest

from tests.blot_env.test_house_auction import CARDS, SEVEN_TRICKS
from tests.blot_env.test_scoring import BLOT, BLOT_TRICKS, HEARTS_79, HEARTS_80, HEARTS_85, SPLIT, cards
from tests.house import covers
from tests.tables import WHOLE_SUITS, finish, finish_with_trumps, play, table

HEARTS = "8H pass pass pass pass"


def scored(*hands: str, calls: str, tricks: str = "", **fields) -> list:
    """Whether the contract is made, and the points; without tricks each seat plays its first legal card."""
    result = finish(play(table(*hands, **fields), f"{calls} {tricks}")).result
    return [result["made"], result["points"]]


# Clubs trump, seat 0 holds them all: cards 162, runs 200, blot 20, all tricks 90: 472, r(472) = 47.


@covers("all_tricks_counts", "all_tricks", "all_tricks_set", "adds_bid", "failed_blot", "multiplier", "multiplier_nt")
@pytest.mark.parametrize(
    ("fields", "calls", "made", "points"),
    [
        ({}, "39C pass pass pass pass", False, [0, 86]),
        ({"all_tricks_counts": True}, "39C pass pass pass pass", True, [86, 0]),  # 47 + 39
        ({"all_tricks": 0}, "38C pass pass pass pass", True, [76, 0]),  # 382 is 38: 38 + 38
        ({"all_tricks_set": 250}, "39C pass pass pass pass", True, [95, 0]),  # 250 + 200 + 20 + 90: 56 + 39
        ({"last_trick": 0}, "38C pass pass pass pass", False, [0, 84]),  # 372 + 90 = 462: 46 + 38
        ({"adds_bid": False}, "38C pass pass pass pass", True, [47, 0]),
        ({"failed_blot": "holder"}, "39C pass pass pass pass", False, [2, 84]),  # 20 is 2; 452 is 45: 45 + 39
        ({"blot": 0}, "38C pass pass pass pass", False, [0, 83]),  # 362 + 90 = 452: 45 + 38
        ({"multiplier": [3, 5, 7]}, "10C pass pass pass pass", True, [77, 0]),  # 47 + 3 * 10
        ({"multiplier": [3, 5, 7]}, "10C contra recontra", True, [117, 0]),  # 47 + 7 * 10
        ({"multiplier_nt": [1, 1, 1]}, "10NT pass pass pass pass", True, [55, 0]),  # 452 is 45: 45 + 10
        ({"runs": [20, 50, 80]}, "38C pass pass pass pass", False, [0, 81]),  # 162 + 160 + 20 + 90 = 432: 43 + 38
        # Seat 1 bids, and seat 0 takes all at no trump: 162 + 200 + 90 = 452.
        ({"all_tricks_for": "bidders"}, "pass 8NT pass pass pass pass", False, [52, 0]),  # 362 is 36: 36 + 2 * 8
        ({"failed_cards": [16, 30]}, "pass 8NT pass pass pass pass", False, [66, 0]),  # 30 + r(200) + 2 * 8
        ({"failed_cards": [16, 30]}, "39C pass pass pass pass", False, [0, 55]),  # 16 + 39
    ],
)
@covers("all_tricks_for", "failed_cards")
def test_points_of_all_tricks(fields, calls, made, points):
    assert scored(*WHOLE_SUITS, calls=calls, target=301, **fields) == [made, points]


@covers("all_tricks", "all_tricks_set", "all_tricks_counts", "adds_bid", "contra_takes_all", "failed_blot")
@pytest.mark.parametrize(
    ("preset", "fields", "calls", "made", "points"),
    [
        # hayblot: 250 + 200 + 20 = 470.
        ("hayblot", {}, "24C pass pass pass", True, [47, 0]),
        ("hayblot", {"all_tricks_set": 0}, "24C pass pass pass", True, [38, 0]),  # 382
        ("hayblot", {"all_tricks": 90}, "24C pass pass pass", True, [56, 0]),  # 560
        ("hayblot", {"adds_bid": True}, "24C pass pass pass", True, [71, 0]),  # 47 + 24
        ("hayblot", {"adds_bid": True}, "24C contra", True, [95, 0]),  # 47 + 2 * 24
        ("hayblot", {}, "48C pass pass pass", False, [2, 45]),  # r(20); r(450)
        ("hayblot", {"failed_blot": "opponents"}, "48C pass pass pass", False, [0, 47]),
        # bela4: 162 + 200 + 20 + 90.
        ("bela4", {"all_tricks": 100}, "nameC", True, [482, 0]),
        ("bela4", {"rounding": "half_down"}, "nameC", True, [47, 0]),
    ],
)
@covers("rounding")
def test_points_of_all_tricks_elsewhere(preset, fields, calls, made, points):
    belot = {"belot": False} if preset == "bela4" else {}
    assert scored(*WHOLE_SUITS, calls=calls, preset=preset, **belot, **fields) == [made, points]


@covers("all_tricks_counts")
def test_all_tricks_that_do_not_help():
    # Seat 0 names and takes all: 162 + 20 + 90 = 272 against the 200 of eldest's side, or 182 without the 90.
    bela = {"preset": "bela4", "dealer": 0, "belot": False, "trick_needed": False, "calls": "pass pass pass nameC"}
    assert scored(*WHOLE_SUITS, **bela) == [True, [272, 200]]
    assert scored(*WHOLE_SUITS, **bela, all_tricks_counts=False) == [False, [0, 472]]


@covers("rounding", "contra_takes_all", "adds_bid")
@pytest.mark.parametrize(
    ("preset", "fields", "calls", "points"),
    [  # raw 85 and 77
        ("bazar", {}, HEARTS, [16, 8]),  # 8 + 8
        ("bazar", {"rounding": "half_up"}, HEARTS, [17, 8]),  # 85 is 9
        ("bazar", {"rounding": "none"}, HEARTS, [93, 77]),  # 85 + 8
        ("bazar", {"contra_takes_all": False}, "8H contra pass pass", [24, 8]),  # 8 + 2 * 8
        ("bazar", {"last_trick": 14}, "8H contra pass pass", [33, 0]),  # 166 is 17: 17 + 2 * 8
        ("hayblot", {}, "8H contra", [16, 16]),  # 2 * 8
        ("hayblot", {"contra_takes_all": True}, "8H contra", [32, 0]),  # 2 * r(162)
        ("blotstar", {}, "8H contra pass", [24, 8]),
        ("blotstar", {"contra_takes_all": True}, "8H contra pass", [32, 0]),  # 16 + 2 * 8
    ],
)
def test_points_of_85_and_77(preset, fields, calls, points):
    assert scored(*SPLIT, calls=calls, tricks=cards(HEARTS_85), preset=preset, **fields) == [True, points]


@covers("made_by")
@pytest.mark.parametrize(
    ("preset", "fields", "calls", "made", "points"),
    [  # 79 and 83: r(79) is 8
        ("bazar", {}, HEARTS, False, [0, 24]),  # 16 + 8
        ("bazar", {"made_by": "rounded"}, HEARTS, True, [16, 8]),  # 8 + 8
        ("bazar-alltrump", {}, "8H pass pass pass", True, [8, 8]),
        ("bazar-alltrump", {"made_by": "raw"}, "8H pass pass pass", False, [0, 16]),
        ("bazar", {"failed_cards": [20, 25]}, HEARTS, False, [0, 28]),  # 20 + 8
        ("blotstar", {}, "8H pass pass pass", False, [0, 24]),  # 16 + 8
        ("blotstar", {"failed_cards": []}, "8H contra pass", False, [0, 32]),  # 16 + 2 * 8
    ],
)
@covers("failed_cards")
def test_points_of_79_and_83(preset, fields, calls, made, points):
    assert scored(*SPLIT, calls=calls, tricks=cards(HEARTS_79), preset=preset, **fields) == [made, points]


@covers("made_by")
def test_more_than_the_others_or_as_many():
    # Where only a suit is named, more is needed. HEARTS_80 is 80 against 72 and the last trick.
    bela = {"calls": "nameH", "tricks": cards(HEARTS_80), "preset": "bela4", **FREE}
    assert scored(*SPLIT, **bela, last_trick=7) == [True, [80, 79]]
    assert scored(*SPLIT, **bela, last_trick=8) == [False, [0, 160]]


FREE = {"must_trump": "unless_partner_wins", "cannot_overtrump": "free", "belot": False}  # as in bazar


@covers("failed_blot")
@pytest.mark.parametrize(
    ("preset", "failed_blot", "points"),
    [  # raw 64 (with the blot 20) and 118; 8 hearts by side 0 fails
        ("bazar", "opponents", [0, 26]),  # 18 + 8
        ("bazar", "holder", [2, 24]),  # r(162) + 8
        ("bazar-classic", "holder", [2, 24]),
        ("bazar-classic", "opponents", [0, 26]),
        ("blotstar", "opponents", [0, 24]),  # 16 + 8
        ("blotstar", "holder", [2, 24]),
    ],
)
def test_who_writes_the_blot_of_a_failed_contract(preset, failed_blot, points):
    calls = HEARTS if preset == "bazar" else "8H pass pass pass"
    assert scored(*BLOT, calls=calls, tricks=cards(BLOT_TRICKS), preset=preset, failed_blot=failed_blot) == [
        False,
        points,
    ]


# Bela: seat 0 takes 141 with seven clubs, its run and its partner's 200, blot 20; seat 1 takes 21.


@covers("failed_to", "rounding")
@pytest.mark.parametrize(
    ("fields", "calls", "made", "points"),
    [
        ({}, "nameC", True, [361, 21]),
        ({"rounding": "half_down"}, "nameC", True, [36, 2]),
        ({}, "pass nameC", False, [382, 0]),
        ({"failed_to": "nobody"}, "pass nameC", False, [361, 0]),
        ({"failed_cards": [100, 150]}, "pass nameC", False, [320, 0]),  # and 200 + 20
    ],
)
@covers("failed_cards")
def test_points_of_bela(fields, calls, made, points):
    assert scored(*SEVEN_TRICKS, calls=calls, tricks=CARDS, preset="bela4", belot=False, **fields) == [made, points]


@covers("undealt_to")
@pytest.mark.parametrize(("undealt_to", "points"), [("winner", [25, 4]), ("nobody", [22, 4])])
def test_cards_of_the_duel_that_nobody_drew(undealt_to, points):
    # Seat 0 names hearts, of which it holds J 9 A T K, and draws the nine of spades, which lies open, QH and KS; seat 1
    # draws TC TD TS. Undealt: K Q J of clubs and diamonds, 9 each, and Q J of spades, 5: 23.
    stock = "9S QH KS TC TD TS KC QC JC KD QD JD QS JS"
    hands = ("JH 9H AH TH KH", "AC AD AS 9C 9D")
    tricks = """
    JH 9C  seat 0
    9H 9D  seat 0
    AH TC  seat 0
    TH TD  seat 0
    KH TS  seat 0
    QH AC  seat 0, with 62 for the trumps and three tens and an ace: 103
    KS AS  seat 1
    AD 9S  seat 1: 4 + 11 + 11 + 10 = 36
    """
    fields = {"preset": "duel", "stock_cards": stock, "undealt_to": undealt_to}
    played = " ".join(word for line in tricks.splitlines() for word in line.split()[:2])
    result = play(table(*hands, **fields), f"pass pass nameH {played}").result
    # A run of six 100, the blot 20: 223, with the undealt cards 246.
    assert (result["card_points"], result["raw"]) == ([103, 36], [223, 36])
    assert (result["made"], result["points"]) == (True, points)


@covers("undealt_to")
@pytest.mark.parametrize(("undealt_to", "points"), [("nobody", [427, 0]), ("winner", [472, 0])])
def test_cards_of_bela_for_two_that_are_out_of_play(undealt_to, points):
    # Seat 0 takes all: trumps 62, aces 33, TC 10, JC 2, the last trick 10: 117; run of six 100, four aces
    # 100, blot 20, all tricks 90.
    # Out of play are 7 8 of hearts, K Q of clubs, 7, and T J Q K of diamonds and spades, 19 each: 45.
    hands = ("JH 9H AH TH KH QH AC AD AS TC", "7C 8C 9C 7D 8D 9D 7S 8S 9S JC")
    game = table(*hands, preset="bela2", stock_cards="8H", undealt_to=undealt_to)
    result = finish_with_trumps(play(game, "nameH")).result
    assert (result["tricks"], result["raw"], result["points"]) == ([10, 0], [427, 0], points)


# The end of the match


@covers("tars_kapout", "tars_kapout_wins")
def test_bidders_without_a_trick():
    calls = "pass 8NT pass pass pass pass"  # seat 0 takes all: 45 + 2 * 8
    for fields, winner in (({}, 0), ({"tars_kapout": False}, None), ({"tars_kapout_wins": False}, None)):
        game = finish(play(table(*WHOLE_SUITS, **fields), calls))
        assert (game.result["made"], game.result["points"], game.winner) == (False, [61, 0], winner)


@covers("tars_kapout")
@pytest.mark.parametrize(
    ("tars_kapout", "made", "points"),
    [(True, False, [67, 0]), (False, True, [25, 42])],  # r(512) + 16; r(252) and r(260) + 16
)
def test_combinations_that_save_bidders_without_a_trick(tars_kapout, made, points):
    hands = (
        "AC TC KC QC AD TD KD QD",
        "JC JD JH JS 7C 8C 9C 7D",
        "AH TH KH QH AS TS KS QS",
        "8D 9D 7H 8H 9H 7S 8S 9S",
    )
    game = play(table(*hands, tars_kapout=tars_kapout), "pass 8NT pass pass pass pass")
    while game.phase != "over":
        game.play(min(game.legal_actions(), key=lambda card: "ATKQJ987".index(card[0])))
    assert (game.result["raw"], game.result["made"], game.result["points"]) == ([252, 260], made, points)


@covers("capot_contra_wins")
def test_a_contra_d_capot_that_wins_nothing_more():
    for wins, winner in ((True, 0), (False, None)):
        game = finish(play(table(*WHOLE_SUITS, capot_contra_wins=wins), "capotC contra pass pass"))
        assert (game.result["points"], game.winner) == ([97, 0], winner)


@covers("leader_cannot_win_by_failing")
@pytest.mark.parametrize(
    ("preset", "cannot", "winner"),
    [
        ("bazar", False, 0),
        ("bazar", True, None),
        ("bazar-classic", True, None),
        ("bazar-classic", False, 0),
    ],
)
def test_a_leader_who_fails(preset, cannot, winner):
    calls = HEARTS if preset == "bazar" else "8H pass pass pass"
    fields = {"preset": preset, "leader_cannot_win_by_failing": cannot, "target": 151}
    for scores in ((200, 10), (200, 170)):  # 200 : 34, 200 : 194
        assert play(table(*SPLIT, scores=scores, **fields), f"{calls} {cards(HEARTS_79)}").winner == winner
    ahead = play(table(*SPLIT, scores=(170, 160), **fields), f"{calls} {cards(HEARTS_79)}")  # 170 : 184
    assert ahead.winner == 1
