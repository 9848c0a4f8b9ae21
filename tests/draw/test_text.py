"""The tree as text."""

from __future__ import annotations

import pytest

from gambito.draw import draw_text
from gambito.search.trace.record import Node, Record, Visit

AIMA_TEXT = """\
alpha-beta on tree, depth 2
[[3, 12, 8], [2, 4, 6], [14, 5, 2]]

▲ MAX  A  (−∞, +∞)  = 3  #1  [2]
├─ a1  ▼ MIN  B  (−∞, +∞)  = 3  #2  [1]
│  ├─ b1  3  (−∞, +∞)  = 3  #3 ✓
│  ├─ b2  12  (−∞, 3)  = 12  #4 ✓
│  └─ b3  8  (−∞, 3)  = 8  #5 ✓
├─ a2  ▼ MIN  C  (3, +∞)  ≤ 2  #6  [3]
│  ├─ c1  2  (3, +∞)  = 2  #7 ✓
│  ├─ c2  4  ✂ pruned: α cut-off at C, by the bound of A
│  └─ c3  6  ✂ pruned: α cut-off at C, by the bound of A
└─ a3  ▼ MIN  D  (3, +∞)  ≤ 2  #8  [4] [5] [6]
   ├─ d1  14  (3, +∞)  = 14  #9 ✓
   ├─ d2  5  (3, 14)  = 5  #10 ✓
   └─ d3  2  (3, 5)  = 2  #11 ✓

value      3
action     a1
line       a1 b1
visited    11
evaluated  7
cut-offs   1

conclusions
[1] B: So it is worth at most 3.
[2] A: So it is worth at least 3.
[3] C: So it is worth at most 2.
[4] D: So it is worth at most 14.
[5] D: So it is worth at most 5.
[6] D: So it is worth at most 2.
"""


def test_the_textbook_tree(aima):
    assert draw_text(aima) == AIMA_TEXT


def test_a_deep_cut_off_names_the_ancestor(record_of):
    text = draw_text(record_of([5, [[[3, 9], 8], 7]]))
    assert "✂ pruned: α cut-off at #5, by the bound of the root, deep cut-off" in text


def test_a_re_search_shows_every_stay():
    record = Record("g", "p", "pvs", 1, nodes=[Node(0, None, "", -1)])
    record.nodes[0].visits = [
        Visit(1, 1, 0.5, 1.25, 1.25, "lower"),
        Visit(4, 1, 1.25, None, -2.0, "exact", again=True),
    ]
    assert "● CHANCE  (0.5, 1.25)  ≥ 1.25  #1  again (1.25, +∞)  = −2  #4" in draw_text(record)


def test_a_large_tree_says_what_is_left_out(record_of):
    text = draw_text(record_of([[list(range(9)) for _ in range(9)] for _ in range(9)]), limit=50)
    assert "of 820 nodes are drawn" in text
    assert " nodes\n" in text
    assert text.index("of 820 nodes") < text.index("value  ")


@pytest.mark.parametrize("trick", ["a\nvalue      99", "a\r\n└─ b", "a\u2028\x1b[2Jb"])
def test_no_text_of_the_record_makes_a_line_of_its_own(aima, trick):
    aima.nodes[1].action = aima.nodes[1].label = aima.steps[5].text = aima.position = trick
    aima.game = aima.action = trick
    aima.line = [trick]
    text = draw_text(aima)
    assert len(text.splitlines()) == len(AIMA_TEXT.splitlines())
    assert "\x1b" not in text


def test_an_empty_record_is_drawn():
    assert draw_text(Record("g", "p", "none", 0)).startswith("none on g, depth 0\n")
