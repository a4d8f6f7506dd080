"""Templates use exactly what their page offers: more would break them, less would be waste."""

import importlib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from jinja2 import Environment, meta, nodes

from app import web
from app.kit.discover import modules
from app.web.pages import Page, Shell
from app.web.render import TEMPLATES, environment
from tests.support.template_lint import all_problems

# What a template that is only ever included gets from the one that includes it.
HANDED_IN = {"permissions", "report"}
CONTEXT = {"page", "shell", "part"}


def pages() -> list[type[Page]]:
    """Every page of the product."""
    for module in modules(web):
        importlib.import_module(module.__name__)
    # A class with slots is made twice; the second one stays.
    found = {page.__name__: page for page in _subclasses(Page)}
    return [found[name] for name in sorted(found)]


def _subclasses(kind: type[Page]) -> Iterator[type[Page]]:
    for found in kind.__subclasses__():
        yield found
        yield from _subclasses(found)


class Family:
    """A template with all that it extends, includes and imports."""

    def __init__(self, env: Environment, *names: str) -> None:
        self._env = env
        self.trees: dict[str, nodes.Template] = {}
        for name in names:
            self._read(name)

    def _read(self, name: str) -> None:
        if name in self.trees:
            return
        tree = self._env.parse((TEMPLATES / name).read_text(encoding="utf-8"))
        self.trees[name] = tree
        found: list[nodes.Extends | nodes.Include | nodes.FromImport] = [
            *tree.find_all(nodes.Extends),
            *tree.find_all(nodes.Include),
            *tree.find_all(nodes.FromImport),
        ]
        for node in found:
            for other in _named(node.template):
                self._read(other)

    def attributes(self, name: str) -> set[str]:
        """Attributes that are read of the variable `name`."""
        return {
            found.attr
            for tree in self.trees.values()
            for found in tree.find_all(nodes.Getattr)
            if isinstance(found.node, nodes.Name) and found.node.name == name
        }

    def unknown(self) -> set[str]:
        """Variables that neither the context nor the globals hold."""
        found: set[str] = set()
        for tree in self.trees.values():
            set_here = {name.name for name in tree.find_all(nodes.Name) if name.ctx == "store"}
            imported = {
                name if isinstance(name, str) else name[1]
                for node in tree.find_all(nodes.FromImport)
                for name in node.names
            }
            found |= meta.find_undeclared_variables(tree) - set_here - imported
        return found - set(self._env.globals) - CONTEXT - HANDED_IN


def _named(node: nodes.Expr) -> list[str]:
    """The templates that an expression can name."""
    if isinstance(node, nodes.Const):
        return [node.value]
    if isinstance(node, nodes.CondExpr):
        assert node.expr2 is not None
        return [*_named(node.expr1), *_named(node.expr2)]
    assert isinstance(node, nodes.Concat)
    assert isinstance(node.nodes[0], nodes.Const)
    start = node.nodes[0].value
    return [_relative(path) for path in sorted(TEMPLATES.glob(f"{start}*.html"))]


def _relative(path: Path) -> str:
    return path.relative_to(TEMPLATES).as_posix()


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.__name__)
def test_a_template_uses_every_field_of_its_page_and_nothing_else(page: type[Page]) -> None:
    family = Family(environment("en"), page.TEMPLATE, *page.PARTS.values())
    # Every page has title and crumbs; parts and pages before sign-in leave them to others.
    everywhere = {"title", "crumbs", "AREA"}
    offered = {field.name for field in fields(page)}
    assert family.attributes("page") - everywhere == offered - everywhere
    assert family.unknown() == set()


def test_the_shell_offers_what_the_templates_use() -> None:
    offered = {field.name for field in fields(Shell)}
    names = [page.TEMPLATE for page in pages()]
    used = Family(environment("en"), *names).attributes("shell")
    assert used == offered - {"now"}  # which ages are counted from


def test_no_template_needs_what_the_content_security_policy_forbids() -> None:
    assert all_problems() == []


def test_every_template_belongs_to_a_page() -> None:
    names = [name for page in pages() for name in (page.TEMPLATE, *page.PARTS.values())]
    family = Family(environment("en"), *names, "errors/_error.html", "reports/weekly.html")
    all_names = {_relative(path) for path in TEMPLATES.rglob("*.html")}
    assert all_names - set(family.trees) == set()
