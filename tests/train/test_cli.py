"""The command line: what people do wrong is one line, exit code 2, and no traceback; what works works without torch."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from blot_env import RULESETS, Game, RuleSet, load_rules
from blot_env import replay as from_record
from blot_env.cards import set_name
from blot_env.explanation import combination_lines, scoring_lines
from blot_env.rules_text import title
from tests import vectors
from train.drawing import Screen
from train.replay import replay_file
from train.rules_tables import show_rules

ROOT = Path(__file__).parents[2]


def blot(*arguments: str, folder: Path, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command line in a folder."""
    return subprocess.run(
        [sys.executable, "-m", "train.cli", *arguments],
        input=text,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"},
        capture_output=True,
        text=True,
        timeout=300,
    )


WRONG = {
    "rules duel --diff bazar hayblot": "--diff takes both games",
    "rules --set rules.last_word=false": "--set changes a game",
    "tournament random": "two or more agents",
    "tournament random ruels": "no agent is named 'ruels' (did you mean 'rules'?)",
    "tournament --rules bazaar random rules": "no preset is named 'bazaar' (did you mean 'bazar'?)",
    "tournament --boards 0 random rules": "Invalid value for '--boards'",
    "tournament --boards many random rules": "Invalid value for '--boards'",
    "tournament": "agents are wanted",
    "tournament random rules --bank standard@1 --seed 3": "bank has a seed of its own",
    "tournament random rules --bank=": "no bank is named ''",
    "tournament random rules --sprt 1 0": "sprt.margins: give two rising numbers",
    "tournament random rules --sprt 0 1 --set sprt.alhpa=1": "(did you mean 'sprt.alpha'?); here stand margins,",
    "tournament random rules --set sprt.alpha=0.1": "sprt.margins: field required",
    "tournament random rules --rules ♠.toml": "♠.toml: No such file",
    "tournament random rules --limit nan": "limit: input should be a valid number",
    "tournament random+ rules": "no agent is named ''",
    "tournament --rules duel random+rules random": "there are no partners in duel",
    "tournament --resume nothing": "there is no nothing/tournament.toml",
    "tournament --ray nowhere random rules": "--ray nowhere: ",
    "tournament --target 0 random rules": "target",
    "tournament random random:loud": "style is 'loud'",
    "tournament random policy:nowhere": "there is no nowhere",
    "tournament random bot:nowhere": "nowhere",
    "tournament --out file.txt random rules": "file.txt",
    "tournament --out= random rules": "Invalid value for '--out': give the name of a folder",
    "export --tier easy --out=": "Invalid value for '--out': give the name of a folder",
    "train nothing.toml": "there is no nothing.toml",
    "train configs/qick.toml": "configs/quick.toml",
    "train configs/quick.toml --set ppo.clap=0.1": "ppo.clap",
    "train configs/quick.toml --set ppo.clip=high": "ppo.clip",
    "train configs/quick.toml --ray nowhere": "--ray nowhere: give HOST:PORT of the cluster's head",
    "train configs/quick.toml --set rollout.parts=5": "512 tables cannot be played in 5 equal parts",
    "exploit": "name the agent to beat, or --resume RUN",
    "exploit rules --resume runs/mine": "name the agent to beat, or --resume RUN",
    "exploit --resume nowhere": "nowhere/config.toml",
    "exploit --resume nowhere --config mine.toml": "leave out --one, --name, --rules, --config",
    "exploit ruels": "no agent is named 'ruels' (did you mean 'rules'?)",
    "exploit rules --rules duel --one": "there are no partners in duel: leave out --one",
    "exploit rules --name=": "give the name of a folder in runs",
    "exploit rules --hours nan": "Invalid value for '--hours'",
    "exploit rules --hours 0": "give minutes or iterations",
    "export --policy nowhere --out bot": "there is no nowhere",
    "export --out bot": "name a --tier to export a bot, or a --policy",
    "export --policy checkpoints/bazar --rules duel --out bot": "a policy has its rules",
    "bot nowhere": "nowhere/manifest.json: No such file",
    "watch random random random": "3 agents cannot be seated",
    "watch --rules bela3 random random": "2 agents cannot be seated in bela3: name one for all, 3",
    "watch --board -1 random": "Invalid value for '--board'",
    "watch --board 9223372036854775808 random": "Invalid value for '--board'",
    "watch --set rules.last_wrod=false random": "there is no field 'last_wrod' (did you mean 'last_word'?)",
    "watch --set last_word=false random": "the keys are rules.FIELD here (did you mean 'rules.last_word'?)",
    "watch --set rules.last_word random": "write it as key=value",
    "watch --set rules.last_word=no random": "last_word: true or false is wanted",
    "watch --set rules.players=3 random": "partners need four players",
    "watch --rules house.toml random": "house.toml: No such file",
    "watch --rules file.txt random": "no preset is named 'file.txt'",
    "tournament --set rules.blot=many random rules": "rules: blot:",
    "train configs/quick.toml --rules basar": "no preset is named 'basar' (did you mean 'bazar'?)",
    "train configs/quick.toml --set rules.last_wrod=false": "there is no field 'last_wrod' (did you mean 'last_word'?)",
    "rules duell": "no preset is named 'duell' (did you mean 'duel'?)",
    "rules --diff duel": "requires 2 arguments",
    "rules --diff duel bela": "no preset is named 'bela'",
    "rules duel --set rules.nothing=1": "there is no field 'nothing'",
    "replay nowhere.json": "nowhere.json: No such file",
    "replay .": "this is no ordinary file",
    "replay file.txt": "file.txt: the file is empty; a record is one JSON object",
    "replay --line 0 file.txt": "Invalid value for '--line'",
    "solve nowhere.json": "nowhere.json: No such file",
    "solve file.txt": "file.txt: the file is empty; a record is one JSON object",
    "solve --after -1 file.txt": "Invalid value for '--after'",
    "solve --deal --after 3 file.txt": "--deal is about the whole deal",
    "solve --deal --step file.txt": "--deal is about the whole deal",
    "play --seat 2 --rules duel": "there is no seat 2: seats are numbered 0 to 1",
    "play --opponents ruels": "no agent is named 'ruels' (did you mean 'rules'?)",
    "play --continue --save nowhere.json": "nowhere.json: No such file",
    "play --continue --save file.txt": "file.txt: this is no saved match: the file is empty",
    "play --continue --seed 3": "the saved match says what is played",
    "play --rules duel --partner rules": "there are no partners in duel: leave out --partner",
    "play --tier esay": "there is no tier 'esay': name one of crazy, easy, hard, normal",
    "play --tier easy --opponents rules": "--tier seats everybody: leave out --opponents and --partner",
    "play --continue --tier easy": "the saved match says what is played",
    "play --save text.txt": "text.txt: this is no saved match: line 1, column 1",
    "tournament --boards 1000001 random rules": "boards: input should be less than or equal to 1000000",
    "play random": "unexpected extra argument",
    "tournament --seed 9223372036854775808 random rules": "Invalid value for '--seed'",
    "paly random": "No such command 'paly'",
    "tournament --bords 3 random rules": "No such option",
}


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line of the shell, for what needs a pipe or a redirection."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(["bash", "-c", command], cwd=folder, env=env, capture_output=True, text=True)


