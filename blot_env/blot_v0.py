"""PettingZoo environment for the Blot family: one agent acts at a time, each sees only what its seat knows.

    from blot_env import blot_v0

    env = blot_v0.env(rules="bazar", episode="match", target=301)
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        over = terminated or truncated
        action = None if over else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

| | |
|---|---|
| Agents | `player_0`, `player_1` …, one a seat, in the order of turn; partners sit opposite each other |
| Observation | `{"observation": uint8 (columns,), "action_mask": int8 (actions,)}`; who is not to act has a mask of 0 |
| Actions | `Discrete(actions)`, of which the mask allows some |
| State | `state()`: uint8 (state,), all cards in the players' hands, as the seat to act orders them: see below |
| Arguments | of `env` and `raw_env`: see `raw_env` |
| Names | `pettingzoo.make("aec", "blot_v0", …)` once `blot_env` is imported |

| preset | agents | columns | actions | state |
|---|---|---|---|---|
| `bazar` | 4 | 1240 | 412 | 1336 |
| `duel` | 2 | 664 | 42 | 760 |
| `bazar-alltrump` | 4 | 1304 | 150 | 1400 |
| `hayblot` | 4 | 1240 | 407 | 1336 |
| `bazar-classic` | 4 | 1248 | 772 | 1344 |
| `blotstar` | 4 | 1240 | 687 | 1336 |
| `bela4` | 4 | 1048 | 42 | 1272 |
| `bela3` | 3 | 912 | 42 | 1072 |
| `bela2` | 2 | 664 | 42 | 760 |

A house rule changes a size only where it changes the seats, the strains or numbers that are bid, the kind of capot,
whether there are hidden cards, or whether combinations are shown by choice.

## Reward

`reward="points"`: at the end of each deal a player gets its own side's match points of the deal minus the mean of the
other sides'. The rewards of partners are equal and all rewards sum to 0. A deal is worth some 10 to 30 points where
they are tens (in `bela4` and its like some 100 to 200), a contra'd one up to several hundred. A board that nobody bids
on is worth 0 and ends a deal episode; in a match it is dealt again. A belot is worth 0, too: it wins the match.

`reward="win"`: at the end of the match 1 for the winners, and -1 for the other side; where there are two others, -1/2
each. Only with `episode="match"`.

`env()` answers an illegal action as PettingZoo's wrapper does: the episode ends, the offender gets -1, the others 0.
`raw_env` raises `IllegalAction`, and nothing has changed.

## Actions

| index | action |
|---|---|
| 0 – 31 | card 8 × suit + rank: suits C D H S, ranks 7 8 9 T J Q K A |
| 32 | pass; keep as last word; decline, stay silent, withhold |
| 33 | contra |
| 34 | recontra |
| 35 – 38 | name the suit C D H S, where a suit is named |
| 39 | swap the seven |
| 40 | announce |
| 41 | show |
| 42 – 406 | bid 42 + 5 × (number - 8) + strain: numbers 8 to 80, strains C D H S NT |
| 407 – 411 | capot in C D H S NT |

The first 42 are the same in every game; a discard is a card. Bids are those of `bazar`. Others have as many as they
have numbers and strains, in the same order; where capot is a mark, 12H capot stands after all plain bids as 12H does
among them, from `capot_min` on; where it needs no call of its own, there are none.

`rules.actions` translates between these and the notation `8H`, `12NT`, `capotS`, `nameH`, `JC`.

## Observation

Every column is 0 or 1. Seats are relative: in a block of four seats the observer comes first, in a block of three the
seat after it, then the others in the order of turn; of two sides the own comes first. Cards stand as in the actions.
"≥ 8 9 10" is one column for each level, set if it is reached. These are the columns of `bazar`:

| columns | block | meaning |
|---|---|---|
| 0 – 31 | `hand` | own cards |
| 32 – 63 | `unseen` | cards that some other seat holds |
| 64 – 95 | `masters` | in the play: the highest card of each suit that is still to be played |
| 96 – 223 | `played` | cards played, 4 seats of 32 |
| 224 – 319 | `trick` | the card on the table, 3 seats of 32 |
| 320 – 415 | `could` | cards that the seat may hold as far as its plays and what was shown tell, 3 seats of 32 |
| 416 – 543 | `shown` | cards of the combinations that scored, while not played, 4 seats of 32 |
| 544 – 559 | `voids` | suits C D H S of which the seat can hold no card, 4 seats of 4 |
| 560 – 583 | `no_higher_trump` | trumps 7 8 Q K T A 9 J that the seat has shown not to hold, 3 seats of 8 |
| 584 – 839 | `seats` | calls and announcements, 4 seats of 64: see below |
| 840 – 1031 | `calls` | the highest number called in each strain and the first number, 4 seats of 6 numbers in binary |
| 1032 – 1039 | `strain` | of the standing bid: C D H S NT AT, a capot, none yet |
| 1040 – 1071 | `number` | of the standing bid: ≥ 8 9 … 31 36 41 46 51 56 61 71 81 |
| 1072 – 1079 | `number_bits` | the same in binary, lowest bit first |
| 1080 – 1095 | `moment` | see below |
| 1096 – 1143 | `scores` | match points missing to the target, 2 sides of 24: see below |
| 1144 – 1207 | `progress` | what was taken, 2 sides of 32: see below |
| 1208 – 1223 | `need` | raw points that the bidders miss to their number: > 0 10 20 … 150 |
| 1224 – 1239 | `own` | see below |

| in a seat's 64 of `seats` | meaning |
|---|---|
| 0 – 39 | highest number called in C, D, H, S, NT, eight columns each: ≥ 8 9 10 11 12 14 16 20 |
| 40 – 47 | first call: pass, C D H S NT AT, a capot |
| 48 – 55 | passed once, twice, three times; said contra, recontra; bidder; dealer; holds the trick |
| 56 – 63 | announced: a terz, two; a fifty, two; a hundred; a four, two; has played its first card |

| in `moment` | meaning |
|---|---|
| 0 – 6 | phase: auction, swap, discard, announce, show, play, over |
| 7 – 8 | contra, recontra |
| 9 – 10 | the last word is asked, a recontra is asked |
| 11 – 15 | own side bid; own turn; partner holds the trick; last to play; leading |

| in a side's 24 of `scores` | meaning |
|---|---|
| 0 – 8 | missing: > 0 5 10 15 20 25 30 35 40 |
| 9 – 23 | missing: > 50 60 70 80 90 100 120 140 160 180 200 225 250 275 300 |

| in a side's 32 of `progress` | meaning |
|---|---|
| 0 – 15 | card points: ≥ 10 20 … 160 |
| 16 – 23 | tricks: ≥ 1 2 … 8 |
| 24 – 31 | combinations and blot: ≥ 20 40 50 70 100 120 150 200 |

| in `own` | meaning |
|---|---|
| 0 – 7 | own combinations, before the first bid as at a suit: ≥ 20 40 50 70 100 120 150 200 |
| 8 – 11 | dealt king and queen of C, D, H, S |
| 12 – 15 | eldest; dealer; holds a trump; trump was led |

The other games have the same blocks in the same order, for as many seats, sides and strains as they have. Where bids
have no number there are no `calls`, `number` and `number_bits`, and a seat has the last 24 columns of `seats` only.
Where a match point is a raw point, `scores` counts the missing ones in tens. After `own` follow

| where | width | block | meaning |
|---|---|---|---|
| cards are hidden: `duel`, `bela4`, `bela3`, `bela2` | 32 | `turned` | the card that was turned up |
| the same | 32 | `aside` | cards that this seat knows to be out of the game: its discards, and what all know of |
| the same | 32 a seat | `known` | cards that all know the seat to hold or to have held: swapped, taken, asked about |
| the same | 8 | `more` | announced a third terz (4 seats), a second hundred (4) |
| combinations are shown by choice: `bazar-classic` | 8 | `claims` | has shown (4 seats), was asked and has not (4) |

What becomes public at which moment is as the rules have it: who is asked is, who will be asked next, cards face down,
the stock and discards never are.

`state()` is what the seat to act observes, then `hands`, 32 columns for each seat after it, then, where cards are
hidden, `down`, 32 for each seat from its own: the cards that lie face down before it. What is in none of these is out
of the game or still in the stock, whose order no column tells.

`rules.observation` has these blocks as slices, `rules.oracle` those of `state()`.

## Version history

* v0: first version.
"""

