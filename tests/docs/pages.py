"""The pages of the documentation, read: their examples, and what of them is made."""

from __future__ import annotations

import ast
import re
import textwrap
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
# What docs/make.py or a benchmark writes is held by them.
WRITTEN = re.compile(r"<!-- (?:made|measured): .*?<!-- end -->", re.DOTALL)
BLOCK = re.compile(
    r"(?:<!-- file: (?P<name>\S+) -->\n)?(?P<long><!-- long -->\n\n?)?"
    r"(?:^```(?P<language>\w*)\n(?P<fenced>.*?)^```|(?P<indented>(?:^ {4}[^\n]*\n|^\n(?= {4}))+))",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True)
class Example:
    """Something on a page that a reader may copy."""

    kind: str  # "file", "python" or "commands"
    text: str
    name: str = ""  # of a file
    is_long: bool = False  # to be read, not to be run


def pages(language: str) -> list[Path]:
    return sorted((DOCS / language).rglob("*.md"))


def examples(page: Path) -> list[Example]:
    """The examples of a page, in order."""
    found = []
    for match in BLOCK.finditer(WRITTEN.sub("", page.read_text(encoding="utf-8"))):
        is_long = bool(match["long"])
        if match["language"] == "python" or (match["language"] == "toml" and match["name"]):
            kind = "file" if match["name"] else "python"
            found.append(Example(kind, match["fenced"], match["name"] or "", is_long))
            continue
        text = textwrap.dedent(match["fenced"] or match["indented"] or "")
        commands = [line for line in _whole_lines(text) if line.startswith("gambito ")]
        found += [Example("commands", command, is_long=is_long) for command in commands]
    return found


def _whole_lines(text: str) -> list[str]:
    """Lines without a prompt, those that go on in the next one joined."""
    return [line.removeprefix("$ ").strip() for line in text.replace("\\\n", " ").splitlines()]


def code_of(example: Example) -> str:
    """An example without what may be said in another language: comments, docstrings and texts."""
    if example.kind == "commands":
        return example.text.partition("  #")[0].strip()
    if example.name.endswith(".toml"):
        return repr(tomllib.loads(example.text).keys())
    tree = ast.parse(example.text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)
