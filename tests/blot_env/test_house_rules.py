"""Fields of a rule set that `bazar` sets one way: each flipped, on a position where it matters."""

import pytest

from blot_env import Game, load_rules
from tests.blot_env.test_scoring import HEARTS_85, SPLIT, cards
from tests.tables import WHOLE_SUITS, board, finish, legal, play


def game(*hands: str, dealer: int = 3, scores=(0, 0), **fields) -> Game:
    """A table under house rules."""
    return Game.from_record(board(*hands, dealer=dealer, scores=scores) | {"fields": fields})


def test_fields_are_those_of_the_rule_set():
    rules = game(*WHOLE_SUITS, last_word=False).rules
    assert rules == load_rules("bazar", last_word=False)
    assert rules != load_rules("bazar")


# The auction


def test_without_last_word():
    assert play(game(*WHOLE_SUITS, last_word=False), "8H pass pass pass").phase == "play"


def test_without_recontra():
    assert play(game(*WHOLE_SUITS, recontra=False), "8H contra").phase == "play"


def test_recontra_by_the_bidder_only():
    assert play(game(*WHOLE_SUITS, recontra_by="bidder"), "8H contra pass").phase == "play"


def test_without_contra():
    assert "contra" not in legal(play(game(*WHOLE_SUITS, contra=False, recontra=False), "8H"))


def test_other_numbers():
    numbers = legal(game(*WHOLE_SUITS, min_number=10, max_number=24))
    assert len(numbers) == 1 + 15 * 5 + 5
    assert {"10C", "24NT", "capotH"} <= numbers
    result = finish(play(game(*WHOLE_SUITS, capot_min=30), "capotC pass pass pass")).result
    assert result["number"] == 30


def test_redeal_by_the_next_seat():
    house = play(game(*WHOLE_SUITS, dealer=1, redeal="next"), "pass pass pass pass")
    house.next_deal()
    assert house.dealer == 2


# The play. Contracts in hearts, bid by seat 0, which leads.

HEARTS = "8H pass pass pass pass"


def test_must_beat_in_every_suit():
    hands = ("KC", "7C AC 9H JH 7D 8D 7S 8S", "", "")
    assert legal(play(game(*hands, must_beat="all"), f"{HEARTS} KC")) == {"AC"}


def test_a_plain_suit_that_has_been_trumped_need_not_be_beaten():
    hands = ("7C", "7H 7D 8D 9D 7S 8S 9S TS", "8C AC KD AD QD JD KS AS", "")
    assert legal(play(game(*hands, must_beat="all"), f"{HEARTS} 7C 7H")) == {"8C", "AC"}


def test_no_trump_has_no_duty_to_beat():
    hands = ("KC", "7C AC 9H JH 7D 8D 7S 8S", "", "")
    assert legal(play(game(*hands, must_beat="trump"), "8NT pass pass pass pass KC")) == {"7C", "AC"}


def test_must_trump_though_the_partner_holds_the_trick():
    hands = ("AC", "7C 8C 9D TD 7S 8S 9S JS", "QH TH 9H JD QD KD QS KS", "")
    assert legal(play(game(*hands, must_trump="always"), f"{HEARTS} AC 7C")) == {"QH", "TH", "9H"}


def test_must_undertrump():
    hands = ("7C", "JH 7D 8D 9D 7S 8S 9S JS", "QH TH 9H JD QD KD QS KS", "8C 9C")
    assert legal(play(game(*hands, cannot_overtrump="undertrump"), f"{HEARTS} 7C JH")) == {"QH", "TH", "9H"}


# Scoring. Clubs trump, seat 0 holds them all: raw 162 + 200 + 20 + 90 = 472.


@pytest.mark.parametrize(
    ("fields", "calls", "made", "points"),
    [
        ({}, "39C pass pass pass pass", False, [0, 86]),
        ({"all_tricks_counts": True}, "39C pass pass pass pass", True, [86, 0]),  # 47 + 39
        ({"all_tricks": 0}, "38C pass pass pass pass", True, [76, 0]),  # 382 is 38: 38 + 38
        ({"last_trick": 0}, "38C pass pass pass pass", False, [0, 84]),  # 372 + 90 = 462: 46 + 38
        ({"adds_bid": False}, "38C pass pass pass pass", True, [47, 0]),
        ({"failed_blot": "holder"}, "39C pass pass pass pass", False, [2, 84]),  # 20 is 2; 452 is 45: 45 + 39
        ({"blot": 0}, "38C pass pass pass pass", False, [0, 83]),  # 362 + 90 = 452: 45 + 38
        ({"multiplier": (3, 5, 7)}, "10C pass pass pass pass", True, [77, 0]),  # 47 + 3 * 10
        ({"multiplier": (3, 5, 7)}, "10C contra recontra", True, [117, 0]),  # 47 + 7 * 10
        ({"multiplier_nt": (1, 1, 1)}, "10NT pass pass pass pass", True, [55, 0]),  # 452 is 45: 45 + 10
        ({"runs": (20, 50, 80)}, "38C pass pass pass pass", False, [0, 81]),  # 162 + 160 + 20 + 90 = 432: 43 + 38
    ],
)
def test_points(fields, calls, made, points):
    result = finish(play(game(*WHOLE_SUITS, **fields), calls)).result
    assert (result["made"], result["points"]) == (made, points)


def test_halves_up_and_contra_that_takes_only_the_stake():
    rows = [  # raw 85 and 77
        ({}, "8H pass pass pass pass", [16, 8]),
        ({"rounding": "half_up"}, "8H pass pass pass pass", [17, 8]),  # 85 is 9: 9 + 8
        ({"contra_takes_all": False}, "8H contra pass pass", [24, 8]),  # 8 + 2 * 8, and 8 for the others
    ]
    for fields, calls, points in rows:
        assert play(game(*SPLIT, **fields), f"{calls} {cards(HEARTS_85)}").result["points"] == points


def test_without_tars_kapout():
    house = finish(play(game(*WHOLE_SUITS, tars_kapout=False), "pass 8NT pass pass pass pass"))
    assert (house.result["tricks"], house.winner) == ([8, 0], None)  # 61 : 0


def test_a_contra_d_capot_that_wins_nothing_more():
    house = finish(play(game(*WHOLE_SUITS, capot_contra_wins=False), "capotC contra pass pass"))
    assert (house.result["points"], house.winner) == ([97, 0], None)


# Combinations


def test_a_run_in_trump_that_is_not_better():
    # Clubs trump at seat 0; eldest is seat 1.
    result = finish(play(game(*WHOLE_SUITS, dealer=0, trump_run_is_better=False), "8C pass pass pass pass")).result
    assert result["combinations"] == [0, 200]


def test_fours_with_other_values():
    hands = (
        "7C 7D 7H 7S 8C 8D 8H 8S",
        "9C QC TD KD JH AH 9S QS",
        "TC KC JD AD 9H QH TS KS",
        "JC AC 9D QD TH KH JS AS",
    )
    house = game(*hands, fours=(30, 40, 0, 0, 0, 0, 0, 0))
    assert finish(play(house, "8H pass pass pass pass")).result["combinations"] == [70, 0]
