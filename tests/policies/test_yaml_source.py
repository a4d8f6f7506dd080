"""The YAML of policies: a small safe part, every value with its place."""

import pytest

from app.policies.yaml_source import MAX_BYTES, Located, Place, SourceError, read


def refusal(text: str) -> tuple[str, Place]:
    with pytest.raises(SourceError) as caught:
        read(text)
    return caught.value.message, caught.value.place


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("true", True),
        ("false", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("3", 3),
        ("-3", -3),
        ("0", 0),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("010", "010"),
        ("0x1f", "0x1f"),
        ("1:30", "1:30"),
        ("2026-11-30", "2026-11-30"),
        ("=", "="),
        ("'yes'", "yes"),
        ('"3"', "3"),
        ("9007199254740993", 9007199254740993),
    ],
)
def test_scalars_follow_the_core_schema(written: str, value: object) -> None:
    assert read(f"a: {written}").plain() == {"a": value}


@pytest.mark.parametrize("word", ["yes", "No", "ON", "off", "y"])
def test_old_booleans_are_refused_with_the_cure(word: str) -> None:
    message, place = refusal(f"a: {word}")
    assert message == f"write true or false, or quote the text: '{word}'"
    assert place == (1, 4)


@pytest.mark.parametrize(
    ("text", "place", "part"),
    [
        ("a: &x [1]\nb: *x", (1, 4), "anchors"),
        ("a: *x", (1, 4), "anchors"),
        ("<<: {a: 1}\na: 2\na: 3", (3, 1), "given twice"),
        ("a: 1\nb: 2\na: 3", (3, 1), "'a' is given twice"),
        ("a: !!python/object/apply:os.system [id]", (1, 4), "tags"),
        ("a: !!str 1", (1, 4), "tags"),
        ("a: 1\n---\nb: 2", (2, 1), "second document"),
        ("", (1, 1), "empty"),
        ("# only a remark", (1, 1), "empty"),
        ("? [a]\n: b", (1, 3), "plain word"),
        ("a:\n\t- b", (2, 1), "not YAML"),
        ("a: [1, 2", (1, 9), "not YAML"),
        ("a: 'open", (1, 9), "not YAML"),
        ("a: \x00", (1, 4), "U+0000"),
        ("a: 1\nb: \x07", (2, 4), "U+0007"),
        ("a: \ud800", (1, 4), "U+D800"),
        ("a: 1e999", (1, 4), "too large"),
        ("[" * 60_000, (1, 17), "nested"),
        ("a: " + "{a: " * 15_000, (1, 64), "nested"),
        ("- " * 30_000, (1, 33), "nested"),
        ("- a\n" * 16_000, (4999, 3), "more than 5000"),
    ],
)
def test_what_is_refused_says_where(text: str, place: tuple[int, int], part: str) -> None:
    message, found = refusal(text)
    assert part in message
    assert found == place


def test_the_size_counts_in_bytes() -> None:
    assert read("a: " + "x" * (MAX_BYTES - 3)).plain()
    message, _ = refusal("a: " + "é" * (MAX_BYTES // 2))
    assert "64 KiB" in message


def test_a_bomb_of_aliases_is_refused_before_it_grows() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    assert "anchors" in refusal("\n".join(lines))[0]


class TestPlaces:
    def place_of(self, text: str, line: int, column: int) -> Place:
        source = read(text)
        assert isinstance(source.value, dict)
        found: Located = source.value["a"]
        return found.at(line, column)

    def test_of_a_plain_text(self) -> None:
        assert self.place_of("b: 1\na: x == y", 1, 6) == (2, 9)

    @pytest.mark.parametrize("quote", ["'", '"'])
    def test_of_a_quoted_text(self, quote: str) -> None:
        assert self.place_of(f"a: {quote}x == y{quote}", 1, 6) == (1, 10)

    def test_of_a_block(self) -> None:
        assert self.place_of("a: |\n    x\n    && y\nb: 1", 2, 4) == (3, 8)

    def test_of_a_folded_text_is_its_start(self) -> None:
        assert self.place_of("a: >\n  x\n  y", 1, 3) == (1, 4)
        assert self.place_of("a: x\n  y", 1, 3) == (1, 4)
