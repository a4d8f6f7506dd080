"""Languages: gettext catalogues read from .po files, and numbers and dates by CLDR.

Keys are the English text. Only .po files are kept; they are parsed once per process.
"""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, localcontext
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
# CLDR's minimumGroupingDigits of Spanish is 2: 9140, but 10.000.
GROUPED_FROM = {"en": 1_000, "es": 10_000}
LOCALE_FOLDER = ROOT / "locale"
KIBI = 1024
_MOST_DIGITS = 400  # the longest float has 309 and a few decimals
UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")


def mark(text: str) -> str:
    """Marks a text for the catalogue where it is written down; it is translated when shown."""
    return text


@lru_cache(maxsize=len(LANGUAGES))
def catalogue(language: str) -> Catalog:
    """All .po files of a language together; English is its own key, so its catalogue is empty."""
    whole = Catalog(locale=language)
    folder: Path = LOCALE_FOLDER / language / "LC_MESSAGES"
    for path in sorted(folder.glob("*.po")):
        with path.open("rb") as file:
            for message in read_po(file, locale=language):
                if message.id:
                    whole[message.id] = message
    return whole


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

    def number(self, value: float | Decimal, digits: int = 0) -> str:
        """A number as CLDR writes it here, rounded to at most `digits` decimals."""
        rounded = abs(round(float(value), digits))
        whole = "#,##0" if rounded >= GROUPED_FROM[self.language] else "0"
        pattern = whole + ("." + "#" * digits if digits else "")
        with localcontext(prec=_MOST_DIGITS):  # a value of any size is written, not refused
            text = str(format_decimal(value, format=pattern, locale=self.locale))
        return text.replace("-", "\N{MINUS SIGN}")

    def percent(self, value: float, digits: int = 0) -> str:
        """A percentage given as 29.6: `29.6%`, in Spanish with a space before the sign."""
        gap = "\N{NO-BREAK SPACE}" if self.language == "es" else ""
        return f"{self.number(value, digits)}{gap}%"

    def size(self, value_bytes: int) -> str:
        """Bytes in binary units as providers bill them, such as `128 KiB` or `1.2 TiB`."""
        amount, step = Decimal(value_bytes), 0
        while abs(amount) >= KIBI and step < len(UNITS) - 1:
            amount, step = amount / KIBI, step + 1
        return f"{self.number(amount, 1)}\N{NO-BREAK SPACE}{UNITS[step]}"

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
