"""A recorded deal as a player reads it, at once or action by action.

blot replay docs/rules/duel.json
blot replay docs/rules/duel.json --step
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from blot_env import Game
from blot_env.narration import Narrator
from blot_env.record_files import load_record
from train.drawing import Screen
from train.show import show_board, show_deal, show_score


def replay_file(path: Path, line: int | None, screen: Screen, ask: Callable[[], str] | None = None) -> None:
    """Show the deal of a record in a file.

    Args:
        line: in a file of records, one a line.
        ask: waits for the reader before each action, who ends with `q`; None shows all at once.

    Raises:
        RecordError: the file holds no right record.
        OSError: it cannot be read.
    """
    record = load_record(path, line).record()
    if ask is None:
        show_deal(record, screen)
        return
    game = Game.from_record(record)
    show_board(game, screen)
    if walk(game, record["actions"], screen, ask):
        screen.say("")
        show_score(game, screen)


def walk(
    game: Game, actions: Sequence[str], screen: Screen, ask: Callable[[], str], look: Callable[[], None] | None = None
) -> bool:
    """Play and tell actions one by one; return whether the reader stayed to the end.

    Args:
        ask: waits for the reader before each action, who ends with `q`.
        look: shows something more before each action.
    """
    narrator = Narrator(game.rules)
    screen.say("", "Enter shows the next action, q ends")
    for text in actions:
        if look:
            look()
        if ask().strip().lower() in ("q", "quit"):
            return False
        before, action = game.state.public.copy(), game.rules.actions.parse(text, game.phase)
        game.play(text)
        screen.say(*narrator.tell(before, game.state.public, action))
    return True
