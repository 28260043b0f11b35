"""The policy network: who sees an observation, how likely it makes each action.

Two trunks share nothing: one for cards, one for calls (bids and whatever else is no card). Both see the suits in a
canonical order, so that what is learnt about one trump suit holds for all four.

A bid is a strain and a raise over the standing number, and its logit the sum of theirs: the ladder shares parameters,
and no layer is as wide as the action space. A call is therefore drawn in two steps, which multiply to the softmax over
all actions: the *choice* (a plain call, a capot in some strain, or some number in some strain), then the *raise*. The
rules say which choices have one: bids of a number, and capots where they have a number.
"""

from itertools import combinations, permutations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from agents.sizes import NetworkSize, TrunkSize
from agents.suits import reordering
from blot_env import RuleSet
from blot_env.actions import BIDS, NAME, PASS

_CALLS = BIDS - PASS  # calls without a number: pass, contra, recontra, a suit named and the like
_IMPOSSIBLE = -1e9  # the logit of an illegal action; finite, so that no gradient turns to NaN
AUCTION_INPUTS = (
    *("hand", "seats", "strain", "number", "number_bits", "moment", "scores", "own", "calls"),
    *("turned", "claims"),
)  # as far as the rules have them
# What a card adds to its suit's place in the canonical order: it counts, and the more the stronger it is as a trump.
# The low bits tell any two holdings apart. All sums are exact in float32.
_WEIGHTS = tuple(1024 * value + (4 << rank) for rank, value in enumerate((8, 8, 22, 18, 28, 11, 12, 19)))  # 7 8 … K A
_TURNED_SUIT, _STANDING_SUIT = 1 << 17, 1 << 19


class Trunk(nn.Module):
    """A multilayer perceptron with residual blocks: (n, inputs) -> (n, width)."""

    def __init__(self, inputs: int, size: TrunkSize) -> None:
        super().__init__()
        self.first = nn.Linear(inputs, size.width)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.Linear(size.width, size.width), nn.ReLU(), nn.Linear(size.width, size.width))
            for _ in range(size.blocks)
        )

    def forward(self, x: Tensor) -> Tensor:
        x = functional.relu(self.first(x))
        for block in self.blocks:
            x = functional.relu(x + block(x))
        return x


def log_probabilities(logits: Tensor, legal: Tensor) -> Tensor:
    """Return log-probabilities of what is legal, all (n, actions); far below any other where it is not."""
    return logits.masked_fill(~legal, _IMPOSSIBLE).log_softmax(1)


class SuitOrder(nn.Module):
    """The canonical order of the suits of an observation: the standing strain first, then the suit of a turned card,
    then by the cards in hand.

    An order is known by its code, 0 to 63: one bit a pair of suits. All tables are indexed by it.
    """

    rank_weights: Tensor
    pair_bits: Tensor
    observations: Tensor  # (64, oracle size) natural column of each canonical one; observations are a prefix
    cards: Tensor  # (64, 32) natural card of each canonical one
    calls: Tensor  # (64, calls)
    strains: Tensor  # (64, strains)
    canonical_cards: Tensor  # (64, 32) canonical card of each natural one
    canonical_calls: Tensor  # (64, calls)
    canonical_strains: Tensor  # (64, strains)

    def __init__(self, rules: RuleSet) -> None:
        super().__init__()
        layout = rules.observation
        self.hand, self.strain = layout["hand"], layout["strain"]
        self.turned = layout["turned"] if "turned" in layout.names else None
        self.pairs = tuple(combinations(range(4), 2))
        orders: list[tuple[int, ...]] = [
            (0, 1, 2, 3)
        ] * 64  # order[position] = suit; codes that no order has keep the natural one
        for order in permutations(range(4)):
            place = [order.index(suit) for suit in range(4)]
            orders[sum((place[a] < place[b]) << bit for bit, (a, b) in enumerate(self.pairs))] = order
        suits = NAME - PASS  # the first call that names one
        cards = [[8 * suit + rank for suit in order for rank in range(8)] for order in orders]
        calls = [[*range(suits), *(suits + suit for suit in order), *range(suits + 4, _CALLS)] for order in orders]
        strains = [[*order, *range(4, len(rules.strains))] for order in orders]
        tables = {
            "observations": np.array([reordering(rules, rules.oracle, order) for order in orders]),
            "cards": cards,
            "calls": calls,
            "strains": strains,
            "canonical_cards": torch.tensor(cards).argsort(1),
            "canonical_calls": torch.tensor(calls).argsort(1),
            "canonical_strains": torch.tensor(strains).argsort(1),
            "rank_weights": torch.tensor(_WEIGHTS, dtype=torch.float32),
            "pair_bits": [1 << bit for bit in range(len(self.pairs))],
        }
        for name, table in tables.items():
            self.register_buffer(name, torch.as_tensor(table), persistent=False)

    def code(self, observations: Tensor) -> Tensor:
        """Return the code of each row's order: (n, columns) in natural order -> (n,) int64."""
        hand = observations[:, self.hand].float().reshape(-1, 4, 8)
        standing = observations[:, self.strain][:, :4].float()
        index = torch.arange(4, device=hand.device)
        key = hand @ self.rank_weights + _STANDING_SUIT * standing - index  # (n, 4); of equals the lower suit
        if self.turned is not None:
            key = key + _TURNED_SUIT * observations[:, self.turned].float().reshape(-1, 4, 8).sum(2)
        first = [key[:, a] > key[:, b] for a, b in self.pairs]
        return (torch.stack(first, 1) * self.pair_bits).sum(1)

    def arrange(self, observations: Tensor, code: Tensor) -> Tensor:
        """Bring observations (or oracle vectors) into canonical order."""
        return observations.gather(1, self.observations[code, : observations.shape[1]])


