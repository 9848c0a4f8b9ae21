"""The script and the styles of an exported page: the board of the web page, and what belongs to it.

A page that is opened as a file cannot load modules, so they are joined in the order in which they need each
other. A variable that one of them exports keeps the value that it has at first.
"""

from __future__ import annotations

import base64
import functools
import json
import re
import zlib
from collections.abc import Iterable
from importlib.resources import files
from typing import Any

_IMPORT = re.compile(r"^import (?:(\{[^}]*\}) from )?\"\./([\w-]+)\.js\";.*\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|let|(?:async )?function|class) (\w+))", re.MULTILINE)
OWN = ("core", "data", "inside")  # scripts of this folder, which come first; their names are everybody's
_STYLES = ("style.css", "board.css", "pieces.css")
TEXT = re.compile(r"""\bt\(\s*"((?:[^"\\]|\\.)*)"|data-t(?:-\w+)?="([^"]*)\"""")


def own(name: str) -> str:
    """A file of this folder's page."""
    return (files("gambito.exports") / "page" / name).read_text(encoding="utf-8")


def _of_page(name: str) -> str:
    return (files("gambito") / "web" / "page" / name).read_text(encoding="utf-8")


def flat(name: str, keeps_exports: bool = False) -> str:
    """A script of this folder without its imports, to stand behind what it imports."""
    text = _IMPORT.sub("", own(name))
    return text if keeps_exports else _EXPORT.sub("", text)


@functools.cache
def script() -> str:
    """The script of the page, with the modules of the web page that it uses, each in a scope of its own."""
    done: dict[str, str] = {}
    last = _joined(own("play.js"), done)
    return "\n".join([*done.values(), last])


def _joined(text: str, done: dict[str, str]) -> str:
    """A module as a statement; those that it imports come before it."""
    for _, name in _IMPORT.findall(text):
        if name not in done and name not in OWN:
            done[name] = ""  # modules that import each other use names only when they are called
            made = f"const {_scope(name)} = {_joined(_of_page(f'{name}.js'), done)}"
            del done[name]
            done[name] = made

    def taken(found: re.Match[str]) -> str:
        return f"const {found[1]} = {_scope(found[2])};\n" if found[1] and found[2] not in OWN else ""

    body = _EXPORT.sub("", _IMPORT.sub(taken, text))
    return f"(() => {{\n{body}\nreturn {{ {', '.join(_EXPORT.findall(text))} }};\n}})();"


def _scope(name: str) -> str:
    return f"page_{name.replace('-', '_')}"


@functools.cache
def style() -> str:
    return "\n".join([*map(_of_page, _STYLES), own("play.css")])


def words(more: Iterable[str]) -> dict[str, Any]:
    """The Spanish of the texts of the page, and of the names that it says of the game."""
    said = files("gambito") / "words" / "es" / "sentences.json"
    known = {**json.loads(said.read_text(encoding="utf-8")), **json.loads(_of_page("words/es.json"))}
    known |= json.loads(own("words/es.json"))
    used = {found or other for found, other in TEXT.findall(script() + own("index.html"))}
    texts = {text: known[text] for text in sorted(used.union(more)) if text in known}
    return {"words/es.json": texts, "names/es.json": json.loads(_of_page("names/es.json"))}


def lesson(algorithm: str, facts: dict[str, Any], code: bytes) -> str:
    """The page of a lesson: a tree whose leaves can be changed."""
    texts = json.loads(own("words/lesson.json"))
    given = (
        f"const DATA = {as_json(facts)};\nconst BYTES = {packed(code)};\nconst WORDS = {as_json(texts)};\n"
    )
    script = f"(() => {{\n{given}{flat('lesson.js')}\n}})();"
    return own("lesson.html").replace("{title}", algorithm).replace("{script}", script)


def as_json(held: Any) -> str:
    """JSON that may stand inside a script of a page."""
    return json.dumps(held, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")


def packed(body: bytes) -> str:
    """Bytes as a text of a script: compressed, and as base64."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return f'"{base64.b64encode(packer.compress(body) + packer.flush()).decode()}"'
