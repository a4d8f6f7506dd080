import pytest

from app import bench
from app.bench.registry import benches, line
from app.kit.errors import NotFoundError


def test_benches_are_found_under_the_names_of_their_modules() -> None:
    assert "s3-sweep" in bench.names()
    assert all(found.title for found in benches().values())


def test_an_unknown_bench_names_those_there_are() -> None:
    with pytest.raises(NotFoundError) as raised:
        bench.run("nothing")
    assert "s3-sweep" in raised.value.mend


def test_a_line_says_how_often_faster_and_how_near_the_limit() -> None:
    found = line("b", ours=2.0, peer=9.0, limit=1.5, unit="s", rss_mb=100.04)
    assert list(found) == [
        "bench",
        "ours",
        "peer",
        "limit",
        "ratio_peer",
        "ratio_limit",
        "unit",
        "rss_mb",
    ]
    assert (found["ratio_peer"], found["ratio_limit"], found["rss_mb"]) == (4.5, 1.33, 100.0)


def test_a_line_without_a_peer_has_no_ratio_to_it() -> None:
    found = line("b", ours=2.0, peer=None, limit=1.0, unit="ms")
    assert (found["peer"], found["ratio_peer"], found["rss_mb"]) == (None, None, None)
    assert found["ratio_limit"] == 2.0
