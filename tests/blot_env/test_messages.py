"""A seat's message holds all that the seat needs to decide, and wrong messages are answered with what is wrong."""

import copy
import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blot_env import RULESETS, Decisions, Game, RecordError, RulesError, decision_from_message, load_rules
from tests.fuzz import Players, random_board
from tests.reference import Reference
from tests.rule_sets import random_fields
from tests.tables import play, table

Message = dict[str, Any]

HOUSE_RULES = [
    ("bazar-classic", {"announce": "automatic"}),
    ("bazar-classic", {"bluff": True}),
    ("bazar-classic", {"late_claims": False, "run_order": "length"}),
    ("bazar", {"announce": "by_choice", "combination_order": "points"}),
    ("bazar", {"blot_compared": True, "must_beat": "all"}),
    ("bela4", {"announce": "by_choice"}),
    ("bela3", {"auction": "named", "forced_dealer": True}),
    ("bela3", {"announce": "by_choice", "auction": "named"}),
    ("bela2", {"announce": "by_choice", "bluff": True}),
    ("duel", {"combination_order": "points", "run_order": "class"}),
    ("bela3", {"combination_order": "points", "runs": [20, 20, 20]}),
]


def wire(message: Message) -> Message:
    return json.loads(json.dumps(message))


def deal(number: int, preset: str, fields: dict[str, Any]) -> Iterator[Game]:
    """A deal of players that bid, name, swap, announce and show now and then: the game before each action."""
    rng = random.Random(f"{number} {preset}")
    board = random_board(rng, preset, fields)
    reference, players, game = Reference(board), Players(rng), Game.from_record(board)
    while game.phase != "over":
        yield game
        action = players.choose(reference)
        reference.play(action)
        game.play(action)


def assert_tells_all(game: Game) -> None:
    decision, own = decision_from_message(game.rules, wire(game.message())), game.decision()
    assert decision.views.tobytes() == own.views.tobytes()
    np.testing.assert_array_equal(decision.observations, own.observations)
    np.testing.assert_array_equal(decision.masks, own.masks)


def phases(preset: str, fields: dict[str, Any], deals: int) -> set[str]:
    """Check the messages of some deals; the phases in which they came."""
    met = set()
    for number in range(deals):
        for game in deal(number, preset, fields):
            met.add(game.phase)
            assert_tells_all(game)
    return met


OWN_PHASES = {"bazar-classic": {"announce", "show"}, "bela3": {"discard"}, "bela2": {"swap"}}


@pytest.mark.parametrize("preset", RULESETS)
def test_a_message_tells_all_that_the_seat_knows(preset):
    assert phases(preset, {}, 10) == {"auction", "play"} | OWN_PHASES.get(preset, set())


@pytest.mark.parametrize(("preset", "fields"), HOUSE_RULES)
def test_a_message_tells_all_under_house_rules(preset, fields):
    met = phases(preset, fields, 6)
    assert ("announce" in met) == (load_rules(preset, **fields).announce == "by_choice")


def test_a_bluff_needs_no_cards():
    rules = load_rules("duel", hand_size=1, visible=1, stock="out", announce="by_choice", bluff=True)
    assert_tells_all(play(Game(rules), "pass pass pass nameD announce"))


@pytest.mark.slow
def test_a_message_tells_all_under_any_rules():
    games = 0
    for number in range(3000):
        rng = random.Random(number)
        preset, fields = random_fields(rng)
        try:
            game = Game(load_rules(preset, **fields), seed=number)
        except RulesError:
            continue
        games += 1
        while game.phase != "over":
            if game.phase != "auction" or rng.random() < 0.2:
                assert_tells_all(game)
            legal = game.legal_actions()
            passes = game.phase == "auction" and "pass" in legal and rng.random() < 0.7
            game.play("pass" if passes else rng.choice(legal))
    assert games > 300


