"""Match points of a deal, worked by hand (rules, section 5)."""

import pytest

from blot_env import load_rules
from blot_env.scoring import rounded
from tests.tables import WHOLE_SUITS, finish, play, table

# Nobody holds a combination or, in any strain, king and queen of hearts.
SPLIT = (
    "JH 8H TH AC 7C 8D TS 7S",
    "KH 9H TC 9C AD KD 9S JS",
    "AH 7H KC QC TD 7D AS QS",
    "QH JC 8C 9D JD QD KS 8S",
)

# Hearts are trump; the side {0, 2} gets so many points, the other the rest of 162.
#   card points, seat that takes the trick
HEARTS_79 = """
    7C TC QC 8C   0+10+3+0 = 13    seat 1
    9C KC JC AC   0+4+2+11 = 17    seat 0
    TH 9H AH QH   10+14+11+3 = 38  seat 1
    KH 7H QD JH   4+0+3+20 = 27    seat 0
    TS 9S AS 8S   10+0+11+0 = 21   seat 2
    TD JD 8D AD   10+2+0+11 = 23   seat 1
    JS QS KS 7S   2+3+4+0 = 9      seat 3
    9D 8H KD 7D   0+0+4+0 = 4      seat 0, and 10: 17 + 27 + 21 + 4 + 10 = 79
"""
HEARTS_80 = """
    8H 9H AH QH   0+14+11+3 = 28   seat 1
    KH 7H QD TH   4+0+3+10 = 17    seat 0
    JH JS KC 8C   20+2+4+0 = 26    seat 0
    TS 9S AS 8S   10+0+11+0 = 21   seat 2
    TD JD 8D AD   10+2+0+11 = 23   seat 1
    9C QC JC AC   0+3+2+11 = 16    seat 0
    7C TC 7D KS   0+10+0+4 = 14    seat 1
    KD QS 9D 7S   4+3+0+0 = 7      seat 1, and 10: side {0, 2} has 17 + 26 + 21 + 16 = 80
"""
HEARTS_85 = """
    7S 9S AS KS   0+0+11+4 = 15    seat 2
    QS 8S TS JS   3+0+10+2 = 15    seat 0
    TH 9H AH QH   10+14+11+3 = 38  seat 1
    KH 7H QD JH   4+0+3+20 = 27    seat 0
    7C TC KC JC   0+10+4+2 = 16    seat 1
    AD TD JD 8D   11+10+2+0 = 23   seat 1
    9C QC 8C AC   0+3+0+11 = 14    seat 0
    8H KD 7D 9D   0+4+0+0 = 4      seat 0, and 10: 15 + 15 + 27 + 14 + 4 + 10 = 85
"""
HEARTS_86 = """
    7S JS AS KS   0+2+11+4 = 17    seat 2
    KC 8C 7C TC   4+0+0+10 = 14    seat 1
    9S QS 8S TS   0+3+0+10 = 13    seat 0
    TH 9H AH QH   10+14+11+3 = 38  seat 1
    AD TD QD 8D   11+10+3+0 = 24   seat 1
    KH 7H JD JH   4+0+2+20 = 26    seat 0
    8H 9C 7D JC   0+0+0+2 = 2      seat 0
    AC KD QC 9D   11+4+3+0 = 18    seat 0, and 10: 17 + 13 + 26 + 2 + 18 + 10 = 86
"""
NO_TRUMP_79 = """
    8H KH 7H QH   0+4+0+3 = 7      seat 1
    JS AS 8S TS   2+19+0+10 = 31   seat 2
    KC 8C 7C TC   4+0+0+10 = 14    seat 1
    AD 7D QD 8D   19+0+3+0 = 22    seat 1
    KD TD 9D AC   4+10+0+19 = 33   seat 2
    QC JC TH 9C   3+2+10+0 = 15    seat 2
    QS KS 7S 9S   3+4+0+0 = 7      seat 3
    JD JH 9H AH   2+2+0+19 = 23    seat 3, and 10: side {0, 2} has 31 + 33 + 15 = 79
"""
NO_TRUMP_85 = """
    8D AD TD JD   0+19+10+2 = 31   seat 1
    TC QC JC 7C   10+3+2+0 = 15    seat 1
    9H 7H QH JH   0+0+3+2 = 5      seat 3
    QD AC KD 7D   3+19+4+0 = 26    seat 1
    9C KC 8C 8H   0+4+0+0 = 4      seat 2
    AS KS TS 9S   19+4+10+0 = 33   seat 2
    QS 8S 7S JS   3+0+0+2 = 5      seat 2
    AH 9D TH KH   19+0+10+4 = 33   seat 2, and 10: 4 + 33 + 5 + 33 + 10 = 85
"""


