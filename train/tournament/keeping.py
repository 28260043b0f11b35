"""The folder of a tournament, from which one that was killed goes on.

    tournament.toml   the settings as they were resolved: `blot tournament tournament.toml` plays the same again
    boards.jsonl      a line of who plays what, then one a finished chunk of boards, whichever was finished first

A line is written whole and at once; what a kill has left of the last one is cut off.
"""

import fcntl
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, Self

from pydantic import BaseModel, Field, StrictStr

from blot_env.files import check_regular
from train.settings import Seconds, toml_of
from train.tournament.config import TournamentConfig
from train.tournament.log import LogError, Number, check_whole, read, written
from train.tournament.played import Played
from train.tournament.schedule import Chunk

SETTINGS, BOARDS = "tournament.toml", "boards.jsonl"
MAY_CHANGE = {"minutes", "workers", "analysed"}
"""Settings that a resume may change."""


class KeepingError(ValueError):
    """A folder that holds no tournament, another one, or a damaged one."""


class _Players(BaseModel):
    settings: dict[str, Any]  # but for those that may change
    entrants: list[StrictStr]
    networks: dict[str, StrictStr]


class _Chunk(BaseModel):
    meeting: Number
    part: Annotated[Number, Field(le=2)]
    start: Number
    stop: Number
    seconds: Seconds
    played: Any


class Log:
    """What a tournament has played, on disk, locked as long as it is open.

    Args:
        path: the file.
        config: the settings.
        seed: of the cards.
        first: number of the first board.

    Attributes:
        players: names of the entrants, and digests of their networks; nothing where the file is new.
        chunks: what was played.
        seconds: that have gone by as it was.

    Raises:
        KeepingError: another process has it open, it is of other settings, or damaged; the message names the line.
        OSError: it cannot be read or written.
    """

    def __init__(self, path: Path, config: TournamentConfig, seed: int, first: int = 0) -> None:
        self._path, self._config, self._rules, self._seed, self._first = path, config, config.game, seed, first
        self._settings = config.model_dump(mode="json", exclude=MAY_CHANGE)
        self.players: dict[str, Any] = {}
        self.chunks: dict[Chunk, Played] = {}
        self.seconds = 0.0
        if path.exists():
            check_regular(path)
        self._file = path.open("a+b")
        try:
            self._lock()
            self._read()
        except KeepingError:
            self._file.close()
            raise

    def begin(self, names: Sequence[str], networks: Mapping[str, str]) -> None:
        """Write down who plays, or see that they are those of before.

        Args:
            names: of the entrants.
            networks: digests by spec, of the agents that have one.

        Raises:
            KeepingError: others played.
        """
        own: dict[str, Any] = {"settings": self._settings, "entrants": list(names), "networks": dict(networks)}
        if not self.players:
            self._write(own)
            self.players = own
        before = self.players["entrants"]
        if before != own["entrants"]:
            raise KeepingError(f"{self._path}: {', '.join(before)} played here, not {', '.join(names)}")
        for spec, digest in networks.items():
            if self.players["networks"].get(spec) != digest:
                raise KeepingError(
                    f"{self._path}: {spec} is not the one that played here: its knobs or networks have changed"
                )

    def add(self, chunk: Chunk, played: Played, seconds: float) -> None:
        """Write down what has been played, and the time that has gone by."""
        self._write({**asdict(chunk), "seconds": round(seconds, 3), "played": written(self._rules, played)})
        self.chunks[chunk] = played

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave it to others."""
        self._file.close()

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise KeepingError(f"{self._path}: another process is playing this tournament") from None

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")
        self._file.flush()

    def _read(self) -> None:
        self._file.seek(0)
        whole = 0  # bytes of whole lines
        for number, line in enumerate(self._file, 1):
            if line.startswith(b"{") and not line.endswith(b"\n"):
                self._file.truncate(whole)
                break
            try:
                self._take(json.loads(line))
            except (LogError, ValueError, RecursionError) as error:
                reason = f"{error}" if isinstance(error, LogError) else "this is no line of a tournament"
                raise KeepingError(f"{self._path}, line {number}: {reason}") from None
            whole += len(line)

    def _take(self, line: Any) -> None:
        if not self.players:
            self.players = _Players.model_validate(line).model_dump()
            before = self.players["settings"]
            if changed := [key for key, value in self._settings.items() if before.get(key) != value]:
                raise LogError(f"{SETTINGS} has changed since the tournament began: {', '.join(changed)}")
            return
        found = _Chunk.model_validate(line)
        chunk = Chunk(found.meeting, found.part, found.start, found.stop)
        self.chunks[chunk] = played = read(self._rules, self._seed, found.played)
        if len(played.boards) != chunk.boards:
            raise LogError(
                f"boards {chunk.start} to {chunk.stop} of a meeting are {chunk.boards}, not {len(played.boards)}"
            )
        first, config = self._first + chunk.start, self._config
        check_whole(self._rules, self._seed, played, first, config.table, config.play, config.duplicate)
        self.seconds = max(self.seconds, found.seconds)


def new_log(folder: Path, config: TournamentConfig, seed: int, first: int = 0) -> Log:
    """Return the log of a new tournament, its settings written down: once it is locked, so that they are its own.

    Args:
        folder: of the tournament, made if need be.
        config: the settings.
        seed: of the cards.
        first: number of the first board.

    Raises:
        KeepingError: the folder holds a tournament already, or something else.
        OSError: it cannot be written.
    """
    path = folder / BOARDS
    taken = f"{folder} holds a tournament: --resume {folder} goes on with it; or choose another --out"
    if (folder / SETTINGS).exists():
        raise KeepingError(taken)
    held = sorted(folder.iterdir()) if folder.exists() else []
    if others := [other.name for other in held if other != path or other.stat().st_size]:
        raise KeepingError(f"{folder} holds {others[0]}, which is of no tournament: choose another --out")
    folder.mkdir(parents=True, exist_ok=True)
    log = Log(path, config, seed, first)
    if log.players:  # of another process, a moment ago
        raise KeepingError(taken)
    (folder / SETTINGS).write_text(toml_of(config), encoding="utf-8")
    return log
