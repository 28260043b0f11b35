"""Which combinations score, worked by hand (rules, section 3)."""

import pytest

from tests.reference.cards import DECK
from tests.tables import WHOLE_SUITS, finish, play, table


def awarded(hands, strain="H", dealer=3) -> list[int]:
    """Points for combinations by side, eldest having bid 8 in `strain`."""
    game = play(table(*hands, dealer=dealer), f"8{strain} pass pass pass pass")
    return finish(game).result["combinations"]


NOTHING = (
    "JH 8H TH AC 7C 8D TS 7S",
    "KH 9H TC 9C AD KD 9S JS",
    "AH 7H KC QC TD 7D AS QS",
    "QH JC 8C 9D JD QD KS 8S",
)


def test_no_combination():
    assert awarded(NOTHING) == [0, 0]


def test_runs_by_length():
    # Seat 0: 8-9-T-J of hearts, 50. Nobody else has any.
    hands = ("JH 9H 8H TH AC 7C 8D TS", "KH 7S TC 9C AD KD 9S JS", *NOTHING[2:])
    assert awarded(hands) == [50, 0]
    # Seat 0: 8-9-T of hearts, 20 (the jack is at seat 1).
    hands = ("7S 9H 8H TH AC 7C 8D TS", "KH JH TC 9C AD KD 9S JS", *NOTHING[2:])
    assert awarded(hands) == [20, 0]
    # Seat 0: 7-8-9-T-J of hearts, 100.
    hands = ("JH 9H 8H TH 7H 7C 8D TS", "KH 7S TC 9C AD AC 9S JS", "AH KD KC QC TD 7D AS QS", NOTHING[3])
    assert awarded(hands) == [100, 0]


def test_a_run_of_eight_is_one_hundred_and_never_split():
    # Each seat holds a run of eight, 100; best is the one in trump: seat 1's diamonds, and seat 3's counts with it.
    assert awarded(WHOLE_SUITS, "D", dealer=0) == [0, 200]


def test_a_four_beats_any_run():
    # Seat 0: four queens, 100. Seat 1: 7-8-9-T-J of spades, 100.
    hands = (
        "QC QD QH QS 7C 8D 9H AS",
        "7S 8S 9S TS JS 8C 9D TH",
        "KS 9C JC AC 7D TD KD 7H",
        "TC KC JD AD 8H JH KH AH",
    )
    assert awarded(hands) == [100, 0]
    assert awarded(hands, "S", dealer=0) == [100, 0]  # also when the run is eldest's and in trump


NINES_AND_ACES = (
    "9C 9D 9H 9S 7C TD QH KS",
    "AC AD AH AS 8C JD KH 7S",
    "TC QC 8D QD 7H TH 8S JS",
    "JC KC 7D KD 8H JH TS QS",
)


def test_the_higher_four():
    # In a suit four nines are 140, four aces 110.
    assert awarded(NINES_AND_ACES, "H") == [140, 0]
    assert awarded(NINES_AND_ACES, "H", dealer=0) == [140, 0]


def test_fours_at_no_trump():
    # At NT four nines are no combination, four aces 190.
    assert awarded(NINES_AND_ACES, "NT") == [0, 190]


@pytest.mark.parametrize("strain", ["H", "NT"])
def test_four_jacks(strain):
    # Seat 3: four jacks, 200, in a suit and at NT; above the four aces of seat 0.
    hands = (
        "AC AD AH AS 7C 8D TH 9S",
        "8C TC 7D 9D KH 9H QS 8S",
        "9C KC TD QD 7H QH KS 7S",
        "JC JD JH JS QC KD 8H TS",
    )
    assert awarded(hands, strain) == [0, 200]


@pytest.mark.parametrize(("dealer", "expected"), [(3, [100, 0]), (0, [0, 100]), (1, [100, 0]), (2, [100, 0])])
def test_equal_fours_go_by_eldest(dealer, expected):
    # Seat 0: four tens, seat 1: four kings, 100 each. From eldest (the seat after the dealer) seat 0 comes first,
    # unless eldest is seat 1.
    hands = (
        "TC TD TH TS 7C 8D 9H AS",
        "KC KD KH KS 8C 7D AH 9S",
        "9C QC JD AD 7H JH 8S QS",
        "JC AC 9D QD 8H QH 7S JS",
    )
    assert awarded(hands, dealer=dealer) == expected