@pytest.mark.parametrize("preset", RULESETS)
def test_messages_out_of_turn_are_the_others(preset):
    """Any seat may be shown its message, but only the one to act can be asked for a decision."""
    for game in deal(1, preset, {}):
        other = (game.seat + 1) % game.rules.players
        with pytest.raises(RecordError, match=f"turn of seat {game.seat}, not of seat {other}"):
            decision_from_message(game.rules, game.message(other))


# Messages in full

HANDS = (  # seat 0: four queens and J-Q-K of hearts; nobody else has a combination
    "QC QD QH QS JH KH 7C 8D",
    "KC AC 9D JD 8H TH 8S KS",
    "TC JC TD KD 7H AH 9S JS",
    "8C 9C 7D AD 9H 7S TS AS",
)
RULES = load_rules("bazar", target=301)
# Seat 1 to call over 8 spades; then, seat 2 having taken the first trick and led, seat 3 to follow.
CALLING = play(table(*HANDS, target=301), "8S").message()
PLAYING = play(table(*HANDS, target=301), "8S pass pass pass pass JH TH AH 9H JS").message()


def test_messages_of_bazar():
    assert {
        "rules": "bazar",
        "target": 301,
        "scores": [0, 0],
        "dealer": 3,
        "seat": 1,
        "phase": "auction",
        "hand": HANDS[1],
        "actions": ["8S"],
        "announced": [None, None, None, None],
        "shown": None,
    } == CALLING
    assert PLAYING["seat"] == 3
    assert PLAYING["phase"] == "play"
    assert PLAYING["hand"] == HANDS[3]  # as dealt
    assert PLAYING["announced"] == [["terz", "four"], [], [], []]
    assert PLAYING["shown"] == ["QC QD JH QH KH QS", "", "", ""]


DUEL_HANDS = ("9C TC JC QH KS", "9D TD JD QS KH")
DUEL = table(*DUEL_HANDS, preset="duel", stock_cards="AS QC KC AD QD KD")
DUEL_CALLING = DUEL.message()
DUEL_TAKER = play(DUEL.copy(), "pass nameS KS").message()


def test_messages_of_the_duel():
    assert {key: DUEL_CALLING[key] for key in ("hand", "turned", "taken")} == {
        "hand": DUEL_HANDS[0],
        "turned": "AS",
        "taken": None,
    }
    assert "swap_asked" not in DUEL_CALLING
    assert {
        "rules": "duel",
        "target": 151,
        "scores": [0, 0],
        "dealer": 1,
        "seat": 1,
        "phase": "play",
        "hand": DUEL_HANDS[1],
        "turned": "AS",
        "taken": "QC KC AS",
        "actions": ["pass", "nameS", "KS"],
        "announced": [["terz", "terz"], None],
        "shown": None,
    } == DUEL_TAKER


BELA3_HANDS = (
    "7C 8C 9C TC JD QD AH KS 7S 8S",
    "QC KC AC 7D 8D 9H TH JH 9S TS",
    "JC 9D TD KD AD 7H 8H QS AS KH",
)
BELA3 = table(*BELA3_HANDS, preset="bela3", stock_cards="JS QH")
NAMER = play(BELA3.copy(), "nameC 7S 8S").message()
OTHER = play(BELA3.copy(), "nameC 7S 8S 9C KC JC").message()


def test_messages_of_bela3():
    assert (NAMER["hand"], NAMER["taken"]) == ("7C 8C 9C TC JD QD", "QH AH 7S 8S JS KS")
    assert NAMER["actions"] == ["nameC", "7S", "8S"]
    assert "turned" not in NAMER
    assert (OTHER["seat"], OTHER["hand"], OTHER["taken"]) == (2, "JC 9D TD KD AD 7H", "8H KH QS AS")
    assert OTHER["actions"] == ["nameC", "discard", "discard", "9C", "KC", "JC"]
    assert OTHER["announced"] == [["fifty"], ["terz", "terz"], []]
    assert OTHER["shown"] == ["7C 8C 9C TC", "", ""]  # the others compare as one side


