"""Signing in, out and by link; language, theme, keys and password."""

import pytest

from app.kit.clock import utc_now
from app.services import accounts
from app.store.queries.accounts import UserItem, user_by_email
from app.store.session import transaction
from tests.support import callers
from tests.support.site import Site

PASSWORD = "a sentence is easy to keep"


@pytest.fixture
def eva(site: Site) -> UserItem:
    """Somebody with a password of her own."""
    del site
    with transaction() as session:
        found = user_by_email(session, "eva@example.org")
    if found is not None:
        return found
    made = callers.person("eva@example.org")
    with transaction() as session:
        accounts.set_password(session, user=made, password=PASSWORD, now=utc_now())
    return made


def test_the_right_password_opens_a_session_and_goes_on(site: Site, eva: UserItem) -> None:
    client = site.stranger()
    assert client.get("/findings").headers["location"] == "/login?next=/findings"
    page = client.get("/login?next=/findings")
    assert (page.status_code, 'name="next" value="/findings"' in page.text) == (200, True)
    sent = {"email": eva.email, "password": PASSWORD, "next": "/findings"}
    assert client.post("/login", data=sent).headers["location"] == "/findings"
    assert client.get("/findings").status_code == 200
    assert client.get("/login").headers["location"] == "/"


def test_a_wrong_password_says_no_more_than_that(site: Site, eva: UserItem) -> None:
    for email in (eva.email, "nobody@example.org"):
        answer = site.stranger().post("/login", data={"email": email, "password": "wrong"})
        assert answer.status_code == 401
        assert "do not fit together" in answer.text
        assert f'value="{email}"' in answer.text


@pytest.mark.parametrize("target", ["https://evil.example", "//evil.example", "/\\evil.example"])
def test_nobody_is_sent_to_another_site(site: Site, eva: UserItem, target: str) -> None:
    sent = {"email": eva.email, "password": PASSWORD, "next": target}
    assert site.stranger().post("/login", data=sent).headers["location"] == "/"
    form = site.stranger().get("/login", params={"next": target}).text.split("</form>")[0]
    assert "evil" not in form


def test_a_link_asks_first_and_works_once(site: Site, eva: UserItem) -> None:
    with transaction() as session:
        link = accounts.make_link(session, eva.email, utc_now(), "")
    client, token = site.stranger(), link.split("token=")[1]
    for _ in range(2):  # previews of the link do no harm
        assert "Sign in as eva" in client.get(link).text
    assert client.post("/login/link", data={"token": token}).headers["location"] == "/"
    assert client.get("/profile").status_code == 200
    for answer in (
        site.stranger().get(link),
        site.stranger().post("/login/link", data={"token": token}),
    ):
        assert answer.status_code == 401
        assert "This link does not work" in answer.text


def test_signing_out_ends_the_session(site: Site, eva: UserItem) -> None:
    client = callers.browser(site.app, eva)
    assert client.post("/logout").headers["location"] == "/login"
    assert client.get("/profile").status_code == 303


def test_the_language_follows_the_browser_until_one_is_chosen(site: Site, eva: UserItem) -> None:
    stranger = site.stranger()
    spanish = stranger.get("/login", headers={"Accept-Language": "fr;q=0.9, es-ES;q=0.8, en;q=0.1"})
    assert '<html lang="es"' in spanish.text
    stranger.post("/language", data={"language": "en", "next": "/login"})
    assert '<html lang="en"' in stranger.get("/login", headers={"Accept-Language": "es"}).text
    client = callers.browser(site.app, eva)
    answer = client.post("/language", data={"language": "es", "next": "/about"})
    assert answer.headers["location"] == "/about"
    other = callers.browser(site.app, eva)
    assert '<html lang="es"' in other.get("/about").text
    other.post("/language", data={"language": "en"})


def test_the_theme_is_kept_by_the_browser(site: Site) -> None:
    client = site.client()
    client.post("/theme", data={"theme": "dark", "next": "/about"})
    html = client.get("/about").text
    assert 'data-theme="dark"' in html
    assert 'name="theme" value="light"' in html
    client.cookies.set("atalaya_theme", '"><script>')
    assert "<script>" not in client.get("/about").text


def test_keys_can_be_switched_off(site: Site, eva: UserItem) -> None:
    client = callers.browser(site.app, eva)
    sent = {"language": "en", "theme": "auto"}
    assert client.post("/profile", data=sent).headers["location"] == "/profile"
    assert 'data-shortcuts="off"' in client.get("/about").text
    client.post("/profile", data={**sent, "shortcuts": "true"})
    assert "data-shortcuts" not in client.get("/about").text


def test_an_unknown_language_is_refused(site: Site, eva: UserItem) -> None:
    client = callers.browser(site.app, eva)
    answer = client.post("/profile", data={"language": "xx", "theme": "auto"})
    assert answer.status_code == 422


def test_a_new_password_needs_the_old_one_and_the_same_twice(site: Site, eva: UserItem) -> None:
    client = callers.browser(site.app, eva)
    sent = {"current": "wrong", "password": PASSWORD + "!", "repeated": "other"}
    answer = client.post("/profile/password", data=sent)
    assert answer.status_code == 422
    assert "not the present password" in answer.text
    assert "not the same" in answer.text
    short = {"current": PASSWORD, "password": "short", "repeated": "short"}
    answer = client.post("/profile/password", data=short)
    assert (answer.status_code, 'id="password-error"' in answer.text) == (422, False)
    assert "5 characters" in answer.text
    good = {"current": PASSWORD, "password": PASSWORD, "repeated": PASSWORD}
    assert client.post("/profile/password", data=good).status_code == 303
    assert client.get("/profile").status_code == 200


def test_who_has_no_password_is_told_so(site: Site) -> None:
    assert "There is no password yet" in site.client().get("/profile").text
