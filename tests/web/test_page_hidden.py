"""Games that hide something, played through the page: nothing in it shows what its seat may not see."""

from __future__ import annotations

import re

import pytest

from tests.web.conftest import OWN, serving

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
from tests.web.playing import link, moves, status  # noqa: E402

expect.set_options(timeout=120_000)  # where nothing is compiled yet
CARD = re.compile(r"\b774[1-9]\b")


def press(page, name):
    page.locator(".moves-as-buttons").get_by_role("button", name=name, exact=True).click()


def faces(page):
    return page.locator("g-board .piece.card .face")


def backs(page):
    return page.locator("g-board .piece.card .back")


def listen(page):
    """Everything that this page receives from now on."""
    heard: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
    page.reload()
    return heard


def test_against_the_computer(new_page):
    page = new_page(link("high-card", seats="person~random"))
    heard = listen(page)
    expect(status(page)).to_have_text("Your move.")
    expect(backs(page)).to_have_count(1)
    mine = faces(page).text_content()
    expect(moves(page)).to_have_text([mine, "···"])
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    expect(page.get_by_text("No move is taken back until it is over")).to_be_visible()
    seen = "".join(heard) + page.content() + page.url
    assert set(CARD.findall(seen)) == {mine}
    press(page, "raise")
    expect(status(page)).to_contain_text("wins")
    expect(faces(page)).to_have_count(2)
    expect(moves(page)).to_have_text([mine, re.compile(CARD), "raise", re.compile("stay|raise")])
    page.get_by_role("button", name="One move back").click()
    expect(status(page)).to_have_text("You are viewing an earlier position.")
    expect(faces(page)).to_have_count(2)


def test_a_move_that_keeps_the_turn_is_told(new_page):
    page = new_page(link("high-card", seats="person~random"))
    press(page, "knock")
    expect(status(page)).to_have_text("After knock it is your move again.")
    expect(moves(page)).to_have_count(3)
    page.get_by_role("button", name="To the beginning").click()
    expect(page.get_by_role("button", name="Return to the game")).to_be_visible()
    expect(page.get_by_role("button", name="Continue from here")).to_be_hidden()


def test_two_people_hand_the_screen_over(new_page):
    page = new_page(link("high-card"))
    page.get_by_role("button", name="I am Ann").click()
    expect(faces(page)).to_have_count(1)
    mine = faces(page).text_content()
    press(page, "raise")
    expect(status(page)).to_have_text("You have moved. The next is Bob.")
    expect(faces(page)).to_have_text([mine])
    page.get_by_role("button", name="Hand over to Bob").click()
    expect(page.get_by_text("Bob, it is your turn.")).to_be_visible()
    expect(backs(page)).to_have_count(2)
    assert not CARD.search(page.locator("main").inner_html())
    page.reload()  # neither of them is in front of the screen yet
    page.get_by_role("button", name="I am Bob").click()
    expect(faces(page)).to_have_count(1)
    assert mine not in CARD.findall(page.locator("main").inner_html())
    press(page, "stay")
    expect(status(page)).to_contain_text("wins")
    expect(faces(page)).to_have_count(2)
    page.get_by_role("button", name="New game").click()
    expect(page.get_by_text("Ann, it is your turn.")).to_be_visible()


def test_a_spectator_of_computers(new_page):
    page = new_page(link("high-card", seats="random~random"))
    expect(status(page)).to_contain_text("wins")
    expect(faces(page)).to_have_count(2)


def test_other_players_are_another_game(new_page):
    page = new_page(link("high-card", seats="person~random"))
    expect(status(page)).to_have_text("Your move.")
    press(page, "knock")
    expect(moves(page)).to_have_count(3)
    page.get_by_label("Bob", exact=True).select_option("person")
    expect(page.get_by_role("button", name="I am Ann")).to_be_visible()
    expect(moves(page)).to_have_text(["···"])
    expect(page.get_by_label("Bob", exact=True).locator("option[value=greedy]")).to_have_count(0)


def test_the_record_waits_for_the_end(new_page):
    page = new_page(link("high-card", seats="person~random"))
    expect(status(page)).to_have_text("Your move.")
    page.get_by_role("button", name="Position and game…").click()
    expect(page.locator("#toast")).to_have_text("The record can be seen when the game is over.")


def test_a_game_that_the_server_forgot_is_told_and_another_begins(new_page):
    page = new_page(link("high-card", seats="person~random"))
    expect(status(page)).to_have_text("Your move.")
    forget = """() => {
        const table = JSON.parse(localStorage["gambito.table"]);
        table.keys[0] = "forgotten";
        localStorage["gambito.table"] = JSON.stringify(table);
    }"""
    page.evaluate(forget)
    page.reload()
    expect(page.locator("#toast")).to_contain_text("this game is no longer on the server")
    expect(status(page)).to_have_text("Your move.")


def test_in_spanish(new_page):
    page = new_page(link("high-card"), locale="es-ES")
    page.get_by_role("button", name="Soy Ann").click()
    press(page, "stay")
    expect(page.get_by_role("button", name="Pasar la pantalla a Bob")).to_be_visible()


