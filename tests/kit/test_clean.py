import pytest

from app.kit.clean import printable


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
