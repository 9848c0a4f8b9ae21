"""Games with cards, dice and many seats, played through the page."""

from __future__ import annotations

import re

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
from tests.web.playing import link, moves, status, touch  # noqa: E402

expect.set_options(timeout=120_000)


def cards(page, kind):
    return page.locator(f"g-board .piece.card .{kind}")


def test_hearts_is_dealt_and_passed(new_page):
    """A person sees 13 cards, passes three by touching them, and plays where it is its turn."""
    page = new_page(link("hearts", seats="person~random~random~random"))
    expect(status(page)).to_have_text("Your move.")
    expect(cards(page, "face")).to_have_count(13)
    expect(cards(page, "back")).to_have_count(39)
    touch(page, "South 1")
    expect(moves(page)).to_have_count(2)  # the deal is one, and a card that was passed
    touch(page, "South 2")
    touch(page, "South 3")
    expect(status(page)).to_have_text("Your move.")
    expect(moves(page).nth(3)).to_have_text(re.compile("^[2-9TJQKA][CDHS]$"))


def test_monopoly_and_parchis_are_drawn(new_page):
    """The tokens stand on their squares, and a person's decision is a button."""
    page = new_page(link("monopoly", moves=("3",), seats="person~random~random~random"))
    expect(status(page)).to_have_text("Your move.")
    page.locator(".moves-as-buttons").get_by_role("button", name="auction", exact=True).click()
    expect(moves(page).nth(1)).to_have_text("auction")
    page = new_page(link("parchis", moves=("5", "n-5"), seats="person~random~random~random"))
    expect(page.locator("g-board .piece.disc")).not_to_have_count(0)
