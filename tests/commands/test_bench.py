from collections.abc import Callable

from app.bench import names
from tests.commands.conftest import Outcome

Atalaya = Callable[..., Outcome]


def test_without_a_name_it_lists_what_can_be_measured(atalaya: Atalaya) -> None:
    done = atalaya("bench")
    assert done.code == 0
    assert done.out.split() == list(names())


def test_an_unknown_name_is_refused_with_those_there_are(atalaya: Atalaya) -> None:
    done = atalaya("bench", "no-such-bench")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert names()[0] in done.err
