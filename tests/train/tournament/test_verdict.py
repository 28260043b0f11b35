"""The short answer: who is better and whether that is settled, from summaries made by hand."""

from typing import Any

import pytest

from train.tournament.verdict import verdict

WINS, OPEN, LOSES, EVEN = (5.2, 3.1, 7.4), (0.4, -0.9, 1.7), (-2.0, -3.0, -1.0), (0.0, 0.0, 0.0)
Points = tuple[float, float | None, float | None]


def estimate(points: Points, n: int = 200) -> dict[str, Any]:
    mean, low, high = points
    return {"mean": mean, "low": low, "high": high, "sd": 0.0 if points == EVEN else 9.0, "n": n}


def meeting(first: str, second: str, points: Points, **more: Any) -> dict[str, Any]:
    return {"entrants": [first, second], "points": estimate(points), "sprt": None, "parts": None, "luck": None} | more


def told(
    meetings: list[dict[str, Any]],
    entrants: dict[str, Points] | None = None,
    forfeits: dict[str, int] | None = None,
    **more: Any,
) -> list[str]:
    own = forfeits or {}
    standings = [
        {"name": name, "points": estimate(points, 400), "forfeits": own.get(name, 0)}
        for name, points in (entrants or dict.fromkeys(meetings[0]["entrants"], WINS)).items()
    ]
    settings = {"play": "boards", "format": "round-robin", "cycles": []}
    return verdict({"entrants": standings, "meetings": meetings, **settings, **more})


@pytest.mark.parametrize(
    ("points", "answer"),
    [
        (WINS, "a is better than b by +5.20 match points a board (+3.10 … +7.40; 200 boards)."),
        (LOSES, "b is better than a by +2.00 match points a board (+1.00 … +3.00; 200 boards)."),
        (OPEN, "That a is better than b is not settled: +0.40 match points a board (−0.90 … +1.70; 200 boards)."),
        ((-0.4, -1.7, 0.9), "That b is better than a is not settled: +0.40 match points a board (−0.90 … +1.70; "),
        ((-0.001, -1, 1), "That b is better than a is not settled: 0.00 match points"),
        ((12.0, None, None), "That a is better than b is not settled: +12.00 match points a board (200 boards)."),
        (EVEN, "No difference between a and b: exactly 0 on each of 200 boards."),
    ],
)
def test_of_two_it_is_said_who_is_better_if_that_is_settled(points: Points, answer: str) -> None:
    (line,) = told([meeting("a", "b", points)])
    assert line.startswith(answer)


def test_matches_are_called_so() -> None:
    (line,) = told([meeting("a", "b", WINS)], play="matches")
    assert line == "a is better than b by +5.20 match points a match (+3.10 … +7.40; 200 matches)."


@pytest.mark.parametrize("settled", ["upper", "lower", None])
def test_where_a_test_ended_a_meeting_the_interval_is_that_of_all_looks(settled: str | None) -> None:
    sprt = {"settled": settled, "margins": [-0.5, 0.2], "low": -0.5, "high": 11.0}
    answer, test = told([meeting("a", "b", WINS, sprt=sprt)])
    if settled is None:
        assert answer.startswith("a is better than b")
        assert "(+3.10 … +7.40; " in answer
        assert test == "The sequential test is still open: whether a is rather at −0.5 or at 0.2."
    else:
        assert answer.startswith("That a is better than b is not settled")
        assert "(−0.50 … +11.00; " in answer
        found = {"upper": "0.2 than at −0.5", "lower": "−0.5 than at 0.2"}[settled]
        assert test == f"The sequential test found a rather at {found}."


def test_a_test_tells_of_the_margin_as_it_was_played() -> None:
    sprt = {"settled": "upper", "margins": [0, 1], "low": 1.0, "high": 7.0}
    answer, _ = told([meeting("a", "b", WINS, sprt=sprt, luck={"raw": estimate((4.0, 3.0, 5.0))})])
    assert answer == "a is better than b by +4.00 match points a board (+1.00 … +7.00; 200 boards)."


