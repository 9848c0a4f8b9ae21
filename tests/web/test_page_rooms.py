"""Two browsers, one game: invitations, spectators, reconnection, and what each seat may see."""

from __future__ import annotations

import re

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
expect.set_options(timeout=120_000)  # where nothing is compiled yet


SOCKETS = """
    const Own = WebSocket;
    window.sockets = [];
    window.WebSocket = class extends Own {
        constructor(...given) { super(...given); window.sockets.push(this); }
    };
"""


def invite(page, side="X"):
    """Begin a game with somebody: the links for the other and for spectators. The page takes its seat."""
    page.get_by_role("button", name="Play with somebody…").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Your side").select_option(side)
    dialog.get_by_role("button", name="Make the links").click()
    fields = dialog.get_by_role("textbox")
    expect(fields).to_have_count(2)
    links = [field.input_value() for field in fields.all()]
    dialog.get_by_role("button", name="Take your seat").click()
    return ["#" + link.split("#")[1] for link in links]


def cell(page, name):
    return page.get_by_role("button", name=re.compile(rf"^{name}(,|$)"))


def status(page):
    return page.locator(".status")


def moves(page):
    return page.locator(".move-list .move")


def test_two_people_play_to_the_end(new_page):
    ann = new_page("#/play?game=tic-tac-toe&seats=person~person")
    sides = ann.locator(".seat-line .name")
    expect(sides).to_have_count(2)
    names = sides.all_inner_texts()
    first = names[1]  # the side that begins sits below
    link, spectate = invite(ann, first)
    bob, eve = new_page(link), new_page(spectate)
    expect(status(ann)).to_have_text("Your move.")
    expect(status(bob)).to_contain_text("Waiting for")
    cell(ann, "b2").click()
    expect(moves(bob)).to_have_text(["5"])
    expect(moves(eve)).to_have_text(["5"])
    expect(status(bob)).to_have_text("Your move.")
    expect(bob.get_by_role("button", name="Hint")).to_be_disabled()
    bob.reload()  # the link keeps the seat
    expect(status(bob)).to_have_text("Your move.")
    cell(bob, "a1").click()
    expect(moves(ann)).to_have_count(2)
    for page, name in ((ann, "a2"), (bob, "b1"), (ann, "c2")):
        expect(status(page)).to_have_text("Your move.")
        cell(page, name).click()
    for page in (ann, bob, eve):
        expect(status(page)).to_contain_text("wins")
        expect(moves(page)).to_have_count(5)


def test_a_lost_connection_is_taken_up_again(new_page):
    ann = new_page("#/play?game=tic-tac-toe&seats=person~person")
    expect(ann.locator(".seat-line .name")).to_have_count(2)
    link, _ = invite(ann, ann.locator(".seat-line .name").nth(1).inner_text())
    bob = new_page(link)
    bob.add_init_script(SOCKETS)
    bob.reload()
    expect(status(bob)).to_contain_text("Waiting for")
    bob.evaluate("() => sockets.at(-1).close()")
    cell(ann, "b2").click()
    expect(status(ann)).to_contain_text("Waiting for")
    expect(moves(bob)).to_have_text(["5"])
    expect(status(bob)).to_have_text("Your move.")


def test_each_sees_what_the_own_seat_sees(new_page):
    ann = new_page("#/play?game=phantom-tic-tac-toe&seats=person~level:1")
    expect(ann.locator(".seat-line .name")).to_have_count(2)
    link, spectate = invite(ann, ann.locator(".seat-line .name").nth(1).inner_text())
    bob, eve = new_page(link), new_page(spectate)
    expect(status(ann)).to_have_text("Your move.")
    cell(ann, "b2").click()
    expect(moves(ann)).to_have_text(["5"])
    expect(status(bob)).to_have_text("Your move.")
    expect(moves(bob)).to_have_text(["···"])
    expect(status(eve)).to_contain_text("You are watching.")
    cell(bob, "b2").click()  # it is taken: now Bob knows, and is to move again
    expect(moves(bob)).to_have_text(["···", "5"])
    cell(bob, "a1").click()
    expect(status(ann)).to_have_text("Your move.")
    expect(moves(ann)).to_have_text(["5", "···"])


def test_a_stale_invitation_says_so(new_page):
    page = new_page("#/play?game=tic-tac-toe&join=1~nothing~nobody")
    expect(page.locator("#toast")).to_contain_text("no longer on the server")


def test_two_people_play_with_clocks(new_page):
    ann = new_page("#/play?game=tic-tac-toe&seats=person~person&clock=5%2B3")
    expect(ann.locator("time.clock")).to_have_text(["5:00", "5:00"])
    ann.get_by_role("button", name="Play with somebody…").click()
    expect(ann.get_by_role("dialog")).to_contain_text("With clocks: 5:00, and 3 s per move.")
    ann.get_by_role("button", name="Close").click()
    link, spectate = invite(ann, ann.locator(".seat-line .name").nth(1).inner_text())
    bob, eve = new_page(link), new_page(spectate)
    for page in (ann, bob, eve):
        expect(page.locator("time.clock")).to_have_text(["5:00", "5:00"])
    cell(ann, "b2").click()
    for page in (ann, bob, eve):  # only the clock of the one to move runs
        expect(page.locator("time.clock[data-side='1']")).to_have_text(re.compile("^4:5"))
        expect(page.locator("time.clock[data-side='0']")).to_have_text("5:00")


def test_a_clock_that_falls_ends_the_game_on_every_page(new_page):
    ann = new_page("#/play?game=tic-tac-toe&seats=person~person&clock=0.01")
    link, spectate = invite(ann, ann.locator(".seat-line .name").nth(1).inner_text())
    bob, eve = new_page(link), new_page(spectate)
    expect(status(bob)).to_contain_text("Waiting for")
    cell(ann, "b2").click()
    for page in (ann, bob, eve):
        expect(status(page)).to_contain_text("ran out of time")
