from datetime import UTC, datetime

import pytest

from app.clouds.waits import longest_wait

NOW = datetime(2026, 11, 30, 9, 38, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7),
        ({"retry-after": "1.5"}, 1.5),
        ({"Retry-After": "Mon, 30 Nov 2026 09:39:30 GMT"}, 90),
        ({"Retry-After": "Mon, 30 Nov 2026 09:00:00 GMT"}, 0),
        ({"x-ms-retry-after-ms": "2500"}, 2.5),
        ({"retry-after-ms": "100", "Retry-After": "1"}, 1),
        ({"x-amz-retry-after": "3"}, 3),
        ({"x-ms-user-quota-resets-after": "00:01:05"}, 65),
        ({"x-ms-user-quota-resets-after": "00:00:05", "Retry-After": "2"}, 5),
        ({"x-ms-ratelimit-microsoft.costmanagement-tenant-retry-after": "4"}, 4),
    ],
)
def test_every_way_to_ask_for_patience_is_understood(
    headers: dict[str, str], seconds: float
) -> None:
    assert longest_wait(headers, NOW) == seconds


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Retry-After": ""},
        {"Retry-After": "soon"},
        {"Retry-After": "-5"},
        {"Retry-After": "inf"},
        {"Retry-After": "1" * 400},
        {"Content-Length": "12", "x-ms-user-quota-remaining": "14"},
    ],
)
def test_no_usable_header_means_no_wait_was_asked_for(headers: dict[str, str]) -> None:
    assert longest_wait(headers, NOW) is None


def test_a_date_counts_from_the_answers_own_clock_when_ours_is_not_given() -> None:
    headers = {
        "date": "Mon, 30 Nov 2026 10:00:00 GMT",
        "Retry-After": "Mon, 30 Nov 2026 10:00:20 GMT",
    }
    assert longest_wait(headers) == 20
    assert longest_wait({"Retry-After": headers["Retry-After"]}) is None
