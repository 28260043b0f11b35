"""Between auction and play: drawing, taking up, the seven, discards and belot (rules, sections 7 and 8)."""

import pytest

from tests.tables import WHOLE_SUITS, finish, legal, play, table


def hand(game, seat: int) -> set[str]:
    return set(game.hands[seat].split())


# The duel

DUEL = {"preset": "duel", "stock_cards": "9S TS JS QS KS AS 9D TD JD QD KD AD"}
OWN, OTHERS = "9C TC JC QC KC", "9H TH JH QH KH"


@pytest.mark.parametrize(
    ("calls", "taker"), [("nameS", 0), ("pass nameS", 1), ("pass pass nameH", 0), ("pass pass pass nameC", 1)]
)
def test_the_taker_draws_the_turned_card_and_two_more(calls, taker):
    game = play(table(OWN, OTHERS, **DUEL), calls)
    drawn = [{"9S", "TS", "JS"}, {"QS", "KS", "AS"}]
    first, second = (drawn, drawn[::-1])[taker]
    assert hand(game, 0) == set(OWN.split()) | first
    assert hand(game, 1) == set(OTHERS.split()) | second
    assert (game.phase, game.seat) == ("play", 0)


def test_each_sees_five_cards_before():
    game = table(OWN, OTHERS, **DUEL)
    assert [len(cards.split()) for cards in game.hands] == [5, 5]
    assert len(game.record()["stock"].split()) == 14


def test_a_duel_that_fails():
    # Seat 0 names clubs, of which it holds none. It draws 9S QH KS, seat 1 TC TD TS; undealt are K Q J of clubs, 27, of
    # diamonds, 9, and Q J of spades, 5: 41. Seat 1 takes all tricks:
    tricks = """
    AH 9C  11 + 14
    AC 9H  11
    TC QH  10 + 3
    AD JH  11 + 2
    TD 9S  10
    9D KH  4
    AS KS  11 + 4
    TS TH  20, and 10: 121
    """
    cards = " ".join(word for line in tricks.splitlines() for word in line.split()[:2])
    stock = "9S QH KS TC TD TS KC QC JC KD QD JD QS JS"
    game = table("JH 9H AH TH KH", "AC AD AS 9C 9D", preset="duel", stock_cards=stock)
    result = play(game, f"pass pass nameC {cards}").result
    # The run from 9 to A of hearts is 100, all tricks are 90. 100 is not more than 121; r(100 + 211 + 41) = 35.
    assert (result["card_points"], result["raw"]) == ([0, 121], [100, 211])
    assert (result["made"], result["points"], result["match_winner"]) == (False, [0, 35], None)


# Bela for two: the seven

SWAP = {"preset": "bela2", "stock_cards": "AH TC"}
SEVEN = "7H 8D 9D TD 9S TS KC QC JC 8S"


@pytest.mark.parametrize(
    ("hands", "calls", "asked"),
    [
        ((SEVEN, "7D 8H"), "nameH", 0),  # the namer
        ((SEVEN, "7D 8H"), "pass nameH", 0),  # or the other
        (("7D 8H", SEVEN), "nameH", 1),
        ((SEVEN, "7D 8H"), "pass pass nameD", None),  # another suit is trump
        (("8S 8D 9D TD 9S TS KC QC JC 7H", "7D 8H"), "nameH", None),  # the seven lies face down
    ],
)
def test_who_is_asked_to_swap(hands, calls, asked):
    game = play(table(*hands, **SWAP), calls)
    assert game.phase == ("play" if asked is None else "swap")
    if asked is not None:
        assert (game.seat, legal(game)) == (asked, {"pass", "swap"})
        assert [len(cards.split()) for cards in game.hands] == [6, 6]  # before the four are taken up


@pytest.mark.parametrize(("answer", "given", "kept"), [("swap", "7H", "AH"), ("pass", "AH", "7H")])
def test_the_seven_for_the_turned_card(answer, given, kept):
    game = play(table(SEVEN, "7D 8H KH 9H", **SWAP), f"nameH {answer}")
    cards = set(SEVEN.split())
    assert hand(game, 0) == cards - {given} | {kept}
    assert (game.phase, game.seat) == ("play", 0)


