"""Machine code on disk: found again, never stale, never in the way."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import time
import warnings
from pathlib import Path

import numpy as np
import pytest

from gambito.errors import CompileError
from gambito.native import Constant, cache, native
from gambito.native.cache import CacheWarning
from gambito.native.digest import source_digest


def codes(folder: Path) -> list[Path]:
    """The files of machine code in a cache folder."""
    return sorted([*folder.rglob("*.so"), *folder.rglob("*.code")])


# ---- fresh processes -----------------------------------------------------------------------------------


def test_a_second_process_does_not_compile_again(tmp_path, take, count):
    (tmp_path / "rules.py").write_text(take)
    first, second = count("rules.py"), count("rules.py")
    assert first["compiled"] > 0
    assert second["compiled"] == 0
    assert len(codes(tmp_path / "cache")) == 1
    assert not first["warnings"] and not second["warnings"]


def test_a_changed_rule_recompiles(tmp_path, take, count):
    rules = tmp_path / "rules.py"
    rules.write_text(take)
    before = count("rules.py")
    rules.write_text(take.replace("MOST = 2", "MOST = 3"))
    after = count("rules.py")
    assert after["compiled"] > 0
    assert after["answer"] != before["answer"]


def test_a_changed_helper_recompiles(tmp_path, take, count):
    (tmp_path / "rules.py").write_text("from limits import most" + take.replace("MOST + 1", "most() + 1"))
    answers = []
    for most in (2, 3):
        (tmp_path / "limits.py").write_text(f"def most():\n    return {most}\n")
        report = count("rules.py")
        assert report["compiled"] > 0
        answers.append(report["answer"])
    assert answers[0] != answers[1]


@pytest.mark.slow
def test_a_changed_helper_however_it_is_reached_recompiles(tmp_path, take, count_all):
    """This holds however the rule reaches the helper, and if only a helper of the helper changes."""
    ways = {
        "name.py": "from limits import most",
        "module.py": "import limits",
    }
    for name, way in ways.items():
        used = "limits.most(state)" if name == "module.py" else "most(state)"
        (tmp_path / name).write_text(way + take.replace("MOST + 1", f"{used} + 1"))
    helper, deeper = tmp_path / "limits.py", tmp_path / "deeper.py"
    helper.write_text("import deeper\n\ndef most(heap):\n    return deeper.least() + 1\n")
    deeper.write_text("def least():\n    return 1\n")
    first = count_all(*ways)
    helper.write_text("import deeper\n\ndef most(heap):\n    return deeper.least() + 2\n")
    second = count_all(*ways)
    deeper.write_text("def least():\n    return -1\n")
    third = count_all(*ways)
    for name in ways:
        assert len({r[name]["answer"] for r in (first, second, third)}) == 3
        assert all(r[name]["compiled"] for r in (first, second, third))


@pytest.mark.slow
def test_a_changed_source_of_gambito_recompiles(tmp_path, take, count):
    (tmp_path / "rules.py").write_text(take)
    package = tmp_path / "sources" / "gambito"
    shutil.copytree(Path(cache.__file__).resolve().parent.parent, package)
    before = count("rules.py", sources=package.parent)
    perft = package / "game" / "perft.py"
    assert perft.read_text().count("game.count(") == 2
    perft.write_text(perft.read_text().replace("game.count(", "3 * game.count("))
    after = count("rules.py", sources=package.parent)
    assert after["compiled"] > 0
    assert after["answer"] == 3 * before["answer"]


@pytest.mark.slow
def test_two_processes_compiling_the_same_thing_at_once_do_no_harm(tmp_path, take, count, count_at_once):
    (tmp_path / "rules.py").write_text(take)
    reports = count_at_once("rules.py", processes=2)
    assert len({r["answer"] for r in reports}) == 1
    assert all(r["answer"] == r["truth"] and not r["warnings"] for r in reports)
    assert len(codes(tmp_path / "cache")) == 1
    assert not list((tmp_path / "cache").rglob("*.part"))
    assert count("rules.py")["compiled"] == 0


@pytest.mark.slow
def test_two_games_never_share_machine_code(tmp_path, take, count_all):
    """Alike but for the file, a parameter, a private attribute, a class attribute."""
    private = take.replace("self.heap = heap", "self.heap, self._most = 9, heap")
    classes = take + "\n    most = 2\n\nclass More(Take):\n    most = 3\n"
    files = {
        "one.py": take,
        "other/one.py": take.replace("MOST = 2", "MOST = 3"),
        "private.py": private.replace("MOST + 1", "self._most + 1"),
        "classes.py": classes.replace("MOST + 1", "self.most + 1"),
    }
    (tmp_path / "other").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    pairs = [("one.py", "other/one.py"), ("one.py:Take:heap=3", "one.py:Take:heap=4")]
    pairs += [("private.py:Take:heap=2", "private.py:Take:heap=3"), ("classes.py:Take", "classes.py:More")]
    reports = count_all(*(spec for pair in pairs for spec in pair))
    for small, large in pairs:
        assert reports[small]["answer"] < reports[large]["answer"]
    assert all(r["compiled"] for r in reports.values())
    assert len(codes(tmp_path / "cache")) == 2 * len(pairs)


def test_a_folder_that_cannot_be_written_costs_a_warning_and_a_compilation(tmp_path, take, count):
    (tmp_path / "rules.py").write_text(take)
    (tmp_path / "file").write_text("in the way")
    report = count("rules.py", cache=tmp_path / "file" / "below")
    assert report["compiled"] > 0
    assert any("cannot keep machine code" in w for w in report["warnings"])
    assert (tmp_path / "file").read_text() == "in the way"


@pytest.mark.slow
def test_a_damaged_file_is_made_again(tmp_path, take, count):
    (tmp_path / "rules.py").write_text(take)
    count("rules.py")
    (code,) = codes(tmp_path / "cache")
    whole = code.read_bytes()
    text = bytearray(whole)
    text[len(text) // 2] ^= 0x10
    code.write_bytes(text)
    report = count("rules.py")
    assert report["answer"] == report["truth"] and code.read_bytes() == whole
    assert ["damaged" in w for w in report["warnings"]] == [True]


def test_a_file_under_another_name_is_not_used(here):
    """It would be code for other arguments."""
    one, other = (f"{name}-{'0' * 32}.so" for name in ("one", "other"))
    cache.save(one, b"code of one")
    cache.place_of(other).write_bytes(cache.place_of(one).read_bytes())
    assert cache.load(one) == b"code of one"
    with pytest.warns(CacheWarning, match="damaged file .*other"):
        assert cache.load(other) is None


def test_code_that_was_sent_is_kept_if_it_is_whole(here):
    one, other = (f"{name}-{'0' * 32}.so" for name in ("one", "other"))
    cache.save(one, b"code of one")
    text = cache.place_of(one).read_bytes()
    for name, sent in ((other, text), (one, text[:3] + b"?" + text[4:])):
        cache.place_of(one).unlink(missing_ok=True)
        cache.put_code(name, sent)
        assert not cache.has_code(name)
    cache.put_code(one, text)
    assert cache.load(one) == b"code of one"


@pytest.mark.slow
def test_functions_that_call_each_other_are_compiled_in_every_process(tmp_path, take, count):
    """Loaded from disk, they would crash: Numba links mutual recursion only at compile time."""
    circle = "def even(n):\n    if n <= 0:\n        return 2\n    return odd(n - 2)\n"
    circle += "def odd(n):\n    if n <= 1:\n        return 3\n    return even(n - 1)\n"
    (tmp_path / "rules.py").write_text(circle + take.replace("MOST + 1", "even(7 * state) + 1"))
    for _ in range(2):
        report = count("rules.py")
        assert report["compiled"] > 0
        assert "call each other" in report["warnings"][0]


@pytest.mark.slow
def test_rules_that_need_numpy_memory_and_hashing_are_found_again(tmp_path, take, count):
    """Numba registers the functions they call at compile time; code loaded from disk must find them too."""
    changes = {
        "MOST + 1": "np.sum(np.ones(2, np.int64)) + 1",
        "taken <= state >> 1": "taken <= state >> 1 and hash((state, taken)) in {hash((state, taken))}",
        "(state - 2 * action) ^ 1": "np.array([state - 2 * action, 7])[action - action] ^ 1",
    }
    rules = "import numpy as np\n" + take
    for old, new in changes.items():
        rules = rules.replace(old, new)
    (tmp_path / "rules.py").write_text(rules)
    assert count("rules.py")["compiled"] > 0
    assert count("rules.py")["compiled"] == 0


def test_a_game_in_a_script_is_found_again(tmp_path, take, fresh):
    """Its class is of `__main__`, and so is its state's."""
    rules = take.replace("return 2 * self.heap", "return State(2 * self.heap)")
    rules = rules.replace("return (state - 2 * action) ^ 1", "return State((state.heap - 2 * action) ^ 1)")
    for use in ("state & 1", "state >> 1"):
        rules = rules.replace(use, use.replace("state", "state.heap"))
    script = f"""
from typing import NamedTuple
class State(NamedTuple):
    heap: int
{rules}
import gambito
from gambito.game.perft import count_leaves
print([gambito.perft(Take(), depth=4), count_leaves.hits])
"""
    answer, hits = fresh(script)
    assert hits == 0
    assert fresh(script) == [answer, 1]


