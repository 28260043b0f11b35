"""House rules of play, card points and combinations."""

import pytest

from tests.blot_env.test_combinations import EQUAL_RUNS, NINES_AND_ACES
from tests.blot_env.test_scoring import BLOT, HEARTS_80, NO_TRUMP_85, SPLIT, cards
from tests.house import covers
from tests.tables import WHOLE_SUITS, Game, finish, legal, play, table

HEARTS = "8H pass pass pass pass"  # by seat 0, which leads
CLASSIC = "8H pass pass pass"


# Play


@covers("must_beat")
def test_must_beat_in_every_suit():
    hands = ("KC", "7C AC 9H JH 7D 8D 7S 8S")
    for must_beat, cards_ in (("trump", {"7C", "AC"}), ("all", {"AC"})):
        assert legal(play(table(*hands, must_beat=must_beat), f"{HEARTS} KC")) == cards_
        assert legal(play(table(*hands, preset="bela4", must_beat=must_beat), "nameH KC")) == cards_
        assert legal(play(table(*hands, must_beat=must_beat), "8NT pass pass pass pass KC")) == {"7C", "AC"}


@covers("must_beat")
def test_a_plain_suit_that_has_been_trumped_need_not_be_beaten():
    hands = ("7C", "7H 7D 8D 9D 7S 8S 9S TS", "8C AC KD AD QD JD KS AS")
    assert legal(play(table(*hands, must_beat="all"), f"{HEARTS} 7C 7H")) == {"8C", "AC"}


@covers("must_trump")
def test_must_trump_though_the_partner_holds_the_trick():
    hands = ("AC", "7C 8C 9D TD 7S 8S 9S JS", "QH TH 9H JD QD KD QS KS")
    for must_trump, cards_ in (("always", {"QH", "TH", "9H"}), ("unless_partner_wins", set(hands[2].split()))):
        assert legal(play(table(*hands, must_trump=must_trump), f"{HEARTS} AC 7C")) == cards_
        assert legal(play(table(*hands, preset="bela4", must_trump=must_trump), "nameH AC 7C")) == cards_


@covers("cannot_overtrump")
def test_must_undertrump():
    hands = ("7C", "JH 7D 8D 9D 7S 8S 9S JS", "QH TH 9H JD QD KD QS KS", "8C 9C")
    for otherwise, cards_ in (("undertrump", {"QH", "TH", "9H"}), ("free", set(hands[2].split()))):
        assert legal(play(table(*hands, cannot_overtrump=otherwise), f"{HEARTS} 7C JH")) == cards_
        assert legal(play(table(*hands, preset="bela4", cannot_overtrump=otherwise), "nameH 7C JH")) == cards_


# Card points. The tricks are those of test_scoring.


@covers("points_trump", "points_plain")
def test_other_points_in_a_suit():
    usual = play(table(*SPLIT), f"{HEARTS} {cards(HEARTS_80)}").result
    assert usual["card_points"] == [80, 82]
    jack = play(table(*SPLIT, points_trump=[0, 0, 14, 10, 30, 3, 4, 11]), f"{HEARTS} {cards(HEARTS_80)}").result
    assert jack["card_points"] == [90, 82]  # seat 0 took its own jack
    aces = play(table(*SPLIT, points_plain=[0, 0, 0, 10, 2, 3, 4, 12]), f"{HEARTS} {cards(HEARTS_80)}").result
    assert aces["card_points"] == [82, 83]  # spades and clubs; diamonds


@covers("points_nt")
def test_other_points_at_no_trump():
    calls = f"8NT pass pass pass pass {cards(NO_TRUMP_85)}"
    assert play(table(*SPLIT), calls).result["card_points"] == [85, 77]
    # Each side took two aces, which are 11 instead of 19.
    house = table(*SPLIT, points_nt=[0, 0, 0, 10, 2, 3, 4, 11])
    assert play(house, calls).result["card_points"] == [69, 61]


