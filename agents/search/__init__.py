"""Players that search the worlds that a seat may be in: by exact play (`solver`, `pimc`), by trees (`ismcts`).

`seer` is given the true world. `worlds` draws worlds, `likelihood` weighs them, `payoff` and `imagined` judge them.
"""