from typing import Any, ClassVar, Literal, SupportsIndex

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils import EzPickle
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from blot_env.episode import Episode
from blot_env.game import Game, IllegalAction
from blot_env.observing import observe_all
from blot_env.render import check_mode, show
from blot_env.rules import RuleSet

Observation = dict[str, NDArray[Any]]


def env(**kwargs: Any) -> AECEnv:
    """Return the environment in PettingZoo's usual wrappers; the arguments are those of `raw_env`."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(**kwargs), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv, EzPickle):
    """The environment without wrappers, which take more time than all it does.

    Args:
        rules: a rule set, the name of a preset, or the path of a TOML file (see `blot_env.load_rules`).
        episode: `match`, deal after deal until a side wins, or `deal`.
        target: the points that win the match, by default those of the rules.
        render_mode: `ansi`, `render()` returns the table as text, or `human`, it is printed after every step.
        reward: `points` or `win`, see the module's head.

    Raises:
        RulesError: no such preset, or a target that cannot be.
        ValueError: another argument that cannot be.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["ansi", "human"],
        "name": "blot_v0",
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        rules: RuleSet | str = "bazar",
        episode: Literal["match", "deal"] = "match",
        target: int | None = None,
        render_mode: Literal["ansi", "human"] | None = None,
        reward: Literal["points", "win"] = "points",
    ) -> None:
        check_mode(render_mode)
        self.render_mode = render_mode
        self._episode = Episode(rules, episode, target, reward)
        self.rules = self._episode.rules
        EzPickle.__init__(self, self.rules, episode, None, render_mode, reward)  # the rules, not the name of their file
        super().__init__()
        self.possible_agents = [f"player_{seat}" for seat in range(self.rules.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        columns, actions, states = self.rules.observation.size, self.rules.actions.size, self.rules.oracle.size
        self.observation_spaces = {
            agent: Dict({"observation": Box(0, 1, (columns,), np.uint8), "action_mask": Box(0, 1, (actions,), np.int8)})
            for agent in self.possible_agents
        }
        self.action_spaces: dict[str, Any] = {agent: Discrete(actions) for agent in self.possible_agents}
        self.state_space = Box(0, 1, (states,), np.uint8)
        self._seed, self._board = int(np.random.default_rng().integers(1 << 63)), -1
        self._game: Game | None = None

    @property
    def game(self) -> Game:
        """The game that is played; its `record()` is what to save.

        Raises:
            ResetNeeded: there is none before the first `reset()`.
        """
        if self._game is None:
            raise ResetNeeded("no game has begun: call reset() first")
        return self._game

    def observation_space(self, agent: str) -> Dict:
        """Return the observation space of an agent, the same object at each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the action space of an agent, the same object at each call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode.

        Args:
            seed: of the boards; board 0 of it is dealt. Without one, the next board of the seed before.
            options: `board` (a number), `dealer` (a seat), `scores` (match points by side); others are ignored.

        Raises:
            ValueError: a seed or option that cannot be.
        """
        options = options or {}
        seed, following = (self._seed, self._board + 1) if seed is None else (seed, 0)
        board = options.get("board", following)
        self._game = Game(self.rules, seed, options.get("dealer"), options.get("scores"), board)
        self._seed, self._board = seed, board  # only now: a reset that fails changes nothing
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.game.seat]
        if self.render_mode == "human":
            self.render()

    def step(self, action: SupportsIndex | None) -> None:
        """Take an action for the agent whose turn it is; None for one whose episode is over.

        Raises:
            IllegalAction: it may not be taken; nothing has changed.
            ResetNeeded: there is no episode.
        """
        game = self.game
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalAction(f"{agent} is to act: an action is wanted, not None")
        game.take(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if game.phase == "over":
            self._end_deal()
        else:
            self.agent_selection = self.possible_agents[game.seat]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """Return what an agent's seat knows, and what it may do: nothing while it is another's turn.

        Raises:
            ValueError: there is no such agent.
        """
        if agent not in self._seats:
            raise ValueError(f"no agent is named {agent!r:.60}; there are {', '.join(self._seats)}")
        observation, mask = self.game.observe(self._seats[agent])
        return {"observation": observation, "action_mask": mask}

    def state(self) -> NDArray[np.uint8]:
        """Return the full state for a critic that trains: uint8, the columns of `rules.oracle` for the seat to act."""
        row = np.empty(self.rules.oracle.size, np.uint8)
        observe_all(self.rules.record, self.game.states, 0, row)
        return row

    def render(self) -> str | None:
        """Return the table as text (`ansi`) or print it (`human`)."""
        return show(self.game, self.render_mode)

    def close(self) -> None:
        """Release nothing: there is nothing to release."""

    def _end_deal(self) -> None:
        """Pay for the deal, and end the episode or deal again."""
        self.rewards = dict(zip(self.agents, self._episode.rewards(self.game), strict=True))
        self._accumulate_rewards()
        if self._episode.is_over(self.game):
            self.terminations = dict.fromkeys(self.agents, True)
            self._deads_step_first()
            return
        if self.render_mode == "human":
            self.render()
        self.game.next_deal()
        self.agent_selection = self.possible_agents[self.game.seat]
