"""The tables that people sit down at: opponents of a tier, and a partner who is never a weak one."""

from agents.agent import Agent
from agents.spec import make
from blot_env.rules import RuleSet


def table_specs(tier: str) -> tuple[str, str]:
    """Return the specs of the opponents at a table of a tier, and of the partner: hard at least, and crazy at crazy."""
    return f"tier:{tier}", "tier:crazy" if tier == "crazy" else "tier:hard"


def table(tier: str, rules: RuleSet, seat: int = 0) -> dict[int, Agent]:
    """Return who sits at the other seats of somebody's table.

    Args:
        tier: by name, or a TOML file.
        rules: the game.
        seat: the one that is left free.

    Raises:
        SpecError: there is no such tier.
        ValueError: there is no such seat.
    """
    if seat not in range(rules.players):
        raise ValueError(f"there is no seat {seat!r}: seats are numbered 0 to {rules.players - 1}")
    opponent, partner = (make(spec, rules) for spec in table_specs(tier))
    others = (other for other in range(rules.players) if other != seat)
    return {other: partner if other == rules.partner(seat) else opponent for other in others}