class PolicyNetwork(nn.Module):
    """Logits for all actions of a rule set; sizes and columns come from its layouts.

    `cards` and `auction` are the compact form that training uses, in canonical order; `forward` is the flat space in
    natural order, which policies and exported bots use.

    A choice belongs to a *ladder*: 0 for those without a number, 1 for capots, 2 for bids of a number.
    """

    ladder_of: Tensor  # (choices,)
    certain: Tensor  # (raises,) log-probabilities of the raise of a choice that has none
    number_weights: Tensor
    capot_numbers: Tensor  # those that a capot may have; a single one where it has none
    numbers: Tensor  # those that may be bid

    def __init__(self, rules: RuleSet, size: NetworkSize) -> None:
        super().__init__()
        self.size = size
        layout, actions = rules.observation, rules.actions
        self.columns = layout.size
        self.auction_inputs = [layout[name] for name in AUCTION_INPUTS if name in layout.names]
        self.number_bits = layout["number_bits"] if rules.numbered else None
        self.strains = len(actions.strains)  # in which numbers are bid
        numbers = actions.max_number - actions.min_number + 1
        capot_numbers = (actions.size - actions.capots) // max(self.strains, 1)
        self.widths = [_CALLS, self.strains * (capot_numbers > 0), self.strains]
        self.choices = sum(self.widths)  # calls, capots, strains
        self.raises = [numbers, capot_numbers if capot_numbers > 1 else 0]  # of bids, of capots

        self.order = SuitOrder(rules)
        inputs = sum(columns.stop - columns.start for columns in self.auction_inputs)
        self.cards_trunk = Trunk(layout.size, size.cards)
        self.cards_head = nn.Linear(size.cards.width, PASS)
        self.auction_trunk = Trunk(inputs, size.auction)
        self.auction_head = nn.Linear(size.auction.width, self.choices + sum(self.raises))
        for head in (self.cards_head, self.auction_head):
            nn.init.orthogonal_(head.weight, 0.01)
            nn.init.zeros_(head.bias)
        with torch.no_grad():  # an untrained network raises by little, and is in no hurry to promise all tricks
            _, capots, _, *steps = self.auction_head.bias.split([*self.widths, *self.raises])
            capots[:] = -3
            for step in steps:
                step[:] = -0.5 * torch.arange(len(step))

        ladders = [ladder for ladder, width in enumerate(self.widths) for _ in range(width)]
        tables = {
            "ladder_of": torch.tensor(ladders),
            "certain": torch.tensor([0.0] + (max(1, *self.raises) - 1) * [_IMPOSSIBLE]),
            "number_weights": 1 << torch.arange(8),
            "capot_numbers": torch.arange(actions.capot_min, actions.capot_min + capot_numbers),
            "numbers": torch.arange(actions.min_number, actions.max_number + 1),
        }
        for name, table in tables.items():
            self.register_buffer(name, table, persistent=False)

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.cards_head.weight.device

    def cards(self, observations: Tensor) -> Tensor:
        """Return the logits of the cards: (n, columns) canonical -> (n, 32) canonical."""
        return self.cards_head(self.cards_trunk(observations))

    def auction(self, observations: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return logits of choices (n, choices), and of the lowest legal number, the next … : of capots and of bids.

        A capot without a number has one step, of logit 0. All are canonical.
        """
        inputs = torch.cat([observations[:, columns] for columns in self.auction_inputs], 1)
        logits = self.auction_head(self.auction_trunk(inputs))
        choice, steps, capot_steps = logits.split([self.choices, *self.raises], 1)
        if len(self.capot_numbers) == 1:
            capot_steps = torch.zeros_like(choice[:, :1])
        return choice, capot_steps, steps

    def card_log_probabilities(self, observations: Tensor, legal: Tensor) -> Tensor:
        """Return log-probabilities (n, 32); `legal` is (n, 32) bool, canonical."""
        return log_probabilities(self.cards(observations), legal)

    def call_log_probabilities(self, observations: Tensor, legal: Tensor, raises: Tensor) -> tuple[Tensor, Tensor]:
        """Return log-probabilities of choices (n, choices), and by ladder of raises once it is chosen, (n, 3, raises).

        Args:
            observations: (n, columns) canonical.
            legal: (n, choices) bool, canonical; a strain is legal if some number is.
            raises: (n, 3) how many numbers of each ladder are legal; they are the lowest ones above the standing bid.
        """
        choice, *steps = self.auction(observations)
        parts = list(choice.split(self.widths, 1))
        ladders = [self.certain.expand(len(choice), -1)]
        for ladder, step in enumerate(steps, 1):
            possible = torch.arange(step.shape[1], device=step.device) < raises[:, ladder, None]
            step = step.masked_fill(~possible, _IMPOSSIBLE)
            mass = step.logsumexp(1, keepdim=True)
            parts[ladder] = parts[ladder] + mass  # a strain stands for all its numbers
            padding = len(self.certain) - step.shape[1]
            ladders.append(functional.pad(step - mass, (0, padding), value=_IMPOSSIBLE))
        choice = torch.cat(parts, 1).masked_fill(~legal, _IMPOSSIBLE)
        return choice.log_softmax(1), torch.stack(ladders, 1)

    def forward(self, observations: Tensor) -> Tensor:
        """Return unnormalised log-probabilities of all actions: (n, columns) natural -> (n, actions) natural.

        Where no bid of a number is possible its logit is that of the lowest one: mask illegal actions.
        """
        code = self.order.code(observations)
        canonical = self.order.arrange(observations, code).float()
        cards = self.cards(canonical).gather(1, self.order.canonical_cards[code])
        choice, capot_steps, steps = self.auction(canonical)
        calls, capots, strains = choice.split(self.widths, 1)
        flat = [cards, calls.gather(1, self.order.canonical_calls[code])]
        if self.number_bits is not None:
            standing = (observations[:, self.number_bits].long() * self.number_weights).sum(1, keepdim=True)
            natural = self.order.canonical_strains[code]
            flat.append(_bids(strains.gather(1, natural), steps, self.numbers, standing))
            if capots.shape[1]:
                flat.append(_bids(capots.gather(1, natural), capot_steps, self.capot_numbers, standing))
        return torch.cat(flat, 1)


def _bids(strains: Tensor, steps: Tensor, numbers: Tensor, standing: Tensor) -> Tensor:
    """Return the logits of all bids of a ladder, number by number: (n, numbers × strains)."""
    lowest = torch.maximum(standing + 1, numbers[0])  # (n, 1)
    above = steps.gather(1, (numbers - lowest).clamp(min=0))  # (n, numbers)
    return (above[:, :, None] + strains[:, None, :]).flatten(1)
