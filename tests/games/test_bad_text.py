"""Numbers, names and files that no game can use are refused in one sentence."""

import json
import zlib

import numpy as np
import pytest

import gambito
from gambito.evaluate import files as weights
from gambito.game.numerals import read_whole
from gambito.games.grid_map import read_scenarios
from gambito.native import checksummed
from tests.learn.small import SPEC

DIGITS = "7" * 5000
LONG = "a" * 300 + ".py:Game"  # no file can have this name
BAD = [
    ("nim", "0000000099999"), ("nim", "3 ² 5"), ("nim", "3 ٣"), ("nim", DIGITS), ("nim", "256"),
    ("pig", f"{DIGITS}-3 first 12"), ("pig", "40-35 first ²"), ("pig-turn", "²"),
    ("einstein", "123../45.../6...A/...BC/..DEF white setting ²"),
    ("draughts", f"W:W31:B1:H{DIGITS}"), ("draughts", "W:W31:B1:H²"), ("draughts", "W:W٣:B1"),
    ("nine-mens-morris", "......../......../........ W ² 9"),
    ("graph", f"S-A {'9' * 400}, A-G 1; S to G"), ("graph", "½S>A 1.5, A-G 2; S to G"),
    ("graph", "A-G 1; S to G"), ("grid-map", "٣ 0 1 1"),
    ("go:size=3", ".../.../... X - ²"), ("go:size=3", f".../.../... X - {DIGITS}"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text"), BAD)
def test_a_position_with_bad_numbers_is_refused(name, text):
    with pytest.raises(gambito.PositionError) as raised:
        gambito.load(name).parse(text)
    assert len(str(raised.value).splitlines()) == 1


def test_leading_zeros_do_not_change_a_number():
    assert gambito.load("nim").text(gambito.load("nim").parse("00003 0000000000000255")) == "3 255"
    assert read_whole("007", 7) == 7 and read_whole("8", 7) is None and read_whole("0", 7, 1) is None
    assert [read_whole(text, 99) for text in ("", "-1", "+1", "1_0", " 1", "１", DIGITS)] == [None] * 7


def test_a_graph_that_begins_at_its_goal_needs_no_road():
    game = gambito.load("graph")
    state = game.parse("A-B 1; S to S")
    assert game.at(state).is_goal(state)


def test_large_heaps_fit_on_a_line():
    game = gambito.load("nim:heaps=99-99-255")
    assert max(map(len, game.show(game.initial()).splitlines())) < 40


ROW = "0\tm.map\t4\t3\t0\t0\t3\t2\t5.82842712"


@pytest.mark.parametrize(
    "line",
    [
        ROW.replace("5.82842712", "far").encode(),
        ROW.replace("5.82842712", "9" * 400).encode(),
        ROW.replace("5.82842712", "nan").encode(),
        ROW.replace("\t3\t2\t", "\t3\t²\t").encode(),
        ROW.replace("5.8", "5\xe98").encode("latin-1"),
        ROW.encode()[:-1] + b"\xff",
    ],
)
def test_a_scenario_that_cannot_be_read_names_its_line(tmp_path, line):
    path = tmp_path / "x.scen"
    path.write_bytes(b"version 1\n" + ROW.encode() + b"\n" + line + b"\n")
    with pytest.raises(gambito.GameError, match=r"line 3 of .*x.scen is no scenario"):
        read_scenarios(path)


def test_scenarios_of_a_map_with_another_name(tmp_path):
    (tmp_path / "x.scen").write_bytes(b"version 1\n" + ROW.replace("m.map", "mäp").encode("latin-1") + b"\n")
    assert read_scenarios(tmp_path / "x.scen") == [("0 0 3 2", 5.82842712)]


@pytest.mark.parametrize(
    ("arrays", "body"),
    [
        ({"weights": ["<c16", 4]}, bytes(64)),
        ({"weights": ["O", 4]}, bytes(32)),
        ({"weights": ["<i2", 10**30]}, bytes(8)),
        ({"weights": ["<i2", -4]}, bytes(8)),
        ({"weights": ["<i2", 4.5]}, bytes(8)),
        ({"weights": ["<i2", 4]}, bytes(1 << 20)),
        ({"weights": ["<i2", 4]}, bytes(6)),
        ({"weights": ["<i2", 1 << 50]}, bytes(8)),
    ],
)
def test_weights_that_are_no_numbers_are_refused(tmp_path, arrays, body):
    """With right checksums: complex numbers, objects, and other sizes than the header says."""
    game = gambito.load(f"{SPEC}:evaluation=blank")
    header = {
        "gambito": weights.FORMAT, "game": "lines", "form": game.form.description, "digest": "", "seed": 0,
        "trained": {}, "arrays": arrays,
    }  # fmt: skip
    path, packed = tmp_path / "x.eval", zlib.compress(body)
    header["sum"] = checksummed._checksum(header, packed)
    path.write_bytes(json.dumps(header).encode() + b"\n" + packed)
    with pytest.raises(gambito.EvaluationError, match=r"is no evaluation of Gambito|is damaged"):
        weights.read_evaluation(path, game, game.form.description)


def test_weights_of_any_real_type_are_read(tmp_path):
    game = gambito.load(f"{SPEC}:evaluation=blank")
    for kind in (np.int16, np.float32, np.uint8):
        held = {"weights": np.ones(game.form.size, kind), "none": np.zeros(0, kind)}
        weights.write_evaluation(tmp_path / "x.eval", game, game.form.description, held, {}, 0)
        found = weights.read_evaluation(tmp_path / "x.eval", game, game.form.description)
        assert (found.arrays["weights"] == 1).all() and len(found.arrays["none"]) == 0


def test_an_error_is_told_on_one_line():
    """Whatever somebody wrote: a parameter with a line break, a file of that name."""
    for spec in (
        "nim:he\naps=1",
        "nim:x\r\ny\u2028z=1",
        "no\nsuch",
        "no\nsuch.py:Game",
        "nim:heaps=\ud800",
        LONG,
    ):
        with pytest.raises(gambito.GambitoError) as raised:
            gambito.load(spec)
        assert len(str(raised.value).splitlines()) == 1 and str(raised.value).isprintable()