@pytest.mark.slow
def test_a_changed_native_function_recompiles(tmp_path, take, fresh):
    """A function of a script, a test or a game does not belong to Gambito's own compiled sources."""
    script = f"""
{take}
from gambito.game.gears import gears
from gambito.native import native
@native
def first(game, state):
    for action in game.actions(state):
        return 10 * action
    return 0
take = Take()
print(first(gears(take).in_gear("native"), 6))
"""
    assert fresh(script) == 10
    assert fresh(script.replace("10 *", "20 *")) == 20


# ---- one process, a new function each time ---------------------------------------------------------------


class Seven:
    def number(self, x):
        return 7 * x


def times(game, x):
    return game.number(x)


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The cache folder, moved."""
    monkeypatch.setenv("GAMBITO_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def call(x: int = 6) -> tuple[int, list[str]]:
    """A function as a new process would meet it: the hits of its cache, and the warnings."""
    function, seven = native(times), Constant(Seven(), "tests.Seven", "1", {}, {})
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert function(seven, x) == 7 * x
    return function.hits, [str(w.message) for w in told if w.category is CacheWarning]


def truncate(code: Path) -> None:
    code.write_bytes(code.read_bytes()[:-100])


def halve(code: Path) -> None:
    code.write_bytes(code.read_bytes()[: code.stat().st_size // 2])


def flip(code: Path) -> None:
    text = bytearray(code.read_bytes())
    text[len(text) // 2] ^= 1
    code.write_bytes(text)


def empty(code: Path) -> None:
    code.write_bytes(b"")


def rename(code: Path) -> None:
    """Another version's header."""
    code.write_bytes(code.read_bytes().replace(b"machine code 3\n", b"machine code 0\n", 1))


