"""A recorded deal as a player reads it, at once or action by action.

blot replay docs/rules/duel.json
blot replay docs/rules/duel.json --step
"""

from collections.abc import Callable
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
    narrator = Narrator(game.rules)
    show_board(game, screen)
    screen.say("", "Enter shows the next action, q ends")
    for text in record["actions"]:
        if ask().strip().lower() in ("q", "quit"):
            return
        before, action = game.state.public.copy(), game.rules.actions.parse(text, game.phase)
        game.play(text)
        screen.say(*narrator.tell(before, game.state.public, action))
    screen.say("")
    show_score(game, screen)
