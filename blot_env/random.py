"""Counter-based randomness: a number is a hash of a key and a counter, whatever was drawn before.

Keys are made by absorbing words (seed, board, deal …) one after the other. All products stay below 2^63, so compiled
code and plain Python agree to the bit. The mixer is the two-round 32-bit integer hash of C. Wellons' hash-prospector,
with constants below 2^31.
"""

from blot_env.compile import kernel

LOW = 0xFFFFFFFF


@kernel
def mix(x: int) -> int:
    """Return a hash of 32 bits in 32 bits; a bijection."""
    x ^= x >> 16
    x = (x * 0x21F0AAAD) & LOW
    x ^= x >> 15
    x = (x * 0x735A2D97) & LOW
    return x ^ (x >> 15)


@kernel
def absorb(key: int, word: int) -> int:
    """Return a new 63-bit key from a key and any non-negative word: two 32-bit lanes, hashed apart."""
    low, high = key & LOW, key >> 32
    for part in (word & LOW, word >> 32):
        low = mix(((low ^ part) + 0x632BE5AB) & LOW)
        high = mix(((high ^ part) + 0x1C69B3F7) & LOW)
    return (high & 0x7FFFFFFF) << 32 | low


@kernel
def draw(key: int, counter: int) -> int:
    """Return 32 random bits: number `counter` (below 2^31) of the key's stream."""
    return mix(((key & LOW) + counter * 0x3C6EF373) & LOW) ^ (key >> 32)


@kernel
def below(key: int, counter: int, n: int) -> int:
    """Return a random number in `[0, n)` for `n` up to 2^31; the bias is below n / 2^32."""
    return (draw(key, counter) * n) >> 32


@kernel
def board_key(seed: int, board: int, deal: int, redeal: int) -> int:
    """Return the key of the cards of one board."""
    return absorb(absorb(absorb(seed, board), deal), redeal)


@kernel
def decision_seed(seed: int, board: int, deal: int, redeal: int, seat: int, decision: int) -> int:
    """Return an agent's seed for its decision after `decision` actions of a deal."""
    return absorb(absorb(absorb(board_key(seed, board, deal, redeal), 0xA6E47), seat), decision)
