"""What is left out of a tree that is too large, and what never is."""

from __future__ import annotations

import random
import time

import pytest

from gambito.draw.facts import preorder, principal
from gambito.draw.layout import lay_out
from gambito.draw.trim import trim, trim_note


@pytest.fixture(scope="module")
def large(record_of):
    """A full tree of 1,365 nodes."""
    rng = random.Random(1)

    def grow(depth):
        return [grow(depth - 1) for _ in range(4)] if depth else rng.randint(-9, 9)

    return record_of(grow(5))


def test_a_small_tree_is_whole(aima):
    twigs = trim(aima, 13)
    assert [twig.node for twig in twigs] == preorder(aima)
    assert trim_note(aima, twigs) == ""


@pytest.mark.parametrize("limit", [2, 3, 10, 57, 400, 1364])
def test_a_large_tree_keeps_to_its_limit_and_counts_what_it_hides(large, limit):
    twigs = trim(large, limit)
    assert len(twigs) <= limit
    assert sum(twig.hidden or 1 for twig in twigs) == len(large.nodes)
    assert all(twig.hidden != 1 for twig in twigs)
    assert f"of {len(large.nodes):,} nodes are drawn" in trim_note(large, twigs)


def test_the_principal_line_and_the_shallow_part_stay(large):
    kept = {twig.node for twig in trim(large, 60) if not twig.hidden}
    assert set(principal(large)) <= kept
    assert set(large.nodes[0].children) <= kept


def test_children_keep_their_order_and_parents_come_first(large):
    twigs = trim(large, 100)
    for index, twig in enumerate(twigs):
        assert all(child > index and twigs[child].parent == index for child in twig.children)
        shown = [twigs[child].node for child in twig.children if not twigs[child].hidden]
        assert shown == sorted(shown, key=large.nodes[twig.node].children.index)


@pytest.mark.parametrize("limit", [0, -5])
def test_a_limit_must_be_positive(aima, limit):
    with pytest.raises(ValueError, match="positive"):
        trim(aima, limit)


def test_a_layout_that_is_too_wide_is_cut_further(large):
    assert lay_out(large, widest=1500).width <= 1500
    assert len(lay_out(large, widest=1500).items) < len(lay_out(large, widest=None).items)
    with pytest.raises(ValueError, match="width"):
        lay_out(large, widest=0)


def test_a_root_of_many_branches_is_cut_too(bare_record):
    layout = lay_out(bare_record([0] * 5000))
    assert len(layout.items) <= 400
    assert "… " in layout.items[-1].inside


@pytest.mark.parametrize("nodes", [20_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_many_nodes_are_laid_out_in_bounded_time(bare_record, nodes):
    deep = list(range(500)) + [i // 3 for i in range(nodes - 500)]
    record = bare_record(deep)
    start = time.process_time()
    assert len(lay_out(record).items) <= 400
    assert time.process_time() - start < 2.0
    assert len(lay_out(record, limit=None, widest=None).items) == nodes + 1
