"""Convert a notebook to a page of the documentation: run it, and write text, code and outputs as Markdown.

`python docs/notebook_pages.py NOTEBOOK` prints the page. An output is HTML or SVG if the cell produces it,
otherwise text. HTML and SVG are written on one line, so that nothing in them is read as Markdown.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

SECONDS = 600  # for one cell; the first run of a game compiles it
LITERAL = re.compile(r'(srcdoc="[^"]*"|<pre\b.*?</pre>)', re.DOTALL)  # parts where line breaks matter


def execute(path: Path) -> Any:
    """Run the notebook in a new kernel, in the language of its folder, and return it with its outputs.

    A failing cell raises its error.
    """
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(notebook, timeout=SECONDS, kernel_name="python3", coalesce_streams=True)
        client.resources = {"metadata": {"path": folder}}
        client.execute(env={**os.environ, "GAMBITO_LANGUAGE": path.parent.name})
    return notebook


def page(path: Path) -> str:
    """Run the notebook and return it as a Markdown page."""
    return render(execute(path))


def render(notebook: Any) -> str:
    """Return an executed notebook as Markdown."""
    parts = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
        elif cell.cell_type == "code":
            parts.append(fence(cell.source, "python"))
            parts += filter(None, map(output, cell.outputs))
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def output(one: Any) -> str:
    """Return one output of a cell as Markdown; the error stream is left out."""
    if one.output_type == "stream":
        return fence(one.text, "text") if one.name == "stdout" else ""
    data = one.get("data", {})
    for kind in ("text/html", "image/svg+xml"):
        if kind in data:
            return f'<div class="notebook-output">{one_line(data[kind])}</div>'
    if "text/markdown" in data:
        return str(data["text/markdown"])
    return fence(data["text/plain"], "text") if "text/plain" in data else ""


def one_line(markup: str) -> str:
    """Return markup without line breaks, because a blank line would end it in Markdown."""
    pieces = LITERAL.split(markup.strip())
    return "".join(piece.replace("\n", "&#10;" if place % 2 else " ") for place, piece in enumerate(pieces))


def fence(text: str, language: str) -> str:
    """Return a block of code, fenced with more backticks than it contains."""
    marks = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text)), 0)
    return f"{marks}{language}\n{text.rstrip()}\n{marks}"


if __name__ == "__main__":
    print(page(Path(sys.argv[1])), end="")
