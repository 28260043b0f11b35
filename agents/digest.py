"""What tells apart agents of the same spec: the networks and the knobs that they play by."""

import json
from hashlib import sha256

from agents.agent import Agent, FurnishedAgent


def agent_digest(agent: Agent) -> str | None:
    """Return a digest of the networks and the knobs that an agent plays by, None where it has neither."""
    made_of = agent.made_of if isinstance(agent, FurnishedAgent) else {}
    return sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest() if made_of else None
