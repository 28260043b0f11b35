"""Information set Monte Carlo tree search, for calls and cards (docs/search.md).

`player` is the agent, `search` one iteration after the other, `tree` its nodes, `moves` what is searched, `selection`
which move is looked at next, `rollout` the rest of a deal; `lockstep` and `by_policy` are searches that ask a network.
"""

from agents.search.ismcts.player import IsmctsPlayer

__all__ = ["IsmctsPlayer"]
