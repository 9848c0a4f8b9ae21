"""A running server, a client for its protocol, and a browser if one is installed."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.sync.client import connect

from tests.support import COMMAND, child

GAMES = Path(__file__).with_name("games.py")
OWN = [f"{GAMES}:{name}" for name in ("DiceRace", "PawnWalk", "TakeAway", "Stuck", "HighCard", "LooseLips")]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WAIT = 20_000  # milliseconds that a page may take for anything on a busy machine
SLOW = int(os.environ.get("GAMBITO_SLOW_ANSWERS", "0"))  # milliseconds by which every answer comes later
SLOWLY = """
window.late = {asked: [], open: new Map()};
const Quick = WebSocket;
window.WebSocket = class extends Quick {
  send(text) {
    const {id, do: what} = JSON.parse(text);
    late.asked.push(what);
    late.open.set(id, what);
    super.send(text);
  }
  set onmessage(hear) {
    super.onmessage = (event) => setTimeout(() => {
      hear(event);
      const told = typeof event.data === "string" ? JSON.parse(event.data) : {is: "binary"};
      if (told.is !== "info") late.open.delete(told.id);
    }, %d);
  }
};
"""
COMPILE = 120.0  # seconds that an answer may take where nothing is compiled yet


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything that opens a browser is a test of the page."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("page")


class Client:
    """One connection; asks a question and waits for its end."""

    def __init__(self, address: str, **given: object) -> None:
        self.open = contextlib.ExitStack()
        address = f"{address.replace('http', 'ws')}ws"
        self.socket = self.open.enter_context(connect(address, max_size=None, close_timeout=1, **given))
        self.number = 0

    def send(self, **question: object) -> int:
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, **question}))
        return self.number

    def hear(self, timeout: float = COMPILE) -> dict | bytes:
        heard = self.socket.recv(timeout)
        return heard if isinstance(heard, bytes) else json.loads(heard)

    def ask(self, **question: object) -> dict:
        """The last answer, with all that was streamed before it under `news` and bytes under `body`."""
        number, news = self.send(**question), []
        while True:
            heard = self.hear()
            if heard["id"] != number:
                continue
            if heard["is"] != "info":
                if "record" in heard:
                    heard["body"] = self.hear()
                return heard | {"news": news}
            news.append(heard)

    def close(self) -> None:
        self.open.close()


@contextlib.contextmanager
def serving(*words: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """`gambito serve` with these words: its address and its process."""
    with started(*COMMAND, "serve", "--port", "0", *words) as (address, process):
        yield address, process


@contextlib.contextmanager
def started(*command: str, **given: object) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A server that this command starts: its address, which it prints first, and its process."""
    with child(*command, stdout=subprocess.PIPE, text=True, **given) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert "http://" in line, line
        try:
            yield next(word for word in line.split() if word.startswith("http://")), process
        finally:
            process.terminate()
            process.wait(20)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a server with the games of games.py."""
    with serving(*OWN) as (address, _):
        yield address


@pytest.fixture
def client(server: str) -> Iterator[Client]:
    one = Client(server)
    yield one
    one.close()


@pytest.fixture(scope="session")
def browser():
    """A browser for the whole session."""
    path = os.environ.get("GAMBITO_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip("no Chromium is installed (GAMBITO_BROWSER names one)")
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with playwright.sync_playwright() as running:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        yield running.chromium.launch(executable_path=path, args=flags)


@pytest.fixture
def new_page(browser, server):
    """Opens pages: `new_page("#/play", width=360)`. An error on a page fails the test.

    With `slow`, every answer of the server comes so many milliseconds later; `late` counts them on the page.
    """
    contexts, complaints = [], []

    def open_page(link: str = "", **given):
        size = {"width": given.pop("width", 1280), "height": given.pop("height", 800)}
        slow = given.pop("slow", SLOW)
        context = browser.new_context(viewport=size, **({"locale": "en-GB"} | given))
        context.set_default_timeout(WAIT)
        contexts.append(context)
        if slow:
            context.add_init_script(SLOWLY % slow)
        page = context.new_page()
        page.on("pageerror", lambda problem: complaints.append(str(problem)))
        page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
        page.goto(server + link)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not complaints, complaints


@pytest.fixture
def page(new_page):
    """The page as it opens."""
    return new_page()
