"""Counter-based randomness: the same numbers compiled and in plain Python, and no visible pattern."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blot_env import random as generator

KEYS = st.integers(0, 2**63 - 1)
COUNTERS = st.integers(0, 2**31 - 1)


def plain(function):
    """The Python behind a kernel (with the JIT off, the kernel itself)."""
    return getattr(function, "py_func", function)


@pytest.mark.nojit
@given(KEYS, COUNTERS, st.integers(1, 2**31))
def test_compiled_and_plain_agree(key, counter, n):
    for function, arguments in [
        (generator.draw, (key, counter)),
        (generator.below, (key, counter, n)),
        (generator.absorb, (key, counter)),
        (generator.board_key, (key, counter, 3, 1)),
        (generator.decision_seed, (key, counter, 3, 1, 2, 40)),
    ]:
        assert int(function(*arguments)) == int(plain(function)(*arguments))


@given(KEYS, COUNTERS, st.integers(1, 2**31))
def test_ranges(key, counter, n):
    assert 0 <= generator.draw(key, counter) < 2**32
    assert 0 <= generator.below(key, counter, n) < n
    assert 0 <= generator.absorb(key, counter) < 2**63


@pytest.mark.nojit
def test_the_numbers_stay_the_same_between_versions():
    assert [int(generator.draw(12345, counter)) for counter in range(3)] == [2258480790, 1794640889, 2320000828]


def test_keys_do_not_collide():
    keys = {
        int(generator.board_key(seed, board, deal, redeal))
        for seed in range(20)
        for board in range(20)
        for deal in range(10)
        for redeal in range(5)
    }
    assert len(keys) == 20 * 20 * 10 * 5


def test_numbers_are_spread_evenly():
    # 10,000 draws below 10: 1000 of each on average, standard deviation 30; five of those are 150.
    for key in (0, 1, 2**40 + 1):
        counts = [0] * 10
        pairs = [[0] * 10 for _ in range(10)]
        before = 0
        for counter in range(10_000):
            number = int(generator.below(key, counter, 10))
            counts[number] += 1
            pairs[before][number] += 1
            before = number
        assert all(abs(count - 1000) < 150 for count in counts)
        assert all(abs(count - 100) < 50 for row in pairs for count in row)  # and after each number alike
