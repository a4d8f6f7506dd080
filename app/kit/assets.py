"""Extracts htmx, fonts and icons from hashed packages into static/vendor, with a manifest."""

import hashlib
import importlib.metadata
import json
import re
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from app.kit.carriers import CARRIERS, Carrier, folder_of, source_of
from app.kit.errors import SettingsError
from app.kit.settings import ROOT
from app.kit.sprite import icon_names, own_symbols, sprite

STATIC = ROOT / "static"
CODE = ("assets.py", "carriers.py", "fonts.py", "sprite.py")


@dataclass(frozen=True, slots=True)
class Asset:
    """One line of the manifest that /about shows; `stamp` changes with what it was made from."""

    name: str
    version: str
    file: str
    sha256: str
    licence: str
    package: str
    package_version: str
    stamp: str


def build(static: Path = STATIC) -> bool:
    """Brings static/vendor up to date; False when it was. Files are replaced one by one, whole.

    SettingsError when a package that carries an asset is missing, an icon is unknown or the folder
    cannot be written.
    """
    known = {asset.get("file"): asset for asset in manifest(static)}
    fresh = 0
    assets = []
    try:
        for carrier in CARRIERS:
            stamp = _stamp(carrier, static)
            asset = _kept(known.get(carrier.target), stamp, static)
            fresh += asset is None
            assets.append(asset or _make(carrier, stamp, static))
        if fresh:
            lines = json.dumps([asdict(asset) for asset in assets], indent=2)
            _replace(static / "vendor" / "manifest.json", lines.encode() + b"\n")
    except OSError as error:
        raise SettingsError(
            f"cannot write {static / 'vendor'}: {error.strerror}", mend="make the folder writable"
        ) from None
    return fresh > 0


def manifest(static: Path = STATIC) -> list[dict[str, str]]:
    """The assets in static/vendor as dictionaries of `Asset`; empty before the first build."""
    try:
        found = json.loads((static / "vendor" / "manifest.json").read_bytes())
    except (OSError, ValueError):
        return []
    names = {field.name for field in fields(Asset)}
    return [asset for asset in found if isinstance(asset, dict) and set(asset) == names]


def _kept(asset: dict[str, str] | None, stamp: str, static: Path) -> Asset | None:
    """What an earlier build made, unless its inputs or the file have changed."""
    if asset is None or asset["stamp"] != stamp:
        return None
    path = static / "vendor" / asset["file"]
    whole = path.exists() and hashlib.sha256(path.read_bytes()).hexdigest() == asset["sha256"]
    return Asset(**asset) if whole else None


def _make(carrier: Carrier, stamp: str, static: Path) -> Asset:
    content = _content(source_of(carrier), carrier.target, static)
    target = static / "vendor" / carrier.target
    _replace(target, content)
    if carrier.licence_path:
        text = (folder_of(carrier) / carrier.licence_path).read_bytes()
        _replace(target.with_suffix(".licence.txt"), text)
    package_version = importlib.metadata.version(carrier.package)
    pattern = carrier.version_pattern
    stated = re.search(pattern.encode(), content) if pattern else None
    return Asset(
        name=carrier.name,
        version=stated[1].decode() if stated else package_version,
        file=carrier.target,
        sha256=hashlib.sha256(content).hexdigest(),
        licence=carrier.licence,
        package=carrier.package,
        package_version=package_version,
        stamp=stamp,
    )


def _content(source: Path, target: str, static: Path) -> bytes:
    if source.is_dir():
        return sprite(icon_names(static), own_symbols(static), source).encode()
    if source.suffix == ".ttf":
        from app.kit import fonts  # noqa: PLC0415 - fontTools is heavy, and rarely needed

        if target.endswith(".ttf"):
            return fonts.instance(source, weight=int(target.removesuffix(".ttf")[-3:]))
        return fonts.subset(source)
    return source.read_bytes()


def _stamp(carrier: Carrier, static: Path) -> str:
    """Changes with the package, this very code and, for the sprite, the icons in use."""
    parts = [str(source_of(carrier).name), importlib.metadata.version(carrier.package)]
    if source_of(carrier).is_dir():
        parts += [*icon_names(static), *own_symbols(static).values()]
    code = [Path(__file__).with_name(name).read_text(encoding="utf-8") for name in CODE]
    return hashlib.sha256("\n".join(parts + code).encode()).hexdigest()


def _replace(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".new")
    fresh.write_bytes(content)
    fresh.replace(path)
