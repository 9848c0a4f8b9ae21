"""The page of the five lectures: each slide with its link to the page, its command, lesson and picture."""

from __future__ import annotations

import functools
import shlex
import tomllib
from typing import Any
from urllib.parse import quote

from makers.frame import DOCS, Making, maker

ADDRESS = "http://127.0.0.1:8700/"  # of `gambito serve`
KEPT = "~,:/=>"  # marks that stand in an address as they are


@functools.cache
def lectures() -> list[dict[str, Any]]:
    """The lectures; a slide has `link`, the values of an address, and `command`, if there are such."""
    found = tomllib.loads((DOCS / "lectures.toml").read_text(encoding="utf-8"))
    for lecture in found["lecture"]:
        for slide in lecture["slide"]:
            if "tree" in slide:
                more = {name: slide[name] for name in ("depth", "a", "b", "boxes") if name in slide}
                slide["link"] = {"game": "tree", "start": found["trees"][slide["tree"]], **more}
                slide.setdefault("command", _command(slide["link"]))
    return found["lecture"]  # type: ignore[no-any-return]


def _command(link: dict[str, Any]) -> str:
    """The command that draws the tree of a link."""
    algorithm, _, options = link["a"].partition(":")
    words = ["gambito", "trace", "tree", "--position", link["start"], "--algorithm", algorithm]
    words += ["--depth", str(link["depth"])] if "depth" in link else []
    words += ["--boxes"] if "boxes" in link else []
    return shlex.join([*words, *(word for one in options.split(",") if one for word in ("--option", one))])


def address(link: dict[str, Any]) -> str:
    """The address of the web page with these values; `page` names another page than Watch."""
    values = {name: value for name, value in link.items() if name != "page"}
    query = "&".join(f"{name}={quote(str(value), safe=KEPT)}" for name, value in values.items())
    return f"{ADDRESS}#/{link.get('page', 'watch')}?{query}"


@maker
def slides(making: Making, name: str) -> str:
    """The slides of a lecture, in order."""
    (lecture,) = (one for one in lectures() if one["name"] == name)
    rows = []
    for number, slide in enumerate(lecture["slide"], 1):
        section = f"#{slide['section'][making.language]}" if "section" in slide else ""
        link = f"[{making.say('open')}]({address(slide['link'])})" if "link" in slide else ""
        picture = f"[{making.say('picture')}](pictures/{slide['picture']}.svg)" if "picture" in slide else ""
        lesson = f"[{making.say('lesson')}]({slide['page']}.md{section})"
        rows.append([number, slide[making.language], link, lesson, picture, f"`{slide['command']}`"])
    head = ["", "slide", "on the page", "lesson", "picture", "in a terminal"]
    return making.table(head, rows).replace("--:", "---")