@pytest.mark.parametrize("command", WRONG)
def test_an_error_is_one_line_and_exit_code_2(command: str, tmp_path: Path) -> None:
    (tmp_path / "file.txt").touch()
    (tmp_path / "text.txt").write_text("mine")
    done = blot(*command.split(), folder=tmp_path)
    assert done.returncode == 2, done.stderr
    assert WRONG[command] in done.stderr
    assert done.stderr.startswith("blot")
    assert done.stderr.count("\n") == 1, done.stderr


def test_without_a_command_the_help_is_shown(tmp_path: Path) -> None:
    done = blot(folder=tmp_path)
    assert "tournament" in done.stdout
    assert done.stderr == ""


def test_version_and_help(tmp_path: Path) -> None:
    from importlib.metadata import version

    assert blot("--version", folder=tmp_path).stdout == f"blot {version('blot')}\n"
    shown = blot("--help", folder=tmp_path)
    assert shown.returncode == 0
    for command in ("train", "tournament", "export", "bot", "watch", "play", "replay", "solve", "rules"):
        assert command in shown.stdout


def test_a_tournament_prints_its_standings_and_is_repeated_from_its_settings(tmp_path: Path) -> None:
    done = blot(*"tournament --boards 20 --seed 5 --analysed 2 --out here random rules".split(), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "rules@1" in done.stdout
    data = json.loads((tmp_path / "here" / "results.json").read_text())
    assert (data["seed"], data["rules"], data["meetings"][0]["boards"]) == (5, "bazar", 20)
    again = blot(*"tournament here/tournament.toml --workers 1 --out there".split(), folder=tmp_path)
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "there" / "boards.csv").read_bytes() == (tmp_path / "here" / "boards.csv").read_bytes()


