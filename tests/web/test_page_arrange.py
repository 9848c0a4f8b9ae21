"""Setting up a position with pieces from a palette."""

from __future__ import annotations

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
from tests.web.playing import cell, link  # noqa: E402


def open_dialog(page):
    page.get_by_role("button", name="Position and game…").click()
    page.get_by_role("button", name="Set up the pieces…").click()
    return page.get_by_role("dialog", name="Set up a position")


def test_a_chess_position_is_set_up(new_page):
    page = new_page(link("chess", page="analyse", run="0"))
    dialog = open_dialog(page)
    begin = dialog.get_by_role("button", name="Begin from this position")
    dialog.get_by_role("button", name="Clear the board").click()
    expect(dialog.get_by_role("alert")).to_contain_text("king")
    expect(begin).to_be_disabled()
    for piece, square in (("White king", "a1"), ("Black king", "h8"), ("White queen", "b2")):
        dialog.get_by_label(piece, exact=True).check(force=True)
        cell(dialog, square).click()
    dialog.get_by_label("To move").select_option("Black")
    dialog.get_by_label("Other fields").fill("- - 0 1")
    expect(dialog.get_by_role("alert")).to_have_text("")
    expect(dialog.get_by_role("status")).to_have_text("7k/8/8/8/8/8/1Q6/K7 b - - 0 1")
    begin.click()
    expect(dialog).to_have_count(0)
    expect(cell(page, "b2")).to_have_accessible_name("b2, White queen")
    assert "7k/8/8/8/8/8/1Q6/K7" in page.url


def test_a_touch_takes_away_what_it_has_put(new_page):
    page = new_page(link("othello", page="analyse", run="0"))
    dialog = open_dialog(page)
    dialog.get_by_label("Black disc", exact=True).check(force=True)
    place = cell(dialog, "a1")
    place.click()
    expect(place).to_have_accessible_name("a1, Black disc, can be played")
    place.click()
    expect(place).to_have_accessible_name("a1, can be played")
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_have_count(0)


def test_a_game_whose_positions_are_written_says_so(new_page):
    page = new_page(link("pig", page="analyse", run="0"))
    page.get_by_role("button", name="Position and game…").click()
    page.get_by_role("button", name="Set up the pieces…").click()
    expect(page.locator("#toast")).to_contain_text("are written")
