"""The layout of observations, and every block's columns on positions worked out by hand."""

import hashlib

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from blot_env import RULESETS, BatchEnv, load_rules
from blot_env.actions import PASS
from tests.positions import Position, position, positions
from tests.reading import Reading
from tests.reference.cards import DECK
from tests.seen import CALLED, MISSING, MOMENTS, STRAIN_NAMES, Seen
from tests.tables import play, table

RULES = load_rules("bazar", target=301)
LAYOUT = RULES.observation

HANDS = (  # seat 0: four queens and J-Q-K of hearts; nobody else has a combination
    "QC QD QH QS JH KH 7C 8D",
    "KC AC 9D JD 8H TH 8S KS",
    "TC JC TD KD 7H AH 9S JS",
    "8C 9C 7D AD 9H 7S TS AS",
)


def test_slices_are_disjoint_and_cover_all():
    columns = [column for name in LAYOUT.names for column in range(LAYOUT.size)[LAYOUT[name]]]
    assert columns == list(range(LAYOUT.size))
    assert [block.name for block in LAYOUT] == list(LAYOUT.names)
    assert all(block.meaning for block in LAYOUT)


def test_size_and_version():
    """A change of the layout costs every trained weight: bump the version with it."""
    assert (LAYOUT.size, LAYOUT.version) == (1240, 1)
    assert LAYOUT.names == (
        *("hand", "unseen", "masters", "played", "trick", "could", "shown", "voids", "no_higher_trump", "seats"),
        *("calls", "strain", "number", "number_bits", "moment", "scores", "progress", "need", "own"),
    )


def test_oracle_is_the_observation_and_the_other_hands():
    assert RULES.oracle.names == (*LAYOUT.names, "hands")
    assert all(RULES.oracle[name] == LAYOUT[name] for name in LAYOUT.names)
    assert RULES.oracle["hands"] == slice(1240, 1240 + 96)


@pytest.mark.nojit
def test_before_the_first_call():
    seen = Seen(table(*HANDS, scores=(290, 0), target=301), 0)
    own = set(HANDS[0].split())
    assert seen.cards("hand") == own
    assert seen.cards("unseen") == set(DECK) - own
    assert seen.rows("could") == [set(DECK) - own] * 3
    for name in ("masters", "played", "trick", "shown", "no_higher_trump", "number", "number_bits", "need"):
        assert not seen.block(name).any()
    assert list(np.flatnonzero(seen.block("voids"))) == []
    assert seen.words("strain", STRAIN_NAMES) == ["none"]
    assert seen.words("moment", MOMENTS) == ["auction", "own turn"]
    # 11 points are missing to 301: more than 0, 5 and 10; to the others 301: more than all levels.
    assert seen.missing() == [[0, 5, 10], MISSING]
    nobody = {"called": {}, "first": [], "status": [], "announced": []}
    assert [seen.seat(turn) for turn in range(4)] == [nobody] * 3 + [nobody | {"status": ["dealer"]}]
    assert [seen.progress(side) for side in (0, 1)] == [(0, 0, [])] * 2
    # 120 in a suit contract: at least 20 40 50 70 100 120. Pairs of king and queen: hearts. Eldest.
    assert list(np.flatnonzero(seen.block("own"))) == [0, 1, 2, 3, 4, 5, 8 + 2, 12]


def test_the_auction_as_each_seat_sees_it():
    # Seat 0 passes, seat 1 bids 12 clubs, seat 2 passes, seat 3 goes over it, seat 0 bids 20 NT, seat 1 contra.
    game = play(table(*HANDS), "pass 12C pass 13S 20NT contra")
    calls = {
        0: {"called": {"NT": CALLED}, "first": ["pass"], "status": ["passed 1", "bidder"]},
        1: {"called": {"C": [8, 9, 10, 11, 12]}, "first": ["C"], "status": ["contra"]},
        2: {"called": {}, "first": ["pass"], "status": ["passed 1"]},
        3: {"called": {"S": [8, 9, 10, 11, 12]}, "first": ["S"], "status": ["dealer"]},
    }
    for seat in range(4):
        seen = Seen(game, seat)
        for turn in range(4):
            assert seen.seat(turn) == calls[(seat + turn) % 4] | {"announced": []}
        assert seen.words("strain", STRAIN_NAMES) == ["NT"]
        assert seen.number() == 20
        # At least 8 … 20, thirteen of the levels 8 … 31, 36 …
        assert list(np.flatnonzero(seen.block("number"))) == list(range(13))
        own = ["own side bid"] if seat in (0, 2) else []
        turn = ["own turn"] if seat == 0 else []
        assert seen.words("moment", MOMENTS) == ["auction", "contra", "recontra asked", *own, *turn]
        # 200 raw points are needed: more than 0, 10 … 150.
        assert seen.block("need").all()