def test_four_sevens_and_eights_are_nothing():
    hands = (
        "7C 7D 7H 7S 8C 8D 8H 8S",
        "9C QC TD KD JH AH 9S QS",
        "TC KC JD AD 9H QH TS KS",
        "JC AC 9D QD TH KH JS AS",
    )
    assert awarded(hands) == [0, 0]


def test_the_longer_run_by_its_true_length():
    # Seat 0: T-J-Q-K-A of spades (five), seat 1: 7 to Q of diamonds (six). Both are worth 100; six is longer, though
    # its top card is lower, eldest sits at 0, and spades are trump.
    hands = (
        "TS JS QS KS AS 7C 9C 8H",
        "7D 8D 9D TD JD QD 8C TC",
        "KD JC KC 7H 9H JH KH 7S",
        "AD QC AC TH QH AH 8S 9S",
    )
    assert awarded(hands, "H") == [0, 100]
    assert awarded(hands, "S") == [0, 100]


def test_the_higher_top_card_even_against_a_run_in_trump():
    # Seat 0: 7-8-9 of clubs, trump; seat 1: T-J-Q of diamonds.
    hands = (
        "7C 8C 9C QC 7D TH 8S KS",
        "TD JD QD AC 7H KH 9S JS",
        "TC KC 8D KD 8H JH AH QS",
        "JC 9D AD 9H QH 7S TS AS",
    )
    assert awarded(hands, "C") == [0, 20]


EQUAL_RUNS = (  # seat 0: 9-T-J of clubs, seat 1: 9-T-J of hearts
    "9C TC JC 7D QD 8H KS AS",
    "9H TH JH 8D KD 7C QS AC",
    "8C KC 9D JD 7H KH 8S TS",
    "QC TD AD QH AH 7S 9S JS",
)


@pytest.mark.parametrize(
    ("strain", "dealer", "expected"),
    [
        ("H", 3, [0, 20]),  # hearts are trump
        ("C", 0, [20, 0]),  # clubs are trump, though seat 1 is eldest
        ("S", 3, [20, 0]),  # neither: seat 0 is eldest
        ("S", 0, [0, 20]),  # seat 1 is
        ("S", 1, [20, 0]),  # seat 2 is; then come 3 and 0
        ("NT", 0, [0, 20]),  # no run is in trump
    ],
)
def test_equal_runs_go_by_trump_then_by_eldest(strain, dealer, expected):
    assert awarded(EQUAL_RUNS, strain, dealer) == expected


def test_the_best_side_scores_all_it_has_and_the_other_nothing():
    # Seat 0: J-Q-K-A of clubs, 50; its partner: 7-8-9 of spades, 20. Seat 1: T-J-Q of spades, better than that 20.
    hands = (
        "JC QC KC AC 7D 9D 8H TH",
        "TS JS QS 7C JD AD KH 9H",
        "7S 8S 9S TC TD KD JH AH",
        "KS AS 8C 9C 8D QD 7H QH",
    )
    assert awarded(hands, "D") == [70, 0]


RUN_AND_FOUR = (  # seat 0: four queens and J-Q-K of hearts
    "QC QD QH QS JH KH 7C 8D",
    "KC AC 9D JD 8H TH 8S KS",
    "TC JC TD KD 7H AH 9S JS",
    "8C 9C 7D AD 9H 7S TS AS",
)


def test_a_card_serves_a_run_and_a_four():
    # 100 + 20 = 120.
    assert awarded(RUN_AND_FOUR, "S") == [120, 0]


@pytest.mark.parametrize(("strain", "expected"), [("H", [20, 0]), ("S", [0, 0]), ("NT", [0, 0])])
def test_blot_is_the_king_and_queen_of_trump(strain, expected):
    # Seat 0 holds both of hearts; of spades the queen only.
    game = play(table(*RUN_AND_FOUR), f"8{strain} pass pass pass pass")
    assert finish(game).result["blot"] == expected


