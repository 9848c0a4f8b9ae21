"""The page: its data, what each step changes, and that nothing of the record can break out."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

from gambito.draw import draw_html
from gambito.draw.html import embed
from gambito.draw.layout import lay_out
from gambito.draw.replay import replay
from gambito.search.trace.record import Record

EVIL = "</script><script>alert(1)</script><!--<img src=x onerror=alert(1)>&\u2028'\""


class Tags(HTMLParser):
    """Counts elements and keeps what stands in scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.count: dict[str, int] = {}
        self.ids: list[str] = []
        self.scripts: list[str] = []
        self.inside = False

    def handle_starttag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1
        self.ids += [value or "" for key, value in attrs if key == "id"]
        self.inside = tag == "script"
        if self.inside:
            self.scripts.append("")

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.scripts[-1] += data


def parse(page: str) -> Tags:
    tags = Tags()
    tags.feed(page)
    return tags


def test_every_step_is_there_with_counts(aima):
    data = json.loads(parse(draw_html(aima)).scripts[0])
    assert [step["text"] for step in data["steps"]] == [step.text for step in aima.steps]
    assert data["steps"][-1]["counts"] == [aima.visited, aima.evaluations, aima.cutoffs]
    assert len(data["items"]) == len(aima.nodes)


def test_what_steps_change(aima):
    steps = replay(aima, lay_out(aima))
    entered = {"item": 0, "kind": "enter", "order": 1, "window": "(−∞, +∞)", "value": "", "counts": [1, 0, 0]}
    assert steps[0] == entered | {"text": "Enter the root."}
    first_alpha = next(step for step in steps if step["kind"] == "alpha")
    assert (first_alpha["item"], first_alpha["window"], first_alpha["value"]) == (0, "(3, +∞)", "best 3")
    cut = next(step for step in steps if step["kind"] == "cut")
    assert cut["cut"] == [7, 8]
    assert [step["value"] for step in steps if step["kind"] == "leave"] == ["= 3", "≤ 2", "≤ 2", "= 3"]


def test_steps_in_hidden_branches_are_joined_and_still_counted(record_of):
    record = record_of([[[k, k + 1, 5] for k in range(9)] for _ in range(9)])
    layout = lay_out(record, limit=30)
    steps = replay(record, layout)
    assert len(steps) < len(record.steps)
    assert steps[-1]["counts"] == [record.visited, record.evaluations, record.cutoffs]
    assert any("not drawn" in step["text"] for step in steps)
    for before, after in zip(steps, steps[1:], strict=False):
        assert not (before["kind"] == after["kind"] == "hidden" and before["item"] == after["item"])
    assert "of 334 nodes are drawn" in draw_html(record, limit=30)


def test_nothing_of_the_record_breaks_out(aima):
    clean = parse(draw_html(aima))
    aima.game = aima.position = aima.note = aima.algorithm = aima.action = EVIL
    for node in aima.nodes:
        node.board, node.action = EVIL, EVIL
        node.label = EVIL if node.children else node.label
        if node.cut:
            node.cut.text = EVIL
    for step in aima.steps:
        step.text = EVIL
    page = parse(draw_html(aima))
    assert page.count["script"] == clean.count["script"] == 2
    assert "img" not in page.count
    assert json.loads(page.scripts[0])["steps"][0]["text"] == EVIL


def test_embedded_json_holds_no_markup():
    text = embed({"a": EVIL})
    assert not re.search("[<>&\u2028]", text)
    assert json.loads(text) == {"a": EVIL}


def test_the_page_asks_nothing_of_any_server(aima):
    page = draw_html(aima)
    assert all(word not in page for word in ("http", "url(", "@import", "src=", "<link", "fetch("))


def test_the_script_finds_all_that_it_names(aima):
    page = parse(draw_html(aima))
    assert len(page.ids) == len(set(page.ids))
    named = set(re.findall(r'\$\("([a-z]+)"\)', page.scripts[1]))
    assert named <= set(page.ids)
    assert {"first", "back", "next", "last", "before", "after", "fit"} <= set(page.ids)


def test_the_sentence_is_read_aloud(aima):
    assert 'id="sentence" aria-live="polite"' in draw_html(aima)


def test_the_same_record_gives_the_same_bytes(record_of):
    assert draw_html(record_of([[1, 2], [3, 4]])) == draw_html(record_of([[1, 2], [3, 4]]))


@pytest.mark.parametrize("braces", ["{title}", "{0}", "{{", "}"])
def test_braces_in_the_record_are_text(aima, braces):
    aima.game = aima.steps[0].text = braces
    assert braces in draw_html(aima)


def test_an_empty_record_is_drawn():
    assert "</html>" in draw_html(Record("g", "p", "none", 0))
