"""House rules of the auction, the swap and the discards."""

import pytest

from tests.house import covers
from tests.tables import WHOLE_SUITS, finish, finish_with_trumps, legal, play, table

SUITS = ("C", "D", "H", "S")
STRAINS = (*SUITS, "NT")


def bids(*numbers: int, strains: tuple[str, ...] = STRAINS) -> set[str]:
    return {f"{number}{strain}" for number in numbers for strain in strains}


CAPOTS = {f"capot{strain}" for strain in STRAINS}


@covers("strains")
def test_other_strains():
    numbers = range(8, 81)
    suits = table(strains=SUITS)
    assert legal(suits) == {"pass"} | bids(*numbers, strains=SUITS) | {f"capot{suit}" for suit in SUITS}
    assert {"8AT", "capotAT"} <= legal(table(strains=[*STRAINS, "AT"]))


@covers("min_number", "max_number", "capot_min")
def test_other_numbers():
    assert legal(table(min_number=10, max_number=24)) == {"pass"} | bids(*range(10, 25)) | CAPOTS
    result = finish(play(table(*WHOLE_SUITS, capot_min=30), "capotC pass pass pass")).result
    assert result["number"] == 30


@covers("jump_bids")
def test_one_step_at_a_time_or_any_number():
    step = table(jump_bids=False)
    assert legal(step) == {"pass"} | bids(8) | CAPOTS
    assert legal(play(step, "8C")) == {"pass", "contra"} | bids(9) | CAPOTS
    alltrump = (*STRAINS, "AT")
    jump = table(preset="bazar-alltrump", jump_bids=True)
    capots = {f"capot{strain}" for strain in alltrump}
    assert legal(jump) == {"pass"} | bids(*range(8, 25), strains=alltrump) | capots
    assert legal(table(preset="bazar-alltrump")) == {"pass"} | bids(8, strains=alltrump) | capots


@covers("reenter")
def test_who_has_passed_is_out_of_the_bidding():
    game = play(table(reenter=False), "pass 8H pass 9H")
    assert legal(game) == {"pass", "contra"}
    assert legal(play(table(), "pass 8H pass 9H")) >= {"10C", "capotH"}
    last_word = play(table(reenter=False), "pass 8H pass pass pass")
    assert (last_word.seat, "9H" in legal(last_word)) == (1, True)  # the last word is not passed


@covers("last_word")
def test_last_word():
    assert play(table(last_word=False), "8H pass pass pass").phase == "play"
    game = play(table(preset="blotstar", last_word=True), "8H pass pass pass")
    assert (game.seat, game.phase) == (0, "auction")
    assert play(game, "pass").phase == "play"


@covers("contra", "recontra")
def test_contra_and_recontra():
    assert "contra" not in legal(play(table(contra=False, recontra=False), "8H"))
    assert play(table(recontra=False), "8H contra").phase == "play"
    assert legal(play(table(preset="hayblot", recontra=True), "8H contra")) == {"pass", "recontra"}
    assert "contra" in legal(play(table(preset="bazar-alltrump", contra=True), "8H"))


@covers("recontra_by")
@pytest.mark.parametrize(("preset", "by", "seat"), [("bazar", "bidder", None), ("blotstar", "side", 2)])
def test_who_may_recontra(preset, by, seat):
    game = play(table(preset=preset, recontra_by=by), "8H contra pass")
    assert (game.seat if game.phase == "auction" else None) == seat


# Capot. Seat 0 holds all clubs but the seven, seat 1 that one and the ace of diamonds: seven tricks to one.

SEVEN_TRICKS = ("8C 9C TC JC QC KC AC 7D", "7C 8D 9D TD JD QD KD AD", *WHOLE_SUITS[2:])
CARDS = "8C 7C AH AS  9C 8D KH KS  TC 9D QH QS  JC TD JH JS  QC JD TH TS  KC QD 9H 9S  AC KD 8H 8S  7D AD 7H 7S"


@covers("capot", "capot_min")
def test_kinds_of_capot():
    assert legal(table(capot="none")) == {"pass"} | bids(*range(8, 81))
    mark = table(capot="mark", capot_min=79)
    assert legal(mark) == {"pass"} | bids(*range(8, 81)) | {f"{call}capot" for call in bids(79, 80)}
    assert legal(play(mark, "79Hcapot pass")) == {"pass"} | {f"{call}capot" for call in bids(80)}
    # Seven tricks of 361 points are enough for 36 clubs, unless that is a capot.
    for fields, made in (
        ({"preset": "hayblot"}, False),
        ({"preset": "hayblot", "capot": "none"}, True),
        ({"preset": "hayblot", "capot_min": 40}, True),
        ({"preset": "bazar", "last_word": False}, True),
        ({"preset": "bazar", "last_word": False, "capot": "from_25"}, False),
    ):
        result = play(table(*SEVEN_TRICKS, **fields), f"36C pass pass pass {CARDS}").result
        assert (result["tricks"], result["raw"], result["made"]) == ([7, 1], [361, 21], made)


