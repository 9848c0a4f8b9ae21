"""A watched search as the page receives it: a JSON header and one block of typed arrays.

The nodes are in preorder, so a subtree is a range of `size` nodes; node 0 is the root. Lengths are in the
unit of the layout. The field `arrays` of the header lists the name, type, length and offset of each array.

    nodes   x, left, right, width, height   position of the shape, and its extent with its text
            level, parent (-1), size, player, shape, cell (-1)
            flags                           ON_LINE, EVALUATED, DEEP (its cut-off is a deep one)
            action, label                   indices in `words`
            chance                          the probability of the action; NaN if no chance makes it
            reason, by (-1), why            of its cut-off: indices in `reasons`, the nodes and `sentences`
    steps   kind, node, sentence, conclusion (0), order (of the visit that begins, or 0)
            value, alpha, beta              for MAX; NaN if there is none
            bound                           an index in BOUNDS: the relation of the value to the true value
            leaf                            1 if the step evaluates a leaf
    lists   dropped, from dropped_from[step] to dropped_from[step + 1]: the nodes that a step dropped
            fact (an index in `fact_names`) and fact_value, delimited by fact_from in the same way

A sentence is a list of its template and its parts. A part is a text or another such list.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from gambito.draw.facts import EVALUATED, is_evaluated, preorder, sizes
from gambito.draw.layout import Layout, lay_out
from gambito.draw.replay import Stays
from gambito.search.trace.record import STEP_KINDS, Record, Step, Visit
from gambito.words.sentence import Sentence

ON_LINE, EVALUATED_LEAF, DEEP = 1, 2, 4
BOUNDS = ("", "exact", "lower", "upper", "between")
SHAPES = ("max", "min", "chance", "state", "leaf", "other")
ALIGNMENT = 8
NOBODY = -1
PLAIN = (
    "game", "position", "algorithm", "depth", "action", "line", "visited", "evaluations", "cutoffs", "titles",
    "board", "interval", "is_many", "options",
)  # fmt: skip


def pack(record: Record) -> tuple[dict[str, Any], bytes]:
    """Return the header and the arrays of a record."""
    layout = lay_out(record, None, None)
    words, sentences = _Table(), _Table()
    place = {item.node: number for number, item in enumerate(layout.items)}
    kinds = list(dict.fromkeys((*STEP_KINDS, *(step.kind for step in record.steps))))
    reasons = ["", *dict.fromkeys(node.cut.reason for node in record.nodes if node.cut)]
    facts = list(dict.fromkeys(name for step in record.steps for name in step.facts))
    arrays = _nodes(record, layout, place, words, sentences, reasons)
    arrays |= _steps(record, place, sentences, kinds)
    arrays |= _lists(record, place, facts)
    listed, body = _join(arrays)
    header: dict[str, Any] = {name: getattr(record, name) for name in PLAIN}
    header |= {
        "value": _plain(record.value),
        "note": _parts(record.note) if record.note else None,
        "nodes": len(layout.items),
        "steps": len(record.steps),
        "width": layout.width,
        "tops": _tops(layout),
        "floors": layout.floors,
        "shapes": SHAPES,
        "bounds": BOUNDS,
        "kinds": kinds,
        "reasons": reasons,
        "fact_names": facts,
        "words": words.texts(),
        "sentences": [_parts(text) for text in sentences.texts()],
        "arrays": listed,
    }
    return header, body


class _Table:
    """A list of distinct texts, referred to by number."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))

    def texts(self) -> list[str]:
        return list(self.numbers)


def _parts(text: str) -> list[Any]:
    """Split a sentence into its template and parts. Any other text is a template without parts."""
    return text.as_list() if isinstance(text, Sentence) else [text]


def _nodes(
    record: Record,
    layout: Layout,
    place: dict[int, int],
    words: _Table,
    sentences: _Table,
    reasons: Sequence[str],
) -> dict[str, np.ndarray]:
    items = layout.items
    nodes = [record.nodes[item.node] for item in items]
    size = sizes(record, preorder(record))
    cuts = [node.cut for node in nodes]
    number = {reason: k for k, reason in enumerate(reasons)}
    flags = [
        ON_LINE * item.on_line + EVALUATED_LEAF * is_evaluated(node) + DEEP * bool(node.cut and node.cut.deep)
        for item, node in zip(items, nodes, strict=True)
    ]
    return {
        "x": _floats(item.x for item in items),
        "left": _floats(item.left for item in items),
        "right": _floats(item.right for item in items),
        "width": _floats(item.width for item in items),
        "height": _floats(item.height for item in items),
        "level": np.array([item.level for item in items], np.uint16),
        "parent": np.array([NOBODY if i.parent is None else i.parent for i in items], np.int32),
        "size": np.array([size[item.node] for item in items], np.uint32),
        "player": np.array([node.player for node in nodes], np.int8),
        "shape": np.array([SHAPES.index(item.shape) for item in items], np.uint8),
        "cell": np.array([NOBODY if node.cell is None else node.cell for node in nodes], np.int32),
        "flags": np.array(flags, np.uint8),
        "chance": _values(node.chance for node in nodes),
        "action": np.array([words.number(node.action) for node in nodes], np.uint32),
        "label": np.array([words.number(node.label) for node in nodes], np.uint32),
        "reason": np.array([number[cut.reason] if cut else 0 for cut in cuts], np.uint8),
        "by": np.array([NOBODY if not c or c.by is None else place[c.by] for c in cuts], np.int32),
        "why": np.array([sentences.number(cut.text if cut else "") for cut in cuts], np.uint32),
    }


