"""A match at the terminal: driven by what is typed, it is saved after every action and goes on exactly."""

import json
import os
import random
import re
from pathlib import Path

import pytest

from blot_env import RULESETS, Game, load_rules
from blot_env.explanation import scoring_lines
from blot_env.speech import question
from tests.train.test_cli import blot
from train.drawing import Screen
from train.match import Match, SaveError, Setup
from train.table import Table
from train.typed import notation


def setup_of(preset: str, **others: object) -> Setup:
    wanted = {"seed": 11, "seat": 1, "opponents": "random", "partner": "random"} | others
    return Setup.of(load_rules(preset), **wanted)


class Typist:
    """Types legal actions, now and then something wrong or a question, and leaves after so many answers."""

    def __init__(self, match: Match, answers: int = 100_000, wrong: bool = False) -> None:
        self.match, self.answers, self.wrong, self.rng, self.prompts = match, answers, wrong, random.Random(5), []

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        if not self.answers:
            return "q"
        self.answers -= 1
        if self.wrong and self.rng.random() < 0.3:
            return self.rng.choice(["?", "nonsense", "", "why 7H", "why contra", "recontra", "show", "7C", "AS"])
        legal = self.match.game.legal_actions()
        calls = [action for action in legal if not action[0].isdigit()] if self.match.game.phase == "auction" else legal
        return self.rng.choice(calls or legal)


@pytest.mark.parametrize("preset", RULESETS)
def test_a_whole_match_of_every_game(preset, tmp_path, capsys):
    match = Match(setup_of(preset), tmp_path / "match.json")
    Table(match, Screen(plain=True), Typist(match, wrong=True)).play()
    assert match.game.winner is not None
    printed = capsys.readouterr().out
    assert f"Deal 1 of {preset}: you sit at seat 1" in printed
    assert scoring_lines(match.game)[-1] in printed
    again = Match.load(match.file)
    assert again.game.states.tobytes() == match.game.states.tobytes()
    Table(again, Screen(plain=True), Typist(again)).play()
    assert scoring_lines(match.game)[-1] in capsys.readouterr().out


@pytest.mark.parametrize("preset", ["bazar", "bazar-classic", "bela3", "bela2"])
def test_a_match_that_is_left_and_continued_goes_on_as_if_it_had_not_been(preset, tmp_path):
    whole = Match(setup_of(preset), tmp_path / "whole.json")
    Table(whole, Screen(plain=True), Typist(whole)).play()
    match = Match(setup_of(preset), tmp_path / "parts.json")
    typist = Typist(match, 0)
    while match.game.winner is None:
        typist.answers, typist.match = 3, match
        Table(match, Screen(plain=True), typist).play()
        left = match.game.states.tobytes()
        match = Match.load(match.file)
        assert match.game.states.tobytes() == left
    assert match.deals == whole.deals
    assert (tmp_path / "parts.json").read_text() == (tmp_path / "whole.json").read_text()