def cards(tricks: str) -> str:
    """The first four words of each line."""
    return " ".join(word for line in tricks.splitlines() for word in line.split()[:4])


def scored(calls: str, tricks: str, scores=(0, 0), target=301) -> dict:
    """The result of the split deal, seat 0 being eldest."""
    game = play(table(*SPLIT, scores=scores, target=target), f"{calls} {cards(tricks)}")
    assert game.phase == "over"
    return game.result


# The whole deal is 162: r(162) = 16.


@pytest.mark.parametrize(
    ("calls", "tricks", "raw", "made", "points"),
    [
        # Made: r(rawA) + M * 8 against r(rawB); hearts M = 1, 2, 4; NT 2, 3, 5.
        ("8H pass pass pass pass", HEARTS_80, [80, 82], True, [16, 8]),  # 8 + 8; 82 is 8; made exactly
        ("8H pass pass pass pass", HEARTS_85, [85, 77], True, [16, 8]),  # 85 is 8: 8 + 8; 77 is 8
        ("8H pass pass pass pass", HEARTS_86, [86, 76], True, [17, 8]),  # 86 is 9: 9 + 8; 76 is 8, together 17, not 16
        ("8NT pass pass pass pass", NO_TRUMP_85, [85, 77], True, [24, 8]),  # 8 + 2 * 8
        # Made under contra and recontra: r(whole) + M * 8 against nothing.
        ("8H contra pass pass", HEARTS_80, [80, 82], True, [32, 0]),  # 16 + 2 * 8
        ("8H contra recontra", HEARTS_80, [80, 82], True, [48, 0]),  # 16 + 4 * 8
        ("8NT contra pass pass", NO_TRUMP_85, [85, 77], True, [40, 0]),  # 16 + 3 * 8
        ("8NT contra pass recontra", NO_TRUMP_85, [85, 77], True, [56, 0]),  # 16 + 5 * 8
        # Failed: nothing against r(whole) + M * 8.
        ("8H pass pass pass pass", HEARTS_79, [79, 83], False, [0, 24]),  # 16 + 8; failed by one
        ("9H pass pass pass pass", HEARTS_86, [86, 76], False, [0, 25]),  # 16 + 9; 86 rounds to 9 but is not 90
        ("8H contra pass pass", HEARTS_79, [79, 83], False, [0, 32]),
        ("8H contra recontra", HEARTS_79, [79, 83], False, [0, 48]),
        ("8NT pass pass pass pass", NO_TRUMP_79, [79, 83], False, [0, 32]),  # 16 + 2 * 8
        ("8NT contra pass pass", NO_TRUMP_79, [79, 83], False, [0, 40]),
        ("8NT contra recontra", NO_TRUMP_79, [79, 83], False, [0, 56]),
        # The other side bids.
        ("pass 8H pass pass pass pass", HEARTS_80, [80, 82], True, [8, 16]),
        ("pass 8H pass pass contra pass pass", HEARTS_80, [80, 82], True, [0, 32]),
        ("pass 8H pass pass contra pass recontra", HEARTS_85, [85, 77], False, [48, 0]),
        # The partner of eldest bids.
        ("pass pass 8H pass pass pass pass", HEARTS_80, [80, 82], True, [16, 8]),
        # A capot without all tricks: 16 + 25, and doubled; 16 + 2 * 25 at NT.
        ("capotH pass pass pass", HEARTS_86, [86, 76], False, [0, 41]),
        ("capotH contra pass pass", HEARTS_86, [86, 76], False, [0, 66]),
        ("capotH contra recontra", HEARTS_86, [86, 76], False, [0, 116]),
        ("capotNT pass pass pass", NO_TRUMP_85, [85, 77], False, [0, 66]),
    ],
)
def test_points(calls, tricks, raw, made, points):
    result = scored(calls, tricks)
    assert result["raw"] == result["card_points"] == raw
    assert (result["made"], result["points"]) == (made, points)
    assert result["match_winner"] is None


