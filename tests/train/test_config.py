"""Configs say what is wrong with them, and where."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from agents.resources import shipped
from blot_env import load_rules
from train.config import Config, load_config
from train.overrides import lost_networks
from train.settings import ConfigError, check_settings, settings, toml_of


@pytest.fixture
def write(tmp_path: Path):  # type: ignore[no-untyped-def]
    def write(text: str) -> Path:
        path = tmp_path / "mine.toml"
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize("name", [name for name in shipped() if name.startswith("configs/") and name.count("/") == 1])
def test_configs_that_ship_are_valid(name: str) -> None:
    preset = Path(name).stem.removesuffix("-vs-search").replace("quick", "bazar").replace("exploit", "bazar")
    assert load_config(name).rules == load_rules(preset)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("minutes = 1\nepochs = 3", ["epochs: there is no such key", "'ppo.epochs'"]),
        ("minutes = 1\n[ppo]\nlearning_rat = 1", ["ppo.learning_rat: there is no such key", "'ppo.learning_rate'"]),
        ("minutes = 1\n[pop]\nclip = 0.1", ["pop: there is no such key", "'ppo"]),
        ("minutes = 1\n[ppo]\nclip = 'wide'", ["ppo.clip: ", "number", "'wide'"]),
        ("minutes = 1\n[ppo]\nentropy_cards = [1, 2, 3]", ["ppo.entropy_cards: ", "3"]),
        ("minutes = 1\n[rollout]\ntables = 0", ["rollout.tables: ", "greater than or equal to 1", "0"]),
        ("minutes = 1\nnetwork.cards.with = 8", ["network.cards.with: there is no such key", "'network.cards.width'"]),
        ("minutes = 1\nrules = 'basar'", ["rules: no preset is named 'basar'", "'bazar'"]),
        ("minutes = 1\nleague.opponents = { rules = 1.5 }", ["league.opponents: shares lie between 0 and 1"]),
        ("minutes = 1\nleague.past = 0.9\nleague.opponents = { rules = 0.2 }", ["add up to more than 1"]),
        ("minutes = 1\nleague.search_tables = -1", ["league.search_tables: ", "greater than or equal to 0, not -1"]),
        ("minutes = 1\nleague.search_table = 8", ["league.search_table: there is no", "'league.search_tables'"]),
        ("seed = 1", ["give minutes or iterations"]),
        ("minutes = 1\nppo.max_gradient = inf", ["ppo.max_gradient: ", "finite"]),
        ("minutes = 1\nppo.learning_rate = [1]", ["ppo.learning_rate: give one number, or a pair", "not [1]"]),
        ("minutes = 1\nppo.clip.x = 1", ["ppo.clip: ", "number, not {'x': 1}"]),
        ("minutes = 1\nrules = 'Bazar'", ["rules: no preset is named 'Bazar' (did you mean 'bazar'?); there are"]),
        ("minutes = 1\nrules = 3", ["rules: give a preset, or a table of a preset and the fields", "not 3"]),
        ("minutes = 1\n[rules]\npreset = 'basar'", ["rules: no preset is named 'basar'", "'bazar'"]),
        ("minutes = 1\n[rules]\nlastword = false", ["rules: there is no field 'lastword' (did you mean 'last_word'?)"]),
        ("minutes = 1\n[rules]\nlast_word = 'no'", ["rules: last_word: true or false is wanted, not 'no'"]),
        ("minutes = 1\n[rules]\ncontra = false", ["rules: recontra: there is no recontra without contra"]),
        ("minutes = 1\n[rules]\npreset = 'house.toml'", ["rules: house.toml: No such file"]),
        ("minutes = 1\ntarget = 1000000", ["target: ", "100000"]),
        ("minutes = 1\nnetwork.cards.width = 100000", ["network.cards.width: ", "8192"]),
        ("minutes = 1\nrollout.tables = 1000000000", ["rollout.tables: ", "1048576"]),
        ("minutes = 1\nthreads = 100000", ["threads: ", "1024"]),
        ("minutes = 1\nseed = 9223372036854775807", ["seed: ", "less than"]),
        ("minutes = 1\nseed = true", ["seed: ", "integer, not True"]),
        ("minutes = 1\nseed = '3'", ["seed: ", "integer, not '3'"]),
        ("minutes = " + 5000 * "9", ["digits"]),
        ("minutes = 1\nseed = 0x" + 5000 * "f", ["seed: ", "so large a number"]),
        ("minutes = " + 5000 * "[", ["recursion"]),
        ("minutes = ", ["mine.toml: Invalid value (at end of document)"]),
    ],
)
def test_what_is_wrong_is_named(write, text: str, parts: list[str]) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ConfigError) as error:
        load_config(write(text))
    message = str(error.value)
    assert "mine.toml: " in message
    assert "\n" not in message.strip()
    for part in parts:
        assert part in message


def test_a_missing_file_is_named() -> None:
    with pytest.raises(
        ConfigError, match=r"configs/quikc\.toml; the nearest that ships with blot is configs/quick\.toml"
    ):
        load_config("configs/quikc.toml")


def test_overrides_are_toml_values_or_bare_text(write) -> None:  # type: ignore[no-untyped-def]
    path = write("minutes = 1\n[ppo]\nclip = 0.1")
    config = load_config(path, ["ppo.clip=0.3", "ppo.learning_rate=[1e-3, 0]", "rules=bazar", "league.opponents={}"])
    assert (config.ppo.clip, config.ppo.learning_rate, config.rules) == (0.3, (1e-3, 0), load_rules("bazar"))
    assert config.league.opponents == {}


def test_rules_are_a_preset_or_a_table_of_what_differs(write) -> None:  # type: ignore[no-untyped-def]
    house = load_rules("bazar", last_word=False, target=301)
    text = "minutes = 1\n[rules]\npreset = 'bazar'\nlast_word = false\ntarget = 301"
    assert load_config(write(text)).game == house
    for rules in ("", "rules = 'bazar'\n", "[rules]\npreset = 'bazar'\n"):
        path = write("minutes = 1\n" + rules)
        assert load_config(path, ["rules.last_word=false", "target=301"]).game == house
    assert load_config(path, ["rules=duel", "rules.must_beat=all"]).game == load_rules("duel", must_beat="all")
    assert load_config(write(text), ["rules.preset=hayblot", "target=151"]).game == load_rules("hayblot")
    assert Config(minutes=1, rules=house).game == house


def test_a_config_keeps_house_rules_without_their_file(tmp_path: Path, write) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "house.toml"
    file.write_text("preset = 'bela3'\nfailed_to = 'nobody'\nauction = 'named'\nmust_beat = 'all'\nruns = [20, 50, 90]")
    config = load_config(write("minutes = 1"), [f"rules={file}", "rules.target=500"])
    assert config.game == load_rules(str(file), target=500)
    file.unlink()
    text = toml_of(config)
    fields = {"preset": "bela3", "auction": "named", "must_beat": "all", "runs": [20, 50, 90], "target": 500}
    assert tomllib.loads(text)["rules"] == fields
    assert load_config(write(text)) == config
    assert config.model_dump(mode="json")["rules"] == fields


@pytest.mark.parametrize(
    ("override", "part"),
    [
        ("ppo.clip", "write it as key=value"),
        ("init=\udcff", "no UTF-8"),
        (".ppo=1", "write it as key=value"),
        ("seed=1\nminutes=3", "seed: "),
        ("ppo.clipp=0.1", "'ppo.clip'"),
        ("minutes.long=1", "minutes holds a value"),
    ],
)
def test_wrong_overrides_are_named(write, override: str, part: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ConfigError, match=part.replace(".", r"\.")):
        load_config(write("minutes = 1"), [override])


def test_a_config_survives_its_toml(write) -> None:  # type: ignore[no-untyped-def]
    config = check_settings(
        Config, {"minutes": 2, "init": 'a "b" 😀 \x7f', "league": {"opponents": {"random:uniform": 0.25}}}
    )
    path = write(toml_of(config))
    assert load_config(path) == config
    path.write_text(path.read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert load_config(path) == config, "as some editors save it"
    assert {key for key in settings(Config) if f"{key} = " not in toml_of(config)} == {
        *("target", "rollout.match_odds", "league.search_tables")
    }


def test_one_number_is_a_constant_schedule() -> None:
    assert Config(minutes=1, ppo={"entropy_calls": 0.5}).ppo.entropy_calls == (0.5, 0.5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("preset", "changes", "specs", "told"),
    [
        ("bazar", {"blot": 40}, ["rules+tier:hard"], True),
        ("bazar", {}, ["tier:hard"], False),
        ("bazar", {"target": 151}, ["tier:hard"], False),
        ("bazar", {"blot": 40}, ["rules", "tier:hard,networks=mine"], False),
        ("bela3", {"must_beat": "all"}, ["tier:hard"], False),
    ],
)
def test_tiers_that_lose_their_networks_to_house_rules_are_told(
    preset: str, changes: dict[str, Any], specs: list[str], told: bool
) -> None:
    found = lost_networks(load_rules(preset, **changes), specs)
    assert (found is not None) == told
    assert not told or "without networks" in str(found)
