"""`Game`: properties of any position, copies, illegal actions, and a match deal after deal."""

import functools
import operator
import random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from blot_env import RULESETS, Game, IllegalAction, RulesError, load_rules
from tests.positions import Position, position, positions
from tests.reference.cards import DECK
from tests.rule_sets import check_result
from tests.tables import WHOLE_SUITS, finish, play, table

RULES = load_rules("bazar")
TEXTS = ["", "8", "ZZ", "81H", "10X", "capot", "Pass"]


def random_deal(game: Game, rng: random.Random) -> Game:
    while game.phase != "over":
        game.play(rng.choice(game.legal_actions()))
    return game


# Any position of any game

ANY = st.sampled_from(RULESETS)


def anywhere(most: int = 60, least: int = 0) -> st.SearchStrategy[Position]:
    return ANY.flatmap(lambda preset: positions(least, most, preset))


@given(anywhere())
def test_cards_are_conserved(at):
    rules, state = at.game.rules, at.game.state
    dealt = sum(1 << DECK.index(card) for card in " ".join(at.record["hands"]).split() + at.record["stock"].split())
    sets = [int(cards) for cards in (*state.hands, *state.down, *state.public.played, state.aside)]
    stock = rules.record.pack & ~functools.reduce(operator.or_, sets)
    sets.append(int(stock))
    assert sum(sets) == dealt  # each card once: in a hand, face down, played, discarded, or in the stock
    assert sum(cards.bit_count() for cards in sets) == 4 * len(rules.ranks)


@given(anywhere())
def test_there_is_always_a_legal_action_until_the_end(at):
    assert (at.game.legal_actions() == []) == (at.game.phase == "over")
    assert (at.game.result is None) == (at.game.phase != "over")


@given(anywhere(60, 60))
def test_points_sum_up(at):
    assume(at.game.result)
    check_result(at.game)


@pytest.mark.nojit
@pytest.mark.parametrize("preset", RULESETS)
@pytest.mark.parametrize("seed", range(2))
def test_a_deal_from_end_to_end(preset, seed):
    at = position(seed, 400, preset)
    assert at.game.phase == "over"
    assert at.game.record() == at.record


@given(anywhere(45))
def test_a_copy_is_independent(at):
    assume(at.game.phase != "over")
    before = at.game.states.tobytes()
    twin = at.game.copy()
    assert twin.states.tobytes() == before
    finish(twin)
    assert at.game.states.tobytes() == before
    assert at.game.record() == at.record


@given(anywhere(45), st.data())
def test_an_illegal_action_changes_nothing(at, data):
    layout = at.game.rules.actions
    texts = sorted({layout.text(action) for action in range(layout.size)}) + TEXTS
    legal = set(at.game.legal_actions())
    wrong = data.draw(st.lists(st.sampled_from(texts), min_size=5, max_size=20))
    before = at.game.states.tobytes()
    for text in wrong:
        # Ten may be written in two ways: in the play `10H` is `TH`.
        if text not in legal and not (at.game.phase != "auction" and text.replace("10", "T") in legal):
            with pytest.raises(IllegalAction, match=r"\w"):
                at.game.play(text)
    assert at.game.states.tobytes() == before


@given(anywhere(60))
def test_text_and_mask_agree(at):
    mask, layout = at.game.mask(), at.game.rules.actions
    assert mask.shape == (layout.size,)
    texts = sorted(layout.text(action) for action in range(layout.size) if mask[action])
    assert texts == at.game.legal_actions()
    for text in texts:
        assert mask[layout.parse(text, at.game.phase)]


@given(anywhere(45))
def test_out_of_turn_nothing_is_legal(at):
    assume(at.game.phase != "over")
    for seat in range(at.game.rules.players):
        assert at.game.observe(seat)[1].any() == (seat == at.game.seat)


# What is said about an illegal action


