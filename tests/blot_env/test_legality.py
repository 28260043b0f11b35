"""What a table tells a player who may not do something: a sentence for each illegal action, none for a legal one."""

import random
import re

import pytest

from blot_env import RULESETS, Game, load_rules
from blot_env.actions import ANNOUNCE, BIDS, CONTRA, PASS, RECONTRA, SHOW, SWAP
from tests.fuzz import variants
from tests.tables import play, table

KINDS = {
    "card": r"No card is played before|You do not hold|Follow suit|Play a (higher )?(trump|card)",
    "pass": r"must name a suit|Discard a card|Play a card",
    "contra": r"[Cc]ontra|The last word",
    "name": r"Bid a number with the suit|Take the turned suit|Name another suit|After contra",
    "swap": r"[Ss]wap",
    "claim": r"[Aa]nnounce|[Ss]how|There is nothing",
    "bid": r"Bid (higher|one step)|goes over capot|Who has passed|After contra",
}
"""By kind of action, what may be said about it in the auction, and about cards in the play."""
LATER = {
    "swap": r"Swap the seven or pass",
    "discard": r"Discard a card|You do not hold",
    "announce": r"Announce or pass",
    "show": r"Show or pass|You hold no combination to show",
    "play": rf"Play a card|{KINDS['card']}",
}


def kind_of(action: int) -> str:
    names = {PASS: "pass", CONTRA: "contra", RECONTRA: "contra", SWAP: "swap", ANNOUNCE: "claim", SHOW: "claim"}
    if action < PASS:
        return "card"
    if action >= BIDS:
        return "bid"
    return names.get(action, "name")


def deals(preset: str, count: int, rng: random.Random):
    """Games of a preset, a half of them under house rules, as they are played."""
    for seed in range(count):
        fields = rng.choice(variants(preset)) if seed % 2 else {}
        yield Game(load_rules(preset, **fields), seed=seed)


def calm(game: Game, rng: random.Random) -> str:
    """A legal action: of the bids mostly one of the lowest, and contra and its like as often as not."""
    legal = [game.rules.actions.text(int(action)) for action in game.mask().nonzero()[0]]
    return rng.choice(legal[:8]) if game.phase == "auction" else rng.choice(legal)


@pytest.mark.parametrize("preset", RULESETS)
def test_every_illegal_action_has_a_sentence_of_its_kind_and_a_legal_one_none(preset):
    rng = random.Random(preset)
    for game in deals(preset, 12, rng):
        while game.phase != "over":
            mask, phase = game.mask(), game.phase
            wanted = range(len(mask)) if phase != "auction" else rng.sample(range(len(mask)), min(len(mask), 120))
            for action in wanted:
                text = game.rules.actions.text(action)
                if (phase == "auction") != (action >= BIDS) and action not in range(PASS, BIDS):
                    continue  # in notation it is something else there
                sentence = game.why_not(text)
                assert (sentence is None) == bool(mask[action]), (text, sentence)
                if sentence:
                    pattern = KINDS[kind_of(action)] if phase == "auction" else LATER[phase]
                    assert re.search(pattern, sentence), (text, sentence)
                    assert sentence[0].isupper()
            game.play(calm(game, rng))
        assert "is over" in game.why_not("pass")


@pytest.mark.parametrize(
    ("actions", "wrong", "sentence"),
    [
        ("", "contra", "Contra needs an opponents' bid"),
        ("8H pass", "contra", "Contra needs an opponents' bid"),
        ("8H", "recontra", "Recontra needs an opponents' contra"),
        ("9H", "9S", "Bid higher than 9"),
        ("8H contra", "9H", "After contra: recontra or pass"),
        ("8H pass pass pass", "contra", "The last word: keep your bid or raise it"),
        ("capotH", "80NT", "Nothing goes over capot"),
        ("", "nameH", "Bid a number with the suit"),
        ("", "swap", "There is no swap in these rules"),
        ("", "AS", "'AS' is no call: write pass, contra, recontra, a bid such as 9S or 12NT, or capotH"),
        ("8H pass pass pass pass", "pass", "Play a card"),
        ("8H pass pass pass pass", "7C", "You do not hold 7C"),
        ("8H pass pass pass pass AC", "9H", "Follow suit: clubs"),
        ("8H pass pass pass pass AH", "TH", "Play a higher trump"),
        ("8H pass pass pass pass AH", "7D", "Follow suit: hearts"),
        ("8H pass pass pass pass AS", "7D", "Play a trump"),
        ("8H pass pass pass pass AS", "TH", None),
        ("8H pass pass pass pass AS TH JH", "7H", "Follow suit: spades"),
    ],
)
def test_sentences_at_bazar(actions, wrong, sentence):
    hands = ("AC AH AS KC KD KS QC QD", "7C 8C 9H TH 7D 8D 9D TD", "JH JC JD 9C TC KH QH AD", "JS QS TS 9S 8S 7S 7H 8H")
    assert play(table(*hands), actions).why_not(wrong) == sentence


