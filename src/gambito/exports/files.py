"""The files of an exported game: the module, scripts, a page to play, and what belongs to a package.

game.wasm          rules and searches
game.weights       what the game has learned, if that is much
game.js            an ES module: `const game = await load()`
game.classic.js    the same for `<script src=…>`, with everything in it: `const game = await gambito.load()`
game.d.ts          the types of both
index.html         a page to play, with everything in it: it can be opened as a file, and asks for nothing
package.json, README.md, LICENSE
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gambito.errors import GameError
from gambito.exports import bundle
from gambito.exports.describe import describe, title_of
from gambito.exports.module import ALGORITHMS, MEMORY, Exported, check, export_game
from gambito.game.contract import Game
from gambito.game.registry import load
from gambito.native.elf import LinkError
from gambito.search.algorithm import find
from gambito.search.chooser import strongest
from gambito.version import __version__

LARGE = 1 << 15  # bytes of weights from which on they are a file of their own


@dataclass(frozen=True)
class Export:
    """What was written."""

    game: str
    algorithms: tuple[str, ...]
    folder: Path
    sizes: dict[str, int]  # bytes of each file
    has_board: bool  # does its page draw a board? Else it shows the fields of a state


def export(
    game: Any, output: str | Path, algorithms: Iterable[str] | str | None = None, memory: int = MEMORY
) -> Export:
    """Write a game and its opponent for browsers into a folder.

    algorithms   names of algorithms; the first is the opponent. None: the one that `search` would choose
    memory       MiB for the table or the tree of a search
    """
    rules, folder = load(game), Path(output)
    names = _names(rules, algorithms)
    try:
        made = export_game(rules, names, memory)
        texts = written(made)
    except LinkError as problem:
        raise GameError("{} cannot be exported: {}", rules.label(), str(problem)) from None
    folder.mkdir(parents=True, exist_ok=True)
    for name, body in texts.items():
        (folder / name).write_bytes(body)
    sizes = {name: len(body) for name, body in texts.items()}
    return Export(rules.label(), names, folder, sizes, made.has_board)


def export_site(
    games: Iterable[Any],
    output: str | Path,
    algorithms: Iterable[str] | str | None = None,
    memory: int = MEMORY,
) -> list[Export]:
    """Write several games into a folder, each into its own, and a page that leads to them."""
    folder, made, listed = Path(output), list[Export](), list[dict[str, str]]()
    chosen = [load(game) for game in games]
    for rules in chosen:  # all are refused or none
        check(rules, _names(rules, algorithms))
    for rules in chosen:
        place = re.sub(r"[^\w-]+", "-", rules.label()).strip("-")
        made.append(export(rules, folder / place, algorithms, memory))
        title = title_of(rules)
        said = bundle.words([title])["words/es.json"].get(title, title)
        listed.append({"place": place, "en": title, "es": said})
    page = _filled(bundle.own("site.html"), games=bundle.as_json(listed))
    (folder / "index.html").write_text(page, encoding="utf-8")
    return made


def page_of(game: Any, algorithms: Iterable[str] | str | None = None) -> str:
    """The page of a game alone, with everything in it."""
    rules = load(game)
    return written(export_game(rules, _names(rules, algorithms)))["index.html"].decode()


def _names(rules: Game, given: Iterable[str] | str | None) -> tuple[str, ...]:
    """The algorithms by name, each once."""
    check(rules, ())
    if given is not None:
        names = [given] if isinstance(given, str) else [*given]
        return tuple(dict.fromkeys(name.strip() for text in names for name in text.split(",")))
    best = strongest(rules)
    fitting = [best, *ALGORITHMS]
    chosen = next((name for name in fitting if name in ALGORITHMS and not find(name).misfit(rules)), None)
    if chosen is None:
        raise GameError("{} is best played by {}, which is not exported yet", rules.label(), best)
    return (chosen,)


def written(made: Exported) -> dict[str, bytes]:
    """The files by name."""
    crossing = made.crossing
    size = sum(crossing.spaces[name] for name in made.weights)
    apart = made.weights if size >= LARGE else []
    module = crossing.wasm({n: body for n, body in crossing.contents.items() if n not in apart})
    weights = b"".join(crossing.contents.get(name, b"").ljust(crossing.spaces[name], b"\0") for name in apart)
    facts = describe(made, module.places, apart)
    title, algorithms = facts["title"], ", ".join(made.algorithms)
    texts = bundle.words([title, *facts["sides"], *(level["name"] for level in facts["levels"])])
    head = f"// {title}, made by Gambito {__version__}. {_NOTICE}\n"
    core = f"const DATA = {bundle.as_json(facts)};\n{bundle.flat('core.js')}"
    beside = f'const BESIDE = "{"game.weights" if weights else ""}";\n'
    held = f"const BYTES = {bundle.packed(module.code)};\nconst WEIGHTS = {bundle.packed(weights)};\n"
    inside = f"{held}{core}{bundle.flat('inside.js')}"
    words = f"const fetch = async (name) => ({{ json: async () => ({bundle.as_json(texts)})[name] }});\n"
    given = {"title": title, "algorithms": algorithms, "version": __version__}
    files = {
        "game.js": head + beside + core + bundle.flat("load.js", keeps_exports=True),
        "game.classic.js": f"{head}var gambito = (() => {{\n{inside}return {{ load, GameError }};\n}})();\n",
        "game.d.ts": head + bundle.own("game.d.ts"),
        "index.html": _filled(
            bundle.own("index.html"),
            title=title,
            style=bundle.style(),
            script=_scoped(inside + words + bundle.script()),
        ),
        "package.json": _package(made, bool(weights)),
        "README.md": _filled(bundle.own("README.md"), **given),
        "LICENSE": bundle.own("LICENSE"),
    }
    bodies = {name: text.encode() for name, text in files.items()}
    return {"game.wasm": module.code, **({"game.weights": weights} if weights else {}), **bodies}


def _scoped(script: str) -> str:
    """A script whose names are its own, as it may stand in a page."""
    return f"(() => {{\n{script}\n}})();".replace("</script", "<\\/script")


_NOTICE = "See LICENSE."


def _filled(text: str, **parts: str) -> str:
    for name, part in parts.items():
        text = text.replace(f"{{{name}}}", part)
    return text


def _package(made: Exported, has_weights: bool) -> str:
    name = re.sub(r"[^a-z0-9]+", "-", made.game.label().partition(":")[0].lower()).strip("-") or "game"
    files = [
        "game.wasm",
        *(["game.weights"] if has_weights else []),
        "game.js",
        "game.classic.js",
        "game.d.ts",
        "index.html",
    ]
    facts = {
        "name": name,
        "version": "1.0.0",
        "description": f"{name} and an opponent for it, as WebAssembly",
        "type": "module",
        "license": "SEE LICENSE IN LICENSE",
        "main": "game.js",
        "exports": {".": {"types": "./game.d.ts", "default": "./game.js"}, "./*": "./*"},
        "types": "game.d.ts",
        "files": files,
        "sideEffects": False,
    }
    return json.dumps(facts, indent=2, ensure_ascii=False) + "\n"
