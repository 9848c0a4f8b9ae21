"""Whole games played through the page, and all that a player may do there."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest

from tests.web.conftest import serving

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
from tests.web.playing import cell, link, moves, status, touch  # noqa: E402

expect.set_options(timeout=120_000)  # where nothing is compiled yet


# ---- a whole game on each kind of board ------------------------------------------------------------
def test_connect_four(new_page):
    page = new_page(link("connect-four"))
    played = []
    for column in "1213141":
        cell(page, f"{column}6").click()  # any cell of the column will do
        played.append(column)
        expect(moves(page)).to_have_text(played)
    expect(status(page)).to_contain_text("Red wins")
    expect(page.locator(".cell.can")).to_have_count(0)


def test_othello_with_a_pass(new_page):
    rows = ["OX------"] + ["--------"] * 6 + ["------XO"]
    page = new_page(link("othello", start=quote("".join(rows) + " X")))
    page.get_by_role("button", name="pass", exact=True).click()
    expect(moves(page)).to_have_text(["pass"])
    touch(page, "c1", expected=["pass", "c1"])
    page.get_by_role("region", name="Board").get_by_role("button", name="pass", exact=True).click()
    touch(page, "f8", expected=["pass", "c1", "pass", "f8"])
    expect(status(page)).to_contain_text("White wins")


def test_tic_tac_toe(new_page):
    page = new_page(link("tic-tac-toe"))
    for number, name in enumerate(["b2", "a1", "b1", "b3", "a2", "c2", "c1", "a3", "c3"], 1):
        cell(page, name).click()
        expect(moves(page)).to_have_count(number)
    expect(moves(page)).to_have_text(list("512846379"))
    expect(status(page)).to_have_text("a draw: the board is full")


def test_nim_against_the_engine(new_page):
    page = new_page(link("nim:heaps=1-2", seats="person~level:8"))
    page.locator(".cell.can").last.click()  # the last object of the second heap: 1 and 1 are left
    expect(moves(page)).to_have_count(2)
    page.locator(".cell.can").first.click()
    expect(status(page)).to_contain_text("the first player wins")


def test_a_tree(new_page):
    page = new_page(link("tree"))
    touch(page, "a", expected=["a"])
    touch(page, "a c", expected=["a", "c"])
    expect(status(page)).to_contain_text("MAX wins")


def test_a_game_without_a_picture(new_page):
    page = new_page(link("take-away"))
    expect(page.locator(".text-board")).to_be_visible()
    for number, taken in enumerate("331", 1):
        page.locator(".moves-as-buttons").get_by_role("button", name=taken, exact=True).click()
        expect(moves(page)).to_have_count(number)
    expect(status(page)).to_contain_text("the first player wins")


def test_dice_are_thrown_by_the_server(new_page):
    page = new_page(link("dice-race:goal=2", seats="person~random"))
    while True:
        expect(status(page)).to_have_text(re.compile("Your move|wins"))
        if "wins" in status(page).inner_text():
            break
        expect(page.locator(".piece.die")).to_have_count(1)
        before = moves(page).count()
        cell_from = page.locator(".cell.from")
        cell_from.click()
        page.locator(".cell.can:not(.from)").click()
        expect(moves(page)).not_to_have_count(before)
    assert page.locator(".move-list .chance").count() >= 1


def test_pieces_walk_and_a_promotion_is_chosen(new_page):
    page = new_page(link("pawn-walk"))
    touch(page, "a1", "a2", expected=["a1-a2"])
    touch(page, "c4", "b3", expected=["a1-a2", "c4-b3"])
    cell(page, "a2").drag_to(cell(page, "a3"))
    expect(moves(page)).to_have_text(["a1-a2", "c4-b3", "a2-a3"])
    touch(page, "b3", "b2")
    expect(moves(page)).to_have_count(4)
    touch(page, "a3", "a4")
    chooser = page.get_by_role("dialog", name="Which move?")
    expect(chooser.get_by_role("button")).to_have_text(["a3-a4=C", "a3-a4=T", "Cancel"])
    page.keyboard.press("Escape")
    expect(chooser).to_be_hidden()
    touch(page, "a3", "a4")
    chooser.get_by_role("button", name="a3-a4=T").click()
    expect(status(page)).to_contain_text("White wins")


def test_touches_before_the_last_move_is_confirmed_are_not_lost(new_page):
    page = new_page(link("pawn-walk"))
    expect(cell(page, "a1")).to_have_class(re.compile("from"))
    page.evaluate(
        """() => {
            for (const name of ["a1", "a2", "c4", "b3"])
                document.querySelector(`.cell[aria-label^="${name}"]`)
                    .dispatchEvent(new MouseEvent("click", {bubbles: true}));
        }"""
    )
    expect(moves(page)).to_have_text(["a1-a2", "c4-b3"])


def test_legal_targets_are_shown(new_page):
    page = new_page(link("pawn-walk"))
    expect(page.locator(".targets .dot")).to_have_count(0)
    cell(page, "a1").click()
    expect(page.locator(".targets .dot")).to_have_count(2)
    cell(page, "a1").click()  # let it be
    expect(page.locator(".targets .dot")).to_have_count(0)


# ---- against the engine ----------------------------------------------------------------------------
def test_the_engine_answers_and_tells_what_it_thinks(new_page):
    page = new_page(link("connect-four", seats="person~engine:depth=10"))
    touch(page, "41")
    expect(moves(page)).to_have_count(2)
    facts = page.get_by_role("region", name="Engine")
    expect(facts).to_contain_text("Depth10")
    expect(page.locator("#said")).to_contain_text("Yellow plays")


def test_the_engine_can_be_stopped(new_page):
    page = new_page(link("othello", seats="person~engine:seconds=60"))
    touch(page, "f5")
    stop = page.get_by_role("button", name="Move now")
    expect(page.get_by_role("region", name="Engine")).to_contain_text("Depth")
    stop.click()
    expect(moves(page)).to_have_count(2)
    expect(status(page)).to_have_text("Your move.")


WAITING = """() => {
    const page = document.querySelector("g-play");
    const told = [];
    new MutationObserver(() => told.push(page.thinkingPanel.textContent)).observe(
        page.thinkingPanel, { childList: true, subtree: true });
    window.told = told;
}"""


def test_move_now_before_the_search_has_begun(new_page):
    page = new_page(link("dice-race", moves=["1"], seats="level:3~level:3", paused="1"))
    expect(status(page)).to_have_text("Paused.")
    page.evaluate(WAITING)
    page.get_by_label("the second player", exact=True).select_option("person")
    now = page.get_by_role("button", name="Move now", include_hidden=True)
    now.dispatch_event("click")  # at once: on a quick machine the move may come before a mouse gets there
    expect(moves(page)).to_have_count(3)
    expect(status(page)).to_have_text("Your move.")
    told = page.evaluate("told")
    assert told[0].startswith("EngineGetting ready…") and not any("Nodes0" in each for each in told)


def test_two_engines_play_and_can_be_paused(new_page):
    page = new_page(link("tic-tac-toe", seats="level:8~level:8", paused="1"))
    expect(status(page)).to_have_text("Paused.")
    page.get_by_role("button", name="Continue", exact=True).click()
    expect(status(page)).to_have_text("a draw: the board is full")
    expect(moves(page)).to_have_count(9)


def test_a_seat_can_be_given_to_an_algorithm(new_page):
    page = new_page(link("tic-tac-toe"))
    seat = page.get_by_label("O", exact=True)
    seat.select_option("algorithm")
    page.get_by_label("Algorithm", exact=True).select_option("minimax")
    page.get_by_label("Depth", exact=True).fill("2")
    page.get_by_label("Depth", exact=True).press("Enter")
    touch(page, "b2")
    expect(moves(page)).to_have_count(2)
    assert "minimax:seconds=1,depth=2" in page.evaluate("decodeURIComponent(location.hash)")


def test_hint_undo_and_redo(new_page):
    page = new_page(link("tic-tac-toe", moves="519", seats="person~level:8", paused="1"))
    page.get_by_role("button", name="Undo").click()
    expect(moves(page)).to_have_text(["5", "1"])
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".ring-mark.best")).to_have_count(1)
    expect(status(page)).to_contain_text("Hint: ")
    page.get_by_role("button", name="Undo").click()
    expect(moves(page)).to_have_count(0)
    page.get_by_role("button", name="Redo").click()
    expect(moves(page)).to_have_text(["5", "1"])
    page.get_by_role("button", name="Redo").click()
    expect(moves(page)).to_have_count(3)


# ---- looking, typing, keys -------------------------------------------------------------------------
def test_looking_back_loses_nothing(new_page):
    page = new_page(link("tic-tac-toe", moves="5197"))
    moves(page).nth(1).click()
    expect(page.locator(".piece")).to_have_count(2)
    expect(status(page)).to_have_text("You are viewing an earlier position.")
    expect(page.locator(".cell.can")).to_have_count(0)
    page.get_by_role("button", name="Return to the game").click()
    expect(page.locator(".piece")).to_have_count(4)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".piece")).to_have_count(3)
    page.get_by_role("button", name="Continue from here").click()
    expect(moves(page)).to_have_count(3)


def test_the_board_is_turned(new_page):
    page = new_page(link("othello"))
    low = cell(page, "a1").bounding_box()
    page.get_by_role("button", name="Flip the board").click()
    expect(page.locator(".seat-line").last).to_contain_text("White")
    assert cell(page, "a1").bounding_box()["y"] > low["y"]
    assert "flip=1" in page.url
    page.goto(page.url.split("#")[0] + link("pawn-walk", seats="level:1~person"))
    expect(page.locator(".seat-line").last).to_contain_text("Black")  # a chequered board from one's own side
    page.goto(page.url.split("#")[0] + link("connect-four"))
    expect(page.get_by_role("button", name="Flip the board")).to_be_disabled()  # stones fall down


def test_a_move_can_be_typed(new_page):
    page = new_page(link("othello"))
    field = page.get_by_label("Type a move")
    field.fill("a1")
    field.press("Enter")
    expect(page.locator("#toast")).to_contain_text("'a1' is not a move here")
    field.fill("F5")
    field.press("Enter")
    expect(moves(page)).to_have_text(["f5"])


def test_with_the_keyboard_alone(new_page):
    page = new_page(link("tic-tac-toe"))
    expect(page.locator(".cell")).to_have_count(9)
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('cell')"):
            break
    for keys in (["Enter"], ["ArrowDown", "Enter"], ["ArrowUp", "ArrowRight", "Enter"]):
        before = moves(page).count()
        expect(page.locator(".cell.can")).to_have_count(9 - before)  # the last move is confirmed
        for key in keys:
            page.keyboard.press(key)
        expect(moves(page)).to_have_count(before + 1)
    expect(moves(page)).to_have_text(["1", "4", "2"])
    focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused == "b1, X cross"


def test_escape_lets_a_piece_go(new_page):
    page = new_page(link("pawn-walk"))
    cell(page, "a1").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".cell.chosen")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".cell.chosen")).to_have_count(0)


# ---- links, files, clocks --------------------------------------------------------------------------
def test_a_reload_in_the_middle(new_page):
    page = new_page(link("connect-four:width=5", moves="33", seats="person~level:1"))
    touch(page, "21")
    expect(moves(page)).to_have_count(4)
    address, said = page.url, moves(page).all_inner_texts()
    page.reload()
    expect(moves(page)).to_have_text(said)
    assert page.url == address
    page.goto(page.url.split("#")[0])  # without a link: where we were
    expect(moves(page)).to_have_text(said)


def test_the_way_back_leads_to_the_last_game(new_page):
    page = new_page(link("tic-tac-toe", moves="51"))
    expect(moves(page)).to_have_count(2)
    page.get_by_role("button", name="New game").click()
    page.get_by_role("dialog").get_by_role("button", name="New game").click()
    expect(moves(page)).to_have_count(0)
    page.go_back()
    expect(moves(page)).to_have_text(["5", "1"])


def test_another_game_with_parameters(new_page):
    page = new_page(link("tic-tac-toe", moves="51"))
    page.get_by_role("combobox", name="Game", exact=True).select_option("connect-four")
    page.get_by_role("dialog").get_by_role("button", name="New game").click()
    expect(page.locator(".cell")).to_have_count(42)
    page.get_by_text("Parameters").click()
    page.get_by_label("width").fill("5")
    page.get_by_label("width").press("Enter")
    expect(page.locator(".cell")).to_have_count(30)
    assert "connect-four:width=5" in page.url


@pytest.mark.parametrize(
    "game", ["nonsense", "connect-four", pytest.param("connect-four:width=99", marks=pytest.mark.slow)]
)
def test_a_link_that_cannot_be_read_leads_to_a_game(new_page, game):
    page = new_page(link(game, moves="9", start="nowhere"))
    expect(page.locator("#toast")).not_to_be_empty()
    expect(page.locator(".seat-line")).to_have_count(2)
    assert "nowhere" not in page.url


@pytest.mark.parametrize(
    ("seats", "said"),
    [
        ("level:99~person", "level must be a whole number from 1 to 8"),
        ("engine:seconds=soon~person", "seconds must be a number"),
        ("engine:nothing=1~random:x", "engine has no option 'nothing'"),
    ],
)
def test_players_of_a_link_are_checked_and_a_bad_one_is_not_kept(new_page, server, seats, said):
    page = new_page(link("tic-tac-toe", seats=seats, paused="1", clock="nonsense", left="-3~NaN"))
    expect(page.locator("#toast")).to_contain_text(said)
    expect(page.locator(".seat-line").last).to_contain_text("Casual player")
    expect(page.locator("time.clock")).to_have_count(0)
    page.goto("about:blank")
    page.goto(server)
    expect(page.locator(".seat-line").last).to_contain_text("Casual player")
    kept = page.url.removeprefix(server)  # the port may have any digits
    assert "99" not in kept and "nothing" not in kept


def test_what_is_kept_is_checked(new_page, server):
    page = new_page(link("tic-tac-toe"))
    expect(page.locator(".cell.can").first).to_be_visible()
    page.evaluate("""() => {
        localStorage.setItem("gambito.match", '{"game": 5, "start": {}, "moves": "abc", "lines": 3}');
        localStorage.setItem("gambito.play", '["no", "link"]');
        localStorage.setItem("gambito.lang", '{"x": 1}');
    }""")
    page.goto(page.url.split("#")[0] + "#/constructor?game=tic-tac-toe&moves=5&at=-7")
    page.reload()
    expect(page.locator(".cell.can").first).to_be_visible()
    page.goto("about:blank")
    page.goto(server)
    expect(page.locator(".cell.can").first).to_be_visible()


def test_positions_and_games_in_the_games_notation(new_page):
    page = new_page(link("othello", moves=["f5", "d6"]))
    page.get_by_role("button", name="Position and game…").click()
    dialog = page.get_by_role("dialog", name="Position and game")
    record = dialog.get_by_label("Game record")
    expect(record).to_have_value("f5d6")
    with page.expect_download() as saving:
        dialog.get_by_role("button", name="Save to a file").click()
    saved = saving.value
    assert saved.suggested_filename == "othello.txt"
    record.fill("f5d6zz")
    dialog.get_by_role("button", name="Load this text").click()
    expect(dialog.get_by_role("alert")).not_to_be_empty()
    record.fill("f5d6c3")
    dialog.get_by_role("button", name="Load this text").click()
    expect(moves(page)).to_have_text(["f5", "d6", "c3"])
    page.get_by_role("button", name="Position and game…").click()
    dialog.get_by_label("Game file").set_input_files(saved.path())
    expect(moves(page)).to_have_text(["f5", "d6"])


def test_begin_from_a_position(new_page):
    page = new_page(link("tic-tac-toe"))
    page.get_by_role("button", name="Position and game…").click()
    position = page.get_by_label("Position", exact=True)
    expect(position).to_have_value(".../.../...")
    position.fill("X.O/.X./...")
    position.press("Enter")
    expect(page.locator(".piece")).to_have_count(3)
    touch(page, "c3", expected=["9"])
    assert "start=X.O" in page.url


def test_a_clock_runs_and_falls(new_page):
    page = new_page(link("tic-tac-toe", clock="0.015%2B0"))
    clocks = page.locator("time.clock")
    expect(clocks).to_have_text(["0:00.9", "0:00.9"])  # nothing runs before the first move
    touch(page, "b2", expected=["5"])
    expect(status(page)).to_have_text("O ran out of time: X wins.")
    expect(clocks).to_have_text(["0:00.0", re.compile(r"0:00\.\d")])
    expect(page.locator(".cell.can")).to_have_count(0)


def test_the_engine_is_given_its_clock(new_page):
    page = new_page(link("othello", clock="0.1%2B0", seats="person~engine"))
    touch(page, "f5")
    expect(moves(page)).to_have_count(2)
    expect(status(page)).to_have_text("Your move.")
    assert "left=" in page.url


# ---- languages, themes, screens --------------------------------------------------------------------
def test_spanish_is_the_browsers_and_can_be_switched(new_page):
    page = new_page(link("othello"), locale="es-ES")
    expect(page.get_by_role("link", name="Jugar", exact=True)).to_be_visible()
    expect(status(page)).to_have_text("Juegan las negras.")
    assert page.locator("html").get_attribute("lang") == "es"
    page.get_by_label("Idioma").select_option("en")
    expect(status(page)).to_have_text("Black to move.")
    page.reload()
    expect(status(page)).to_have_text("Black to move.")


def test_complaints_are_told_in_spanish(new_page):
    page = new_page(link("othello"), locale="es-ES")
    page.get_by_role("button", name="Posición y partida…").click()
    page.get_by_label("Partida", exact=True).fill("f5d6zz")
    page.get_by_role("button", name="Cargar este texto").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("no ")


def test_light_and_dark(new_page):
    page = new_page(link("othello"), color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.get_by_role("button", name="Light or dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    assert page.evaluate(ground) != dark
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


@pytest.mark.parametrize(
    "game",
    [
        "connect-four",
        "othello",
        "tree",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("nim", "take-away", "dice-race")),
    ],
)
def test_a_narrow_screen(new_page, game):
    page = new_page(link(game), width=360, height=740, has_touch=True)
    expect(page.locator(".seat-line")).to_have_count(2)
    expect(page.locator(".board-frame svg, .text-board").locator("visible=true")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    if game == "connect-four":
        board = page.locator(".board-frame svg").bounding_box()
        assert board["width"] > 320
        cell(page, "41").tap()
        expect(moves(page)).to_have_text(["4"])


def test_a_server_that_comes_back(browser):
    with serving() as (address, first):
        context = browser.new_context(locale="en-GB")
        page = context.new_page()
        page.goto(address + link("tic-tac-toe", moves="5", seats="person~level:8", paused="1"))
        expect(status(page)).to_have_text("Paused.")
        monitor = context.new_page()
        monitor.goto(f"{address}#/watch?game=connect-four&depth=12&a=minimax")
        expect(monitor.get_by_role("button", name="Stop")).to_be_visible()
        first.terminate()
        first.wait(20)
        expect(page.get_by_text("The connection was lost")).to_be_visible()
        page.get_by_role("button", name="Continue", exact=True).click()
        expect(monitor.get_by_role("status").filter(has_text="The connection was lost")).to_be_visible()
        with serving("--port", address.strip("/").rpartition(":")[2]):
            expect(monitor.get_by_role("status").filter(has_text="Searching…")).to_be_visible()
            monitor.get_by_label("Depth", exact=True).fill("2")
            monitor.keyboard.press("Tab")
            expect(monitor.locator(".result")).to_contain_text("depth 2")
            expect(page.get_by_text("The connection was lost")).to_be_hidden()
            expect(moves(page)).to_have_count(2)
        context.close()


def test_nothing_is_asked_of_other_machines(new_page, server):
    page = new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    expect(page.locator(".cell").first).to_be_visible()
    assert asked and all(address.startswith((server, "blob:")) for address in asked), asked


def test_an_address_may_change_before_the_server_answers(new_page):
    page = new_page(link("tic-tac-toe"))
    page.add_init_script(
        """addEventListener("DOMContentLoaded", () => { location.hash = "#/algorithms"; }, {once: true})"""
    )
    page.reload()
    expect(page.locator("g-about")).to_be_visible()
