"""A record as header and arrays: it is complete and plain, and the sentences of all algorithms are known."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

import gambito
from gambito.search.trace.record import Record
from gambito.search.trace.recorder import SENTENCES
from gambito.web.compare import plain_minimax
from gambito.web.record import BOUNDS, pack
from gambito.words.sentence import Sentence
from tests.records import a_star, monte_carlo
from tests.support import AIMA, LECTURE, PLAYING, random_tree, small


def unpacked(record: Record) -> tuple[dict, dict[str, np.ndarray]]:
    """The header after a way through JSON, and the arrays."""
    header, body = pack(record)
    arrays = {}
    for name, kind, count, offset in header["arrays"]:
        assert offset % 8 == 0, name
        arrays[name] = np.frombuffer(body, "<" + kind, count, offset)
    return json.loads(json.dumps(header, allow_nan=False)), arrays


def said(parts: list) -> str:
    """A sentence put together as the page does it."""
    template, *given = parts
    return template.format(*(said(p) if isinstance(p, list) else p for p in given)) if given else template


def test_nodes_stand_in_preorder():
    header, arrays = unpacked(gambito.trace("tree", AIMA, "alpha-beta"))
    assert header["nodes"] == 13
    assert arrays["size"].tolist() == [13, 4, 1, 1, 1, 4, 1, 1, 1, 4, 1, 1, 1]
    assert arrays["parent"].tolist() == [-1, 0, 1, 1, 1, 0, 5, 5, 5, 0, 9, 9, 9]
    assert [header["words"][k] for k in arrays["label"]][2:5] == ["3", "12", "8"]
    assert [header["shapes"][k] for k in arrays["shape"][:3]] == ["max", "min", "leaf"]
    assert (arrays["flags"] & 1).nonzero()[0].tolist() == [0, 1, 2]
    assert [header["reasons"][k] for k in arrays["reason"][6:9]] == ["", "alpha", "alpha"]
    assert arrays["by"][7] == 0
    assert (np.diff(header["tops"]) > 0).all()


@pytest.mark.parametrize("name", PLAYING)
def test_steps_say_what_the_record_says(name):
    rng = random.Random(5)
    for text in (AIMA, LECTURE, json.dumps(random_tree(rng, 4, 3, 9))):
        record = gambito.trace("tree", text, name, **small(name))
        header, arrays = unpacked(record)
        assert [said(header["sentences"][k]) for k in arrays["sentence"]] == [s.text for s in record.steps]
        assert [header["kinds"][k] for k in arrays["kind"]] == [step.kind for step in record.steps]
        templates = {part[0] for part in header["sentences"]} - {""}
        assert templates <= set(SENTENCES.values())
        for column in ("value", "alpha", "beta"):
            held = [getattr(step, column) for step in record.steps]
            assert [None if np.isnan(v) else v for v in arrays[column]] == held
        assert arrays["leaf"].sum() == sum(
            v.leaf in ("terminal", "horizon") for n in record.nodes for v in n.visits
        )
        assert sorted(arrays["order"][arrays["order"] > 0]) == list(range(1, (arrays["order"] > 0).sum() + 1))


def test_bounds_of_values():
    record = gambito.trace("tree", AIMA, "alpha-beta")
    header, arrays = unpacked(record)
    shown = [
        (record.nodes[s.node].player, BOUNDS[b], s.value)
        for s, b in zip(record.steps, arrays["bound"], strict=True)
        if s.kind in ("alpha", "beta", "leave") and record.nodes[s.node].children
    ]
    assert shown[:3] == [(1, "upper", 3), (1, "exact", 3), (0, "lower", 3)]
    assert shown[-1] == (0, "exact", 3)
    assert header["value"] == 3


def test_what_a_step_dropped():
    record = gambito.trace("tree", AIMA, "alpha-beta")
    _, arrays = unpacked(record)
    cut = next(k for k, step in enumerate(record.steps) if step.kind == "cut")
    assert arrays["dropped"][arrays["dropped_from"][cut] : arrays["dropped_from"][cut + 1]].tolist() == [7, 8]


def test_values_too_large_for_four_bytes_have_eight():
    small_values, large_values = (unpacked(gambito.trace("tree", t))[1] for t in ("[1,2]", "[123456789,2]"))
    assert small_values["value"].dtype == np.float32
    assert large_values["value"].dtype == np.float64
    assert 123456789 in large_values["value"]


def test_a_record_of_monte_carlo_is_packed():
    header, arrays = unpacked(monte_carlo())
    assert header["fact_names"] == ["visits", "mean"]
    assert header["titles"] == {"rollout": "Roll-out"}
    assert {"select", "expand", "simulate", "rollout", "backup"} <= set(header["kinds"])
    last = arrays["fact_value"][arrays["fact_from"][-2] :]
    assert last.tolist() == pytest.approx([6, 5 / 6])


def test_a_record_of_a_star_is_packed():
    record = a_star()
    header, arrays = unpacked(record)
    assert header["fact_names"] == ["f", "g", "h"]
    assert header["board"]["width"] == 4
    assert set(arrays["cell"].tolist()) <= set(range(12)) - {4, 5}
    assert len(record.line) == 5


def test_an_empty_record_is_packed():
    header, _ = unpacked(Record("g", "p", "none", 0))
    assert (header["nodes"], header["steps"], header["note"]) == (0, 0, None)


def test_a_sentence_is_a_text_and_remembers_its_parts():
    inner = Sentence("the root")
    whole = Sentence("{0} has {1}", inner, "3")
    assert whole == "the root has 3"
    assert json.dumps(whole) == '"the root has 3"'
    assert (whole.template, whole.parts) == ("{0} has {1}", ("the root", "3"))
    assert Sentence("{braces} alone") == "{braces} alone"


def test_plain_minimax_is_counted_where_it_ends_soon():
    tree = gambito.load("tree")
    counts = {"algorithm": "minimax", "nodes": 13, "evaluations": 9, "value": 3}
    assert plain_minimax(tree, tree.initial(), 2) == counts
    four = gambito.load("connect-four")
    assert plain_minimax(four, four.initial(), 20) is None


def test_a_stopped_trace_says_so():
    stop = gambito.Stop()
    stop.set()
    record = gambito.trace("connect-four", None, "alpha-beta", depth=6, stop=stop)
    assert record.note == SENTENCES["stopped"]
    assert record.value is None
    assert unpacked(record)[0]["note"] == [SENTENCES["stopped"]]
