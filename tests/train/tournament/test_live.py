"""The terminal shows standings, progress and tests while a tournament is played."""

import io
from dataclasses import replace

import numpy as np
from rich.console import Console

from train.tournament.config import SprtConfig
from train.tournament.course import Progress
from train.tournament.live import Watch, counted, line, picture, standings
from train.tournament.played import Meeting
from train.tournament.sprt import Verdict

PROGRESS = Progress(
    names=("strong", "weak", "[bold]late"),
    meetings=(Meeting((0, 1)), Meeting((0, 2))),
    margins=(np.array([[3.0, -3.0], [5.0, -5.0]]), np.zeros((0, 2))),
    play="boards",
    parts=False,
    sprt=SprtConfig(margins=(0, 0.2)),
    verdicts=(Verdict(ratio=3.1, lower=-2.9, upper=2.9, settled="upper", low=None, high=None, n=2), None),
    rungs=(),
    forfeits=1,
    boards=2,
    total=10,
    seconds=60.0,
    minutes=0.0,
)


def shown(terminal: bool, *told: Progress) -> str:
    console = Console(file=io.StringIO(), width=100, force_terminal=terminal, markup=False, highlight=False)
    with Watch("a tournament", console) as watch:
        for progress in told:
            watch.show(progress)
    return console.file.getvalue()  # type: ignore[attr-defined]


def test_who_has_played_is_ranked_with_an_interval() -> None:
    (first, points), (second, _) = standings(PROGRESS)
    assert (first, second) == ("strong", "weak")
    assert (points.mean, points.n) == (4.0, 2)
    assert "2 of 10 boards, 1 forfeited, 1:00, 4:00 left" in line(PROGRESS)
    assert "strong +4.00" in line(PROGRESS)


def test_what_is_counted_is_named() -> None:
    assert counted(PROGRESS).startswith("2 of 10 boards, 1 forfeited")
    assert counted(replace(PROGRESS, parts=True)).startswith("2 of 10 boards, parts included, 1 forfeited")
    matches = replace(PROGRESS, play="matches")
    assert counted(matches).startswith("2 of 10 matches, 1 forfeited")
    assert shown(False, matches) == "a tournament: at most 10 matches\n"
    assert "points a match" in shown(True, matches)
    assert "boards" not in shown(True, matches)


def test_the_time_left_is_no_longer_than_the_limit() -> None:
    assert counted(replace(PROGRESS, minutes=2)).endswith("1:00 left")
    assert counted(replace(PROGRESS, minutes=0.5)).endswith("0:00 left")
    assert counted(replace(PROGRESS, boards=0)).endswith(", 1:00")
    assert counted(replace(PROGRESS, seconds=7200)).endswith("2:00:00, 8:00:00 left")


def test_a_terminal_shows_tables_and_a_pipe_lines() -> None:
    on_terminal, in_pipe = shown(True, PROGRESS), shown(False, PROGRESS)
    for text in ("strong – weak", "+3.10", "rather +0.2", "-2.90 to +2.90"):
        assert text in on_terminal
    assert in_pipe == "a tournament: at most 10 boards\n"
    assert "compile the engine" in shown(False, replace(PROGRESS, boards=0))


def test_the_end_is_told_once() -> None:
    over = replace(PROGRESS, boards=10)
    assert shown(False, PROGRESS, PROGRESS, over, over).splitlines()[1:] == [line(over)]


def test_many_tests_are_cut_off_and_the_open_ones_stand_first() -> None:
    numbers = range(20)
    open_one = replace(PROGRESS.verdicts[0], settled=None)  # type: ignore[type-var]
    many = replace(
        PROGRESS,
        names=tuple(f"agent {number}" for number in range(21)),
        meetings=tuple(Meeting((0, number + 1)) for number in numbers),
        margins=(PROGRESS.margins[0],) * 20,
        verdicts=(*(PROGRESS.verdicts[0],) * 19, open_one),
    )
    console = Console(file=io.StringIO(), width=100)
    for part in picture("many", many)[-1:]:
        console.print(part)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert text.index("agent 20") < text.index("agent 1 ")
    assert "and 8 more" in text
