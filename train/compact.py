"""Between the flat space of actions, which environments speak, and the compact form in which the network learns.

Compact, and in canonical suit order: a card is 0 to 31; any other action is a *choice* (a plain call, a capot in a
strain, or some number in a strain) and, for one with a number, how many legal numbers lie between it and the lowest
legal one. Ladders are those of `agents.network.PolicyNetwork`.
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
    raises: Tensor  # (k, 3) int64, by ladder: how many numbers are legal
    lowest: Tensor  # (k, 3) int64, by ladder: the lowest of them, counted from the lowest that the rules know


class Compact:
    """The two directions for one rule set."""

    def __init__(self, rules: RuleSet, policy: PolicyNetwork) -> None:
        self.order = policy.order
        self.capots = rules.actions.capots
        self.strains = policy.strains
        self.ladder_of = policy.ladder_of
        calls, capots, _ = policy.widths
        self.width = max(PASS, policy.choices)  # of one padded row of legal cards or choices
        self._first_choice = torch.tensor([0, calls, calls + capots])
        self._first_action = torch.tensor([PASS, self.capots, BIDS])

    def legal_cards(self, masks: Tensor, code: Tensor) -> Tensor:
        """Bring the cards of flat masks (k, actions) into canonical order: (k, 32) bool."""
        return masks[:, :PASS].gather(1, self.order.cards[code]) > 0

    def legal_calls(self, masks: Tensor, code: Tensor) -> LegalCalls:
        """Fold flat masks (k, actions)."""
        masks = masks > 0
        choices = [masks[:, PASS:BIDS].gather(1, self.order.calls[code])]
        raises = [torch.ones(len(masks), dtype=torch.int64, device=masks.device)]
        lowest = [torch.zeros_like(raises[0])]
        for actions in (masks[:, self.capots :], masks[:, BIDS : self.capots]):
            if not actions.shape[1]:
                raises.append(torch.zeros_like(raises[0]))
                lowest.append(raises[-1])
                continue
            bids = actions.unflatten(1, (-1, self.strains))  # (k, numbers, strains)
            choices.append(bids.any(1).gather(1, self.order.strains[code]))
            numbers = bids.any(2)
            raises.append(numbers.sum(1))
            lowest.append(numbers.int().argmax(1))
        return LegalCalls(torch.cat(choices, 1), torch.stack(raises, 1), torch.stack(lowest, 1))

    def flat_cards(self, cards: Tensor, code: Tensor) -> Tensor:
        """Return the actions (k,) that canonical cards (k,) are."""
        return self.order.cards[code, cards]

    def flat_calls(self, choice: Tensor, raised: Tensor, lowest: Tensor, code: Tensor) -> Tensor:
        """Return the actions (k,) that choices and raises (k,) are."""
        ladder = self.ladder_of[choice]
        place = choice - self._of(self._first_choice, ladder)  # the call, or the strain
        number = lowest.gather(1, ladder[:, None]).squeeze(1) + raised
        bid = self._of(self._first_action, ladder) + number * self.strains
        call = PASS + self.order.calls[code, place.clamp(max=BIDS - PASS - 1)]
        strain = self.order.strains[code, place.clamp(max=self.order.strains.shape[1] - 1)]
        return torch.where(ladder == 0, call, bid + strain)

    def compact_cards(self, actions: Tensor, code: Tensor) -> Tensor:
        """Return the canonical cards (k,) that actions (k,) play."""
        return self.order.canonical_cards[code, actions]

    def compact_calls(self, actions: Tensor, lowest: Tensor, code: Tensor) -> tuple[Tensor, Tensor]:
        """Return choices and raises (k,), the inverse of `flat_calls`; the raise is 0 where there is no number."""
        ladder = (actions >= BIDS).long() * torch.where(actions >= self.capots, 1, 2)
        place = actions - self._of(self._first_action, ladder)
        strains = max(self.strains, 1)
        number = torch.where(ladder == 0, 0, place // strains)
        call = self.order.canonical_calls[code, place.clamp(max=BIDS - PASS - 1)]
        choice = torch.where(ladder == 0, call, self.order.canonical_strains[code, place % strains])
        return choice + self._of(self._first_choice, ladder), number - lowest.gather(1, ladder[:, None]).squeeze(1)

    @staticmethod
    def _of(table: Tensor, ladder: Tensor) -> Tensor:
        return table.to(ladder.device)[ladder]
