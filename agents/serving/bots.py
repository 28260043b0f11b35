"""The bots that a server holds."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from agents.bot import load_bot
from agents.networks import BotError
from agents.serving.bodies import Answer, BotCard
from agents.session import explained
from blot_env import Game, decision_from_message

WARMING_MS = 20.0
"""Time for a decision of the deal that warms a bot up."""


class HostedBot:
    """An exported bot, loaded and ready; threads may ask it at the same time.

    Args:
        folder: what `blot export` wrote; its name is the bot's.

    Raises:
        BotError: something is missing, damaged or does not fit.
    """

    def __init__(self, folder: Path) -> None:
        self.name = folder.resolve().name
        if not self.name.isprintable():  # bytes that are no UTF-8, too
            raise BotError(f"{folder}: a folder's name is its bot's, and is to be readable text; rename it")
        self.rules, self._player = load_bot(folder)

    @property
    def card(self) -> BotCard:
        """What the list of bots says of it."""
        return BotCard(
            name=self.name,
            rules=self.rules.name,
            fields=self.rules.changes,
            target=self.rules.target,
            tier=self._player.tier.name,
            rating=self._player.manifest.rating,
        )

    def decide(self, message: Mapping[str, Any], ms: float | None, explain: bool) -> Answer:
        """Return what it does where a message puts it.

        Args:
            message: what its seat sees (docs/bot-protocol.md).
            ms: time in milliseconds; None for its tier's.
            explain: whether its thoughts are wanted.

        Raises:
            RecordError, ImpossibleViewError: the message describes no decision of its game.
        """
        started = perf_counter()
        thoughts = self._player.think(decision_from_message(self.rules, message), ms)
        told = explained(self.rules, thoughts)
        if not explain:
            told = {"value": told["value"]}
        took = 1000 * (perf_counter() - started)
        return Answer(action=self.rules.actions.text(thoughts.action), ms=round(took, 3), **told)

    def play_a_deal(self) -> list[dict[str, Any]]:
        """Play a deal with itself, fast: what is compiled or loaded at first then is. Return what its seats saw."""
        game, seen = Game(self.rules, seed=7), []
        while game.phase != "over":
            seen.append(game.message())
            game.play(self.decide(seen[-1], WARMING_MS, True).action)
        return seen


def load_bots(folders: Sequence[Path]) -> dict[str, HostedBot]:
    """Load bots, by name.

    Raises:
        BotError: one of them cannot be used, or two have one name.
    """
    bots: dict[str, HostedBot] = {}
    for folder in folders:
        bot = HostedBot(folder)
        if bot.name in bots:
            raise BotError(
                f"{folder}: there is a bot named {bot.name!r} already; a folder's name is its bot's: rename one"
            )
        bots[bot.name] = bot
    return bots
