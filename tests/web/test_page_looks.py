"""How boards look: wood and lines, what was won, what must be moved, what each side has, small screens."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
from tests.web.playing import cell, link, touch  # noqa: E402

CONTRAST = """([over, under, property]) => {
    const light = (css, of) => {
        const [r, g, b] = getComputedStyle(document.querySelector(css))[of].match(/[0-9.]+/g)
            .map((part) => part / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const [a, b] = [light(over, property), light(under, "fill")];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_lines_are_seen_on_the_wood(new_page, scheme):
    page = new_page(link("go"), color_scheme=scheme)
    expect(page.locator(".area.wood")).to_be_visible()
    expect(page.locator(".star")).to_have_count(5)
    assert page.evaluate(CONTRAST, [".joint", ".area.wood", "stroke"]) >= 3
    assert page.evaluate(CONTRAST, [".labels text", ".area.wood", "fill"]) >= 4.5


def test_an_open_board_has_no_dots_but_a_stone_under_the_pointer(new_page):
    page = new_page(link("go", moves=["E5", "C3"]))
    expect(page.locator(".cell.can").first).to_be_attached()
    expect(page.locator(".targets .dot")).to_have_count(0)
    cell(page, "G7").hover()
    expect(page.locator(".ghosts .piece.black")).to_have_count(1)
    page.locator("[aria-label^='E5,']").hover()
    expect(page.locator(".ghosts > *")).to_have_count(0)
    page.goto(page.url.split("#")[0] + link("othello"))
    expect(page.locator(".targets .dot")).to_have_count(4)  # here the dots tell something


def test_prisoners_and_territory(new_page):
    rows = quote("X.X..../.X...../.....O./....O.O/......./......./....... X - 0 0")
    page = new_page(link("go:size=7", start=rows, moves=["A6", "F3", "pass", "pass"]))
    expect(page.locator(".own.black")).not_to_have_count(0)
    expect(page.locator(".own.white")).not_to_have_count(0)
    expect(page.locator(".status")).to_have_text(re.compile("^(Black|White) wins: both have passed"))
    page.goto(page.url.split("#")[0] + link("go:size=5", moves=["A1", "B1", "pass", "A2"]))
    expect(page.locator(".tally")).to_have_text(["prisoners: 1", "prisoners: 0"])


@pytest.mark.parametrize(
    ("game", "played", "corners"),
    [
        ("tic-tac-toe", "1 2 5 3 9", 3),
        ("connect-four", "1 2 1 2 1 2 1", 4),
        ("gomoku:size=7", "A1 A2 B1 B2 C1 C2 D1 D2 E1", 5),
        ("hex:size=3", "b1 a2 b2 a3 b3", 3),
    ],
)
def test_the_line_that_has_won_is_marked(new_page, game, played, corners):
    page = new_page(link(game, moves=played.split()))
    line = page.locator(".won")
    expect(line).to_have_count(1)
    assert len(line.get_attribute("points").split()) == corners


def test_chess_shows_check_material_and_promotion_by_pieces(new_page):
    page = new_page(link("chess", start=quote("4k3/P7/8/8/8/8/8/R3K3 w - - 0 1")))
    expect(page.locator(".tally")).to_have_text("+6")
    expect(page.locator(".tally .small-piece")).to_have_count(2)
    cell(page, "a7").click()
    cell(page, "a8").click()
    expect(page.locator(".chooser .small-piece.white")).to_have_count(4)
    page.get_by_role("button", name="a8=Q+").click()
    expect(page.locator(".cell.check")).to_have_attribute("aria-label", re.compile("^e8,"))


def test_men_that_must_capture_are_marked_and_chains_go_along_their_squares(new_page):
    page = new_page(link("checkers", start=quote("B:W18,26,12:B15,1")))
    expect(page.locator(".must")).to_have_count(1)
    trips = """async () => (await import("./gliding.js")).tripsOf({ touch: [[14], [21], [30]] })"""
    assert page.evaluate(trips) == [[14, 21, 30]]
    touch(page, "15", "22", "31", expected=["15x31"])
    expect(page.locator(".pieces .leaver")).to_have_count(0)


def test_a_large_board_zooms_under_a_finger(new_page):
    page = new_page(link("go:size=19"), width=360, height=740, has_touch=True, is_mobile=True)
    expect(page.locator(".cell.can").first).to_be_attached()
    whole = page.locator(".board-frame svg").get_attribute("viewBox")
    cell(page, "Q16").tap()
    expect(page.get_by_role("button", name="Whole board")).to_be_visible()
    assert page.locator(".board-frame svg").get_attribute("viewBox") != whole
    assert cell(page, "Q16").bounding_box()["width"] > 30
    cell(page, "Q16").tap()
    expect(page.locator(".move-list .move")).to_have_text(["Q16"])
    expect(page.locator(".board-frame svg")).to_have_attribute("viewBox", whole)


def test_hex_has_a_swap_and_edges_of_both_colours(new_page):
    page = new_page(link("hex:size=4,swap=true", moves=["b1"]))
    expect(page.locator(".area.black")).to_have_count(2)
    expect(page.locator(".area.white")).to_have_count(2)
    page.get_by_role("button", name="swap").click()
    expect(page.locator(".piece.black")).to_have_count(0)
    expect(cell(page, "a2")).to_have_attribute("aria-label", re.compile("White"))
