from collections.abc import Callable

import pytest
from sqlalchemy import Engine

from app.kit.clock import utc_now
from app.services import accounts, tokens
from app.store.session import transaction
from tests.commands.conftest import Outcome

pytestmark = pytest.mark.usefixtures("installation")
Atalaya = Callable[..., Outcome]


def signed_in(link: str) -> str:
    """The address that a link signs in."""
    with transaction() as session:
        return accounts.consume_link(session, link.strip().split("token=")[1], utc_now()).email


def test_the_first_link_makes_the_first_account(atalaya: Atalaya) -> None:
    done = atalaya("link")
    assert done.code == 0
    assert signed_in(done.out) == accounts.FIRST_EMAIL


def test_links_lead_to_the_public_address(
    atalaya: Atalaya, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ATALAYA_BASE_URL", "https://atalaya.example.org/")
    assert atalaya("link").out.startswith("https://atalaya.example.org/login/link?token=")


def test_a_new_account_gets_a_link(atalaya: Atalaya) -> None:
    done = atalaya("user", "create", "ana@example.org", "--name", "Ana")
    assert signed_in(done.out) == "ana@example.org"


def test_a_link_of_a_known_account(atalaya: Atalaya) -> None:
    atalaya("user", "create", "ana@example.org")
    assert signed_in(atalaya("link", "ana@example.org").out) == "ana@example.org"
    assert signed_in(atalaya("link").out) == "ana@example.org"


def test_a_link_of_an_unknown_account_is_refused_in_one_line(atalaya: Atalaya) -> None:
    done = atalaya("link", "nobody@example.org")
    assert (done.code, done.out) == (2, "")
    assert done.err == "atalaya: no account nobody@example.org; add it, or correct the address\n"


def test_the_same_account_twice_is_refused(atalaya: Atalaya) -> None:
    atalaya("user", "create", "ana@example.org")
    done = atalaya("user", "create", "ANA@example.org")
    assert done.code == 2
    assert "already an account ana@example.org" in done.err


def test_a_disabled_account_gets_no_link_until_it_is_enabled(atalaya: Atalaya) -> None:
    atalaya("user", "create", "ana@example.org")
    done = atalaya("user", "disable", "ANA@example.org")
    assert (done.code, done.out.split(";")[0]) == (0, "ana@example.org is locked out")
    refused = atalaya("link", "ana@example.org")
    assert (refused.code, refused.out) == (2, "")
    assert "the account ana@example.org is disabled" in refused.err
    assert "./atalaya user enable ana@example.org" in refused.err
    assert atalaya("user", "enable", "ana@example.org").code == 0
    assert signed_in(atalaya("link", "ana@example.org").out) == "ana@example.org"


def test_links_go_to_the_first_who_may_sign_in(atalaya: Atalaya) -> None:
    for name in ("ana", "ben"):
        atalaya("user", "create", f"{name}@example.org")
    atalaya("user", "disable", "ana@example.org")
    assert signed_in(atalaya("link").out) == "ben@example.org"


@pytest.mark.parametrize("deed", ["disable", "enable"])
def test_an_unknown_account_is_neither_disabled_nor_enabled(atalaya: Atalaya, deed: str) -> None:
    done = atalaya("user", deed, "nobody@example.org")
    assert (done.code, done.out) == (2, "")
    assert done.err == "atalaya: no account nobody@example.org; add it, or correct the address\n"


def test_without_anybody_who_may_sign_in_there_is_no_link(atalaya: Atalaya) -> None:
    atalaya("link")
    atalaya("user", "disable", accounts.FIRST_EMAIL)
    done = atalaya("link")
    assert (done.code, done.out) == (2, "")
    assert "there is no account that may sign in" in done.err


def test_a_token_is_printed_once_and_works(atalaya: Atalaya) -> None:
    atalaya("user", "create", "ana@example.org")
    done = atalaya("token", "create", "nightly job", "--scope", "findings:read", "--days", "7")
    with transaction() as session:
        found = tokens.authenticate(session, done.out.strip(), utc_now())
    assert found is not None
    item, user, access = found
    assert (item.name, user.email) == ("nightly job", "ana@example.org")
    assert {"findings:read"} <= set(access.scopes) <= {"findings:read", "self"}


def test_a_token_needs_an_account(atalaya: Atalaya) -> None:
    done = atalaya("token", "create", "job", "--scope", "findings:read")
    assert done.code == 2
    assert "there is no account that may sign in; make one" in done.err


def test_an_unknown_scope_is_named(atalaya: Atalaya) -> None:
    atalaya("user", "create", "ana@example.org")
    done = atalaya("token", "create", "job", "--scope", "everything")
    assert done.code == 2
    assert "unknown scopes: everything" in done.err


def test_a_database_without_tables_is_named(
    atalaya: Atalaya, installation: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with installation.begin() as connection:
        connection.exec_driver_sql("delete from alembic_version")
    monkeypatch.setenv("ATALAYA_DATABASE_URL", installation.url.render_as_string())
    done = atalaya("link")
    assert done.code == 2
    assert done.err.count("\n") == 1
