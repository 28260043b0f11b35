"""Whoever chooses an action: players by random, by rules, by a trained network, and exported bots.

>>> import agents, blot_env
>>> rules = blot_env.load_rules("bazar")
>>> agents.make("rules", rules).name
'rules@1'

Importing this package loads no torch; an agent's own module is imported when `make` is asked for it.
"""

from agents.agent import Agent, CheatingAgent, SearchingAgent, choose
from agents.spec import AGENTS, SpecError, make
from agents.tiers.table import table

__all__ = ["AGENTS", "Agent", "CheatingAgent", "SearchingAgent", "SpecError", "choose", "make", "table"]