# Each seat holds one suit. With clubs trump seat 0 takes all tricks: 152 and 10; its run of eight, in trump, is best:
# 100, and 100 for the partner's; blot 20; all tricks 90. Raw 162 + 200 + 20 + 90 = 472; r(472) = 47.
# At NT seat 0, being eldest, takes all: 162 + 200 (equal runs go to eldest) + 90 = 452; r(452) = 45.


@pytest.mark.parametrize(
    ("calls", "made", "points"),
    [
        ("38C pass pass pass pass", True, [85, 0]),  # without the 90 there are 382: 47 + 38
        ("39C pass pass pass pass", False, [0, 86]),  # 382 is less than 390, the 90 counts nothing to that: 47 + 39
        ("39C contra pass pass", False, [0, 125]),  # 47 + 2 * 39
        ("36NT pass pass pass pass", True, [117, 0]),  # 362: 45 + 2 * 36
        ("37NT pass pass pass pass", False, [0, 119]),  # 45 + 2 * 37
        ("capotC pass pass pass", True, [72, 0]),  # 47 + 25
        ("capotNT pass pass pass", True, [95, 0]),  # 45 + 2 * 25
        ("80C pass pass pass capotC pass pass pass", True, [128, 0]),  # 47 + 81
        ("40S pass capotC pass pass pass", True, [88, 0]),  # 47 + 41, over the partner's 40
    ],
)
def test_points_of_all_tricks(calls, made, points):
    result = finish(play(table(*WHOLE_SUITS, target=301), calls)).result
    assert result["tricks"] == [8, 0]
    assert (result["made"], result["points"], result["match_winner"]) == (made, points, None)


@pytest.mark.parametrize(
    ("calls", "points"),
    [
        ("capotC contra pass pass", [97, 0]),  # 47 + 2 * 25
        ("capotC contra recontra", [147, 0]),  # 47 + 4 * 25
        ("capotNT contra pass pass", [120, 0]),  # 45 + 3 * 25
        ("capotNT contra pass recontra", [170, 0]),  # 45 + 5 * 25
    ],
)
def test_a_contra_d_capot_that_is_made_wins_the_match(calls, points):
    result = finish(play(table(*WHOLE_SUITS, scores=(0, 290), target=301), calls)).result
    assert (result["points"], result["match_winner"]) == (points, 0)


SEVEN_TRICKS = ("8C 9C TC JC QC KC AC 7D", "7C 8D 9D TD JD QD KD AD", *WHOLE_SUITS[2:])


@pytest.mark.parametrize(
    ("calls", "made", "points"),
    [
        ("36C pass pass pass pass", True, [72, 2]),  # r(361) + 36; r(21)
        ("37C pass pass pass pass", False, [0, 75]),  # r(382) = 38, + 37
        ("capotC pass pass pass", False, [0, 63]),  # seven tricks are no capot: 38 + 25
    ],
)
def test_seven_tricks(calls, made, points):
    # Clubs trump: seat 0 takes seven tricks, then seat 1 its ace of diamonds with the last: 11 + 10 = 21, which leaves
    # 141. The runs of eight of seats 2 and 3 are longest, seat 2 comes first: 100, and 100 for the run of seven of
    # its partner; blot 20. Raw 141 + 200 + 20 = 361 and 21; whole 382.
    tricks = "8C 7C AH AS  9C 8D KH KS  TC 9D QH QS  JC TD JH JS  QC JD TH TS  KC QD 9H 9S  AC KD 8H 8S  7D AD 7H 7S"
    result = play(table(*SEVEN_TRICKS, target=301), f"{calls} {tricks}").result
    assert (result["tricks"], result["card_points"], result["raw"]) == ([7, 1], [141, 21], [361, 21])
    assert (result["made"], result["points"], result["match_winner"]) == (made, points, None)


# Blot


BLOT = (  # nothing but king and queen of hearts at seat 0
    "KH QH 8H AC 7C 8D TS 7S",
    "JH 9H TC 9C AD KD 9S JS",
    "AH 7H KC QC TD 7D AS QS",
    "TH JC 8C 9D JD QD KS 8S",
)


