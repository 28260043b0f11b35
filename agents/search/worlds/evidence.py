"""What a seat can tell of the combinations of the others: what they announced, were asked and showed.

For each seat that is the least and the most that its best combination can be worth, in the order of
`best_combination`, and how it was told (`told`). Where players choose, who was asked to show tells besides who held
the best combination of some seats: a *claim*.
"""

import numpy as np

from agents.search.worlds.compile import kernel
from agents.search.worlds.knowledge import UNBOUNDED
from blot_env.actions import PASS, SHOW
from blot_env.auction import call
from blot_env.claims import best_of, claimants, show
from blot_env.combinations import (
    FIFTY,
    FOUR,
    FOUR_RANK,
    HUNDRED,
    SPOKEN,
    TERZ,
    WORTHLESS,
    announcement,
    best_announcement,
    best_combination,
    best_seat,
    combination_cards,
)
from blot_env.dealing import clear_table, turn_up
from blot_env.playing import play_card
from blot_env.rules_record import TURNED
from blot_env.seats import seat_after, union
from blot_env.state import ANNOUNCING, AUCTION, HIDDEN, PLAY, SHOWING
from blot_env.stock import may_swap

UNHEARD, CLASSES, SHOWN, BEST = range(4)
"""What is told of a seat's combinations: nothing; the classes of all; the cards of all; the class of the best, by
choice, or whether there is one."""


@kernel
def gather(rules: np.record, view: np.record, knowledge: np.record) -> None:
    """Find what is known of the combinations of each seat."""
    public = view.public
    knowledge.claims = 0
    knowledge.claimants = 0
    knowledge.scorer = -1
    for seat in range(rules.players):
        knowledge.told[seat] = UNHEARD
        knowledge.least[seat] = 0
        knowledge.most[seat] = UNBOUNDED
    if public.phase not in (ANNOUNCING, SHOWING, PLAY):
        return
    if rules.by_choice:
        asked = _follow(rules, view, knowledge)
        for seat in range(rules.players):
            _hear_choice(rules, public, seat, asked >> seat & 1, knowledge)
        for claim in range(knowledge.claims):
            _bound_by_claim(rules, view, claim, knowledge)
    else:
        for seat in range(rules.players):
            if public.announced[seat]:
                knowledge.told[seat] = SHOWN if public.shown[seat] else CLASSES
        if union(public.shown):
            _bound_by_best(rules, public, knowledge)


@kernel
def _bound_by_best(rules: np.record, public: np.record, knowledge: np.record) -> None:
    """Note that nobody holds better than the best that is shown."""
    eldest = seat_after(rules.players, public.dealer)
    best = best_seat(rules, eldest, public.strain, public.shown)
    worth = best_combination(rules, public.strain, public.shown[best])
    knowledge.scorer = best
    for seat in range(rules.players):
        knowledge.most[seat] = worth - _wins_ties(rules, public, seat, best)


@kernel
def _wins_ties(rules: np.record, public: np.record, seat: int, other: int) -> int:
    """Return 1 if a seat comes before another, counted from eldest, else 0."""
    eldest = seat_after(rules.players, public.dealer)
    return 1 if (seat - eldest) % rules.players < (other - eldest) % rules.players else 0


@kernel
def _follow(rules: np.record, view: np.record, knowledge: np.record) -> int:
    """Follow the history; write the claims and the scorer. Return who was asked, or is, whether to announce (bits)."""
    public, table = view.public, knowledge.followed
    table.dealer = public.dealer
    clear_table(rules, table)
    if rules.auction == TURNED:
        turn_up(table, public.turned)
    asked, left, among = 0, 0, 0
    swapping = False
    for place in range(public.length):
        action, actor = int(public.history[place]), int(public.actors[place])
        if table.phase == AUCTION:
            call(rules, table, action)
            swapping = may_swap(rules, table) and union(public.known) != 0
        elif action == HIDDEN or swapping:
            swapping = False
        elif action < PASS:
            table.announced[actor] = public.announced[actor]
            among &= ~(1 << actor)
            table.seat = actor
            play_card(rules, table, action)
            if table.trick_number == 1 and table.trick_size == 0:
                left = claimants(rules, table)
                among = left
        elif table.trick_number == 0:
            asked |= 1 << actor
        else:
            _note_claim(knowledge, left, 1 << actor)
            table.seat = actor
            if action == SHOW:
                show(rules, table, actor, public.shown[actor])
                knowledge.scorer = actor
            else:
                table.withheld |= 1 << actor
            left = claimants(rules, table)
            among = left
    if public.phase == ANNOUNCING:
        asked |= 1 << public.seat
    among &= 1 << public.seat if public.phase == SHOWING else ~(1 << public.seat)
    if left:
        _note_claim(knowledge, left, among)
        knowledge.claimants = left
    return asked