def test_the_match_is_saved_after_every_action(tmp_path):
    match = Match(setup_of("duel", seat=0), tmp_path / "folder" / "match.json")
    for count in range(1, 12):
        match.play(match.game.legal_actions()[0])
        assert sum(map(len, json.loads(match.file.read_text())["deals"])) == count
        assert Match.load(match.file).game.states.tobytes() == match.game.states.tobytes()
    assert [path.name for path in match.file.parent.iterdir()] == ["match.json"]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"rules": "basar"}, "no preset is named 'basar'"),
        ({"target": "many"}, "target: "),
        ({"seat": 2}, "there is no seat 2: seats are numbered 0 to 1"),
        ({"seat": -1}, "seat: "),
        ({"colour": "red"}, "colour: "),
        ({"deals": [["pass", "AS"]]}, "deal 1, action 1: 'AS' is no call"),
        ({"deals": [["contra"]]}, "deal 1, action 0: contra: There is no contra in these rules"),
        ({"deals": [["pass"], []]}, "deal 2, action 0: next_deal: this deal is not over"),
        ({"deals": []}, "deals: "),
        ({"deals": [[7]]}, "deals.0.0: "),
        ({"fields": {"last_wrod": True}}, "did you mean 'last_word'?"),
        ({"fields": {"target": 5}}, "fields: the target stands beside them"),
        ({"rules": "house.toml"}, "rules: the name of a preset is wanted, not 'house.toml'"),
        ({"opponents": "ruels"}, "no agent is named 'ruels' (did you mean 'rules'?)"),
    ],
)
def test_a_save_that_cannot_be_is_named(changes, reason, tmp_path):
    match = Match(setup_of("duel", seat=0), tmp_path / "match.json")
    match.save()
    match.file.write_text(json.dumps(json.loads(match.file.read_text()) | changes))
    with pytest.raises(SaveError, match=re.escape(reason)) as error:
        Match.load(match.file)
    assert str(match.file) in str(error.value)
    assert "\n" not in str(error.value)


