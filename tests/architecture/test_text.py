"""What no tracked file holds: package hosts, machine paths; and what templates must not do."""

from pathlib import Path

import pytest

from tests.support import template_lint, tracked_text


def test_no_file_names_a_package_host_or_a_machine() -> None:
    assert tracked_text.all_problems() == []


@pytest.mark.parametrize(
    "text",
    [
        "see https://py" + "pi.org/simple",
        "read /ro" + "ot/.cache/x",
        f"cd {Path.home()}/atalaya",
        "--index" + "-url https://example.org",
    ],
)
def test_hosts_and_machine_paths_are_found(text: str) -> None:
    assert tracked_text.problems_in(text)


@pytest.mark.parametrize("text", ["https://example.org/home/page", "~/root/x", "httpx2==2.16.2"])
def test_other_words_are_left_alone(text: str) -> None:
    assert tracked_text.problems_in(text) == []


def test_a_lock_names_no_address_at_all() -> None:
    assert tracked_text.problems_in("x @ https://example.org/x.whl", is_lock=True)


def test_templates_pass_the_content_security_policy() -> None:
    assert template_lint.all_problems() == []


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("<p>\n<i style='color:red'>x</i>", 2),
        ("<style>p{}</style>", 1),
        ("<script>go()</script>", 1),
        ("\n\n<a onclick='go()'>x</a>", 3),
        ("<a hx-on:click='go()'>x</a>", 1),
        ("<a href='javascript:go()'>x</a>", 1),
        ("<a hx-vals='js:{a: 1}'>x</a>", 1),
        ("<a hx-trigger='keyup[ctrlKey]'>x</a>", 1),
        ("{{ name | safe }}", 1),
        ("{% autoescape false %}{{ name }}{% endautoescape %}", 1),
        ("{% if x %}", 1),
    ],
)
def test_forbidden_markup_is_found(source: str, line: int) -> None:
    assert [found for found, _ in template_lint.problems(source)] == [line]


@pytest.mark.parametrize(
    "source",
    [
        "{% if a > 1 %}<p class=\"{{ 'x' if y else 'z' }}\">{{ safe }}</p>{% endif %}",
        "<script src='/static/js/atalaya.js' defer></script>",
        "{% trans %}on click{% endtrans %}",
        "<meta content=\"style-src 'sha256-x'\"><style>{{ style }}</style>",
    ],
)
def test_lawful_markup_passes(source: str) -> None:
    assert template_lint.problems(source) == []