@pytest.mark.parametrize(("points", "better", "sign"), [(WINS, "a", 1), (LOSES, "b", -1)])
def test_exchanged_parts_say_where_the_better_one_gains(points: Points, better: str, sign: int) -> None:
    auction, cards = sign * 1.1, sign * 4.3
    parts = {
        "auction": estimate((auction, auction - 1, auction + 1), 50),
        "cards": estimate((cards, cards - 1, cards + 1), 50),
    }
    _, where = told([meeting("a", "b", points, parts=parts)])
    assert where == (
        f"Where: the auction of {better} alone makes +1.10 (+0.10 … +2.10; 50 boards), "
        "its card play alone +4.30 (+3.30 … +5.30; 50 boards)."
    )


def test_of_more_the_leader_is_held_against_the_second_in_their_own_meeting() -> None:
    entrants: dict[str, Points] = {"a": WINS, "b": OPEN, "c": LOSES}
    meetings = [meeting("a", "c", WINS), meeting("c", "b", LOSES), meeting("b", "a", (0.5, 0.2, 0.8))]
    lead, direct = told(meetings, entrants)
    assert lead == "a leads with +5.20 match points a board (+3.10 … +7.40; 400 boards); b is second."
    assert direct.startswith("b is better than a by +0.50 match points a board")
    assert direct.endswith("200 boards against each other).")


def test_three_at_a_table_have_no_meeting_of_two() -> None:
    entrants: dict[str, Points] = {"a": OPEN, "b": (0.0, -1.0, 1.0), "c": LOSES}
    three = {"entrants": ["a", "b", "c"], "points": estimate(OPEN)}
    (line,) = told([three], entrants)
    assert line.endswith("(−0.90 … +1.70; 400 boards), which may be luck; b is second.")
    (line,) = told([three], entrants | {"a": WINS}, format="gauntlet")
    assert line.endswith("(+3.10 … +7.40; 400 boards); b is second.")


def test_of_more_that_are_all_alike_nobody_leads() -> None:
    names = ("a", "b", "c")
    meetings = [meeting("a", "b", EVEN), meeting("a", "c", EVEN), meeting("b", "c", EVEN)]
    assert told(meetings, dict.fromkeys(names, EVEN)) == [
        "No difference between any of the 3: exactly 0 on all boards."
    ]


def test_in_a_gauntlet_the_first_is_held_against_each() -> None:
    points = {"b": WINS, "c": LOSES, "d": OPEN, "e": WINS, "f": EVEN}
    meetings = [meeting("a", name, own) for name, own in points.items()]
    assert told(meetings, {"c": WINS, "a": OPEN, **points}, format="gauntlet") == [
        "a is better than b: +5.20 (+3.10 … +7.40; 200 boards), e: +5.20 (+3.10 … +7.40; 200 boards), "
        "in match points a board.",
        "a is worse than c: −2.00 (−3.00 … −1.00; 200 boards), in match points a board.",
        "a is neither surely better nor surely worse than d: +0.40 (−0.90 … +1.70; 200 boards), "
        "in match points a board.",
        "a is no different from f: 0.00 (0.00 … 0.00; 200 boards), in match points a board.",
    ]


@pytest.mark.parametrize(("sure", "end"), [(True, ", each for sure."), (False, ", but that may be luck.")])
def test_cycles_and_forfeits_are_told_after_the_answer(sure: bool, end: str) -> None:
    cycle = {"entrants": ["a", "b", "c"], "sure": sure}
    answer, circle, last = told([meeting("a", "b", WINS)], forfeits={"b": 1200}, cycles=[cycle])
    assert answer.startswith("a is better than b")
    assert circle == f"A cycle: a beats b beats c beats a{end}"
    assert last == "Tables forfeited: 1,200 by b."
