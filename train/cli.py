"""The command line, `blot`: train, compare, export, play.

Each command imports what it needs and no more, so that `blot bot` runs where torch is not installed. An error that
people can put right is one line on standard error and exit code 2; a traceback is a bug of blot.
"""

import io
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from blot_env import RuleSet

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)

_LARGEST = (1 << 63) - 1  # the engine's numbers have 64 bits
_PACKAGES = ("blot_env", "agents", "train")
_EXTRAS = {"torch": "train", "safetensors": "train", "tensorboard": "train", "onnx": "train", "onnxscript": "train"}

Rules = Annotated[str, typer.Option(help="The rule set.")]
Target = Annotated[int | None, typer.Option(help="Points that win a match; by default the rule set's first.")]
Seed = Annotated[int, typer.Option(min=0, max=_LARGEST, help="Fixes the cards and the agents' randomness.")]


def main() -> None:
    """Run the command line; the entry point of the command `blot`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # what the terminal cannot write is no reason to fail
    try:
        sys.exit(app(prog_name="blot", standalone_mode=False))
    except typer.Abort:  # interrupted
        sys.exit(130)
    except BrokenPipeError:  # whoever read our output has left
        sys.stderr.close()
        sys.exit(1)
    except Exception as error:
        explanation = _explanation(error)
        if explanation is None:
            raise
        if explanation:
            print(" ".join(explanation.split()), file=sys.stderr)
        sys.exit(2)


def _explanation(error: Exception) -> str | None:
    """Return what to tell people, or None for a bug."""
    if hasattr(error, "format_message"):  # a wrong command line; the class has had several names in typer
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "blot"
        message = error.format_message()  # nothing where the help has been printed instead
        return message and f"{command}: {message} (see {command} --help)"
    if isinstance(error, ValueError) and type(error).__module__.partition(".")[0] in _PACKAGES:
        return f"blot: {error}"
    if isinstance(error, OSError):
        return f"blot: {error.filename}: {error.strerror}" if error.filename else f"blot: {error}"
    if isinstance(error, ModuleNotFoundError) and error.name in _EXTRAS:
        return f"blot: {error.name} is not installed: pip install 'blot[{_EXTRAS[error.name]}]'"
    return None


def _load_rules(name: str, target: int | None) -> "RuleSet":
    from blot_env import load_rules

    return load_rules(name) if target is None else load_rules(name, target=target)


def _console() -> "Console":
    from rich.console import Console

    return Console(markup=False, highlight=False, emoji=False)  # names are names, whatever brackets are in them


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"blot {version('blot')}")
        raise typer.Exit


@app.callback()
def blot(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Train agents for Armenian Blot and its family, compare them, and export bots."""


@app.command()
def train(
    config: Annotated[
        Path | None,
        typer.Argument(help="A TOML file, such as configs/quick.toml; with --resume, by default the run's."),
    ] = None,
    overrides: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Change one value; may be repeated. docs/training.md has the keys."
        ),
    ] = None,
    resume: Annotated[Path | None, typer.Option(metavar="RUN", help="Go on with a run that was stopped.")] = None,
    name: Annotated[
        str | None, typer.Option(help="Of the run and its folder, runs/NAME; by default the config's name.")
    ] = None,
) -> None:
    """Train a policy by self-play."""
    from train.config import ConfigError
    from train.trainer import CONFIG, run

    if config is None and resume is None:
        raise ConfigError("a config is wanted, such as configs/quick.toml, or --resume RUN")
    run(config or f"{resume}/{CONFIG}", overrides or (), name=name, resume=resume)


@app.command()
def tournament(
    agents: Annotated[list[str], typer.Argument(help="Two or more: random, rules, policy:PATH, bot:DIR, …")],
    rules: Rules = "bazar",
    target: Target = None,
    boards: Annotated[int, typer.Option(min=1, help="Boards a pair of agents.")] = 1000,
    seed: Seed = 0,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; by default one a core.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the JSON and CSV files; by default the next free runs/tournament-N."),
    ] = None,
) -> None:
    """Let agents play each other on duplicate boards: the same cards, sides swapped."""
    from train.folders import free_folder
    from train.progress import progress_bar
    from train.tournament import entrants, run_tournament
    from train.tournament_report import prepare_folder, print_tournament, write_tournament

    game = _load_rules(rules, target)
    entrants(game, agents, boards)
    folder = out or free_folder("tournament")
    prepare_folder(folder)
    with progress_bar("boards", boards * len(agents) * (len(agents) - 1) // 2) as advance:
        result = run_tournament(game, agents, boards, seed, workers, advance)
    written = write_tournament(result, folder)
    print_tournament(result, _console())
    print("written:", *written)


@app.command()
def export(
    policy: Annotated[Path, typer.Option(help="A checkpoint or the folder of a run.")],
    out: Annotated[Path, typer.Option(help="The bot's folder, made anew.")],
    tier: Annotated[str, typer.Option(help="easy, normal, hard, crazy, or a TOML file.")] = "hard",
) -> None:
    """Export a policy as a bot that plays without torch."""
    from train.export import export_bot

    for path in export_bot(policy, tier, out):
        print("written:", path)


@app.command()
def bot(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="What blot export wrote.")],
) -> None:
    """Let a bot answer on standard input and output, one JSON message a line (docs/bot-protocol.md)."""
    from agents.bot import load_bot
    from agents.protocol import serve

    if sys.stdin is None or sys.stdout is None:
        raise OSError("standard input or output is closed; a bot reads messages from one and answers on the other")
    serve(*load_bot(folder), sys.stdin.buffer, sys.stdout)


@app.command()
def play(
    agents: Annotated[list[str], typer.Argument(help="One a side, or one a seat, or one for all.")],
    rules: Rules = "bazar",
    target: Target = None,
    seed: Seed = 0,
    board: Annotated[
        int, typer.Option(min=0, max=_LARGEST, help="Number of the board; a tournament numbers them from 0.")
    ] = 0,
) -> None:
    """Play one deal and print it."""
    from train.show import print_deal

    print_deal(_load_rules(rules, target), agents, seed, board, _console())


if __name__ == "__main__":
    main()
