"""What a notebook shows: positions, results and reports, as SVG and HTML."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest

import gambito
from gambito import Game, players
from gambito.draw import position
from gambito.draw.notebook import ShownPosition
from gambito.draw.position import draw_position
from gambito.game.registry import game_classes
from tests.docs.pages import DOCS, examples
from tests.support import run

SVG = "{http://www.w3.org/2000/svg}"
PAGE_STYLE = (Path(gambito.__file__).parent / "web" / "page" / "style.css").read_text(encoding="utf-8")
WITHOUT_PICTURE = {"uniform-tree", "world-tree"}


class Balanced(HTMLParser):
    """Complains of tags that do not close, and collects the text and the names of what is there."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self.feed(markup)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def classes(svg: str, css: str) -> list[ET.Element]:
    return [e for e in ET.fromstring(svg).iter() if css in e.get("class", "").split()]


# ---- positions ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", game_classes())
def test_every_game_shows_itself(name):
    game = gambito.load(name)
    state = game.initial()
    while game.player(state) == gambito.CHANCE:
        state = game.result(state, game.legal(state)[0])
    view = gambito.show(game, state, game.legal(state)[0])
    assert repr(view) == view.game.show(state)
    svg, html = view._repr_svg_(), Balanced(view._repr_html_())
    if name in WITHOUT_PICTURE:
        assert svg is None and "pre" in html.tags
        return
    assert "svg" in html.tags and len(classes(svg, "piece")) >= len(view.game.pieces(state))


def test_a_move_is_an_arrow_or_a_ring():
    chess = gambito.show("chess", line="e4")
    assert len(classes(chess._repr_svg_(), "arrow")) == 1
    four = gambito.show("connect-four", "4455", ["3", "6"])
    assert len(classes(four._repr_svg_(), "ring-mark")) == 2
    assert len(classes(four._repr_svg_(), "ring-mark")) - 1 == len(classes(four._repr_svg_(), "later")) / 2
    assert four.line == gambito.show("connect-four", "4455", four.line).line


def test_a_wrong_move_is_refused():
    with pytest.raises(ValueError, match="not legal"):
        gambito.show("connect-four", "444444", 3)
    with pytest.raises(ValueError):
        gambito.show("connect-four", "44", "9")


def test_a_board_is_turned():
    plain, turned = (gambito.show("chess", turned=turned)._repr_svg_() for turned in (False, True))

    def places(svg: str) -> list[tuple[float, float]]:
        found = [re.findall(r"[\d.]+", e.get("transform")) for e in classes(svg, "piece")]
        return [(float(x), float(y)) for x, y in found]

    assert [(8 - x, 8 - y) for x, y in places(plain)] == places(turned)


def test_texts_of_a_game_are_escaped():
    class Rude(Game):
        """A game whose texts are markup."""

        sides = ("<b>One", "Two&")

        def initial(self):
            return 1

        def player(self, state):
            return 0

        def actions(self, state):
            yield 1

        def result(self, state, action):
            return state + action

        def is_terminal(self, state):
            return state > 3

        def utility(self, state, player):
            return 0

        def show(self, state):
            return "<script>alert(1)</script>"

        def text(self, state):
            return '"<img src=x onerror=alert(1)>'

        def write(self, state, action):
            return "<i>1</i>"

    class RudeBoard(Rude):
        def picture(self):
            return gambito.picture.grid(2, 1)

        def pieces(self, state):
            return [gambito.picture.Piece(0, "text", 0, "<u>")]

    for game in (Rude(), RudeBoard()):
        found = gambito.search(game, algorithm="mcts", nodes=20, gear="python", solver=False)
        for markup in (gambito.show(game)._repr_html_(), found._repr_html_()):
            tags = Balanced(markup).tags
            assert not {"script", "img", "b", "i", "u"} & set(tags)
            assert "&lt;" in markup


def test_a_piece_on_no_cell_is_text():
    class Lost(type(gambito.load("tic-tac-toe"))):
        def pieces(self, state):
            return [gambito.picture.Piece(99)]

    game = Lost()
    assert draw_position(game, game.initial()) is None
    assert "<pre" in ShownPosition(game)._repr_html_()


def test_the_colours_are_those_of_the_page():
    page, own = (dict(re.findall(r"(--[\w-]+): ([^;]*);", text)) for text in (PAGE_STYLE, position.STYLE))
    named = {name for name in own if name not in ("--fill", "--edge", "--on")}
    assert {*re.findall(r"var\((--[\w-]+)\)", position.STYLE)} <= own.keys()
    assert {name: own[name] for name in named} == {name: page[name] for name in named}


# ---- results -----------------------------------------------------------------------------------------


def test_a_result_shows_its_board_and_facts():
    found = gambito.search("connect-four", "4455", algorithm="alpha-beta", depth=4, gear="python")
    html = Balanced(found._repr_html_())
    assert {"svg", "table"} <= set(html.tags)
    assert len(classes(ShownPosition(found.game, found.state, found.action)._repr_svg_(), "ring-mark")) == 1
    for words in ("alpha-beta", f"{found.nodes:,} nodes", " ".join(found.words()), "for the player to move"):
        assert words in html.text


def test_a_result_of_simulations_lists_its_candidates():
    found = gambito.search("tic-tac-toe", algorithm="mcts", nodes=200, gear="python", solver=False)
    html = Balanced(found._repr_html_())
    assert "visits" in html.text and "and 1 more" in html.text
    assert f"{found.candidates[0].visits:,}" in html.text


def test_a_puzzle_shows_its_cost():
    found = gambito.search("sliding-tiles", "1 2 3 4 5 6 0 7 8", gear="python")
    assert "2, proven least" in Balanced(found._repr_html_()).text


def test_a_game_that_is_over():
    found = gambito.search("tic-tac-toe", "XXX/OO./...")
    assert "none, the game is over" in Balanced(found._repr_html_()).text


def test_reports(tmp_path):
    assert "none" in Balanced(gambito.check("nim")._repr_html_()).text
    jugs = tmp_path / "jug.py"
    jugs.write_text(next(e.text for e in examples(DOCS / "en" / "puzzles.md") if e.name == "jug.py"))
    wrong = Balanced(gambito.check_heuristic(f"{jugs}:Jugs", "missing")._repr_html_())
    assert "not admissible" in wrong.text and "pre" in wrong.tags
    standing = players.Match("tic-tac-toe", "random:seed=1", "random:seed=2", games=4).run()
    assert "random:seed=1 against random:seed=2" in Balanced(standing._repr_html_()).text


def test_a_watched_search():
    record = gambito.trace("tree")
    assert ET.fromstring(record._repr_svg_()).tag == f"{SVG}svg"
    html = record._repr_html_()
    assert Balanced(html).tags == ["div", "iframe"]
    assert 'sandbox="allow-scripts"' in html and "<script" not in html


def test_nothing_is_imported_for_drawing_before_it_is_drawn():
    code = "import sys, gambito; sys.exit('gambito.draw' in sys.modules)"
    assert run(sys.executable, "-c", code).returncode == 0
