"""Deals that some players play, and the same deals with the suits under other names."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from blot_env import Game, RuleSet
from blot_env.actions import BIDS, NAME, PASS
from blot_env.cards import SUITS


def renamed_actions(rules: RuleSet, order: Sequence[int]) -> NDArray[np.int64]:
    """Which action becomes action 0, 1, 2 … when suit `order[0]` is named C, `order[1]` D and so on: (actions,)."""
    actions = np.arange(rules.actions.size)
    actions[:PASS] = actions[:PASS].reshape(4, 8)[list(order)].ravel()
    actions[NAME : NAME + 4] = NAME + np.array(order)
    strains = [*order, *range(4, len(rules.strains))]
    if rules.numbered:
        actions[BIDS:] = actions[BIDS:].reshape(-1, len(strains))[:, strains].ravel()
    return actions


def renamed_deal(game: Game, order: Sequence[int]) -> Game:
    """The deal of a game that nobody has played in yet, with its suits renamed."""
    names = {SUITS[suit]: SUITS[place] for place, suit in enumerate(order)}
    record = game.record()
    *hands, stock = (
        " ".join(card[0] + names[card[1]] for card in cards.split()) for cards in (*record["hands"], record["stock"])
    )
    return Game.from_record(record | {"hands": hands, "stock": stock})


def moments(game: Game, rng: np.random.Generator) -> Iterator[int]:
    """Play a deal with low bids and many passes; yield each action before it is taken."""
    while game.phase != "over":
        legal = np.flatnonzero(game.mask())
        bids = legal[legal >= NAME] if game.phase == "auction" else legal
        if game.phase == "auction" and PASS in legal and (not len(bids) or rng.random() < 0.6):
            action = PASS
        else:
            pool = np.concatenate([bids[:10], bids[-len(game.rules.strains) :]])
            action = int(rng.choice(pool))
        yield action
        game.take(action)
