"""Contract values: from a hand and the calls heard, how many points each contract brings.

    blot train configs/bazar/contract-values.toml --name values

`deals` plays deals and notes what seats knew in the auction, `labels` solves them in every strain, `network` learns the
distribution, `correction` turns points with all cards seen into points as they are really played, `export` writes what
bots use, `stage` is the loop, `config` its settings.
"""

from train.contract_values.config import ContractValuesConfig
from train.contract_values.export import load_values, write_values
from train.contract_values.stage import run

__all__ = ["ContractValuesConfig", "load_values", "run", "write_values"]