@covers("points_at")
def test_all_trump_that_holds_162():
    calls = "8AT pass pass pass"
    assert finish(play(table(*WHOLE_SUITS, preset="bazar-alltrump"), calls)).result["card_points"] == [258, 0]
    # 14 + 9 + 6 + 4 + 3 + 2 = 38 a suit, four times, and 10.
    house = table(*WHOLE_SUITS, preset="bazar-alltrump", points_at=[0, 0, 9, 6, 14, 2, 3, 4])
    assert finish(play(house, calls)).result["card_points"] == [162, 0]


@covers("last_trick")
def test_last_trick():
    house = table(*SPLIT, last_trick=0)  # in HEARTS_80 it is of side 1
    assert play(house, f"{HEARTS} {cards(HEARTS_80)}").result["card_points"] == [80, 72]


# Combinations


def awarded(*hands: str, calls: str = HEARTS, dealer: int = 3, **fields) -> list[int]:
    return finish(play(table(*hands, dealer=dealer, **fields), calls)).result["combinations"]


@covers("runs")
def test_other_runs():
    assert awarded(*EQUAL_RUNS) == [0, 20]
    assert awarded(*EQUAL_RUNS, runs=[30, 60, 120]) == [0, 30]
    assert awarded(*WHOLE_SUITS, calls="8C pass pass pass pass", runs=[30, 60, 120]) == [240, 0]


EIGHTS = (
    "7C 7D 7H 7S 8C 8D 8H 8S",
    "9C QC TD KD JH AH 9S QS",
    "TC KC JD AD 9H QH TS KS",
    "JC AC 9D QD TH KH JS AS",
)


@covers("fours", "fours_nt")
def test_fours_with_other_values():
    no_trump = "8NT pass pass pass pass"
    assert awarded(*EIGHTS) == [0, 0]
    assert awarded(*EIGHTS, fours=[30, 40, 0, 0, 0, 0, 0, 0]) == [70, 0]
    assert awarded(*NINES_AND_ACES, calls=no_trump) == [0, 190]  # nines are nothing at NT, aces 190
    assert awarded(*NINES_AND_ACES, calls=no_trump, fours_nt=[0, 0, 140, 0, 0, 0, 0, 110]) == [140, 0]


@covers("worthless_fours")
def test_a_four_without_points_that_beats_a_run():
    # Seat 0: four sevens; seat 1: 9-T-J of spades.
    hands = (
        "7C 7D 7H 7S AC 9D KH QS",
        "9S TS JS 8C KD QH 8D QC",
        "8H TH 9C JC AD KS QD 8S",
        "TC KC TD JD 9H JH AH AS",
    )
    assert awarded(*hands) == [0, 20]
    assert awarded(*hands, worthless_fours=True) == [0, 0]


FOUR_AND_RUN = (  # seat 0: four queens, seat 1: 7-8-9-T-J of spades, 100 each
    "QC QD QH QS 7C 8D 9H AS",
    "7S 8S 9S TS JS 8C 9D TH",
    "KS 9C JC AC 7D TD KD 7H",
    "TC KC JD AD 8H JH KH AH",
)


@covers("combination_order")
def test_kinds_or_points():
    assert awarded(*FOUR_AND_RUN, dealer=0) == [100, 0]
    assert awarded(*FOUR_AND_RUN, dealer=0, combination_order="points") == [0, 100]  # equal: seat 1 is eldest
    bela = {"preset": "bela4", "calls": "nameH", "dealer": 0}
    assert awarded(*FOUR_AND_RUN, **bela, trick_needed=False) == [0, 100]
    assert awarded(*FOUR_AND_RUN, **bela, trick_needed=False, combination_order="kind") == [100, 0]


@covers("run_order")
def test_runs_by_length_or_class():
    # Seat 0: T-J-Q-K-A of spades; seat 1: 7 to Q of diamonds, longer but with a lower top. Both are hundreds.
    hands = (
        "TS JS QS KS AS 7C 9C 8H",
        "7D 8D 9D TD JD QD 8C TC",
        "KD JC KC 7H 9H JH KH 7S",
        "AD QC AC TH QH AH 8S 9S",
    )
    assert awarded(*hands, run_order="length") == [0, 100]
    assert awarded(*hands, run_order="class") == [100, 0]
    for order, points in (("length", [0, 100]), ("class", [100, 0])):
        assert awarded(*hands, calls=CLASSIC, preset="blotstar", run_order=order) == points


