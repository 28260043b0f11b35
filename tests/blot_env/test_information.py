"""A seat observes what it knows and nothing else: exchanged hidden cards change nothing that it is given."""

import random
from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from blot_env import RULESETS, Game
from tests.fuzz import Players, random_board
from tests.positions import positions, replayed
from tests.reference import Reference
from tests.reference.deal import Record
from tests.seen import Seen
from tests.tables import play, table
from tests.worlds import another_world

DEALS = 30
PHASES = {
    **{preset: {"auction", "play"} for preset in RULESETS},
    "bazar-classic": {"auction", "announce", "show", "play"},
    "bela2": {"auction", "swap", "play"},
    "bela3": {"auction", "discard", "play"},
}
FEWEST = {"auction": 20, "play": 35, "announce": 10, "show": 8, "swap": 2, "discard": 20}
"""Worlds of `DEALS` deals by the phase at whose moments they look alike."""


# Hidden cards change nothing, in any preset, at any moment


@pytest.mark.parametrize("preset", RULESETS)
@pytest.mark.parametrize(
    ("deals", "seed"),
    [
        pytest.param(DEALS, 1, id="default"),
        pytest.param(2, 2, id="few", marks=pytest.mark.nojit),
        pytest.param(300, 3, id="many", marks=pytest.mark.slow),
    ],
)
def test_hidden_cards_change_nothing(preset, deals, seed):
    checked: Counter[str] = Counter()
    for number in range(deals):
        checked += _check_deal(preset, random.Random(f"{seed} {number}"))
    print(preset, dict(checked))
    if deals >= DEALS:
        assert {phase for phase in PHASES[preset] if checked[phase] < FEWEST[phase]} == set()
        assert set(checked) == PHASES[preset]


def _check_deal(preset: str, rng: random.Random) -> Counter[str]:
    """Stop a random deal once in each phase that it has, and in the play three times, at a seat each; count worlds."""
    deal, players = Reference(random_board(rng, preset)), Players(rng)
    moments: dict[str, list[int]] = {}
    while deal.phase != "over":
        moments.setdefault(deal.phase, []).append(len(deal.actions))
        deal.play(players.choose(deal))
    checked: Counter[str] = Counter()
    for phase, steps in moments.items():
        for _ in range(3 if phase == "play" else 1):
            at = Reference(deal.record())
            for action in deal.actions[: min(rng.choices(steps, k=2))]:  # rather early: there is more to exchange
                at.play(action)
            seat = rng.randrange(at.rules.players)
            world = another_world(at, seat, rng)
            if hidden(world) != hidden(at.record()):
                assert_alike(at.record(), world, seat)
                checked[phase] += 1
    return checked


def hidden(record: Record) -> list[bytes]:
    """What everybody holds, sees or not, and the discards."""
    return [replayed(record).state[name].tobytes() for name in ("hands", "down", "aside")]


def assert_alike(record: Record, world: Record, seat: int) -> None:
    """A seat is given the same in both at every moment up to the last."""
    one, two = Game.from_record(record), Game.from_record(world)
    for action, other in [*zip(record["actions"], world["actions"], strict=True), (None, None)]:
        assert (one.seat, one.phase) == (two.seat, two.phase)
        assert one.view(seat).tobytes() == two.view(seat).tobytes()
        for seen, also_seen in zip(one.observe(seat), two.observe(seat), strict=True):
            assert seen.tobytes() == also_seen.tobytes()
        if action:
            one.play(action)
            two.play(other)
    assert one.message(seat) == two.message(seat)
    assert one.decision(seat, seed=5).seeds == two.decision(seat, seed=5).seeds


# What is said to be possible is: nothing that another seat holds is ruled out


@given(st.sampled_from(RULESETS).flatmap(lambda preset: positions(0, 45, preset)), st.integers(0, 3))
def test_what_others_hold_is_among_what_they_may_hold(at, seat):
    deal, players = at.deal, at.deal.rules.players
    assume(deal.phase != "over" and seat < players)
    for turn, could in enumerate(Seen(at.game, seat).rows("could"), start=1):
        assert set(deal.hands[(seat + turn) % players]) <= could


