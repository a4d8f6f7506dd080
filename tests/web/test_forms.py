"""Forms come back with what was typed and what is wrong, beside the field it concerns."""

from datetime import UTC, datetime

import pytest

from app.kit.errors import InvalidInputError
from app.kit.i18n import translator
from app.web.forms import Form, end_of_day, rejected

ES = translator("es")


def test_a_fault_stands_at_its_field() -> None:
    error = InvalidInputError("bad", errors=({"where": "#/config/role_arn", "what": "no ARN"},))
    form = rejected(error, {"role_arn": "x"}, "name", "role_arn")
    assert (form.errors, form.value("role_arn"), form.general) == ({"role_arn": "no ARN"}, "x", "")


def test_a_refusal_that_begins_with_a_field_belongs_to_it() -> None:
    error = InvalidInputError("until must lie ahead", mend="choose a later day")
    form = rejected(error, {}, "reason", "until")
    assert form.errors == {"until": "Until must lie ahead. choose a later day."}


def test_any_other_refusal_belongs_to_the_form() -> None:
    form = rejected(InvalidInputError("the name has 0 characters"), {}, "name", "provider")
    assert form.general == "The name has 0 characters."


def test_a_field_that_was_not_sent_starts_with_its_default() -> None:
    assert Form({"a": ""}).value("a", "x") == ""
    assert Form().value("a", "x") == "x"


def test_a_day_ends_at_the_midnight_after_it() -> None:
    assert end_of_day(ES, " 2026-12-15 ", "until") == datetime(2026, 12, 16, tzinfo=UTC)


@pytest.mark.parametrize("text", ["", "31 Feb", "2026-02-31", "9999-12-31", "<b>"])
def test_what_is_no_day_is_refused_in_the_readers_language(text: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        end_of_day(ES, text, "until")
    assert refused.value.errors[0]["where"] == "until"
    assert "Escribirla" in refused.value.errors[0]["what"]