@pytest.mark.parametrize(
    ("actions", "wrong", "reason"),
    [
        ("", "AS", "AS"),
        ("", "contra", "bid"),
        ("", "recontra", "contra"),
        ("9H", "9S", "higher than 9"),
        ("8H pass", "contra", "bid"),  # the partner's bid
        ("8H contra", "9H", "recontra"),
        ("8H pass pass pass", "contra", "keep"),
        ("capotH", "80NT", "capot"),
        ("8H pass pass pass pass", "pass", "card"),
        ("8H pass pass pass pass", "AS", "hold"),
        ("8H pass pass pass pass", "9H", "hold"),
    ],
)
def test_reasons(actions, wrong, reason):
    game = play(table(*WHOLE_SUITS), actions)
    with pytest.raises(IllegalAction, match=reason):
        game.play(wrong)


@pytest.mark.parametrize(
    ("lead", "wrong", "reason"),
    [("AC", "9H", "Follow suit: clubs"), ("AH", "TH", "Play a higher trump"), ("AS", "7D", "Play a trump")],
)
def test_reasons_of_play(lead, wrong, reason):
    hands = ("AC AH AS KC KD KS QC QD", "7C 8C 9H TH 7D 8D 9D TD", "", "")
    game = play(table(*hands), f"8H pass pass pass pass {lead}")
    with pytest.raises(IllegalAction, match=reason):
        game.play(wrong)


def test_after_the_end():
    game = finish(play(table(*WHOLE_SUITS), "8C pass pass pass pass"))
    with pytest.raises(IllegalAction, match="over"):
        game.play("7C")
    won = finish(play(table(*WHOLE_SUITS), "capotC contra recontra"))
    assert won.winner == 0
    with pytest.raises(IllegalAction, match="over"):
        won.play("7C")


# A match


def test_a_new_game():
    game = Game("bazar")
    assert (game.seat, game.dealer, game.phase, game.scores) == (0, 3, "auction", [0, 0])
    assert (game.winner, game.result) == (None, None)
    given = Game(load_rules("bazar", target=301), seed=5, dealer=1, scores=(20, 30))
    assert (given.seat, given.dealer, given.scores, given.rules.target) == (2, 1, [20, 30], 301)


@pytest.mark.parametrize(
    "arguments",
    [{"seed": -1}, {"seed": 1 << 63}, {"dealer": 4}, {"dealer": -1}, {"scores": [1]}, {"scores": [1, 2, 3]}],
)
def test_a_game_that_cannot_be(arguments):
    with pytest.raises(ValueError, match=next(iter(arguments))):
        Game("bazar", **arguments)


@pytest.mark.parametrize("preset", RULESETS)
def test_a_match_to_its_end(preset):
    rng = random.Random(7)
    game = Game(preset, seed=3)
    for _ in range(500):
        scores, dealer = game.scores, game.dealer
        random_deal(game, rng)
        assert game.scores == [score + gained for score, gained in zip(scores, game.result["points"], strict=True)]
        assert game.winner == game.result["match_winner"]
        if game.winner is not None:
            break
        redealt = game.result["bidder"] is None
        game.next_deal()
        assert (game.phase, game.result) == ("auction", None)
        redealt_by_same = redealt and game.rules.redeal == "same"
        assert game.dealer == (dealer if redealt_by_same else (dealer + 1) % game.rules.players)
        assert game.seat == (game.dealer + 1) % game.rules.players
    assert game.winner is not None
    with pytest.raises(IllegalAction, match="won"):
        game.next_deal()


def test_the_deal_must_be_over_first():
    game = Game("bazar")
    for actions in ("", "8H pass pass pass pass"):
        with pytest.raises(IllegalAction, match="not over"):
            play(game, actions).next_deal()


def test_four_passes_are_dealt_again_by_the_same_dealer():
    game = Game("bazar", seed=9, dealer=2, scores=(150, 20))
    first = game.hands
    play(game, "pass pass pass pass")
    game.next_deal()
    assert (game.dealer, game.seat, game.scores) == (2, 3, [150, 20])
    assert game.hands != first
    second = game.hands
    play(game, "pass pass pass pass")
    game.next_deal()
    assert game.hands not in (first, second)


