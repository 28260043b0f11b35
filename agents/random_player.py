"""Random players: `random` makes auctions like those of people, `random:uniform` takes any legal action alike.

Of uniformly drawn legal calls nearly all are bids of a number that no hand can make, so such auctions end at 80 or in a
contra'd capot. `random` draws the kind of call first, then the call; where trump is named, it passes more often than
not. Cards, and what else is asked, are drawn uniformly by both.
"""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel
from blot_env.actions import CONTRA, PASS, RECONTRA
from blot_env.auction import bid_action, marked_bid
from blot_env.random import below
from blot_env.rules import RuleSet
from blot_env.rules_record import CAPOT_CALL, CAPOT_FROM, CAPOT_MARK, NUMBERED
from blot_env.state import AUCTION
from blot_env.views import Decisions

# How many of 1000 calls are of a kind; what is left over, and a kind that is not legal, is a pass.
LOW_RAISES, JUMPS, CAPOTS, CONTRAS, RECONTRAS = 160, 40, 4, 70, 200
OPENING = 250  # further low bids of 1000 calls while nobody has bid
LOW_STEPS = 2  # a low raise goes one or two over the standing number
JUMP_STEPS = 8  # and a jump up to eight more
NAMES = 350  # and how often of 1000 times it names trump when it may pass


class RandomPlayer:
    """Plays at random: with `style` mixed the kind of call first, with uniform any legal call alike."""

    def __init__(self, rules: RuleSet, style: Literal["mixed", "uniform"] = "mixed") -> None:
        self.name = "random@1" if style == "mixed" else "random:uniform@1"
        self._rules = rules.record
        self._mixed = style == "mixed"

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return one legal action for each decision, shape (n,)."""
        actions = np.empty(len(decisions), np.int64)
        _choose(self._rules, decisions.views, decisions.masks, decisions.seeds, self._mixed, actions)
        return actions


@kernel
def _choose(
    rules: np.record,
    views: NDArray,
    masks: NDArray[np.int8],
    seeds: NDArray[np.int64],
    mixed: bool,
    actions: NDArray[np.int64],
) -> None:
    for row in range(len(views)):
        public = views[row].public
        actions[row] = _legal(masks[row], seeds[row])
        if mixed and public.phase == AUCTION and masks[row, PASS]:
            numbered = rules.auction == NUMBERED
            action = _call(rules, public.number, seeds[row]) if numbered else _name(actions[row], seeds[row])
            actions[row] = action if masks[row, action] else PASS


@kernel
def _call(rules: np.record, standing: int, seed: int) -> int:
    """Return a call of a random kind, which may be illegal."""
    lot = below(seed, 0, 1000)
    if lot < CONTRAS:
        return CONTRA
    lot -= CONTRAS
    lowest = max(standing + 1, rules.min_number)
    if lot < CAPOTS:
        return _capot(rules, max(lowest, rules.capot_min), below(seed, 1, rules.strains))
    lot -= CAPOTS
    if lot < JUMPS:
        number = lowest + LOW_STEPS + below(seed, 2, JUMP_STEPS) if rules.jump_bids else lowest
        return _bid(rules, number, below(seed, 1, rules.strains))
    lot -= JUMPS
    if lot < LOW_RAISES or (standing == 0 and lot < LOW_RAISES + OPENING):
        number = lowest + below(seed, 2, LOW_STEPS) if rules.jump_bids else lowest
        return _bid(rules, number, below(seed, 1, rules.strains))
    return RECONTRA if below(seed, 3, 1000) < RECONTRAS else PASS


@kernel
def _bid(rules: np.record, number: int, strain: int) -> int:
    """Return the action that bids a number, pass where there is no such number."""
    if number > rules.max_number:
        return PASS
    return bid_action(rules, number, strain)


@kernel
def _capot(rules: np.record, number: int, strain: int) -> int:
    """Return the capot bid in a strain, of the lowest number where it has one."""
    if rules.capot == CAPOT_FROM:
        return _bid(rules, number, strain)
    if rules.capot == CAPOT_CALL:
        return int(rules.capots + strain)
    if rules.capot == CAPOT_MARK and number <= rules.max_number:
        return marked_bid(rules, number, strain)
    return PASS


@kernel
def _name(action: int, seed: int) -> int:
    """Return a pass or, seldom, the given action."""
    return action if below(seed, 4, 1000) < NAMES else PASS


@kernel
def _legal(mask: NDArray[np.int8], seed: int) -> int:
    """Return a legal action, each with the same probability."""
    count = 0
    for action in range(len(mask)):
        count += int(mask[action])
    skip = below(seed, 0, count)
    for action in range(len(mask)):
        if mask[action]:
            if skip == 0:
                return action
            skip -= 1
    return PASS