BELA2 = table(*BELA3_HANDS[:2], preset="bela2", stock_cards="JC AD")
SWAPPING = play(BELA2.copy(), "pass nameC").message()
SWAPPED = play(BELA2.copy(), "pass nameC swap AH").message()


def test_messages_of_bela2():
    assert (SWAPPING["phase"], SWAPPING["swap_asked"], SWAPPING["taken"]) == ("swap", 0, None)
    assert (SWAPPED["seat"], SWAPPED["swap_asked"], SWAPPED["turned"]) == (1, 0, "JC")
    assert SWAPPED["actions"] == ["pass", "nameC", "swap", "AH"]
    assert SWAPPED["announced"] == [["fifty"], None]  # 8 to J with the card swapped for
    assert SWAPPED["taken"] == "TH JH 9S TS"
    swapper = play(BELA2.copy(), "pass nameC swap").message()
    assert (swapper["hand"], swapper["taken"]) == ("7C 8C 9C TC JD QD", "AH 7S 8S KS")


CLASSIC_HANDS = ("7C 8C 9C JD QD AH KS 7S", "QC KC AC 7D 8D 9D TH JH", "TC JC TD KD AD 7H QS AS")
CLASSIC = play(
    table(*CLASSIC_HANDS, preset="bazar-classic"), "8C pass pass pass announce 7S announce QC QS announce 8S"
)
LEADING = CLASSIC.message()
CLAIMANT = play(CLASSIC.copy(), "KC JC").message()
SHOWN = play(CLASSIC.copy(), "KC JC show 8H 9C").message()


def test_messages_of_bazar_classic():
    assert (LEADING["seat"], LEADING["phase"]) == (1, "play")
    assert LEADING["announced"] == [["terz"], ["terz"], [], ["fifty"]]
    assert LEADING["shown"] == ["", "", "", ""]
    assert (CLAIMANT["seat"], CLAIMANT["phase"]) == (3, "show")
    assert SHOWN["shown"] == ["", "", "", "8S 9S TS JS"]
    assert SHOWN["actions"][-3:] == ["show", "8H", "9C"]


# Seat 1 has the better of two terzes and has shown it before its card to the second trick; seat 0 to lead to the third.
TERZES = ("7C 8C 9C JD QD AH KS 7S", "QC KC AC 7D 8D 9H TH JS", "TC JC TD KD AD QH 8S AS")
BEATEN = play(
    table(*TERZES, preset="bazar-classic"), "8C pass pass pass announce 7S announce JS AS 9S TC 7H 9C show QC"
).message()


def test_changed_rules_are_told():
    game = table(*HANDS, target=301, must_beat="all")
    assert game.message()["fields"] == {"must_beat": "all"}
    assert_tells_all(game)


# What is left out


def test_a_seed_may_be_given():
    assert decision_from_message(RULES, CALLING | {"seed": 7}).seeds == [7]
    assert decision_from_message(RULES, CALLING).seeds == decision_from_message(RULES, CALLING).seeds


def test_much_may_be_left_out():
    for key in ("rules", "target", "phase", "announced", "shown"):
        short = {other: value for other, value in CALLING.items() if other != key}
        assert (
            decision_from_message(RULES, short).views.tobytes() == decision_from_message(RULES, CALLING).views.tobytes()
        )
    rules = load_rules("bela2")
    short = {key: value for key, value in BELA2.message().items() if key not in ("swap_asked", "taken")}
    assert decision_from_message(rules, short).masks.tobytes() == BELA2.decision().masks.tobytes()


def test_only_who_may_be_asked_to_show_has_to_say_whether_it_is():
    rules = load_rules("bazar-classic")
    silent = {key: value for key, value in SHOWN.items() if key != "phase"}
    assert decision_from_message(rules, silent).views.tobytes() == decision_from_message(rules, SHOWN).views.tobytes()
    with pytest.raises(RecordError, match=r"phase: seat 3 .* 'show' or 'play'"):
        decision_from_message(rules, {key: value for key, value in CLAIMANT.items() if key != "phase"})


# Wrong messages


