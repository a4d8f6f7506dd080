"""Forms that come back: what was typed, and what is wrong with it, beside each field."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated

from fastapi import Depends, Request

from app.kit.errors import AtalayaError, InvalidInputError
from app.kit.i18n import Translator

GENERAL = ""


@dataclass(frozen=True, slots=True)
class Form:
    """`values` as typed, `errors` by field; the error under '' belongs to no single field."""

    values: Mapping[str, str] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)

    def value(self, name: str, default: str = "") -> str:
        """What was typed into a field, else what it starts with."""
        return self.values.get(name, default)

    @property
    def general(self) -> str:
        """The error that belongs to no single field."""
        return self.errors.get(GENERAL, "")


def rejected(error: AtalayaError, values: Mapping[str, str], *fields: str) -> Form:
    """The form with an error at each of `fields` that it names, else the error as a whole."""
    found: dict[str, str] = {}
    for fault in error.errors:
        name = fault["where"].rsplit("/", 1)[-1].rsplit(" ", 1)[-1]
        if name in fields:
            found.setdefault(name, fault["what"])
    subject = error.detail.split(" ", 1)[0]
    if not found:
        place = subject if subject in fields else GENERAL
        text = f"{error.detail}. {error.mend}." if error.mend else f"{error.detail}."
        found[place] = text[0].upper() + text[1:]
    return Form(values, found)


def end_of_day(t: Translator, text: str, name: str) -> datetime:
    """Midnight UTC after the day that a date field holds; InvalidInputError names the field."""
    try:
        day = date.fromisoformat(text.strip())
        return datetime.combine(day + timedelta(days=1), time(), tzinfo=UTC)
    except (ValueError, OverflowError):
        what = t.gettext("This is not a date. Write it like 2026-12-15.")
        raise InvalidInputError(
            "not a date", mend="write it like 2026-12-15", errors=({"where": name, "what": what},)
        ) from None


async def form_values(request: Request) -> dict[str, str]:
    """All text fields of the form, for forms whose fields are not known beforehand."""
    form = await request.form()
    return {name: value for name, value in form.items() if isinstance(value, str)}


FormValues = Annotated[dict[str, str], Depends(form_values)]