def test_who_can_overtrump_must():
    hands = ("AC KC QC JC TC 9C 8C 7C", "9H TH AD KD QD JD TD 9D", "JH 7H AS KS QS JS TS 9S", "AH KH QH 8H 8S 7S 8D 7D")
    game = play(table(*hands), "8H pass pass pass pass AC TH")
    assert game.why_not("7H") == "Play a higher trump"
    assert game.why_not("AS") == "Play a higher trump"


@pytest.mark.parametrize(
    ("preset", "fields", "actions", "wrong", "sentence"),
    [
        ("bazar", {"must_beat": "all"}, "8H pass pass pass pass KC", "7C", "Play a higher card: clubs"),
        ("bazar", {"reenter": False}, "pass 8H pass pass", "9H", "Who has passed bids no more"),
        ("bazar-alltrump", {}, "", "9H", "Bid one step at a time: 8"),
        ("bazar-alltrump", {}, "8H", "10H", "Bid one step at a time: 9"),
        ("bazar-alltrump", {}, "8H", "contra", "There is no contra in these rules"),
        ("bazar-alltrump", {}, "8AT pass pass pass KC", "7C", "Play a higher card: clubs"),
        ("hayblot", {}, "25H", "25S", "Bid higher than 25"),
        ("hayblot", {}, "8H", "recontra", "There is no recontra in these rules"),
        ("bazar-classic", {}, "12Hcapot", "13H", "Only a capot goes over capot"),
        ("bazar-classic", {}, "12Hcapot", "12Scapot", "Bid higher than 12"),
        ("bazar-classic", {}, "", "announce", "Announce with the first trick"),
        ("bazar-classic", {}, "", "show", "Show after the first trick"),
        ("bela4", {}, "", "announce", "Combinations are announced and shown without asking in these rules"),
        ("bela4", {}, "pass pass pass", "pass", "The dealer must name a suit"),
    ],
)
def test_sentences_of_other_rules(preset, fields, actions, wrong, sentence):
    hands = ["KC QD JH TS 9C 8D 7H AS", "AC 9D TH 8S 7C KD QH JS", "TC 8C QC JC AD TD 7D JD", "9H 8H KH AH 7S 9S QS KS"]
    record = {"rules": preset, "fields": fields, "target": 151, "scores": [0, 0], "dealer": 3, "hands": hands}
    assert play(Game.from_record(record), actions).why_not(wrong) == sentence


def test_sentences_of_a_turned_card_and_of_the_seven():
    hands = ["7H KC QC JC TC 9C 8C 7C 9H TH", "AD KD QD JD TD 9D 8D 7D 8H QH"]
    stock = "AH AS KS QS JS TS 9S 8S 7S AC KH JH"
    record = {"rules": "bela2", "target": 501, "scores": [0, 0], "dealer": 1, "hands": hands, "stock": stock}
    game = Game.from_record(record)
    assert game.why_not("nameS") == "Take the turned suit, hearts, or pass"
    assert game.why_not("swap") == "Swap when you are asked, after the auction"
    second = play(game.copy(), "pass pass")
    assert second.why_not("nameH") == "Name another suit: hearts was refused"
    assert play(second, "pass").why_not("pass") == "The dealer must name a suit"
    game.play("nameH")
    assert (game.phase, game.why_not("AS")) == ("swap", "Swap the seven or pass")


def test_sentences_of_discarding():
    game = Game("bela3", seed=1)
    assert game.why_not("pass") == "Eldest must name a suit"
    game.play("nameH")
    assert game.why_not("pass") == "Discard a card"
    elsewhere = game.hands[1].split()[0]
    assert game.why_not(elsewhere) == f"You do not hold {elsewhere}"


def test_who_bluffed_has_nothing_to_show():
    rules = load_rules("bazar-classic", bluff=True)
    for seed in range(200):
        game = play(Game(rules, seed=seed), "8H pass pass pass")
        while game.phase in ("announce", "play") and len(game.actions) < 13:
            legal = game.legal_actions()
            game.play("announce" if "announce" in legal else legal[0])
        if game.phase == "show" and "show" not in game.legal_actions():
            assert game.why_not("show") == "You hold no combination to show"
            return
    raise AssertionError("nobody bluffed")


def test_after_the_end_nothing_may_be_done():
    game = play(Game("bazar", seed=1), "pass pass pass pass")
    assert game.why_not("pass") == "The deal is over; call next_deal()"
