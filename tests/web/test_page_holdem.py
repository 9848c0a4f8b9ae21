"""Hold'em on the page: cards, pot, a slider for bets, and the player with a blueprint as an opponent."""

from __future__ import annotations

import re

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
from tests.web.playing import link, moves, status  # noqa: E402

expect.set_options(timeout=120_000)  # where nothing is compiled yet
HAND = ["As", "Kd", "Qh", "Qc"]


def press(page, name):
    page.locator(".moves-as-buttons").get_by_role("button", name=name, exact=True).click()


def test_a_slider_chooses_the_size_of_a_bet(new_page):
    page = new_page(link("holdem", HAND, seats="person~person"))
    expect(page.locator("g-board .piece.card .face")).to_have_count(4)
    slider = page.get_by_role("slider", name="Size of the bet")
    expect(slider).to_have_attribute("aria-valuetext", "raise 4")
    slider.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", "raise 6")
    press(page, "raise 6")
    expect(moves(page)).to_have_text([*HAND, "raise 6"])
    page.get_by_role("slider", name="Size of the bet").press("End")
    press(page, "all-in")
    press(page, "call")
    expect(moves(page)).to_have_count(len(HAND) + 3 + 5)  # the board is dealt, and the hands are shown
    expect(status(page)).to_contain_text(re.compile("wins|draw", re.IGNORECASE))
    expect(page.locator("g-board .piece.card .face")).to_have_count(9)


def test_the_opponent_hides_its_cards(new_page):
    page = new_page(link("holdem", seats="person~level:8"))
    expect(status(page)).to_have_text("Your move.")
    expect(page.locator("g-board .piece.card .back")).to_have_count(2)
    press(page, "call")
    expect(moves(page).nth(5)).to_have_text(re.compile("check|raise|all-in"))