def test_blot_counts_outside_the_comparison():
    # Trump diamonds: seat 1's run of eight is in trump and scores with its partner's. Whoever loses the comparison
    # keeps the blot: here trump hearts, where seat 1 holds J-Q-K-A of spades (50) and seat 2 king and queen of hearts.
    hands = (
        "JH 8H TH AC 7C 8D TS 7S",
        "JS QS KS AS TC 9C AD 9H",
        "KH QH 7H KC TD 7D 9S JC",
        "AH QC 8C 9D JD QD KD 8S",
    )
    # Seat 3: J-Q-K of diamonds with the nine apart (no ten), 20, its partner's: 50 + 20.
    result = finish(play(table(*hands), "8H pass pass pass pass")).result
    assert (result["combinations"], result["blot"]) == ([0, 70], [20, 0])


# What becomes known, and when


@pytest.mark.parametrize(
    ("hands", "points", "classes"),
    [
        (  # 7-8-9 and J-Q-K of one suit: 20 + 20
            (
                "7H 8H 9H JH QH KH 7C 8D",
                "KC AC 9D JD AH TS 8S KS",
                "TC JC TD KD TH QS 9S JS",
                "8C 9C QC 7D AD QD 7S AS",
            ),
            40,
            ["terz", "two terzes"],
        ),
        (  # 7-8-9-T and Q-K-A of one suit: 50 + 20
            (
                "7C 8C 9C TC QC KC AC 9H",
                "JC 7D TD KD 8H QH 8S JS",
                "8D JD AD 7H TH KH 9S QS",
                "9D QD JH AH 7S TS KS AS",
            ),
            70,
            ["terz", "fifty"],
        ),
        (  # 7-8-9-T of two suits: 50 + 50
            (
                "7C 8C 9C TC 7D 8D 9D TD",
                "JC KC JD 7H TH KH 8S JS",
                "QC AC QD 8H JH AH 9S QS",
                "KD AD 9H QH 7S TS KS AS",
            ),
            100,
            ["fifty", "two fifties"],
        ),
        (  # four queens and four kings: 100 + 100
            (
                "QC QD QH QS KC KD KH KS",
                "7C TC 8D JD 9H AH 7S TS",
                "8C JC 9D AD 7H TH 8S JS",
                "9C AC 7D TD 8H JH 9S AS",
            ),
            200,
            ["four", "two fours"],
        ),
    ],
)
def test_two_combinations_in_a_hand(hands, points, classes):
    assert awarded(hands, "S") == [points, 0]
    game = play(table(*hands), "8S pass pass pass pass")
    play(game, game.legal_actions()[0])
    assert announced(game) == [[*classes, "has spoken"], [], [], []]


def announced(game) -> list[list[str]]:
    """Per seat what it has announced, as every seat sees it."""
    names = ["terz", "two terzes", "fifty", "two fifties", "hundred", "four", "two fours", "has spoken"]
    bits = [int(bits) for bits in game.view(0)[0].public.announced]
    for seat in (1, 2, 3):
        assert [int(bits) for bits in game.view(seat)[0].public.announced] == bits
    return [[name for bit, name in enumerate(names) if seen >> bit & 1] for seen in bits]


def shown(game) -> list[set[str]]:
    return [{card for i, card in enumerate(DECK) if int(cards) >> i & 1} for cards in game.view(0)[0].public.shown]


def test_announced_with_the_first_card_and_shown_after_the_first_trick():
    # Seat 0: four queens and J-Q-K of hearts; nobody else has anything.
    game = play(table(*RUN_AND_FOUR), "8S pass pass pass pass")
    assert announced(game) == [[], [], [], []]
    play(game, "7C")
    assert announced(game) == [["terz", "four", "has spoken"], [], [], []]
    play(game, "KC JC")
    assert announced(game) == [["terz", "four", "has spoken"], ["has spoken"], ["has spoken"], []]
    assert shown(game) == [set(), set(), set(), set()]
    assert list(game.view(1)[0].public.combinations[:2]) == [0, 0]
    play(game, "9C")
    assert shown(game) == [{"QC", "QD", "QH", "QS", "JH", "KH"}, set(), set(), set()]
    assert list(game.view(1)[0].public.combinations[:2]) == [120, 0]


