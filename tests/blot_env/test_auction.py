"""The numbered auction, call by call (rules, section 4)."""

import pytest

from blot_env import Game, IllegalAction, replay
from blot_env.state import HISTORY
from tests.tables import WHOLE_SUITS, finish, legal, play, table

STRAINS = ["C", "D", "H", "S", "NT"]
CAPOTS = {f"capot{strain}" for strain in STRAINS}


def auction(calls: str = "", dealer: int = 3) -> Game:
    """An auction at which the cards do not matter; seat 0 is eldest unless said otherwise."""
    return play(table(*WHOLE_SUITS, dealer=dealer), calls)


def bids(*numbers: int) -> set[str]:
    return {f"{number}{strain}" for number in numbers for strain in STRAINS}


@pytest.mark.parametrize("dealer", range(4))
def test_eldest_speaks_first_then_the_others_in_turn(dealer):
    game = auction(dealer=dealer)
    seats = []
    for _ in range(3):
        seats.append(game.seat)
        game.play("pass")
    assert seats == [(dealer + step) % 4 for step in (1, 2, 3)]
    assert (game.seat, game.phase) == (dealer, "auction")


def test_first_call():
    assert legal(auction()) == {"pass"} | bids(*range(8, 81)) | CAPOTS


def test_a_bid_must_be_higher_in_number_whatever_the_strain():
    game = auction("10S")
    assert legal(game) == {"pass", "contra"} | bids(*range(11, 81)) | CAPOTS
    assert legal(play(game, "30C")) == {"pass", "contra"} | bids(*range(31, 81)) | CAPOTS


def test_who_passed_may_bid_again():
    game = auction("pass 8H pass 9H")
    assert game.seat == 0
    assert "10C" in legal(game)
    play(game, "10C pass pass pass pass")
    assert game.phase == "play"


def test_a_bid_may_go_over_the_partner_and_needs_no_contra():
    game = auction("8H pass")
    assert legal(game) == {"pass"} | bids(*range(9, 81)) | CAPOTS  # no contra against the partner
    play(game, "9S pass pass pass")
    assert game.seat == 2  # the last word is of the standing bidder, not of the first


def test_highest_number():
    assert legal(auction("80C")) == {"pass", "contra"} | CAPOTS


def test_four_passes_end_the_board():
    game = auction("pass pass pass pass", dealer=1)
    assert game.phase == "over"
    assert game.legal_actions() == []
    assert game.result == {
        "contract": None,
        "number": None,
        "bidder": None,
        "contra": 0,
        "tricks": [0, 0],
        "card_points": [0, 0],
        "raw": [0, 0],
        "combinations": [0, 0],
        "blot": [0, 0],
        "made": None,
        "points": [0, 0],
        "match_winner": None,
    }


def test_three_passes_do_not():
    game = auction("pass pass pass")
    assert (game.seat, game.phase) == (3, "auction")
    play(game, "8D pass pass pass")
    assert game.seat == 3  # the last word
    play(game, "pass")
    assert (game.seat, game.phase) == (0, "play")  # eldest leads, not the bidder


# The last word


def test_last_word_kept():
    game = auction("8H pass pass pass")
    assert (game.seat, game.phase) == (0, "auction")
    assert legal(game) == {"pass"} | bids(*range(9, 81)) | CAPOTS  # no contra of one's own bid
    play(game, "pass")
    assert (game.seat, game.phase) == (0, "play")


def test_last_word_raised():
    game = auction("8H pass pass pass 12NT")
    assert (game.seat, game.phase) == (1, "auction")
    assert legal(game) == {"pass", "contra"} | bids(*range(13, 81)) | CAPOTS
    play(game, "pass pass pass")
    assert game.seat == 0  # and again
    play(game, "13H pass 14D pass pass pass")
    assert game.seat == 2  # the partner overbid: the last word is the partner's
    play(game, "pass")
    assert finish(game).result["contract"] == "14D"


def test_contra_after_a_raised_last_word():
    game = auction("8H pass pass pass 9H pass pass contra")
    assert legal(game) == {"pass", "recontra"}
    play(game, "pass pass")
    assert game.phase == "play"
    assert finish(game).result["contra"] == 1


def test_capot_as_the_last_word():
    game = auction("8H pass pass pass capotH")
    assert legal(game) == {"pass", "contra"}
    play(game, "pass")
    assert legal(game) == {"pass"}
    play(game, "pass contra")
    assert legal(game) == {"pass", "recontra"}


def test_no_last_word_on_a_capot():
    game = auction("capotH pass pass pass")
    assert (game.seat, game.phase) == (0, "play")


