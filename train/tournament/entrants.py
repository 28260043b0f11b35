"""Who enters a tournament: an agent, or a team of two partners, `hard+rules`."""

from collections.abc import Sequence
from dataclasses import dataclass

import agents
from agents import SpecError
from blot_env import RuleSet


class EntrantError(ValueError):
    """An entrant that cannot play the game."""


@dataclass(frozen=True)
class Entrant:
    """Agents by seat of a side: one spec where one agent plays all of them, two where partners differ.

    Whoever calls may be another than who plays the cards: so the two parts of the game are compared.
    """

    spec: str  # as it was entered
    name: str  # of the agents, made unique in the tournament
    calls: tuple[str, ...]  # specs: who acts in the auction
    cards: tuple[str, ...]  # specs: who does all else

    @property
    def agents(self) -> tuple[str, ...]:
        """The specs of all its agents, each once."""
        return tuple(dict.fromkeys(self.calls + self.cards))


def entrants_of(rules: RuleSet, specs: Sequence[str]) -> tuple[Entrant, ...]:
    """Return the entrants of a tournament, their names made unique.

    Args:
        rules: the game.
        specs: each an agent, or two with a `+` between them, who are partners. A path with a `+` in it is one agent.

    Raises:
        EntrantError: a team that the game has no room for.
        SpecError: an agent cannot be made.
    """
    teams = [_partners(rules, spec) for spec in specs]
    names = [" + ".join(agents.make(spec, rules).name for spec in team) for team in teams]
    return tuple(
        Entrant(spec, name, team, team) for spec, name, team in zip(specs, _distinct(names), teams, strict=True)
    )


def exchanged(calls: Entrant, cards: Entrant) -> Entrant:
    """Return an entrant that calls as one and plays the cards as another."""
    return Entrant(
        spec=f"{calls.spec} | {cards.spec}",
        name=f"calls of {calls.name}, cards of {cards.name}",
        calls=calls.calls,
        cards=cards.cards,
    )


def _partners(rules: RuleSet, spec: str) -> tuple[str, ...]:
    if "+" not in spec or _is_agent(rules, spec):
        return (spec,)
    team = tuple(part.strip() for part in spec.split("+"))
    if not rules.teams:
        raise EntrantError(f"{spec!r}: there are no partners in {rules.name}: name one agent")
    if len(team) != 2:
        raise EntrantError(f"{spec!r}: a team has two partners, such as random+rules")
    return team


def _is_agent(rules: RuleSet, spec: str) -> bool:
    try:
        agents.make(spec, rules)
    except SpecError:
        return False
    return True


def _distinct(names: list[str]) -> list[str]:
    """Number the entrants of equal name."""
    return [
        name if names.count(name) == 1 else f"{name} #{names[: place + 1].count(name)}"
        for place, name in enumerate(names)
    ]
