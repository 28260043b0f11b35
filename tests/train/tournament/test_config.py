"""The settings of a tournament: what does not fit together is refused, and what is written down is read back."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.resources import shipped
from blot_env import RuleSet, load_rules
from train.settings import ConfigError, check_settings, differences, toml_of
from train.tournament.config import SprtConfig, TournamentConfig, load_tournament

GATE = {"shares": [0.6], "lows": [0.55], "mean_ms": [5, 5], "p99_ms": [30, 30]}
LADDER = {"format": "ladder", "play": "matches"}
TOURNAMENTS = [*(name for name in shipped() if name.startswith("configs/tournaments/")), "configs/tiers/gate.toml"]


@pytest.mark.parametrize("name", TOURNAMENTS)
def test_tournaments_that_ship_are_valid(name: str) -> None:
    assert load_tournament(name).agents


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"agents": ["random"]}, "agents: give two or more agents"),
        ({"agents": ["random"] * 101}, "agents: give at most 100 agents"),
        ({"agents": ["random"] * 3, "format": "duel"}, "a duel has two agents, not 3"),
        ({"table": 3}, "table = 3 needs a game of three sides"),
        ({"agents": ["random"] * 3, "rules": "bela3", "table": 3, "parts": 5}, "sprt and parts are for table = 2"),
        ({"reduce_luck": True}, "reduce_luck is for duplicate = false"),
        ({"reduce_luck": True, "duplicate": False, "play": "matches"}, 'reduce_luck is for play = "boards"'),
        ({"bank": "standard@1", "seed": 3}, "bank has a seed of its own: leave out seed"),
        ({"sprt": {"margins": [0.2, 0]}}, "sprt.margins: give two rising numbers"),
        ({"sprt": {"margins": [0, 0.2], "alpha": 0.5}}, "sprt.alpha: input should be less than 0.5"),
        ({"agents": ["random"] * 3, "rules": "bela3", "table": 3, "format": "ladder"}, "a ladder is for table = 2"),
        ({"gate": GATE, "play": "matches"}, 'gate is for format = "ladder" and play = "matches", without sprt'),
        (LADDER | {"gate": GATE, "agents": ["random"] * 3}, "gate is for 2 agents, not 3"),
        (LADDER | {"gate": GATE | {"lows": [0.6]}}, "each of the lows lies below its share"),
        (LADDER | {"gate": GATE | {"lows": [0.5, 0.5]}}, "there are 1 shares and 2 lows"),
        (LADDER | {"gate": GATE | {"mean_ms": [5]}}, "give mean_ms and p99_ms of each agent"),
        (LADDER | {"gate": GATE | {"minutes": 0}}, "gate.minutes: input should be greater than 0"),
        ({"limit": 0}, "limit: input should be greater than 0"),
        ({"board": 3}, "board: there is no such key (did you mean 'boards'?)"),
    ],
)
def test_what_does_not_fit_is_refused(values: dict[str, object], reason: str) -> None:
    with pytest.raises(ConfigError) as refused:
        check_settings(TournamentConfig, {"agents": ["random", "rules"]} | values)
    assert reason in str(refused.value)


@given(
    names=st.lists(st.text(), min_size=2, max_size=4),
    margins=st.none() | st.tuples(st.floats(-9, 0), st.floats(0.1, 9)),
    rules=st.sampled_from([load_rules("duel"), load_rules("bazar", last_word=False), load_rules("bela3", target=301)]),
    seed=st.integers(0, (1 << 63) - 1),
)
def test_settings_survive_their_toml(
    names: list[str],
    margins: tuple[float, float] | None,
    rules: RuleSet,
    seed: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    sprt = SprtConfig(margins=margins) if margins else None
    config = TournamentConfig(agents=tuple(names), rules=rules, seed=seed, sprt=sprt)
    path = tmp_path_factory.mktemp("settings") / "tournament.toml"
    path.write_text(toml_of(config), encoding="utf-8")
    assert load_tournament(path) == config
    assert differences(load_tournament(path, ["boards=3"]), config) == ["boards"]


def test_a_gate_survives_its_toml(tmp_path: Path) -> None:
    config = check_settings(TournamentConfig, {"agents": ["random", "rules"], "gate": GATE} | LADDER)
    (tmp_path / "tournament.toml").write_text(toml_of(config), encoding="utf-8")
    assert load_tournament(tmp_path / "tournament.toml") == config


@pytest.mark.parametrize("key", ["parts", "analysed", "gate.matches", "gate.timed"])
def test_numbers_have_an_end(key: str) -> None:
    """Not after hours of play, for want of memory."""
    with pytest.raises(ConfigError, match=f"{key}: input should be less than or equal to"):
        load_tournament("configs/tiers/gate.toml", [f"{key}={10**12}"])
