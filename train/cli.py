"""The command line, `blot`: train, compare, export, watch and play, and read rules and records and solve them.

Each command imports what it needs and no more, so that `blot bot` runs where torch is not installed. An error that
people can put right is one line on standard error and exit code 2; a traceback is a bug of blot.
"""

import io
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)

_LARGEST = (1 << 63) - 1  # the engine's numbers have 64 bits
_PACKAGES = ("blot_env", "agents", "train")
_EXTRAS = {"choix": "tournament", "pebble": "tournament", "scipy": "tournament"}
_EXTRAS |= {"fastapi": "serve", "fastapi_offline": "serve", "limits": "serve", "uvicorn": "serve"}
_EXTRAS |= {"torch": "train", "safetensors": "train", "tensorboard": "train", "onnx": "train", "onnxscript": "train"}

Rules = Annotated[str, typer.Option(metavar="PRESET|FILE", help="A preset, or a TOML file (see blot rules).")]
RuleSettings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="rules.FIELD=VALUE", help="Change one rule, such as rules.last_word=false; may be repeated."
    ),
]
Target = Annotated[int | None, typer.Option(help="Points that win a match; by default the rule set's first.")]
Plain = Annotated[bool, typer.Option(help="Suits as letters and no colour, for logs.")]
Seed = Annotated[int, typer.Option(min=0, max=_LARGEST, help="Fixes the cards and the agents' randomness.")]


