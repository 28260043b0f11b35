"""The double-dummy solver: what a deal is worth when all cards are seen and everybody plays for the best.

`double_dummy` is what Python calls. Kernels: `position` (cards by strength, and the table of what was searched),
`moves` (in which order cards are tried), `bounds` (what is sure without searching), `minimax` (the search).
"""

from agents.search.solver.double_dummy import (
    NotSolvable,
    double_dummy,
    every_contract,
    play_best,
    solve_cards_of,
    solve_states,
    strain_table,
)
from agents.search.solver.minimax import NO_CARD
from agents.search.solver.position import NO_TRICK

__all__ = [
    "NO_CARD",
    "NO_TRICK",
    "NotSolvable",
    "double_dummy",
    "every_contract",
    "play_best",
    "solve_cards_of",
    "solve_states",
    "strain_table",
]
