"""Messages of policies: checked like expressions, rendered as plain text that harms nobody."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from app.policies.language import (
    PolicySyntaxError,
    Row,
    check_message,
    placeholders,
    render_message,
)
from tests.policies.language.conftest import SCOPE

MakeRow = Callable[..., Row]


@pytest.mark.parametrize(
    ("template", "place", "words"),
    [
        ("{facts.versionning_status}", "1:8", "did you mean 'versioning_status'?"),
        ("a\nb {params.day}", "2:11", "did you mean 'days'?"),
        ("{facts.gpu.modell}", "1:12", "facts.gpu has no field 'modell'; did you mean 'model'?"),
        ("{facts.owner.x}", "1:14", "facts.owner has no field 'x'"),
        ("{owner}", "1:1", "braces only hold a name"),
        ("{facts}", "1:1", "braces only hold a name"),
        ("{facts.owner!r}", "1:1", "braces only hold a name"),
        ("{facts.owner:>10}", "1:1", "braces only hold a name"),
        ("{facts.rules[0]}", "1:1", "braces only hold a name"),
        ("{now}", "1:1", "braces only hold a name"),
        ("{facts.owner", "1:1", "braces only hold a name"),
        ("facts.owner}", "1:12", "braces only hold a name"),
        ("x" * 1001, "1:1001", "longer than 1000 characters"),
    ],
)
def test_a_wrong_placeholder_is_refused_with_its_place(
    template: str, place: str, words: str
) -> None:
    with pytest.raises(PolicySyntaxError) as caught:
        check_message(template, SCOPE)
    assert (f"{caught.value.line}:{caught.value.column}", words in caught.value.message) == (
        place,
        True,
    )


def test_right_placeholders_are_accepted_and_listed() -> None:
    template = "{resource.name}: {facts.gpu.model}, {resource.tags.env}, {params.days}"
    check_message(template, SCOPE)
    assert list(placeholders(template)) == [
        *("resource.name", "facts.gpu.model", "resource.tags.env", "params.days")
    ]


@pytest.mark.parametrize(
    ("stored", "text"),
    [
        ("ml", "ml"),
        (2**70, "1180591620717411303424"),
        (0.5, "0.5"),
        (True, "true"),
        (None, "unknown"),
        (["a", "b"], "a, b"),
        ([], ""),
        (list(range(21)), ", ".join(str(n) for n in range(20)) + ", …"),
        ({"a": 1}, "a=1"),
        (datetime(2026, 1, 1, tzinfo=UTC), "2026-01-01"),
        ("2026-01-01T00:00:00+00:00", "2026-01-01"),
        ("2026-01-01T14:05:09.5+00:00", "2026-01-01 14:05 UTC"),
        ("2026-02-31T00:00:00+00:00", "2026-02-31T00:00:00+00:00"),
        (timedelta(days=1, hours=2), "1d2h"),
        ("a\nb\x00\u202ec", "a b  c"),
        ("\ud800", " "),
        ("{params.days}", "{params.days}"),
        ("<b>", "<b>"),
    ],
)
def test_values_are_written_as_plain_text_on_one_line(
    row: MakeRow, stored: object, text: str
) -> None:
    assert render_message("<{facts.owner}>", row(owner=stored), {}) == f"<{text}>"


def test_what_is_missing_is_called_unknown(row: MakeRow) -> None:
    template = "{facts.owner} {facts.gpu.model} {params.days} {resource.created_at}"
    found = render_message(template, row(gpu={}, unreadable={"owner": "AccessDenied"}), {})
    assert found == "unknown unknown unknown unknown"


def test_a_message_has_at_most_500_characters(row: MakeRow) -> None:
    found = render_message("{facts.owner}{facts.owner}", row(owner="x" * 1_000_000), {})
    assert found == "x" * 499 + "…"
    assert len(render_message("{facts.owner}", row(owner="x" * 500), {})) == 500
