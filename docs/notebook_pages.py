"""A notebook as a page of the documentation: run in a kernel, its text, code and outputs as Markdown.

`python docs/notebook_pages.py NOTEBOOK` prints the page. Outputs are HTML and SVG where a cell gives them,
else text; each stands on one line, so that no Markdown is seen in it.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

SECONDS = 600  # for one cell; the first run of a game compiles it
LITERAL = re.compile(r'(srcdoc="[^"]*"|<pre\b.*?</pre>)', re.DOTALL)  # where a line break is a line break


def execute(path: Path) -> Any:
    """The notebook with the outputs of a kernel of its own; a cell that fails raises its error."""
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(notebook, timeout=SECONDS, kernel_name="python3", coalesce_streams=True)
        client.resources = {"metadata": {"path": folder}}
        client.execute()
    return notebook


def page(path: Path) -> str:
    """The notebook, run, as a Markdown page."""
    return render(execute(path))


def render(notebook: Any) -> str:
    """A notebook that was run as Markdown."""
    parts = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
        elif cell.cell_type == "code":
            parts.append(fence(cell.source, "python"))
            parts += filter(None, map(output, cell.outputs))
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def output(one: Any) -> str:
    """One output of a cell; what goes to the error stream is left out."""
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
    """Markup without line breaks: a blank line would end it in Markdown."""
    pieces = LITERAL.split(markup.strip())
    return "".join(piece.replace("\n", "&#10;" if place % 2 else " ") for place, piece in enumerate(pieces))


def fence(text: str, language: str) -> str:
    """A block of code, behind more backticks than it holds."""
    marks = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", text)), 0)
    return f"{marks}{language}\n{text.rstrip()}\n{marks}"


if __name__ == "__main__":
    print(page(Path(sys.argv[1])), end="")
