"""Finds in a page what a browser would run although somebody else wrote it."""

from html.parser import HTMLParser

from typing_extensions import override


class _Dangers(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self._in_script = False

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in_script = tag == "script" and dict(attrs).get("type") != "application/json"
        for name, value in attrs:
            scripted = (value or "").strip().lower().startswith(("javascript:", "data:text/html"))
            if name.startswith("on") or scripted:
                self.found.append(f"<{tag} {name}={value!r}>")
        if tag in {"iframe", "object", "embed", "base"}:
            self.found.append(f"<{tag}>")

    @override
    def handle_endtag(self, tag: str) -> None:
        self._in_script = False

    @override
    def handle_data(self, data: str) -> None:
        if self._in_script and data.strip():
            self.found.append(f"script: {data[:60]}")


def dangers(markup: str) -> list[str]:
    """Inline scripts, event attributes, script addresses and foreign frames of a page."""
    reader = _Dangers()
    reader.feed(markup)
    reader.close()
    return reader.found
