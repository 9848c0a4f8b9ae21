"""Photograph the page with every game, light and dark: `make shots`.

Each game is played at random, always alike, and shown in the middle and at the end. Needs Chromium.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Page, sync_playwright

import gambito
from gambito.game.contract import CHANCE, Game
from gambito.game.registry import game_classes
from gambito.players.running_game import RunningGame

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
LONGEST = 300  # plies of a game that is played to its end
MIDDLE = {"go": 40, "chess": 24, "hex": 40, "gomoku": 30}  # plies; by default half of the game
WAIT = 60_000  # milliseconds
ACROSS = 4  # pictures beside each other on a sheet
CROPPED = "width:100%;aspect-ratio:5/6;object-fit:cover"  # the board, without what is beside it


def main() -> None:
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("games", nargs="*", help="with parameters, if any; by default all")
    given.add_argument(
        "--out", type=Path, default=Path("build/shots"), help="the folder (default: %(default)s)"
    )
    given.add_argument("--page", default="play", choices=("play", "analyse", "watch"))
    given.add_argument("--size", default="1280x800", help="of the window (default: %(default)s)")
    given.add_argument("--lang", default="en")
    asked = given.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    width, height = map(int, asked.size.split("x"))
    names = asked.games or sorted(game_classes())
    command = (sys.executable, "-m", "gambito", "serve", "--port", "0")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server, sync_playwright() as running:
        try:
            assert server.stdout is not None
            address = next(word for word in server.stdout.readline().split() if word.startswith("http://"))
            path = os.environ.get("GAMBITO_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)))
            browser = running.chromium.launch(executable_path=path, args=FLAGS)
            shots: dict[str, list[Path]] = {}
            for theme in ("light", "dark"):
                context = browser.new_context(
                    viewport={"width": width, "height": height}, color_scheme=theme, locale=asked.lang
                )
                page = context.new_page()
                page.set_default_timeout(WAIT)
                for name in names:
                    for moment, link in links(name, asked.page):
                        file = asked.out / f"{name.replace(':', '-')}-{moment}-{theme}.png"
                        photograph(page, f"{address}{link}", file)
                        shots.setdefault(theme, []).append(file)
                context.close()
            for theme, files in shots.items():
                lay_out(browser.new_page(viewport={"width": 1600, "height": 900}), files, asked.out / theme)
        finally:
            server.terminate()


def links(name: str, page: str) -> Iterator[tuple[str, str]]:
    """Return the addresses of two positions of a game: in the middle and at its end."""
    game = gambito.load(name)
    moves = random_game(game)
    middle = min(MIDDLE.get(game.name, len(moves) // 2), len(moves))
    seats = "~".join(["person"] * game.players)
    for moment, length in (("middle", middle), ("end", len(moves))):
        told = "~".join(quote(move, safe="") for move in moves[:length])
        yield moment, f"#/{page}?game={quote(name)}&seats={seats}&run=0&moves={told}"


def random_game(game: Game) -> list[str]:
    """Return the moves of a game that is played at random, always the same one."""
    lots = random.Random(game.label())
    match = RunningGame(game, game.initial())
    while not match.is_over and not match.is_repeated and len(match.actions) < LONGEST:
        if match.player == CHANCE:
            drawn = list(game.chances(match.state))
            match.play(int(lots.choices([o for o, _ in drawn], [p for _, p in drawn])[0]))
        else:
            match.play(lots.choice(game.legal(match.state)))
    return match.names()


def photograph(page: Page, address: str, file: Path) -> None:
    page.goto("about:blank")  # so that the page is loaded again, and keeps nothing of the game before
    page.goto(address)
    page.locator(".page.ready, .watch").first.wait_for()
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(400)  # pieces that move have arrived
    page.screenshot(path=file)


def lay_out(page: Any, files: list[Path], stem: Path) -> None:
    """Make sheets of small pictures, to be looked at together."""
    for number in range(0, len(files), 3 * ACROSS):
        shown = "".join(
            f'<figure style="margin:0"><img style="{CROPPED}" src="{file.resolve().as_uri()}">'
            f"<figcaption>{file.stem}</figcaption></figure>"
            for file in files[number : number + 3 * ACROSS]
        )
        sheet = stem.with_name(f"sheet-{stem.name}-{number // (3 * ACROSS) + 1}.html")
        style = f"display:grid;gap:8px;grid-template-columns:repeat({ACROSS},1fr);font:12px sans-serif"
        sheet.write_text(f'<meta charset="utf-8"><body style="{style}">{shown}', encoding="utf-8")
        page.goto(sheet.resolve().as_uri())
        page.screenshot(path=sheet.with_suffix(".png"), full_page=True)


if __name__ == "__main__":
    main()
