"""Checks that the settings of every kind of connection share; each fault is a place and a text."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from app.kit.errors import InvalidInputError

Faults = Iterator[tuple[str, str]]
SECRET_REFERENCE = re.compile(r"env:[A-Za-z_][A-Za-z0-9_]*|file:/.+")
REFERENCE_WANTED = "a reference, env:NAME or file:/path; a secret itself is never stored"
# A bound against typing mistakes.
_MOST_REQUESTS_PER_SECOND = 10_000


def given_settings(config: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that have a value; an empty field of a form is one that was not given."""
    return {key: value for key, value in config.items() if value not in (None, "")}


def refuse(found: Faults) -> None:
    """Raises InvalidInputError with every fault, or returns when there is none."""
    faults = tuple({"where": where, "what": what} for where, what in found)
    if faults:
        raise InvalidInputError(
            "; ".join(f"{fault['where']}: {fault['what']}" for fault in faults),
            mend="Correct the named settings of the connection; nothing was changed.",
            errors=faults,
        )


def setting_faults(given: Mapping[str, Any], known: Collection[str]) -> Faults:
    """Unknown settings, and wrong values of those that every connection has."""
    for name in sorted(given.keys() - set(known)):
        yield name, f"unknown setting; known are {', '.join(sorted(known))}"
    if not isinstance(given.get("endpoint_url", ""), str):
        yield "endpoint_url", "must be text"
    yield from list_faults("operations", given.get("operations", []))
    rate = given.get("requests_per_second", 1)
    is_number = isinstance(rate, int | float) and not isinstance(rate, bool)
    if not is_number or not 0 < rate <= _MOST_REQUESTS_PER_SECOND:
        yield "requests_per_second", "must be a number above 0, at most 10,000"


def list_faults(where: str, value: object) -> Faults:
    """Anything but a list of texts."""
    if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
        yield where, "must be a list of texts"


def mode_faults(mode: object, modes: Collection[str]) -> Faults:
    """A credential mode that does not exist."""
    if mode not in modes:
        yield "credentials.mode", f"unknown mode {str(mode)[:50]!r}; use one of {', '.join(modes)}"


def field_faults(
    given: Mapping[str, Any],
    forms: Mapping[str, tuple[re.Pattern[str], str]],
    *,
    needs: Collection[str],
    may: Collection[str],
) -> Faults:
    """Fields of `credentials` that a mode needs and lacks, does not know, or finds malformed."""
    present = set(given_settings(given)) - {"mode"}
    for name in needs:
        if name not in present:
            yield f"credentials.{name}", f"is needed in mode {given.get('mode')}"
    for name in sorted(present):
        if name not in may and name not in needs:
            yield f"credentials.{name}", f"does not belong to mode {given.get('mode')}"
        elif not forms[name][0].fullmatch(str(given[name])):
            yield f"credentials.{name}", f"must be {forms[name][1]}"
