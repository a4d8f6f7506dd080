"""Languages: gettext catalogues read from .po files, and numbers and dates by CLDR.

Keys are the English text. Only .po files are kept; they are parsed once per process.
"""

from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_date, format_datetime
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

from app.kit.settings import ROOT

LANGUAGES = ("en", "es")
LOCALE_FOLDER = ROOT / "locale"


@lru_cache(maxsize=len(LANGUAGES))
def catalogue(language: str) -> Catalog:
    """The parsed catalogue of a language; English is its own key, so its catalogue is empty."""
    path: Path = LOCALE_FOLDER / language / "LC_MESSAGES" / "messages.po"
    if language == "en" or not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


@dataclass(frozen=True, slots=True)
class Translator:
    """What a page or report needs to speak one language: texts, plurals, numbers and times."""

    language: str

    def gettext(self, text: str) -> str:
        """The text in this language; the English text where the catalogue has none."""
        found = catalogue(self.language).get(text)
        return str(found.string) if found is not None and found.string else text

    def ngettext(self, singular: str, plural: str, count: int) -> str:
        """The plural form (both languages have two); the caller fills `%(num)s` itself."""
        found = catalogue(self.language).get(singular)
        if found is None or not isinstance(found.string, (list, tuple)) or not found.string[0]:
            return singular if count == 1 else plural
        return str(found.string[0 if count == 1 else -1])

    def number(self, value: float, digits: int = 0) -> str:
        """A number as CLDR writes it here, rounded to at most `digits` decimals."""
        pattern = "#,##0" + ("." + "#" * digits if digits else "")
        return str(format_decimal(value, format=pattern, locale=self.locale))

    def when(self, at: datetime, zone: ZoneInfo, pattern: str) -> str:
        """A moment in `zone` by a CLDR pattern such as `d MMM HH:mm`."""
        return str(format_datetime(at, pattern, tzinfo=zone, locale=self.locale))

    def day(self, day: date, pattern: str) -> str:
        """A calendar day by a CLDR pattern such as `EEE d MMM`."""
        return str(format_date(day, pattern, locale=self.locale))

    @property
    def locale(self) -> Locale:
        """The CLDR locale: en_GB order of dates with English words, or es."""
        return Locale.parse("en_GB" if self.language == "en" else self.language)


@lru_cache(maxsize=len(LANGUAGES))
def translator(language: str) -> Translator:
    """The translator of a supported language; English for any other."""
    return Translator(language if language in LANGUAGES else "en")
