"""The network of contract values: who sees an observation in the auction, what each contract would bring.

Every suit is asked about in turn, and stands first whenever it is: one head serves all four, and what is learnt about
one holds for the others. No trump and all trump have heads of their own.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from agents.contract_shares import BINS
from agents.network import AUCTION_INPUTS, SuitOrder, Trunk
from agents.sizes import TrunkSize
from blot_env import RuleSet

EXTRAS = 2  # expected combinations and blots: own, others'
EXTRAS_SCALE = 50.0  # raw points that the network has as 1
ROLES = 2
_WIDTH = ROLES * (BINS + EXTRAS)


class ContractNetwork(nn.Module):
    """Distributions over `agents.contract_shares` and expected extras, by strain and by who plays the contract."""

    front: Tensor  # (64, 4) the code of each order with its first, second … suit moved to the front
    columns: Tensor  # (64, inputs) natural columns of the auction's canonical ones
    correction: Tensor  # (strains, BINS, BINS) from bins with all cards seen to bins as they are played

    def __init__(self, rules: RuleSet, size: TrunkSize) -> None:
        super().__init__()
        self.size, self.strains = size, len(rules.strains)
        self.order = SuitOrder(rules)
        layout = rules.observation
        blocks = [layout[name] for name in AUCTION_INPUTS if name in layout.names]
        inputs = torch.cat([torch.arange(block.start, block.stop) for block in blocks])
        self.trunk = Trunk(len(inputs), size)
        self.suit_head = nn.Linear(size.width, _WIDTH)
        heads = [self.suit_head]
        if self.strains > 4:
            self.other_head = nn.Linear(size.width, (self.strains - 4) * _WIDTH)
            heads.append(self.other_head)
        for head in heads:
            nn.init.zeros_(head.weight)
            nn.init.zeros_(head.bias)
        self.register_buffer("front", self._fronts(), persistent=False)
        self.register_buffer("columns", self.order.observations[:, inputs], persistent=False)
        self.register_buffer("correction", torch.eye(BINS).repeat(self.strains, 1, 1))

    def _fronts(self) -> Tensor:
        orders = self.order.strains[:, :4].tolist()
        by_order = {tuple(order): code for code, order in reversed(list(enumerate(orders))) if self._is_code(code)}
        fronts = [
            [by_order[order[place], *order[:place], *order[place + 1 :]] for place in range(4)] for order in orders
        ]
        return torch.tensor(fronts)

    def _is_code(self, code: int) -> bool:
        """Return whether a code is one of an order: others stand for none."""
        order = self.order.strains[code, :4].tolist()
        place = [order.index(suit) for suit in range(4)]
        return code == sum((place[a] < place[b]) << bit for bit, (a, b) in enumerate(self.order.pairs))

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits with all cards seen, (n, strains, 2, BINS), and extras, (n, strains, 2, 2), in raw points.

        Args:
            observations: (n, columns) in natural order, of seats that call.
        """
        code = self.order.code(observations)
        asked = self.columns[self.front[code]]  # (n, 4, inputs)
        inputs = observations[:, None].expand(-1, 4, -1).gather(2, asked).float()
        seen = self.trunk(inputs)
        found = [self.suit_head(seen)]  # (n, 4, width)
        if self.strains > 4:
            found.append(self.other_head(seen[:, 0]).reshape(-1, self.strains - 4, _WIDTH))
        canonical = torch.cat(found, 1)
        natural = self.order.canonical_strains[code][:, :, None].expand(-1, -1, _WIDTH)
        whole = canonical.gather(1, natural).unflatten(2, (ROLES, BINS + EXTRAS))
        return whole[..., :BINS], EXTRAS_SCALE * whole[..., BINS:]

    def played(self, logits: Tensor) -> Tensor:
        """Return probabilities of what is taken in real play: (…, strains, 2, BINS) -> the same."""
        return logits.softmax(-1) @ self.correction


class Corrected(nn.Module):
    """What bots use, in one row: probabilities of what is taken in real play, then extras."""

    def __init__(self, network: ContractNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, observations: Tensor) -> Tensor:
        """Return (n, strains × 2 × (BINS + 2)): for each strain and who plays it BINS shares and two extras."""
        logits, extras = self.network(observations)
        return torch.cat([self.network.played(logits), functional.relu(extras)], 3).flatten(1)
