"""What tells apart agents of the same spec: the networks and the knobs that they play by."""

from hashlib import sha256

from agents.agent import Agent


def network_digest(agent: Agent) -> str | None:
    """Return a digest of the network and the tier that an agent plays by, None where it has neither."""
    parts = getattr(agent, "manifest", None), getattr(agent, "tier", None)
    held = [part.model_dump_json() for part in parts if part is not None]
    held += getattr(getattr(agent, "networks", None), "digests", {}).values()
    return sha256("\n".join(held).encode()).hexdigest() if held else None