def acted(message: Message, *actions: str, drop: int = 0) -> Message:
    """The message with other actions at its end."""
    kept = message["actions"][: len(message["actions"]) - drop]
    return message | {"actions": [*kept, *actions]}


WRONG: list[tuple[Any, str]] = [
    (None, "NoneType"),
    ([], "list"),
    (CALLING | {"hands": "7C"}, "hands"),
    (CALLING | {"rules": "bela4"}, "rules: this is a seat of 'bazar', not of 'bela4'"),
    (CALLING | {"rules": None}, "rules"),
    (CALLING | {"fields": {"must_beat": "all"}}, "fields: .* must_beat = 'trump', not 'all'"),
    (CALLING | {"fields": {"must_bid": True}}, "must_bid"),
    (CALLING | {"fields": 7}, "fields"),
    (CALLING | {"target": 0}, "target"),
    (CALLING | {"scores": [1]}, "scores"),
    (CALLING | {"scores": None}, "scores"),
    (CALLING | {"dealer": 9}, "dealer"),
    (CALLING | {"seat": 4}, "seat"),
    (CALLING | {"seat": "1"}, "seat"),
    (CALLING | {"seat": 2}, "turn of seat 1"),
    (CALLING | {"phase": "play"}, "phase: 'auction' is wanted, not 'play'"),
    (CALLING | {"phase": 7}, "phase"),
    (CALLING | {"hand": "7C"}, "hand.*8"),
    (CALLING | {"hand": None}, "hand"),
    (CALLING | {"hand": "7C 7C 8C 9C TC JC QC KC"}, "7C"),
    (CALLING | {"turned": "7C"}, "turned: no card"),
    (CALLING | {"taken": "7C"}, "taken: nothing"),
    (CALLING | {"swap_asked": 1}, "swap_asked: nobody"),
    (CALLING | {"actions": "8S"}, "actions"),
    (CALLING | {"actions": ["8S", 9]}, "actions"),
    (CALLING | {"actions": ["7S"]}, "7S"),
    (CALLING | {"actions": ["8S", "pass"]}, "turn of seat 2"),
    (CALLING | {"actions": ["8S", "8H"]}, r"action 1 \('8H'\)"),
    (CALLING | {"actions": ["pass"] * 4}, "over"),
    (CALLING | {"actions": ["pass"] * 5}, r"action 4 \('pass'\)"),
    (CALLING | {"announced": [[], None, None, None]}, "announced: seat 0 has not spoken"),
    (CALLING | {"shown": ["", "", "", ""]}, "shown: the first trick is not complete"),
    (CALLING | {"seed": -1}, "seed"),
    (CALLING | {"seed": "x"}, "seed"),
    (acted(PLAYING, "AS"), "turn of seat 0"),
    (acted(PLAYING, "KS"), r"action 10 \('KS'\): You do not hold KS"),
    (acted(PLAYING, "pass"), "Play a card"),
    (acted(PLAYING, "AS", drop=1), "seat 2 cannot hold that card: seat 3 does"),
    (acted(PLAYING, "JH", drop=1), "it has been played"),
    (acted(PLAYING, "QH", drop=1), "played and shown tells otherwise"),  # seat 0 has shown it
    (acted(PLAYING, "KH", "AH", "9H", drop=4), "cannot hold|more than|no room|shown"),
    (PLAYING | {"announced": None}, "announced"),
    (PLAYING | {"announced": [["terz"], [], []]}, "announced"),
    (PLAYING | {"announced": [["terz"], [], [], None]}, "announced"),
    (PLAYING | {"announced": [["trez"], [], [], []]}, "announced"),
    (PLAYING | {"announced": [["terz", "four"], [], [], ["terz"]]}, "announced: seat 3 announced nothing, not terz"),
    (PLAYING | {"announced": [["terz", "four"], ["four"], [], []], "shown": [""] * 4}, "somebody must show"),
    (PLAYING | {"announced": [["hundred", "hundred"], [], [], []]}, "at once"),
    (PLAYING | {"announced": [["terz"], ["four"], [], []], "shown": ["JH QH KH", "", "", ""]}, "better combination"),
    (PLAYING | {"announced": [["terz", "four"], [], ["fifty"], []]}, "seat 2 announced, so it shows too"),
    (PLAYING | {"shown": None}, "shown"),
    (PLAYING | {"shown": ["", "", ""]}, "shown"),
    (PLAYING | {"shown": ["", "", "", ""]}, "somebody must show"),
    (PLAYING | {"shown": ["QC QD QH QS JH KH", "", "", "7D"]}, "shown"),
    (PLAYING | {"shown": ["JH QH KH", "", "", ""]}, "shown: JH QH KH is not what seat 0 announced"),
    (PLAYING | {"shown": ["AC AD AH AS", "", "", ""]}, "shown: seat 0 cannot hold"),
    (PLAYING | {"shown": ["QC QD QH QS JH KH 7C", "", "", ""]}, "shown: seat 0 showed .*, not 7C"),
    (DUEL_CALLING | {"hand": "7C TC JC QH KS"}, "hand: 7C: the pack has 9TJQKA"),
    (DUEL_CALLING | {"turned": None}, "turned"),
    (DUEL_CALLING | {"turned": "KS"}, "turned: KS is in the hand of seat 0"),
    (DUEL_CALLING | {"turned": "AS KS"}, "turned: 1 cards"),
    (acted(DUEL_CALLING, "nameH"), "Take the turned suit"),
    (acted(DUEL_CALLING, "8S"), r"action 0 \('8S'\)"),
    (DUEL_TAKER | {"taken": None}, "taken: seat 1 took up 3 cards, not 0"),
    (DUEL_TAKER | {"taken": "QC AS"}, "taken: seat 1 took up 3 cards, not 2"),
    (DUEL_TAKER | {"taken": "QC KC AC"}, "taken: AS is missing"),
    (DUEL_TAKER | {"taken": "QC QS AS"}, "taken: QS cannot be"),
    (acted(DUEL_TAKER, "nameS", "KS", drop=3), "taken: AS cannot be"),  # seat 0 took the turned card
    (acted(DUEL_TAKER, "AS", drop=1), "cannot hold that card: seat 1 does"),
    (DUEL_TAKER | {"announced": [["four"], None]}, "seat 0 cannot announce a four"),
    (NAMER | {"phase": "discard"}, "phase: 'play' is wanted"),
    (NAMER | {"taken": "AH KS 7S 8S"}, "taken: seat 0 took up 6 cards, not 4"),
    (acted(NAMER, "discard", drop=1), r"action 2 \('discard'\): seat 0 knows what it discards"),
    (acted(NAMER, "7S", drop=1), r"action 2 \('7S'\): You do not hold 7S"),
    (acted(NAMER, "TS", drop=1), r"action 2 \('TS'\): You do not hold TS"),
    (acted(NAMER, "pass", drop=1), "Discard a card"),
    (acted(NAMER, "7H"), "You do not hold 7H"),
    (OTHER | {"taken": None}, "taken: seat 2 took up 4 cards, not 0"),
    (OTHER | {"taken": "8H KH QS JC"}, "taken: JC cannot be"),
    (acted(OTHER, "7S", "8S", "9C", "KC", "JC", drop=5), r"action 1 \('7S'\): what seat 0 discards is hidden"),
    (acted(OTHER, "discard", "discard", drop=3), r"action 3 \('discard'\): 'discard' is no card"),
    (OTHER | {"shown": ["7C 8C 9C TC", "QD KD AD", ""]}, "shown: seat 1 cannot hold"),
    (OTHER | {"shown": ["", "QC KC AC TH JH 9H", ""]}, "shown: seat 0 announced a better combination"),
    (SWAPPING | {"swap_asked": None}, r"swap_asked: who may see the 7C is one of \[0\], not null"),
    (SWAPPING | {"swap_asked": 1}, "swap_asked"),
    (SWAPPING | {"swap_asked": 2}, "swap_asked: a whole number of 0 to 1"),
    (SWAPPING | {"taken": "AH KS 7S 8S"}, "taken: nothing has been taken up"),
    (SWAPPING | {"phase": "play"}, "phase: 'swap' is wanted"),
    (acted(SWAPPING, "AH"), "Swap the seven or pass"),
    (
        acted(SWAPPING, "pass", "nameH", drop=1) | {"phase": "play", "taken": "AH KS 7S 8S"},
        "swap_asked: nobody has been asked",
    ),
    (SWAPPED | {"swap_asked": None}, r"action 2 \('swap'\)"),
    (SWAPPED | {"swap_asked": 1}, r"swap_asked: who may see the 7C is one of \[null, 0\], not 1"),
    (SWAPPED | {"taken": "TH JH 9S JC"}, "taken: JC cannot be"),
    (SWAPPED | {"taken": "TH JH 9S 7C"}, "taken: 7C cannot be"),
    (acted(SWAPPED, "7C", drop=1), "it is out of the game"),
    (acted(SWAPPED, "pass", "JC", drop=2), "it is out of the game"),
    (SWAPPED | {"announced": [["fifty"], []]}, "announced: seat 1 has not spoken"),
    (LEADING | {"phase": "show"}, "phase: seat 1 is not asked to show now: seat 3 is"),
    (LEADING | {"shown": ["", "", "", "8S 9S TS JS"]}, "shown: seat 3 has not shown"),
    (LEADING | {"announced": [["terz"], ["terz"], ["terz"], ["fifty"]]}, "seat 2 announced nothing, not terz"),
    (LEADING | {"announced": [["terz"], ["terz"], [], []]}, "announced: seat 3 announced one class"),
    (LEADING | {"announced": [["terz"], ["terz"], [], ["fifty", "terz"]]}, "announced: seat 3 announced one class"),
    (LEADING | {"announced": [["terz"], ["four"], [], ["fifty"]]}, "announced: seat 1 announced terz, not four"),
    (acted(LEADING, "announce", drop=1), r"action 10 \('announce'\): Play a card"),
    (acted(LEADING, "show", "KC"), r"action 11 \('show'\): seat 1 is not asked to show now: seat 3 is"),
    (acted(LEADING, "KC", "JC", "8H"), r"action 13 \('8H'\): before its card seat 3 is asked"),
    (acted(LEADING, "KC", "show"), r"action 12 \('show'\): seat 2 is not asked"),
    (acted(CLAIMANT, "show", "show"), "shown: seat 3 showed 8S 9S TS JS, not nothing"),
    (CLAIMANT | {"phase": "play"}, "phase: before its card seat 3 is asked"),
    (
        acted(BEATEN, "pass", "9C", "show", "QC", drop=3),
        "shown: seat 0 was asked before seat 1, which shows a better combination",
    ),
    (acted(BEATEN, "QC", drop=2) | {"shown": [""] * 4}, r"action 13 \('QC'\): before its card seat 1 is asked to show"),
    (SHOWN | {"shown": ["", "", "", "8S 9S TS"]}, "shown: 8S 9S TS is not what seat 3 announced, fifty"),
    (SHOWN | {"shown": ["", "", "", "8S 9S TS JS 7D"]}, "shown: seat 3 showed 8S 9S TS JS, not 7D"),
    (SHOWN | {"shown": ["", "", "", "8D 9D TD JD"]}, "shown: seat 3 cannot hold 8D 9D TD JD"),
    (SHOWN | {"shown": ["", "", "", ""]}, "shown: seat 3 showed the cards of its combinations, not nothing"),
]