def test_last_word_after_the_highest_number():
    game = auction("80S pass pass pass")
    assert legal(game) == {"pass"} | CAPOTS


# Contra and recontra


def test_no_bid_follows_contra_and_the_bidder_is_asked_first():
    game = auction("pass 8H pass pass contra")  # seat 0 passed first and may still contra
    assert game.seat == 1
    assert legal(game) == {"pass", "recontra"}
    play(game, "pass")
    assert game.seat == 3
    assert legal(game) == {"pass", "recontra"}
    play(game, "pass")
    assert (game.seat, game.phase) == (0, "play")


@pytest.mark.parametrize(
    ("calls", "contra"),
    [("pass pass", 1), ("recontra", 2), ("pass recontra", 2)],
    ids=["declined", "bidder", "partner"],
)
def test_recontra(calls, contra):
    game = auction(f"8H contra {calls}")
    assert (game.seat, game.phase) == (0, "play")
    assert finish(game).result["contra"] == contra


def test_the_second_opponent_may_contra_too():
    game = auction("8H pass pass contra")
    assert game.seat == 0


@pytest.mark.parametrize("call", ["contra", "recontra", "announce", "show", "swap", "nameH", "7H", "81C", "AS"])
def test_illegal_first_calls(call):
    game = auction()
    with pytest.raises(IllegalAction):
        game.play(call)
    assert (game.seat, game.phase) == (0, "auction")


# Capot


@pytest.mark.parametrize(
    ("bids_before", "number"),
    [("", 25), ("8H", 25), ("24H", 25), ("25H", 26), ("26NT", 27), ("80H", 81)],
)
def test_what_a_capot_counts(bids_before, number):
    game = auction(f"{bids_before} capotC pass pass pass")
    result = finish(game).result
    assert (result["contract"], result["number"]) == ("capotC", number)


def test_nothing_goes_over_a_capot_but_contra():
    game = auction("capotD")
    assert legal(game) == {"pass", "contra"}
    play(game, "pass")
    assert legal(game) == {"pass"}  # the partner; still a turn
    play(game, "pass")
    assert legal(game) == {"pass", "contra"}


def test_the_longest_auction():
    # Three passes, each number from 8 to 80 with three passes after it, capot as the last word, two passes, contra,
    # recontra declined twice: 3 + 73 * 4 + 1 + 2 + 1 + 2 = 301 calls, and 32 cards.
    numbers = " ".join(f"{number}S pass pass pass" for number in range(8, 81))
    game = auction(f"pass pass pass {numbers} capotS pass pass contra pass pass")
    finish(game)
    assert len(game.record()["actions"]) == 301 + 32
    # Spades are trump and all at seat 3, the bidder, but eldest leads: still every trick is seat 3's.
    assert game.result["tricks"] == [0, 8]


def test_the_longest_deal_of_all():
    """What the history must hold: numbers from 1, and four who announce what they do not hold and are asked to show."""
    numbers = " ".join(f"{number}S pass pass pass" for number in range(1, 81))
    calls = f"pass pass pass {numbers} capotS pass pass contra pass pass"
    game = play(table(*WHOLE_SUITS, min_number=1, announce="by_choice", bluff=True), calls)
    while game.phase != "over":
        game.play("announce" if game.phase == "announce" else game.legal_actions()[0])
    actions = game.record()["actions"]
    assert (len(actions), len(calls.split()), actions.count("announce")) == (3 + 80 * 4 + 6 + 4 + 32 + 4, 329, 4)
    assert len(actions) <= HISTORY
    assert " ".join(actions[:329]) == calls
    assert replay(game.record()).record() == game.record()


# The other numbered auctions

SIX = [*STRAINS, "AT"]


def at(preset: str, calls: str = "", dealer: int = 3) -> Game:
    return play(table(*WHOLE_SUITS, preset=preset, dealer=dealer), calls)


def test_all_trump_goes_up_one_step_at_a_time():
    capots = {f"capot{strain}" for strain in SIX}
    steps = {number: {f"{number}{strain}" for strain in SIX} for number in range(8, 25)}
    assert legal(at("bazar-alltrump")) == {"pass"} | steps[8] | capots
    assert legal(at("bazar-alltrump", "8AT")) == {"pass"} | steps[9] | capots  # no contra
    assert legal(at("bazar-alltrump", "8H pass 9H pass")) == {"pass"} | steps[10] | capots
    to_the_top = " ".join(f"{number}C" for number in range(8, 25))
    assert legal(at("bazar-alltrump", to_the_top)) == {"pass"} | capots
    assert legal(at("bazar-alltrump", f"{to_the_top} capotAT")) == {"pass"}
    assert at("bazar-alltrump", "8AT pass pass pass").phase == "play"  # no last word
    assert finish(at("bazar-alltrump", "capotC pass pass pass")).result["number"] == 25


