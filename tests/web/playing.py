"""What tests of the board share: links to games, cells by name, touches, the list of moves."""

from __future__ import annotations

import re
from urllib.parse import quote

from playwright.sync_api import expect

expect.set_options(timeout=120_000)  # where nothing is compiled yet
BOTH = "person~person"


def link(game, moves=(), page="play", **given):
    said = {"game": game, "moves": "~".join(quote(m, safe="") for m in moves), "seats": BOTH} | given
    return f"#/{page}?" + "&".join(f"{name}={value}" for name, value in said.items() if value != "")


def cell(page, name):
    """The cell of that name; what stands on it and what can be done follows the name."""
    return page.get_by_role("button", name=re.compile(rf"^{re.escape(name)}(,|$)"))


def touch(page, *names, expected=None):
    """Touch cells, and wait for the move to stand in the list."""
    for name in names:
        cell(page, name).click()
    if expected is not None:
        expect(moves(page)).to_have_text(expected)


def moves(page):
    return page.locator(".move-list .move")


def status(page):
    return page.locator(".status")
