"""Small tournaments as tests play them, without processes and folders."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from blot_env import load_rules
from tests.train.tournament.meetings import meet_as
from train.tournament.config import TournamentConfig
from train.tournament.entrants import entrants_of
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
    rules = load_rules(preset)
    config = TournamentConfig(agents=tuple(specs), rules=rules, boards=boards, seed=SEED, **settings)
    entrants = entrants_of(rules, specs)
    if names:
        entrants = tuple(replace(entrant, name=name) for entrant, name in zip(entrants, names, strict=True))
    meetings = tuple(Meeting(own) for own in combinations(range(len(specs)), config.table))
    played = []
    for number, meeting in enumerate(meetings):
        own = [entrants[index] for index in meeting.entrants]
        forfeits = tuple(faults) if number == 0 else ()
        options: dict[str, Any] = {"play": config.play, "duplicate": config.duplicate, "forfeits": forfeits}
        chunks: list[Played] = [meet_as(rules, own, range(2), SEED, alone=True, **options)]
        chunks += [meet_as(rules, own, range(2, boards), SEED, **options)] if boards > 2 else []
        played.append(joined(chunks))
    return Tournament(config, rules, SEED, entrants, meetings, tuple(played), (None,) * len(meetings))
