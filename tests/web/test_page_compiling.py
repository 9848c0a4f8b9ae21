"""What a person is told while something is compiled, on each page."""

from __future__ import annotations

import json

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
from tests.web.playing import link  # noqa: E402

TOLD = {"is": "info", "phase": "preparing", "share": 0.4, "seconds_left": 2}
PLACES = {
    "play": ("go", link("tic-tac-toe", moves="5", seats="person~level:3"), ".thinking-panel"),
    "analyse": ("analyse", link("tic-tac-toe", moves="5", page="analyse"), "g-analyse"),
    "watch": ("plain", "#/watch", "section[aria-label=Counters]"),
}


class Slow:
    """Stands between a page and its server, and keeps back one kind of question as if it were compiled."""

    def __init__(self, page, kind):
        self.kind, self.kept = kind, []
        page.route_web_socket("**/ws", self._open)

    def _open(self, socket):
        self.socket, self.server = socket, socket.connect_to_server()
        socket.on_message(self._hear)

    def _hear(self, message):
        question = json.loads(message)
        if question["do"] != self.kind:
            return self.server.send(message)
        self.kept.append(message)
        self.socket.send(json.dumps({"id": question["id"], **TOLD}))

    def go_on(self):
        self.kind = None
        for message in self.kept:
            self.server.send(message)


@pytest.mark.parametrize("name", PLACES)
def test_a_compilation_is_told_in_words_with_a_bar(new_page, server, name):
    kind, address, where = PLACES[name]
    page = new_page("#/algorithms")
    slow = Slow(page, kind)
    page.goto("about:blank")
    page.goto(server + address)
    panel = page.locator(where)
    expect(panel.get_by_text("Compiling your game, about 2 s")).to_be_visible()
    expect(panel.get_by_role("progressbar", name="Compiling your game, about 2 s")).to_have_attribute(
        "value", "0.4"
    )
    slow.go_on()
    expect(panel.get_by_text("Compiling your game")).to_have_count(0)
    if name == "watch":  # what the tree costs plain minimax is there afterwards
        expect(panel.get_by_role("row", name="Evaluated")).to_contain_text("79")
