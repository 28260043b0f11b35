"""One deal, played by agents and shown.

blot watch rules random --seed 7
"""

from collections.abc import Sequence

import agents
from agents import Agent
from agents.warming import told_if_slow
from blot_env import Game, RuleSet
from train.drawing import Screen
from train.show import show_deal


class SeatingError(ValueError):
    """Agents that cannot be seated at a table."""


def watch(rules: RuleSet, specs: Sequence[str], seed: int, board: int, screen: Screen) -> None:
    """Let agents play one board and show it.

    Args:
        rules: the game.
        specs: one agent for all seats, one a side, or one a seat.
        seed: with `board` it fixes the cards and, with seat and decision, the agents' randomness, as in a tournament.
        board: number of the board.

    Raises:
        SeatingError: so many agents cannot be seated.
        SpecError: an agent cannot be made.
    """
    players = _seated(rules, specs)
    game = Game(rules, seed=seed, board=board)
    with told_if_slow():
        while game.phase != "over":
            game.take(int(agents.choose(players[game.seat], game.decision(seed=seed), game.states)[0]))
    screen.say(f"Board {board} of seed {seed}")
    show_deal(game.record(), screen, [player.name for player in players])


def _seated(rules: RuleSet, specs: Sequence[str]) -> list[Agent]:
    """Return the agent of each seat."""
    if len(specs) not in {1, rules.sides, rules.players}:
        raise SeatingError(
            f"{len(specs)} agents cannot be seated in {rules.name}: name one for all, {rules.sides} by side, "
            f"or {rules.players} by seat"
        )
    made = [agents.make(spec, rules) for spec in specs]
    return [made[seat % len(made)] for seat in range(rules.players)]  # sides take turns around the table
