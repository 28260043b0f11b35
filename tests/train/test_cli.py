"""The command line: what people do wrong is one line, exit code 2, and no traceback; what works works without torch."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from blot_env import Game

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
    "tournament random": "two or more agents",
    "tournament random ruels": "no agent is named 'ruels' (did you mean 'rules'?)",
    "tournament --rules bazaar random rules": "no preset is named 'bazaar' (did you mean 'bazar'?)",
    "tournament --boards 0 random rules": "Invalid value for '--boards'",
    "tournament --boards many random rules": "Invalid value for '--boards'",
    "tournament": "Missing argument",
    "tournament --target 0 random rules": "target",
    "tournament random random:loud": "style is 'loud'",
    "tournament random policy:nowhere": "there is no nowhere",
    "tournament random bot:nowhere": "nowhere",
    "tournament --out file.txt random rules": "file.txt",
    "train nothing.toml": "there is no nothing.toml",
    "train configs/qick.toml": "configs/quick.toml",
    "train configs/quick.toml --set ppo.clap=0.1": "ppo.clap",
    "train configs/quick.toml --set ppo.clip=high": "ppo.clip",
    "export --policy nowhere --out bot": "there is no nowhere",
    "export --out bot": "Missing option '--policy'",
    "bot nowhere": "nowhere/manifest.json: No such file",
    "play random random random": "3 agents cannot be seated",
    "play --board -1 random": "Invalid value for '--board'",
    "play --board 9223372036854775808 random": "Invalid value for '--board'",
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
    for command in ("train", "tournament", "export", "bot", "play"):
        assert command in shown.stdout


def test_a_tournament_prints_its_table_and_writes_its_files(tmp_path: Path) -> None:
    done = blot(*"tournament --boards 20 --seed 5 --out here random rules".split(), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "rules@1" in done.stdout
    assert "20 duplicate boards" in done.stdout
    data = json.loads((tmp_path / "here" / "results.json").read_text())
    assert (data["boards"], data["seed"], data["rules"]) == (20, 5, "bazar")
    assert (tmp_path / "here" / "results.csv").exists()


def test_a_tournament_without_a_folder_gets_a_new_one(tmp_path: Path) -> None:
    earlier = tmp_path / "runs" / "tournament" / "results.json"
    earlier.parent.mkdir(parents=True)
    earlier.write_text("of yesterday")
    done = blot(*"tournament --boards 1 --workers 1 random random".split(), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert earlier.read_text() == "of yesterday"
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == ["tournament", "tournament-2"]
    assert len(list((tmp_path / "runs" / "tournament-2").iterdir())) == 3


def test_a_tournament_that_cannot_be_printed_is_written_all_the_same(tmp_path: Path) -> None:
    command = f"{sys.executable} -m train.cli tournament --boards 2 --workers 1 --out here random random >/dev/full"
    done = shell(command, tmp_path)
    assert done.returncode != 0
    assert json.loads((tmp_path / "here" / "results.json").read_text())["boards"] == 2


def test_wrong_agents_leave_no_folder_and_files_are_tried_before_play(tmp_path: Path) -> None:
    assert blot(*"tournament --out here random ruels".split(), folder=tmp_path).returncode == 2
    assert not (tmp_path / "here").exists()
    (tmp_path / "here" / "deals.csv").mkdir(parents=True)
    done = blot(*"tournament --boards 1000000000 --out here random rules".split(), folder=tmp_path)
    assert (done.returncode, done.stderr) == (2, "blot: here/deals.csv: Is a directory\n")
    assert [path.name for path in (tmp_path / "here").iterdir()] == ["deals.csv"]


def test_play_prints_the_deal_that_the_seed_and_the_board_name(tmp_path: Path) -> None:
    done = blot(*"play random rules --seed 5 --board 3".split(), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "board 3 of seed 5, dealt by seat 2" in done.stdout
    spades = Game("bazar", seed=5, board=3).hands[0].split()
    ranks = " ".join(card[0] for card in reversed(spades) if card[1] == "S")
    row = next(line for line in done.stdout.splitlines() if line.startswith("0     random@1"))
    assert row.rstrip().endswith(ranks)
    assert done.stdout == blot(*"play random rules --seed 5 --board 3".split(), folder=tmp_path).stdout


def test_play_prints_where_only_ascii_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    done = blot(*f"play random --seed {(1 << 63) - 1} --board {(1 << 63) - 1}".split(), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Tricks (? leads, * takes)" in done.stdout


def test_a_bot_without_standard_input_says_so(bot: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m train.cli bot {bot} <&-"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("blot: standard input or output is closed")


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
    command = f"{sys.executable} -m train.cli play random | head -1"
    done = shell(command, tmp_path)
    assert done.stdout.startswith("bazar")
    assert "Traceback" not in done.stderr


def test_training_without_a_config_goes_on_with_the_runs_own(tmp_path: Path) -> None:
    done = blot("train", folder=tmp_path)
    assert done.returncode == 2
    assert "a config is wanted" in done.stderr
    done = blot("train", "--resume", "nothing", folder=tmp_path)
    assert done.returncode == 2
    assert "nothing/config.toml" in done.stderr
