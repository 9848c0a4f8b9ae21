"""Take screenshots of the web page in each language: `python docs/screenshots.py`. This needs Chromium."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from own_folders import use_own_folders
from playwright.sync_api import Page, sync_playwright

import gambito

DOCS = Path(__file__).parent
WORDS = Path(gambito.__file__).parent / "web" / "page" / "words"
LOCALES = {"en": "en-GB", "es": "es-ES"}
EXAMPLE = DOCS / "examples" / "domineering.py"
GAME = "f5~d6~c3~d3~c4~f4~f6~f3~e6~e7~c6~d7"
SIZE = {"width": 1280, "height": 800}
PATIENCE = 180_000  # milliseconds; the first run compiles

Say = Callable[[str], str]  # translates a sentence into the page's language


def play(page: Page, say: Say) -> None:
    page.goto("/#/play?game=connect-four&moves=4~4~4~5~3&seats=person~level:8")
    page.locator("g-board .piece").nth(5).wait_for()


def analyse(page: Page, say: Say) -> None:
    page.goto(f"/#/analyse?game=othello&moves={GAME}")
    page.get_by_role("button", name=say("Analyse"), exact=True).wait_for()
    page.get_by_role("button", name=say("Review the game")).click()
    page.get_by_text(say("Mistakes")).wait_for()
    page.set_viewport_size({"width": 1280, "height": 940})


def watch(page: Page, say: Say) -> None:
    page.goto("/#/watch?game=tree")
    page.get_by_text(say("Step {0} of {1}").format(0, "").strip()).wait_for()
    for _ in range(21):
        page.keyboard.press("ArrowRight")


def hidden(page: Page, say: Say) -> None:
    page.goto("/#/analyse?game=phantom-tic-tac-toe&moves=5~1~2&algorithm=ismcts:seconds=1")
    page.locator(".heats g").first.wait_for()
    page.get_by_role("button", name=say("Analyse"), exact=True).wait_for()


def own_game(page: Page, say: Say) -> None:
    page.goto("/#/play?game=domineering&moves=a1~b2~d3~c6~f3&seats=person~level:8")
    page.locator("g-board .piece").nth(11).wait_for()


def words(language: str) -> Say:
    file = WORDS / f"{language}.json"
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return lambda sentence: known.get(sentence, sentence)


def main() -> None:
    use_own_folders()
    command = [sys.executable, "-m", "gambito", "serve", str(EXAMPLE), "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address = next(word for word in server.stdout.readline().split() if word.startswith("http"))
        with sync_playwright() as running:
            flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
            browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
            for language, locale in LOCALES.items():
                for shown in (play, analyse, watch, hidden, own_game):
                    page = browser.new_context(viewport=SIZE, locale=locale, base_url=address).new_page()
                    page.set_default_timeout(PATIENCE)
                    shown(page, words(language))
                    page.wait_for_timeout(800)  # let animations end
                    page.screenshot(
                        path=DOCS / language / "pictures" / f"page-{shown.__name__.replace('_', '-')}.png"
                    )
    finally:
        server.terminate()


if __name__ == "__main__":
    main()