def test_only_the_side_that_scores_is_shown():
    # All have a run of eight; clubs are trump.
    game = play(table(*WHOLE_SUITS), "8C pass pass pass pass 7C 7D 7H 7S")
    assert announced(game) == [["hundred", "has spoken"]] * 4
    assert shown(game) == [set(WHOLE_SUITS[0].split()), set(), set(WHOLE_SUITS[2].split()), set()]


def test_the_blot_is_public_with_its_second_card():
    # Seat 0 holds all clubs, which are trump, and leads the king, then the queen.
    game = play(table(*WHOLE_SUITS), "8C pass pass pass pass KC 7D 7H 7S")
    assert list(game.view(1)[0].public.blot[:2]) == [0, 0]
    play(game, "QC")
    assert list(game.view(1)[0].public.blot[:2]) == [20, 0]


# The other games


def of(preset: str, hands, calls: str, dealer: int | None = None, **fields) -> dict:
    """The result of a deal in which all that can be announced and shown is."""
    game = play(table(*hands, preset=preset, dealer=dealer, **fields), calls)
    while game.phase != "over":
        game.play(game.phase if game.phase in ("announce", "show") else game.legal_actions()[0])
    return game.result


FOURS = (  # seat 0: four jacks, seat 1: four nines, seat 2: four aces
    "JC JD JH JS 7C 7D 8H 8S",
    "9C 9D 9H 9S 7H 7S KC QD",
    "AC AD AH AS 8C 8D TH TS",
    "TC TD QC KD KH KS QH QS",
)
EIGHTS = (  # seat 0: four eights
    "8C 8D 8H 8S JC QD KH AS",
    "7C 9C QC 7D TD KD 9H JS",
    "TC KC 9D JD 7H TH 7S TS",
    "AC AD AH QH JH 9S QS KS",
)


@pytest.mark.parametrize(
    ("preset", "strain", "combinations"),
    [
        ("bazar-alltrump", "H", [310, 0]),  # 200, and 110 for the partner's aces
        ("bazar-alltrump", "AT", [310, 0]),
        ("bazar-alltrump", "NT", [290, 0]),  # aces are best: 190, and jacks 100
        ("hayblot", "NT", [310, 0]),  # as in a suit
        ("bazar-classic", "NT", [290, 0]),
        ("bazar", "NT", [390, 0]),  # 200 and 190
    ],
)
def test_values_of_fours(preset, strain, combinations):
    calls = f"8{strain} pass pass pass" + " pass" * (preset == "bazar")
    assert of(preset, FOURS, calls)["combinations"] == combinations


@pytest.mark.parametrize(
    ("preset", "strain", "combinations"),
    [("bazar-alltrump", "NT", [100, 0]), ("bazar-alltrump", "AT", [0, 0]), ("hayblot", "NT", [0, 0])],
)
def test_four_eights_are_something_at_no_trump_with_all_trump(preset, strain, combinations):
    assert of(preset, EIGHTS, f"8{strain} pass pass pass")["combinations"] == combinations


@pytest.mark.parametrize(("strain", "blot"), [("AT", [40, 40]), ("C", [20, 0]), ("D", [0, 20]), ("NT", [0, 0])])
def test_blots_at_all_trump(strain, blot):
    assert of("bazar-alltrump", WHOLE_SUITS, f"8{strain} pass pass pass")["blot"] == blot


def test_no_run_is_in_trump_at_all_trump():
    calls = "8AT pass pass pass"
    assert of("bazar-alltrump", EQUAL_RUNS, calls, dealer=3)["combinations"] == [20, 0]
    assert of("bazar-alltrump", EQUAL_RUNS, calls, dealer=0)["combinations"] == [0, 20]


