"""JSON and YAML in colours are still escaped, whole and line by line."""

import html
import json

from hypothesis import given
from hypothesis import strategies as st

from app.web.highlight import line_numbers, to_json, yaml_lines

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(json_values)
def test_json_reads_back_as_it_was(value: object) -> None:
    assert json.loads(html.unescape(_text(to_json(value)))) == value


def _text(markup: str) -> str:
    """The text of spans without attributes of others in them."""
    for tag in ('<span class="k">', '<span class="s">', '<span class="n">', "</span>"):
        markup = markup.replace(tag, "")
    return markup


def test_keys_strings_and_numbers_differ() -> None:
    markup = to_json({"bytes": 12, "zone": "EU"})
    assert '<span class="k">&#34;bytes&#34;</span>: <span class="n">12</span>' in markup
    assert '<span class="s">&#34;EU&#34;</span>' in markup


def test_markup_in_values_stays_text() -> None:
    assert "<img" not in to_json({"name": "<img src=x onerror=alert(1)>"})
    assert "<img" not in yaml_lines("title: <img src=x>\n# <img>\n- <img>")


@given(st.text(alphabet="ab:- #<>&'\"1.\n", max_size=60))
def test_yaml_keeps_its_text_and_its_lines(text: str) -> None:
    markup = yaml_lines(text)
    plain = _text(markup.replace('<span class="c">', ""))
    assert html.unescape(plain) == "\n".join(text.splitlines())


def test_faulty_lines_are_marked_and_all_are_numbered() -> None:
    text = "id: x\nassert: facts.nope\n"
    assert '<mark class="bad">' in yaml_lines(text, {2: "unknown fact"}).splitlines()[1]
    assert "<mark" not in yaml_lines(text).splitlines()[0]
    assert line_numbers(text) == "1\n2"
