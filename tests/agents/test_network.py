"""The network's two forms agree, and it knows no suit from another."""

from itertools import permutations

import numpy as np
import pytest
import torch

from agents.network import PolicyNetwork
from agents.sizes import NetworkSize, TrunkSize
from agents.suits import reordering
from blot_env import BatchEnv, Decisions, load_rules
from blot_env.actions import BIDS, PASS
from train.compact import Compact

RULES = load_rules("bazar")
SMALL = NetworkSize(cards=TrunkSize(width=16, blocks=1), auction=TrunkSize(width=16, blocks=1))


@pytest.fixture(scope="module")
def network() -> PolicyNetwork:
    torch.manual_seed(0)
    network = PolicyNetwork(RULES, SMALL)
    for head in (network.cards_head, network.auction_head):
        torch.nn.init.normal_(head.weight)  # as if it had learnt something
    return network.eval()


@pytest.fixture(scope="module")
def decisions() -> Decisions:
    """Decisions of all phases of random deals, each with some choice."""
    env = BatchEnv(RULES, 40, seed=3)
    rng = np.random.default_rng(0)
    _, mask, _ = env.reset()
    found = []
    for _ in range(60):
        found.append(env.decisions(np.flatnonzero(mask.sum(1) > 1)))
        actions = env.sample(mask)
        quiet = rng.random(40) < 0.6  # otherwise hardly a contract is below a capot
        actions[quiet & (mask[:, PASS] > 0)] = PASS
        low = (mask[:, BIDS : BIDS + 60] > 0).argmax(1) + BIDS + rng.integers(0, 5, 40)
        bids = ~quiet & (mask[np.arange(40), low] > 0)
        actions[bids] = low[bids]
        _, mask, *_ = env.step(actions)
    return Decisions(
        RULES,
        *(np.concatenate([getattr(d, name) for d in found]) for name in ("views", "observations", "masks", "seeds")),
    )


@torch.inference_mode()
def test_compact_and_flat_probabilities_agree(network: PolicyNetwork, decisions: Decisions) -> None:
    compact = Compact(RULES, network)
    observations, masks = torch.from_numpy(decisions.observations), torch.from_numpy(decisions.masks)
    flat = network(observations).masked_fill(masks == 0, -torch.inf).log_softmax(1)
    code = network.order.code(observations)
    canonical = network.order.arrange(observations, code).float()
    is_card = masks[:, :PASS].any(1)
    assert 0.2 < is_card.float().mean() < 0.9
    drawn = flat.exp().multinomial(1, generator=torch.Generator().manual_seed(0)).squeeze(1)
    wanted = flat.gather(1, drawn[:, None]).squeeze(1)

    rows = torch.nonzero(is_card).squeeze(1)
    cards = network.card_log_probabilities(canonical[rows], compact.legal_cards(masks[rows], code[rows]))
    action = compact.compact_cards(drawn[rows], code[rows])
    assert torch.equal(compact.flat_cards(action, code[rows]), drawn[rows])
    torch.testing.assert_close(cards.gather(1, action[:, None]).squeeze(1), wanted[rows])

    rows = torch.nonzero(~is_card).squeeze(1)
    calls = compact.legal_calls(masks[rows], code[rows])
    choice, step = network.call_log_probabilities(canonical[rows], calls.choices, calls.raises)
    action, raised = compact.compact_calls(drawn[rows], calls.lowest, code[rows])
    assert torch.equal(compact.flat_calls(action, raised, calls.lowest, code[rows]), drawn[rows])
    of_raise = step.gather(1, raised[:, None]) * (action >= compact.first_strain)[:, None]
    torch.testing.assert_close((choice.gather(1, action[:, None]) + of_raise).squeeze(1), wanted[rows])
    bids = (drawn[rows] >= BIDS) & (drawn[rows] < RULES.actions.capots)
    assert bids.any()
    assert (drawn[rows] >= RULES.actions.capots).any()


@torch.inference_mode()
@pytest.mark.parametrize("order", list(permutations(range(4)))[1::5])
def test_renaming_the_suits_renames_the_actions(
    network: PolicyNetwork, decisions: Decisions, order: tuple[int, ...]
) -> None:
    observations = torch.from_numpy(decisions.observations)
    suits = decisions.observations[:, RULES.observation["hand"]].reshape(-1, 4, 8)
    distinct = np.array([len({suit.tobytes() for suit in hand}) == 4 for hand in suits])  # no ties between suits
    columns = reordering(RULES, RULES.observation, order)
    logits, renamed = network(observations[distinct]), network(observations[distinct][:, columns])
    actions = np.arange(RULES.actions.size)
    strains = np.array([*order, 4])
    actions[:PASS] = (8 * np.array(order)[:, None] + np.arange(8)).ravel()
    bids = actions[BIDS:].reshape(-1, 5)
    actions[BIDS:] = bids[:, strains].ravel()
    torch.testing.assert_close(renamed, logits[:, actions])
