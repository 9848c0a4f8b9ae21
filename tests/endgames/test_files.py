"""Files: a build that is killed ends in the same bytes, and no flipped bit goes unseen."""

import random
import sys
import threading
import time
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gambito
from gambito import EndgameError
from gambito.endgames.builder import Builder, Stage
from gambito.endgames.files import TableFile, read_stage, write_stage
from gambito.endgames.tables import PART, Tables, TableSet
from gambito.game.gears import gears
from gambito.memory import inflate
from gambito.memory.endgame_tables import LINE, OWNERS, Endings, value_at
from gambito.native import int64, native
from gambito.native.random import new_random
from gambito.native.raw import words_at
from tests.support import child

NIM = gambito.load("nim:heaps=2-3-2")


@pytest.fixture(scope="module")
def nim(tmp_path_factory):
    """A folder with the table of a small game, built in the Python gear."""
    where = tmp_path_factory.mktemp("tables")
    TableSet(NIM, where).build("all", builder=Builder(NIM, gear="python"))
    return where


def test_a_file_says_what_was_built(nim):
    file = TableFile(TableSet(NIM, nim).path("all"))
    made = Builder(NIM, gear="python").build("all")
    read = file.read()
    assert (read.values == made.values).all() and (read.keys == made.keys).all()
    assert (read.real, read.wins, read.losses, read.longest) == (64, 48, 16, 6)
    assert file.facts["game"] == "nim:heaps=2-3-2"