def test_the_blot_helps_to_make_the_contract():
    # Seat 0 takes no more than the tricks below; with 20 for the blot it has enough for 8 hearts.
    tricks = """
    AC 9C QC JC   11+0+3+2 = 16    seat 0
    7C TC KC 8C   0+10+4+0 = 14    seat 1
    AD TD 9D 8D   11+10+0+0 = 21   seat 1
    9S AS 8S TS   0+11+0+10 = 21   seat 2
    QS KS 7S JS   3+4+0+2 = 9      seat 3
    QD 8H KD 7D   3+0+4+0 = 7      seat 0
    KH 9H AH TH   4+14+11+10 = 39  seat 1
    JH 7H JD QH   20+0+2+3 = 25    seat 1, and 10: side {0, 2} has 16 + 21 + 7 = 44, with the blot 64
    """
    failed = play(table(*BLOT, target=301), f"8H pass pass pass pass {cards(tricks)}").result
    assert (failed["card_points"], failed["blot"], failed["raw"]) == ([44, 118], [20, 0], [64, 118])
    # Failed: the other side writes everything, the blot too: r(182) = 18, + 8.
    assert (failed["made"], failed["points"]) == (False, [0, 26])
    # Of the other side the contract is made, and the blot stays with its holder: r(118) + 8 = 20, r(64) = 6.
    made = play(table(*BLOT, target=301), f"pass 8H pass pass pass pass {cards(tricks)}").result
    assert (made["made"], made["points"]) == (True, [6, 20])


# Tars kapout


def test_bidders_without_a_trick_lose_the_match():
    # Seat 1 bids NT, seat 0 leads its clubs and takes all: raw 452 as above. 45 + 2 * 8 for the others.
    result = finish(play(table(*WHOLE_SUITS, scores=(0, 300), target=301), "pass 8NT pass pass pass pass")).result
    assert (result["tricks"], result["raw"]) == ([8, 0], [452, 0])
    assert (result["made"], result["points"], result["match_winner"]) == (False, [61, 0], 0)


def test_combinations_do_not_save_bidders_without_a_trick():
    # At NT ace, ten, king and queen of a suit take the first tricks in it: seats 0 and 2 hold them all.
    # Seat 1: four jacks 200 and 7-8-9 of clubs 20; seat 3: 7-8-9 of hearts and of spades, 40. The runs of the others
    # (Q-K-A) score nothing. Raw 162 + 90 = 252 and 260; whole 512; r(512) = 51, + 2 * 8.
    hands = (
        "AC TC KC QC AD TD KD QD",
        "JC JD JH JS 7C 8C 9C 7D",
        "AH TH KH QH AS TS KS QS",
        "8D 9D 7H 8H 9H 7S 8S 9S",
    )
    game = play(table(*hands), "pass 8NT pass pass pass pass")
    while game.phase != "over":  # the highest card: seat 0 leads out its winners
        game.play(min(game.legal_actions(), key=lambda card: "ATKQJ987".index(card[0])))
    result = game.result
    assert (result["tricks"], result["raw"]) == ([8, 0], [252, 260])
    assert (result["made"], result["points"], result["match_winner"]) == (False, [67, 0], 0)


def test_defenders_may_take_no_trick():
    result = finish(play(table(*WHOLE_SUITS, target=301), "8C pass pass pass pass")).result
    assert (result["tricks"], result["match_winner"]) == ([8, 0], None)


# The end of the match. 8 hearts made with 80 is 16 : 8, as above; failed with 79 it is 0 : 24.


@pytest.mark.parametrize(
    ("scores", "tricks", "winner"),
    [
        ((134, 0), HEARTS_80, None),  # 150 : 8
        ((135, 0), HEARTS_80, 0),  # 151 : 8
        ((0, 142), HEARTS_80, None),  # 16 : 150
        ((0, 143), HEARTS_80, 1),  # 16 : 151, the defenders may reach it too
        ((136, 143), HEARTS_80, 0),  # 152 : 151
        ((135, 144), HEARTS_80, 1),  # 151 : 152
        ((135, 143), HEARTS_80, None),  # 151 : 151, another deal
        ((160, 168), HEARTS_80, None),  # 176 : 176, again
        ((160, 160), HEARTS_80, 0),  # after such a tie, 176 : 168
        ((160, 160), HEARTS_79, 1),  # 160 : 184
        ((200, 10), HEARTS_79, 0),  # 200 : 34, the leader may win by failing
    ],
)
def test_match_end(scores, tricks, winner):
    result = scored("8H pass pass pass pass", tricks, scores=scores, target=151)
    assert result["match_winner"] == winner


def test_a_board_without_bids_ends_nothing():
    game = play(table(*SPLIT, scores=(155, 160), target=151), "pass pass pass pass")
    assert game.result["match_winner"] is None
    assert game.winner is None


