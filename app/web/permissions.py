"""The rights that a connection uses, which of them it lacks, and the statement that grants them."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from markupsafe import Markup
from sqlalchemy.orm import Session

from app.domain.access import Access
from app.store.queries import connections
from app.store.queries.connections import ConnectionItem, PermissionItem
from app.web.highlight import to_json

ASSUME_ROLE = "sts:AssumeRole"
WORST_FIRST = ("denied", "failed", "not_tried", "allowed")


@dataclass(frozen=True, slots=True)
class Permissions:
    """The rights of one connection; `statement` grants those that were denied, or is None.

    `wanting` holds those that were denied, failed or were not tried, `granted` the others.
    `swept`: a sweep has begun.
    `unproven` counts those that were not tried or gave no answer: they may be missing too.
    `in_part`: one was denied here and granted there, which a role alone does not explain.
    """

    connection_id: str
    name: str
    swept: bool
    wanting: tuple[PermissionItem, ...]
    granted: tuple[PermissionItem, ...]
    denied: int
    unproven: int
    affected: int
    in_part: bool
    statement: Markup | None


def permissions_of(session: Session, *, access: Access, connection: ConnectionItem) -> Permissions:
    """Every right with what came of using it, the denied ones first."""
    items = by_right(
        connections.permission_status(session, access=access, connection_id=connection.id)
    )
    denied = [item.permission for item in items if item.result == "denied"]
    return Permissions(
        connection_id=connection.id,
        name=connection.name,
        swept=connection.last_sweep is not None,
        wanting=tuple(item for item in items if item.result != "allowed"),
        granted=tuple(item for item in items if item.result == "allowed"),
        denied=len(denied),
        unproven=sum(item.result in {"failed", "not_tried"} for item in items),
        affected=sum(item.affected for item in items if item.result == "denied"),
        in_part=any(0 < item.affected < item.asked for item in items if item.result == "denied"),
        statement=statement(connection, denied) if denied else None,
    )


def by_right(found: Iterable[PermissionItem]) -> list[PermissionItem]:
    """One line for each right, however many operations need it: the worst that came of it."""
    rights: dict[str, list[PermissionItem]] = defaultdict(list)
    for item in sorted(found, key=_worst_first):
        rights[item.permission].append(item)
    return sorted((_together(uses) for uses in rights.values()), key=_worst_first)


def _worst_first(item: PermissionItem) -> tuple[int, str]:
    return WORST_FIRST.index(item.result), item.permission


def _together(uses: list[PermissionItem]) -> PermissionItem:
    worst = uses[0]
    return replace(
        worst,
        why=" ".join(dict.fromkeys(use.why for use in uses)),
        asked=sum(use.asked for use in uses),
        affected=sum(use.affected for use in uses if use.result == worst.result),
    )


def statement(connection: ConnectionItem, denied: list[str]) -> Markup:
    """What to add: IAM statements for AWS, the actions of a custom role for Azure."""
    if connection.provider != "aws":
        return to_json({"permissions": [{"actions": denied}]})
    reads = [right for right in denied if right != ASSUME_ROLE]
    found = [{"Effect": "Allow", "Action": reads, "Resource": "*"}] if reads else []
    if ASSUME_ROLE in denied:
        found.append({"Effect": "Allow", "Action": [ASSUME_ROLE], "Resource": _roles(connection)})
    return to_json(found[0] if len(found) == 1 else found)


def _roles(connection: ConnectionItem) -> str:
    """The role that is to be assumed in each account: never every role there is."""
    name = connection.config.get("organization", {}).get("role_name", "")
    return f"arn:aws:iam::*:role/{name}"
