"""The action space: numbers, texts, and back."""

import pytest

from blot_env import load_rules
from blot_env.actions import ANNOUNCE, BIDS, CONTRA, NAME, PASS, RECONTRA, SHOW, SWAP
from tests.reference.cards import DECK
from tests.reference.presets import BAZAR

LAYOUT = load_rules("bazar").actions


def phases_of(action: int) -> list[str]:
    """The phases in which the text of an action is read as this action."""
    if action >= BIDS:
        return ["auction"]
    return ["play", "discard"] if action < PASS else ["auction", "play"]


def test_the_table():
    # Cards, seven words and four suits to name, then 73 numbers in five strains, then five capots.
    texts = DECK + ["pass", "contra", "recontra", *(f"name{suit}" for suit in "CDHS"), "swap", "announce", "show"]
    texts += [f"{number}{strain}" for number in range(8, 81) for strain in BAZAR.strains]
    texts += [f"capot{strain}" for strain in BAZAR.strains]
    assert LAYOUT.size == len(texts) == 412
    assert [LAYOUT.text(action) for action in range(LAYOUT.size)] == texts


def test_constants():
    numbers = (PASS, CONTRA, RECONTRA, NAME, SWAP, ANNOUNCE, SHOW)
    texts = ("pass", "contra", "recontra", "nameC", "swap", "announce", "show")
    assert tuple(LAYOUT.text(action) for action in numbers) == texts
    assert LAYOUT.text(BIDS) == "8C"


@pytest.mark.parametrize("action", range(LAYOUT.size))
def test_text_and_back(action):
    for phase in phases_of(action):
        assert LAYOUT.parse(LAYOUT.text(action), phase) == action


def test_names_are_unique():
    assert len({LAYOUT.name(action) for action in range(LAYOUT.size)}) == LAYOUT.size


def test_notation_is_read_by_phase():
    assert LAYOUT.text(LAYOUT.parse("10D", "play")) == "TD"
    assert LAYOUT.text(LAYOUT.parse("10D", "auction")) == "10D"
    assert LAYOUT.parse("9S", "play") == 26
    assert LAYOUT.parse("9S", "auction") == BIDS + 5 + 3


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        ("", "auction"),
        ("7H", "auction"),
        ("81C", "auction"),
        ("9AT", "auction"),
        ("capotAT", "auction"),
        ("capot", "auction"),
        ("TD", "auction"),
        ("9s", "auction"),
        ("Pass", "auction"),
        ("008H", "auction"),
        ("8 H", "auction"),
        ("12H", "play"),
        ("10X", "play"),
        ("1D", "play"),
        ("capotH", "play"),
        ("td", "play"),
        ("", "play"),
    ],
)
def test_texts_that_mean_nothing(text, phase):
    with pytest.raises(ValueError, match=r"\w"):
        LAYOUT.parse(text, phase)


@pytest.mark.parametrize("action", [-1, 412, 10_000])
def test_numbers_that_are_no_action(action):
    with pytest.raises(ValueError, match="0 to 411"):
        LAYOUT.text(action)


@pytest.mark.parametrize(("number", "strain"), [(7, 0), (81, 0), (8, 5), (8, -1)])
def test_bids_that_do_not_exist(number, strain):
    with pytest.raises(ValueError, match=r"\d|strain"):
        LAYOUT.bid(number, strain)


def test_bid():
    assert LAYOUT.text(LAYOUT.bid(12, 4)) == "12NT"


# The other games: the first 42 are the same


@pytest.mark.parametrize(
    ("preset", "bids"),
    [
        ("bazar", 73 * 5 + 5),
        ("bazar-alltrump", 17 * 6 + 6),  # 8 to 24
        ("hayblot", 73 * 5),  # a capot is a number
        ("bazar-classic", 73 * 5 * 2),  # and again with the mark
        ("blotstar", 73 * 5 + 56 * 5),  # 25 to 80
        *((preset, 0) for preset in ("duel", "bela4", "bela3", "bela2")),
    ],
)
def test_every_game(preset, bids):
    layout = load_rules(preset).actions
    assert layout.size == 42 + bids
    assert [layout.text(action) for action in range(42)] == [LAYOUT.text(action) for action in range(42)]
    for action in range(layout.size):
        for phase in phases_of(action):
            assert layout.parse(layout.text(action), phase) == action
    assert len({layout.name(action) for action in range(layout.size)}) == layout.size


@pytest.mark.parametrize(
    ("preset", "text", "means"),
    [
        ("bazar-classic", "12Hcapot", "12Hcapot"),
        ("bazar-classic", "capotH", None),
        ("blotstar", "25NTcapot", "25NTcapot"),
        ("blotstar", "24NTcapot", None),
        ("hayblot", "25H", "25H"),
        ("hayblot", "25Hcapot", None),
        ("hayblot", "capotH", None),
        ("bazar-alltrump", "capotAT", "capotAT"),
        ("bazar-alltrump", "24AT", "24AT"),
        ("bazar-alltrump", "25AT", None),
        ("duel", "nameH", "nameH"),
        ("duel", "8H", None),
        ("bela4", "nameNT", None),
    ],
)
def test_calls_of_other_games(preset, text, means):
    layout = load_rules(preset).actions
    if means:
        assert layout.text(layout.parse(text, "auction")) == means
    else:
        with pytest.raises(ValueError, match=r"write|lies between"):
            layout.parse(text, "auction")
