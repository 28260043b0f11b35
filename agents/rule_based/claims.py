"""Whether to announce a combination and to show it, where players choose."""

import numpy as np
from numpy.typing import NDArray

from agents.compile import kernel
from agents.rule_based.options import add
from blot_env.actions import ANNOUNCE, PASS, SHOW
from blot_env.combinations import SPOKEN, best_announcement, best_combination
from blot_env.seats import allied


@kernel
def announcing_options(rules: np.record, view: np.record, options: NDArray) -> int:
    """Write whether to announce; return how many options there are, 1."""
    return add(options, 0, ANNOUNCE if _announces(rules, view) else PASS, 0.0)


@kernel
def showing_options(rules: np.record, view: np.record, options: NDArray) -> int:
    """Write whether to show; return how many options there are, 1."""
    return add(options, 0, SHOW if _shows(rules, view) else PASS, 0.0)


@kernel
def _announces(rules: np.record, view: np.record) -> bool:
    """Announce what may score: nothing better has been announced, or only by a friend. Never bluff."""
    public, me = view.public, view.seat
    if not best_combination(rules, public.strain, view.dealt):
        return False
    ours, theirs = best_announcement(rules, public.strain, view.dealt), 0
    for seat in range(rules.players):
        if allied(rules, public, me, seat):
            ours = max(ours, public.announced[seat])
        else:
            theirs = max(theirs, public.announced[seat])
    return bool(ours & ~SPOKEN >= theirs & ~SPOKEN)


@kernel
def _shows(rules: np.record, view: np.record) -> bool:
    """Show, unless all that is shown goes to the others because the own capot has failed already."""
    public = view.public
    namers = rules.side[public.bidder]
    failed = public.capot and public.tricks[namers] < public.trick_number
    if not best_combination(rules, public.strain, view.dealt):
        return False
    return not (failed and rules.side[view.seat] == namers and rules.failed_to_opponents)