@covers("four_tie")
def test_fours_of_equal_value():
    # Seat 0: four tens, seat 1, which is eldest: four kings; 100 each. The ten is the stronger card.
    hands = (
        "TC TD TH TS 7C 8D 9H AS",
        "KC KD KH KS 8C 7D AH 9S",
        "9C QC JD AD 7H JH 8S QS",
        "JC AC 9D QD 8H QH 7S JS",
    )
    assert awarded(*hands, dealer=0, four_tie="eldest") == [0, 100]
    assert awarded(*hands, dealer=0, four_tie="rank") == [100, 0]
    # At no trump jacks are 100 too, where the jack is the weakest of them.
    jacks = tuple(hand.replace("T", "x").replace("J", "T").replace("x", "J") for hand in hands)
    fours_nt = [0, 0, 0, 100, 100, 100, 100, 190]
    no_trump = {"calls": "8NT pass pass pass pass", "fours_nt": fours_nt, "dealer": 3}
    assert awarded(*jacks, **no_trump, four_tie="eldest") == [100, 0]
    assert awarded(*jacks, **no_trump, four_tie="rank") == [0, 100]


@covers("trump_run_is_better")
def test_a_run_in_trump_that_is_not_better():
    clubs = {"calls": "8C pass pass pass pass", "dealer": 0}  # clubs at seat 0; eldest is seat 1
    assert awarded(*EQUAL_RUNS, **clubs) == [20, 0]
    assert awarded(*EQUAL_RUNS, **clubs, trump_run_is_better=False) == [0, 20]


@covers("trick_needed", "belot")
def test_combinations_without_a_trick():
    # Seat 0 names clubs, all of which it holds, and takes all tricks. Eldest is seat 1, whose run is the first of four
    # equal ones, but its side takes no trick: its runs are lost and block the others.
    bela = {"preset": "bela4", "dealer": 0, "belot": False}
    needed = finish(play(table(*WHOLE_SUITS, **bela), "pass pass pass nameC")).result
    assert (needed["combinations"], needed["blot"], needed["points"]) == ([0, 0], [20, 0], [272, 0])
    free = finish(play(table(*WHOLE_SUITS, **bela, trick_needed=False), "pass pass pass nameC")).result
    assert (free["combinations"], free["points"]) == ([0, 200], [272, 200])
    house = finish(play(table(*WHOLE_SUITS, dealer=0, trick_needed=True), "pass pass pass 8D pass pass pass pass"))
    assert house.result["combinations"] == [0, 200]  # seat 1 leads its trumps


@covers("belot")
def test_belot():
    bazar = play(table(*WHOLE_SUITS, belot=True), "pass 8NT pass pass pass pass")
    assert (bazar.phase, bazar.winner, bazar.result["points"]) == ("over", 0, [0, 0])  # the first from eldest
    assert play(table(*WHOLE_SUITS, preset="bela4"), "nameC").phase == "over"
    assert play(table(*WHOLE_SUITS, preset="bela4", belot=False), "nameC").phase == "play"


@covers("blot")
def test_a_blot_of_other_points():
    assert finish(play(table(*BLOT, blot=40), HEARTS)).result["blot"] == [40, 0]


@covers("blot_at")
def test_blots_at_all_trump():
    for counts, blot in ((True, [40, 40]), (False, [0, 0])):
        game = table(*WHOLE_SUITS, preset="bazar-alltrump", blot_at=counts)
        assert finish(play(game, "8AT pass pass pass")).result["blot"] == blot


@covers("blot_compared")
def test_a_blot_that_is_compared():
    # Hearts are trump, king and queen at seat 2. Side 1 holds J-Q-K-A of spades and J-Q-K of diamonds.
    hands = (
        "JH 8H TH AC 7C 8D TS 7S",
        "JS QS KS AS TC 9C AD 9H",
        "KH QH 7H KC TD 7D 9S JC",
        "AH QC 8C 9D JD QD KD 8S",
    )
    for compared, blot in ((False, [20, 0]), (True, [0, 0])):
        result = finish(play(table(*hands, blot_compared=compared), HEARTS)).result
        assert (result["combinations"], result["blot"]) == ([0, 70], blot)
        # Where there is nothing else, it is the best.
        assert finish(play(table(*BLOT, blot_compared=compared), HEARTS)).result["blot"] == [20, 0]