def test_every_flipped_bit_is_an_error(nim, tmp_path):
    """In the head or in a block: reading the table is refused, whichever bit it is."""
    whole = TableSet(NIM, nim).path("all").read_bytes()
    path = tmp_path / "all.table"
    for place in range(0, 8 * len(whole), 11):
        damaged = bytearray(whole)
        damaged[place >> 3] ^= 1 << (place & 7)
        path.write_bytes(damaged)
        with pytest.raises(EndgameError, match="damaged"):
            TableFile(path).read()
    for length in (0, 10, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(EndgameError):
            TableFile(path).read()
    path.write_bytes(whole + b"\0")
    with pytest.raises(EndgameError):
        TableFile(path)


def test_a_damaged_block_gives_no_value(nim, tmp_path, monkeypatch):
    """Probing it is an error, and so is a search that probes it."""
    game = gambito.load("nim:heaps=2-3-2")
    assert Tables(game, nim, gear="python").known(game.initial()).outcome == "win"
    path = TableSet(game, tmp_path).path("all")
    path.parent.mkdir()
    whole = TableSet(game, nim).path("all").read_bytes()
    start = TableFile(TableSet(game, nim).path("all")).start
    path.write_bytes(whole[: start + 3] + bytes([whole[start + 3] ^ 8]) + whole[start + 4 :])
    with pytest.raises(EndgameError, match="is damaged"):
        Tables(game, tmp_path, gear="python").known(game.initial())
    monkeypatch.setenv("GAMBITO_TABLES", str(tmp_path))
    with pytest.raises(gambito.SearchError, match="is damaged"):
        gambito.search(game, algorithm="engine", depth=3, gear="python")


@given(st.lists(st.integers(-5, 5)), st.integers(0, 9), st.integers(1, 60))
def test_what_zlib_packs_is_unpacked(values, level, times):
    data = np.array(values * times, np.int8).tobytes()[: 2 * LINE]
    packer = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(data) + packer.flush()
    out, work = bytearray(len(data)), [0] * inflate.WORK
    assert inflate.inflate(packed, len(packed), out, len(data), work) and bytes(out) == data
    assert inflate.checksum(packed, len(packed)) == zlib.crc32(packed)
    assert not inflate.inflate(packed[:-1], len(packed) - 1, bytearray(len(data) + 1), len(data) + 1, work)


def test_a_stage_is_read_as_it_was_written(tmp_path):
    stage = Stage(3, 5, 7, 11, 2, np.arange(9, dtype=np.int16), np.arange(9, dtype=np.uint8), np.arange(2))
    path, mark = tmp_path / f"x{PART}", {"name": "x"}
    write_stage(path, mark, stage)
    again = read_stage(path, mark)
    assert again is not None and (again.level, again.fresh) == (3, 2)
    assert (again.values == stage.values).all() and (again.special == stage.special).all()
    assert read_stage(path, {"name": "y"}) is None
    path.write_bytes(path.read_bytes()[:-1])
    assert read_stage(path, mark) is None and read_stage(tmp_path / "none", mark) is None


def test_a_build_goes_on_from_any_pass(tmp_path):
    """Every pass of a build is kept once, and going on from there gives the same file."""
    game = gambito.load("burnt-pancakes:count=4")
    stages = []

    def keep(stage):
        stages.append(Stage(**{**vars(stage), "values": stage.values.copy(), "counts": stage.counts.copy()}))

    whole = Builder(game, gear="python").build("all", keep=keep)
    for stage in stages:
        again = Builder(game, gear="python").build("all", stage=stage)
        assert (again.values == whole.values).all() and again.longest == whole.longest


BUILD = """
import sys
from pathlib import Path
import gambito
from gambito.endgames.tables import TableSet
TableSet(gambito.load("chess"), Path(sys.argv[1])).build("KPK", between=0.0)
"""


@pytest.mark.slow
def test_a_killed_build_ends_in_the_same_bytes(tmp_path):
    """Killed five times at random moments of the build, which then goes on from its checkpoint."""
    game = gambito.load("chess")
    calm, harsh = TableSet(game, tmp_path / "calm"), TableSet(game, tmp_path / "harsh")
    builder = Builder(game)
    for shelf in (calm, harsh):
        for name in game.conversions("KPK"):
            shelf.build(name, builder=builder)
    table = calm.build("KPK", builder=builder)
    rng, kills, went_on = random.Random(4), 0, 0
    while kills < 5:
        part = harsh.path("KPK").with_suffix(PART)
        with child(sys.executable, "-c", BUILD, str(tmp_path / "harsh")) as started:
            while started.poll() is None and not part.exists():
                time.sleep(0.005)
            before = part.stat().st_mtime_ns if part.exists() else 0
            while started.poll() is None and part.exists() and part.stat().st_mtime_ns == before:
                time.sleep(0.002)
            time.sleep(rng.random() * 0.1)
        kills += 1
        went_on += part.exists()
        harsh.path("KPK").unlink(missing_ok=True)
    harsh.build("KPK", builder=builder)
    assert harsh.path("KPK").read_bytes() == calm.path("KPK").read_bytes()
    assert went_on and table.longest == 56
    assert {path.suffix for path in harsh.place.iterdir()} == {".table"}


@native
def add_up(game, address, size, count, rng):
    """The sum of many values at random, each times its number: compiled code among other threads."""
    root, total = words_at(address), int64(0)
    for _ in range(count):
        number = int64(rng.below(size))
        total += value_at(root, int64(0), number) * number
    return total


@pytest.mark.slow
def test_threads_share_a_cache_of_one_block(tmp_path):
    """Blocks are loaded and dropped all the time, and every value stays correct."""
    puzzle = gambito.load("burnt-pancakes:count=6")
    table = TableSet(puzzle, tmp_path).build("all")
    file, inner = TableFile(TableSet(puzzle, tmp_path).path("all")), gears(puzzle).in_gear("native")
    tables = Endings([file.packed()], 0)
    assert file.value_blocks == 3 and len(tables.arrays[OWNERS]) == 1
    size, count, found = len(table.values), 3000, {}

    def work(seed):
        found[seed] = add_up(inner, tables.address, size, count, new_random((seed,)))

    work(0)  # compiled
    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed, total in found.items():
        rng = new_random((seed,))
        numbers = [int(rng.below(size)) for _ in range(count)]
        assert total == sum(int(table.values[n]) * n for n in numbers)
    assert not tables.damaged
