"""Every text of the pages exists in Spanish, says the same values, and no text is left over."""

import re
from collections.abc import Iterator
from functools import cache

import pytest
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po

from app.collectors.registry import collectors
from app.kit.i18n import LOCALE_FOLDER, catalogue
from app.kit.settings import ROOT
from app.policies.registry import built_in

Message = str | tuple[str, ...] | list[str] | None
PLACE = re.compile(r"%\(\w+\)s")


@cache
def extracted() -> frozenset[str | tuple[str, ...]]:
    """The texts that code and templates mark, and those of built-in policies and collectors."""
    with (LOCALE_FOLDER / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file)  # type: ignore[no-untyped-call]
    keywords = {**DEFAULT_KEYWORDS, "mark": None}
    texts = {
        message[2]
        for folder in ("app/web", "templates")
        for message in extract_from_dir(ROOT / folder, methods, options, keywords=keywords)
    }
    titles = {policy.title for policy in built_in().values()}
    return frozenset(texts | titles | {one.title for one in collectors().values()})


def spanish() -> Iterator[tuple[Message, Message]]:
    for message in catalogue("es"):
        if message.id:
            yield message.id, message.string


def forms(text: Message) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ())


def test_something_is_extracted_from_code_and_templates() -> None:
    assert {"Posture is %(score)s of 100.", "Skip to content"} <= extracted()


@pytest.mark.parametrize("text", sorted(extracted(), key=str))
def test_a_text_exists_in_spanish(text: Message) -> None:
    first = forms(text)[0]
    found = catalogue("es").get(first)
    assert found is not None, f"add msgid {first!r} to locale/es/LC_MESSAGES/web.po"
    assert all(forms(found.string))
    assert len(forms(found.string)) == len(forms(text))


def test_translations_keep_the_values_of_the_text() -> None:
    for text, translated in spanish():
        wanted = {place for form in forms(text) for place in PLACE.findall(form)}
        for form in forms(translated):
            left_out = wanted - set(PLACE.findall(form))
            assert left_out <= {"%(num)s"}, text
            assert set(PLACE.findall(form)) <= wanted, text


def test_the_catalogue_of_pages_holds_nothing_that_no_page_says() -> None:
    with (LOCALE_FOLDER / "es" / "LC_MESSAGES" / "web.po").open("rb") as file:
        kept = {
            message.id if isinstance(message.id, str) else tuple(message.id)
            for message in read_po(file, locale="es")
            if message.id
        }
    assert kept - extracted() == set()


def test_a_text_is_translated_one_way_in_all_catalogues() -> None:
    said: dict[str, set[tuple[str, ...]]] = {}
    for path in (LOCALE_FOLDER / "es" / "LC_MESSAGES").glob("*.po"):
        with path.open("rb") as file:
            for message in read_po(file, locale="es"):
                if message.id:
                    said.setdefault(forms(message.id)[0], set()).add(forms(message.string))
    assert [text for text, ways in said.items() if len(ways) > 1] == []


def test_spanish_addresses_nobody() -> None:
    for _, translated in spanish():
        for form in forms(translated):
            assert not re.search(r"\b(usted|tú|tu|su contraseña)\b", form, re.IGNORECASE), form