# What becomes public is seen by all from that moment on, and not before. Nobody but seat 1 holds a combination: in one
# deal 7-8-9 of spades, in another 7-8-9 of diamonds, in a third none. Seat 0 cannot tell them apart by its own cards.

SPADES = (
    "AC 8C TH QH JD AD TS QS",
    "KC JC 7H 9H KD 7S 8S 9S",
    "7C 9C 8H KH TD QD KS 7D",
    "TC QC JH AH JS AS 8D 9D",
)
DIAMONDS = (SPADES[0], "KC JC 7H 9H KD 7D 8D 9D", "7C 9C 8H KH TD QD KS 7S", "TC QC JH AH JS AS 8S 9S")
NONE = (SPADES[0], "KC JC 7H 9H KD 7S 8S 8D", SPADES[2], "TC QC JH AH JS AS 9S 9D")


def first_difference(one: Game, two: Game, seat: int, actions: str) -> int | None:
    """After how many actions a seat is given something else in two deals; None if it never is."""
    for number, action in enumerate([*actions.split(), None]):
        if one.view(seat).tobytes() != two.view(seat).tobytes():
            assert any((a != b).any() for a, b in zip(one.observe(seat), two.observe(seat), strict=True))
            return number
        assert all((a == b).all() for a, b in zip(one.observe(seat), two.observe(seat), strict=True))
        if action:
            one.play(action)
            two.play(action)
    return None


BIDS = {"bazar": "8H pass pass pass pass", "bazar-classic": "8H pass pass pass", "bela4": "nameH"}
FIRST_TRICK = "AC JC 7C TC"


@pytest.mark.parametrize(("preset", "calls"), [("bazar", 5), ("bela4", 1)])
def test_announced_with_the_first_card_and_shown_after_the_first_trick(preset, calls):
    actions = f"{BIDS[preset]} {FIRST_TRICK}"
    spades, diamonds, none = (table(*hands, preset=preset) for hands in (SPADES, DIAMONDS, NONE))
    assert first_difference(spades.copy(), none, 0, actions) == calls + 2  # seat 1 plays a card: a terz, or nothing
    assert first_difference(spades, diamonds, 0, actions) == calls + 4  # the terz of spades, or of diamonds


@pytest.mark.parametrize(
    ("actions", "others", "moment"),
    [
        ("8H pass pass pass AC", NONE, 5),  # seat 1 is asked to announce, or is not
        ("8H pass pass pass AC announce JC 7C TC 8C show", DIAMONDS, 11),  # what is shown
        ("8H pass pass pass AC announce JC 7C TC 8C pass KC 9C QC", DIAMONDS, None),  # it is withheld: never known
    ],
)
def test_announcing_and_showing_by_choice(actions, others, moment):
    worlds = [table(*hands, preset="bazar-classic") for hands in (SPADES, others)]
    assert first_difference(*worlds, 0, actions) == moment


def test_whether_a_claim_is_shown_or_withheld():
    game = play(table(*SPADES, preset="bazar-classic"), "8H pass pass pass AC announce JC 7C TC 8C")
    for answer, (shown, withheld) in {"show": (True, False), "pass": (False, True)}.items():
        seen = Seen(play(game.copy(), answer), 0)
        assert seen.bits("claims") == ([1] if shown else []) + ([4 + 1] if withheld else [])
        assert seen.rows("shown")[1] == ({"7S", "8S", "9S"} if shown else set())
    assert Seen(game, 0).bits("claims") == []