def test_every_call_of_a_seat_is_remembered():
    game = play(table(*HANDS), "8C 9H pass pass 12D pass pass pass capotD")
    called = {"C": [8], "D": CALLED}  # the capot counts 25
    assert Seen(game, 1).seat(3) == {"called": called, "first": ["C"], "status": ["bidder"], "announced": []}


def test_numbers_called_stand_in_full():
    """By seat: the highest number in each strain C D H S NT, and the first number of all."""
    game = play(table(*HANDS), "8C 9H pass 13H 14C 33NT pass 40H capotD")
    calls = [Seen(game, 1).calls(turn) for turn in range(4)]
    assert calls == [[0, 0, 9, 0, 33, 9], [0] * 6, [0, 0, 40, 0, 0, 13], [14, 41, 0, 0, 0, 8]]


@pytest.mark.parametrize(
    ("calls", "number", "levels", "strain"),
    [
        ("8H", 8, 1, ["H"]),
        ("31C", 31, 24, ["C"]),
        ("35D", 35, 24, ["D"]),
        ("36D", 36, 25, ["D"]),
        ("80S", 80, 31, ["S"]),  # 8 … 31, 36 41 46 51 56 61 71
        ("80S pass pass pass capotNT", 81, 32, ["NT", "capot"]),
        ("capotH", 25, 18, ["H", "capot"]),  # 8 … 25
    ],
)
def test_numbers(calls, number, levels, strain):
    seen = Seen(play(table(*HANDS), calls), 0)
    assert seen.number() == number
    assert list(np.flatnonzero(seen.block("number"))) == list(range(levels))
    assert seen.words("strain", STRAIN_NAMES) == strain


def test_last_word_and_passes():
    game = play(table(*HANDS), "8H pass pass pass")
    seen = Seen(game, 0)
    assert seen.words("moment", MOMENTS) == ["auction", "last word", "own side bid", "own turn"]
    play(game, "9H pass pass pass 10H pass pass pass")
    seen = Seen(game, 1)
    assert seen.seat(0)["status"] == ["passed 1", "passed 2", "passed 3"]
    assert seen.seat(3)["status"] == ["bidder"]


@pytest.mark.parametrize("seat", range(4))
def test_the_play(seat):
    # Trump spades, bid by seat 2. First seat 0 leads the jack of hearts; ten, ace and nine follow: 23 points
    # for seat 2, which leads the jack of spades.
    game = play(table(*HANDS), "pass pass 8S pass pass pass pass JH TH AH 9H JS")
    seen = Seen(game, seat)
    seats = [(seat + turn) % 4 for turn in range(4)]
    played = [{"JH"}, {"TH"}, {"AH", "JS"}, {"9H"}]
    hands = [set(hand.split()) for hand in HANDS]
    gone = set().union(*played)
    assert seen.cards("hand") == hands[seat] - gone
    assert seen.cards("unseen") == set(DECK) - hands[seat] - gone
    assert seen.rows("played") == [played[other] for other in seats]
    assert seen.rows("trick") == [{"JS"} if other == 2 else set() for other in seats[1:]]
    # The highest not yet played: trump nine, aces of clubs and diamonds, and in hearts, where A T J are gone, the king.
    assert seen.cards("masters") == {"9S", "AC", "AD", "KH"}
    shown = {0: {"QC", "QD", "QH", "QS", "KH"}}  # and the jack, which is played
    assert seen.rows("shown") == [shown.get(other, set()) for other in seats]
    could = set(DECK) - hands[seat] - gone
    assert seen.rows("could") == [could - (shown[0] if other != 0 else set()) for other in seats[1:]]
    assert seen.words("strain", STRAIN_NAMES) == ["S"]
    own = ["own side bid"] if seat in (0, 2) else []
    turn = ["own turn"] if seat == 3 else []
    partner = ["partner holds the trick"] if seat == 0 else []
    assert seen.words("moment", MOMENTS) == ["play", *own, *turn, *partner]
    for place, other in enumerate(seats):
        seen_of_other = seen.seat(place)
        announced = ["terz", "four", "spoken"] if other == 0 else ["spoken"]
        assert seen_of_other["announced"] == announced
        assert ("holds the trick" in seen_of_other["status"]) == (other == 2)
    bidders, defenders = (0, 1) if seat in (0, 2) else (1, 0)
    assert seen.progress(bidders) == (2, 1, [20, 40, 50, 70, 100, 120])  # 23 points, one trick, 120
    assert seen.progress(defenders) == (0, 0, [])
    # 80 - 23 - 120: nothing is needed any more.
    assert not seen.block("need").any()


