import pytest

from app.kit.clean import printable, without_controls


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("Zürich 東京 data", "Zürich 東京 data"),
        ("\x1b[2Jgone", "\\x1b[2Jgone"),
        ("one\r\ntwo", "one\\r\\ntwo"),
        ("abc\u202edcba", "abc\\u202edcba"),
        ("\x9b31m", "\\x9b31m"),
    ],
)
def test_what_would_steer_a_terminal_is_shown_instead(value: str, shown: str) -> None:
    assert printable(value) == shown


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("Zürich\t東京\r\n", "Zürich\t東京\r\n"),
        ("\x1b[2J\x00\x7f", "\ufffd[2J\ufffd\ufffd"),
        ("\x9b31m\xa0", "\ufffd31m\xa0"),
    ],
)
def test_controls_are_replaced_and_lines_stay(value: str, kept: str) -> None:
    assert without_controls(value) == kept
