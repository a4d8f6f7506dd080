"""Numbers in the answers of clouds, read strictly: what cannot be an amount is no value."""

# No cloud takes more; far more is no number of a lifecycle but a broken answer.
MOST_DAYS = 2**31 - 1
MOST_BYTES = 2**63 - 1
MOST_MACHINES = 2**31 - 1


def age_days(value: object) -> float:
    """Days of an age, fractions too. ValueError for text, truth values and what is no age."""
    return float(_number(value, MOST_DAYS))


def size_bytes(value: object) -> int | None:
    """Bytes; None stays None. ValueError for what is no size."""
    return None if value is None else int(_number(value, MOST_BYTES))


def machine_count(value: object) -> int | None:
    """Whole machines; None stays None. ValueError for what is no such number."""
    if value is None:
        return None
    number = _number(value, MOST_MACHINES)
    if number != int(number):
        raise ValueError("machines are whole")
    return int(number)


def amount(value: object) -> float:
    """A rate or another number that counts something. ValueError for what is none."""
    return float(_number(value, MOST_BYTES))


def _number(value: object, most: int) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= most:
        return value
    raise ValueError("a number of the answer is no amount")  # not shown: it may be endless
