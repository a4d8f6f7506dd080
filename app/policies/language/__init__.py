"""The policy language: a subset of CEL with three values, checked before it is accepted.

program = check_program("facts.size_bytes > 0", "facts.versioning == 'Enabled'", scope)
run = compile_batch([(program, params)])
verdicts = run(rows, now)                      # by program, then by row
explain(program, row, params, now).reasons     # what made one unknown
"""

from app.policies.language.batch import CompiledBatch, compile_batch
from app.policies.language.checker import check, check_program
from app.policies.language.errors import PolicySyntaxError
from app.policies.language.evaluation import Explanation, Outcome, evaluate, explain
from app.policies.language.expression import Expression, Program, Row
from app.policies.language.messages import check_message, placeholders, render_message
from app.policies.language.types import (
    RESOURCE,
    BoolType,
    DurationType,
    Field,
    FloatType,
    IntType,
    ListType,
    MapType,
    ObjectType,
    Scope,
    StringType,
    TimestampType,
    Type,
)
from app.policies.language.values import UnknownError, conform_deeply

__all__ = [
    "RESOURCE",
    "BoolType",
    "CompiledBatch",
    "DurationType",
    "Explanation",
    "Expression",
    "Field",
    "FloatType",
    "IntType",
    "ListType",
    "MapType",
    "ObjectType",
    "Outcome",
    "PolicySyntaxError",
    "Program",
    "Row",
    "Scope",
    "StringType",
    "TimestampType",
    "Type",
    "UnknownError",
    "check",
    "check_message",
    "check_program",
    "compile_batch",
    "conform_deeply",
    "evaluate",
    "explain",
    "placeholders",
    "render_message",
]
