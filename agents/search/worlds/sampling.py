"""Worlds for Python: arrays of `STATE`."""

from threading import local

import numpy as np
from numpy.typing import NDArray

from agents.agent import ImpossibleViewError
from agents.search.worlds.compile import kernel
from agents.search.worlds.imagine import imagine
from agents.search.worlds.knowledge import KNOWLEDGE
from agents.search.worlds.study import study
from blot_env.random import absorb
from blot_env.records import whole
from blot_env.rules import RuleSet
from blot_env.state import ANNOUNCING, OVER, PLAY, SHOWING, STATE, VIEW

MOST_WORLDS = 1 << 20  # 2.5 gigabytes


class _Room(local):
    """What one thread works in: ten megabytes, so kept from one decision to the next."""

    def __init__(self) -> None:
        self.knowledge = np.zeros(1, KNOWLEDGE)


_room = _Room()


def sample_worlds(rules: RuleSet, view: NDArray[np.void], n: int, seed: int, first: int = 0) -> NDArray[np.void]:
    """Return worlds that a seat may be in, each drawn alike from all that agree with what it knows.

    Args:
        view: what the seat knows, shape (1,), dtype `VIEW`; it need not be its turn.
        n: how many.
        seed: the same seed gives the same worlds, and the first of more are those of fewer.
        first: so many of them are left out.

    Returns:
        shape (n,), dtype `STATE`: the table is that of the view; nothing is known of seed, board and deal, which are 0.

    Raises:
        ImpossibleViewError: no deal leads to what the seat knows.
        ValueError: the deal is over, or an argument is of another kind.
    """
    if not isinstance(view, np.ndarray) or view.dtype != VIEW or view.shape != (1,):
        raise ValueError("view: an array of one row of VIEW is wanted, such as game.view()")
    if view[0].public.phase == OVER:
        raise ValueError("view: the deal is over, and nothing is left to imagine")
    if whole("n", n) > MOST_WORLDS:
        raise ValueError(f"n: at most {MOST_WORLDS} worlds are drawn at a time, not {n}")
    worlds = np.zeros(n, STATE)
    seed = whole("seed", seed)
    if not _is_seat_of(rules, view) or not _sample(rules.records, view, _room.knowledge, seed, first, worlds):
        raise ImpossibleViewError
    return worlds


def _is_seat_of(rules: RuleSet, view: NDArray[np.void]) -> bool:
    """Return whether a view is of a seat of these rules that holds cards of their pack, as many as it must."""
    seat, public, hand, dealt = int(view[0].seat), view[0].public, int(view[0].hand), int(view[0].dealt)
    if not 0 <= seat < rules.players or (hand | dealt) & ~rules.record.pack:
        return False
    if public.phase not in (ANNOUNCING, SHOWING, PLAY):
        return hand == dealt
    played = int(public.played[seat])
    return hand | played == dealt and not hand & played and dealt.bit_count() == rules.hand_size


@kernel
def _sample(
    records: NDArray[np.void],
    views: NDArray[np.void],
    knowledge: NDArray[np.void],
    seed: int,
    first: int,
    worlds: NDArray[np.void],
) -> bool:
    rules, view, known = records[0], views[0], knowledge[0]
    possible = study(rules, view, known)
    for world in range(len(worlds)):
        possible = possible and imagine(rules, view, known, absorb(seed, first + world), worlds[world])
    return possible
