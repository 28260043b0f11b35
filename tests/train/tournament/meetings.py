"""Meetings as tests play them."""

from collections.abc import Sequence
from typing import Any

import agents
from blot_env import RuleSet
from train.tournament.entrants import Entrant, entrants_of
from train.tournament.played import Played
from train.tournament.tables import play_boards


def meet(rules: RuleSet, specs: Sequence[str], boards: Sequence[int], seed: int = 4, **options: Any) -> Played:
    """Play boards between agents by their specs."""
    return meet_as(rules, entrants_of(rules, specs), boards, seed, **options)


def meet_as(rules: RuleSet, meeting: Sequence[Entrant], boards: Sequence[int], seed: int = 4, **options: Any) -> Played:
    """Play boards between entrants."""
    specs = {spec for entrant in meeting for spec in entrant.agents}
    return play_boards(rules, {spec: agents.make(spec, rules) for spec in specs}, meeting, boards, seed, **options)
