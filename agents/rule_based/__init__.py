"""A sound club player of the numbered auction and four hands, written as rules that people can read.

`evaluate` and `bidding` decide calls; `situation`, `chances`, `worth` and `play` decide cards. `cards` orders them by
strength. The kernels read rows of `VIEW`, one seat's knowledge.
"""

from agents.rule_based.player import RulePlayer

__all__ = ["RulePlayer"]