@kernel
def _note_claim(knowledge: np.record, left: int, among: int) -> None:
    knowledge.left[knowledge.claims] = left
    knowledge.among[knowledge.claims] = among
    knowledge.claims += 1


@kernel
def _hear_choice(rules: np.record, public: np.record, seat: int, asked: int, knowledge: np.record) -> None:
    """Note what it tells of a seat that it chose to announce or not, or was not asked."""
    kind = public.announced[seat] & ~SPOKEN
    plays_unasked = public.phase == PLAY and public.trick_number == 0 and public.seat == seat
    if public.shown[seat]:
        knowledge.told[seat] = SHOWN
    elif kind:
        knowledge.told[seat] = BEST
        knowledge.least[seat], knowledge.most[seat] = _bounds_of(rules, kind)
    elif not rules.bluff and (asked or public.announced[seat] or plays_unasked):
        knowledge.told[seat] = BEST
        if asked:
            knowledge.least[seat] = 1
        else:
            knowledge.most[seat] = 0


@kernel
def _bounds_of(rules: np.record, kind: int) -> tuple[int, int]:
    """Return the least and the most that the best combination of a hand can be that is announced as a kind."""
    if rules.by_points and kind == FOUR:
        least, most = WORTHLESS, UNBOUNDED
    elif kind == FOUR:
        least, most = FOUR_RANK, UNBOUNDED
    elif rules.by_points:
        least = rules.runs[run_length(kind)] << 8 | WORTHLESS
        most = least
    else:
        least = run_length(kind) << 8
        most = (8 if kind == HUNDRED else run_length(kind)) << 8 | 255
    return (0 if rules.bluff and kind == TERZ else least), most


@kernel
def run_length(kind: int) -> int:
    """Return the least length of a kind of run."""
    return 3 if kind == TERZ else 4 if kind == FIFTY else 5


@kernel
def _bound_by_claim(rules: np.record, view: np.record, claim: int, knowledge: np.record) -> None:
    """Bound what hidden hands are worth by the known ones that were better or worse."""
    public, among = view.public, knowledge.among[claim]
    for holder in range(rules.players):
        if among == 1 << holder:
            for other in range(rules.players):
                if knowledge.left[claim] >> other & 1 and other != holder:
                    tie = _wins_ties(rules, public, other, holder)
                    worth = _known_worth(rules, view, holder)
                    if worth >= 0:
                        knowledge.most[other] = min(knowledge.most[other], worth - tie)
                    worth = _known_worth(rules, view, other)
                    if worth >= 0:
                        knowledge.least[holder] = max(knowledge.least[holder], worth + tie)


@kernel
def _known_worth(rules: np.record, view: np.record, seat: int) -> int:
    """Return what the best combination of a seat is worth if that is known, else -1."""
    public = view.public
    if seat == view.seat:
        return best_combination(rules, public.strain, view.dealt)
    return best_combination(rules, public.strain, public.shown[seat]) if public.shown[seat] else -1


@kernel
def agrees(rules: np.record, public: np.record, knowledge: np.record, seat: int, cards: int) -> bool:
    """Return whether the cards that another seat is thought to have held agree with what is known of them."""
    told = knowledge.told[seat]
    if told == CLASSES and announcement(rules, public.strain, cards) != public.announced[seat]:
        return False
    if told == SHOWN:
        return combination_cards(rules, public.strain, cards) == public.shown[seat]
    kind = public.announced[seat] & ~SPOKEN
    if told == BEST and kind and best_announcement(rules, public.strain, cards) != public.announced[seat]:
        return False
    if knowledge.least[seat] == 0 and knowledge.most[seat] == UNBOUNDED:
        return True
    return knowledge.least[seat] <= best_combination(rules, public.strain, cards) <= knowledge.most[seat]


@kernel
def claims_agree(rules: np.record, public: np.record, knowledge: np.record, dealt: np.ndarray) -> bool:
    """Return whether the hands as play began, shape (4,), agree with who was asked to show."""
    for claim in range(knowledge.claims):
        best = best_of(rules, public, knowledge.left[claim], dealt)
        if not knowledge.among[claim] >> best & 1:
            return False
    return True
