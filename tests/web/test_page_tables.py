"""Analyse tells what endgame tables know about a position."""

from __future__ import annotations

import os

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
from tests.support import COMMAND, run  # noqa: E402
from tests.web.conftest import started  # noqa: E402
from tests.web.playing import link  # noqa: E402


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A server that has the tables of tic-tac-toe."""
    environment = os.environ | {"GAMBITO_TABLES": str(tmp_path_factory.mktemp("tables"))}
    made = run(*COMMAND, "endgame", "build", "tic-tac-toe", env=environment)
    assert made.returncode == 0, made.stderr
    with started(*COMMAND, "serve", "--port", "0", env=environment) as (served, _):
        yield served


@pytest.mark.parametrize(
    ("moves", "language", "words"),
    [
        ("5", "en-GB", "tables: drawn"),
        ("1245", "en-GB", "tables: won in 1 ply"),
        ("1524", "es-ES", "tablas de finales: ganada en 1 jugada"),
    ],
)
def test_the_verdict_of_the_tables_stands_beside_the_depth(browser, address, moves, language, words):
    context = browser.new_context(locale=language)
    page = context.new_page()
    page.goto(address + link("tic-tac-toe", moves=moves, page="analyse"))
    expect(page.locator(".counters")).to_contain_text(words)
    context.close()
