"""Lists of games, algorithms and options, and excerpts of the source."""

from __future__ import annotations

import ast
import importlib
import inspect
import textwrap
from pathlib import Path
from typing import Any

from course import COURSE

import gambito
from gambito.game.registry import game_classes
from gambito.search.algorithm import COMMON, Option, algorithms
from gambito.words import LANGUAGES
from gambito.words.sentence import Sentence
from makers.frame import DOCS, Making, fence, maker

PACKAGE = Path(gambito.__file__).parent
MOST_OPTIONS = 8  # an algorithm with more lists them only on the page of all options
# Algorithms that are described on another algorithm's page.
PAGES = {
    "dual-star": "sss-star",
    "test": "null-window",
    **dict.fromkeys(("weighted-a-star", "greedy-best-first", "uniform-cost"), "a-star"),
    **dict.fromkeys(("breadth-first", "depth-first"), "a-star"),
    **dict.fromkeys(("star1", "star2"), "star"),
    "expectimax": "expectiminimax",
    **dict.fromkeys(("cfr+", "lcfr", "dcfr", "pcfr+"), "cfr"),
    **dict.fromkeys(("chance-sampling", "external-sampling", "outcome-sampling", "oos"), "cfr-sampling"),
    "fictitious-play": "best-response",
    **dict.fromkeys(("pimc", "alpha-mu"), "determinization"),
    "mp-mix": "max-n",
    "paranoid-engine": "paranoid",
    **dict.fromkeys(("best-reply-engine", "best-reply-plus", "best-reply-plus-engine"), "best-reply"),
}


def _function(place: str) -> Any:
    """Return a function or method of the package: `search.classic.pvs.pvs`, `games.nim.Nim.result`."""
    module, *names = place.rsplit(".", 2 if place.split(".")[-2][0].isupper() else 1)
    found: Any = importlib.import_module(f"gambito.{module}")
    for name in names:
        found = getattr(found, name)
    return getattr(found, "plain", found)


WIDE = 106  # letters of a line of a docstring


@maker
def contract(making: Making, place: str) -> str:
    """The contract of a search, from its docstring."""
    return fence(_docstring(making, _function(place)))


@maker
def source(making: Making, *places: str) -> str:
    """The source of functions: `search.classic.alpha_beta.alpha_beta`."""
    texts = [textwrap.dedent(inspect.getsource(_function(place))).rstrip() for place in places]
    return fence("\n\n\n".join(texts), "python")


@maker
def excerpt(making: Making, file: str, *words: str) -> str:
    """A whole statement of the source: the first one whose first line contains these words."""
    text = (PACKAGE / file).read_text(encoding="utf-8")
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt) and " ".join(words) in lines[node.lineno - 1]:
            assert node.end_lineno is not None
            return fence(textwrap.dedent("\n".join(lines[node.lineno - 1 : node.end_lineno])), "python")
    raise LookupError(f"no statement of {file} begins with a line that contains: {' '.join(words)}")


@maker
def rules(making: Making, module: str) -> str:
    """The docstring of a game's module."""
    found = importlib.import_module(f"gambito.games.{module}")
    return fence(_docstring(making, found))


def _docstring(making: Making, about: Any) -> str:
    """A docstring in the language of the page, paragraph by paragraph; what is set by hand stays set."""
    found = []
    for block in inspect.cleandoc(about.__doc__).split("\n\n"):
        is_set = block.startswith("    ") or ":  " in block
        told = making.say(block if is_set else " ".join(block.split()))
        if making.language == "en":
            told = block
        found.append(told if is_set or told == block else textwrap.fill(told, WIDE))
    return "\n\n".join(found)


@maker
def about(making: Making, *names: str) -> str:
    """The name, summary, source and options of algorithms."""
    lines = []
    for name in names:
        one = algorithms()[name]
        lines.append(f"**`{name}`**: {making.say(one.summary)}. {making.say('Source')}: {one.source}.\n")
        if len(one.options) > MOST_OPTIONS:
            told = Sentence(
                "{0} options, listed on [the page of all options](../options.md).", str(len(one.options))
            )
            lines.append(making.say(told))
            continue
        for option in one.options:
            told = f"{making.say(option.about)}; {_accepted(making, option)}"
            lines.append(f"- `{option.name}`: {told}, {making.say('by default')} `{_plain(option.default)}`")
        lines.append("")
    return "\n".join(lines)


@maker
def every_option(making: Making, folder: str) -> str:
    """The options of every algorithm that has its own, then those that all algorithms share."""
    known = {name: one.options for name, one in algorithms().items() if one.source and one.options}
    parts = []
    for name, options in {**known, "": COMMON}.items():
        title = f"### [{name}]({folder}{PAGES.get(name, name)}.md)" if name else ""
        rows = [
            [
                f"`{o.name}`",
                f"`{_plain(o.default)}`" if o.default != "" else "",
                _accepted(making, o),
                making.say(o.about),
            ]
            for o in options
        ]
        shared = making.say("Every algorithm that searches to a depth also accepts:")
        head = ["option", "default", "accepted", "about"]
        parts += [title or shared, making.table(head, rows).replace("--:", "---")]
    return "\n\n".join(parts)


def _accepted(making: Making, option: Option) -> str:
    return ", ".join(f"`{choice}`" for choice in option.choices) or making.say(option.range())


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@maker
def course(making: Making) -> str:
    """All pages in the order of the course, by their titles."""
    place = LANGUAGES.index(making.language)
    parts = []
    for names, pages in COURSE:
        links = [f"[{_title(making, page)}]({page}.md)" for page in pages if page != "index"]
        parts.append(f"**{names[place]}**: " + " · ".join(links))
    return "\n\n".join(parts)


def _title(making: Making, page: str) -> str:
    path = DOCS / making.language / f"{page}.md"
    return path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ") if path.exists() else page


@maker
def every_algorithm(making: Making, folder: str) -> str:
    """The list of algorithms with links to their pages."""
    rows = []
    for name, one in algorithms().items():
        if not one.source:  # added by these makers
            continue
        page = PAGES.get(name, name)
        assert (DOCS / "en" / "algorithms" / f"{page}.md").exists(), page
        rows.append([f"[{name}]({folder}{page}.md)", making.say(one.summary), one.source])
    return making.table(["algorithm", "in a sentence", "source"], rows).replace("--:", "---")


@maker
def every_game(making: Making, folder: str) -> str:
    """The list of games with links to their pages."""
    rows = []
    for name, kind in game_classes().items():
        assert (DOCS / "en" / "games" / f"{name}.md").exists(), name
        parameters = ", ".join(f"`{n}={v}`" for n, v in gambito.load(name).parameters().items())
        first = inspect.cleandoc(kind.__doc__ or "").splitlines()[0].rstrip(".")
        rows.append(
            [
                f"[{name}]({folder}{name}.md)",
                making.say(first + ".").rstrip("."),
                parameters or making.say("none"),
            ]
        )
    return making.table(["game", "in a sentence", "parameters"], rows).replace("--:", "---")
