"""What every list of resources can be filtered by, and its columns as CSV."""

from collections.abc import Sequence
from functools import partial
from operator import attrgetter

from sqlalchemy.orm import Session

from app.domain.access import Access
from app.http.downloads import Columns
from app.services import policies
from app.store.queries.connection_names import connection_names
from app.store.queries.inventory import ResourceItem
from app.web.lists import Address, Choice, Filter, filter_of
from app.web.pages import Shell
from app.web.rest_places import place_name
from app.web.words import VERDICTS

Facets = dict[str, list[tuple[str, int]]]
_ATTRIBUTES = (
    "id", "name", "kind", "provider", "connection_name", "sub_account_id", "region_id",
    "native_id", "worst_rank", "non_compliant_count", "unknown_count", "created_at",
    "first_observed_at", "observed_at", "deleted_at",
)  # fmt: skip


def filters_of(
    session: Session, access: Access, shell: Shell, address: Address, facets: Facets
) -> tuple[Filter, ...]:
    """The filters of a list of resources; `facets` are the values there are, with counts."""
    t, words = shell.t, shell.formats.words
    kinds_here = {code for code, _ in facets["kind"]}
    judging = sorted(
        one.policy.id
        for one in policies.effective(session)
        if not kinds_here.isdisjoint(one.policy.applies_to)
    )
    sources = connection_names(session, access=access)
    kinds = [Choice(code, words.kind(code), count) for code, count in facets["kind"]]
    choices: dict[str, tuple[str, list[Choice]]] = {
        "verdict": (
            t.gettext("State"),
            [Choice(code, words.verdict(code)[1]) for code in VERDICTS],
        ),
        "kind": (t.gettext("Kind"), kinds if len(kinds) > 1 else []),
        "provider": (
            t.gettext("Cloud"),
            [Choice(code, words.provider(code), count) for code, count in facets["provider"]],
        ),
        "region": (
            t.gettext("Region"),
            [
                Choice(code, f"{code} {place_name(code)}".strip(), count)
                for code, count in facets["region_id"]
                if code
            ],
        ),
        "policy": (t.gettext("Policy"), [Choice(code, code) for code in judging]),
        "connection": (t.gettext("Connection"), [Choice(one.id, one.name) for one in sources]),
        "state": (
            t.gettext("Life"),
            [Choice("deleted", t.gettext("deleted")), Choice("all", t.gettext("deleted too"))],
        ),
    }
    return tuple(filter_of(address, name, label, known) for name, (label, known) in choices.items())


def csv_columns(facts: Sequence[str]) -> Columns[ResourceItem]:
    """Attributes and these facts, the latter with the reason where there is no value."""
    return {
        **{name: attrgetter(name) for name in _ATTRIBUTES},
        **{name: partial(_fact_text, name) for name in facts},
    }


def _fact_text(name: str, item: ResourceItem) -> object:
    facts = item.facts
    if name in facts.present:
        return facts.present[name]
    if name in facts.absent:
        return "absent"
    return f"unreadable: {facts.unreadable.get(name, 'not collected')}"
