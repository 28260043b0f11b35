"""Gymnasium environment for one learner; agents named by specs sit in the other seats.

    import gymnasium

    env = gymnasium.make("blot_env:Blot-v0", opponents="rules", partner="rules")
    observation, info = env.reset(seed=7)
    action = env.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = env.step(action)

Actions and the columns of an observation are those of `blot_env.blot_v0`. What may be done stands in
`info["action_mask"]` and in `action_masks()`, which MaskablePPO of sb3-contrib calls; examples/maskable_ppo.py trains
one. An illegal action ends the episode with `illegal_penalty`, and `info["illegal"]` is true.
"""

from math import isfinite
from operator import index
from typing import Any, Literal, SupportsFloat

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

import agents
from blot_env import Game, IllegalAction, RuleSet
from blot_env.episode import Episode
from blot_env.render import check_mode, show

LARGEST_SEED = (1 << 63) - 1


class BlotEnv(gymnasium.Env[NDArray[np.uint8], np.int64]):
    """One seat of a table.

    Args:
        rules: a rule set, the name of a preset, or the path of a TOML file (see `blot_env.load_rules`).
        opponents: spec of the agent in the seats of the other sides.
        partner: spec of the agent in the other seat of the learner's side; nobody's where each plays alone.
        episode: `deal`, or `match`, deal after deal until a side wins.
        target: the points that win the match, by default those of the rules.
        reward: `points`, own match points of each deal minus the mean of the other sides', or `win` (matches only), 1
            when the match is won and -1 when it is lost (-1/2 where two sides lose it).
        seat: of the learner. The deal goes round, so that it is eldest, dealer and so on in turn.
        illegal_penalty: the reward for an illegal action.
        render_mode: `ansi`, `render()` returns the table as text, all hands open, or `human`, it is printed after every
            step.

    Raises:
        RulesError: no such preset, or a target that cannot be.
        SpecError: an agent that cannot be made.
        ValueError: another argument that cannot be.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "render_fps": 1}  # noqa: RUF012 (as Gymnasium has it)

    def __init__(
        self,
        rules: RuleSet | str = "bazar",
        opponents: str = "rules",
        partner: str = "rules",
        episode: Literal["deal", "match"] = "deal",
        target: int | None = None,
        reward: Literal["points", "win"] = "points",
        seat: int = 0,
        illegal_penalty: float = -100.0,
        render_mode: Literal["ansi", "human"] | None = None,
    ) -> None:
        check_mode(render_mode)
        self._episode = Episode(rules, episode, target, reward)
        self.rules = self._episode.rules
        if type(seat) is not int or not 0 <= seat < self.rules.players:
            raise ValueError(f"seat: one of 0 to {self.rules.players - 1} is wanted, not {seat!r}")
        if not isinstance(illegal_penalty, SupportsFloat) or not isfinite(illegal_penalty):
            raise ValueError(f"illegal_penalty: a finite number is wanted, not {illegal_penalty!r}")
        self.seat, self.illegal_penalty, self.render_mode = seat, illegal_penalty, render_mode
        self.observation_space = Box(0, 1, (self.rules.observation.size,), np.uint8)
        self.action_space = Discrete(self.rules.actions.size)
        mates, others = agents.make(partner, self.rules), agents.make(opponents, self.rules)
        own = self.rules.side(seat)
        self._agents = [mates if self.rules.side(other) == own else others for other in range(self.rules.players)]
        self._board, self._over = -1, True
        self._game: Game | None = None

    @property
    def game(self) -> Game:
        """The game that is played.

        Raises:
            ResetNeeded: there is none before the first `reset()`.
        """
        if self._game is None:
            raise ResetNeeded("no game has begun: call reset() first")
        return self._game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin an episode and play up to the learner's first turn.

        Args:
            seed: of the boards and the agents; board 0 of it is dealt. Without one, the next board of the seed before.
            options: `board` (a number), `dealer` (a seat), `scores` (match points by side); others are ignored.
        """
        super().reset(seed=seed)
        options = options or {}
        own_seed = self.np_random_seed & LARGEST_SEED
        board = options.get("board", 0 if seed is not None else self._board + 1)
        self._game = Game(self.rules, own_seed, options.get("dealer"), options.get("scores"), board)
        self._seed, self._board, self._over = own_seed, board, False
        self._advance()
        return self._seen()

    def step(self, action: np.int64 | int) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        """Take the learner's action, then let the others act until it is its turn again or the episode is over.

        Raises:
            ResetNeeded: there is no episode, or it is over.
            TypeError: the action is no whole number; nothing has changed.
        """
        if self._over:
            raise ResetNeeded("the episode is over: call reset() before step()")
        try:
            index(action)
        except TypeError:
            raise TypeError(f"step: the number of an action is wanted, not {action!r:.60}") from None
        try:
            self.game.take(action)
        except IllegalAction:
            self._over = True
            observation, info = self._seen()
            return observation, self.illegal_penalty, True, False, info | {"illegal": True}
        reward, self._over = self._advance()
        observation, info = self._seen()
        return observation, reward, self._over, False, info

    def action_masks(self) -> NDArray[np.int8]:
        """Return the learner's legal actions as a mask, shape (actions,)."""
        return self.game.observe(self.seat)[1]

    def render(self) -> Any:
        """Return the table as text (`ansi`) or print it (`human`)."""
        return show(self.game, self.render_mode)

    def _seen(self) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        observation, mask = self.game.observe(self.seat)
        if self.render_mode == "human":
            self.render()
        return observation, {"action_mask": mask, "illegal": False}

    def _advance(self) -> tuple[float, bool]:
        """Let the others act; return what the deals that ended paid, and whether the episode ended with one."""
        game, reward = self.game, 0.0
        while game.phase == "over" or game.seat != self.seat:
            if game.phase != "over":
                game.take(int(agents.choose(self._agents[game.seat], game.decision(seed=self._seed), game.states)[0]))
                continue
            reward += self._episode.rewards(game)[self.seat]
            if self._episode.is_over(game):
                return reward, True
            game.next_deal()
        return reward, False