# The other numbered games, on the same tricks (rules, section 5): the whole deal is 162


def counted(preset: str, *hands: str, calls: str, tricks: str = "", shows: bool = True, **fields) -> dict:
    """The result; all that can be announced is, and shown or withheld. Without tricks: the first legal card."""
    game = play(table(*hands, preset=preset, **fields), f"{calls} {cards(tricks)}")
    while game.phase != "over":
        answer = {"announce": "announce", "show": "show" if shows else "pass"}.get(game.phase)
        game.play(answer or game.legal_actions()[0])
    return game.result


@pytest.mark.parametrize(
    ("preset", "calls", "tricks", "made", "points"),
    [
        # hayblot: M r(rawA) and M r(rawB); failed: 0 and M r(162). M = 1, contra 2, at NT too.
        ("hayblot", "8H pass pass pass", HEARTS_85, True, [8, 8]),
        ("hayblot", "8H pass pass pass", HEARTS_86, True, [9, 8]),
        ("hayblot", "8H contra", HEARTS_86, True, [18, 16]),
        ("hayblot", "8NT pass pass pass", NO_TRUMP_85, True, [8, 8]),
        ("hayblot", "8NT contra", NO_TRUMP_85, True, [16, 16]),
        ("hayblot", "8H pass pass pass", HEARTS_79, False, [0, 16]),
        ("hayblot", "8H contra", HEARTS_79, False, [0, 32]),
        ("hayblot", "8NT contra", NO_TRUMP_79, False, [0, 32]),
        ("hayblot", "pass 8H pass pass pass", HEARTS_79, True, [8, 8]),  # of side 1: 83
        ("hayblot", "25H pass pass pass", HEARTS_86, False, [0, 16]),  # a capot without all tricks
        # bazar-alltrump: rounded points, and nothing is added. r(85) = 8.
        ("bazar-alltrump", "8H pass pass pass", HEARTS_79, True, [8, 8]),
        ("bazar-alltrump", "8H pass 9H pass pass pass", HEARTS_85, False, [0, 16]),
        ("bazar-alltrump", "8H pass 9H pass pass pass", HEARTS_86, True, [9, 8]),
        ("bazar-alltrump", "8NT pass pass pass", NO_TRUMP_79, True, [8, 8]),
        ("bazar-alltrump", "8NT 9C 10NT pass pass pass", NO_TRUMP_85, False, [0, 16]),
        ("bazar-alltrump", "capotH pass pass pass", HEARTS_86, False, [0, 16]),
        # bazar-classic: as bazar.
        ("bazar-classic", "8H pass pass pass", HEARTS_85, True, [16, 8]),
        ("bazar-classic", "8NT pass pass pass", NO_TRUMP_85, True, [24, 8]),
        ("bazar-classic", "8H contra pass pass", HEARTS_80, True, [32, 0]),
        ("bazar-classic", "8NT contra pass recontra", NO_TRUMP_85, True, [56, 0]),
        ("bazar-classic", "8H pass pass pass", HEARTS_79, False, [0, 24]),
        ("bazar-classic", "8H contra recontra", HEARTS_79, False, [0, 48]),
        ("bazar-classic", "8Hcapot pass pass pass", HEARTS_86, False, [0, 24]),  # 16 + 8
        # blotstar: failed 16 + M N; made under contra as without.
        ("blotstar", "8H pass pass pass", HEARTS_79, False, [0, 24]),
        ("blotstar", "8H contra recontra", HEARTS_79, False, [0, 48]),
        ("blotstar", "8NT contra recontra", NO_TRUMP_85, True, [48, 8]),  # 8 + 5 * 8
    ],
)
def test_points_elsewhere(preset, calls, tricks, made, points):
    result = counted(preset, *SPLIT, calls=calls, tricks=tricks)
    assert (result["made"], result["points"]) == (made, points)


BLOT_TRICKS = """
    AC 9C QC JC
    7C TC KC 8C
    AD TD 9D 8D
    9S AS 8S TS
    QS KS 7S JS
    QD 8H KD 7D
    KH 9H AH TH
    JH 7H JD QH
"""  # see test_the_blot_helps_to_make_the_contract: 44 and a blot, 118