# Announcing and showing

TERZ = (  # seat 1: 7-8-9 of spades; nobody else has a combination
    "AC 8C TH QH JD AD TS QS",
    "KC JC 7H 9H KD 7S 8S 9S",
    "7C 9C 8H KH TD QD KS 7D",
    "TC QC JH AH JS AS 8D 9D",
)


@covers("announce")
def test_announcing_by_choice_or_not():
    asked = play(table(*TERZ, announce="by_choice"), f"{HEARTS} AC")
    assert (asked.seat, asked.phase, legal(asked)) == (1, "announce", {"pass", "announce"})
    silent = finish(play(asked, "pass"))
    assert silent.result["combinations"] == [0, 0]
    automatic = play(table(*TERZ, preset="bazar-classic", announce="automatic"), f"{CLASSIC} AC")
    assert automatic.phase == "play"
    assert finish(automatic).result["combinations"] == [0, 20]


@covers("announce")
def test_two_against_the_namer_show_one_after_the_other():
    # Seat 1: 7-8-9 of diamonds; seat 2: T-J-Q-K of spades; the namer has nothing.
    hands = (
        "9C JC QC AC TD QD KD KH AH 7S",
        "7D 8D 9D JD 7H 9H JH 7C KC 8S",
        "TS JS QS KS 8H TH QH 8C TC AD",
    )
    game = table(*hands, preset="bela3", announce="by_choice", stock_cards="9S AS")
    play(game, "nameC 7S 9S AH announce 7H announce 8H KH 9H")
    assert (game.seat, game.phase) == (2, "show")  # the better one, before its second card
    play(game, "show")
    assert list(game.state.public.combinations[:3]) == [0, 0, 50]
    play(game, "QH JC")
    assert (game.seat, game.phase) == (1, "show")  # then who plays with it
    play(game, "show")
    assert list(game.state.public.combinations[:3]) == [0, 20, 50]


@covers("bluff")
def test_announcing_what_one_does_not_hold():
    assert play(table(*TERZ, preset="bazar-classic"), CLASSIC).phase == "play"
    game = play(table(*TERZ, preset="bazar-classic", bluff=True), CLASSIC)
    assert (game.seat, legal(game)) == (0, {"pass", "announce"})
    play(game, "announce AC announce JC pass 7C pass TC 8C")
    assert (game.seat, legal(game)) == (1, {"pass", "show"})  # a real one comes first
    play(game, "pass KC 9C QC 7H 8H AH")
    assert (game.seat, game.phase, legal(game)) == (0, "show", {"pass"})


LATE = (  # seat 0: 7-8-9 of clubs, seat 1: T-J-Q of diamonds
    "7C 8C 9C AS KS 7D TH QH",
    "TD JD QD 7H 9H TC 8S JS",
    "8D KD AC QC 8H KH 7S TS",
    "JC KC 9D AD JH AH 9S QS",
)


@covers("late_claims")
def test_who_has_played_to_the_second_trick():
    def withheld(**fields) -> Game:
        calls = f"{CLASSIC} announce AS announce 8S 7S 9S KS pass JS TS QS 8D 9D"
        return play(table(*LATE, preset="bazar-classic", **fields), calls)

    asked = withheld()
    assert (asked.seat, asked.phase) == (0, "show")  # before its third card
    assert finish(play(asked, "show")).result["combinations"] == [20, 0]
    late = withheld(late_claims=False)
    assert (late.seat, late.phase) == (0, "play")
    assert finish(late).result["combinations"] == [0, 0]


@pytest.mark.nojit
@covers("late_claims")
def test_a_claimant_who_leads_to_the_second_trick_is_in_time():
    game = play(table(*LATE, preset="bazar-classic", late_claims=False), f"{CLASSIC} announce AS pass 8S 7S 9S")
    assert (game.seat, game.phase) == (0, "show")
