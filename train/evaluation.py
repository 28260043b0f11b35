"""How a learner fares against another agent on duplicate boards: at whole sides, or at one seat alone."""

import numpy as np
from numpy.typing import NDArray

from agents import Agent
from blot_env import BatchEnv, RuleSet
from train.duplicate import play_duplicate
from train.rollout import AgentPlayer, play_deals


def learner_margins(
    rules: RuleSet, learner: Agent, agent: Agent, boards: int, seed: int, alone: bool = False
) -> NDArray[np.float64]:
    """Return match points a board, shape (boards,): the learner's side minus the mean of the others, mean over tables.

    Whoever learns nothing from the agent, and plays as it does, gets exactly 0 where neither draws lots.

    Args:
        rules: the game.
        learner: who plays whole sides, as in `play_duplicate`; or one seat.
        agent: who plays all other seats.
        boards: how many.
        seed: of cards and agents.
        alone: let the learner play one seat, a board once from each.
    """
    if not alone:
        return play_duplicate(rules, learner, agent, boards, seed).margins
    tables = rules.players
    seats = np.tile(1 - np.eye(tables, dtype=np.int64), (boards, 1))  # player 0 is the learner
    players = [AgentPlayer(learner, seed), AgentPlayer(agent, seed)]
    numbers = np.repeat(np.arange(boards), tables)
    _, results = play_deals(
        BatchEnv(rules, len(seats), seed=seed), players, seats, numbers, np.random.default_rng(seed)
    )
    points = results["points"][:, : rules.sides].reshape(boards, tables, rules.sides)
    side = [rules.side(seat) for seat in range(tables)]
    own = points[:, np.arange(tables), side]
    return (rules.sides * own - points.sum(2)).sum(1) / (tables * (rules.sides - 1))
