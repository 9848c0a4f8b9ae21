"""How far a compilation is: a share that grows, and a number of functions that is remembered."""

from __future__ import annotations

import threading

import pytest

from gambito.native import Constant, cache, native, progress


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("GAMBITO_CACHE", str(tmp_path))


def test_the_share_grows_and_never_ends_before_the_work():
    with progress.compiling("search") as now:
        assert progress.running(threading.get_ident()) is now
        assert now.share == 0 and now.seconds_left is None
        shares = []
        for _ in range(200):  # more than expected
            progress.take_in()
            shares.append(now.share)
        assert shares == sorted(shares) and 0.7 < shares[-1] < 1
        assert now.seconds_left >= 0
    assert progress.running(threading.get_ident()) is None


def test_the_number_of_functions_is_remembered():
    for _ in range(2):
        with progress.compiling("search") as now:
            for _ in range(7):
                progress.take_in()
    assert now.expected == 7


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b'{"search": "many"}'])
def test_a_strange_file_is_not_believed(text):
    cache.keep("functions", text)
    with progress.compiling("search") as now:
        assert now.expected > 1


def test_a_failed_compilation_remembers_nothing():
    with pytest.raises(ValueError, match="no"), progress.compiling("search"):
        progress.take_in()
        progress.take_in()
        raise ValueError("no")
    assert cache.kept("functions") is None and progress.running(threading.get_ident()) is None


class Six:
    def half(self, x):
        return x // 2

    def number(self, x):
        return 6 * self.half(x)


def test_the_compiler_tells_of_each_function():
    function = native(lambda game, x: game.number(x))
    assert function(Constant(Six(), "tests.Six", "1", {}, {}), 4) == 12
    with progress.compiling(function.name) as now:
        assert now.expected == 3
