"""Pages that play: on the site, the page of a game has a board and an opponent, and the page of a search that
alpha-beta is one of has a tree whose leaves a reader changes. Neither needs a server.

They are behind a heading that opens. Until then a reader loads nothing of them.
"""

from __future__ import annotations

import functools
from html import escape
from pathlib import Path

import gambito
from gambito.exports.files import page_of
from gambito.exports.lesson import LESSONS, lesson_page
from gambito.exports.module import check

WORDS = {"en": "Play {} here", "es": "Jugar aquí a {}"}
TREES = {"en": "Change the leaves of a tree", "es": "Cambiar las hojas de un árbol"}
FOLDER = "play"
HEAD = "# "
LOAD = "const frame = this.querySelector('iframe'); frame.src ||= frame.dataset.src"  # when it opens


def play_here(language: str, pages: Path) -> int:
    """Give the pages of games their boards; return how many there are."""
    (pages / FOLDER).mkdir(exist_ok=True)
    made = 0
    for page in sorted((pages / "games").glob("*.md")):
        if not is_playable(page.stem):
            continue
        title = page.read_text(encoding="utf-8").partition("\n")[0].removeprefix(HEAD)
        _add(page, _page(page.stem), WORDS[language].format(title), language)
        made += 1
    return made


def change_leaves(language: str, pages: Path) -> int:
    """Give the pages of searches their trees; return how many there are."""
    (pages / FOLDER).mkdir(exist_ok=True)
    for name in LESSONS:
        _add(pages / "algorithms" / f"{name}.md", _lesson(name), TREES[language], language)
    return len(LESSONS)


def _add(page: Path, html: str, words: str, language: str) -> None:
    """Write what plays, and a frame for it below the head of a page."""
    (page.parent.parent / FOLDER / f"{page.stem}.html").write_text(html, encoding="utf-8")
    head, _, rest = page.read_text(encoding="utf-8").partition("\n")
    said = escape(words)
    frame = f'<iframe data-src="../{FOLDER}/{page.stem}.html#{language}" title="{said}"></iframe>'
    opened = f'<details class="steps" ontoggle="{LOAD}"><summary>{said}</summary>{frame}</details>'
    page.write_text(f"{head}\n\n{opened}\n{rest}", encoding="utf-8")


def is_playable(name: str) -> bool:
    """Has a game with a page a board that an exported page can draw?"""
    try:
        game = gambito.load(name)
        check(game, ())
    except gambito.GambitoError:
        return False
    return game.players > 1 and game.kept_equipment() is not None


@functools.cache
def _lesson(name: str) -> str:
    return lesson_page(name)


@functools.cache
def _page(name: str) -> str:
    return page_of(name)
