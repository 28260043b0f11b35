"""Turns around the table."""

from blot_env.compile import kernel


@kernel(forceinline=True)
def seat_after(players: int, seat: int, turns: int = 1) -> int:
    """Return the seat some turns (0 to `players`) after another. A remainder would cost ten times as much."""
    place = seat + turns
    return place - players if place >= players else place
