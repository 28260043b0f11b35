"""A tournament comes to the same end in whatever order its boards are finished, and however often it is killed."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any, Self

import pytest

from tests.train.tournament.test_workers import same
from train.settings import ConfigError
from train.tournament.config import TournamentConfig
from train.tournament.course import Progress, TournamentError
from train.tournament.keeping import BOARDS, SETTINGS, KeepingError, Log
from train.tournament.played import Played
from train.tournament.run import resume_tournament, run_tournament
from train.tournament.schedule import CHUNK
from train.tournament.tournament import Tournament
from train.tournament.workers import Task, WorkerError, play_task

ROOT = Path(__file__).parents[3]
CONFIG = TournamentConfig.model_validate(
    {
        "agents": ["random", "rules", "random"],
        "boards": 2 * CHUNK + 10,
        "seed": 3,
        "parts": CHUNK + 5,
        "sprt": {"margins": [-10, 10]},
        "workers": 2,
    }
)
"""Two meetings are settled by their tests before their boards are over; one, of an agent with itself, never is."""


class DiedError(Exception):
    """The process is gone."""


class Threads:
    """Workers in this process, who finish what they play in any order, and die as often as they are told to."""

    def __init__(self, size: int, seed: int, deaths: int = 0) -> None:
        self.size, self.played = size, list[Task]()
        self._lot, self._deaths = random.Random(seed), deaths

    def play(self, task: Task) -> Future[Played]:
        self.played.append(task)
        if self._deaths and self._lot.random() < 0.5:
            self._deaths -= 1
            return self._threads.submit(self._die)
        return self._threads.submit(self._late, self._lot.random() / 50, task)

    def play_guarded(self, task: Task) -> Future[Played]:
        return self.play(task)

    def died(self, error: BaseException) -> bool:
        return isinstance(error, DiedError)

    def __enter__(self) -> Self:
        self._threads = ThreadPoolExecutor(self.size)
        return self

    def __exit__(self, *error: object) -> None:
        self._threads.shutdown(cancel_futures=True)

    def _late(self, seconds: float, task: Task) -> Played:
        with _PLAYING:  # numbers, not time, are what is tested here
            if task not in _PLAYED:
                _PLAYED[task] = play_task(task)
        time.sleep(seconds)
        return _PLAYED[task]

    def _die(self) -> Played:
        raise DiedError


class Dead(Threads):
    """Workers who always die."""

    def play(self, task: Task) -> Future[Played]:
        return self._threads.submit(self._die)


_PLAYED: dict[Task, Played] = {}
_PLAYING = Lock()


def alike(one: Tournament, other: Tournament) -> bool:
    """Whether two tournaments have the same boards that count."""
    pairs = [*zip(one.played, other.played, strict=True)]
    for parts, others in zip(one.parts, other.parts, strict=True):
        assert (parts is None) == (others is None)
        pairs += zip(parts or (), others or (), strict=True)
    return one.meetings == other.meetings and all(same(*pair) for pair in pairs)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tournament, Path]:
    """The tournament as one worker plays it, and its folder."""
    folder = tmp_path_factory.mktemp("alone")
    return run_tournament(CONFIG, folder, Threads(1, 0)), folder


def test_tests_settle_some_meetings_and_the_parts_are_of_their_boards(alone: tuple[Tournament, Path]) -> None:
    tournament, _ = alone
    boards = [len(played.boards) for played in tournament.played]
    assert min(boards) == CHUNK
    assert max(boards) == CONFIG.boards
    for played, parts in zip(tournament.played, tournament.parts, strict=True):
        assert parts is not None
        for part in parts:
            assert part.boards.tolist() == list(range(min(len(played.boards), CONFIG.parts)))
    assert sum(clock.counts.sum() for clock in tournament.played[0].clocks) > 0


@pytest.mark.parametrize("seed", range(4))
def test_the_order_in_which_boards_are_finished_changes_nothing(
    seed: int, alone: tuple[Tournament, Path], tmp_path: Path
) -> None:
    told: list[Progress] = []
    tournament = run_tournament(CONFIG, tmp_path, Threads(2 + seed, seed, deaths=seed), told.append)
    assert alike(tournament, alone[0])
    assert told[0].boards == 0
    assert told[-1].over
    counts = [progress.boards for progress in told]
    assert counts == sorted(counts)
    assert told[-1].boards == sum(map(len, (p.boards for p in tournament.played))) + sum(
        len(part.boards) for parts in tournament.parts for part in parts or ()
    )


class Uneven(Threads):
    """Workers who take the longer the later boards are, but for meetings of an agent with itself."""

    def play(self, task: Task) -> Future[Played]:
        first, second = task.meeting
        return self._threads.submit(self._late, 0 if first.spec == second.spec else 0.1 + task.boards.start / 80, task)


def test_what_is_left_is_played_by_the_few_who_are_left(alone: tuple[Tournament, Path], tmp_path: Path) -> None:
    """Most of them are gone when two meetings are settled, and more is being played that no longer counts."""

    def leave(progress: Progress) -> None:
        if progress.boards:
            workers.size = 1

    workers = Uneven(9, 0)
    assert alike(run_tournament(CONFIG, tmp_path, workers, leave), alone[0])


@pytest.mark.parametrize("seed", range(4))
def test_a_log_cut_off_anywhere_is_gone_on_with(seed: int, alone: tuple[Tournament, Path], tmp_path: Path) -> None:
    settings, boards = ((alone[1] / name).read_bytes() for name in ("tournament.toml", "boards.jsonl"))
    (tmp_path / "tournament.toml").write_bytes(settings)
    kept = boards[: random.Random(seed).randrange(len(boards))]
    (tmp_path / "boards.jsonl").write_bytes(kept)
    workers = Threads(2, seed)
    assert alike(resume_tournament(tmp_path, workers=workers), alone[0])
    lines = (tmp_path / "boards.jsonl").read_bytes()
    whole = kept[: kept.rfind(b"\n") + 1]
    assert lines.startswith(whole)
    assert lines.count(b"\n") - max(whole.count(b"\n"), 1) == len(workers.played), "what is there is not played again"
    again = Threads(2, seed)
    assert alike(resume_tournament(tmp_path, workers=again), alone[0])
    assert not again.played


def test_a_damaged_log_is_named_by_its_line(alone: tuple[Tournament, Path], tmp_path: Path) -> None:
    (tmp_path / "tournament.toml").write_bytes((alone[1] / "tournament.toml").read_bytes())
    lines = (alone[1] / "boards.jsonl").read_text().splitlines(keepends=True)
    third = lines[2]
    for wrong, reason in [
        (lines[0], "this is no line of a tournament"),
        (third.replace('"seconds":', '"seconds":1e999,"before":', 1), "this is no line of a tournament"),
        (third.replace('"start":', '"start":1e999,"before":'), "this is no line of a tournament"),
        (third[: len(third) // 2] + "\n", "this is no line of a tournament"),
        ("[]\n", "this is no line of a tournament"),
        (third.replace(" pass ", " 9X ", 1), "cannot be action"),
        (third.replace('"stop":', '"stop":1'), "not 64"),
        (_moved(third), "boards: they are not those from"),
    ]:
        lines[2] = wrong
        (tmp_path / "boards.jsonl").write_text("".join(lines))
        with pytest.raises(KeepingError, match=rf"boards\.jsonl, line 3: .*{reason}"):
            resume_tournament(tmp_path, workers=Threads(1, 0))


def _moved(line: str) -> str:
    """A chunk that says of itself that it is another one, of as many boards."""
    chunk = json.loads(line)
    return json.dumps(chunk | {"start": chunk["start"] + 64, "stop": chunk["stop"] + 64}) + "\n"


def test_what_is_no_ordinary_file_is_not_read(alone: tuple[Tournament, Path], tmp_path: Path) -> None:
    for name in ("boards.jsonl", "tournament.toml"):
        for kept in ("tournament.toml", "boards.jsonl"):
            (tmp_path / kept).write_bytes((alone[1] / kept).read_bytes())
        (tmp_path / name).unlink()
        os.mkfifo(tmp_path / name)
        with pytest.raises((ConfigError, OSError), match="this is no ordinary file"):
            resume_tournament(tmp_path, workers=Threads(1, 0))
        (tmp_path / name).unlink()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("duplicate = true", "duplicate = false"),
        ('play = "boards"', 'play = "matches"'),
        ('format = "round-robin"', 'format = "gauntlet"'),
        ("seed = 3", "seed = 4"),
        ("boards = 138", "boards = 200"),
        ('rules = "bazar"', 'rules = "hayblot"'),
        ("sprt = {", "target = 301\nsprt = {"),
    ],
)
def test_settings_that_were_edited_are_noticed(
    before: str, after: str, alone: tuple[Tournament, Path], tmp_path: Path
) -> None:
    settings = (alone[1] / "tournament.toml").read_text()
    assert before in settings
    (tmp_path / "tournament.toml").write_text(settings.replace(before, after))
    (tmp_path / "boards.jsonl").write_bytes((alone[1] / "boards.jsonl").read_bytes())
    key = after.split()[0]
    with pytest.raises(KeepingError, match=f"tournament.toml has changed since the tournament began: {key}$"):
        resume_tournament(tmp_path, workers=Threads(1, 0))


@pytest.mark.parametrize("line", ["a diary", "a diary\n", '{"settings": {}, "entrants": [1], "networks": {}}\n'])
def test_a_log_of_something_else_is_left_as_it_is(line: str, alone: tuple[Tournament, Path], tmp_path: Path) -> None:
    (tmp_path / "tournament.toml").write_bytes((alone[1] / "tournament.toml").read_bytes())
    (tmp_path / "boards.jsonl").write_text(line)
    with pytest.raises(KeepingError, match=r"boards\.jsonl, line 1: this is no line of a tournament"):
        resume_tournament(tmp_path, workers=Threads(1, 0))
    assert (tmp_path / "boards.jsonl").read_text() == line


def test_settings_of_ones_own_are_not_written_over(tmp_path: Path) -> None:
    own = 'agents = ["random", "random"]  # mine\n'
    (tmp_path / "tournament.toml").write_text(own)
    with pytest.raises(KeepingError, match="holds a tournament: --resume"):
        run_tournament(CONFIG, tmp_path, Threads(1, 0))
    assert (tmp_path / "tournament.toml").read_text() == own
    assert not (tmp_path / "boards.jsonl").exists()


@pytest.mark.parametrize("name", ["boards.jsonl", "report.html", "diary"])
def test_files_of_ones_own_are_not_written_over(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text("mine")
    with pytest.raises(KeepingError, match=f"holds {name}, which is of no tournament: choose another --out"):
        run_tournament(CONFIG, tmp_path, Threads(1, 0))
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(name, "mine")]


def test_another_tournament_is_not_mixed_in(alone: tuple[Tournament, Path], tmp_path: Path) -> None:
    _, folder = alone
    with pytest.raises(KeepingError, match=r"boards, sprt cannot change on the way"):
        resume_tournament(folder, ["boards=5", "sprt.alpha=0.1"])
    (tmp_path / "tournament.toml").write_bytes((folder / "tournament.toml").read_bytes())
    log = (folder / "boards.jsonl").read_text()
    (tmp_path / "boards.jsonl").write_text(log.replace('"rules@1"', '"rules@0"', 1))
    with pytest.raises(KeepingError, match="random@1 #1, rules@0, random@1 #2 played here, not random@1 #1, rules@1"):
        resume_tournament(tmp_path)
    with pytest.raises(KeepingError, match="holds a tournament: --resume"):
        run_tournament(CONFIG, folder)


def test_a_network_that_changed_on_the_way_is_refused(checkpoint: Path, tmp_path: Path) -> None:
    config = TournamentConfig(agents=("random", f"policy:{checkpoint}"), boards=1)
    workers = Threads(1, 0)
    run_tournament(config, tmp_path, workers)
    (task,) = workers.played
    (spec, digest), *_ = task.networks
    with pytest.raises(WorkerError, match=f"{spec}: on .* its knobs or networks are others"):
        play_task(replace(task, networks=((spec, digest[::-1]),)))
    log = tmp_path / "boards.jsonl"
    log.write_text(log.read_text().replace(digest, digest[::-1]))
    with pytest.raises(
        KeepingError, match=f"{spec} is not the one that played here: its knobs or networks have changed"
    ):
        resume_tournament(tmp_path)


def test_two_cannot_play_the_same_tournament(tmp_path: Path) -> None:
    def again(progress: Progress) -> None:
        with pytest.raises(KeepingError, match="another process is playing"):
            resume_tournament(tmp_path)

    run_tournament(TournamentConfig(agents=("random", "random"), boards=1), tmp_path, Threads(1, 0), again)


def test_a_folder_is_whose_who_locked_it_first_and_free_again_if_nothing_was_written(tmp_path: Path) -> None:
    config = TournamentConfig(agents=("random", "random"), boards=1)
    with Log(tmp_path / BOARDS, config, config.seed):
        with pytest.raises(KeepingError, match="another process is playing"):
            run_tournament(config, tmp_path, Threads(1, 0))
        assert not (tmp_path / SETTINGS).exists()
    assert run_tournament(config, tmp_path, Threads(1, 0)).played[0].boards.tolist() == [0]


def test_ctrl_c_keeps_what_is_finished(alone: tuple[Tournament, Path], tmp_path: Path) -> None:
    def interrupt(progress: Progress) -> None:
        if all(map(len, progress.margins)) and not interrupted:
            interrupted.append(progress)
            os.kill(os.getpid(), signal.SIGINT)

    interrupted: list[Progress] = []
    before = signal.getsignal(signal.SIGINT)
    tournament = run_tournament(CONFIG, tmp_path, Threads(1, 0), interrupt)
    assert signal.getsignal(signal.SIGINT) is before
    assert [len(played.boards) for played in tournament.played] == [CHUNK] * 3
    assert alike(resume_tournament(tmp_path, workers=Threads(1, 0)), alone[0])


def test_before_every_meeting_has_a_board_there_is_no_result(tmp_path: Path) -> None:
    def interrupt(progress: Progress) -> None:
        if not told:
            os.kill(os.getpid(), signal.SIGINT)
        told.append(progress)

    told: list[Progress] = []
    with pytest.raises(TournamentError, match="no board of random@1 #1 and rules@1 has been finished"):
        run_tournament(CONFIG, tmp_path, Threads(1, 0), interrupt)


def test_ctrl_c_of_a_terminal_is_not_for_workers_that_start(tmp_path: Path) -> None:
    process = _blot(
        *"tournament random random --workers 1 --analysed 0 --out".split(), str(tmp_path / "stopped"),
        start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip
    while not _workers_of(process.pid):
        time.sleep(0.01)
    _wait_for(tmp_path / "stopped" / "boards.jsonl", 2)
    os.killpg(process.pid, signal.SIGINT)
    told = process.communicate()[1].splitlines()
    assert process.returncode == 2
    assert told[1:] == [
        f"to go on with it: blot tournament --resume {tmp_path / 'stopped'}",
        "blot: no board of random@1 #1 and random@1 #2 has been finished, so there is no result yet",
    ]


def test_when_the_time_is_over_no_more_is_begun_and_a_resume_may_have_more(tmp_path: Path) -> None:
    config = CONFIG.model_copy(update={"minutes": 0.004})
    workers = Threads(3, 0)
    tournament = run_tournament(config, tmp_path, workers, lambda progress: time.sleep(0.1))
    assert len(workers.played) < 10
    late = Threads(1, 0)
    assert alike(resume_tournament(tmp_path, workers=late), tournament)
    assert not late.played
    resume_tournament(tmp_path, ["minutes=9"], late)
    assert late.played


def test_a_chunk_whose_process_always_dies_ends_the_tournament_in_words(tmp_path: Path) -> None:
    with pytest.raises(WorkerError, match="processes die again and again"):
        run_tournament(CONFIG, tmp_path, Dead(2, 0))


def test_a_killed_tournament_loses_and_repeats_no_board(tmp_path: Path) -> None:
    process = _blot(
        *"tournament random random --boards 4096 --seed 5 --workers 1 --out".split(), str(tmp_path / "killed")
    )
    _wait_for(tmp_path / "killed" / "boards.jsonl", 100_000)
    process.kill()
    process.wait()
    kept = (tmp_path / "killed" / "boards.jsonl").read_bytes()
    workers = Threads(1, 0)
    (played,) = resume_tournament(tmp_path / "killed", workers=workers).played
    assert played.boards.tolist() == list(range(4096))
    again = [board for task in workers.played for board in task.boards]
    assert len(again) == 4096 - CHUNK * (kept.count(b"\n") - 1)
    assert (tmp_path / "killed" / "boards.jsonl").read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])


@pytest.mark.slow
def test_a_killed_tournament_and_one_whose_workers_are_killed_come_to_the_same_end(tmp_path: Path) -> None:
    """By the command line, since processes that are started from a test would be killed with it."""
    line = "tournament random rules random --boards 1500 --parts 100 --workers 2 --out".split()
    whole = _blot(*line, str(tmp_path / "whole"))
    assert whole.wait() == 0

    killed = tmp_path / "killed"
    for size in (2, 400_000, 900_000):
        process = _blot(*line, str(killed)) if size == 2 else _blot("tournament", "--resume", str(killed))
        _wait_for(killed / "boards.jsonl", size)
        process.kill()
        process.wait()
    process = _blot("tournament", "--resume", str(killed))
    _wait_for(killed / "boards.jsonl", 1_200_000)
    victim, *_ = _workers_of(process.pid)
    os.kill(victim, signal.SIGKILL)
    assert process.wait() == 0

    assert _lines(killed) == _lines(tmp_path / "whole")


def _workers_of(pid: int) -> list[int]:
    """The worker processes of a process."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == pid and b"spawn_main" in (process / "cmdline").read_bytes():
                found.append(int(process.name))
    return found


def _lines(folder: Path) -> list[str]:
    """What was played, in order, without the times."""
    lines = [json.loads(line) for line in (folder / "boards.jsonl").read_text().splitlines()]
    for line in lines[1:]:
        del line["seconds"], line["played"]["seconds"], line["played"]["clocks"]
    return sorted(map(json.dumps, lines))


def _blot(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-m", "train.cli", *arguments], cwd=ROOT, text=True, **options)


def _wait_for(file: Path, size: int) -> None:
    while not file.exists() or file.stat().st_size < size:
        time.sleep(0.02)
