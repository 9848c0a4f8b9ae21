"""The notebooks of the documentation run; both languages have the same code, and git holds no outputs."""

from __future__ import annotations

import ast
import json
import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parent.parent.parent / "docs"
ENGLISH = sorted((DOCS / "notebooks" / "en").glob("*.ipynb"))
SPANISH = sorted((DOCS / "notebooks" / "es").glob("*.ipynb"))
PAGES = runpy.run_path(str(DOCS / "notebook_pages.py"))


def name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def cells(path: Path, kind: str) -> list[str]:
    book = json.loads(path.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in book["cells"] if cell["cell_type"] == kind]


def test_there_is_every_notebook_in_both_languages():
    assert ENGLISH and [path.name for path in ENGLISH] == [path.name for path in SPANISH]


@pytest.mark.parametrize("path", [*ENGLISH, *SPANISH], ids=name)
def test_git_holds_no_outputs(path):
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        assert not cell.get("outputs") and cell.get("execution_count") is None
        assert not cell["metadata"]


class Meaning(ast.NodeTransformer):
    """Leaves out the texts that are for people: those with a space, or with a capital at the beginning."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        text = node.value
        if isinstance(text, str) and (" " in text.strip() or text[:1].isupper()):
            return ast.Constant("")
        return node


@pytest.mark.parametrize("english", ENGLISH, ids=lambda path: path.stem)
def test_both_languages_have_the_same_cells(english):
    spanish = DOCS / "notebooks" / "es" / english.name
    assert len(cells(english, "markdown")) == len(cells(spanish, "markdown"))
    pairs = list(zip(cells(english, "code"), cells(spanish, "code"), strict=True))
    for one, other in pairs:
        assert ast.dump(Meaning().visit(ast.parse(one))) == ast.dump(Meaning().visit(ast.parse(other)))
    for one, other in zip(cells(english, "markdown"), cells(spanish, "markdown"), strict=True):
        assert one != other
        assert re.findall("^#+", one, re.MULTILINE) == re.findall("^#+", other, re.MULTILINE)


@pytest.mark.slow  # `make docs` runs them too, and fails with them
@pytest.mark.parametrize("path", [*ENGLISH, *SPANISH], ids=name)
def test_it_runs(path):
    """Every cell runs in a kernel, and its page contains each output on a separate line."""
    book = PAGES["execute"](path)
    outputs = [one for cell in book.cells for one in cell.get("outputs", [])]
    assert any("text/html" in one.get("data", {}) for one in outputs)
    assert not [one.text for one in outputs if one.get("name") == "stderr"]
    page = PAGES["render"](book)
    assert page.startswith("# ")
    shown = sum(
        "text/html" in one.get("data", {}) or "image/svg+xml" in one.get("data", {}) for one in outputs
    )
    lines = [line for line in page.splitlines() if line.startswith('<div class="notebook-output">')]
    assert len(lines) == shown and all(line.endswith("</div>") for line in lines)


def test_an_error_in_a_cell_is_an_error(tmp_path):
    book = json.loads(ENGLISH[0].read_text(encoding="utf-8"))
    code = next(cell for cell in book["cells"] if cell["cell_type"] == "code")
    code["source"] = ["1 / 0"]
    book["cells"] = [code]
    (tmp_path / "wrong.ipynb").write_text(json.dumps(book), encoding="utf-8")
    with pytest.raises(Exception, match="ZeroDivisionError"):
        PAGES["execute"](tmp_path / "wrong.ipynb")


def test_a_page_keeps_lines_where_they_count():
    page = PAGES["one_line"]('<div\nid="a"><pre>x\n\ny</pre>\n<iframe srcdoc="a\n\nb"></iframe></div>\n')
    assert page == '<div id="a"><pre>x&#10;&#10;y</pre> <iframe srcdoc="a&#10;&#10;b"></iframe></div>'
    assert PAGES["fence"]("a ``` b", "text") == "````text\na ``` b\n````"
