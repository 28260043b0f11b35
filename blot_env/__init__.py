"""The games of the blot family: rules, exact engine and environments. Knows no agent."""

import gymnasium
import pettingzoo

from blot_env.batch import BatchEnv, random_playouts
from blot_env.events import Listener, events
from blot_env.game import Game, IllegalAction, replay
from blot_env.messages import decision_from_message
from blot_env.records import RecordError
from blot_env.rules import RULESETS, RulesError, RuleSet, load_rules
from blot_env.views import Decisions

__all__ = [
    "RULESETS",
    "BatchEnv",
    "Decisions",
    "Game",
    "IllegalAction",
    "Listener",
    "RecordError",
    "RuleSet",
    "RulesError",
    "decision_from_message",
    "events",
    "load_rules",
    "random_playouts",
    "replay",
]

gymnasium.register("Blot-v0", entry_point="agents.gym_env:BlotEnv")
pettingzoo.register("aec", "blot_v0", entry_point="blot_env.blot_v0:env")
