"""Answers that arrive after what asked for them is gone: nothing of them is seen. The server is made slow."""

from __future__ import annotations

import re

import pytest

from tests.support import wait_until

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
from tests.web.playing import link, moves  # noqa: E402

SLOW = 300  # milliseconds


def settle(page):
    """Wait until every question that was asked has its last answer."""
    wait_until(lambda: page.evaluate("late.asked.length > 0 && !late.open.size"))


def await_question(page, what):
    """Wait until a question of this kind was sent; its answer is under way."""
    wait_until(lambda: page.evaluate("(what) => late.asked.includes(what)", what))


@pytest.fixture
def slow_page(new_page):
    return lambda *given: new_page(*given, slow=SLOW)


def test_territory_that_was_switched_off(slow_page):
    page = slow_page(link("go:size=5", page="analyse", run="0", algorithm="mcts:seconds=0.5"))
    button = page.get_by_role("button", name="Territory")
    button.click()
    await_question(page, "owners")
    button.click()
    settle(page)
    expect(page.locator(".owned")).to_have_count(0)
    expect(page.locator("[role=status]").filter(has_text="playouts")).to_have_count(0)
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(page.locator("[role=status]").filter(has_text="playouts")).to_be_visible()


def test_a_comparison_that_begins_again_is_one(slow_page):
    """The searches of the first one do not go on beside those of the second."""
    page = slow_page(
        link("connect-four", page="analyse", run="0", versus="alpha-beta:depth=2~engine:depth=2")
    )
    runner = page.get_by_role("button", name=re.compile("^(Compare|Stop)$")).last
    expect(runner).to_be_enabled()
    settle(page)
    for _ in range(3):
        runner.click()
    expect(page.locator(".counters-table tbody tr").first.locator("td")).not_to_contain_text(["…", "…"])
    settle(page)
    asked = page.evaluate("late.asked.filter((what) => what === 'go').length")
    assert asked in (3, 4)  # one or both of the comparison that was dropped, and two
    expect(runner).to_have_text("Compare")


def test_a_record_whose_dialog_was_closed(slow_page):
    page = slow_page(link("tic-tac-toe", ["5"], page="analyse", run="0"))
    expect(moves(page)).to_have_text(["5"])
    page.get_by_role("button", name="Position and game…").click()
    page.get_by_label("Game record").fill("1 2 3")
    page.get_by_role("button", name="Load this text").click()
    await_question(page, "load")
    page.keyboard.press("Escape")
    settle(page)
    expect(moves(page)).to_have_text(["5"])


def test_a_dialog_whose_page_was_left(slow_page):
    page = slow_page(link("tic-tac-toe", ["5"], page="analyse", run="0"))
    expect(moves(page)).to_have_text(["5"])
    page.get_by_role("button", name="Position and game…").click()
    await_question(page, "save")
    page.get_by_role("link", name="Play", exact=True).click()
    expect(page.locator("g-play")).to_be_visible()
    settle(page)
    expect(page.locator("dialog")).to_have_count(0)


def test_a_puzzle_for_a_game_that_was_left(slow_page):
    page = slow_page(link("sliding-tiles"))
    expect(page.locator("g-board .piece").first).to_be_visible()
    settle(page)
    page.get_by_role("button", name="New game").click()
    await_question(page, "shuffle")
    page.locator("g-game select").first.select_option("tic-tac-toe")
    settle(page)
    expect(page.locator("g-game select").first).to_have_value("tic-tac-toe")
    assert "game=tic-tac-toe" in page.url


def test_a_leaf_of_a_tree_that_was_left(slow_page):
    page = slow_page("#/watch?game=tree&a=minimax")
    expect(page.locator("g-tree canvas")).to_be_visible()
    settle(page)
    page.evaluate(
        """() => {
          const watch = document.querySelector("g-watch");
          watch.pick(watch.active, watch.active.trace.nodes - 1);
        }"""
    )
    page.get_by_role("textbox", name=re.compile("alue")).fill("77")
    page.keyboard.press("Enter")
    await_question(page, "edit")
    page.goto(page.url.split("#")[0] + "#/watch?game=tic-tac-toe&start=X.O/.X./O..&a=minimax")
    settle(page)
    assert "77" not in page.url and "game=tic-tac-toe" in page.url
