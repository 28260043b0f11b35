"""Announcing and showing by choice, step by step (rules, section 6)."""

import pytest

from tests.blot_env.test_scoring import BLOT
from tests.tables import finish, legal, play, table

CALLS = "8H pass pass pass"  # by seat 0, which leads

# Terzes, from the best: T-J-Q of diamonds at seat 1, 9-T-J of spades at seat 2, 8-9-T of clubs at seat 3, and 7-8-9 of
# hearts, trump, at seat 0.
FOUR_TERZES = (
    "7H 8H 9H AC KD AS KS 7C",
    "TD JD QD KC AH 7S 8S JH",
    "9S TS JS QC JC AD 7D KH",
    "8C 9C TC 8D 9D QH TH QS",
)
FIRST = "announce AC announce KC announce QC announce 8C"  # seat 0 takes the trick and leads


def four(calls: str = ""):
    return play(table(*FOUR_TERZES, preset="bazar-classic"), f"{CALLS} {FIRST} {calls}")


def combinations(game) -> list[int]:
    return [int(points) for points in game.state.public.combinations[:2]]


def test_each_is_asked_before_its_first_card_if_it_holds_anything():
    game = play(table(*FOUR_TERZES, preset="bazar-classic"), CALLS)
    for seat, (answer, card) in enumerate([("announce", "AC"), ("pass", "KC"), ("announce", "QC"), ("pass", "8C")]):
        assert (game.seat, game.phase, legal(game)) == (seat, "announce", {"pass", "announce"})
        play(game, answer)
        assert (game.seat, game.phase) == (seat, "play")
        play(game, card)


def test_a_blot_alone_is_not_asked_about():
    game = play(table(*BLOT, preset="bazar-classic"), CALLS)
    assert (game.phase, game.seat) == ("play", 0)


@pytest.mark.parametrize(
    ("hand", "classes"),
    [
        ("7C 8C 9C AD QD QH QS 7S", ["terz"]),
        ("7C 8C 9C TC QD QH QS 7S", ["fifty"]),
        ("7C 8C 9C TC JC QH QS 7S", ["hundred"]),
        ("7C 8C 9C TC JC QC KC 7S", ["hundred"]),
        ("QC QD QH QS 7C 8C 9C 7S", ["four"]),  # the best one only
        ("7C 8C 9C JD QD KD AD 7S", ["fifty"]),
    ],
)
def test_the_class_of_the_best_is_announced(hand, classes):
    game = play(table(hand, preset="bazar-classic"), f"{CALLS} announce")
    assert game.message(1)["announced"][0] == classes


def test_the_claimant_is_asked_before_its_next_card():
    game = four()
    assert (game.seat, game.phase) == (0, "play")  # it leads; the claimant is seat 1
    play(game, "AS")
    assert (game.seat, game.phase, legal(game)) == (1, "show", {"pass", "show"})


def test_who_shows_scores_and_then_its_partner_is_asked():
    game = four("AS show 7S")
    assert combinations(game) == [0, 20]
    assert (game.seat, game.phase) == (2, "play")  # the other side is asked nothing any more
    play(game, "9S")
    assert (game.seat, game.phase) == (3, "show")
    assert combinations(play(game.copy(), "show")) == [0, 40]
    game = play(game, "pass QS")
    assert combinations(game) == [0, 20]
    assert finish(game).result["combinations"] == [0, 20]  # nobody else is asked


def test_a_withheld_claim_gives_way_to_the_other_side():
    # Seat 1 withholds, the best of the other side is seat 2.
    game = four("AS pass 7S")
    assert (game.seat, game.phase) == (2, "show")
    play(game, "show 9S QS")
    assert combinations(game) == [20, 0]
    assert (game.seat, game.phase) == (0, "show")  # its partner, before its third card: it led to the second trick
    assert combinations(play(game, "show")) == [40, 0]


def test_the_chain_to_its_end():
    # Withheld by seat 1, then seat 2 (other side), then seat 3 (other side), then seat 0: each before its next card.
    game = four("AS pass 7S pass 9S")
    assert (game.seat, game.phase) == (3, "show")
    play(game, "pass QS")
    assert (game.seat, game.phase) == (0, "show")
    play(game, "pass KS")
    assert (game.seat, game.phase) == (1, "play")
    assert finish(game).result["combinations"] == [0, 0]


def test_the_same_side_when_the_other_has_none_left():
    # Seats 0 and 2 stay silent. Seat 1 withholds: the other side has none, so its partner is asked.
    game = play(
        table(*FOUR_TERZES, preset="bazar-classic"), f"{CALLS} pass AC announce KC pass QC announce 8C AS pass 7S"
    )
    assert (game.seat, game.phase) == (2, "play")
    play(game, "9S")
    assert (game.seat, game.phase) == (3, "show")
    assert combinations(play(game, "show")) == [0, 20]


def test_who_stayed_silent_is_never_asked():
    game = play(table(*FOUR_TERZES, preset="bazar-classic"), f"{CALLS} pass AC pass KC pass QC pass 8C")
    while game.phase != "over":
        assert game.phase == "play"
        game.play(game.legal_actions()[0])
    assert game.result["combinations"] == [0, 0]


def test_all_of_a_hand_is_shown():
    # Seat 0: four queens 100 and 7-8-9 of clubs 20.
    game = play(table("QC QD QH QS 7C 8C 9C AS", preset="bazar-classic"), f"{CALLS} announce AS")
    while game.phase != "show":
        play(game, "pass" if game.phase == "announce" else game.legal_actions()[0])
    assert (game.seat, game.phase) == (0, "show")
    play(game, "show")
    assert combinations(game) == [120, 0]
    shown = set(game.message(1)["shown"][0].split())
    assert shown == {"QC", "QD", "QH", "QS", "7C", "8C", "9C"}