def test_who_is_claimant_is_known_when_it_is_asked():
    # Seats 1 and 2 announce a terz. Seat 1's is 8-9-T of spades, seat 2's T-J-Q of diamonds, which is better, or 7-8-9.
    eldest = "AC 8C TH QH 7H AD 7S QS"
    better = (eldest, "KC JC KD 7D 9H 8S 9S TS", "7C 9C 8H KH KS TD JD QD", "TC QC JH AH JS AS 8D 9D")
    worse = (eldest, "KC JC KD TD 9H 8S 9S TS", "7C 9C 8H KH KS 7D 8D 9D", "TC QC JH AH JS AS JD QD")
    worlds = [table(*hands, preset="bazar-classic") for hands in (better, worse)]
    actions = "8H pass pass pass AC announce JC announce 7C TC 8C"
    assert first_difference(*worlds, 0, actions) == 11  # seat 1 plays, or is asked to show
    assert [world.phase for world in worlds] == ["play", "show"]


def test_who_sees_the_seven_is_known_when_it_is_asked_to_swap():
    # A heart is turned and named; seat 1 sees the seven among its six cards, or it lies face down.
    own, rest = "AC KC 9D JD TS 8S", "AD 9S 8C QH KS"
    sees, does_not = (f"7H {rest} JC", f"JC {rest} 7H")
    worlds = [table(own, other, preset="bela2", stock_cards="TH") for other in (sees, does_not)]
    assert first_difference(*worlds, 0, "nameH") == 1
    asked, not_asked = (Seen(world, 0) for world in worlds)
    assert (asked.rows("known")[1], asked.cards("aside")) == ({"7H"}, {"TH"})
    assert (not_asked.rows("known")[1], not_asked.cards("aside")) == (set(), {"TH"})
    assert "7H" not in Seen(worlds[0], 0).rows("known")[0]
    for answer, known, out in (("pass", {"7H"}, {"TH"}), ("swap", {"TH"}, {"7H"})):
        seen = Seen(play(worlds[0].copy(), answer), 0)
        assert (seen.rows("known")[1], seen.cards("aside"), seen.cards("turned")) == (known, out, {"TH"})


def test_the_taker_of_the_turned_card_is_known_to_hold_it():
    game = table(preset="duel", stock_cards="9H")
    assert [Seen(game, seat).cards("aside") for seat in (0, 1)] == [{"9H"}, {"9H"}]
    play(game, "nameH")
    seen = Seen(game, 1)
    assert (seen.cards("aside"), seen.rows("known")) == (set(), [set(), {"9H"}])
    assert Seen(game, 0).cards("hand") >= {"9H"}


def test_discards_are_known_to_the_namer_alone():
    game = play(table(preset="bela3"), "nameC")
    hand = game.hands[0].split()
    assert len(hand) == 12
    ways = [play(game.copy(), f"{one} {two}") for one, two in (hand[:2], hand[2:4])]
    for seat in (1, 2):
        assert [Seen(way, seat).cards("aside") for way in ways] == [set(), set()]
        assert ways[0].observe(seat)[0].tobytes() == ways[1].observe(seat)[0].tobytes()
        assert set(hand) <= Seen(ways[0], seat).cards("unseen")
    assert [Seen(way, 0).cards("aside") for way in ways] == [set(hand[:2]), set(hand[2:4])]


@pytest.mark.parametrize(("preset", "names"), [("bela4", "nameC"), ("bela3", "nameC"), ("bela2", "pass nameC")])
def test_face_down_cards_are_seen_when_they_are_taken_up(preset, names):
    game = table(preset=preset, stock_cards="7C" if preset == "bela2" else "")
    last, players = game.rules.players - 1, game.rules.players
    dealt = game.record()["hands"][last].split()
    for name in names.split():
        seen = Seen(game, last)
        assert seen.cards("hand") == set(dealt[:6])
        assert set(dealt[6:]) <= seen.cards("unseen")  # for all that it knows another seat holds them
        game.play(name)
    assert Seen(game, last).cards("hand") == set(dealt)
    assert not Seen(game, last).cards("unseen") & set(dealt)
    for other in range(players - 1):
        could = Seen(game, other).rows("could")[last - other - 1]
        assert could == Seen(game, other).cards("unseen")
