"""A tenant of many subscriptions: the whole story of the sandbox, told again and again."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from app.sandbox.azure import documents
from app.sandbox.azure.chapters import CHAPTERS
from app.sandbox.azure.estate import SCRIPTED
from app.sandbox.azure.held import Chapter
from app.sandbox.azure.model import Account, Json
from app.sandbox.azure.refusal import Refusal
from app.sandbox.story import SUBSCRIPTIONS, Subscription, azure_time

TENANT = tuple(
    Subscription(f"be7c0000-0000-4000-8000-{number:012x}", f"bench {number}")
    for number in range(30)
)
_GROUP = re.compile(r"(/resource[gG]roups/)([^/\"]+)")
_NODE_GROUP = re.compile(r'("nodeResourceGroup": ")([^"]+)')
_STORY = re.compile("|".join(each.subscription_id for each in SUBSCRIPTIONS))
_DENIED = 403
_ACCOUNTS = 12  # of the scripted ones: no more of one kind than of others


def chapters(resources: int) -> list[Chapter]:
    """At least so many resources, spread over the subscriptions."""
    story = [*CHAPTERS, _of_accounts(SCRIPTED[:_ACCOUNTS])]
    size = sum(len(chapter.resources) for chapter in story)
    copies = -(-resources // size)
    return [told for number in range(copies) for told in _told(story, number)]


def _told(story: list[Chapter], number: int) -> Iterator[Chapter]:
    """The story in one subscription, in resource groups of its own."""
    where = TENANT[number % len(TENANT)].subscription_id
    for chapter in story:
        yield replace(
            chapter,
            resources=_moved(list(chapter.resources), where, number),
            lists=_with_denied(chapter, where, number),
            documents=_moved_by_path(chapter.documents, where, number),
            posts=_moved_by_path(chapter.posts, where, number),
        )


def _with_denied(chapter: Chapter, where: str, number: int) -> dict[str, Any]:
    """The lists; those that the story denies are empty."""
    empty: dict[str, Any] = {_text(path, where, number): [] for path in chapter.lists}
    return empty | _moved_by_path(chapter.lists, where, number)


def _moved_by_path(found: Mapping[str, Any], where: str, number: int) -> dict[str, Any]:
    """Everything may be read here: what the story denies is left out."""
    return {
        _text(path, where, number): one if isinstance(one, Refusal) else _moved(one, where, number)
        for path, one in found.items()
        if not (isinstance(one, Refusal) and one.status == _DENIED)
    }


def _moved(document: Any, where: str, number: int) -> Any:  # noqa: ANN401 - any JSON
    return json.loads(_text(json.dumps(document), where, number))


def _text(text: str, where: str, number: int) -> str:
    there = _GROUP.sub(rf"\g<1>\g<2>-{number}", _STORY.sub(where, text))
    return _NODE_GROUP.sub(rf"\g<1>\g<2>-{number}", there)


def _of_accounts(accounts: tuple[Account, ...]) -> Chapter:
    """Storage accounts as documents, with everything that is asked of each."""
    found: dict[str, Json | Refusal] = {}
    lists: dict[str, list[Json] | Refusal] = {}
    for one in accounts:
        blob = f"{one.resource_id}/blobServices/default"
        found[blob] = documents.blob_service(one)
        found[f"{one.resource_id}/managementPolicies/default"] = _lifecycle(one)
        lists[f"{blob}/containers"] = [documents.container(one, each) for each in one.containers]
        lists[f"{one.resource_id}/objectReplicationPolicies"] = []
        lists[f"{one.resource_id}/inventoryPolicies"] = []
    resources = [documents.account(one, azure_time(one.created_at)) for one in accounts]
    return Chapter(resources, lists, found)


def _lifecycle(account: Account) -> Json | Refusal:
    if account.rules is None:
        return Refusal(404, "ManagementPolicyNotFound", "There is none.")
    return documents.management_policy(account)
