"""What tells apart agents of the same spec."""

from types import SimpleNamespace

import agents
from agents.digest import network_digest
from blot_env import RuleSet


def test_what_a_player_is_made_of_is_told_apart(rules: RuleSet) -> None:
    made = [agents.make(spec, rules) for spec in ("rules", "tier:easy", "tier:normal", "tier:easy")]
    nothing, easy, normal, again = map(network_digest, made)
    assert nothing is None
    assert easy == again
    assert easy is not None
    assert normal not in (None, easy)
    made[1].networks = SimpleNamespace(digests={"policy.onnx": "0"})  # type: ignore[attr-defined]
    assert network_digest(made[1]) not in (easy, normal)
