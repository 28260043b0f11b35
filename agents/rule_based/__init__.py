"""A sound club player of every game, written as rules that people can read.

Calls: `values` (what holdings are worth, by shape of game), `evaluate` (a hand), `outlook` (what the calls add),
`stakes` (what a contract may bring), `bidding` (numbers), `naming` (trump, the seven, discards), `claims` (announcing
and showing). Cards: `situation` (what is known), `chances` (who holds what), `tricks` and `worth` (of a card in hand),
`play`; `cards` orders the cards by strength. `options` is what all of them answer: actions with their values. All
kernels read the rules and rows of `VIEW`, one seat's knowledge.
"""

from agents.rule_based.player import RulePlayer

__all__ = ["RulePlayer"]