def replace(code: Path) -> None:
    """Something else in its place, whole and with the right checksum."""
    body = b"not a library"
    code.write_bytes(body + hashlib.sha256(body).digest() + cache._MAGIC)


def make_folder(code: Path) -> None:
    code.unlink()
    (code / "sub").mkdir(parents=True)


@pytest.mark.parametrize("damage", [truncate, halve, flip, empty, rename, replace, make_folder])
def test_damage_costs_a_warning_and_a_compilation(here, damage):
    assert call() == (0, [])
    assert call() == (1, [])
    (code,) = codes(here)
    damage(code)
    hits, told = call()
    assert hits == 0
    assert any(str(code) in w for w in told)
    assert not list(here.rglob("*.part"))
    if damage is not make_folder:
        assert call() == (1, [])


@pytest.mark.parametrize("place", ["file", "file/below", "/proc/gambito"])
def test_a_folder_that_cannot_be_had(tmp_path, monkeypatch, place):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("GAMBITO_CACHE", str(tmp_path / place))
    for _ in range(2):
        hits, told = call()
        assert hits == 0
        assert any("cannot keep machine code" in w for w in told)
    assert (tmp_path / "file").read_text() == "in the way"
    assert cache.usage().files == cache.clear() == 0


def test_an_array_too_large_to_be_frozen_is_told(here):
    class Large:
        def __init__(self):
            self.table = np.full(300_000, 7)

        def number(self, x):
            return self.table[x] * x

    function = native(times)
    with pytest.warns(
        CacheWarning, match="compiled in every process: the rules read an array .* larger than 1 MB"
    ):
        assert function(Constant(Large(), "tests.Large", "1", {}, {}), 6) == 42
    assert not codes(here)


