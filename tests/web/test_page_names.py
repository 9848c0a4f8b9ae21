"""Names of moves and cells that are words are shown in the language of the page, and typed in it."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

import gambito
from gambito.game.contract import CHANCE
from gambito.game.registry import game_classes

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
from tests.web.playing import link, moves  # noqa: E402

NAMES = Path(gambito.__file__).with_name("web") / "page" / "names"
# Notations, names of streets, and what is written alike in Spanish.
KEPT = re.compile(
    r"(bar|[0-9]+)/|[KQRBNa-h1-8x]+[0-9+#=]|O-O|"
    r".*(Avenue|Place|Gardens|Boardwalk|Railroad|Short Line|Water Works|Electric Company)(: [0-9]+)?$"
)


def spoken(name):
    """The names of moves and cells of a game in which there are words."""
    game, lots = gambito.load(name), random.Random(5)
    board = game.picture()
    found = {cell.name for cell in board.cells} if board else set()
    for _ in range(3):
        state = game.initial()
        for _ in range(80):
            if game.is_terminal(state):
                break
            chance = [int(a) for a, _ in game.chances(state)] if game.player(state) == CHANCE else []
            choices = chance or game.legal(state)
            found |= {game.write(state, action) for action in choices[:40]}
            state = game.result(state, lots.choice(choices))
    return {each for each in found if re.search("[A-Za-z]{3,}", each) and not KEPT.match(each)}


def template(name):
    numbers = iter(range(10))
    return re.sub("[0-9]+", lambda _: f"{{{next(numbers)}}}", name)


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["es"])
def test_every_word_of_the_games_has_its_translation(language):
    names = json.loads((NAMES / f"{language}.json").read_text(encoding="utf-8"))
    assert list(names) == sorted(names)
    missing = {}
    for game in game_classes():
        unknown = {
            each
            for each in spoken(game)
            if template(each) not in names
            and not any(w in names for w in re.findall("[A-Za-z]{3,}(?: of)?", each))
        }
        if unknown:
            missing[game] = sorted(unknown)[:9]
    assert not missing
    for english, other in names.items():
        assert sorted(re.findall(r"\{\d\}", english)) == sorted(re.findall(r"\{\d\}", other)), english


def test_buttons_and_the_list_of_moves_are_in_spanish(new_page):
    page = new_page(link("pig-turn:target=50", moves=["roll", "4"], seats="person"), locale="es-ES")
    buttons = page.locator(".moves-as-buttons")
    buttons.get_by_role("button", name="plantarse").wait_for()
    buttons.get_by_role("button", name="tirar").click()
    expect(moves(page).nth(2)).to_have_text("tirar")
    assert "roll~4~roll" in page.url
    expect(page.get_by_role("button", name=re.compile("^dado"))).to_have_count(1)


def test_a_move_is_typed_in_the_language_of_the_page(new_page):
    page = new_page(link("go:size=5"), locale="es-ES")
    page.get_by_label("Escribe una jugada").fill("pasar")
    page.keyboard.press("Enter")
    expect(moves(page)).to_have_text(["pasar"])


def test_remarks_are_sentences(new_page):
    page = new_page(link("prisoners-dilemma", moves=["silent", "talk"]), locale="es-ES")
    expect(page.locator(".remarks")).to_have_text("puntos: 0 y 5")
    for game, moves_, words in (
        ("goofspiel", "", "points 0 and 0"),
        ("leduc-poker", "J", "in the pot: 2; raises in this round: 0"),
        ("liars-dice", "3/2 1-3", "the bid is at least 1 × 3"),
    ):
        rules = gambito.load(game)
        state = rules.initial() if not moves_ or game == "leduc-poker" else rules.parse(moves_)
        assert rules.remarks(state) == words
