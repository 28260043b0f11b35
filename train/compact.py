"""Between the flat space of actions, which environments speak, and the compact form in which the network learns.

Compact, and in canonical suit order: a card is 0 to 31; any other action is a *choice* (a plain call, a capot in a
strain, or some number in a strain) and, for a number, how many legal numbers lie between it and the lowest legal one.
"""

from typing import NamedTuple

import torch
from torch import Tensor

from agents.network import PolicyNetwork
from blot_env import RuleSet
from blot_env.actions import BIDS, PASS


class LegalCalls(NamedTuple):
    """What may be said in k decisions."""

    choices: Tensor  # (k, choices) bool, canonical
    raises: Tensor  # (k,) int64: how many numbers are legal
    lowest: Tensor  # (k,) int64: the lowest of them, counted from the lowest that the rules know


class Compact:
    """The two directions for one rule set."""

    def __init__(self, rules: RuleSet, policy: PolicyNetwork) -> None:
        self.order = policy.order
        self.capots = rules.actions.capots
        self.strains = policy.strains
        self.first_capot = policy.choices - 2 * policy.strains
        self.first_strain = policy.choices - policy.strains
        self.width = max(PASS, policy.choices)  # of one padded row of legal cards or choices

    def legal_cards(self, masks: Tensor, code: Tensor) -> Tensor:
        """Bring the cards of flat masks (k, actions) into canonical order: (k, 32) bool."""
        return masks[:, :PASS].gather(1, self.order.cards[code]) > 0

    def legal_calls(self, masks: Tensor, code: Tensor) -> LegalCalls:
        """Fold flat masks (k, actions)."""
        bids = masks[:, BIDS : self.capots].unflatten(1, (-1, self.strains)) > 0  # (k, numbers, strains)
        natural = self.order.strains[code]
        strains, capots = bids.any(1).gather(1, natural), masks[:, self.capots :].gather(1, natural) > 0
        numbers = bids.any(2)
        return LegalCalls(
            torch.cat([masks[:, PASS:BIDS] > 0, capots, strains], 1), numbers.sum(1), numbers.int().argmax(1)
        )

    def flat_cards(self, cards: Tensor, code: Tensor) -> Tensor:
        """Return the actions (k,) that canonical cards (k,) are."""
        return self.order.cards[code, cards]

    def flat_calls(self, choice: Tensor, raised: Tensor, lowest: Tensor, code: Tensor) -> Tensor:
        """Return the actions (k,) that choices and raises (k,) are."""
        strain = self.order.strains[code, (choice - self.first_capot).clamp(min=0) % self.strains]
        bid = BIDS + (lowest + raised) * self.strains + strain
        call = torch.where(choice < self.first_capot, PASS + choice, self.capots + strain)
        return torch.where(choice >= self.first_strain, bid, call)

    def compact_cards(self, actions: Tensor, code: Tensor) -> Tensor:
        """Return the canonical cards (k,) that actions (k,) play."""
        return self.order.canonical_cards[code, actions]

    def compact_calls(self, actions: Tensor, lowest: Tensor, code: Tensor) -> tuple[Tensor, Tensor]:
        """Return choices and raises (k,), the inverse of `flat_calls`; the raise is 0 where no number is bid."""
        is_number = (actions >= BIDS) & (actions < self.capots)
        strain = torch.where(is_number, (actions - BIDS) % self.strains, (actions - self.capots).clamp(min=0))
        strain = self.order.canonical_strains[code, strain]
        bid = torch.where(is_number, self.first_strain + strain, self.first_capot + strain)
        choice = torch.where(actions < BIDS, actions - PASS, bid)
        return choice, torch.where(is_number, (actions - BIDS) // self.strains - lowest, 0)