@pytest.mark.slow
def test_a_server_that_restarts_ends_the_game_in_one_sentence(browser):
    with serving(*OWN) as (address, _):
        port = address.rstrip("/").rpartition(":")[2]
        page = browser.new_context(locale="en-GB").new_page()
        page.goto(address + link("high-card", seats="person~random"))
        expect(status(page)).to_have_text("Your move.")
    with serving(*OWN, "--port", port):
        expect(page.locator("#toast")).to_contain_text("this game is no longer on the server")
        expect(status(page)).to_have_text("Your move.")
    page.close()


# ---- Analyse -----------------------------------------------------------------------------------------
def test_analyse_shows_the_strategy_and_what_is_believed(new_page):
    page = new_page("#/analyse?game=kuhn-poker&start=K%3F&algorithm=ismcts:seconds=0.3")
    rows = page.locator(".candidates .strategy")
    expect(rows).to_have_count(2)
    expect(page.locator(".counters")).to_contain_text("likely between")
    shares = [int(text.split()[0]) for text in rows.locator(".percent").all_text_contents()]
    assert sum(shares) == pytest.approx(100, abs=1)
    believed = page.get_by_role("region", name="What may be hidden")
    expect(believed.locator(".kinds")).to_have_text(re.compile(r"^(Q\d+ %J\d+ %|J\d+ %Q\d+ %)$"))
    expect(page.get_by_role("button", name="Review the game")).to_be_hidden()
    page.locator(".moves-as-buttons").get_by_role("button", name="bet").click()
    expect(moves(page)).to_have_text(["bet"])
    expect(backs(page)).to_have_count(2)  # the other player sees neither the king nor its own card


def test_analyse_warms_the_cells_where_something_may_lie(new_page):
    page = new_page("#/analyse?game=phantom-tic-tac-toe&moves=5~1~2&algorithm=ismcts:seconds=0.3")
    expect(page.locator(".heats > g")).to_have_count(8)
    expect(page.locator(".piece.cross")).to_have_count(0)
    page.get_by_role("button", name="Show everything").click()
    expect(page.locator(".piece.cross")).to_have_count(2)
    page.get_by_role("button", name="Show what the player sees").click()
    expect(page.locator(".piece.cross")).to_have_count(0)


def test_analyse_of_a_running_game_knows_what_the_seat_knows(new_page):
    page = new_page(link("high-card", seats="person~random"))
    expect(status(page)).to_have_text("Your move.")
    mine = faces(page).text_content()
    heard = listen(page)
    page.get_by_role("link", name="Analyse this game").click()
    expect(page.locator(".candidates .strategy")).to_have_count(3)
    assert "key" not in page.url and "key" not in page.get_by_role(
        "link", name="See the search"
    ).get_attribute("href")
    expect(page.locator("g-board .cell.can")).to_have_count(0)
    page.reload()  # the browser knows which game it had begun
    expect(faces(page)).to_have_text([mine])
    expect(moves(page)).to_have_text([mine, "···"])
    views = [text for text in heard if '"seat":0' in text]
    assert views and all(set(CARD.findall(text)) == {mine} for text in views)


# ---- spectators --------------------------------------------------------------------------------------
def test_a_link_for_spectators_shows_what_everybody_sees(new_page):
    owner = new_page(link("high-card"), permissions=["clipboard-read", "clipboard-write"])
    owner.get_by_role("button", name="I am Ann").click()
    expect(faces(owner)).to_have_count(1)
    mine = faces(owner).text_content()
    owner.get_by_role("button", name="Link for spectators").click()
    expect(owner.locator("#toast")).to_have_text("Copied.")
    address = owner.evaluate("navigator.clipboard.readText()")
    guest = new_page("#" + address.partition("#")[2])
    heard = listen(guest)
    expect(status(guest)).to_have_text("You are watching. Ann to move.")
    press(owner, "raise")
    expect(status(guest)).to_have_text("You are watching. Bob to move.")
    expect(backs(guest)).to_have_count(2)
    expect(guest.get_by_role("button", name="Link for spectators")).to_be_hidden()
    assert not CARD.search("".join(heard) + guest.content())
    owner.get_by_role("button", name="Hand over to Bob").click()
    owner.get_by_role("button", name="I am Bob").click()
    press(owner, "raise")
    expect(status(guest)).to_contain_text("wins")
    expect(faces(guest)).to_have_count(2)
    assert mine in guest.locator("g-board").text_content()


# ---- Watch -------------------------------------------------------------------------------------------
def test_watch_shows_how_a_strategy_is_learned(new_page):
    page = new_page("#/watch?game=kuhn-poker&a=cfr&depth=2")
    expect(page.get_by_text("after 2 iterations, the best reply to the strategy gains")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator("g-watch")).to_contain_text("iteration 1: everybody plays by the last policy")
    page.keyboard.press("End")
    expect(page.locator("g-watch")).to_contain_text("on average: this is the strategy")


def test_watch_tells_which_worlds_are_imagined(new_page):
    page = new_page("#/watch?game=kuhn-poker&start=K%3F&a=ismcts", locale="es-ES")
    expect(page.get_by_text("Paso 0 de")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("g-watch")).to_contain_text(re.compile("imagina un mundo: K[JQ]"))