@pytest.mark.parametrize(("message", "reason"), WRONG)
def test_wrong_messages(message, reason):
    name = message.get("rules") if isinstance(message, dict) else None
    rules = load_rules(name) if name in ("duel", "bela3", "bela2", "bazar-classic") else RULES
    before = copy.deepcopy(message)
    with pytest.raises(RecordError, match=reason) as caught:
        decision_from_message(rules, message)
    assert message == before
    assert "\n" not in str(caught.value)


def test_the_reason_is_the_one_of_the_table():
    with pytest.raises(RecordError, match=r"action 1 \('8H'\): Bid higher than 8"):
        decision_from_message(RULES, CALLING | {"actions": ["8S", "8H"]})


def test_a_game_of_changed_rules_is_refused():
    house = table(*HANDS, target=301, must_beat="all").message()
    with pytest.raises(RecordError, match="fields: this is a seat of a game with must_beat = 'trump', not 'all'"):
        decision_from_message(RULES, house)
    with pytest.raises(RecordError, match="must_beat = 'all', not 'trump'"):
        decision_from_message(load_rules("bazar", must_beat="all"), CALLING)


@pytest.mark.parametrize("key", ["rules", "fields", "phase", "hand", "actions", "announced", "shown"])
def test_what_is_wrong_is_told_in_a_line_however_long_it_is(key):
    long = "x" * 100_000
    value = {"fields": {long: 1}, "actions": [long], "announced": [[long]] * 4, "shown": [long] * 4}.get(key, long)
    with pytest.raises(RecordError) as caught:
        decision_from_message(RULES, CALLING | {key: value})
    assert len(str(caught.value)) < 300


