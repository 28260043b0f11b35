"""Which boards are played next: every board of every meeting once, the meetings evenly, settled ones no further."""

import itertools
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import agents
from blot_env import RuleSet
from train.tournament.config import TournamentConfig
from train.tournament.entrants import entrants_of
from train.tournament.schedule import CHUNK, SEARCHED, SEARCHED_MATCHES, Chunk, Schedule, chunk_size, meetings_of

SIZES = st.lists(st.integers(1, 20), min_size=1, max_size=4)


def drained(schedule: Schedule) -> list[Chunk]:
    """All chunks that are left, each counted as soon as it is taken."""
    chunks = []
    while chunk := schedule.next():
        chunks.append(chunk)
        if chunk.part == 0:
            schedule.count(chunk)
    return chunks


@given(SIZES, st.integers(1, 100), st.integers(0, 120))
def test_every_board_is_played_once(sizes: list[int], boards: int, parts: int) -> None:
    schedule = Schedule(sizes, boards, parts)
    total = schedule.total
    chunks = drained(schedule)
    assert sum(chunk.boards for chunk in chunks) == total == schedule.total
    for meeting, part in itertools.product(range(len(sizes)), range(3)):
        own = [chunk for chunk in chunks if (chunk.meeting, chunk.part) == (meeting, part)]
        numbers = [board for chunk in own for board in range(chunk.start, chunk.stop)]
        assert numbers == list(range(boards if part == 0 else min(boards, parts)))
        assert all(chunk.boards <= sizes[meeting] for chunk in own)
        assert [chunk.alone for chunk in own] == [part == 0 and number == 0 for number in range(len(own))]


@given(SIZES, st.integers(1, 100), st.randoms(use_true_random=False))
def test_chunks_are_the_same_however_they_are_finished(sizes: list[int], boards: int, lot: Random) -> None:
    """Chunks that are counted late, and out of turn between meetings, are cut alike."""
    schedule = Schedule(sizes, boards, parts=boards)
    chunks, waiting = [], list[Chunk]()
    while True:
        if waiting and lot.random() < 0.5:
            schedule.count(waiting.pop(0))
        elif chunk := schedule.next():
            chunks.append(chunk)
            waiting += [chunk] if chunk.part == 0 else []
        elif not waiting:
            break
    by_place = sorted(chunks, key=lambda chunk: (chunk.meeting, chunk.part, chunk.start))
    at_once = sorted(
        drained(Schedule(sizes, boards, boards)), key=lambda chunk: (chunk.meeting, chunk.part, chunk.start)
    )
    assert by_place == at_once


def test_the_meeting_with_the_fewest_boards_comes_first() -> None:
    chunks = drained(Schedule([4, 64], 128))
    begun = [0, 0]
    for chunk in chunks:
        assert begun[chunk.meeting] == min(count for count in begun if count < 128)
        begun[chunk.meeting] = chunk.stop


def test_a_settled_meeting_is_played_no_further_and_leaves_its_time_to_the_others() -> None:
    schedule = Schedule([10, 10], 100, parts=15)
    first = schedule.next()
    assert first == Chunk(0, 0, 0, 10)
    schedule.count(first)
    schedule.settle(0, 10)
    rest = drained(schedule)
    assert [chunk for chunk in rest if chunk.meeting == 0] == [Chunk(0, 1, 0, 10), Chunk(0, 2, 0, 10)]
    assert sum(chunk.boards for chunk in rest if chunk.meeting == 1) == 100 + 2 * 15
    assert schedule.total == 10 + 2 * 10 + 100 + 2 * 15


@pytest.mark.parametrize(
    ("form", "table", "met"),
    [
        ("round-robin", 2, {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)}),
        ("gauntlet", 2, {(0, 1), (0, 2), (0, 3)}),
        ("ladder", 2, {(1, 0), (2, 1), (3, 2)}),
        ("round-robin", 3, {(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)}),
        ("gauntlet", 3, {(0, 1, 2), (0, 1, 3), (0, 2, 3)}),
    ],
)
def test_who_meets_whom(form: str, table: int, met: set[tuple[int, ...]]) -> None:
    config = TournamentConfig.model_validate(
        {"agents": ["random"] * 4, "rules": "bela3", "format": form, "table": table}
    )
    meetings = [meeting.entrants for meeting in meetings_of(config)]
    assert len(meetings) == len(met)
    assert set(meetings) == met


def test_agents_that_search_play_small_chunks(rules: RuleSet) -> None:
    quick, slow = entrants_of(rules, ["random+rules", "ismcts:iterations=5"])
    made = {spec: agents.make(spec, rules) for spec in (*quick.agents, *slow.agents)}
    assert chunk_size([quick, quick], made, matches=False) == CHUNK
    assert chunk_size([quick, slow], made, matches=False) == SEARCHED
    assert chunk_size([slow, quick], made, matches=True) == SEARCHED_MATCHES
