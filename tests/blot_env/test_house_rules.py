"""Fields of a rule set, each flipped on a position where it matters: here those of the table; all of them together.

The auction's are in `test_house_auction`, those of play and combinations in `test_house_play`, of points and the match
in `test_house_scoring`.
"""

import pytest

from blot_env import Game, RuleSet, load_rules
from tests.blot_env import test_house_auction, test_house_play, test_house_scoring
from tests.house import COVERED, covers
from tests.tables import WHOLE_SUITS, board, finish, legal, play, table


def test_each_field_is_flipped_where_it_matters():
    assert [module.__name__ for module in (test_house_auction, test_house_play, test_house_scoring)]
    assert set(RuleSet.model_fields) - {"name"} == COVERED


def test_a_house_rule_is_the_rule_set_with_a_field_changed():
    rules = table(*WHOLE_SUITS, last_word=False).rules
    assert rules == load_rules("bazar", last_word=False)
    assert rules != load_rules("bazar")
    assert rules.changes == {"last_word": False}


@covers("target", "targets")
def test_another_target():
    assert load_rules("bazar", targets=[40, 80]).target == 40
    assert load_rules("bazar", targets=[40, 80], target=80).target == 80
    for target, winner in ((24, 0), (25, None)):  # 162 for all cards: 16, + 8
        game = table(*WHOLE_SUITS, targets=[target], runs=[0, 0, 0], all_tricks=0, blot=0)
        assert finish(play(game, "8C pass pass pass pass")).winner == winner


@covers("teams")
def test_four_who_play_alone():
    hands = ("AC", "7C 8C 9D TD 7S 8S 9S JS", "QH TH 9H JD QD KD QS KS", "")
    fields = {"preset": "bela4", "must_trump": "unless_partner_wins", "face_down": 0, "visible": 8}
    for teams, cards in ((True, set(hands[2].split())), (False, {"QH", "TH", "9H"})):
        alone = {} if teams else {"teams": False, "failed_to": "nobody"}
        game = play(table(*hands, **fields, **alone), "nameH AC 7C")  # the ace of seat 0, opposite, holds the trick
        assert legal(game) == cards
        assert len(finish(game).result["points"]) == (2 if teams else 4)


@covers("players", "stock")
def test_bela_for_two_with_whole_hands():
    # Sixteen cards stay out of play; two cards make a trick.
    game = table("AC 7D", "KC", preset="bela4", players=2, teams=False, stock="out")
    play(game, "nameC AC KC 7D")
    assert (game.seat, game.state.public.trick_number) == (1, 1)
    assert finish(game).result["tricks"][0] + game.result["tricks"][1] == 8
    assert len(game.record()["stock"].split()) == 16


@covers("stock")
def test_bela_for_three_without_taking_up_the_stock():
    game = play(table(preset="bela3", stock="out", belot=False), "nameC")
    assert (game.phase, game.record()["stock"]) == ("play", "KS AS")
    assert [len(hand.split()) for hand in game.hands] == [10, 10, 10]
    assert sum(finish(game).result["card_points"]) == 162 - 4 - 11


@covers("ranks")
def test_the_duel_with_the_whole_pack():
    # Undealt are 32 - 16 cards; the taker makes it, and writes their points too.
    game = table("7C 8C JC 9C AC", "7D 8D 9D TD JD", preset="duel", ranks="789TJQKA", stock_cards="TC KC QC QD KD AD")
    assert len(game.record()["stock"].split()) == 22
    result = finish(play(game, "nameC")).result
    # Clubs are all at seat 0, which takes all tricks: trumps 62, and seat 1's 9 T J Q K A of diamonds 30, and 10.
    assert result["card_points"] == [102, 0]
    # A run of eight 100, the blot 20, all tricks 90: 312. Undealt: hearts and spades, 60. r(372) = 37.
    assert (result["raw"], result["made"], result["points"]) == ([312, 0], True, [37, 0])


@covers("hand_size", "visible", "face_down")
def test_other_hands():
    short = table(preset="duel", visible=4)
    assert [len(hand.split()) for hand in short.hands] == [4, 4]
    long = table(preset="duel", hand_size=9, stock_cards="9H")
    play(long, "nameH")
    assert [len(hand.split()) for hand in long.hands] == [9, 9]
    open_bela = table(preset="bela4", visible=8, face_down=0)
    assert [len(hand.split()) for hand in open_bela.hands] == [8] * 4
    assert len(table(preset="bela4").hands[0].split()) == 6
    closed_bazar = table(visible=5, face_down=3)
    assert [len(hand.split()) for hand in closed_bazar.hands] == [5] * 4
    assert [len(hand.split()) for hand in play(closed_bazar, "8H pass pass pass pass").hands] == [8] * 4


@pytest.mark.nojit
def test_house_rules_stay_in_records():
    game = Game.from_record(board(*WHOLE_SUITS, last_word=False, blot=40))
    assert game.record()["fields"] == {"last_word": False, "blot": 40}
    assert Game.from_record(game.record()).rules == game.rules
