"""Sealed files: what was written is read, and a change anywhere is noticed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gambito.native.checksummed import read_checksummed, write_checksummed

KINDS = ("i1", "u2", "i4", "u8", "f4", "f8")
ARRAYS = st.dictionaries(
    st.text("abc", min_size=1, max_size=3),
    st.tuples(st.sampled_from(KINDS), st.lists(st.integers(0, 100), max_size=5)),
    max_size=3,
)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("sealed") / "file"


@given(arrays=ARRAYS, note=st.text(max_size=5), level=st.integers(0, 9))
def test_a_file_holds_what_was_written(path, arrays, note, level):
    held = {name: np.array(numbers, kind) for name, (kind, numbers) in arrays.items()}
    write_checksummed(path, {"gambito": "test 1", "note": note}, held, level)
    found = read_checksummed(path, "test 1")
    assert found.is_whole and found.facts == {"gambito": "test 1", "note": note}
    read = found.arrays()
    assert read.keys() == held.keys()
    assert all(read[name].dtype == held[name].dtype and (read[name] == held[name]).all() for name in held)
    assert read_checksummed(path, "test 2") is None


@given(data=st.data())
def test_a_change_is_noticed(path, data):
    write_checksummed(path, {"gambito": "test 1", "note": "a"}, {"x": np.arange(50)}, 6)
    before = path.read_bytes()
    place = data.draw(st.integers(0, len(before) - 1))
    after = before[:place] + bytes([before[place] ^ data.draw(st.integers(1, 255))]) + before[place + 1 :]
    path.write_bytes(after)
    found = read_checksummed(path, "test 1")
    if found is not None and found.is_whole:  # another white space between the facts
        assert found.facts == {"gambito": "test 1", "note": "a"} and (found.arrays()["x"] == range(50)).all()


@given(
    content=st.binary(max_size=80)
    | st.sampled_from([b"[]", b"1", b'{"gambito": "test 1", "arrays": {"x": 3}}'])
)
@example(b'{"gambito": "test 1", "arrays": {"x": ["01", 1]}}')  # NumPy reads it as Python
def test_other_bytes_are_refused(path, content):
    path.write_bytes(content)
    assert read_checksummed(path, "test 1") is None


def test_arrays_of_another_size_are_none(path):
    write_checksummed(path, {"gambito": "test 1"}, {"x": np.arange(4)}, 6)
    found = read_checksummed(path, "test 1")
    other = type(found)(found.facts, {"x": (np.dtype("<i8"), 5)}, found.packed, True)
    assert other.arrays() is None and other.size == 40
