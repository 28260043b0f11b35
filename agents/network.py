"""The policy network: who sees an observation, how likely it makes each action.

Two trunks share nothing: one for cards, one for calls (bids and whatever else is no card). Both see the suits in a
canonical order, so that what is learnt about one trump suit holds for all four.

A bid is a strain and a raise over the standing number, and its logit the sum of theirs: the ladder shares parameters,
and no layer is as wide as the action space. A call is therefore drawn in two steps, which multiply to the softmax over
all actions: the *choice* (a plain call, a capot in some strain, or some number in some strain), then the *raise*.
"""

from itertools import combinations, permutations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from agents.sizes import NetworkSize, TrunkSize
from agents.suits import reordering
from blot_env import RuleSet
from blot_env.actions import BIDS, PASS

_CALLS = BIDS - PASS  # calls without a number: pass, contra, recontra and the like
_IMPOSSIBLE = -1e9  # the logit of an illegal action; finite, so that no gradient turns to NaN
_AUCTION_INPUTS = ("hand", "seats", "strain", "number", "number_bits", "moment", "scores", "own", "calls")
# What a card adds to its suit's place in the canonical order: it counts, and the more the stronger it is as a trump.
# The low bits tell any two holdings apart. All sums are exact in float32.
_WEIGHTS = tuple(1024 * value + (4 << rank) for rank, value in enumerate((8, 8, 22, 18, 28, 11, 12, 19)))  # 7 8 … K A
_STANDING_SUIT = 1 << 19


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