@covers("capot_needs_points")
def test_a_capot_of_few_points():
    # Seat 0 takes all: with all clubs 162, runs 200, blot 20, all tricks 90: 472, but not ten times 81.
    calls = "80C pass pass pass capotC pass pass pass"
    for needs, points in ((False, [128, 0]), (True, [0, 128])):  # r(472) = 47, + 81
        assert finish(play(table(*WHOLE_SUITS, capot_needs_points=needs), calls)).result["points"] == points
    # In hayblot the cards are 250: 470, but not 480. Made: 47 : 0. Failed: r(20) = 2 and r(450) = 45.
    for needs, points in ((False, [47, 0]), (True, [2, 45])):
        game = table(*WHOLE_SUITS, preset="hayblot", capot_needs_points=needs)
        assert finish(play(game, "48C pass pass pass")).result["points"] == points


# Naming


@covers("auction", "forced_dealer")
def test_bela_for_three_with_turns():
    names = {f"name{suit}" for suit in SUITS}
    assert legal(table(preset="bela3")) == names
    turns = table(preset="bela3", auction="named", forced_dealer=True)
    assert legal(turns) == names | {"pass"}
    assert legal(play(turns, "pass pass")) == names
    assert play(turns, "nameS").seat == 2  # the dealer takes up the two cards and discards
    free = play(table(preset="bela3", auction="named"), "pass pass")
    assert legal(free) == names | {"pass"}
    assert (play(free, "pass").phase, free.result["points"]) == ("over", [0, 0, 0])


@covers("auction")
def test_bela_for_four_that_eldest_must_name():
    assert legal(table(preset="bela4", auction="eldest", forced_dealer=False)) == {f"name{suit}" for suit in SUITS}


@covers("auction")
def test_bela_for_two_without_a_turned_card():
    game = table(preset="bela2", auction="named", swap_seven=False)
    assert legal(game) == {"pass", *(f"name{suit}" for suit in SUITS)}
    assert game.state.public.turned == -1


@covers("forced_dealer", "redeal")
@pytest.mark.parametrize(("preset", "passes"), [("bela4", 4), ("bela2", 4), ("duel", 4)])
@pytest.mark.parametrize(("redeal", "moves"), [("same", 0), ("next", 1)])
def test_a_dealer_who_need_not_name(preset, passes, redeal, moves):
    game = table(preset=preset, forced_dealer=False, redeal=redeal)
    dealer = game.dealer
    play(game, "pass " * (passes - 1))
    assert "pass" in legal(game)
    play(game, "pass")
    assert (game.phase, game.result["contract"], game.result["made"]) == ("over", None, None)
    game.next_deal()
    assert game.dealer == (dealer + moves) % game.rules.players


@covers("redeal")
@pytest.mark.parametrize(("preset", "redeal", "dealer"), [("bazar", "next", 2), ("bazar-classic", "same", 1)])
def test_who_deals_again(preset, redeal, dealer):
    game = play(table(dealer=1, preset=preset, redeal=redeal), "pass pass pass pass")
    game.next_deal()
    assert game.dealer == dealer


# Swap and discards


@covers("swap_seven")
@pytest.mark.parametrize(("swaps", "phase"), [(True, "swap"), (False, "play")])
def test_the_seven_of_the_turned_suit(swaps, phase):
    game = table("7H AC KS", "7C 8D", preset="bela2", swap_seven=swaps, stock_cards="TH", belot=False)
    assert play(game, "nameH").phase == phase


@covers("discards")
@pytest.mark.parametrize(("discards", "extra"), [("out", 0), ("namer", 10)])
def test_who_gets_the_discards(discards, extra):
    # Seat 0 holds all clubs but the seven and the other aces, and discards the ten and the seven of diamonds. It takes
    # all ten tricks: 152 in the pack without that ten, and 10 for the last.
    hand = "8C 9C TC JC QC KC AD AH AC AS"
    game = table(hand, preset="bela3", stock_cards="TD 7D", discards=discards)
    result = finish_with_trumps(play(game, "nameC TD 7D")).result
    # A run of seven 100, four aces 100, blot 20, all tricks 90.
    assert (result["tricks"], result["card_points"], result["raw"]) == ([10, 0, 0], [152, 0, 0], [462, 0, 0])
    assert result["points"] == [462 + extra, 0, 0]
