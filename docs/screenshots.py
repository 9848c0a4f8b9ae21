"""Takes the pictures of the web page for README and web.md: `python docs/screenshots.py` (needs Chromium)."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

PICTURES = Path(__file__).with_name("pictures")
GAME = "f5~d6~c3~d3~c4~f4~f6~f3~e6~e7~c6~d7"
SIZE = {"width": 1280, "height": 800}
PATIENCE = 180_000  # milliseconds, where nothing is compiled yet


def play(page: Page) -> None:
    page.goto("/#/play?game=connect-four&moves=4~4~4~5~3&seats=person~level:8")
    page.locator("g-board .piece").nth(5).wait_for()


def analyse(page: Page) -> None:
    page.goto(f"/#/analyse?game=othello&moves={GAME}")
    page.get_by_role("button", name="Analyse", exact=True).wait_for()
    page.get_by_role("button", name="Review the game").click()
    page.get_by_text("Moves that lost").wait_for()
    page.set_viewport_size({"width": 1280, "height": 940})


def watch(page: Page) -> None:
    page.goto("/#/watch?game=tree")
    page.get_by_text("Step 0 of").wait_for()
    for _ in range(21):
        page.keyboard.press("ArrowRight")


def main() -> None:
    command = [sys.executable, "-m", "gambito.cli.main", "serve", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        address = next(word for word in server.stdout.readline().split() if word.startswith("http"))
        with sync_playwright() as running:
            flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
            browser = running.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
            for shown in (play, analyse, watch):
                page = browser.new_context(viewport=SIZE, locale="en-GB", base_url=address).new_page()
                page.set_default_timeout(PATIENCE)
                shown(page)
                page.wait_for_timeout(800)  # what moves has come to rest
                page.screenshot(path=PICTURES / f"page-{shown.__name__}.png")
    finally:
        server.terminate()


if __name__ == "__main__":
    main()