# Anything else


@cache
def messages(preset: str) -> list[Message]:
    return [wire(game.message()) for number in range(3) for game in deal(number, preset, {})]


CARDS = st.sampled_from([rank + suit for rank in "789TJQKA" for suit in "CDHS"])
WORDS = ["pass", "contra", "swap", "announce", "show", "discard", "9S", "80NT", "capotH", "12Hcapot", "nameC", "x"]
CLASS_LISTS = st.none() | st.lists(st.sampled_from(["terz", "fifty", "hundred", "four", "x"]), max_size=2)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
VALUES = st.one_of(
    SCALARS,
    CARDS,
    st.lists(CARDS, max_size=10).map(" ".join),
    st.integers(-1, 4),
    st.lists(SCALARS | CLASS_LISTS, max_size=4),
    st.dictionaries(st.text(max_size=3), SCALARS, max_size=2),
)
ENTRIES = {
    "actions": CARDS | st.sampled_from(WORDS),
    "announced": CLASS_LISTS,
    "shown": st.lists(CARDS, max_size=6).map(" ".join),
    "scores": st.integers(),
}


@st.composite
def mutations(draw: st.DrawFn) -> tuple[str, Message]:
    """A preset, and a true message of it with something else in its place."""
    preset = draw(st.sampled_from(RULESETS))
    pool = messages(preset)
    message = dict(draw(st.sampled_from(pool)))
    for _ in range(draw(st.integers(1, 2))):
        key = draw(st.sampled_from(sorted(message)))
        value = message[key]
        if isinstance(value, list) and key in ENTRIES and draw(st.integers(0, 3)):
            place = draw(st.integers(0, len(value)))
            new = draw(st.lists(ENTRIES[key], max_size=2))
            message[key] = value[:place] + new + value[place + draw(st.integers(0, 2)) :]
        elif isinstance(value, str) and " " in value and draw(st.booleans()):
            cards = value.split()
            cards[draw(st.integers(0, len(cards) - 1))] = draw(CARDS)
            message[key] = " ".join(cards)
        else:
            message[key] = draw(st.sampled_from(pool)).get(key) if draw(st.booleans()) else draw(VALUES)
    return preset, message


@given(mutations())
@settings(max_examples=1500)
def test_a_message_that_is_no_true_one_is_read_or_refused(mutation):
    preset, message = mutation
    before = copy.deepcopy(message)
    said = ""
    try:
        decision = decision_from_message(load_rules(preset), message)
    except RecordError as error:
        said = str(error)
    else:
        assert isinstance(decision, Decisions)
        assert decision.masks.any()
    assert "\n" not in said
    np.testing.assert_equal(message, before)
