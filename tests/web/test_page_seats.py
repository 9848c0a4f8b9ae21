"""Games for one to six at the page: a seat for each player, whose turn it is, the points, the link."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
from tests.web.playing import cell, link, moves, status  # noqa: E402

expect.set_options(timeout=120_000)  # where nothing is compiled yet
SIX = "person~greedy~random~person~greedy~random"


def seats(page):
    return page.locator(".setup .seat")


def lines(page):
    return page.locator(".seat-line")


def test_six_seats_of_a_link(new_page):
    page = new_page(link("chinese-checkers:players=6,rows=2", seats=SIX))
    expect(seats(page)).to_have_count(6)
    expect(lines(page)).to_have_count(6)
    expect(status(page)).to_have_text("Red to move.")
    chosen = [select.input_value() for select in page.locator(".setup .seat select").all()]
    assert "~".join(chosen) == SIX
    colours = {swatch.get_attribute("class") for swatch in page.locator(".setup .seat .swatch").all()}
    assert len(colours) == 6
    expect(page.locator(".seat-line.turn")).to_contain_text("Red")
    page.get_by_label("Type a move").fill("a1-c3")
    page.keyboard.press("Enter")
    expect(moves(page)).to_have_count(3)  # the second and the third have answered
    expect(page.locator(".seat-line.turn")).to_contain_text("Yellow")
    assert f"seats={SIX}" in unquote(page.url)
    page.reload()
    expect(moves(page)).to_have_count(3)
    expect(seats(page)).to_have_count(6)


def test_the_points_of_every_seat(new_page):
    page = new_page(link("tic-tac-toe-3", seats="person~person~person"))
    for name in ("a1", "b1", "c1", "a2", "b2", "c2", "a3"):
        cell(page, name).click()
    expect(status(page)).to_have_text("X wins: three in a row")
    points = {line.locator(".name").inner_text(): line.locator(".points") for line in lines(page).all()}
    expect(points["X"]).to_have_text("1")
    expect(points["O"]).to_have_text("0")
    expect(points["Squares"]).to_have_text("0")


def test_another_number_of_players_has_other_seats_and_algorithms(new_page):
    page = new_page(link("chinese-checkers", seats="person~person~person"))
    expect(seats(page)).to_have_count(3)
    page.locator(".parameters summary").click()
    number = page.locator(".parameters input").first
    for players in (4, 2):
        number.fill(str(players))
        number.press("Enter")
        expect(seats(page)).to_have_count(players)
        expect(lines(page)).to_have_count(players)
    seats(page).nth(1).locator("select").first.select_option("algorithm")
    listed = page.locator("g-algorithm select").first.locator("option")
    expect(listed.filter(has_text=re.compile("^engine$"))).to_have_count(1)
    expect(listed.filter(has_text="best-reply")).to_have_count(0)


def test_a_hidden_game_for_three(new_page):
    page = new_page(link("kuhn-poker:players=3", seats="person~random~random"))
    expect(seats(page)).to_have_count(3)
    expect(status(page)).to_contain_text("Your move")
    page.locator(".moves-as-buttons").get_by_role("button", name="bet", exact=True).click()
    expect(status(page)).to_contain_text(re.compile("wins|share"))  # a bet of the first is answered by both
    expect(page.locator(".seat-line .points")).to_have_count(3)


def test_new_seats_are_of_the_computer(new_page):
    page = new_page("#/play?game=tic-tac-toe-3")
    expect(seats(page)).to_have_count(3)
    chosen = [select.input_value() for select in page.locator(".setup .seat select").all()]
    assert chosen == ["person", "level:3", "level:3"]


def test_a_node_shows_the_values_of_all_players(new_page):
    page = new_page("#/watch?game=prisoners-dilemma:rounds=2&a=max-n&depth=4")
    expect(page.get_by_text("Step 0 of 108")).to_be_visible()
    page.keyboard.press("End")
    expect(page.get_by_text("the root: leave with value = (2, 2)")).to_be_visible()
    expect(page.locator("section", has_text="Player 1 the root").last).to_contain_text("(2, 2)")
