"""Thousands of tables in one structured array, stepped by compiled code."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blot_env.compile import kernel
from blot_env.dealing import lay_out, shuffle
from blot_env.engine import apply, force_contract, is_legal, legal, legal_count, next_deal, nth_legal
from blot_env.episode import check_episode
from blot_env.game import IllegalAction
from blot_env.legality import why_not
from blot_env.observing import observe, observe_all, own_aside, write_mask
from blot_env.random import absorb, below, decision_seed
from blot_env.records import whole
from blot_env.restoring import why_impossible
from blot_env.rules import RuleSet, rule_set
from blot_env.scoring import pay, pay_winner
from blot_env.state import OVER, RESULT, STATE, VIEW
from blot_env.views import Decisions, mask_width, write_view

SCORES, SAMPLES, PLAYOUTS = 0x5C02E, 0x5A3B1E, 0x91A7
"""Streams of the generator, apart from that of the cards."""
MOST_BOARDS = 1 << 62  # so that counting on from a board stays in int64


class BatchEnv:
    """Many tables of one rule set, played in step.

    Args:
        rules: a rule set, or the name of a preset.
        num_envs: how many tables.
        episode: `deal`, or `match` to the target of the rules.
        seed: boards are numbered; board `b` of a seed is the same whatever was played before.
        threads: tables are split among so many threads.
        reward: `points`, a seat's own match points minus the mean of the other sides' (in a match: of all its deals),
            or `win` (matches only), 1 for the winners and -1 shared by the other sides.
        random_scores: deal episodes begin at random match scores below the target instead of at 0.
        copy: return copies instead of views that the next step overwrites.

    Table `i` begins with board `boards[i]` (by default `i`), its next episodes are boards `num_envs` further on each
    time (with boards given: as far on as the given ones reach). The dealer of an episode's first deal follows from the
    board, so that each seat is eldest in turn.

    Attributes:
        results: rows of `blot_env.state.RESULT`, shape (num_envs,): the last finished deal of each table.
        boards: the number of each table's board.

    Raises:
        ValueError: an argument that cannot be.
    """

    def __init__(
        self,
        rules: RuleSet | str,
        num_envs: int,
        episode: Literal["deal", "match"] = "deal",
        seed: int = 0,
        threads: int = 1,
        reward: Literal["points", "win"] = "points",
        random_scores: bool = False,
        copy: bool = False,
    ) -> None:
        self.rules, seed = rule_set(rules), whole("seed", seed)
        if whole("num_envs", num_envs) < 1 or whole("threads", threads) < 1:
            raise ValueError(f"num_envs and threads are at least 1, not {num_envs} and {threads}")
        check_episode(episode, reward)
        if type(random_scores) is not bool or type(copy) is not bool:
            raise ValueError(f"random_scores and copy are True or False, not {random_scores!r} and {copy!r}")
        if episode == "match" and random_scores:
            raise ValueError("random_scores=True needs episode='deal': a match begins at 0")
        self.num_envs, self.episode, self.seed, self.copy = num_envs, episode, seed, copy
        self._options = (seed, int(episode == "match"), int(reward == "win"), int(random_scores))
        self._states = np.zeros(num_envs, STATE)
        self._legal = np.full(
            (num_envs, 4), (0, *[self.rules.actions.size] * 3), np.int64
        )  # nothing is legal before a reset
        self._obs = np.zeros((num_envs, self.rules.observation.size), np.uint8)
        self._padded_mask = np.zeros((num_envs, mask_width(self.rules)), np.int8)
        self._mask = self._padded_mask[:, : self.rules.actions.size]
        self._seat = np.zeros(num_envs, np.int64)
        self._reward = np.zeros((num_envs, self.rules.players), np.float32)
        self._done = np.zeros(num_envs, np.bool_)
        self.results = np.zeros(num_envs, RESULT)
        self._stride, self._samples = num_envs, 0
        bounds = np.linspace(0, num_envs, min(threads, num_envs) + 1).astype(int)
        self._slices = list(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True))
        self._pool = ThreadPoolExecutor(len(self._slices)) if len(self._slices) > 1 else None

    @property
    def boards(self) -> NDArray[np.int64]:
        """The number of each table's board, shape (num_envs,)."""
        return self._states["board"].copy()

    @property
    def states(self) -> NDArray[np.void]:
        """The whole state: rows of `blot_env.state.STATE`, shape (num_envs,). No agent may see it."""
        return self._states

    def reset(self, boards: ArrayLike | None = None) -> tuple[NDArray[np.uint8], NDArray[np.int8], NDArray[np.int64]]:
        """Begin an episode at each table.

        Args:
            boards: board numbers (not negative), shape (num_envs,); equal numbers are equal cards.

        Returns:
            Observations uint8 (num_envs, columns), masks int8 (num_envs, actions), seats to act int64 (num_envs,).
            They are read, not written to: a step rewrites only what changes.

        Raises:
            ValueError: boards of another shape, or negative ones.
        """
        numbers = np.arange(self.num_envs) if boards is None else np.asarray(boards)
        if (
            numbers.shape != (self.num_envs,)
            or numbers.dtype.kind not in "iu"
            or not 0 <= numbers.min() <= numbers.max() < MOST_BOARDS
        ):
            raise ValueError(f"boards: {self.num_envs} board numbers of 0 to 2^62 are wanted, not {boards!r:.60}")
        self._stride = int(numbers.max() - numbers.min()) + 1
        self._samples = 0
        self._reward[:], self._done[:] = 0, False
        _reset(self.rules.records, self._options, self._states, numbers.astype(np.int64))
        self._look()
        return self._out(self._obs), self._out(self._mask), self._out(self._seat)

    def step(
        self, actions: ArrayLike
    ) -> tuple[NDArray[np.uint8], NDArray[np.int8], NDArray[np.int64], NDArray[np.float32], NDArray[np.bool_]]:
        """Take one action at each table; where that ends the episode the next one is dealt at once.

        Args:
            actions: shape (num_envs,).

        Returns:
            Observations, masks and seats as `reset` (of the next episode where done), rewards float32
            (num_envs, players), 0 where not done, and done, bool (num_envs,).

        Raises:
            IllegalAction: an action that may not be taken; no table has changed.
        """
        try:
            chosen = np.asarray(actions)
        except ValueError as error:  # lists of several lengths
            raise ValueError(f"actions: whole numbers of shape ({self.num_envs},) are wanted: {error}") from None
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise ValueError(
                f"actions: whole numbers of shape ({self.num_envs},) are wanted, not {chosen.dtype} {chosen.shape}"
            )
        chosen = np.ascontiguousarray(chosen, np.int64)
        wrong = _first_illegal(self.rules.records, self._legal, chosen)
        if wrong >= 0:
            raise IllegalAction(self._why_not(wrong, int(chosen[wrong])))
        tables = (self._states, self._legal, self._obs, self._padded_mask, self._seat, self._reward, self._done)
        work = (self.rules.records, self._options, self._stride, chosen, *tables, self.results)
        if self._pool is None:
            _step(*work, 0, self.num_envs)
        else:
            list(self._pool.map(lambda part: _step(*work, *part), self._slices))
        return (
            self._out(self._obs), self._out(self._mask), self._out(self._seat),
            self._out(self._reward), self._out(self._done),
        )  # fmt: skip

    def sample(self, mask: NDArray[np.int8], out: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Draw a uniformly random legal action for each row of a mask.

        Args:
            mask: shape (rows, actions), with at least one action in each row.
            out: int64, shape (rows,), to write to.

        Raises:
            ValueError: `mask` or `out` of another shape or type, or a row of the mask without a legal action.
        """
        if not isinstance(mask, np.ndarray) or mask.ndim != 2 or mask.dtype != np.int8:
            raise ValueError("sample: an int8 mask of shape (rows, actions) is wanted")
        actions = np.empty(len(mask), np.int64) if out is None else out
        if not isinstance(actions, np.ndarray) or actions.shape != (len(mask),) or actions.dtype != np.int64:
            raise ValueError("sample: an int64 `out` of shape (rows,) is wanted")
        empty = _sample(int(absorb(absorb(self.seed, SAMPLES), self._samples)), mask, actions)
        if empty >= 0:
            raise ValueError(f"sample: row {empty} of the mask has no legal action")
        self._samples += 1
        return actions

    def oracle(self) -> NDArray[np.uint8]:
        """Return the full state as the seats to act would order it, for a critic: uint8 (num_envs, oracle columns)."""
        rows = np.empty((self.num_envs, self.rules.oracle.size), np.uint8)
        _oracle(self.rules.records, self._states, rows)
        return rows

    def decisions(self, rows: ArrayLike | None = None, seed: int = 0) -> Decisions:
        """Return what the seats to act at some tables know, as agents take it.

        Args:
            rows: indices of tables, by default all.
            seed: of the agents; a decision's own seed is a hash of it, the board, the deal, the seat and how many
                actions the deal has seen.

        Raises:
            ValueError: no such table.
        """
        tables = np.arange(self.num_envs) if rows is None else np.asarray(rows)
        if tables.size == 0:
            tables = np.zeros(0, np.int64)
        elif tables.ndim != 1 or tables.dtype.kind not in "iu" or not 0 <= tables.min() <= tables.max() < self.num_envs:
            raise ValueError(f"rows: a list of tables is wanted, which are numbered 0 to {self.num_envs - 1}")
        tables, seed = tables.astype(np.int64, copy=False), whole("seed", seed)
        views, seeds = np.empty(len(tables), VIEW), np.empty(len(tables), np.int64)
        _views(self._states, tables, seed, views, seeds)
        return Decisions(self.rules, views, self._obs[tables], self._mask[tables], seeds)

    def save(self) -> dict[str, NDArray[Any]]:
        """Return a copy of everything that `restore` needs."""
        counters = np.array([self._stride, self._samples], np.int64)
        own = {"rules": self.rules.records.copy(), "options": np.array(self._options, np.int64)}
        return {"states": self._states.copy(), "results": self.results.copy(), "counters": counters, **own}

    def restore(self, saved: dict[str, NDArray[Any]]) -> tuple[NDArray[np.uint8], NDArray[np.int8], NDArray[np.int64]]:
        """Go back to what `save` returned; return as `reset` does.

        Raises:
            ValueError: it was saved by a batch of another size, of other rules, seed or kind of episode, or its tables
                cannot be; no table has changed.
        """
        own = self.save()
        if not isinstance(saved, dict) or set(saved) != set(own):
            raise ValueError("restore: what `save` returned is wanted")
        for name, array in own.items():
            given = saved[name]
            if not isinstance(given, np.ndarray) or given.dtype != array.dtype or given.ndim != array.ndim:
                raise ValueError(f"restore: {name}: what `save` returned is wanted")
            if given.shape != array.shape:
                raise ValueError(f"restore: saved were {len(given)} tables, these are {self.num_envs}")
        if any(saved[name].tobytes() != own[name].tobytes() for name in ("rules", "options")):
            raise ValueError("restore: it was saved by a batch of other rules, another seed or kind of episode")
        if saved["counters"][0] < 1 or saved["counters"][1] < 0:
            raise ValueError(f"restore: counters: {saved['counters']} cannot be")
        if wrong := why_impossible(self.rules, saved["states"]):
            raise ValueError(f"restore: {wrong}")
        self._states[:], self.results[:] = saved["states"], saved["results"]
        self._stride, self._samples = (int(counter) for counter in saved["counters"])
        self._reward[:], self._done[:] = 0, False
        self._look()
        return self._out(self._obs), self._out(self._mask), self._out(self._seat)

    def _look(self) -> None:
        _look(self.rules.records, self._states, self._legal, self._obs, self._padded_mask, self._seat)

    def _out(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self.copy else array

    def _why_not(self, table: int, action: int) -> str:
        place = f"table {table}, seat {int(self._seat[table])}"
        if not 0 <= action < self.rules.actions.size:
            return f"{place}: {action} is no action: actions are numbered 0 to {self.rules.actions.size - 1}"
        if not self._states["public"]["target"][table]:
            return "step: the tables are empty before the first reset"
        state = self._states[table]
        reason = why_not(self.rules, state.public, int(state.hands[state.public.seat]), action)
        return f"{place}: {self.rules.actions.text(action)}: {reason}"


def random_playouts(rules: RuleSet | str, n: int, seed: int = 0, auction: bool = True) -> NDArray[np.int64]:
    """Play `n` deals with uniformly random legal actions in compiled code.

    Args:
        auction: begin with the auction; otherwise with the play, and the lowest bid of a random seat in a random strain
            stands.

    Returns:
        Match points by side, shape (n, sides).
    """
    rules = rule_set(rules)
    points = np.zeros((whole("n", n), rules.sides), np.int64)
    _playouts(rules.records, whole("seed", seed), int(auction), np.zeros(1, STATE), points)
    return points


@kernel
def _begin_episode(rules, options, state, board):  # type: ignore[no-untyped-def]
    """Deal the first board of an episode."""
    seed, _, _, random_scores = options
    public = state.public
    state.seed, state.board, state.deal, state.redeal = seed, board, 0, 0
    public.target = rules.target
    public.dealer = (board + rules.players - 1) % rules.players
    for side in range(rules.sides):
        public.scores[side] = 0
        if random_scores:
            public.scores[side] = below(absorb(absorb(seed, SCORES), board), side, rules.target)
    shuffle(rules, state)
    lay_out(rules, state)


@kernel
def _see(rules, states, i, whole, legal_sets, obs, mask, seats):  # type: ignore[no-untyped-def]
    state = states[i]
    public = state.public
    seat = public.seat
    hand, dealt = state.hands[seat], state.dealt[seat]
    bits, first, stop, capot = legal(rules, public, hand, dealt)
    observe(rules, public, seat, hand, dealt, own_aside(state, seat), obs[i])
    same = legal_sets[i]
    whole = whole or first != same[1] or stop != same[2] or capot != same[3]
    write_mask(rules, bits, first, stop, capot, whole, mask[i])
    same[0], same[1], same[2], same[3] = bits, first, stop, capot
    seats[i] = seat


@kernel
def _look(records, states, legal_sets, obs, mask, seats):  # type: ignore[no-untyped-def]
    rules = records[0]
    for i in range(len(states)):
        _see(rules, states, i, True, legal_sets, obs, mask, seats)


@kernel
def _reset(records, options, states, boards):  # type: ignore[no-untyped-def]
    rules = records[0]
    for i in range(len(states)):
        _begin_episode(rules, options, states[i], boards[i])


@kernel
def _first_illegal(records, legal_sets, actions):  # type: ignore[no-untyped-def]
    rules = records[0]
    for i in range(len(actions)):
        own = legal_sets[i]
        if not is_legal(rules, own[0], own[1], own[2], own[3], actions[i]):
            return i
    return -1


@kernel
def _step(  # type: ignore[no-untyped-def]
    records, options, stride, actions, states, legal_sets, obs, mask, seats, reward, done, results, start, stop
):
    rules = records[0]
    _, is_match, is_win, _ = options
    for i in range(start, stop):
        state = states[i]
        if done[i]:
            done[i] = False
            reward[i, :] = 0
        apply(rules, state, actions[i])
        if state.public.phase == OVER:
            results[i] = state.result
            winner = state.result.match_winner
            if is_match and winner < 0:
                next_deal(rules, state)
            else:
                done[i] = True
                if is_win:
                    pay_winner(rules, winner, reward[i])
                elif is_match:
                    pay(rules, state.public.scores, reward[i])
                else:
                    pay(rules, state.result.points, reward[i])
                _begin_episode(rules, options, state, state.board + stride)
        _see(rules, states, i, False, legal_sets, obs, mask, seats)


@kernel
def _sample(key, mask, actions):  # type: ignore[no-untyped-def]
    size = mask.shape[1]
    for i in range(len(mask)):
        row = mask[i]
        count = 0
        for action in range(size):
            count += int(row[action])
        if count == 0:
            return i
        n = below(key, i, count)
        start = 0
        while True:  # skip stretches of 32 that end before the n-th legal action
            stop = min(start + 32, size)
            held = 0
            for action in range(start, stop):
                held += int(row[action])
            if n < held:
                break
            n -= held
            start = stop
        while n > 0 or not row[start]:
            n -= int(row[start])
            start += 1
        actions[i] = start
    return -1


@kernel
def _oracle(records, states, rows):  # type: ignore[no-untyped-def]
    rules = records[0]
    for i in range(len(states)):
        observe_all(rules, states, i, rows[i])


@kernel
def _views(states, tables, seed, views, seeds):  # type: ignore[no-untyped-def]
    for place in range(len(tables)):
        state = states[tables[place]]
        seat = state.public.seat
        write_view(state, seat, views[place])
        seeds[place] = decision_seed(seed, state.board, state.deal, state.redeal, seat, state.public.length)


@kernel
def _playouts(records, seed, auction, states, points):  # type: ignore[no-untyped-def]
    rules = records[0]
    options = (seed, 0, 0, 0)
    for n in range(len(points)):
        state = states[0]
        public = state.public
        _begin_episode(rules, options, state, n)
        key = absorb(absorb(seed, PLAYOUTS), n)
        counter = 0
        if not auction:
            force_contract(rules, state, below(key, 1 << 20, rules.players), below(key, 1 << 21, rules.strains))
        while public.phase != OVER:
            seat = public.seat
            bits, first, stop, capot = legal(rules, public, state.hands[seat], state.dealt[seat])
            choice = below(key, counter, legal_count(rules, bits, first, stop, capot))
            action = nth_legal(bits, first, stop, capot, choice)
            counter += 1
            apply(rules, state, action)
        for side in range(points.shape[1]):
            points[n, side] = state.result.points[side]