def test_the_card_swapped_away_counts_for_nobody():
    totals = {}
    for answer in ("swap", "pass"):
        game = play(table(SEVEN, "7D 8H KH 9H", **SWAP), f"nameH {answer}")
        totals[answer] = sum(finish(game).result["card_points"])
    assert totals["swap"] == totals["pass"] + 11  # the ace for the seven


def test_a_belot_through_the_swap():
    # Seat 0 holds all hearts but the ace, which it swaps the seven for: that is no belot; nor is it without.
    hearts = "7H 8H 9H TH JH QH KH"
    for answer in ("swap", "pass"):
        assert play(table(hearts, **SWAP), f"nameH {answer}").phase == "play"


# Bela for four and for three


def test_two_cards_are_taken_up_when_trump_is_named():
    game = table(preset="bela4", belot=False)
    assert [len(cards.split()) for cards in game.hands] == [6] * 4
    dealt = [set(cards.split()) for cards in game.record()["hands"]]
    play(game, "pass nameS")
    assert [hand(game, seat) for seat in range(4)] == dealt
    assert (game.phase, game.seat) == ("play", 0)  # eldest leads


def test_the_namer_takes_up_six_and_discards_two():
    game = play(table("7C 8C 9D TD JH QH KS AS 7H 8H", preset="bela3", stock_cards="AC AD"), "nameC")
    twelve = set("7C 8C 9D TD JH QH KS AS 7H 8H AC AD".split())
    assert (game.phase, hand(game, 0), legal(game)) == ("discard", twelve, twelve)
    assert [len(game.hands[seat].split()) for seat in (1, 2)] == [10, 10]
    play(game, "AD")  # any of them
    assert (game.phase, game.seat, legal(game)) == ("discard", 0, twelve - {"AD"})
    play(game, "7C")
    assert (game.phase, game.seat, legal(game)) == ("play", 0, twelve - {"AD", "7C"})
    assert sum(finish(game).result["card_points"]) == 162 - 11  # the ace counts for nobody


def test_a_namer_who_takes_nothing():
    # Seat 1 holds all clubs, which seat 0 has named, and takes all ten tricks.
    hands = ("7D 8D 9D 7H 8H 9H 7S 8S 9S TS", "7C 8C 9C TC JC QC KC AC AD AH", "KD QD JD TD KH QH JH TH AS KS")
    game = play(table(*hands, preset="bela3", stock_cards="QS JS", belot=False), "nameC 7D 7H 8D AD TD AH TH 8H")
    result = finish(game).result
    # The best combination is seat 0's from 7 to Q of spades: 100, as is seat 1's, but it is eldest. Without a trick it
    # is lost, and blocks the others'. Seat 1: 162, blot 20, all tricks 90.
    assert (result["tricks"], result["combinations"], result["raw"]) == ([0, 10, 0], [0, 0, 0], [0, 272, 0])
    assert (result["made"], result["points"]) == (False, [0, 272, 0])


# Belot


@pytest.mark.parametrize(("dealer", "winner"), [(3, 0), (0, 1), (1, 0), (2, 1)])
def test_the_first_belot_from_eldest_wins_the_match(dealer, winner):
    game = play(table(*WHOLE_SUITS, preset="bela4", dealer=dealer), "pass nameS")
    nothing = [0, 0]
    assert game.phase == "over"
    assert game.result == {
        "contract": "nameS",
        "number": None,
        "bidder": (dealer + 2) % 4,
        "contra": 0,
        **dict.fromkeys(("tricks", "card_points", "raw", "combinations", "blot", "points"), nothing),
        "made": None,
        "match_winner": winner,
    }
    assert game.winner == winner


def test_a_belot_is_looked_for_after_the_discards():
    hands = ("7C 8C 9C TC JC QC KC AC AD AH", "7D 8D 9D TD JD QD KD 7S 8H 9H")
    game = table(*hands, preset="bela3", stock_cards="TH JH")
    assert play(game.copy(), "nameH TH JH").winner == 0
    kept = play(game.copy(), "nameH TH 7C")
    assert (kept.phase, kept.winner) == ("play", None)


def test_all_cards_but_one_are_no_belot():
    hands = ("8C 9C TC JC QC KC AC 7D", "7C 8D 9D TD JD QD KD AD", "7H 8H 9H TH JH QH KH 7S", "AH")
    assert play(table(*hands, preset="bela4"), "nameC").phase == "play"