@pytest.mark.parametrize(
    ("preset", "calls", "made", "points"),
    [
        # The blot stays with its holder: r(20) = 2, r(118 + 44) = 16.
        ("bazar-classic", "8H pass pass pass", False, [2, 24]),
        ("bazar-classic", "8H contra pass pass", False, [2, 32]),
        ("bazar-classic", "8H contra recontra", False, [2, 48]),
        ("hayblot", "8H pass pass pass", False, [2, 16]),
        ("hayblot", "8H contra", False, [4, 32]),
        ("bazar-classic", "pass 8H pass pass contra pass pass", True, [2, 32]),  # made by side 1: 16 + 2 * 8
        ("bazar-classic", "pass 8H pass pass contra recontra", True, [2, 48]),
        ("bazar-classic", "pass 8H pass pass pass", True, [6, 20]),  # 64 is 6; 118 is 12, + 8
        ("hayblot", "pass 8H pass pass contra", True, [12, 24]),
        # With everything else.
        ("bazar-alltrump", "8H pass pass pass", False, [0, 18]),
        ("blotstar", "8H pass pass pass", False, [0, 24]),  # 16 + 8, its own blot it has not
        ("blotstar", "pass 8H pass pass contra pass", True, [6, 28]),  # r(64); 12 + 2 * 8
    ],
)
def test_who_writes_the_blot(preset, calls, made, points):
    result = counted(preset, *BLOT, calls=calls, tricks=BLOT_TRICKS)
    assert (result["raw"], result["made"], result["points"]) == ([64, 118], made, points)


@pytest.mark.parametrize(
    ("preset", "calls", "shows", "raw", "made", "points", "winner"),
    [
        # Each holds a suit. hayblot: 250 for the cards, runs 200, at clubs the blot 20.
        ("hayblot", "8C pass pass pass", True, [470, 0], True, [47, 0], None),
        ("hayblot", "8NT pass pass pass", True, [450, 0], True, [45, 0], None),
        ("hayblot", "47C pass pass pass", True, [470, 0], True, [47, 0], None),  # a capot with its points
        ("hayblot", "48C pass pass pass", True, [470, 0], False, [2, 45], None),  # and without: r(20), r(450)
        ("hayblot", "25C contra", True, [470, 0], True, [94, 0], None),
        ("hayblot", "pass 8NT pass pass pass", True, [450, 0], False, [45, 0], None),  # no tars kapout
        # bazar-alltrump: 162 or 258, runs 200, blots, 90 for either side, which count for the contract.
        ("bazar-alltrump", "8C pass pass pass", True, [472, 0], True, [47, 0], None),
        ("bazar-alltrump", "capotC pass pass pass", True, [472, 0], True, [47, 0], None),
        ("bazar-alltrump", "8AT pass pass pass", True, [588, 40], True, [59, 4], None),  # 258 + 200 + 40 + 90
        ("bazar-alltrump", "8NT pass pass pass", True, [452, 0], True, [45, 0], None),
        ("bazar-alltrump", "pass 8NT pass pass pass", True, [452, 0], False, [45, 0], None),
        # bazar-classic: 90 for the bidders only, they count; runs only if they are shown.
        ("bazar-classic", "47C pass pass pass", True, [472, 0], True, [94, 0], None),
        ("bazar-classic", "48C pass pass pass", True, [472, 0], False, [2, 93], None),  # r(20); r(452) + 48
        ("bazar-classic", "27C pass pass pass", False, [272, 0], True, [54, 0], None),
        ("bazar-classic", "28C pass pass pass", False, [272, 0], False, [2, 53], None),
        ("bazar-classic", "47Ccapot pass pass pass", True, [472, 0], True, [94, 0], None),
        ("bazar-classic", "48Ccapot pass pass pass", True, [472, 0], False, [2, 93], None),  # the points are missing
        ("bazar-classic", "47Ccapot contra pass pass", True, [472, 0], True, [141, 0], 0),  # 47 + 2 * 47, and the match
        ("bazar-classic", "pass 8NT pass pass pass", True, [362, 0], False, [52, 0], 0),  # tars kapout; 36 + 2 * 8
        # blotstar: failed 25 for all tricks, and own combinations and blot.
        ("blotstar", "47C pass pass pass", True, [472, 0], True, [94, 0], None),
        ("blotstar", "48C pass pass pass", True, [472, 0], False, [0, 64], None),  # 16 + 48
        ("blotstar", "pass 8NT pass pass pass", True, [362, 0], False, [61, 0], None),  # 25 + 20 + 2 * 8
        ("blotstar", "47Ccapot contra pass", True, [472, 0], True, [141, 0], None),
    ],
)
def test_all_tricks_elsewhere(preset, calls, shows, raw, made, points, winner):
    result = counted(preset, *WHOLE_SUITS, calls=calls, shows=shows, target=301)
    assert result["tricks"] == [8, 0]
    assert (result["raw"], result["made"], result["points"]) == (raw, made, points)
    assert result["match_winner"] == winner


