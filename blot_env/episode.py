"""What an episode of an environment is: a deal or a match of some rules, and what it pays."""

from typing import Literal

import numpy as np

from blot_env.game import Game
from blot_env.rules import RuleSet, load_rules, rule_set
from blot_env.scoring import pay, pay_winner


def check_episode(kind: str, reward: str) -> None:
    """Raise ValueError if there is no such kind of episode or reward, or if they do not go together."""
    if kind not in ("match", "deal") or reward not in ("points", "win"):
        raise ValueError(f"episode is 'match' or 'deal' and reward 'points' or 'win', not {kind!r}, {reward!r}")
    if kind == "deal" and reward == "win":
        raise ValueError("reward='win' needs episode='match': a deal wins no match")


def with_target(rules: RuleSet | str, target: int | None) -> RuleSet:
    """Return a rule set, or the preset of a name or file, with other points that win the match; None leaves its own.

    Raises:
        RulesError: no such preset, or a target that cannot be.
    """
    rules = rule_set(rules)
    if target is None:
        return rules
    return load_rules(rules.name, **rules.model_dump(exclude={"name", "target"}), target=target)


class Episode:
    """The kind of episode that an environment plays.

    Args:
        rules: a rule set, the name of a preset, or the path of a TOML file (see `blot_env.load_rules`).
        kind: `match`, deal after deal until a side wins, or `deal`.
        target: the points that win the match, by default those of the rules.
        reward: `points`, a seat's own match points of each deal minus the mean of the other sides', or `win` (matches
            only), 1 for the winners of the match and -1 shared by the other sides.

    Raises:
        RulesError: no such preset, or a target that cannot be.
        ValueError: another argument that cannot be.
    """

    def __init__(
        self,
        rules: RuleSet | str,
        kind: Literal["match", "deal"],
        target: int | None,
        reward: Literal["points", "win"],
    ) -> None:
        check_episode(kind, reward)
        self.kind, self.reward = kind, reward
        self.rules = with_target(rules, target)

    def is_over(self, game: Game) -> bool:
        """Return whether the deal that has just ended ends the episode."""
        return self.kind == "deal" or game.winner is not None

    def rewards(self, game: Game) -> list[float]:
        """Return by seat what the deal that has just ended pays."""
        rules, winner = self.rules, game.winner
        reward = np.zeros(rules.players, np.float32)
        if self.reward == "points":
            pay(rules.record, game.state.result.points, reward)
        elif winner is not None:
            pay_winner(rules.record, winner, reward)
        return [float(paid) for paid in reward]
