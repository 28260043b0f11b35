"""How a deal is explained: every line adds up to what the engine writes."""

import itertools
import json
import math
import random
import re
from pathlib import Path

import pytest

from blot_env import RULESETS, Game, replay
from blot_env.combinations import combination_points
from blot_env.explanation import accounts, combination_lines, combinations_of, scoring_lines
from blot_env.speech import side_name
from tests import vectors
from tests.fuzz import random_board, variants
from tests.tables import finish, play, table

BLOTSTAR = (Path(__file__).parents[1] / "data" / "blotstar.jsonl").read_text(encoding="utf-8").splitlines()
RECORDS = {preset: [record for record, _ in vectors.load(preset)] for preset in vectors.PRESETS}
RECORDS["blotstar"] = [
    {key: value for key, value in json.loads(line).items() if key not in ("shows", "differs", "why")}
    for line in BLOTSTAR
]


def value(expression: str) -> int:
    """What `18 + 2 × 9` comes to."""
    products = (product.split(" × ") for product in expression.split(" + "))
    return sum(math.prod(map(int, product)) for product in products)


def check(game: Game) -> None:
    """All that is said of a finished deal is so."""
    result = game.result
    lines = scoring_lines(game)
    for seat in range(game.rules.players):
        held = combinations_of(game, seat)
        points = sum(combination.points for combination in held)
        if result["contract"]:
            strain, cards = int(game.state.public.strain), int(game.state.dealt[seat])
            assert points == combination_points(game.rules.record, strain, cards)
    if result["made"] is None:
        assert len(lines) == 1
        return
    written = accounts(game)
    assert [account.raw for account in written] == result["raw"]
    assert [account.points for account in written] == result["points"]
    assert lines[0].endswith("made" if result["made"] else "failed")
    needed = re.search(r"needs (more than )?(\d+) (match )?points, has (\d+)", lines[0])
    if needed and "capot" not in lines[0] and "all" not in lines[0]:
        enough = int(needed[4]) > int(needed[2]) if needed[1] else int(needed[4]) >= int(needed[2])
        assert enough == result["made"]
    for side in range(game.rules.sides):
        line = lines[1 + side]
        assert line.lower().startswith(side_name(game.rules, side))
        *said, last = line.partition(": ")[2].split(", ")
        expression, _, written_points = last.removeprefix("writes ").rpartition(" = ")
        assert int(written_points) == result["points"][side] == value(expression or written_points)
        counts = list(itertools.takewhile(lambda part: not re.match("with|keeps|fixed|made|failed|bid", part), said))
        assert sum(int(re.search(r"\d+", part)[0]) for part in counts) == result["raw"][side]
        assert len(counts) == 1 or counts[-1].endswith(f" = {result['raw'][side]}")
        for part in said[len(counts) :]:
            if part.startswith("keeps"):
                named = dict(re.findall(r"(combinations|blot) (\d+)", part))
                assert named
                assert all(int(points) == result[name][side] > 0 for name, points in named.items())
            if part.startswith("fixed"):
                assert int(part.split()[1]) in game.rules.failed_cards
            if part.startswith("with"):
                gained, total = part.split(" = ")
                others = [int(number) for number in re.findall(r"(\d+) (?:of|undealt|discarded)", gained)]
                assert result["raw"][side] + sum(others) == int(total)
    for side, total in enumerate(game.scores):
        before, gained = total - result["points"][side], result["points"][side]
        assert f"{side_name(game.rules, side)}: {before} + {gained} = {total}" in lines[1 + len(written)]
    assert ("the match: " in lines[-1]) == (game.winner is not None)


@pytest.mark.parametrize("preset", RULESETS)
def test_all_recorded_deals_add_up(preset):
    for record in RECORDS[preset]:
        check(replay(record))


@pytest.mark.parametrize("preset", RULESETS)
def test_deals_under_house_rules_add_up(preset):
    rng = random.Random(preset)
    for fields in variants(preset):
        for _ in range(3):
            game = Game.from_record(random_board(rng, preset, fields))
            while game.phase != "over":
                legal = [game.rules.actions.text(int(action)) for action in game.mask().nonzero()[0]]
                game.play(rng.choice(legal[1:12] if len(legal) > 1 else legal))
            check(game)


def test_a_deal_reads_as_players_count_it():
    game = replay(RECORDS["bazar"][20])
    assert [*combination_lines(game), *scoring_lines(game)] == [
        "Seat 0: fifty 7S 8S 9S TS 50, terz QS KS AS 20: those of seats 1 and 3 are better",
        "Seat 1: hundred 7D 8D 9D TD JD QD KD AD 100: they score",
        "Seat 2: hundred 9H TH JH QH KH AH 100: those of seats 1 and 3 are better",
        "Seat 3: fifty 7C 8C 9C TC 50, terz QC KC AC 20: they score",
        "13H by seat 2: needs 130 points, has 171: made",
        "Seats 0 and 2: cards 141, last trick 10, blot 20 = 171, made 13, 17 + 13 = 30",
        "Seats 1 and 3: cards 11, combinations 170 = 181, writes 18",
        "Match to 301, seats 0 and 2: 272 + 30 = 302; seats 1 and 3: 284 + 18 = 302",
        "301 is reached, but the totals are equal: play goes on",
    ]


def test_what_becomes_of_combinations():
    lines = [line for records in RECORDS.values() for record in records for line in combination_lines(replay(record))]
    fates = {re.sub(r"seats? \d( and \d)?", "a side", line.rpartition(": ")[2]) for line in lines}
    assert fates == {
        "they score", "those of a side are better", "lost, for want of a trick", "not announced",
        "announced and withheld", "announced, not shown",
        "the best is equal to that of a side, which comes first from eldest",
    }  # fmt: skip


def test_equal_combinations_and_blots_that_do_not_count():
    equal = ("7C 8C 9C JC KD JH KH 8S", "7D 8D 9D JD TC QC AH TS", "KC TD AD 7H 9H QH 7S QS")
    assert combination_lines(finish(play(table(*equal), "8S pass pass pass pass"))) == [
        "Seat 0: terz 7C 8C 9C 20: they score",
        "Seat 1: terz 7D 8D 9D 20: the best is equal to that of seat 0, which comes first from eldest",
    ]
    hands = ("AH TH JH 9H AC TC AD TD", "KH QH 7C 8C 7D 8D 7S 8S", "AS TS KS QS JS 9S KC QC")
    trickless = finish(play(table(*hands, preset="bela4", face_down=0, visible=8), "pass nameH"))
    assert combination_lines(trickless)[-1] == "Seats 1 and 3: blot 20: lost, for want of a trick"
    hands = ("KC QC 7D 9D JH AH 7S 9S", "7H 8H 9H 7C 9C JC TD QD", "8C TC TH QH QS TS JD 8D")
    lower = finish(play(table(*hands, blot_compared=True), "8C pass pass pass pass"))
    assert combination_lines(lower)[-1] == "Seats 0 and 2: blot 20: lost, for the combinations of others score"


def test_what_a_failed_contract_says():
    game = finish(play(table("", "AC TC JC 9C 7C 8C QC KC"), "80D pass pass pass pass"))
    assert any(", bid 80 and failed, writes 0" in line for line in scoring_lines(game))


def test_a_deal_that_is_not_over_has_no_score():
    game = Game("bazar", seed=1)
    assert scoring_lines(game) == []
    with pytest.raises(ValueError, match="no contract was played"):
        accounts(game)