def test_a_new_match_takes_the_place_of_a_saved_one_only(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("Ten years of work")
    (tmp_path / "empty").touch()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("thesis.txt")
    (tmp_path / "nowhere").symlink_to("new.json")
    for name in ("thesis.txt", "empty", "pipe", "link", ".", ""):
        with pytest.raises(SaveError, match="this is no saved match"):
            Match(setup_of("duel", seat=0), tmp_path / name)
    with pytest.raises(FileNotFoundError):
        Match(setup_of("duel", seat=0), tmp_path / "nowhere")
    assert (tmp_path / "thesis.txt").read_text() == "Ten years of work"
    Match(setup_of("duel", seat=0), tmp_path / "match.json").save()
    (tmp_path / "mine").symlink_to("match.json")
    Match(setup_of("bela3", seat=0), tmp_path / "mine").save()
    assert (tmp_path / "mine").is_symlink()
    assert Match.load(tmp_path / "match.json").rules.name == "bela3"
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_the_table_says_what_is_asked_and_helps_with_what_the_game_has(tmp_path: Path, capsys) -> None:
    prompts = {}
    for preset in ("bazar", "bazar-classic", "bela2", "bela3"):
        match = Match(setup_of(preset, seat=0), tmp_path / f"{preset}.json")
        typist = Typist(match, wrong=True)
        Table(match, Screen(), typist).play()
        prompts[preset] = set(typist.prompts)
    shown = capsys.readouterr().out
    assert {"Bid or pass (? helps)> ", "Play a card (? helps)> "} <= prompts["bazar"]
    assert {"Announce or pass (? helps)> ", "Show or pass (? helps)> "} < prompts["bazar-classic"]
    assert {"Name a suit or pass (? helps)> ", "Take hearts as trump or pass (? helps)> "} < prompts["bela2"]
    assert {f"Discard a card, {left} to go (? helps)> " for left in (1, 2)} < prompts["bela3"]
    assert "Match     your side: 0, seats 1 and 3: 0, to 151" in shown
    assert "Match     you: 0, seat 1: 0, seat 2: 0, to 701" in shown
    of_contra, of_none = shown.split("Deal 1 of bela2")
    assert "p for pass, c for contra, ah for" in of_contra
    assert "p for pass, ah for" in of_none
    assert "c for contra" not in of_none
    for help_ in shown.split("You may\n")[1:]:
        lines = help_.partition("\n\n")[0].splitlines()
        column = lines[0].index("which does")
        assert all(line[column - 1] == " " != line[column] for line in lines)


@pytest.mark.parametrize(
    ("calls", "asked"),
    [
        ("pass", "Bid or pass"),
        ("8H pass pass pass", "The last word: raise 8H or pass to keep it"),
        ("8H contra", "Recontra or pass"),
    ],
)
def test_what_is_asked_beside_a_bid(calls: str, asked: str) -> None:
    game = Game("bazar", seed=7)
    for call in calls.split():
        game.play(call)
    assert question(game.rules, game.state.public) == asked


def test_what_others_hold_is_not_shown(tmp_path, capsys):
    """Until a card is played the player meets none but its own."""
    match = Match(setup_of("bela2", seat=0, seed=3), tmp_path / "match.json")
    Table(match, Screen(plain=True), Typist(match, 1)).play()
    seen = set(re.findall(r"\b[7-9TJQKA][CDHS]\b", capsys.readouterr().out)) - set(match.game.hands[0].split())
    turned = match.game.record()["stock"].split()[0]
    assert seen <= {turned, f"7{turned[1]}"}


@pytest.mark.parametrize(
    ("preset", "phase", "typed", "action"),
    [
        ("bazar", "auction", "  8 hearts ", "8H"),
        ("bazar", "auction", "12nt", "12NT"),
        ("bazar", "auction", "capot♦", "capotD"),
        ("bazar", "auction", "r", "recontra"),
        ("bazar-classic", "auction", "12 h capot", "12Hcapot"),
        ("bazar-alltrump", "auction", "9 all trump", "9AT"),
        ("bazar-classic", "announce", "a", "announce"),
        ("bazar-classic", "show", "s", "show"),
        ("bela2", "swap", "s", "swap"),
        ("bela2", "auction", "c", "nameC"),
        ("bela2", "auction", "nameS", "nameS"),
        ("bela3", "discard", "10♥", "TH"),
        ("duel", "play", "qs", "QS"),
        ("duel", "play", "pass", "pass"),
        ("duel", "play", "", ""),
    ],
)
def test_short_forms(preset, phase, typed, action):
    assert notation(load_rules(preset), phase, typed) == action


def test_the_command_plays_from_a_pipe_and_continues(tmp_path: Path) -> None:
    line = "play --rules duel --opponents random --seed 5 --save mine.json --plain"
    first = blot(*line.split(), folder=tmp_path, text="?\nwhy contra\nnonsense\nq\n")
    assert first.returncode == 0, first.stderr
    left = "Saved; blot play --continue --save mine.json goes on\n"
    for shown in ("Take ", "There is no contra in these rules", "'nonsense' is no call", left):
        assert shown in first.stdout
    assert not (set("♣♦♥♠") & set(first.stdout))
    second = blot(*"play --continue --save mine.json".split(), folder=tmp_path, text="p\n")
    assert second.returncode == 0, second.stderr
    assert "You pass" in second.stdout
    assert second.stdout.endswith(f"helps)> \n{left}")
    assert json.loads((tmp_path / "mine.json").read_text())["deals"][0][0] == "pass"


def test_without_a_file_the_match_is_saved_in_the_users_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    done = blot(*"play --opponents random --partner random --seed 5".split(), folder=tmp_path, text="p\n")
    assert done.returncode == 0, done.stderr
    assert "match.json" in done.stdout
    assert "Deal 1 of bazar" in blot("play", "--continue", folder=tmp_path).stdout


@pytest.mark.parametrize("content", ["", "{", "[]", '{"rules": "duel"}', "\0\0", "[" * 100_000])
def test_a_corrupted_save_is_one_line(content: str, tmp_path: Path) -> None:
    (tmp_path / "match.json").write_text(content)
    done = blot(*"play --continue --save match.json".split(), folder=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("blot: match.json: this is no saved match")


def test_a_table_of_a_tier_is_kept_in_the_match(tmp_path):
    done = blot("play", "--tier", "normal", "--save", "match.json", "--plain", folder=tmp_path, text="p\nq\n")
    assert done.returncode == 0, done.stderr
    match = Match.load(tmp_path / "match.json")
    assert (match.setup.opponents, match.setup.partner) == ("tier:normal", "tier:hard")
