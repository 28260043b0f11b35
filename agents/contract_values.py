"""Contract values without torch: from what a seat observes in the auction, what each contract is likely to bring.

`train.contract_values` makes the file, `values.onnx`: observation, uint8 (n, columns) -> values, float32
(n, strains × 2 × (BINS + 2)). For each strain, played by the seat's own side and by others, they are

- how likely whoever plays it takes each share of the card points (`agents.contract_shares`);
- the combinations and blots to be expected, own and others'.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from agents.contract_shares import BINS
from agents.graph import Graph
from agents.manifest import file_digest
from agents.match_odds import MATCH_ODDS, MatchOdds
from agents.resources import find
from agents.rule_based.values import values_of
from blot_env import RuleSet
from blot_env.files import read_regular

VALUES = "values.onnx"


class ContractValuesError(ValueError):
    """Contract values that cannot be used; the message says which file is wrong and why."""


class ContractValues:
    """What contracts bring, as a network foresees it; a row's outcome depends on nothing but the row."""

    def __init__(
        self, rules: RuleSet, content: bytes, path: Path = Path(VALUES), odds: MatchOdds | None = None
    ) -> None:
        """Open contract values.

        Args:
            rules: the game that they were made for.
            content: of `values.onnx`.
            path: where it stands, for messages.
            odds: of the match, where they are known.

        Raises:
            GraphError: it is no such file, or made for another game; or onnxruntime is missing.
        """
        self.rules, self.odds, self._strains = rules, odds, len(rules.strains)
        self.digests = {VALUES: file_digest(content)}
        if odds is not None:
            self.digests[MATCH_ODDS] = file_digest(odds.table.tobytes())
        self.deck = values_of(rules).deck[: self._strains].copy()  # (strains,) card points of a deal, on average
        width = self._strains * 2 * (BINS + 2)
        self._graph = Graph(content, path, ("observation", rules.observation.size), ("values", width))

    def foresee(self, observations: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return shares (n, strains, 2, BINS) and extras (n, strains, 2, 2) of observations (n, columns)."""
        rows = self._graph(observations).reshape(-1, self._strains, 2, BINS + 2)
        return rows[..., :BINS], rows[..., BINS:]


def open_values(rules: RuleSet, path: str | Path) -> ContractValues:
    """Open the contract values of a file, or of a folder with `values.onnx` in it, and the odds of the match beside it.

    Raises:
        ContractValuesError: there is none.
        GraphError, MatchOddsError: it cannot be used.
    """
    try:
        found = find(path)
        file = found / VALUES if found.is_dir() else found
        odds = file.with_name(MATCH_ODDS)
        return ContractValues(rules, read_regular(file), file, MatchOdds.load(odds, rules) if odds.exists() else None)
    except OSError as error:
        reason = f"{error.filename}: {error.strerror}" if error.filename else str(error)
        raise ContractValuesError(f"{reason}; name {VALUES}, or a folder with it") from None
