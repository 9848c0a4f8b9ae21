"""Analyse names the opening, and shows the moves of the server's books."""

from __future__ import annotations

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
from gambito.errors import BookError  # noqa: E402
from gambito.web.answers import Answers  # noqa: E402
from gambito.web.server_limits import ServerLimits  # noqa: E402
from tests.support import COMMAND, run  # noqa: E402
from tests.web.conftest import serving  # noqa: E402
from tests.web.playing import link, moves  # noqa: E402


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """A book of three games: two begin with 5, one with 1."""
    folder = tmp_path_factory.mktemp("book")
    games = folder / "games.txt"
    games.write_text("5 1 9 3 2 8 7\n5 3 1 9 2 8\n1 5 9\n")
    made = run(*COMMAND, "book", "build", "tic-tac-toe", str(games), "--output", str(folder / "ttt.book"))
    assert made.returncode == 0, made.stderr
    return str(folder / "ttt.book")


def test_the_name_follows_the_game_in_both_languages(new_page):
    page = new_page(link("chess", ["e4", "c5"], page="analyse", run="0"))
    panel = page.get_by_role("region", name="Opening")
    expect(panel).to_contain_text("B20 · Sicilian Defence")
    page.keyboard.press("ArrowLeft")
    expect(panel).to_contain_text("B00 · King's Pawn Game")
    page.keyboard.press("ArrowLeft")
    expect(panel).to_be_hidden()
    page = new_page(link("chess", ["e4", "c5"], page="analyse", run="0"), locale="es-ES")
    expect(page.get_by_role("region", name="Apertura")).to_contain_text("Defensa siciliana")


def test_book_moves_are_listed_with_their_shares_and_can_be_played(browser, book):
    with serving("--book", book) as (address, _):
        context = browser.new_context(locale="en-GB")
        page = context.new_page()
        page.goto(address + link("tic-tac-toe", page="analyse", run="0"))
        listed = page.get_by_role("list", name="Book moves")
        expect(listed.get_by_role("listitem")).to_have_count(2)
        listed.get_by_role("button", name="5").click()
        expect(moves(page)).to_have_text(["5"])
        expect(listed.get_by_role("button")).to_have_count(2)
        page.goto(address + link("nim", page="analyse", run="0"))
        expect(page.get_by_role("region", name="Opening")).to_be_hidden()
        context.close()


def test_shares_add_up_and_books_of_other_games_are_left_out(book):
    answers = Answers(ServerLimits(books=(book,)))

    def ask(**question):
        return answers.answer({"do": "opening", **question}, lambda told: None, None)[0]

    told = ask(game="tic-tac-toe")
    assert told["opening"] is None
    assert sum(each["share"] for each in told["moves"]) == pytest.approx(1)
    assert {each["move"] for each in told["moves"]} == {"1", "5"}
    assert ask(game="nim")["moves"] == []
    assert ask(game="othello", moves=["c4", "c3"], lang="es")["opening"]["name"] == "Apertura diagonal"


def test_a_file_that_is_no_book_is_refused_before_the_server_starts(tmp_path):
    path = tmp_path / "no.book"
    path.write_text("no book")
    told = run(*COMMAND, "serve", "--port", "0", "--book", str(path))
    assert told.returncode != 0 and "no.book" in told.stderr and BookError.__name__ not in told.stderr
