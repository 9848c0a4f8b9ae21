"""Pages that everybody can use: axe finds no violation on any page, in either theme and either language.

`GAMBITO_AXE` names the file axe.min.js of the package axe-core; without it these tests are skipped.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed").expect
from tests.web.playing import link  # noqa: E402

AXE = os.environ.get("GAMBITO_AXE")
pytestmark = pytest.mark.skipif(not AXE, reason="GAMBITO_AXE does not name axe.min.js")
PAGES = {
    "play": link("chess", moves=["e4", "e5"]),
    "over": link("tic-tac-toe", moves="12539"),
    "go": link("go", moves=["E5", "C3"]),
    "backgammon": link("backgammon", start="4HPwATDgc%2FABMA%203-1"),
    "hidden": link("kuhn-poker", seats="person~random"),
    "analyse": link("connect-four", moves="44", page="analyse", run="0"),
    "watch": "#/watch?game=tree&algorithm=alpha-beta",
    "algorithms": "#/algorithms",
}
RUN = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
    .flatMap(({ id, nodes }) => nodes.map(({ html, any }) =>
        `${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ""}`))"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(new_page, name, scheme):
    page = new_page(PAGES[name], color_scheme=scheme, locale="es-ES" if scheme == "dark" else "en-GB")
    expect(page.locator("main h1").first).to_be_attached()
    page.locator(".page.ready, g-watch, .about-page").first.wait_for()
    page.evaluate(Path(AXE).read_text(encoding="utf-8"))
    assert page.evaluate(RUN) == []
