"""Double dummy from Python: a game, many boards over all cores, and a whole deal in every strain.

A value is the card points of the bidders' side in the whole deal, those taken and those to come, with last trick and
all-tricks bonus, when everybody sees all cards and plays for the best; `NO_TRICK` if the bidders take no trick at all.
In a game of three the others play together against the namer.
"""

from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from agents.cores import cores
from agents.search.solver.compile import kernel
from agents.search.solver.minimax import MOST, NO_CARD, solve, solve_cards
from agents.search.solver.position import new_search, set_up
from blot_env import Game, RuleSet
from blot_env.actions import PASS
from blot_env.bits import highest
from blot_env.dealing import clear_table, lay_out
from blot_env.engine import apply, force_contract, legal_answers, let_stand
from blot_env.state import ANNOUNCING, DISCARD, OVER, PHASES, PLAY, STATE, SWAP

Values = NDArray[np.int64]
_Part = Callable[[NDArray[np.void], int, int], None]  # solves the states from one to another with a search

_IDLE: deque[NDArray[np.void]] = deque()
"""Searches that no thread is using: two megabytes each, at most one for each thread that ever worked at once."""


class NotSolvable(ValueError):
    """A position, or rules, that the solver does not take."""


def double_dummy(game: Game) -> dict[int, int]:
    """Return what each legal card is worth: the bidders' points of the whole deal, 0 also where they take no trick.

    >>> from blot_env.cards import card_name
    >>> game = Game("bazar", seed=7)
    >>> for call in ("8H", "pass", "pass", "pass", "pass"):
    ...     game.play(call)
    >>> points = double_dummy(game)
    >>> {card_name(card): points[card] for card in sorted(points, key=points.get)[-3:]}
    {'KC': 102, 'AC': 102, 'AD': 105}

    Raises:
        NotSolvable: no cards are being played, or the rules count too many points.
        TypeError: it is no game.
    """
    if not isinstance(game, Game):
        raise TypeError(f"double_dummy: a Game is wanted, not {type(game).__name__}; for rows of STATE, solve_states")
    values = solve_cards_of(game.rules, game.states, threads=1)[0]
    return {card: max(int(value), 0) for card, value in enumerate(values) if value != NO_CARD}


def solve_states(rules: RuleSet, states: NDArray[np.void], threads: int | None = None) -> Values:
    """Return the value of many positions.

    Args:
        states: rows of `STATE` whose contract stands and whose cards are being played (announcing and showing count),
            shape (n,), at any points of the play.
        threads: how many work at them; by default one for each core.

    Returns:
        int64 (n,): points, or `NO_TRICK`.

    Raises:
        NotSolvable: a row is at another point or of other rules, or the rules count too many points.
        TypeError: they are no rows of `STATE`. ValueError: fewer threads than one.
    """
    _check(rules, states)
    values = np.empty(len(states), np.int64)
    share_out(len(states), threads, lambda *part: _solve(rules.records, states, *part, values))
    return values


def solve_cards_of(rules: RuleSet, states: NDArray[np.void], threads: int | None = None) -> Values:
    """Return what each card is worth that the seat to act may play, in many positions; arguments as `solve_states`.

    Returns:
        int64 (n, 32), by card: points, `NO_TRICK`, or `NO_CARD` for what may not be played.

    Raises:
        NotSolvable: a row is at another point, or the rules count too many points.
    """
    _check(rules, states)
    values = np.empty((len(states), 32), np.int64)
    share_out(len(states), threads, lambda *part: _solve_cards(rules.records, states, *part, values))
    return values


def play_best(rules: RuleSet, states: NDArray[np.void], threads: int | None = None) -> NDArray[np.void]:
    """Return how deals end when everybody plays for the best, and announces and shows what there is.

    Of cards of equal worth the lowest is played. Arguments and errors as `solve_states`, but deals that are over stay
    as they are.

    Returns:
        Rows of `STATE`, (n,), scored; the bidders have the points that `solve_states` gives them.
    """
    _check(rules, states[states["public"]["phase"] != OVER])
    ends = states.copy()
    share_out(len(states), threads, lambda *part: _play_best(rules.records, ends, *part, np.empty(32, np.int64)))
    return ends


def strain_table(rules: RuleSet, state: np.record) -> Values:
    """Return what each side takes of a whole deal as bidder, in each strain; eldest leads.

    Args:
        state: a row of `STATE`, of any phase; see `every_contract` for the hands.

    Returns:
        int64 (strains, sides), strains in the order of the rules: points of the bidding side, or `NO_TRICK`.

    Raises:
        NotSolvable: as `every_contract`, or the rules count too many points.
    """
    boards = every_contract(rules, state)
    return solve_states(rules, boards.ravel()).reshape(boards.shape)


