"""What all addresses of the API share: the forms of input, lists and problems, and their words."""

from collections.abc import Iterator
from datetime import UTC, datetime
from math import isfinite
from typing import Annotated, Any, Generic, Literal, TypeVar

from fastapi import Query
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    model_validator,
)

T = TypeVar("T")
PROBLEM = "application/problem+json"
REASONS = {
    400: "The request cannot be read: not JSON, not UTF-8, or a control character in the address.",
    401: "Nobody is signed in, or the API token is unknown, ended or revoked.",
    403: "The caller lacks the scope.",
    404: "There is no such thing, or none that the caller may see.",
    405: "This address does not know the method.",
    409: "The thing is in a state that does not admit this, or the Idempotency-Key is in use.",
    412: "The thing changed since the caller read it; nothing was written.",
    413: "The body is over 1 MiB.",
    415: "The body is not declared as JSON.",
    422: "The input is malformed; `errors` says what and where. Nothing was changed.",
    428: "The header If-Match is missing.",
    429: "Too many requests; wait as long as Retry-After says.",
    502: "The source could not be read.",
}


class In(BaseModel):
    """Base of request bodies: unknown members and text that cannot be stored are refused."""

    model_config = ConfigDict(extra="forbid", str_max_length=100_000)

    @model_validator(mode="before")
    @classmethod
    def can_be_stored(cls, value: Any) -> Any:  # noqa: ANN401 - whatever JSON came
        """No NUL, half surrogate pair, NaN or number beyond 64 bits, wherever it is."""
        for leaf in _leaves(value):
            if fault := _fault(leaf):
                raise ValueError(fault)
        return value


def _leaves(value: object) -> Iterator[object]:
    if isinstance(value, dict):
        yield from value
        yield from (leaf for inner in value.values() for leaf in _leaves(inner))
    elif isinstance(value, list):
        yield from (leaf for inner in value for leaf in _leaves(inner))
    else:
        yield value


def _fault(leaf: object) -> str:
    if isinstance(leaf, str):
        return _text_fault(leaf)
    if isinstance(leaf, float) and not isfinite(leaf):
        return "a number is not finite"
    beyond = isinstance(leaf, int) and not -(2**63) <= leaf < 2**63
    return "a number is beyond 64 bits" if beyond else ""


def _text_fault(text: str) -> str:
    if "\x00" in text:
        return "a text holds a NUL character"  # Postgres cannot store it
    if any("\ud800" <= char <= "\udfff" for char in text):
        return "a text holds half of a surrogate pair"
    return ""


class Out(BaseModel):
    """Base of answers, built from the values of the store; integers are exact at any size."""

    model_config = ConfigDict(from_attributes=True)


class PageOut(BaseModel, Generic[T]):
    """A window of a sorted list. The header Link holds the same neighbours as addresses."""

    items: list[T] = Field(description="The rows of this window.")
    next: str | None = Field(
        description="Send it as `after` for the next window; null at the end.", examples=[None]
    )
    previous: str | None = Field(
        description="Send it as `before` for the previous window; null at the start.",
        examples=[None],
    )
    total: int | None = Field(
        description="How many rows match in all; null where counting would cost too much.",
        examples=[1],
    )


class FaultOut(BaseModel):
    """One fault of an input."""

    where: str = Field(
        description=(
            "`#/a/0` is a JSON pointer into the body, `?a` a query parameter, `path a` a part of "
            "the address, `header a` a header; policies say `line 3, column 7`."
        ),
        examples=["#/name"],
    )
    what: str = Field(
        description="What is wrong there.", examples=["String should have at least 1 character"]
    )


class Problem(BaseModel):
    """A failure as RFC 9457 describes it. It never repeats what was sent."""

    type: str = Field(
        description="A URN per kind of problem.", examples=["urn:atalaya:problem:invalid-input"]
    )
    title: str = Field(description="The kind in words.", examples=["Invalid input"])
    status: int = Field(description="The HTTP status.", examples=[422])
    detail: str = Field(
        description="What went wrong here.", examples=["#/name: String should have at least 1"]
    )
    instance: str = Field(description="The path that was asked.", examples=["/api/v1/connections"])
    mend: str = Field(description="What to do about it.", examples=["correct what is listed"])
    errors: list[FaultOut] = Field(description="Single faults of an input; may be empty.")
    request_id: str = Field(
        description="The id of this request in our log.",
        examples=["01a22e72068972fcba91fed331d0ab60"],
    )


def _written_out(value: object) -> object:
    """A bare number might count seconds or milliseconds: nobody said which."""
    if isinstance(value, int | float) or (isinstance(value, str) and ":" not in value):
        raise ValueError("is no instant like 2026-11-30T09:00:00Z")
    return value


def _within_reach(value: datetime) -> datetime:
    if not FIRST <= value <= LAST:
        raise ValueError("is outside 1970 to 2199")
    return value


# Dates at the edge of the calendar cannot be brought to UTC.
FIRST = datetime(1970, 1, 1, tzinfo=UTC)
LAST = datetime(2199, 12, 31, tzinfo=UTC)
Instant = Annotated[AwareDatetime, BeforeValidator(_written_out), AfterValidator(_within_reach)]


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route that may fail so, beside what every route may."""
    reference = {"$ref": "#/components/schemas/Problem"}
    return {
        status: {"description": REASONS[status], "content": {PROBLEM: {"schema": reference}}}
        for status in statuses
    }


def csv_too() -> dict[int | str, dict[str, Any]]:
    """The `responses` of a list that is also given as CSV."""
    sample = "name\r\n'=not a formula\r\n"
    text = {"schema": {"type": "string", "description": "RFC 4180, UTF-8."}, "example": sample}
    return {200: {"content": {"text/csv": text}}}


VerdictWord = Literal["", "compliant", "non_compliant", "waived", "unknown", "not_applicable"]
Search = Annotated[
    str,
    Query(max_length=200, description="Text to look for, whatever the case.", examples=["corpus"]),
]
IdFilter = Annotated[
    str,
    Query(
        max_length=36,
        pattern=r"^$|^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$",
        examples=["0193a6c0-8f7e-7c4e-9a53-2f1f0b8f3c11"],
    ),
]
ConnectionId = Annotated[IdFilter, Query(description="Only of this connection.")]