def test_hayblot_cards_of_all_tricks_are_250():
    assert counted("hayblot", *WHOLE_SUITS, calls="8C pass pass pass")["card_points"] == [250, 0]
    assert counted("bazar-alltrump", *WHOLE_SUITS, calls="8AT pass pass pass")["card_points"] == [258, 0]


# 8 hearts failed with 79 is 0 : 24 in bazar-classic, made with 80 it is 16 : 8.


@pytest.mark.parametrize(
    ("preset", "scores", "tricks", "winner"),
    [
        ("bazar-classic", (110, 60), HEARTS_79, None),  # 110 : 84, the leader has failed
        ("bazar-classic", (130, 100), HEARTS_79, None),  # 130 : 124, though the others have reached it too
        ("bazar-classic", (110, 90), HEARTS_79, 1),  # 110 : 114
        ("bazar-classic", (60, 80), HEARTS_79, 1),  # 60 : 104
        ("bazar-classic", (110, 86), HEARTS_79, None),  # 110 : 110
        ("bazar-classic", (90, 93), HEARTS_80, 0),  # 106 : 101
        ("blotstar", (110, 60), HEARTS_79, None),
        ("hayblot", (110, 60), HEARTS_79, 0),  # the leader may win by failing
        ("bazar-alltrump", (110, 60), HEARTS_79, 0),
    ],
)
def test_match_end_elsewhere(preset, scores, tricks, winner):
    result = counted(preset, *SPLIT, calls="8H pass pass pass", tricks=tricks, scores=scores, target=101)
    assert result["match_winner"] == winner


# Bela for four: seven tricks of clubs. Seat 0: 141, runs 100 and the partner's 100, blot 20; seat 1: 21.


@pytest.mark.parametrize(
    ("calls", "scores", "made", "points", "winner"),
    [
        ("nameC", (0, 0), True, [361, 21], None),
        ("pass nameC", (0, 0), False, [382, 0], None),
        ("nameC", (640, 0), True, [361, 21], 0),  # 1001
        ("nameC", (639, 0), True, [361, 21], None),
        ("nameC", (640, 980), True, [361, 21], None),  # 1001 : 1001
        ("nameC", (640, 981), True, [361, 21], 1),  # the higher of two
        ("pass nameC", (0, 1001), False, [382, 0], 1),  # who has reached it wins by failing too
    ],
)
def test_bela_for_four(calls, scores, made, points, winner):
    tricks = "8C 7C AH AS  9C 8D KH KS  TC 9D QH QS  JC TD JH JS  QC JD TH TS  KC QD 9H 9S  AC KD 8H 8S  7D AD 7H 7S"
    result = play(table(*SEVEN_TRICKS, preset="bela4", scores=scores, belot=False), f"{calls} {tricks}").result
    assert (result["raw"], result["made"], result["points"]) == ([361, 21], made, points)
    assert result["match_winner"] == winner


def test_as_many_are_not_more():
    # SPLIT with the last trick worth eight: 80 and 80.
    fields = {"belot": False, "last_trick": 8, "must_trump": "unless_partner_wins", "cannot_overtrump": "free"}
    result = counted("bela4", *SPLIT, calls="nameH", tricks=HEARTS_80, **fields)
    assert (result["raw"], result["made"], result["points"]) == ([80, 80], False, [0, 160])


@pytest.mark.nojit
@pytest.mark.parametrize(
    ("rounding", "expected"),
    [
        ("half_down", {0: 0, 5: 0, 6: 1, 84: 8, 85: 8, 86: 9, 95: 9, 96: 10, 258: 26}),
        ("half_up", {0: 0, 4: 0, 5: 1, 84: 8, 85: 9, 86: 9, 94: 9, 95: 10}),
        ("none", {0: 0, 85: 85, 86: 86}),
    ],
)
def test_rounding(rounding, expected):
    rules = load_rules("bazar", rounding=rounding)
    assert {points: int(rounded(rules.record, points)) for points in expected} == expected
