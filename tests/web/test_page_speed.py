"""How soon a page is there, how much it loads, and that it asks no other machine."""

from __future__ import annotations

import gzip
import random
import statistics
import time
from urllib.parse import urlsplit

import pytest

import gambito
from gambito.players.running_game import RunningGame
from gambito.web import setup
from gambito.web.answers import Answers
from gambito.web.server_limits import ServerLimits

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
from tests.web.playing import link  # noqa: E402

PAGES = ("play", "analyse", "watch", "algorithms")
MOST_SCRIPT = 60_000  # bytes, compressed
FIRST_PAINT = 1.0  # seconds
FIRST_ANSWER = 2.0
TRIES = 3  # on a busy machine one of them is undisturbed
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 1e9"


@pytest.mark.parametrize(
    "name", ["play", *(pytest.param(n, marks=pytest.mark.slow) for n in PAGES if n != "play")]
)
def test_a_page_loads_little_and_from_here_alone(new_page, server, name):
    page = new_page()
    page.goto("about:blank")
    loaded = []
    page.on("response", lambda response: loaded.append(response))
    page.goto(f"{server}#/{name}")
    page.wait_for_selector(f"main > {'g-about' if name == 'algorithms' else f'g-{name}'}")
    page.wait_for_load_state("networkidle")
    assert {urlsplit(each.url).netloc for each in loaded} == {urlsplit(server).netloc}
    scripts = {each.url: each.body() for each in loaded if urlsplit(each.url).path.endswith(".js")}
    assert len(scripts) > 5
    assert sum(len(gzip.compress(body, 6)) for body in scripts.values()) < MOST_SCRIPT


def test_first_paint(new_page):
    times = []
    for _ in range(TRIES):
        page = new_page()
        page.locator("main > *").wait_for()
        times.append(page.evaluate(PAINT) / 1000)
        if times[-1] < FIRST_PAINT:
            return
    pytest.fail(f"first paint after {times} seconds")


def test_first_answer_of_the_engine(new_page):
    """With what is compiled on disk: the reply to the first move that a person makes."""
    times = []
    for _ in range(TRIES):
        page = new_page("#/play?game=connect-four")
        page.locator("g-board .cell.can").first.click()
        began = time.monotonic()
        page.locator("g-board .piece").nth(1).wait_for(timeout=120_000)
        times.append(time.monotonic() - began)
        if times[-1] < FIRST_ANSWER:
            return
    pytest.fail(f"first answer after {times} seconds")


@pytest.fixture(scope="module")
def long_game() -> list[str]:
    """The moves of a long game of chess, at random."""
    game, lots = gambito.load("chess"), random.Random(3)
    match = RunningGame(game, game.initial())
    while len(match.actions) < 350:
        match.play(lots.choice(game.legal(match.state)))
    return match.names()


def test_the_server_plays_one_move_for_each_question_however_long_the_game_is(long_game, monkeypatch):
    played = []
    monkeypatch.setattr(setup, "_play", lambda *given, play=setup._play: (played.append(1), play(*given)))
    answers = Answers(ServerLimits())
    counts, times = [], []
    for length in (*range(20), *range(len(long_game) - 20, len(long_game))):
        played.clear()
        began = time.process_time()
        answers.answer({"do": "view", "game": "chess", "moves": long_game[:length]}, lambda told: None, None)
        times.append(time.process_time() - began)
        counts.append(len(played))
    assert counts == [0, *[1] * 19, len(long_game) - 39, *[1] * 19]
    assert statistics.median(times[21:]) < 4 * statistics.median(times[1:20])


def test_the_page_adds_one_move_to_the_list_however_long_it_is(new_page, long_game):
    page = new_page(link("chess", moves=long_game))
    listed = page.locator(".move-list .move")
    expect(listed).to_have_count(len(long_game))
    first = listed.first.element_handle()
    page.evaluate(
        "() => { const { view } = document.querySelector('g-play'); window.next = view.actions[0]; }"
    )
    move = page.evaluate("next.move")
    page.get_by_label("Type a move").fill(move)
    page.get_by_role("button", name="Play move").click()
    expect(listed).to_have_count(len(long_game) + 1)
    expect(listed.last).to_have_text(move)
    assert first.evaluate("(button) => button.isConnected")
