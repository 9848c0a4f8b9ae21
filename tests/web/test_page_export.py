"""The page of an exported game, opened as a file: it plays without any server."""

from __future__ import annotations

import pytest

import gambito
from gambito.exports.files import export
from gambito.exports.lesson import lesson_page
from tests.web.conftest import WAIT


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return export("tic-tac-toe", tmp_path_factory.mktemp("exported"), "alpha-beta").folder


@pytest.fixture
def page(browser, folder):
    context = browser.new_context(locale="en-GB", viewport={"width": 1000, "height": 800})
    opened = context.new_page()
    opened.set_default_timeout(WAIT)
    wrong: list[str] = []
    opened.on("pageerror", lambda problem: wrong.append(str(problem)))
    opened.on("request", lambda asked: wrong.append(asked.url) if asked.url.startswith("http") else None)
    opened.goto((folder / "index.html").as_uri())
    opened.wait_for_selector("#status:has-text('Your turn')")
    yield opened
    context.close()
    assert wrong == []


def cells(page):
    return page.locator(".pieces > *")


def test_a_game_to_its_end(page):
    page.select_option("#level", "8")
    while page.locator(".cell.can").count():
        before = cells(page).count()
        page.locator(".cell.can").first.click()
        page.wait_for_function(
            "n => document.querySelectorAll('.pieces > *').length > n + 1 ||"
            " !/turn|thinks/.test(document.getElementById('status').textContent)",
            arg=before,
        )
    assert "wins" in page.inner_text("#status") or "draw" in page.inner_text("#status")


def test_undo_hint_and_other_side(page):
    page.locator(".cell.can").nth(4).click()
    page.wait_for_function("document.querySelectorAll('.pieces > *').length === 2")
    page.wait_for_selector("#status:has-text('Your turn')")
    page.click("#hint")
    page.wait_for_selector("#told:has-text('Hint:')")
    page.click("#undo")
    page.wait_for_function("document.querySelectorAll('.pieces > *').length === 0")
    page.click("#swap")
    page.wait_for_function("document.querySelectorAll('.pieces > *').length === 1")
    page.wait_for_selector("#status:has-text('Your turn')")


def test_it_speaks_spanish(page):
    page.select_option("#language", "es")
    page.wait_for_selector("#status:has-text('Te toca')")
    assert page.inner_text("#undo") == "Deshacer"
    assert page.inner_text("h1") == "Tres en raya"


def test_the_searches_of_a_page(page):
    """A search runs in a worker: it keeps its time, can be stopped, and only one runs at a time."""
    told = page.evaluate(
        """async () => {
            const p = game.start();
            const first = game.search(p, {depth: 9});
            const busy = await game.search(p).catch(problem => problem.code);
            const found = await first;
            const began = performance.now();
            const stopped = game.search(p, {algorithm: "alpha-beta", depth: 9});
            game.stop();
            return {busy, nodes: found.nodes, proven: found.proven, stopped: await stopped,
                    again: (await game.search(p, {depth: 9})).nodes};
        }"""
    )
    assert told["busy"] == "busy" and told["proven"]
    assert (
        told["nodes"] == told["again"] == gambito.search("tic-tac-toe", algorithm="alpha-beta", depth=9).nodes
    )
    assert told["stopped"] is None


def test_a_tree_to_change(browser, tmp_path):
    (tmp_path / "lesson.html").write_text(lesson_page("alpha-beta"), encoding="utf-8")
    page = browser.new_page()
    page.set_default_timeout(WAIT)
    page.goto((tmp_path / "lesson.html").as_uri() + "#en")
    page.wait_for_selector(
        "#told:has-text('value 6 · 15 of 27 leaves and 25 of 40 nodes seen, in 25 visits')"
    )
    assert page.locator("line.gone").count() == 15 and page.locator("input.gone").count() == 12
    page.locator("#leaves input").first.fill("9")
    page.wait_for_selector("#told:has-text('value 7 · 17 of 27')")
    page.click("#back")
    page.wait_for_selector("#told:has-text('value …')")
    page.close()
