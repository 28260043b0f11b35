"""Banks deal everybody the same cards, and say so where they no longer do."""

import dataclasses

import pytest

from blot_env import RULESETS, load_rules
from train.tournament import banks
from train.tournament.banks import BANKS, BankError, bank_of


@pytest.mark.parametrize("preset", RULESETS)
def test_a_bank_deals_what_it_always_has(preset: str) -> None:
    for name in BANKS:
        assert bank_of(name, load_rules(preset), 1000) is BANKS[name]


def test_house_rules_play_the_boards_of_their_preset() -> None:
    assert bank_of("standard@1", load_rules("bazar", last_word=False), 10).seed == BANKS["standard@1"].seed


@pytest.mark.parametrize(
    ("name", "boards", "reason"),
    [
        ("standard", 10, r"no bank is named 'standard' \(did you mean 'standard@1'\?\)"),
        ("standard@1", 1_000_001, "has 1000000 boards, not 1000001"),
    ],
)
def test_a_bank_that_is_not_there_is_refused(name: str, boards: int, reason: str) -> None:
    with pytest.raises(BankError, match=reason):
        bank_of(name, load_rules("duel"), boards)


def test_other_cards_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    other = dataclasses.replace(BANKS["standard@1"], seed=1)
    monkeypatch.setitem(banks.BANKS, "standard@1", other)
    with pytest.raises(BankError, match="does not deal the cards of bela3 that it was made with"):
        bank_of("standard@1", load_rules("bela3"), 10)