class SuitOrder(nn.Module):
    """The canonical order of the suits of an observation: the standing strain first, then by the cards in hand.

    An order is known by its code, 0 to 63: one bit a pair of suits. All tables are indexed by it.
    """

    rank_weights: Tensor
    pair_bits: Tensor
    observations: Tensor  # (64, oracle size) natural column of each canonical one; observations are a prefix
    cards: Tensor  # (64, 32) natural card of each canonical one
    strains: Tensor  # (64, strains)
    canonical_cards: Tensor  # (64, 32) canonical card of each natural one
    canonical_strains: Tensor  # (64, strains)

    def __init__(self, rules: RuleSet) -> None:
        super().__init__()
        self.hand, self.strain = rules.observation["hand"], rules.observation["strain"]
        self.pairs = tuple(combinations(range(4), 2))
        orders: list[tuple[int, ...]] = [
            (0, 1, 2, 3)
        ] * 64  # order[position] = suit; codes that no order has keep the natural one
        for order in permutations(range(4)):
            place = [order.index(suit) for suit in range(4)]
            orders[sum((place[a] < place[b]) << bit for bit, (a, b) in enumerate(self.pairs))] = order
        cards = [[8 * suit + rank for suit in order for rank in range(8)] for order in orders]
        strains = [[*order, *range(4, len(rules.strains))] for order in orders]
        tables = {
            "observations": np.array([reordering(rules, rules.oracle, order) for order in orders]),
            "cards": cards,
            "strains": strains,
            "canonical_cards": torch.tensor(cards).argsort(1),
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
        first = [key[:, a] > key[:, b] for a, b in self.pairs]
        return (torch.stack(first, 1) * self.pair_bits).sum(1)

    def arrange(self, observations: Tensor, code: Tensor) -> Tensor:
        """Bring observations (or oracle vectors) into canonical order."""
        return observations.gather(1, self.observations[code, : observations.shape[1]])


class PolicyNetwork(nn.Module):
    """Logits for all actions of a rule set; sizes and columns come from its layouts.

    `cards` and `auction` are the compact form that training uses, in canonical order; `forward` is the flat space in
    natural order, which policies and exported bots use.
    """

    number_weights: Tensor
    numbers: Tensor

    def __init__(self, rules: RuleSet, size: NetworkSize) -> None:
        super().__init__()
        self.size = size
        layout = rules.observation
        self.columns = layout.size
        self.auction_inputs = [layout[name] for name in _AUCTION_INPUTS]
        self.number_bits = layout["number_bits"]
        self.min_number, self.max_number = rules.min_number, rules.max_number
        self.strains = len(rules.strains)
        self.raises = rules.max_number - rules.min_number + 1
        self.choices = _CALLS + 2 * self.strains  # calls, capots, strains

        self.order = SuitOrder(rules)
        inputs = sum(columns.stop - columns.start for columns in self.auction_inputs)
        self.cards_trunk = Trunk(layout.size, size.cards)
        self.cards_head = nn.Linear(size.cards.width, PASS)
        self.auction_trunk = Trunk(inputs, size.auction)
        self.auction_head = nn.Linear(size.auction.width, self.choices + self.raises)
        for head in (self.cards_head, self.auction_head):
            nn.init.orthogonal_(head.weight, 0.01)
            nn.init.zeros_(head.bias)
        with torch.no_grad():  # an untrained network raises by little, and is in no hurry to promise all tricks
            self.auction_head.bias[self.choices :] = -0.5 * torch.arange(self.raises)
            self.auction_head.bias[_CALLS : _CALLS + self.strains] = -3

        bits = self.number_bits.stop - self.number_bits.start
        self.register_buffer("number_weights", torch.tensor([1 << bit for bit in range(bits)]), persistent=False)
        self.register_buffer("numbers", torch.arange(self.min_number, self.max_number + 1), persistent=False)

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return self.cards_head.weight.device

    def cards(self, observations: Tensor) -> Tensor:
        """Return the logits of the cards: (n, columns) canonical -> (n, 32) canonical."""
        return self.cards_head(self.cards_trunk(observations))

    def auction(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits of choices (n, calls + capots + strains) and of raises 1, 2, … (n, raises), canonical."""
        inputs = torch.cat([observations[:, columns] for columns in self.auction_inputs], 1)
        logits = self.auction_head(self.auction_trunk(inputs))
        return logits[:, : self.choices], logits[:, self.choices :]

    def card_log_probabilities(self, observations: Tensor, legal: Tensor) -> Tensor:
        """Return log-probabilities (n, 32); `legal` is (n, 32) bool, canonical."""
        return self.cards(observations).masked_fill(~legal, _IMPOSSIBLE).log_softmax(1)

    def call_log_probabilities(self, observations: Tensor, legal: Tensor, raises: Tensor) -> tuple[Tensor, Tensor]:
        """Return log-probabilities of choices, and of raises once a strain is chosen.

        Args:
            observations: (n, columns) canonical.
            legal: (n, choices) bool, canonical; a strain is legal if some number is.
            raises: (n,) how many numbers above the standing one are legal; they are the lowest ones.
        """
        choice, step = self.auction(observations)
        possible = torch.arange(self.raises, device=step.device) < raises[:, None]
        step = step.masked_fill(~possible, _IMPOSSIBLE)
        mass = step.logsumexp(1, keepdim=True)
        bids = choice[:, -self.strains :] + mass  # a strain stands for all its numbers
        choice = torch.cat([choice[:, : -self.strains], bids], 1).masked_fill(~legal, _IMPOSSIBLE)
        return choice.log_softmax(1), step - mass

    def forward(self, observations: Tensor) -> Tensor:
        """Return unnormalised log-probabilities of all actions: (n, columns) natural -> (n, actions) natural.

        Where no bid of a number is possible its logit is that of the lowest one: mask illegal actions.
        """
        code = self.order.code(observations)
        canonical = self.order.arrange(observations, code).float()
        cards = self.cards(canonical).gather(1, self.order.canonical_cards[code])
        choice, step = self.auction(canonical)
        natural = self.order.canonical_strains[code]
        capots = choice[:, _CALLS : _CALLS + self.strains].gather(1, natural)
        strains = choice[:, -self.strains :].gather(1, natural)
        standing = (observations[:, self.number_bits].long() * self.number_weights).sum(1, keepdim=True)
        standing = standing.clamp(min=self.min_number - 1)
        above = step.gather(1, (self.numbers - standing - 1).clamp(min=0))  # (n, numbers)
        bids = (above[:, :, None] + strains[:, None, :]).flatten(1)
        return torch.cat([cards, choice[:, :_CALLS], bids, capots], 1)
