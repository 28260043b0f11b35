"""Whether saved tables can be: each is replayed from its own cards by its own actions."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from blot_env.cards import cards_of, pack_of
from blot_env.compile import kernel
from blot_env.dealing import lay_out
from blot_env.engine import apply, is_legal, legal
from blot_env.records import MAX_SCORE, MAX_TARGET
from blot_env.rules import RuleSet
from blot_env.state import DISCARDS, HIDDEN, HISTORY, OVER

LARGEST = (1 << 63) - 1


def why_impossible(rules: RuleSet, states: NDArray[np.void]) -> str | None:
    """Return what is wrong with tables (dtype `STATE`), each in the middle of a deal; None where they can be.

    Tables before the first reset are all zeros.
    """
    if not states.tobytes().strip(b"\0"):
        return None
    public, pack = states["public"], cards_of(pack_of(rules.ranks))
    bounds: list[tuple[str, Any, int, int]] = [
        ("seed", states["seed"], 0, LARGEST),
        ("board", states["board"], 0, LARGEST),
        ("deal", states["deal"], 0, LARGEST),
        ("redeal", states["redeal"], 0, LARGEST),
        ("dealer", public["dealer"], 0, rules.players - 1),
        ("target", public["target"], 1, MAX_TARGET),
        ("scores", public["scores"], -MAX_SCORE, MAX_SCORE),
        ("length", public["length"], 0, HISTORY),
        ("deck", np.sort(states["deck"][:, : len(pack)], axis=1) - np.array(pack), 0, 0),
    ]
    for name, values, low, high in bounds:
        wrong = ((values < low) | (values > high)).reshape(len(states), -1).any(axis=1)
        if wrong.any():
            return f"table {int(wrong.argmax())}: its {name} cannot be"
    states = np.ascontiguousarray(states)
    again = states.copy()
    _replay(rules.records, states, again)
    rows, replayed = (tables.view(np.uint8).reshape(len(states), -1) for tables in (states, again))
    wrong = (rows != replayed).any(axis=1) | (public["phase"] == OVER)
    return f"table {int(wrong.argmax())}: its actions do not lead to it from its cards" if wrong.any() else None


@kernel
def _replay(records, states, again):  # type: ignore[no-untyped-def]
    """Replay the deals of `states` in their copy `again`, each up to an action that is not legal."""
    rules = records[0]
    for i in range(len(states)):
        saved, state = states[i], again[i]
        lay_out(rules, state)
        discarded = 0
        for place in range(saved.public.length):
            action = int(saved.public.history[place])
            if action == HIDDEN and discarded < DISCARDS:
                action = int(saved.discards[discarded])
                discarded += 1
            seat = state.public.seat
            bits, first, stop, capot = legal(rules, state.public, state.hands[seat], state.dealt[seat])
            if not is_legal(rules, bits, first, stop, capot, action):
                break
            apply(rules, state, action)
