"""Whether to announce a combination and to show it, where players choose."""

import numpy as np

from agents.compile import kernel
from blot_env.actions import ANNOUNCE, PASS, SHOW
from blot_env.combinations import SPOKEN, best_announcement, best_combination
from blot_env.seats import allied


@kernel
def choose_announcement(rules: np.record, view: np.record) -> int:
    """Announce what may score: nothing better has been announced, or only by a friend. Never bluff."""
    public, me = view.public, view.seat
    if not best_combination(rules, public.strain, view.dealt):
        return PASS
    ours, theirs = best_announcement(rules, public.strain, view.dealt), 0
    for seat in range(rules.players):
        if allied(rules, public, me, seat):
            ours = max(ours, public.announced[seat])
        else:
            theirs = max(theirs, public.announced[seat])
    return ANNOUNCE if ours & ~SPOKEN >= theirs & ~SPOKEN else PASS


@kernel
def choose_showing(rules: np.record, view: np.record) -> int:
    """Show, unless all that is shown goes to the others because the own capot has failed already."""
    public = view.public
    namers = rules.side[public.bidder]
    failed = public.capot and public.tricks[namers] < public.trick_number
    if not best_combination(rules, public.strain, view.dealt):
        return PASS
    return PASS if failed and rules.side[view.seat] == namers and rules.failed_to_opponents else SHOW
