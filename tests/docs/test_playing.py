"""The pages of games have boards that play on the site, behind a heading that opens."""

import shutil
import sys

import pytest

from tests.docs.pages import DOCS

sys.path.insert(0, str(DOCS))  # as `docs/build.py` finds its modules


def test_pages_of_searches_get_trees(tmp_path):
    from playing import FOLDER, change_leaves

    shutil.copytree(DOCS / "en" / "algorithms", tmp_path / "algorithms", copy_function=shutil.copy)
    assert change_leaves("en", tmp_path) == 6
    page = (tmp_path / "algorithms" / "alpha-beta.md").read_text(encoding="utf-8")
    assert (
        page.startswith("# Alpha-beta\n\n<details") and f'data-src="../{FOLDER}/alpha-beta.html#en"' in page
    )
    assert len((tmp_path / FOLDER / "alpha-beta.html").read_text(encoding="utf-8")) < 20_000


@pytest.mark.parametrize(("language", "word"), [("en", "Play Tic-tac-toe here"), ("es", "Jugar aquí a ")])
def test_a_page_gets_a_board(tmp_path, language, word):
    from playing import FOLDER, play_here

    (tmp_path / "games").mkdir()
    for name in ("tic-tac-toe", "kuhn-poker", "pancakes"):
        text = (DOCS / language / "games" / f"{name}.md").read_text(encoding="utf-8")
        (tmp_path / "games" / f"{name}.md").write_text(text, encoding="utf-8")
    assert play_here(language, tmp_path) == 1
    head, _, board, *_ = (tmp_path / "games" / "tic-tac-toe.md").read_text(encoding="utf-8").splitlines()
    assert head.startswith("# ") and word in board
    assert f' data-src="../{FOLDER}/tic-tac-toe.html#{language}"' in board and " src=" not in board
    assert "WebAssembly" in (tmp_path / FOLDER / "tic-tac-toe.html").read_text(encoding="utf-8")
