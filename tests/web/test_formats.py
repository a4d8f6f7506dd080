"""Values as pages write them."""

from datetime import UTC, datetime, timedelta

import pytest
from markupsafe import Markup

from app.kit.i18n import translator
from app.web.formats import Formats, asset, brief, icon, icon_address, initials

EN, ES = Formats(translator("en")), Formats(translator("es"))
NOW = datetime(2026, 11, 30, 9, 38, tzinfo=UTC)


@pytest.mark.parametrize(
    ("length", "text"),
    [
        (timedelta(seconds=-3), "0 s"),
        (timedelta(seconds=41), "41 s"),
        (timedelta(minutes=4, seconds=59), "4 min"),
        (timedelta(hours=3, minutes=11), "3 h 11 min"),
        (timedelta(hours=8), "8 h"),
        (timedelta(days=1, hours=22), "1 d 22 h"),
        (timedelta(days=9, hours=22), "9 d"),
    ],
)
def test_a_span_has_at_most_two_units(length: timedelta, text: str) -> None:
    assert EN.span(length) == text


def test_narrow_columns_show_the_largest_unit() -> None:
    assert EN.roughly(timedelta(days=3, hours=4)) == "3 d"
    assert EN.roughly(timedelta(minutes=48)) == "48 min"


def test_ages_are_told_in_the_language() -> None:
    assert EN.ago(timedelta(minutes=4)) == "4 min ago"
    assert ES.ago(timedelta(minutes=4)) == "hace 4 min"
    assert EN.ago(timedelta(seconds=20)) == "just now"


@pytest.mark.parametrize(
    ("at", "en", "es"),
    [
        (NOW.replace(hour=3, minute=14), "03:14 UTC", "03:14 UTC"),
        (datetime(2026, 11, 27, 3, 14, tzinfo=UTC), "27 Nov 03:14 UTC", "27 nov 03:14 UTC"),
        (datetime(2025, 1, 2, 3, 4, tzinfo=UTC), "2 Jan 2025 03:04 UTC", "2 ene 2025 03:04 UTC"),
    ],
)
def test_a_moment_says_no_more_than_it_must(at: datetime, en: str, es: str) -> None:
    assert (EN.moment(at, NOW), ES.moment(at, NOW)) == (en, es)


def test_durations_keep_a_decimal_under_a_minute() -> None:
    assert (EN.seconds(0.42), ES.seconds(8.06), EN.seconds(240)) == ("0.4 s", "8,1 s", "4 min")


def test_values_are_escaped_and_markup_is_kept() -> None:
    text = EN.gettext("%(name)s was saved", name="<b>")
    assert text == "&lt;b&gt; was saved"
    assert EN.gettext("since %(moment)s", moment=Markup("<time>x</time>")) == "since <time>x</time>"


def test_plurals_carry_written_numbers() -> None:
    assert EN.ngettext("%(num)s finding", "%(num)s findings", 1204) == "1,204 findings"
    assert ES.ngettext("%(num)s finding", "%(num)s findings", 1) == "1 hallazgo"


def test_icons_are_named_or_hidden() -> None:
    assert 'aria-hidden="true"' in icon("st-pass")
    assert 'role="img" aria-label="&lt;High&gt;"' in icon("sev-3", "<High>")
    assert icon_address("st-pass").endswith("#st-pass")
    assert icon_address("plug").endswith("#lucide-plug")


def test_an_asset_names_its_content() -> None:
    assert asset("css/atalaya.css").startswith("/static/css/atalaya.css?v=")
    assert asset("css/missing.css") == "/static/css/missing.css"


@pytest.mark.parametrize(
    ("name", "letters"),
    [("Aina Puig", "AP"), ("ana@example.org", "AN"), ("María José Úbeda", "MÚ"), ("", "?")],
)
def test_initials_stand_for_a_person(name: str, letters: str) -> None:
    assert initials(name) == letters


def test_long_ids_are_cut_in_the_middle() -> None:
    assert brief("c1e72000-0000-4000-8000-00000000000a") == "c1e72000…000a"
    assert brief("111122223333") == "111122223333"


def test_codes_without_a_word_are_shown_as_they_are() -> None:
    assert EN.words.verdict("non_compliant") == ("fail", "Fails")
    assert ES.words.verdict("compliant") == ("pass", "Cumple")
    assert EN.words.kind("new_kind") == "new_kind"
    assert EN.words.rank("critical") == 4