def test_voids_and_no_higher_trump():
    # Trump spades. Seat 0 leads the queen, seat 1 must beat it with the king, seat 2 beats that with the nine. Seat 3,
    # which plays the seven, does not hold the jack.
    game = play(table(*HANDS), "8S pass pass pass pass QS KS 9S 7S")
    seen = Seen(game, 0)
    lacks = seen.block("no_higher_trump").reshape(3, 8)
    # Trump order from below: 7 8 Q K T A 9 J.
    assert [list(np.flatnonzero(row)) for row in lacks] == [[], [], [7]]
    assert "JS" not in seen.rows("could")[2]
    assert "JS" in seen.rows("could")[1]
    play(game, "JS TS")  # seat 2 leads the jack; seat 3 follows
    play(game, "7C")  # seat 0 has no spade left
    assert game.seat == 1
    seen = Seen(game, 1)
    assert seen.rows("could")[2] & {"8S", "AS"} == set()
    assert list(np.flatnonzero(seen.block("voids").reshape(4, 4)[3])) == [3]  # seat 0, three places on, no spades
    assert Seen(game, 0).block("voids").reshape(4, 4)[0].tolist() == [0, 0, 0, 1]  # its own


def test_need_counts_down():
    # Seat 0 bids 20 hearts: 200 raw points. The first trick brings 20 (JH) + 0 + 11 + 14 = 45 and 120 shown.
    game = play(table(*HANDS), "20H pass pass pass pass")
    assert Seen(game, 0).block("need").all()  # more than 150
    play(game, "JH 8H 7H 9H")
    # 200 - 20 - 0 - 0 - 14 - 120 = 46: more than 0, 10, 20, 30 and 40.
    for seat in range(4):
        assert list(np.flatnonzero(Seen(game, seat).block("need"))) == [0, 1, 2, 3, 4]


def test_own_block_in_the_play():
    # At NT seat 0's combinations: four queens 100 and the terz 20. Dealer is seat 3.
    game = play(table(*HANDS), "8NT pass pass pass pass")
    assert list(np.flatnonzero(Seen(game, 0).block("own"))) == [0, 1, 2, 3, 4, 5, 10, 12]
    assert list(np.flatnonzero(Seen(game, 3).block("own"))) == [13]
    game = play(table(*HANDS), "8H pass pass pass pass QH")
    # Seat 1 holds trumps, and trump was led.
    assert list(np.flatnonzero(Seen(game, 1).block("own"))) == [14, 15]


# Every column in every preset, from a slow plain reading of the deal


@pytest.mark.parametrize("preset", RULESETS)
@given(data=st.data())
@settings(max_examples=40)
def test_every_block(preset, data):
    at = data.draw(positions(0, 50, preset))
    assume(at.deal.phase != "over")
    seat = data.draw(st.integers(0, at.deal.rules.players - 1))
    _check_blocks(at, seat)


@pytest.mark.nojit
@pytest.mark.parametrize("preset", RULESETS)
@pytest.mark.parametrize("steps", [0, 3, 8, 13])
def test_every_block_of_a_few(preset, steps):
    at = position(5, steps, preset)
    _check_blocks(at, steps % at.deal.rules.players)


def _check_blocks(at: Position, seat: int) -> None:
    seen, reading = Seen(at.game, seat), Reading(at.deal, seat)
    for name in seen.layout.names:
        assert seen.block(name).tolist() == reading.block(name), name


def test_the_layout_of_bazar_stays_as_it_is():
    """Trained weights belong to it: observations and masks of random play, to the byte."""
    env, digest = BatchEnv("bazar", 64, episode="match", seed=11), hashlib.sha256()
    observations, mask, seats = env.reset()
    for step in range(300):
        for array in (observations, mask, seats, env.oracle()):
            digest.update(np.ascontiguousarray(array).tobytes())
        actions = env.sample(mask)
        actions[(mask[:, PASS] == 1) & (np.arange(64) % 3 != step % 3)] = PASS  # so that there is play
        observations, mask, seats, *_ = env.step(actions)
    assert digest.hexdigest() == "0f9d11490524e6eaa06ed82163f28f261dec37f85d571a5c649b171a526eeef7"
