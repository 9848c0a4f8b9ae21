"""Libraries that are part of a package: loaded by key and processor, refused with one warning."""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from gambito.native import Constant, functions, libraries, native, processor, shipped
from gambito.native.cache import CacheWarning
from gambito.native.computed import computed, place_of
from gambito.native.digest import compiled_sources, digest
from gambito.native.entries import Entry, kind_of
from gambito.native.processor import LEVELS


class Five:
    def add(self, x):
        return x + 5


def added(game, x):
    return 10 * game.add(x)


def five() -> Constant:
    return Constant(Five(), "tests.Five", "1", {}, {})


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A folder with one library for each kind of processor, and the index of this Python."""
    from gambito.native.compiler.dispatching import compile_libraries
    from gambito.native.compiler.emitting import Machine

    folder = tmp_path_factory.mktemp("shipped")
    function, game = native(added), five()
    given = game.kind, kind_of(3)
    key = libraries.key_of(function.name, digest(added), given)
    images, returned = compile_libraries(function, given, [Machine(level, "") for level in LEVELS])
    facts = {"file": "added.so"}
    for level, image in zip(LEVELS, images, strict=True):
        (folder / level).mkdir()
        body = libraries.pack(image, returned)
        (folder / level / "added.so").write_bytes(body)
        facts[level] = hashlib.sha256(body).hexdigest()
    index = {"sources": compiled_sources(), "entries": {key: facts}}
    (folder / shipped.index_name()).write_text(json.dumps(index))
    return folder


@pytest.fixture
def folder(made, tmp_path, monkeypatch) -> Path:
    """The same, as a part of the package; the cache is empty."""
    monkeypatch.setenv("GAMBITO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(shipped, "FOLDER", tmp_path / "shipped")
    monkeypatch.setattr(shipped, "_told", [])
    shutil.copytree(made, tmp_path / "shipped")
    shipped._index.cache_clear()
    yield tmp_path / "shipped"
    shipped._index.cache_clear()


def call(cache: Path) -> tuple[bool, list[str]]:
    """Call the function twice, as two would; was it shipped, and what was told?"""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for _ in range(2):
            assert native(added)(five(), 4) == 90
    was_compiled = any(cache.rglob("*.so"))
    return not was_compiled, [str(w.message) for w in told if w.category is CacheWarning]


def test_what_is_shipped_is_not_compiled(folder):
    function = native(added)
    assert function(five(), 4) == 90 and function.hits == 1
    assert [type(entry) for entry in function.entries.values()] == [Entry]
    assert call(folder.parent / "cache") == (True, [])


@pytest.mark.parametrize("level", LEVELS)
def test_each_kind_of_processor_has_its_own(folder, monkeypatch, level):
    if level not in processor.levels():
        pytest.skip("this processor cannot run it")
    monkeypatch.setattr(shipped, "levels", lambda: (level,))
    for other in set(LEVELS) - {level}:
        shutil.rmtree(folder / other)
    assert call(folder.parent / "cache") == (True, [])


def damage(folder: Path) -> None:
    for path in folder.rglob("*.so"):
        path.write_bytes(path.read_bytes()[:-1] + b"x")


def replace(folder: Path) -> None:
    """By a library of another author."""
    for path in folder.rglob("*.so"):
        path.write_bytes(b"\x7fELF" + bytes(200))


def remove_libraries(folder: Path) -> None:
    for path in folder.rglob("*.so"):
        path.unlink()


def remove_index(folder: Path) -> None:
    (folder / shipped.index_name()).unlink()


def spoil_index(folder: Path) -> None:
    (folder / shipped.index_name()).write_text('{"sources": ')


def empty_index(folder: Path) -> None:
    (folder / shipped.index_name()).write_text("[]")


def change_sources(folder: Path) -> None:
    path = folder / shipped.index_name()
    path.write_text(path.read_text().replace(compiled_sources(), "0" * 20))


def list_what_is_no_library(folder: Path) -> None:
    """With the checksum of that."""
    path = folder / shipped.index_name()
    facts = json.loads(path.read_text())
    for entry in facts["entries"].values():
        for level in LEVELS:
            (folder / level / "added.so").write_bytes(b"text")
            entry[level] = hashlib.sha256(b"text").hexdigest()
    path.write_text(json.dumps(facts))


SPOILING = [damage, replace, remove_libraries, remove_index, spoil_index, empty_index, change_sources]


@pytest.mark.parametrize("spoil", [*SPOILING, list_what_is_no_library])
def test_what_does_not_agree_costs_one_warning_and_a_compilation(folder, spoil):
    spoil(folder)
    was_shipped, told = call(folder.parent / "cache")
    assert not was_shipped and len(told) == 1 and "compil" in told[0]


def test_another_processor(folder, monkeypatch):
    monkeypatch.setattr(shipped, "levels", tuple)
    was_shipped, told = call(folder.parent / "cache")
    assert not was_shipped and len(told) == 1 and "this processor" in told[0]


def test_a_checkout_ships_nothing_and_says_nothing(folder):
    shutil.rmtree(folder)
    assert call(folder.parent / "cache") == (False, [])


def test_other_settings_are_compiled(folder, monkeypatch):
    monkeypatch.setattr(shipped, "settings", lambda: ["bounds=False", "OPT=0"])
    assert call(folder.parent / "cache") == (False, [])


@pytest.mark.parametrize(
    ("flags", "wanted"),
    [
        ("", ()),
        ("cx16 lahf_lm popcnt sse4_1 sse4_2 ssse3", ("x86-64-v2",)),
        (" ".join(sorted(LEVELS["x86-64-v3"])), ("x86-64-v3", "x86-64-v2")),
        (" ".join(sorted(LEVELS["x86-64-v3"] - {"avx2"})), ("x86-64-v2",)),
    ],
)
def test_the_flags_of_a_processor_tell_its_kinds(monkeypatch, flags, wanted):
    monkeypatch.setattr(processor, "_facts", lambda: {"flags": flags})
    assert processor.levels.__wrapped__() == wanted


def test_a_provider_takes_the_place_of_the_disk(folder, monkeypatch):
    asked = []
    monkeypatch.setattr(
        functions, "provider", [lambda function, key, given: asked.append((function.name, key))]
    )
    assert native(added)(five(), 4) == 90  # it provides nothing, so Numba calls the function
    assert [name for name, _ in asked] == ["added"] and len(asked[0][1]) == 32
    assert sys.modules["numba"]


def test_arrays_come_from_the_package_from_the_cache_or_are_computed(folder, monkeypatch, tmp_path):
    monkeypatch.setenv("GAMBITO_CACHE", str(tmp_path / "numbers"))
    asked = []

    def make():
        asked.append(True)
        return {"squares": np.arange(4) ** 2}

    for _ in range(2):
        assert list(computed("squares", "mark", make)["squares"]) == [0, 1, 4, 9]
    assert len(asked) == 1
    path = place_of("squares", "mark")
    path.write_bytes(path.read_bytes()[:-30])
    assert list(computed("squares", "mark", make)["squares"]) == [0, 1, 4, 9] and len(asked) == 2
    (folder / "numbers").mkdir()
    np.savez(folder / "numbers" / "squares.npz", squares=[7])
    assert list(computed("squares", "mark", make)["squares"]) == [7]
    (folder / shipped.index_name()).unlink()
    assert list(computed("squares", "mark", make)["squares"]) == [0, 1, 4, 9] and len(asked) == 2
