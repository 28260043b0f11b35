"""Boards and matches of a meeting, played one deal after another by single games."""

import numpy as np

from agents import Agent, choose
from blot_env import Game, RuleSet
from blot_env.state import RESULT
from train.tournament.played import Played

TWO = np.array([[0, 1], [1, 0]])
"""Two entrants who change places."""
NAMER = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
"""Two entrants at the three sides of a table."""


def seating(rules: RuleSet) -> np.ndarray:
    return TWO if rules.sides == 2 else NAMER


def play(rules: RuleSet, agents: list[Agent], boards: int, seed: int, matches: bool = False) -> Played:
    """Play boards in all seatings of two agents."""
    rows = []
    for board in range(boards):
        for table, sides in enumerate(seating(rules)):
            game, number = Game(rules, seed=seed, board=board), 0
            while True:
                actions = []
                while game.phase != "over":
                    agent = agents[sides[rules.side(game.seat)]]
                    actions.append(int(choose(agent, game.decision(seed=seed), game.states)[0]))
                    game.take(actions[-1])
                rows.append((board, table, number, game.state.result.copy(), actions))
                if not matches or game.winner is not None:
                    break
                game.next_deal()
                number += 1
    longest = max(len(row[4]) for row in rows)
    return Played(
        boards=np.arange(boards),
        board=np.array([row[0] for row in rows]),
        table=np.array([row[1] for row in rows]),
        deal=np.array([row[2] for row in rows]),
        results=np.array([row[3] for row in rows], RESULT),
        actions=np.array([row[4] + [-1] * (longest - len(row[4])) for row in rows], np.int16),
        faults=(),
        clocks=(),
        seconds=0.0,
    )