def main() -> None:
    """Run the command line; the entry point of the command `blot`."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # what a terminal cannot write or read is no reason to fail
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
    if isinstance(error, UnicodeEncodeError):  # of a file's name, which may be any bytes
        return f"blot: {error.object!r:.200} holds bytes that are no UTF-8"
    if isinstance(error, ValueError) and type(error).__module__.partition(".")[0] in _PACKAGES:
        return f"blot: {error}"
    if isinstance(error, OSError):
        return f"blot: {error.filename}: {error.strerror}" if error.filename else f"blot: {error}"
    if isinstance(error, ModuleNotFoundError) and error.name in _EXTRAS:
        extra = _EXTRAS[error.name]
        return f"blot: {error.name} is not installed: pip install '.[{extra}]' in a clone of blot brings it"
    return None


def _folder(name: str) -> Path:
    if not name:  # which would be the folder one is in
        raise typer.BadParameter("give the name of a folder")
    return Path(name)


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
    rules: Annotated[str | None, typer.Option(metavar="PRESET|FILE", help="Another game than the config's.")] = None,
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
    ray: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="A Ray cluster that plays the rollouts' parts (see rollout.parts)."),
    ] = None,
) -> None:
    """Train as a config says: by self-play, or another stage on the way to strength."""
    from train.folders import CONFIG
    from train.settings import ConfigError
    from train.stages import run

    if config is None and resume is None:
        raise ConfigError("a config is wanted, such as configs/quick.toml, or --resume RUN")
    chosen = [f"rules={rules}"] if rules else []
    run(config or f"{resume}/{CONFIG}", [*chosen, *(overrides or ())], name=name, resume=resume, ray=ray)


@app.command()
def exploit(
    agent: Annotated[
        str | None, typer.Argument(metavar="BOT", help="The agent to beat: policy:PATH, bot:DIR, rules, …")
    ] = None,
    hours: Annotated[
        float | None, typer.Option(min=0, help="How long to train; by default what the config says, an hour.")
    ] = None,
    rules: Annotated[str | None, typer.Option(metavar="PRESET|FILE", help="Another game than the config's.")] = None,
    one: Annotated[bool, typer.Option("--one", help="Learn one seat, with BOT as the partner.")] = False,
    config: Annotated[
        Path | None, typer.Option(help="Settings of the training; by default configs/exploit.toml.")
    ] = None,
    overrides: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Change one value; may be repeated.")
    ] = None,
    boards: Annotated[int, typer.Option(min=2, max=1_000_000, help="Duplicate boards of the result.")] = 2000,
    name: Annotated[
        str | None, typer.Option(help="Of the run and its folder, runs/NAME; by default a free exploit-N.")
    ] = None,
    resume: Annotated[Path | None, typer.Option(metavar="RUN", help="Go on with a run that was stopped.")] = None,
) -> None:
    """Train a best response to an agent that stays as it is, and tell what it gains (docs/exploitability.md)."""
    from train import exploit

    if (agent is None) == (resume is None):
        raise typer.BadParameter("name the agent to beat, or --resume RUN")
    if resume is not None and (one or any(given is not None for given in (name, rules, config))):
        raise typer.BadParameter(
            "the run has its agent, seats and settings: leave out --one, --name, --rules, --config"
        )
    chosen = [*([f"rules={rules}"] if rules else []), *(overrides or ())]
    if hours is not None:
        chosen.append(f"minutes={60 * hours}")
    if agent is None:
        found = exploit.resume_exploit(resume or Path(), chosen, boards=boards)
    else:
        found = exploit.exploit(agent, config or exploit.SETTINGS, chosen, one=one, boards=boards, name=name)
    print("\n".join(exploit.report(found)))


@app.command()
def tournament(
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CONFIG|AGENT...",
            help="A TOML file, such as configs/tournaments/bazar.toml, or two or more agents: random, rules, "
            "policy:PATH, bot:DIR, …; hard+rules is a team of two.",
        ),
    ] = None,
    rules: Annotated[str | None, typer.Option(metavar="PRESET|FILE", help="The game; by default bazar.")] = None,
    overrides: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change one value; may be repeated. docs/tournaments.md."),
    ] = None,
    target: Target = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="round-robin, gauntlet (the first against all), ladder (each against the one before), or duel.",
        ),
    ] = None,
    matches: Annotated[bool | None, typer.Option("--matches", help="Whole matches instead of single deals.")] = None,
    boards: Annotated[
        int | None, typer.Option(min=1, help="Boards, or matches, of a meeting, at most; by default 1000.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, max=_LARGEST, help="Fixes the cards and the agents' randomness; by default 0.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Draw a seed, and write it down.")] = False,
    bank: Annotated[str | None, typer.Option(help="A fixed bank of boards, such as standard@1.")] = None,
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(
            metavar="LOW HIGH",
            help="End a meeting once it is settled which of two margins of its first agent is likelier.",
        ),
    ] = None,
    minutes: Annotated[float | None, typer.Option(min=0, help="Begin no more boards after so many minutes.")] = None,
    limit: Annotated[float | None, typer.Option(help="Seconds that a decision may take; by default 60.")] = None,
    single: Annotated[bool | None, typer.Option("--single", help="Boards in one seating, drawn by lot.")] = None,
    reduce_luck: Annotated[
        bool | None, typer.Option("--reduce-luck", help="With --single: take the worth of the cards away.")
    ] = None,
    parts: Annotated[
        int | None, typer.Option(min=0, help="Boards of a meeting on which auction and cards are exchanged.")
    ] = None,
    analysed: Annotated[
        int | None, typer.Option(min=0, help="Boards of a meeting that are compared with double dummy; by default 100.")
    ] = None,
    three: Annotated[bool | None, typer.Option("--three", help="Three different agents at a table of three.")] = None,
    workers: Annotated[int | None, typer.Option(min=0, help="Processes; by default one a core.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", parser=_folder, help="New folder; by default the next free runs/tournament-N."),
    ] = None,
    resume: Annotated[Path | None, typer.Option(metavar="DIR", help="Go on with one that was stopped.")] = None,
    ray: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Play on a Ray cluster: HOST:PORT or auto.")
    ] = None,
) -> None:
    """Let agents play each other on the same boards, and tell who is stronger, by how much, and where."""
    from train.tournament.command import tournament

    if fresh and seed is not None:
        raise typer.BadParameter("--fresh draws a seed: leave out --seed")
    options = {
        "rules": rules,
        "target": target,
        "format": form,
        "play": "matches" if matches else None,
        "boards": boards,
        "seed": seed,
        "bank": bank,
        "sprt.margins": sprt,
        "minutes": minutes,
        "limit": limit,
        "duplicate": False if single else None,
        "reduce_luck": reduce_luck,
        "parts": parts,
        "analysed": analysed,
        "table": 3 if three else None,
        "workers": workers,
    }
    if not tournament(agents or [], options, overrides or [], fresh=fresh, out=out, resume=resume, ray=ray):
        raise typer.Exit(1)


@app.command()
def export(
    out: Annotated[Path, typer.Option(metavar="DIR", parser=_folder, help="The folder, made anew.")],
    tier: Annotated[
        str | None, typer.Option(help="easy, normal, hard, crazy, or a TOML file; without it networks are written.")
    ] = None,
    rules: Annotated[
        str | None, typer.Option(metavar="PRESET|FILE", help="The game of a bot of the networks that ship.")
    ] = None,
    policy: Annotated[
        Path | None, typer.Option(help="A checkpoint or the folder of a run, instead of the networks that ship.")
    ] = None,
    values: Annotated[
        Path | None, typer.Option(help="A run of contract values; by default those in the policy's folder, if any.")
    ] = None,
    overrides: RuleSettings = None,
) -> None:
    """Export a bot, or networks, that need no torch."""
    from train.export import export_bot, export_networks, export_shipped_bot
    from train.overrides import chosen_rules

    if policy is not None and (rules or overrides):
        raise typer.BadParameter("a policy has its rules: leave out --rules and --set")
    if values is not None and policy is None:
        raise typer.BadParameter("--values go with a --policy")
    if tier is not None and policy is not None:
        written = export_bot(policy, tier, out, values)
    elif tier is not None:
        written = export_shipped_bot(chosen_rules(rules or "bazar", overrides=overrides or ()), tier, out)
    elif policy is not None:
        written = export_networks(policy, out, values)
    else:
        raise typer.BadParameter("name a --tier to export a bot, or a --policy to export its networks")
    for path in written:
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
def serve(
    folders: Annotated[
        list[Path], typer.Argument(metavar="DIR...", help="What blot export wrote; a folder's name is its bot's.")
    ],
    host: Annotated[str, typer.Option(help="The address to listen on; by default this machine alone.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8000,
    threads: Annotated[int, typer.Option(min=0, max=256, help="That think at a time; by default one a core.")] = 0,
    queue: Annotated[int, typer.Option(min=0, max=100_000, help="Requests that may wait for one.")] = 64,
    rate: Annotated[
        int, typer.Option(min=0, max=1_000_000, help="Requests a second that a client may make; 0: any number.")
    ] = 100,
    origins: Annotated[
        list[str] | None,
        typer.Option("--allow-origin", metavar="URL", help="A web page that may ask from a browser; may be repeated."),
    ] = None,
) -> None:
    """Let bots answer over HTTP (docs/serving.md)."""
    from agents.serving.server import serve

    serve(folders, host, port, threads, queue, rate, origins or ())


@app.command()
def referee(rules: Rules = "bazar", overrides: RuleSettings = None, target: Target = None, seed: Seed = 0) -> None:
    """Hold the table for a host in any language, one JSON object a line in and out (docs/hosts.md)."""
    from train.overrides import chosen_rules
    from train.referee import referee

    if sys.stdin is None or sys.stdout is None:
        raise OSError("standard input or output is closed; a referee is asked on one and answers on the other")
    referee(chosen_rules(rules, target, overrides or ()), seed, sys.stdin.buffer, sys.stdout)


@app.command()
def watch(
    agents: Annotated[list[str], typer.Argument(help="One a side, or one a seat, or one for all.")],
    rules: Rules = "bazar",
    overrides: RuleSettings = None,
    target: Target = None,
    seed: Seed = 0,
    board: Annotated[
        int, typer.Option(min=0, max=_LARGEST, help="Number of the board; a tournament numbers them from 0.")
    ] = 0,
    plain: Plain = False,
) -> None:
    """Let agents play one deal and show it."""
    from train.drawing import Screen
    from train.overrides import chosen_rules, lost_networks
    from train.watch import watch

    game = chosen_rules(rules, target, overrides or ())
    if told := lost_networks(game, agents):
        print(told, file=sys.stderr)
    watch(game, agents, seed, board, Screen(plain))


@app.command()
def replay(
    record: Annotated[Path, typer.Argument(help="A file of one record (docs/records.md), or of one a line.")],
    line: Annotated[int | None, typer.Option(min=1, help="The record's line, where the file has one a line.")] = None,
    step: Annotated[bool, typer.Option(help="Action by action: Enter shows the next one, q ends.")] = False,
    plain: Plain = False,
) -> None:
    """Show a recorded deal as a player reads it."""
    from train.drawing import Screen
    from train.replay import replay_file

    replay_file(record, line, Screen(plain), _answer if step else None)


@app.command()
def solve(
    record: Annotated[Path, typer.Argument(help="A file of one record (docs/records.md), or of one a line.")],
    line: Annotated[int | None, typer.Option(min=1, help="The record's line, where the file has one a line.")] = None,
    after: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Where the first N actions have led; by default all.")
    ] = None,
    step: Annotated[bool, typer.Option(help="Action by action: Enter shows the next one, q ends.")] = False,
    deal: Annotated[bool, typer.Option("--deal", help="The whole deal in every strain instead.")] = False,
    plain: Plain = False,
) -> None:
    """Show what each card is worth when all cards are seen, where a recorded deal stands."""
    from train.drawing import Screen
    from train.solve import solve_file

    if deal and (step or after is not None):
        raise typer.BadParameter("--deal is about the whole deal: leave out --step and --after")
    solve_file(record, line, Screen(plain), whole=deal, after=after, ask=_answer if step else None)


@app.command("rules")
def show(
    preset: Annotated[
        str | None, typer.Argument(metavar="PRESET|FILE", help="By default all presets are listed.")
    ] = None,
    diff: Annotated[
        tuple[str, str] | None, typer.Option(metavar="A B", help="Show only where two games differ.")
    ] = None,
    overrides: RuleSettings = None,
    plain: Plain = False,
) -> None:
    """Show the rules of a game, field by field."""
    from blot_env.rules_text import title
    from train.drawing import Screen
    from train.overrides import chosen_rules
    from train.rules_tables import show_differences, show_games, show_rules

    screen = Screen(plain)
    if diff and preset is not None:
        raise typer.BadParameter(f"--diff takes both games: leave out {preset!r}")
    if overrides and not (diff or preset is not None):
        raise typer.BadParameter("--set changes a game: name one, such as bazar")
    if diff:
        show_differences(chosen_rules(diff[0]), chosen_rules(diff[1], overrides=overrides or ()), diff, screen)
    elif preset is not None:
        show_rules(chosen_rules(preset, overrides=overrides or ()), title(preset), screen)
    else:
        show_games(screen)


@app.command()
def play(
    context: typer.Context,
    rules: Rules = "bazar",
    overrides: RuleSettings = None,
    target: Target = None,
    opponents: Annotated[
        str, typer.Option(help="The agent against you: random, rules, policy:PATH, bot:DIR, …")
    ] = "rules",
    partner: Annotated[str, typer.Option(help="The agent with you, where you have a partner.")] = "rules",
    tier: Annotated[
        str | None,
        typer.Option(help="Seats the others: easy, normal, hard, crazy, or a TOML file; your partner is never weak."),
    ] = None,
    seat: Annotated[int, typer.Option(min=0, max=3, help="Yours; seat 0 is eldest in the first deal.")] = 0,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=_LARGEST, help="Fixes the cards and the agents; by default another each time."),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Where the match is saved after every action; by default your own last match."
        ),
    ] = None,
    go_on: Annotated[bool, typer.Option("--continue", help="Go on with the saved match.")] = False,
    plain: Plain = False,
) -> None:
    """Play a match yourself; ? helps, q saves and leaves."""
    from secrets import randbits

    from agents.tiers.table import table_specs
    from train.drawing import Screen
    from train.match import Match, Setup
    from train.overrides import chosen_rules, lost_networks
    from train.table import Table

    file = save or Path(typer.get_app_dir("blot")) / "match.json"
    if go_on:
        options = ("rules", "overrides", "target", "opponents", "partner", "tier", "seat", "seed")
        if any(_is_given(context, option) for option in options):
            raise typer.BadParameter("the saved match says what is played; leave out all but --save and --plain")
        match = Match.load(file)
    else:
        game = chosen_rules(rules, target, overrides or ())
        if _is_given(context, "partner") and not game.teams:
            raise typer.BadParameter(f"there are no partners in {game.name}: leave out --partner")
        if tier is not None:
            if _is_given(context, "opponents") or _is_given(context, "partner"):
                raise typer.BadParameter("--tier seats everybody: leave out --opponents and --partner")
            opponents, partner = table_specs(tier)
        if told := lost_networks(game, (opponents, partner)):
            print(told, file=sys.stderr)
        seed = randbits(31) if seed is None else seed
        match = Match(Setup.of(game, seed=seed, seat=seat, opponents=opponents, partner=partner), file)
    Table(match, Screen(plain), _answer).play()


def _is_given(context: typer.Context, option: str) -> bool:
    """Return whether an option stands on the command line."""
    source = context.get_parameter_source(option)
    return source is not None and source.name == "COMMANDLINE"


def _answer(prompt: str = "") -> str:
    """Return a line of standard input, which is shown if nobody types it; its end is read as `q`.

    Raises:
        OSError: it is closed.
    """
    if sys.stdin is None:
        raise OSError("standard input is closed, so nobody can answer")
    try:
        answer = input(prompt)
    except EOFError:
        print()
        return "q"
    if not sys.stdin.isatty():
        print(answer)
    return answer


if __name__ == "__main__":
    main()