def test_a_tournament_that_cannot_be_printed_is_written_all_the_same(tmp_path: Path) -> None:
    command = f"{sys.executable} -m train.cli tournament --boards 2 --workers 1 --out here random random >/dev/full"
    done = shell(command, tmp_path)
    assert done.returncode != 0
    assert json.loads((tmp_path / "here" / "results.json").read_text())["meetings"][0]["boards"] == 2


def test_a_tournament_without_a_folder_gets_a_new_one(tmp_path: Path) -> None:
    earlier = tmp_path / "runs" / "tournament" / "boards.jsonl"
    earlier.parent.mkdir(parents=True)
    earlier.write_text("of yesterday")
    done = blot(*"tournament --boards 1 --workers 1 --fresh random random".split(), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert earlier.read_text() == "of yesterday"
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == ["tournament", "tournament-2"]
    assert "seed = 0\n" not in (tmp_path / "runs" / "tournament-2" / "tournament.toml").read_text()


def test_a_tournament_is_not_played_over_something_else_and_wrong_agents_leave_no_folder(tmp_path: Path) -> None:
    assert blot(*"tournament --out here random ruels".split(), folder=tmp_path).returncode == 2
    assert not (tmp_path / "here").exists()
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "boards.jsonl").write_text("mine")
    done = blot(*"tournament --boards 1000000 --out here random rules".split(), folder=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "here holds boards.jsonl, which is of no tournament: choose another --out" in done.stderr
    assert [path.name for path in (tmp_path / "here").iterdir()] == ["boards.jsonl"]


def test_watch_prints_the_deal_that_the_seed_and_the_board_name(tmp_path: Path) -> None:
    done = blot(*"watch random rules --seed 5 --board 3".split(), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Board 3 of seed 5" in done.stdout
    assert "dealt by seat 2" in done.stdout
    spades = Game("bazar", seed=5, board=3).hands[0].split()
    ranks = " ".join(card[0].replace("T", "10") for card in reversed(spades) if card[1] == "S")
    row = next(line for line in done.stdout.splitlines() if line.startswith("0     random@1"))
    assert row.rstrip().endswith(ranks)
    assert done.stdout == blot(*"watch random rules --seed 5 --board 3".split(), folder=tmp_path).stdout


def test_watch_writes_letters_where_symbols_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    done = blot(*f"watch random --seed {(1 << 63) - 1} --board {(1 << 63) - 1}".split(), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "seat  player    C " in done.stdout
    assert "?" not in done.stdout


def test_a_bot_without_standard_input_says_so(bot: Path, tmp_path: Path) -> None:
    done = shell(f"{sys.executable} -m train.cli bot {bot} <&-", tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("blot: standard input or output is closed")


@pytest.mark.parametrize("command", ["play --save match.json", f"replay {ROOT}/docs/rules/duel.json --step"])
def test_who_cannot_be_asked_is_told(command: str, tmp_path: Path) -> None:
    done = shell(f"{sys.executable} -m train.cli {command} <&-", tmp_path)
    assert (done.returncode, done.stderr) == (2, "blot: standard input is closed, so nobody can answer\n")


def test_a_bot_answers_on_standard_output_and_outlives_nonsense(bot: Path, tmp_path: Path) -> None:
    message = json.dumps(Game("bazar", seed=1).message())
    done = blot("bot", str(bot), folder=tmp_path, text=f"{message}\nnonsense\n\n{message}\n")
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert [set(reply) for reply in replies] == [{"action"}, {"error"}, {"error"}, {"action"}]
    assert replies[0] == replies[3]


def test_a_bot_answers_without_torch(bot: Path, tmp_path: Path) -> None:
    code = (
        "import atexit, sys\n"
        "atexit.register(lambda: print('torch' in sys.modules, 'onnxruntime' in sys.modules))\n"
        "from train.cli import main\n"
        f"sys.argv = ['blot', 'bot', {str(bot)!r}]\n"
        "main()\n"
    )
    message = json.dumps(Game("bazar", seed=1).message())
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, input=message, capture_output=True, text=True)
    assert "action" in json.loads(done.stdout.splitlines()[0])
    assert done.stdout.splitlines()[1] == "False True"


def test_a_policy_is_exported_with_its_tier(checkpoint: Path, tmp_path: Path) -> None:
    done = blot("export", "--policy", str(checkpoint), "--tier", "normal", "--out", "mine", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "mine" / "manifest.json").read_text())["tier"]["name"] == "normal"
    wrong = blot("export", "--policy", str(checkpoint), "--tier", "hrad", "--out", "other", folder=tmp_path)
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    assert "no tier 'hrad': name one of crazy, easy, hard, normal" in wrong.stderr


def test_whoever_stops_reading_gets_no_traceback(tmp_path: Path) -> None:
    command = f"{sys.executable} -m train.cli watch random | head -1"
    done = shell(command, tmp_path)
    assert done.stdout.startswith("Board 0")
    assert "Traceback" not in done.stderr


def test_training_without_a_config_goes_on_with_the_runs_own(tmp_path: Path) -> None:
    done = blot("train", folder=tmp_path)
    assert done.returncode == 2
    assert "a config is wanted" in done.stderr
    done = blot("train", "--resume", "nothing", folder=tmp_path)
    assert done.returncode == 2
    assert "nothing/config.toml" in done.stderr


def test_rules_are_chosen_by_name_by_file_and_field_by_field(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text("# Ours\npreset = 'bela4'\nbelot = false\n")
    done = blot(
        *"watch random --plain --rules house.toml --set rules.blot=40 --set rules.runs=[10,40,90]".split(),
        folder=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert "bela4 with runs 10 40 90, blot 40, belot false to 1001" in done.stdout
    shown = blot(*"rules house.toml --set rules.must_beat=all".split(), folder=tmp_path)
    assert shown.stdout.startswith("bela4: Ours\n")
    assert re.search(r"must_beat +all +trump +In which suits", shown.stdout)
    assert "(trump or all)" in " ".join(shown.stdout.split())


def test_a_tournament_under_house_rules(tmp_path: Path) -> None:
    line = "tournament --boards 2 --workers 1 --rules duel --set rules.undealt_to=nobody --out here random random"
    done = blot(*line.split(), folder=tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_games_are_listed(tmp_path: Path) -> None:
    shown = blot("rules", folder=tmp_path).stdout
    for name in RULESETS:
        assert re.search(rf"^{name} ", shown, re.MULTILINE)


@pytest.mark.parametrize("preset", RULESETS)
def test_a_game_is_shown_field_by_field(preset: str, capsys: pytest.CaptureFixture[str]) -> None:
    show_rules(load_rules(preset), title(preset), Screen())
    shown = capsys.readouterr().out
    for field in RuleSet.model_fields.keys() - {"name"}:
        assert re.search(rf"^{field} ", shown, re.MULTILINE), field


def test_two_games_are_compared(tmp_path: Path) -> None:
    shown = blot(*"rules --diff bazar-classic blotstar".split(), folder=tmp_path).stdout
    assert re.search(r"^four_tie +rank +eldest +The better of two fours", shown, re.MULTILINE)
    assert "last_word" not in shown
    assert "are the same game" in blot(*"rules --diff duel duel".split(), folder=tmp_path).stdout


@pytest.mark.parametrize("preset", vectors.PRESETS)
def test_a_record_is_shown(preset: str, capsys: pytest.CaptureFixture[str]) -> None:
    replay_file(vectors.FOLDER / f"{preset}.jsonl", 10, Screen(plain=True))
    shown = capsys.readouterr().out
    game = from_record(vectors.load(preset)[9][0])
    for line in (*combination_lines(game), *scoring_lines(game)):
        assert line in shown
    tricks = shown.partition("Tricks (")[2].partition("\n\n")[0]
    played = re.findall(r"\b[7-9TJQKA][CDHS]\b", tricks)
    assert sorted(played) == sorted(" ".join(map(set_name, game.state.public.played)).split())


def test_a_record_is_walked_through(tmp_path: Path) -> None:
    record = vectors.load("bazar")[1][0]
    (tmp_path / "deal.json").write_text(json.dumps(record))
    done = blot("replay", "deal.json", "--step", "--plain", folder=tmp_path, text="\n\n\n\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(" passes") == 4
    assert done.stdout.endswith("Scoring\nNobody bid: the cards are dealt again\n")
    done = blot("replay", "deal.json", "--step", "--plain", folder=tmp_path, text="\nq\n")
    assert done.stdout.count(" passes") == 1


def test_several_records_are_not_one(tmp_path: Path) -> None:
    done = blot("replay", str(vectors.FOLDER / "duel.jsonl"), folder=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "there are 60 records, one a line: name one with --line" in done.stderr


def test_cards_are_coloured_on_a_terminal_and_plain_in_logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = blot(*"watch random".split(), folder=tmp_path).stdout
    assert "\x1b[31m♥" in coloured
    plain = blot(*"watch random --plain".split(), folder=tmp_path).stdout
    assert "\x1b" not in plain
    assert not set("♣♦♥♠") & set(plain)


def test_a_record_is_shown_from_the_command_line(tmp_path: Path) -> None:
    done = blot("replay", str(vectors.FOLDER / "duel.jsonl"), "--line", "10", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("duel to ")
    assert blot("rules", "duel", folder=tmp_path).stdout.startswith("duel: The two-player Armenian duel")


@pytest.mark.parametrize("preset", vectors.PRESETS)
def test_a_walk_tells_every_action(preset: str, capsys: pytest.CaptureFixture[str]) -> None:
    record = vectors.load(preset)[9][0]
    replay_file(vectors.FOLDER / f"{preset}.jsonl", 10, Screen(plain=True), lambda: "")
    told = capsys.readouterr().out.partition("q ends")[2].partition("\n\n")[0]
    turns = re.findall(r"^Seat (\d) (?!takes trick|shows [7-9TJQKA]|completes|is asked|holds)", told, re.MULTILINE)
    assert len(turns) >= len(record["actions"]) - record["actions"].count("show")
    assert told.count("takes trick") == sum(from_record(record).result["tricks"])


def test_a_file_name_that_is_no_text_is_told_in_one_line(tmp_path: Path) -> None:
    done = shell(f"{sys.executable} -m train.cli exploit rules --hours 0.001 --name $'a\\xff'", tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "holds bytes that are no UTF-8" in done.stderr
