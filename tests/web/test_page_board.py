"""The board: what it marks, draws and tells, and the touches that make a move."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
from tests.web.playing import cell, link, moves, touch  # noqa: E402

SHOW = """(actions) => {
    const board = document.createElement("g-board");
    board.id = "own";
    document.getElementById("main").replaceChildren(board);
    board.addEventListener("move", ({ detail }) => { board.dataset.moved = detail; });
    const look = { shape: "square", tone: "plain", size: 1 };
    const cells = [0, 1, 2].map((x) => ({ name: `c${x}`, x: x + 0.5, y: 0.5, ...look }));
    const geometry = { width: 3, height: 1, cells, lines: [], areas: [], labels: [], symbols: {} };
    const pieces = [{ cell: 0, shape: "disc", side: 0, text: "", count: 0 }];
    const rest = { ply: 0, player: 0, over: false, played: [], sides: ["A", "B"] };
    board.show({ board: geometry, pieces, actions, ...rest }, { active: true });
}"""


def test_moves_of_one_touch_are_marked_beside_moves_of_two(new_page):
    page = new_page(link("tic-tac-toe"))
    expect(page.locator(".cell.can").first).to_be_visible()
    page.evaluate(SHOW, [{"move": "walk", "touch": [[0], [1]]}, {"move": "set", "touch": [[2]]}])
    board = page.locator("#own")
    expect(board.locator(".targets .dot")).to_have_count(1)
    expect(board.locator(".cell.from")).to_have_attribute("data-cell", "0")
    cell(page, "c2").click()
    expect(board).to_have_attribute("data-moved", "set")


def test_a_way_may_end_where_another_goes_on(new_page):
    """A move may be a part of another one, as in Kayles (one pin, or this pin and the next) or with jumps."""
    page = new_page(link("tic-tac-toe"))
    expect(page.locator(".cell.can").first).to_be_visible()
    one, two = {"move": "one", "touch": [[0]]}, {"move": "two", "touch": [[0], [1]]}
    page.evaluate(SHOW, [one, two])
    board = page.locator("#own")
    cell(page, "c0").click()
    expect(board.locator(".targets > *")).to_have_count(2)
    cell(page, "c0").click()
    expect(board).to_have_attribute("data-moved", "one")
    page.evaluate(SHOW, [one, two])
    cell(page, "c0").click()
    cell(page, "c1").click()
    expect(board).to_have_attribute("data-moved", "two")
    page.evaluate(SHOW, [one, two])
    cell(page, "c0").drag_to(cell(page, "c1"))
    expect(board).to_have_attribute("data-moved", "two")


# ---- marks -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("game", "played"), [("go", ["E5"]), ("gomoku:size=9", ["E5"]), ("nine-mens-morris", ["d2"])]
)
def test_the_last_move_is_marked_above_its_stone(new_page, game, played):
    page = new_page(link(game, moves=played))
    mark = page.locator(".last-mark")
    expect(mark).to_have_count(1)
    above = "(mark) => mark.ownerSVGElement.querySelector('.pieces').compareDocumentPosition(mark)"
    assert mark.evaluate(above) & 4  # it follows the pieces, so it lies above them
    stone, dot = (page.locator(css).first.bounding_box() for css in (".piece.disc", ".last-mark"))
    assert stone["x"] < dot["x"] and dot["x"] + dot["width"] < stone["x"] + stone["width"]


ROLL = quote("4HPwATDgc/ABMA 3-1")


def test_a_play_of_two_checkers_has_two_arrows_and_any_order(new_page):
    page = new_page(link("backgammon", start=ROLL))
    expect(page.locator(".cell.from").first).to_be_attached()
    ends = """(board) => board.querySelectorAll(".arrow").length"""
    play = "24/23 13/10"
    arrows = """([board, move]) => {
        const { actions } = document.querySelector("g-play").view;
        board.point([{ ...actions.find((each) => each.move === move), css: "best" }]);
    }"""
    board = page.locator("g-board").element_handle()
    page.evaluate(arrows, [board, play])
    assert board.evaluate(ends) == 2
    cell(page, "8").click()
    expect(page.locator(".targets > *")).to_have_count(2)  # 8/5 and 8/7
    cell(page, "7").click()
    expect(page.locator(".pieces .stack")).to_have_count(9)  # the checker stands on 7 while 3 is chosen
    touch(page, "13", "10")
    expect(moves(page).first).to_have_text("13/10 8/7")  # the next roll may follow at once


def test_the_stone_of_a_mill_is_drawn_while_its_capture_is_chosen(new_page):
    start = quote("WW....../B......./......B. W 7 7")
    page = new_page(link("nine-mens-morris", start=start))
    expect(page.locator(".pieces .piece")).to_have_count(6)  # two of each side, and two in their hands
    page.get_by_role("button", name=re.compile("^g7,")).click()
    expect(page.locator(".pieces .piece")).to_have_count(7)
    expect(page.locator(".targets .take")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator(".pieces .piece")).to_have_count(6)


def test_dice_are_drawn(new_page):
    page = new_page(link("pig", moves=["roll", "5"]))
    expect(page.locator(".piece.die .spot")).to_have_count(5)
    squares = ("a1 b1 c1 a2 b2 a3", "e5 d5 c5 e4 d4 e3")
    setting = [f"{stone}@{square}" for side in squares for stone, square in enumerate(side.split(), 1)]
    page.goto(page.url.split("#")[0] + link("einstein", moves=[*setting, "4"]))
    expect(page.locator(".piece.die .spot")).to_have_count(4)


def test_a_graph_shows_names_and_costs(new_page):
    page = new_page(link("graph", start=quote("S-A 1, A>G 2.5; S to G"), seats="person"))
    expect(page.locator(".labels text")).to_have_text(["S", "A", "G", "1", "→G 2.5"])


def test_what_a_game_tells_in_words_is_below_its_picture(new_page):
    page = new_page(link("othello", moves=["f5"]), locale="es-ES")
    expect(page.locator(".tally")).to_have_text(["1", "4"])
    page.goto(page.url.split("#")[0] + link("dice-race"))
    expect(page.locator(".remarks")).to_have_text(re.compile("^goal 6: first 0, second 0$"))


# ---- a slow server ---------------------------------------------------------------------------------
HOLD = """
const Socket = WebSocket;
window.WebSocket = class extends Socket {
    set onmessage(hear) {
        super.onmessage = (event) => (window.held ? window.held.push(() => hear(event)) : hear(event));
    }
};
"""
RELEASE = "() => { const waiting = held; held = null; for (const hear of waiting) hear(); }"


@pytest.mark.parametrize("name", ["play", "analyse"])
def test_a_move_appears_before_the_server_has_confirmed_it(new_page, name):
    page = new_page(link("othello", page=name, run="0"))
    page.context.add_init_script(HOLD)
    page.reload()
    expect(page.locator(".cell.can").first).to_be_visible()
    page.evaluate("window.held = []")
    touch(page, "f5", expected=["f5"])
    expect(page.locator(".piece.black")).to_have_count(3)
    expect(page.locator(".piece.white")).to_have_count(2)
    assert "moves=f5" in page.url
    page.evaluate(RELEASE)
    expect(page.locator(".piece.white")).to_have_count(1)
    expect(page.locator(".cell.can").first).to_be_visible()


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", ["play", "analyse"])
def test_a_long_text_of_a_state_stays_on_its_board(new_page, name, width):
    """It is scrolled there, and covers neither the list of moves nor the edge of the page."""
    page = new_page(link("take-away", page=name, run="0"), width=width)
    text = page.locator(".text-board")
    expect(text).to_be_visible()
    before = text.bounding_box()
    text.evaluate("(text) => { text.textContent = '(1, 2, 3)'.repeat(200); }")
    after = text.bounding_box()
    assert after["x"] == before["x"] and after["width"] == before["width"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
