"""Games of a newcomer's kind, whose states hold arrays: their boards on the page are touched and set up."""

from __future__ import annotations

from pathlib import Path

import pytest

import gambito

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
from tests.web.conftest import serving  # noqa: E402
from tests.web.playing import cell, link, moves  # noqa: E402

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
OWN = {
    "plain-quarto": "quarto.py:PlainQuarto",
    "quarto": "quarto.py:Quarto",
    "onitama": "onitama.py",
    "santorini": "santorini.py:Santorini",
    "four-hexagons": "four_hexagons.py",
}


@pytest.fixture(scope="module")
def address():
    with serving(*(f"{EXAMPLES}/{file}" for file in OWN.values())) as (address, _):
        yield address


def opened(browser, address, name, **given):
    page = browser.new_context(locale=given.pop("locale", "en-GB"), **given).new_page()
    page.goto(address + link(name))
    expect(page.locator("svg[role=application] g.cell").first).to_be_visible()
    return page


def board_of(page):
    return page.locator("svg[role=application]").first


def tap(page, number):
    """Click the centre of a cell, whatever lies there."""
    box = page.locator(f"svg[role=application] g.cell[data-cell='{number}']").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
@pytest.mark.parametrize("name", [*OWN])
def test_every_game_is_played_by_touching_the_centres_of_its_cells(browser, address, name, size):
    page = opened(browser, address, name, viewport={"width": size[0], "height": size[1]})
    game = gambito.load(f"{EXAMPLES}/{OWN[name]}")
    state = game.initial()
    for ply in range(5):
        actions = game.legal(state)
        action = actions[(5 * ply + 2) % len(actions)]
        way, written = game.touch(state, action), game.write(state, action)
        if not way:
            page.locator(".moves-as-buttons").get_by_role("button", name=written, exact=True).click()
        for number in way:
            tap(page, number)
        if way and [game.touch(state, each) for each in actions].count(way) > 1:
            page.locator(".chooser").get_by_role("button", name=written, exact=True).click()
        expect(moves(page)).to_have_count(ply + 1)
        state = game.result(state, action)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.close()


def test_a_move_by_the_keyboard(browser, address):
    page = opened(browser, address, "four-hexagons")
    cell(page, "a1").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(moves(page)).to_have_text(["b1"])
    expect(cell(board_of(page), "b1")).to_have_accessible_name("b1, Black disc")
    page.close()


def test_pieces_have_names_in_spanish(browser, address):
    page = opened(browser, address, "quarto", locale="es-ES")
    page.locator(".moves-as-buttons").get_by_role("button").nth(3).click()
    cell(page, "a1").click()
    expect(cell(board_of(page), "a1")).to_have_accessible_name(
        "a1, ficha con hueco de tamaño pequeño de color rojo"
    )
    page.close()


def test_layers_are_set_up(browser, address):
    page = opened(browser, address, "santorini")
    page.get_by_role("button", name="Position and game…").click()
    page.get_by_role("button", name="Set up the pieces…").click()
    dialog = page.get_by_role("dialog", name="Set up a position")
    dialog.get_by_label("yellow level 2", exact=True).check(force=True)
    cell(dialog, "b2").click()
    expect(dialog.get_by_role("status")).to_have_text("..../.2../..../.... ..../.W../..B./.... mover=0")
    dialog.get_by_role("button", name="Begin from this position").click()
    expect(cell(board_of(page), "b2")).to_have_accessible_name(
        "b2, yellow level 2, White small disc, can be played"
    )
    page.close()


def test_every_line_of_dots_and_boxes_answers_at_its_centre(new_page):
    page = new_page(link("dots-and-boxes:rows=2,columns=2"))
    expect(page.locator("svg[role=application] g.cell.can").first).to_be_visible()
    for number in range(12):
        tap(page, number)
        expect(moves(page)).to_have_count(number + 1)
