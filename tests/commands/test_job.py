"""Jobs register from the command line, by a file, by single facts, or both."""

from collections.abc import Callable
from pathlib import Path

import pytest

from app.domain.access import SYSTEM
from app.store.queries.declared import find_job
from app.store.queries.resource_items import ResourceItem
from app.store.session import transaction
from tests.commands.conftest import Outcome

Atalaya = Callable[..., Outcome]
FILE = """\
namespace: speech
name: asr-v2
phase: training
model_kind: speech
parameter_count: 600000000
provider: azure
machine_type: Standard_NC80adis_H100_v5
node_count: 1
orchestrator: none
logged: null
started_at: 2026-11-30T08:00:00Z
"""

pytestmark = pytest.mark.usefixtures("installation")


def stored(name: str = "speech/asr-v2") -> ResourceItem | None:
    with transaction(readonly=True) as session:
        return find_job(session, access=SYSTEM, native_id=name)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "job.yaml"
    path.write_text(FILE, encoding="utf-8")
    return str(path)


def test_a_file_tells_it_all(atalaya: Atalaya, file: str) -> None:
    done = atalaya("job", "register", "--file", file)
    assert (done.code, done.out.split(" (")[0]) == (0, "registered: speech/asr-v2")
    found = stored()
    assert found is not None
    assert found.facts.present["declared_by"] == "command line"
    assert {"orchestrator", "logged"} <= found.facts.absent


def test_single_facts_go_over_those_of_the_file(atalaya: Atalaya, file: str) -> None:
    atalaya("job", "register", "--file", file)
    more = ("--set", "node_count:=2", "--set", "logged=/lustre/log")
    again = atalaya("job", "register", "--file", file, *more)
    assert again.out.startswith("declared anew: speech/asr-v2")
    found = stored()
    assert found is not None
    assert (found.facts.present["node_count"], found.facts.present["logged"]) == (2, "/lustre/log")


def test_a_job_can_be_told_without_a_file(atalaya: Atalaya) -> None:
    done = atalaya("job", "register", "atlas/7b", "--set", "phase=training")
    assert done.code == 0
    assert stored("atlas/7b") is not None


def test_an_end_is_told_once(atalaya: Atalaya, file: str) -> None:
    atalaya("job", "register", "--file", file)
    ended = ("--state", "failed", "--at", "2026-11-30T09:00:00Z")
    assert atalaya("job", "end", "speech/asr-v2", *ended).out == "speech/asr-v2 has failed\n"
    found = stored()
    assert found is not None
    assert found.facts.present["ended_at"] == "2026-11-30T09:00:00+00:00"
    assert found.facts.present["phase"] == "training"
    again = atalaya("job", "end", "speech/asr-v2")
    assert (again.code, again.err.count("\n")) == (2, 1)


def test_a_withdrawn_job_is_on_no_list(atalaya: Atalaya, file: str) -> None:
    atalaya("job", "register", "--file", file)
    assert atalaya("job", "withdraw", "speech/asr-v2").code == 0
    assert stored() is None
    assert atalaya("job", "withdraw", "speech/asr-v2").code == 2


def test_a_name_is_found_in_either_spelling_of_its_accents(atalaya: Atalaya) -> None:
    decomposed = "speech/castellan\u0303o"
    assert atalaya("job", "register", decomposed, "--set", "phase=training").code == 0
    assert stored("speech/castella\u00f1o") is not None
    assert atalaya("job", "end", decomposed).code == 0
    assert atalaya("job", "withdraw", decomposed).code == 0


def test_declared_jobs_are_not_swept(atalaya: Atalaya, file: str) -> None:
    atalaya("job", "register", "--file", file)
    assert "Declared jobs  declared  1 resources  not swept" in atalaya("connection", "list").out
    swept = atalaya("sweep", "run")
    assert (swept.code, swept.out) == (0, "")
    named = atalaya("sweep", "run", "Declared jobs")
    assert named.code == 2
    assert "nothing to read" in named.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("atlas", "--set", "phase=training"), "has no namespace"),
        (("a/b", "--set", "phase=learning"), "#/phase"),
        (("a/b", "--set", "node_count=2"), "#/node_count"),
        (("a/b", "--file", "nowhere.yaml"), "cannot read nowhere.yaml"),
        ((), "#/namespace"),
    ],
)
def test_a_fault_is_one_line_that_names_it(
    atalaya: Atalaya, words: tuple[str, ...], said: str
) -> None:
    done = atalaya("job", "register", *words)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert said in done.err


@pytest.mark.parametrize("text", ["- a\n- b\n", "phase: [training\n"])
def test_a_file_without_members_is_refused(atalaya: Atalaya, tmp_path: Path, text: str) -> None:
    path = tmp_path / "job.yaml"
    path.write_text(text, encoding="utf-8")
    done = atalaya("job", "register", "a/b", "--file", str(path))
    assert (done.code, done.err.count("\n")) == (2, 1)


def test_an_unknown_state_ends_nothing(atalaya: Atalaya, file: str) -> None:
    atalaya("job", "register", "--file", file)
    done = atalaya("job", "end", "speech/asr-v2", "--state", "exploded")
    assert done.code == 2
    assert "#/state" in done.err
    assert atalaya("job", "end", "speech/asr-v2", "--state", "running").code == 2


NAMES = "namespace: a\nname: b\n"
BOMB = "".join(f"x{n}: &x{n} [{', '.join([f'*x{n - 1}' if n else 'l'] * 10)}]\n" for n in range(9))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (BOMB, "without an alias"),
        ("a: &x [*x]\n", "without an alias"),
        ("a: " + "[" * 20_000, "nested more than 16"),
        (NAMES + "name: c\n", "name is given more than once"),
        (NAMES + "started_at: 2026-13-45T00:00:00Z\n", "month must be"),
        (NAMES + "started_at: !!timestamp x\n", "cannot read"),
        (NAMES + "node_count: !!int x\n", "cannot read"),
        (NAMES + "uses_rdma: !!bool x\n", "cannot read"),
        (NAMES + "node_count: " + "9" * 5_000, "cannot read"),
        (NAMES + "command: !!python/object/apply:os.system [id]\n", "cannot read"),
        (NAMES + "command: " + "x" * 1_100_000, "more than 1048576 bytes"),
        (NAMES + "---\n" + NAMES, "cannot read"),
        ("- a\n", "holds no members"),
        ("\x1b[31m", "cannot read"),
    ],
)
def test_a_file_that_cannot_be_trusted_is_refused_in_words(
    atalaya: Atalaya, tmp_path: Path, text: str, told: str
) -> None:
    path = tmp_path / "job.yaml"
    path.write_text(text, encoding="utf-8")
    done = atalaya("job", "register", "--file", str(path))
    assert done.code == 2
    assert told in done.err
    assert stored("a/b") is None
