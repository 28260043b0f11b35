"""The chance to win a match from any score, by value iteration over what deals of self-play bring.

The stage of contract values makes the table beside them.

The deals are those that an agent played with itself at the beginning of a long match, so they know nothing of the
score; the deal passes from side to side. Who has reached the target with more points than the other has won, as the
engine's scoring has it: of equals, or where the leader must not win by a contract that failed, the match goes on, as if
the leader missed one step.

The method is that of the match equity tables of backgammon: the chance at a score is the mean of the chances at the
scores that the next deal leads to (Jacobs and Trice 1996, *Can a fish taste twice as good?*).
"""

import numpy as np
from numpy.typing import NDArray

import agents
from agents import Agent
from agents.manifest import of_game
from agents.match_odds import MatchOddsFile, step_of
from blot_env import BatchEnv, RuleSet
from blot_env.compile import kernel
from blot_env.episode import with_target

_ENDLESS = 100_000  # a target that no deal comes near
_MOST_ROUNDS, _SETTLED = 1000, 1e-12  # for scores that deals may leave as they are
_DIGITS = 5


class MatchOddsUnknown(ValueError):
    """A game whose matches have more than two sides."""


OUTCOME = np.dtype(
    [
        ("own", "i8"),  # match points of the side that dealt
        ("other", "i8"),
        ("winner", "i8"),  # who won the match at once: 0 the side that dealt, 1 the other, -1 nobody
        ("failed", "i8"),  # whose contract failed, so that it cannot win: as `winner`
        ("again", "i8"),  # the same seat deals again
        ("weight", "f8"),  # share of the deals
    ]
)
"""What a deal brings, to the side that dealt and to the other one."""


def play_outcomes(rules: RuleSet, agent: Agent, deals: int, seed: int) -> NDArray[np.void]:
    """Return what deals bring that an agent plays with itself, one row of `OUTCOME` a kind, the likeliest first.

    Raises:
        MatchOddsUnknown: the game has more than two sides.
    """
    check_sides(rules)
    env = BatchEnv(with_target(rules, _ENDLESS), min(deals, 1000), seed=seed)
    env.reset()
    found, count = [], 0
    while count < deals:
        dealers = env.states["public"]["dealer"].copy()
        *_, done = env.step(agents.choose(agent, env.decisions(seed=seed), env.states))
        found.append(_outcomes(rules, env.results[done], dealers[done]))
        count += len(found[-1])
    kinds, counts = np.unique(np.concatenate(found)[:deals], return_counts=True)
    kinds["weight"] = counts / counts.sum()
    return kinds[np.argsort(-kinds["weight"], kind="stable")]


def check_sides(rules: RuleSet) -> None:
    """Refuse games in which a score is of more than two numbers.

    Raises:
        MatchOddsUnknown: this is one.
    """
    if rules.sides != 2:
        raise MatchOddsUnknown(f"odds of a match are computed for two sides, and {rules.name} has {rules.sides}")


def _outcomes(rules: RuleSet, results: NDArray[np.void], dealers: NDArray[np.int64]) -> NDArray[np.void]:
    sides = np.array([rules.side(seat) for seat in range(rules.players)])
    dealt = sides[dealers]
    found, deal = np.zeros(len(results), OUTCOME), np.arange(len(results))
    found["own"], found["other"] = results["points"][deal, dealt], results["points"][deal, 1 - dealt]
    won, bidder = results["match_winner"], results["bidder"]
    found["winner"] = np.where(won < 0, -1, won != dealt)
    failed = rules.leader_cannot_win_by_failing & (results["made"] == 0)
    found["failed"] = np.where(failed, sides[bidder] != dealt, -1)
    found["again"] = (bidder < 0) & (rules.redeal == "same")
    return found


def solve(outcomes: NDArray[np.void], step: int, size: int) -> NDArray[np.float64]:
    """Return the chances of the side that deals, (size, size), by the steps that it and the other side miss, from 1 on.

    Args:
        outcomes: of a deal, with weights that add up to 1.
        step: match points.
        size: how many steps the target is away at the beginning.
    """
    chances = np.full((size + 1, size + 1), 0.5)
    _solve(outcomes.view(np.recarray), step, chances)
    return chances[1:, 1:]


@kernel
def _solve(outcomes, step, chances):  # type: ignore[no-untyped-def]
    """Fill in the table in the order of what both sides miss: a deal never leads to more, but may change nothing."""
    for total in range(2, 2 * len(chances) - 1):
        for own in range(max(1, total - len(chances) + 1), total // 2 + 1):
            other = total - own
            for _ in range(_MOST_ROUNDS):
                first, second = chances[own, other], chances[other, own]
                chances[own, other] = _mean(outcomes, step, chances, own, other)
                chances[other, own] = _mean(outcomes, step, chances, other, own)
                if abs(first - chances[own, other]) + abs(second - chances[other, own]) < _SETTLED:
                    break


@kernel
def _mean(outcomes, step, chances, own, other):  # type: ignore[no-untyped-def]
    """Return the chance of the side that deals: the mean over what the deal leads to."""
    mean = 0.0
    for row in range(len(outcomes)):
        outcome = outcomes[row]
        mean += outcome.weight * _after(outcome, step, chances, own, other)
    return mean


@kernel
def _after(outcome, step, chances, own, other):  # type: ignore[no-untyped-def]
    if outcome.winner >= 0:
        return 1.0 - outcome.winner
    mine, theirs = own * step - outcome.own, other * step - outcome.other  # what is missing then
    if min(mine, theirs) <= 0 and mine != theirs:
        leader = 0 if mine < theirs else 1
        if outcome.failed != leader:
            return 1.0 - leader
    mine, theirs = max(-(-mine // step), 1), max(-(-theirs // step), 1)
    return chances[mine, theirs] if outcome.again else 1.0 - chances[theirs, mine]


def match_odds_file(rules: RuleSet, agent: Agent, deals: int, seed: int = 0) -> bytes:
    """Return the content of `match-odds.json` for a game, from deals that an agent plays with itself.

    Raises:
        MatchOddsUnknown: the game has more than two sides.
    """
    step = step_of(rules)
    chances = solve(play_outcomes(rules, agent, deals, seed), step, -(-rules.target // step))
    rounded = [[round(float(chance), _DIGITS) for chance in row] for row in chances]
    file = MatchOddsFile(**of_game(rules), agent=agent.name, deals=deals, chances=rounded)
    return file.model_dump_json().encode() + b"\n"