# Boards: deal k of seed s is the same whatever was played before


def hands_of_deals(seed: int, deals: int, style: int) -> list[list[str]]:
    """The hands of the first deals of a match; `style` decides what is played, and how often boards are passed out."""
    rng = random.Random(style)
    game = Game(load_rules("bazar", target=100_000, tars_kapout=False, capot_contra_wins=False), seed=seed)
    hands = []
    for deal in range(deals):
        if deal:
            game.next_deal()
        hands.append(game.hands)
        for _ in range(style):
            play(game, "pass pass pass pass")
            game.next_deal()
        game.play("8H")
        random_deal(game, rng)
    return hands


def test_boards_do_not_depend_on_what_was_played():
    once = hands_of_deals(12, 4, style=0)
    assert once == hands_of_deals(12, 4, style=1) == hands_of_deals(12, 4, style=2)
    assert len({str(hands) for hands in once}) == 4
    assert hands_of_deals(13, 1, style=0) != once[:1]


@pytest.mark.nojit
def test_boards_stay_the_same_between_versions():
    assert Game("bazar", seed=7).hands == [
        "JC KC AC 7D JD AD 7H 9H",
        "QC QD KD 8H TH 7S JS KS",
        "9C TC 8D KH 8S 9S QS AS",
        "7C 8C 9D TD JH QH AH TS",
    ]


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**32, 2**63 - 1])
def test_any_seed(seed):
    game = Game("bazar", seed=seed)
    assert sorted(" ".join(game.hands).split()) == sorted(DECK)


def test_each_card_falls_to_each_seat_alike():
    # 2000 deals: each card is at each seat 500 times on average, standard deviation 19.4; five of those are 97.
    counts = {card: [0] * 4 for card in DECK}
    for seed in range(2000):
        for seat, hand in enumerate(Game(RULES, seed=seed).hands):
            for card in hand.split():
                counts[card][seat] += 1
    assert all(abs(count - 500) < 97 for seats in counts.values() for count in seats)


@pytest.mark.parametrize("seat", [-1, 4, 7])
def test_there_is_no_such_seat(seat):
    game = Game("bazar")
    for look in (game.view, game.observe, game.decision, game.message):
        with pytest.raises(ValueError, match="seat"):
            look(seat)


@pytest.mark.parametrize(
    "wrong", [{"seed": 1.5}, {"seed": True}, {"board": "2"}, {"dealer": None, "seed": -1}, {"scores": 5}]
)
def test_numbers_are_whole(wrong):
    with pytest.raises(ValueError, match="whole number|match points by side are wanted, not 5"):
        Game("bazar", **wrong)


def test_numbers_of_numpy_are_numbers():
    game = Game("bazar", seed=np.int64(7), dealer=np.int64(2), scores=np.array([1, 2]))
    assert (game.dealer, game.scores) == (2, [1, 2])


def test_actions_beyond_the_space_are_refused():
    with pytest.raises(IllegalAction, match="no action"):
        Game("bazar").take(10**30)


def test_a_word_that_the_rules_do_not_know():
    game = Game(load_rules("bazar", contra=False, recontra=False))
    game.play("8H")
    with pytest.raises(IllegalAction, match="There is no contra in these rules"):
        game.play("contra")


@pytest.mark.parametrize("action", [None, 5, b"8H", []])
def test_actions_are_texts(action):
    with pytest.raises(IllegalAction, match="text"):
        Game("bazar").play(action)
    assert "is a text such as" in Game("bazar").why_not(action)


@pytest.mark.parametrize("action", [1.5, [32], np.float32(32), "8H", None, True])
def test_numbers_of_actions_are_whole(action):
    with pytest.raises(IllegalAction, match="action"):
        Game("bazar").take(action)


@pytest.mark.parametrize("rules", [None, 5, "bazr"])
def test_rules_are_a_preset_or_a_rule_set(rules):
    with pytest.raises(RulesError, match="no preset"):
        Game(rules)