@pytest.mark.parametrize("preset", ["bazar-alltrump", "bazar-classic"])
def test_four_passes_where_the_next_seat_deals(preset):
    game = at(preset, "pass pass pass pass", dealer=2)
    game.next_deal()
    assert (game.dealer, game.seat) == (3, 0)


def test_hayblot_has_no_last_word_and_contra_ends_the_auction():
    assert at("hayblot", "8H pass pass pass").phase == "play"
    game = at("hayblot", "8H contra")
    assert (game.phase, game.seat) == ("play", 0)
    assert legal(at("hayblot")) == {"pass"} | bids(*range(8, 81))


@pytest.mark.parametrize(("bid", "capot"), [("24H", 0), ("25H", 1), ("80NT", 1)])
def test_hayblot_bids_of_25_or_more_are_capots(bid, capot):
    game = at("hayblot", bid)
    assert game.state.public.capot == capot
    above = range(int(bid.rstrip("HNT")) + 1, 81)
    assert legal(game) == {"pass", "contra"} | bids(*above)  # another capot may go over it


def test_a_capot_mark_on_any_number():
    numbers = range(8, 81)
    capots = {f"{call}capot" for call in bids(*numbers)}
    assert legal(at("bazar-classic")) == {"pass"} | bids(*numbers) | capots
    above = {call for number in range(13, 81) for call in bids(number)}
    marked = {f"{call}capot" for call in above}
    assert legal(at("bazar-classic", "12H")) == {"pass", "contra"} | above | marked
    assert legal(at("bazar-classic", "12Hcapot")) == {"pass", "contra"} | marked
    assert legal(at("bazar-classic", "12Hcapot pass")) == {"pass"} | marked
    assert legal(at("bazar-classic", "80NTcapot")) == {"pass", "contra"}
    game = at("bazar-classic", "8C pass 9Ccapot contra")
    assert (game.seat, legal(game)) == (2, {"pass", "recontra"})
    assert (play(game, "pass").seat, legal(game)) == (0, {"pass", "recontra"})
    result = finish(play(game, "pass")).result
    assert (result["contract"], result["number"], result["contra"]) == ("9Ccapot", 9, 1)


def test_blotstar_marks_numbers_of_25_or_more_and_the_bidder_alone_recontras():
    game = at("blotstar", "24H")
    marked = {f"{call}capot" for call in bids(*range(25, 81))}
    assert legal(game) == {"pass", "contra"} | bids(*range(25, 81)) | marked
    play(game, "contra")
    assert (game.seat, legal(game)) == (0, {"pass", "recontra"})
    assert play(game, "pass").phase == "play"


# Naming

NAMES = {"nameC", "nameD", "nameH", "nameS"}


@pytest.mark.parametrize("preset", ["duel", "bela2"])
def test_a_turned_card_in_two_rounds(preset):
    game = table("9C AS", "9D AC", preset=preset, stock_cards="9S")
    seats = []
    for expected in ({"pass", "nameS"}, {"pass", "nameS"}, {"pass"} | NAMES - {"nameS"}, NAMES - {"nameS"}):
        assert (game.phase, legal(game)) == ("auction", expected)
        seats.append(game.seat)
        play(game, "pass" if "pass" in expected else "nameD")
    assert seats == [0, 1, 0, 1]  # the non-dealer, then the dealer, who must name
    assert (game.phase, game.seat) == ("play", 0)  # the non-dealer leads
    assert game.state.public.bidder == 1


@pytest.mark.parametrize("dealer", range(4))
def test_bela_for_four_names_in_turn_and_the_dealer_must(dealer):
    game = table(preset="bela4", dealer=dealer, belot=False)
    for turn in range(4):
        assert game.seat == (dealer + 1 + turn) % 4
        assert legal(game) == NAMES | ({"pass"} if turn < 3 else set())
        play(game, "pass" if turn < 3 else "nameH")
    assert (game.phase, game.seat) == ("play", (dealer + 1) % 4)
    assert play(table(preset="bela4", dealer=dealer, belot=False), "pass nameC").phase == "play"


@pytest.mark.parametrize("dealer", range(3))
def test_bela_for_three_eldest_must_name(dealer):
    game = table(preset="bela3", dealer=dealer)
    assert (game.seat, legal(game)) == ((dealer + 1) % 3, NAMES)
    play(game, "nameD")
    assert (game.phase, game.seat) == ("discard", (dealer + 1) % 3)
