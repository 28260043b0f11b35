"""Players that search: exact play in the worlds that a seat may be in."""
