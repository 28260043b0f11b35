"""A tournament that was played, or as far as it has been."""

from collections.abc import Mapping
from dataclasses import dataclass

from blot_env import RuleSet
from train.tournament.config import TournamentConfig
from train.tournament.entrants import Entrant
from train.tournament.played import Meeting, Played


@dataclass(frozen=True)
class Tournament:
    """Everything that the summary and the report are made from."""

    config: TournamentConfig  # as resolved: the seed is the one that was played
    rules: RuleSet
    seed: int  # of the cards and of the agents, whether the config's own or the bank's
    entrants: tuple[Entrant, ...]
    networks: Mapping[str, str]  # digests by spec, of the agents that have one (`agents.digest`)
    meetings: tuple[Meeting, ...]
    played: tuple[Played, ...]  # by meeting: boards from the first on, without a gap
    parts: tuple[
        tuple[Played, Played] | None, ...
    ]  # by meeting: the first entrant's auction with the second's cards, and
    # the second's auction with the first's cards, each against the second entrant itself