def _steps(
    record: Record, place: dict[int, int], sentences: _Table, kinds: Sequence[str]
) -> dict[str, np.ndarray]:
    steps = record.steps
    number = {kind: k for k, kind in enumerate(kinds)}
    stays = Stays(record)
    orders, bounds, leaves = [], [], []
    for step in steps:
        begins, visit = stays.follow(step)
        orders.append((visit.order if visit else stays.counts[0]) if begins else 0)
        bounds.append(BOUNDS.index(_bound(record, step, visit)))
        leaves.append(step.kind == "leaf" and (visit is None or visit.leaf in EVALUATED))
    return {
        "kind": np.array([number[step.kind] for step in steps], np.uint8),
        "node": np.array([place[step.node] for step in steps], np.uint32),
        "sentence": np.array([sentences.number(step.text) for step in steps], np.uint32),
        "conclusion": np.array([step.conclusion or 0 for step in steps], np.uint32),
        "order": np.array(orders, np.uint32),
        "value": _values(step.value for step in steps),
        "alpha": _values(step.alpha for step in steps),
        "beta": _values(step.beta for step in steps),
        "bound": np.array(bounds, np.uint8),
        "leaf": np.array(leaves, np.uint8),
    }


def _bound(record: Record, step: Step, visit: Visit | None) -> str:
    """Return how a step's value bounds the true value. A best value so far is a bound for the mover."""
    if step.value is None:
        return ""
    if step.kind == "bounds":
        return "exact" if step.alpha == step.beta else "between"
    if step.kind in ("leaf", "leave"):
        return visit.bound if visit is not None and visit.bound else "exact"
    return {0: "lower", 1: "upper"}.get(record.nodes[step.node].player, "exact")


def _lists(record: Record, place: dict[int, int], facts: Sequence[str]) -> dict[str, np.ndarray]:
    steps = record.steps
    number = {name: k for k, name in enumerate(facts)}
    return {
        "dropped_from": np.cumsum([0, *(len(step.cut) for step in steps)], dtype=np.uint32),
        "dropped": np.array([place[node] for step in steps for node in step.cut], np.uint32),
        "fact_from": np.cumsum([0, *(len(step.facts) for step in steps)], dtype=np.uint32),
        "fact": np.array([number[name] for step in steps for name in step.facts], np.uint8),
        "fact_value": _values(value for step in steps for value in step.facts.values()),
    }


def _tops(layout: Layout) -> list[float]:
    """Return the upper edge of every level."""
    tops = [0.0] * len(layout.floors)
    for item in layout.items:
        tops[item.level] = item.y
    return tops


def _plain(value: Any) -> float | None:
    """Return a number that JSON can represent, or None."""
    return value if value is None else float(value) if isinstance(value, float | np.floating) else int(value)


def _floats(numbers: Iterable[float]) -> np.ndarray:
    return np.fromiter(numbers, np.float32)


def _values(values: Iterable[float | None]) -> np.ndarray:
    """Return values in four bytes each if this is exact for all of them, otherwise in eight."""
    exact = np.array([np.nan if value is None else value for value in values], np.float64)
    with np.errstate(over="ignore"):
        short = exact.astype(np.float32)
    return short if np.array_equal(short.astype(np.float64), exact, equal_nan=True) else exact


def _join(arrays: dict[str, np.ndarray]) -> tuple[list[list[Any]], bytes]:
    """Join all arrays into one little-endian block; also return the name, type, length and offset of each."""
    listed, pieces, offset = [], [], 0
    for name, array in arrays.items():
        data = array.astype(array.dtype.newbyteorder("<")).tobytes()
        listed.append([name, array.dtype.kind + str(array.dtype.itemsize), len(array), offset])
        padding = -len(data) % ALIGNMENT
        pieces += [data, bytes(padding)]
        offset += len(data) + padding
    return listed, b"".join(pieces)
