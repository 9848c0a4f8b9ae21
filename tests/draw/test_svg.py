"""The picture is well-formed, escaped, reproducible and complete."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from hypothesis import given, settings
from hypothesis import strategies as st

from gambito.draw import draw_svg
from gambito.draw.layout import lay_out
from gambito.search.trace.record import Record

SVG = "{http://www.w3.org/2000/svg}"


def groups(svg: str, start: str) -> list[ET.Element]:
    """The groups of nodes (`n`) or edges (`e`)."""
    root = ET.fromstring(svg)
    return [g for g in root.iter(f"{SVG}g") if g.get("id", "").startswith(start)]


def words(element: ET.Element) -> list[str]:
    return [text.text or "" for text in element.iter(f"{SVG}text")]


def test_shapes_of_the_textbook_tree(aima):
    nodes = groups(draw_svg(aima), "n")
    kinds = [g.get("class", "").split()[0] for g in nodes]
    assert [kinds.count(kind) for kind in ("max", "min", "leaf")] == [1, 3, 9]
    assert sum("line" in g.get("class", "") for g in nodes) == 3
    assert sum("dropped" in g.get("class", "") for g in nodes) == 2


def test_words_beside_a_node_and_the_reason_of_its_cut(aima):
    node = groups(draw_svg(aima), "n")[5]  # C
    assert words(node) == ["C", "3", "≤ 2", "#6 (3, +∞)", "α-cut by A"]


def test_scissors_and_tooltip_on_every_pruned_branch(aima):
    edges = [g for g in groups(draw_svg(aima), "e") if "dropped" in g.get("class", "")]
    assert len(edges) == 2
    for edge in edges:
        assert any(g.get("class") == "snip" for g in edge)
        assert "α cut-off at C, by the bound of A" in (edge.findtext(f"{SVG}title") or "")


def test_a_deep_cut_off_is_called_deep(record_of):
    shown = words(ET.fromstring(draw_svg(record_of([5, [[[3, 9], 8], 7]]))))
    assert "deep α-cut" in shown
    assert "by the root" in shown


def test_the_same_record_gives_the_same_bytes(record_of):
    tree = [[[5, 6], [7, 4, 5]], [[3]], [[6], [6, 9], [7]]]
    assert draw_svg(record_of(tree)) == draw_svg(record_of(tree))


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(), max_size=40))
def test_any_text_gives_well_formed_xml(record_of, text):
    record = record_of([[3, 12], [2, 4]])
    record.game = record.position = record.note = record.action = text
    for node in record.nodes:
        node.action = node.label = node.board = text
        if node.cut:
            node.cut.text = node.cut.reason = text
    for step in record.steps:
        step.text = text
    ET.fromstring(draw_svg(record))


def test_markup_in_the_record_stays_text(aima):
    aima.nodes[1].action = "</text><script>alert(1)</script>"
    aima.nodes[1].board = '"><image href="http://evil"/>'
    tags = {element.tag.removeprefix(SVG) for element in ET.fromstring(draw_svg(aima)).iter()}
    assert tags <= {"svg", "title", "style", "rect", "g", "path", "text", "circle"}


def test_nothing_is_fetched(aima):
    svg = draw_svg(aima).replace("http://www.w3.org/2000/svg", "")
    assert all(word not in svg for word in ("http", "url(", "@import", "href"))


def test_a_cut_picture_says_so(record_of):
    svg = draw_svg(record_of([[[1] * 9] * 9] * 9), limit=40)
    assert "of 820 nodes are drawn" in svg
    assert any(g.get("class", "").startswith("stub") for g in groups(svg, "n"))


def test_shapes_on_a_level_stand_apart(record_of):
    layout = lay_out(record_of([[[5, 6], [7, 4, 5]], [[3]], [[6], [6, 9], [7]]]))
    rows: dict[int, list] = {}
    for item in layout.items:
        rows.setdefault(item.level, []).append(item)
    for row in rows.values():
        for a, b in zip(row, row[1:], strict=False):
            assert a.y == b.y
            assert a.x + a.width / 2 < b.x - b.width / 2


def test_an_empty_record_is_drawn():
    ET.fromstring(draw_svg(Record("g", "p", "none", 0)))