def every_contract(rules: RuleSet, state: np.record) -> NDArray[np.void]:
    """Return a deal at the beginning of its play, in each strain with each side as bidder.

    Once the cards are being played, or have been, all hold what they held as play began, whoever bids. Before, all hold
    what they get if that side bids (a drawn stock), and nobody swaps the seven. In a game of three each seat plays
    alone against the two others.

    Args:
        state: a row of `STATE`, of any phase.

    Returns:
        Rows of `STATE`, (strains, sides), strains in the order of the rules.

    Raises:
        NotSolvable: nobody knows yet what the namer will discard, or a belot ends the deal.
    """
    boards = np.empty((len(rules.strains), rules.sides), STATE)
    _begin(rules.records, np.array([state], STATE), boards)
    phases = boards["public"]["phase"]
    if (phases == DISCARD).any():
        raise NotSolvable("the namer has yet to discard: a whole deal is solved once its play has begun")
    if (phases == OVER).any():
        raise NotSolvable("a whole suit in one hand wins the match before any card is played")
    return boards


def _check(rules: RuleSet, states: NDArray[np.void]) -> None:
    """Raise `NotSolvable` unless the solver can take all states, `TypeError` if they are none."""
    if not isinstance(states, np.ndarray) or states.dtype != STATE or states.ndim != 1:
        raise TypeError("states: an array of rows of STATE is wanted, shape (n,)")
    record = rules.record
    if (states["hands"] & ~record.pack).any() or states["hands"][:, rules.players :].any():
        raise NotSolvable("the states are of other rules: they hold cards or seats that these do not have")
    whole = int(record.points[: len(rules.strains)].sum(axis=1).max()) + rules.last_trick
    if max(whole, rules.all_tricks_set) + rules.all_tricks >= MOST:
        raise NotSolvable(f"the solver counts below {MOST} points a deal, and by these rules there may be more")
    phases = states["public"]["phase"]
    wrong = np.flatnonzero((phases < ANNOUNCING) | (phases > PLAY))
    if len(wrong):
        phase = PHASES[phases[wrong[0]]]
        place = f"state {wrong[0]}: " if len(states) > 1 else ""
        raise NotSolvable(place + ("the deal is over" if phase == "over" else f"no cards are played yet: {phase}"))


def share_out(n: int, threads: int | None, work: _Part) -> None:
    """Let threads, each with a search of its own, work at parts of `n` positions."""
    if threads is not None and threads < 1:
        raise ValueError(f"threads: at least 1 is wanted, or None for one a core, not {threads!r:.20}")
    threads = threads or cores()
    size = max(1, -(-n // (4 * threads)))  # parts are small, since one deal may take as long as twenty others

    def solve_part(start: int) -> None:
        try:
            search = _IDLE.pop()
        except IndexError:
            search = new_search()
        work(search, start, min(start + size, n))
        _IDLE.append(search)

    if threads == 1 or n <= size:
        for start in range(0, n, size):
            solve_part(start)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(solve_part, range(0, n, size)))


@kernel
def _solve(records, states, searches, start, stop, values):  # type: ignore[no-untyped-def]
    for i in range(start, stop):
        set_up(records[0], states[i], searches[0])
        values[i] = solve(searches[0])


@kernel
def _solve_cards(records, states, searches, start, stop, values):  # type: ignore[no-untyped-def]
    for i in range(start, stop):
        set_up(records[0], states[i], searches[0])
        solve_cards(searches[0], values[i])


@kernel
def _play_best(records, states, searches, start, stop, values):  # type: ignore[no-untyped-def]
    rules = records[0]
    for i in range(start, stop):
        state = states[i]
        public = state.public
        while public.phase != OVER:
            seat = public.seat
            if public.phase == PLAY:
                set_up(rules, state, searches[0])
                solve_cards(searches[0], values)
                apply(rules, state, _best_card(values, rules.side[seat] == rules.side[public.bidder]))
            else:
                apply(rules, state, willing_answer(rules, state))


@kernel
def willing_answer(rules: np.record, state: np.record) -> int:
    """Return the answer of the seat that is asked to announce or show: yes where it may."""
    public = state.public
    return int(highest(legal_answers(rules, public, state.hands[public.seat], state.dealt[public.seat])))


@kernel
def _best_card(values: Values, most: bool) -> int:
    """Return the lowest card of the highest value, or of the lowest."""
    best = -1
    for card in range(32):
        better = best < 0 or (values[card] > values[best] if most else values[card] < values[best])
        if values[card] != NO_CARD and better:
            best = card
    return best


@kernel
def _begin(records, deals, boards):  # type: ignore[no-untyped-def]
    """Write the beginning of a deal's play in each strain with each side as bidder, as far as it is settled."""
    rules, deal = records[0], deals[0]
    settled = deal.public.phase >= ANNOUNCING and deal.public.bidder >= 0 and deal.public.belot < 0
    for strain in range(boards.shape[0]):
        for seat in range(boards.shape[1]):  # the first of its side
            boards[strain, seat] = deal
            state = boards[strain, seat]
            if settled:
                state.hands[:] = state.dealt[:]
                clear_table(rules, state.public)
                let_stand(rules, state.public, seat, strain)
            else:
                lay_out(rules, state)
                force_contract(rules, state, seat, strain)
                if state.public.phase == SWAP:
                    apply(rules, state, PASS)