def test_classic_compares_runs_by_class():
    # Seat 0: T-J-Q-K-A of spades, seat 1: 7 to Q of diamonds, both hundreds: the higher top card.
    hands = ("TS JS QS KS AS 7C 9C 8H", "7D 8D 9D TD JD QD 8C TC", "KD JC KC 7H 9H JH KH 7S", "AD QC AC TH QH AH 8S 9S")
    for preset, combinations in (("bazar-classic", [100, 0]), ("blotstar", [100, 0]), ("hayblot", [0, 100])):
        assert of(preset, hands, "8H pass pass pass")["combinations"] == combinations


KINGS_AND_QUEENS = (  # seat 0: four queens; seat 1: four kings
    "QC QD QH QS 7C 8D 9H AS",
    "KC KD KH KS 8C 7D AH 9S",
    "9C TC JD AD 7H JH 8S TS",
    "JC AC 9D TD 8H TH 7S JS",
)


def test_classic_compares_equal_fours_by_rank_and_blotstar_by_eldest():
    for calls in ("8H pass pass pass", "8NT pass pass pass"):  # the king is stronger, at trump and at no trump
        assert of("bazar-classic", KINGS_AND_QUEENS, calls)["combinations"] == [0, 100]
        assert of("blotstar", KINGS_AND_QUEENS, calls)["combinations"] == [100, 0]


def test_blotstar_has_no_better_run_in_trump():
    calls = "8H pass pass pass"  # seat 1's terz is in hearts; seat 0 is eldest
    assert of("blotstar", EQUAL_RUNS, calls)["combinations"] == [20, 0]
    assert of("bazar-classic", EQUAL_RUNS, calls)["combinations"] == [0, 20]


@pytest.mark.parametrize(
    ("hands", "combinations"),
    [
        (FOURS, [300, 0]),  # 200, and aces 100
        (NINES_AND_ACES, [150, 0]),
        (EIGHTS, [0, 0]),
        (KINGS_AND_QUEENS, [100, 0]),  # eldest
    ],
)
def test_fours_of_bela(hands, combinations):
    assert of("bela4", hands, "nameH", trick_needed=False)["combinations"] == combinations


def test_bela_compares_points_then_eldest():
    # Seat 0: 7-8-9 of hearts, trump; seat 1: T-J-Q of diamonds; both 20. Seat 0 leads and takes a trick.
    hands = ("7H 8H 9H TC KD AS KS 7C", "TD JD QD KC AH 7S 8S JH", "9S QS TS QC AD 7D KH TH", "8C 9C JC AC 8D 9D QH JS")
    for dealer, combinations in ((3, [20, 0]), (0, [0, 20]), (1, [20, 0])):
        assert of("bela4", hands, "nameH", dealer=dealer, trick_needed=False)["combinations"] == combinations


def test_the_duel_has_runs_and_no_fours():
    # Seat 0: four aces and nothing else; seat 1 draws T-J-Q of spades.
    hands, stock = ("AC AD AH AS 9C", "TS JS QS 9D KH"), "9H TC KD JC TD QH"
    result = of("duel", hands, "nameH", stock_cards=stock)
    assert result["combinations"] == [0, 20]


@pytest.mark.parametrize(
    ("hand", "other", "classes", "points"),
    [
        ("7C 8C 9C 7D 8D 9D 7H 8H 9H KS", "TC QC AC TD QD AD JH KH TS JS", ["terz"] * 3, 60),
        ("7C 8C 9C JC QC KC 7D 8D 9D KS", "TC AC TD QD AD 7H 9H JH TS JS", ["terz"] * 3, 60),
        ("7C 8C 9C TC JC TS JS QS KS AS", "QC AC TD QD AD 7H 9H JH 7S 9S", ["hundred"] * 2, 200),
        ("7C 8C 9C TC 7S 8S 9S TS TD TH", "QC AC QD AD 7H 9H JH QS AS 7D", ["fifty", "fifty", "four"], 200),
    ],
)
def test_all_that_ten_cards_hold_is_announced(hand, other, classes, points):
    game = play(table(hand, other, preset="bela2", stock_cards="KD"), "pass pass nameS")
    assert game.message(1)["announced"] == [None, None]
    play(game, hand.split()[0])
    assert sorted(game.message(1)["announced"][0]) == classes
    play(game, game.legal_actions()[0])
    assert list(game.state.public.combinations[:2]) == [points, 0]
