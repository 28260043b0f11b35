"""Bit operations on int64 sets: compiled to single instructions, with plain twins for Python."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload
from numpy.typing import NDArray


def popcount(bits: int) -> int:
    """Return how many bits are set."""
    return int(bits).bit_count()


def lowest(bits: int) -> int:
    """Return the index of the lowest set bit; `bits` must not be 0."""
    return (int(bits) & -int(bits)).bit_length() - 1


def highest(bits: int) -> int:
    """Return the index of the highest set bit; `bits` must not be 0 or negative."""
    return int(bits).bit_length() - 1


def spread(row: NDArray[np.uint8] | NDArray[np.int8], column: int, bits: int, width: int) -> None:
    """Write the lowest `width` bits as bytes 0 or 1 to `row[column:column + width]`, lowest bit first.

    `width` must be 8, 16, 32 or 64, written as a literal: compiled, it is one masked vector store.
    """
    for offset in range(width):
        row[column + offset] = (int(bits) >> offset) & 1


def nth(bits: int, n: int) -> int:
    """Return the index of the set bit with `n` set bits below it."""
    for _ in range(n):
        bits &= bits - 1
    return lowest(bits)


@intrinsic
def _popcount(typing: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@intrinsic
def _trailing_zeros(typing: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), codegen


@intrinsic
def _leading_zeros(typing: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), codegen


@intrinsic(prefer_literal=True)
def _spread(typing: Any, row: Any, column: Any, bits: Any, width: Any) -> Any:
    if not isinstance(width, types.IntegerLiteral):
        return None
    lanes = width.literal_value

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        word = builder.trunc(args[2], ir.IntType(lanes)) if lanes < 64 else args[2]
        flags = builder.bitcast(word, ir.VectorType(ir.IntType(1), lanes))
        values = builder.zext(flags, ir.VectorType(ir.IntType(8), lanes))
        target = builder.bitcast(builder.gep(data, [args[1]]), values.type.as_pointer())
        builder.store(values, target).align = 1
        return context.get_dummy_value()

    return types.void(row, types.int64, types.int64, width), codegen


@overload(popcount)
def _overload_popcount(bits):  # type: ignore[no-untyped-def]
    return lambda bits: _popcount(bits)


@overload(lowest)
def _overload_lowest(bits):  # type: ignore[no-untyped-def]
    return lambda bits: _trailing_zeros(bits)


@overload(highest)
def _overload_highest(bits):  # type: ignore[no-untyped-def]
    return lambda bits: 63 - _leading_zeros(bits)


@overload(spread, prefer_literal=True)
def _overload_spread(row, column, bits, width):  # type: ignore[no-untyped-def]
    return lambda row, column, bits, width: _spread(row, column, bits, width)


@overload(nth)
def _overload_nth(bits, n):  # type: ignore[no-untyped-def]
    def nth_bit(bits, n):  # type: ignore[no-untyped-def]
        for _ in range(n):
            bits &= bits - 1
        return _trailing_zeros(bits)

    return nth_bit
