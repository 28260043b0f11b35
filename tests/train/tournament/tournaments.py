"""Small tournaments as tests play them, without processes and folders."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from blot_env import load_rules
from tests.train.tournament.meetings import meet_as
from train.tournament.config import TournamentConfig
from train.tournament.entrants import entrants_of, exchanged
from train.tournament.played import Fault, Meeting, Played, joined
from train.tournament.tournament import Tournament

SEED = 4


def hold(
    preset: str,
    specs: Sequence[str],
    boards: int,
    names: Sequence[str] = (),
    faults: Sequence[Fault] = (),
    **settings: Any,
) -> Tournament:
    """Let all pairs, or threes, meet on some boards, the first of which are asked one decision at a time.

    Args:
        names: other names for the entrants.
        faults: tables of the first meeting that are forfeited.
        settings: others of the config.
    """
    config = TournamentConfig(agents=tuple(specs), rules=load_rules(preset), boards=boards, seed=SEED, **settings)
    rules = config.game
    entrants = entrants_of(rules, specs)
    if names:
        entrants = tuple(replace(entrant, name=name) for entrant, name in zip(entrants, names, strict=True))
    meetings = tuple(Meeting(own) for own in combinations(range(len(specs)), config.table))
    played: list[Played] = []
    parts: list[tuple[Played, Played] | None] = []
    for number, meeting in enumerate(meetings):
        own = [entrants[index] for index in meeting.entrants]
        options: dict[str, Any] = {"play": config.play, "duplicate": config.duplicate}
        forfeits = tuple(faults) if number == 0 else ()
        chunks: list[Played] = [meet_as(rules, own, range(2), SEED, alone=True, forfeits=forfeits, **options)]
        chunks += [meet_as(rules, own, range(2, boards), SEED, forfeits=forfeits, **options)] if boards > 2 else []
        played.append(joined(chunks))
        parts.append(None)
        if config.parts:
            first, second = ((exchanged(*pair), own[1]) for pair in (own, own[::-1]))
            some = range(config.parts)
            parts[-1] = meet_as(rules, first, some, SEED, **options), meet_as(rules, second, some, SEED, **options)
    return Tournament(config, rules, SEED, entrants, {}, meetings, tuple(played), tuple(parts))
