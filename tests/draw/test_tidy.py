"""The tidy layout: order, symmetry, enough room for every node, linear time."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gambito.draw.tidy import tidy


@st.composite
def trees(draw):
    """Children lists of a random tree, with the room that each node takes at its left and right."""
    n = draw(st.integers(1, 60))
    children: list[list[int]] = [[] for _ in range(n)]
    for node in range(1, n):
        children[draw(st.integers(max(0, node - 9), node - 1))].append(node)
    room = st.lists(st.integers(0, 30).map(float), min_size=n, max_size=n)
    return children, draw(room), draw(room), float(draw(st.integers(0, 9)))


def levels(children):
    """The nodes of each level from left to right."""
    row = [0]
    while row:
        yield row
        row = [child for node in row for child in children[node]]


@settings(max_examples=200, deadline=None)
@given(trees())
def test_rooms_on_a_level_never_overlap(tree):
    children, left, right, cousins = tree
    x = tidy(children, left, right, cousins)
    parent = {child: node for node, below in enumerate(children) for child in below}
    for row in levels(children):
        for a, b in zip(row, row[1:], strict=False):
            gap = 0.0 if parent[a] == parent[b] else cousins
            assert x[b] - left[b] - (x[a] + right[a]) >= gap - 1e-6


@settings(max_examples=80, deadline=None)
@given(trees())
def test_a_parent_stands_over_the_middle_of_its_children(tree):
    children, left, right, cousins = tree
    x = tidy(children, left, right, cousins)
    for node, below in enumerate(children):
        if below:
            assert x[node] == pytest.approx((x[below[0]] + x[below[-1]]) / 2, abs=1e-6)
    assert min(at - room for at, room in zip(x, left, strict=True)) == pytest.approx(0.0)


def test_small_subtrees_between_large_ones_are_spread_evenly():
    children = [[1, 2, 3], [4, 5, 6], [], [7, 8, 9], [], [], [], [], [], []]
    x = tidy(children, [1.0] * 10, [1.0] * 10)
    assert x[2] - x[1] == pytest.approx(x[3] - x[2])


def test_equal_subtrees_look_equal():
    children = [[1, 2], [3, 4], [5, 6], [], [], [], []]
    x = tidy(children, [1.0] * 7, [1.0] * 7)
    assert [x[i] - x[1] for i in (3, 4)] == pytest.approx([x[i] - x[2] for i in (5, 6)])


@pytest.mark.parametrize("shape", ["wide", "bushy", "deep", "two combs"])
def test_a_hundred_thousand_nodes_take_less_than_two_seconds(shape):
    n = 100_000
    children: list[list[int]] = [[] for _ in range(n)]
    for node in range(1, n):
        above = {"wide": 0, "bushy": (node - 1) // 3, "deep": node - 1, "two combs": max(0, node - 2)}[shape]
        children[above].append(node)
    start = time.process_time()
    x = tidy(children, [1.0] * n, [1.0] * n)
    assert time.process_time() - start < 2.0
    assert len(x) == n


def test_nothing_gives_nothing():
    assert tidy([], [], []) == []
