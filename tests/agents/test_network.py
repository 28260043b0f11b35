"""The network's two forms agree, and it knows no suit from another."""

from itertools import permutations

import numpy as np
import pytest
import torch

from agents.network import PolicyNetwork
from agents.suits import reordering
from blot_env import RULESETS, Decisions, Game, RuleSet, load_rules
from blot_env.actions import BIDS, NAME, PASS
from tests.renaming import moments, renamed_actions
from tests.untrained import SMALL, untrained_network
from train.compact import Compact

HOUSE = {
    "bazar, stepwise capots": load_rules("bazar", capot="mark", capot_min=20, jump_bids=False),
    "a turned card, no trick": load_rules("duel", forced_dealer=False),
}
GAMES = {name: load_rules(name) for name in RULESETS} | HOUSE


@pytest.fixture(scope="module", params=GAMES)
def rules(request: pytest.FixtureRequest) -> RuleSet:
    return GAMES[request.param]


@pytest.fixture(scope="module")
def network(rules: RuleSet) -> PolicyNetwork:
    return untrained_network(rules, 0).eval()


@pytest.fixture(scope="module")
def decisions(rules: RuleSet) -> Decisions:
    """Decisions of all phases of random deals, each with some choice."""
    rng, found = np.random.default_rng(0), []
    for board in range(30):
        game = Game(rules, seed=3, board=board)
        for _ in moments(game, rng):
            decision = game.decision()
            if decision.masks.sum() > 1:
                found.append(decision)
    columns = ("views", "observations", "masks", "seeds")
    return Decisions(rules, *(np.concatenate([getattr(d, name) for d in found]) for name in columns))


@torch.inference_mode()
def test_compact_and_flat_probabilities_agree(network: PolicyNetwork, decisions: Decisions) -> None:
    rules = decisions.rules
    compact = Compact(rules, network)
    observations, masks = torch.from_numpy(decisions.observations), torch.from_numpy(decisions.masks)
    flat = network(observations).masked_fill(masks == 0, -torch.inf).log_softmax(1)
    code = network.order.code(observations)
    canonical = network.order.arrange(observations, code).float()
    is_card = masks[:, :PASS].any(1)
    assert 0.2 < is_card.float().mean() < 0.99
    drawn = flat.exp().multinomial(1, generator=torch.Generator().manual_seed(0)).squeeze(1)
    wanted = flat.gather(1, drawn[:, None]).squeeze(1)

    rows = torch.nonzero(is_card).squeeze(1)
    cards = network.card_log_probabilities(canonical[rows], compact.legal_cards(masks[rows], code[rows]))
    action = compact.compact_cards(drawn[rows], code[rows])
    assert torch.equal(compact.flat_cards(action, code[rows]), drawn[rows])
    torch.testing.assert_close(cards.gather(1, action[:, None]).squeeze(1), wanted[rows])

    rows = torch.nonzero(~is_card).squeeze(1)
    calls = compact.legal_calls(masks[rows], code[rows])
    choice, steps = network.call_log_probabilities(canonical[rows], calls.choices, calls.raises)
    action, raised = compact.compact_calls(drawn[rows], calls.lowest, code[rows])
    assert torch.equal(compact.flat_calls(action, raised, calls.lowest, code[rows]), drawn[rows])
    step = steps[torch.arange(len(rows)), network.ladder_of[action]].gather(1, raised[:, None])
    torch.testing.assert_close((choice.gather(1, action[:, None]) + step).squeeze(1), wanted[rows])

    capots = rules.actions.capots
    kinds = [(drawn[rows] >= BIDS) & (drawn[rows] < capots), drawn[rows] >= capots]
    assert [bool(kind.any()) for kind in kinds] == [rules.numbered, rules.actions.size > capots]
    assert rules.numbered or ((drawn[rows] >= NAME) & (drawn[rows] < NAME + 4)).any()


@torch.inference_mode()
def test_renaming_the_suits_renames_the_actions(network: PolicyNetwork, decisions: Decisions) -> None:
    """In all 24 ways: so training on renamed deals would add nothing."""
    rules, observations = decisions.rules, torch.from_numpy(decisions.observations)
    suits = decisions.observations[:, rules.observation["hand"]].reshape(-1, 4, 8)
    distinct = np.array([len({suit.tobytes() for suit in hand}) == 4 for hand in suits])  # no ties between suits
    logits = network(observations[distinct])
    for order in permutations(range(4)):
        renamed = network(observations[distinct][:, reordering(rules, rules.observation, order)])
        torch.testing.assert_close(renamed, logits[:, renamed_actions(rules, order)])


def test_the_trump_comes_first_then_the_suit_of_the_turned_card() -> None:
    rules = load_rules("duel")
    network = PolicyNetwork(rules, SMALL)
    game = Game(rules, seed=1)
    turned = int(game.state.public.turned) >> 3
    first = []
    for call in ("pass", "pass", f"name{'CDHS'[(turned + 1) % 4]}"):
        observation = torch.from_numpy(game.observe()[0])[None]
        first.append(int(network.order.strains[network.order.code(observation), 0]))
        game.play(call)
    observation = torch.from_numpy(game.observe()[0])[None]
    order = network.order.strains[network.order.code(observation)][0].tolist()
    assert first == [turned] * 3
    assert order[:2] == [(turned + 1) % 4, turned]
