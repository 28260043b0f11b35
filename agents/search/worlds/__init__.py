"""Worlds: deals that agree with all that a seat knows, each as likely as any other (docs/search.md).

`study` prepares what a seat knows once a decision, `imagine` then draws a world in about a microsecond.
"""

from agents.search.worlds.imagine import imagine
from agents.search.worlds.knowledge import KNOWLEDGE
from agents.search.worlds.sampling import sample_worlds
from agents.search.worlds.study import study

__all__ = ["KNOWLEDGE", "imagine", "sample_worlds", "study"]
