"""A sound club player of the numbered auction and four hands, written as rules that people can read.

Calls: `evaluate` (what a hand is worth), `outlook` (what the calls add), `bidding`. Cards: `situation` (what is known),
`chances` (who holds what), `worth` (of a card in hand), `play`; `cards` orders the cards by strength. All kernels read
rows of `VIEW`, one seat's knowledge.
"""

from agents.rule_based.player import RulePlayer

__all__ = ["RulePlayer"]
