"""The end of a game in Play: resignation, draws, the clock, a new game, sound, and values in units."""

from __future__ import annotations

import re

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
from tests.web.playing import link, moves, status, touch  # noqa: E402


def test_a_person_resigns_and_an_undo_takes_it_back(new_page):
    page = new_page(link("chess", moves=["e4"]))
    resign = page.get_by_role("button", name="Resign")
    resign.click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    expect(status(page)).to_have_text("Black to move.")
    resign.click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(status(page)).to_have_text("Black resigned: White wins.")
    expect(resign).to_be_disabled()
    expect(page.locator(".cell.can")).to_have_count(0)
    page.reload()
    expect(status(page)).to_have_text("Black resigned: White wins.")
    page.get_by_role("button", name="Undo").click()
    expect(status(page)).to_have_text("White to move.")


def test_a_draw_is_offered_to_a_person(new_page):
    page = new_page(link("chess", moves=["e4"]), locale="es-ES")
    page.get_by_role("button", name="Ofrecer tablas").click()
    question = page.get_by_role("dialog")
    expect(question).to_contain_text("¿Aceptan tablas las blancas?")
    question.get_by_role("button", name="Rechazar").click()
    expect(page.locator("#toast")).to_have_text("las blancas rechazan las tablas.")
    expect(status(page)).to_have_text("Juegan las negras.")
    page.get_by_role("button", name="Ofrecer tablas").click()
    question.get_by_role("button", name="Aceptar").click()
    expect(status(page)).to_have_text("Tablas de común acuerdo.")


def test_a_flag_that_falls_is_told_with_the_winner(new_page):
    page = new_page(link("chess", moves=["e4", "e5"], clock="1%2B0", left="0.2~60"))
    expect(status(page)).to_have_text("White ran out of time: Black wins.")


@pytest.mark.parametrize(
    ("start", "move", "verdict"),
    [
        ("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", ("f7", "g7"), "White wins: checkmate"),
        ("7k/8/4Q1K1/8/8/8/8/8 w - - 0 1", ("e6", "f7"), "a draw: stalemate"),
    ],
)
def test_a_verdict_has_its_reason(new_page, start, move, verdict):
    page = new_page(link("chess", start=start.replace(" ", "%20")))
    touch(page, *move)
    expect(status(page)).to_have_text(verdict)


def test_a_new_game_is_confirmed_while_one_runs(new_page):
    page = new_page(link("tic-tac-toe"))
    touch(page, "b2", expected=["5"])
    page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Continue this game").click()
    expect(moves(page)).to_have_text(["5"])
    page.get_by_role("button", name="New game").click()
    page.get_by_role("dialog").get_by_role("button", name="New game").click()
    expect(moves(page)).to_have_count(0)
    page.goto(page.url.split("#")[0] + link("tic-tac-toe", moves="12539"))
    expect(status(page)).to_have_text("X wins: a line of 3")
    page.get_by_role("button", name="New game").click()  # nothing is lost, so nothing is asked
    expect(moves(page)).to_have_count(0)


def test_a_move_sounds_unless_that_is_switched_off(new_page):
    page = new_page(link("tic-tac-toe"))
    touch(page, "b2", expected=["5"])
    expect(page.locator("html")).to_have_attribute("data-sound", "move")
    switch = page.get_by_role("button", name="Sound")
    expect(switch).to_have_attribute("aria-pressed", "true")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    page.evaluate("delete document.documentElement.dataset.sound")
    touch(page, "a1", expected=["5", "1"])
    expect(page.locator("html")).not_to_have_attribute("data-sound", re.compile(""))
    page.reload()
    expect(switch).to_have_attribute("aria-pressed", "false")


def test_values_are_in_units_for_the_side_that_is_chosen(new_page):
    """Black is a queen ahead: a negative number of pawns for White, a positive one for Black."""
    start = "3qk3/8/8/8/8/8/4P3/4K3%20w%20-%20-%200%201"
    page = new_page(link("chess", start=start, seats="person~engine:nodes=2000"))
    touch(page, "e2", "e4")
    engine = page.get_by_role("region", name="Engine")
    expect(engine.locator("dt").first).to_have_text("pawns, for White")
    value = engine.locator("dd").first
    expect(value).to_have_text(re.compile("^−[0-9]{1,2}(\\.[0-9]+)?( |$)"))
    white = value.inner_text()
    engine.get_by_role("combobox").select_option("Black")
    expect(engine.locator("dt").first).to_have_text("pawns, for Black")
    expect(value).to_have_text(re.compile(re.escape(white.replace("−", "+").split(" ")[0])))


def test_analysis_counts_in_the_same_units_for_the_same_side(new_page):
    start = "3qk3/8/8/8/8/8/4P3/4K3%20b%20-%20-%200%201"
    page = new_page(link("chess", start=start, page="analyse", algorithm="engine:nodes=2000"))
    best = page.locator(".candidates .pill").first
    expect(best).to_have_text(re.compile("^−[0-9]{1,2}([.,][0-9]+)?$"))  # Black moves and is better, in pawns