def test_a_full_disk_leaves_nothing_behind(here, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", full)
        hits, told = call()
    assert hits == 0 and len(told) == 1 and "No space left" in told[0]
    assert not [p for p in here.rglob("*") if p.is_file()]
    assert call() == (0, [])


def test_nobody_at_home(monkeypatch):
    """No cache folder is named, and the user has no home folder."""

    def homeless(path: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("GAMBITO_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "expanduser", homeless)
    hits, told = call()
    assert hits == 0
    assert any("set GAMBITO_CACHE" in w for w in told)


def test_signatures_are_kept_apart(here):
    assert call(6) == (0, [])
    function, seven = native(times), Constant(Seven(), "tests.Seven", "1", {}, {})
    assert function(seven, 0.5) == 3.5
    assert len(codes(here)) == 2


def test_what_cannot_be_compiled_is_not_kept(here):
    function = native(times)
    with pytest.raises(CompileError, match=r"times cannot be compiled"):
        function(Constant(object(), "tests.Nothing", "1", {}, {}), 1)
    assert not codes(here)


def test_gambito_cache_names_the_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("GAMBITO_CACHE", "~/mine")
    assert cache.folder() == tmp_path / "home" / "mine"
    monkeypatch.delenv("GAMBITO_CACHE")
    assert cache.folder() == tmp_path / "xdg" / "gambito"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache.folder() == tmp_path / "home" / ".cache" / "gambito"


def test_usage_and_clear(here):
    assert cache.usage() == (here, 0, 0, 0, 0.0)
    call()
    (code,) = codes(here)
    older = here / ("0" * 20)
    older.mkdir()
    shutil.copy(code, older / code.name)
    (here / "notes").mkdir()
    (here / "notes" / "mine.txt").write_text("keep me")
    assert cache.usage()[:4] == (here, 2, 2 * code.stat().st_size, 1)
    assert code.parent.name == source_digest()
    assert cache.clear() == 2
    assert cache.usage().files == 0
    assert (here / "notes" / "mine.txt").read_text() == "keep me"


def age(path: Path, days: float) -> None:
    """As if it had been used that long ago."""
    then = time.time() - days * 86_400
    os.utime(path, (then, then))


def test_what_was_not_used_for_longest_is_trimmed(here):
    for name in ("first", "second", "third"):
        cache.save(f"{name}-{'0' * 32}.so", bytes(1000))
    for days, name in ((30, "first"), (10, "second"), (20, "third")):
        age(cache.place_of(f"{name}-{'0' * 32}.so"), days)
    assert 29.9 < cache.usage().oldest < 30.1
    assert cache.load(f"first-{'0' * 32}.so") is not None  # now it was used just now
    assert cache.trim(10_000) == 0
    assert cache.trim(2500) == 1
    assert [path.name.partition("-")[0] for path in codes(here)] == ["first", "second"]
    assert cache.trim(0) == 2 and not codes(here)


def test_a_process_that_compiles_trims_once(here, monkeypatch):
    monkeypatch.setattr(cache, "_trimmed", [])
    cache.save(f"old-{'0' * 32}.so", bytes(3 << 20))
    age(*codes(here), 5)
    monkeypatch.setattr(cache, "_trimmed", [])
    monkeypatch.setenv("GAMBITO_CACHE_LIMIT", "1")
    assert cache.limit() == 1 << 20
    call()
    assert [path.name.partition("-")[0] for path in codes(here)] == ["times"]
    monkeypatch.setenv("GAMBITO_CACHE_LIMIT", "much")
    assert cache.limit() == 2 << 30


# ---- whose the folder is --------------------------------------------------------------------------------


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A cache folder of this test, with one kept file."""
    base = tmp_path / "cache"
    monkeypatch.setenv("GAMBITO_CACHE", str(base))
    cache.keep("x", b"body")
    return base


def test_folders_are_for_this_user_alone(own):
    assert cache.kept("x") == b"body"
    assert {path.stat().st_mode & 0o777 for path in (own, own / source_digest())} == {0o700}


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
@pytest.mark.parametrize("below", ["", source_digest()])
def test_a_folder_that_others_may_write_to_is_refused(own, below, mode):
    (own / below).chmod(mode)
    assert cache.distrust() == f"others may write to {own / below}" and cache.kept("x") is None
    cache.keep("y", b"body")
    (own / below).chmod(0o755)
    assert cache.kept("x") == b"body" and cache.kept("y") is None


def test_a_folder_of_another_user_is_refused(own, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert cache.distrust() == f"{own} belongs to another user" and cache.kept("x") is None


@pytest.mark.slow
def test_crafted_machine_code_is_not_run(tmp_path, take, count):
    """In a folder that anybody may write to: one sentence, and a compilation."""
    (tmp_path / "rules.py").write_text(take)
    first = count("rules.py")
    (code,) = codes(tmp_path / "cache")
    body = f"cos\nsystem\n(S'touch {tmp_path}/ran'\ntR.".encode()
    code.write_bytes(body + hashlib.sha256(body).digest() + cache._MAGIC)
    (tmp_path / "cache").chmod(0o777)
    second = count("rules.py")
    assert second["compiled"] > 0 and second["answer"] == first["answer"]
    assert ["machine code on disk is not used: others may write to" in w for w in second["warnings"]] == [
        True
    ]
    assert not (tmp_path / "ran").exists()


def test_clearing_removes_only_its_own_files(own):
    """Not what lies beside them, whatever it is called."""
    version = own / source_digest()
    name = f"search-{'0' * 32}.code"
    left = [
        own / "proj" / "foo.code", own / "proj" / "thesis.txt", version / "foo.code", version / "notes.txt",
        version / f"other-{'1' * 32}.code", own / ("a" * 20) / "deep" / name, own / "tables" / "x.npz",
    ]  # fmt: skip
    for path in left:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine")
    (version / f"link-{'2' * 32}.code").symlink_to(left[1])
    gone = [version / name, version / "search-x.abcd1234.new", own / ("b" * 20) / name]
    for path in gone:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"code" + cache._MAGIC)
    assert cache.usage().files == 2 and cache.clear() == 2
    assert all(path.read_text() == "mine" for path in left)
    assert not any(path.exists() for path in (*gone, version / "x.data", own / ("b" * 20)))
    assert (version / f"link-{'2' * 32}.code").is_symlink()
