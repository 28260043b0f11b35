"""The rest of a deal, played without search.

Auctions are always finished by the rule-based player: random calls end at numbers that no hand can make.
"""

import numpy as np

from agents.search.compile import kernel
from agents.search.ismcts.moves import by_rules
from blot_env.bits import nth, popcount
from blot_env.engine import apply, legal
from blot_env.random import below
from blot_env.state import AUCTION, OVER

ROLLOUTS = ("random", "rules", "policy")
AT_RANDOM, BY_RULES, BY_POLICY = range(3)


@kernel
def advance(rules: np.record, state: np.record, action: int) -> None:
    """Apply an action; as a call of its own, so that the engine is compiled into few places."""
    apply(rules, state, action)


@kernel
def play_out(rules: np.record, values: np.record, state: np.record, rollouts: int, key: int) -> None:
    """Play a world to its end, at random (which `key` draws) or by the rule-based player."""
    public = state.public
    while public.phase == AUCTION or (rollouts == BY_RULES and public.phase != OVER):
        advance(rules, state, by_rules(rules, values, state))
    counter = 0
    while public.phase != OVER:
        seat = public.seat
        bits, _, _, _ = legal(rules, public, state.hands[seat], state.dealt[seat])
        action = nth(bits, below(key, counter, popcount(bits)))
        counter += 1
        apply(rules, state, action)
