"""Puzzles in the browser: going back, the goal, the least moves, another position."""

from __future__ import annotations

from urllib.parse import quote

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
from tests.web.playing import link, moves, status, touch  # noqa: E402

NEW = "(seen) => !seen.includes(location.hash) && location.hash.includes('start=')"
TILES = quote("1 2 3 4 5 6 0 7 8")


def test_a_puzzle_goes_back_and_ends_at_its_goal(new_page):
    page = new_page(link("sliding-tiles", "7" * 7, start=TILES, seats="person"))
    expect(status(page)).to_have_text("Your move.")
    touch(page, "a3", expected=list("7" * 8))
    touch(page, "b3", expected=list("7" * 9))
    touch(page, "c3", expected=list("7" * 9 + "8"))
    expect(status(page)).to_have_text("the goal is reached. You made 10 moves; the least possible is 2.")
    expect(page.locator(".cell.can")).to_have_count(0)


def test_a_way_is_compared_by_its_cost_and_a_new_game_is_shuffled(new_page):
    graph = quote("S-A 1, A-G 1, S-G 5; S to G")
    page = new_page(link("graph", start=graph, seats="person"))
    touch(page, "G", expected=["G"])
    expect(status(page)).to_have_text("the goal is reached. Your path cost 5; the least possible is 2.")
    page.goto(page.url.split("#")[0] + link("pancakes", seats="person"))
    expect(page.locator(".cell.can").first).to_be_attached()
    seen = set()
    for _ in range(3):
        page.get_by_role("button", name="New game").click()
        page.wait_for_function(
            "(seen) => !seen.includes(location.hash) && location.hash.includes('start=')", arg=[*seen]
        )
        seen.add(page.evaluate("location.hash"))
    assert len(seen) == 3
    expect(moves(page)).to_have_count(0)
