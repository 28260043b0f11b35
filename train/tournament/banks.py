"""Banks of boards: the same deals for everybody, so that a figure of today stands beside one of last year.

A bank is a name with a version, `standard@1`. Its boards are those of a seed, so nothing is stored but a digest of the
cards that each game deals with it: should cards ever be dealt otherwise, a tournament says so before it begins.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from blot_env import BatchEnv, RuleSet, load_rules
from blot_env.rules import nearest

_CHECKED = 1000  # boards


class BankError(ValueError):
    """There is no such bank, it has too few boards, or its cards are no longer dealt as they were."""


@dataclass(frozen=True)
class Bank:
    """Boards of one seed."""

    seed: int
    first: int  # number of the first board
    boards: int
    sha256: Mapping[str, str]  # by preset, of the cards of the first 1,000 boards


BANKS = {
    "standard@1": Bank(
        seed=20_261_130,
        first=0,
        boards=1_000_000,
        sha256={
            "bazar": "4c1b39a84876401896cae963bdd18e2607e770a7deb213c127b0902db03cc533",
            "duel": "617d36becc7ed4c45f711535e0e8b947b410d99cbddc0cff18ad4cfefeb4ee6b",
            "bazar-alltrump": "4c1b39a84876401896cae963bdd18e2607e770a7deb213c127b0902db03cc533",
            "hayblot": "4c1b39a84876401896cae963bdd18e2607e770a7deb213c127b0902db03cc533",
            "bazar-classic": "4c1b39a84876401896cae963bdd18e2607e770a7deb213c127b0902db03cc533",
            "blotstar": "4c1b39a84876401896cae963bdd18e2607e770a7deb213c127b0902db03cc533",
            "bela4": "4c1b39a84876401896cae963bdd18e2607e770a7deb213c127b0902db03cc533",
            "bela3": "cc648093de9c642db51bb985a418d932ad309fafb46b7976b1fba125c48ebe0c",
            "bela2": "8afd6a7c83165a29cefb57814d6aad9cfb8adad802f7b97d44c1b63000705a89",
        },
    ),
}


def bank_of(name: str, rules: RuleSet, boards: int) -> Bank:
    """Return a bank that deals a game the cards that it always has.

    House rules are checked by the preset that they start from.

    Raises:
        BankError: there is no such bank, it has fewer boards, or it deals other cards.
    """
    if name not in BANKS:
        raise BankError(f"no bank is named {name!r}{nearest(name, list(BANKS))}; there are {', '.join(BANKS)}")
    bank = BANKS[name]
    if boards > bank.boards:
        raise BankError(f"bank {name} has {bank.boards} boards, not {boards}")
    if digest(bank, load_rules(rules.name)) != bank.sha256[rules.name]:
        raise BankError(
            f"bank {name} does not deal the cards of {rules.name} that it was made with; use a seed instead"
        )
    return bank


def digest(bank: Bank, rules: RuleSet) -> str:
    """Return the SHA-256 of decks and dealers of a bank's first 1,000 boards."""
    tables = BatchEnv(rules, min(_CHECKED, bank.boards), seed=bank.seed)
    tables.reset(boards=np.arange(bank.first, bank.first + tables.num_envs))
    decks, dealers = tables.states["deck"], tables.states["public"]["dealer"]
    return sha256(np.column_stack([decks, dealers]).astype(np.int8).tobytes()).hexdigest()
