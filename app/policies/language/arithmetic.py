"""CEL's sums: whole numbers of 64 bits that truncate toward zero, finite floats, times.

Interpreter and generated code call the same functions, so they cannot disagree.
"""

import math
import operator
from collections.abc import Callable
from typing import Any

from app.policies.language.types import (
    DurationType,
    FloatType,
    IntType,
    TimestampType,
    Type,
)

INT_MIN, INT_MAX = -(2**63), 2**63 - 1


def _whole(result: int) -> int:
    if not INT_MIN <= result <= INT_MAX:
        raise OverflowError("outside 64 bits")
    return result


def _finite(result: float) -> float:
    if not math.isfinite(result):
        raise OverflowError("not finite")
    return result


def add_int(left: int, right: int) -> int:
    """OverflowError outside 64 bits, as for all of these."""
    return _whole(left + right)


def subtract_int(left: int, right: int) -> int:
    return _whole(left - right)


def multiply_int(left: int, right: int) -> int:
    return _whole(left * right)


def divide_int(left: int, right: int) -> int:
    """Truncates toward zero, where Python rounds down."""
    quotient = abs(left) // abs(right)
    return _whole(quotient if (left < 0) == (right < 0) else -quotient)


def remainder_int(left: int, right: int) -> int:
    """Has the sign of the dividend, where Python takes that of the divisor."""
    return left - right * divide_int(left, right)


def negate_int(operand: int) -> int:
    return _whole(-operand)


def add_float(left: float, right: float) -> float:
    """OverflowError for a result that is not finite, as for all of these."""
    return _finite(float(left) + float(right))


def subtract_float(left: float, right: float) -> float:
    return _finite(float(left) - float(right))


def multiply_float(left: float, right: float) -> float:
    return _finite(float(left) * float(right))


def divide_float(left: float, right: float) -> float:
    """ZeroDivisionError by zero: a ratio over nothing is unknown, not infinite as in CEL."""
    return _finite(float(left) / float(right))


def negate_float(operand: float) -> float:
    return -float(operand)


Operation = Callable[..., Any]
_INT: dict[str, Operation] = {
    "+": add_int,
    "-": subtract_int,
    "*": multiply_int,
    "/": divide_int,
    "%": remainder_int,
}
_FLOAT: dict[str, Operation] = {
    "+": add_float,
    "-": subtract_float,
    "*": multiply_float,
    "/": divide_float,
}
_TIME: dict[tuple[str, type[Type], type[Type]], Type] = {
    ("+", TimestampType, DurationType): TimestampType(),
    ("+", DurationType, TimestampType): TimestampType(),
    ("-", TimestampType, DurationType): TimestampType(),
    ("-", TimestampType, TimestampType): DurationType(),
    ("+", DurationType, DurationType): DurationType(),
    ("-", DurationType, DurationType): DurationType(),
}
_PLAIN: dict[str, Operation] = {"+": operator.add, "-": operator.sub}


def sum_of(op: str, left: Type, right: Type) -> tuple[Operation, Type] | None:
    """The function of `left op right` and the type of its result, if CEL knows such a sum."""
    if isinstance(left, IntType) and isinstance(right, IntType):
        return _INT[op], left
    if isinstance(left, FloatType) and isinstance(right, FloatType) and op in _FLOAT:
        return _FLOAT[op], left
    result = _TIME.get((op, type(left), type(right)))
    return (_PLAIN[op], result) if result is not None else None


def negation(operand: Type) -> Operation | None:
    """The function of unary minus, if the type has one."""
    if isinstance(operand, IntType):
        return negate_int
    return negate_float if isinstance(operand, FloatType) else None
