"""The page of the five lectures: each slide with its link to the page, its command, lesson and picture."""

from __future__ import annotations

import functools
import shlex
import tomllib
from typing import Any
from urllib.parse import quote

import gambito
from gambito.draw import draw_svg
from gambito.draw.position import draw_position
from gambito.words import speaking
from makers.frame import DOCS, Making, maker

ADDRESS = "http://127.0.0.1:8700/"  # of `gambito serve`
KEPT = "~,:/=>"  # marks that stand in an address as they are
OWN = "slide-"  # how the name of a slide's own picture begins


@functools.cache
def lectures() -> list[dict[str, Any]]:
    """The lectures; every slide has `link`, the values of an address, `command`, and `picture`, a name.

    A picture that no lesson has is drawn for the slide: its `board`, or the search of `draw` or of the link.
    """
    found = tomllib.loads((DOCS / "lectures.toml").read_text(encoding="utf-8"))
    for lecture in found["lecture"]:
        for number, slide in enumerate(lecture["slide"], 1):
            if "tree" in slide:
                more = {name: slide[name] for name in ("depth", "a", "b", "boxes") if name in slide}
                slide["link"] = {"game": "tree", "start": found["trees"][slide["tree"]], **more}
                slide.setdefault("command", _command(slide["link"]))
            slide.setdefault("picture", f"{OWN}{lecture['name'].lower().replace('.', '-')}-{number}")
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


def _drawn(making: Making, slide: dict[str, Any]) -> str:
    """The picture of a slide: its board, or its search."""
    given = slide.get("draw", slide["link"])
    if "board" in slide:
        rules = gambito.load(given["game"])
        picture = draw_position(rules, rules.parse(given["start"]))
        assert picture is not None
        return picture
    algorithm, _, options = given["a"].partition(":")
    words = dict(one.split("=", 1) for one in options.split(",") if one)
    record = gambito.trace(given["game"], given.get("start"), algorithm, depth=given.get("depth"), **words)
    with speaking(making.language):
        return draw_svg(record)


@maker
def slides(making: Making, name: str) -> str:
    """The slides of a lecture, in order."""
    (lecture,) = (one for one in lectures() if one["name"] == name)
    rows = []
    for number, slide in enumerate(lecture["slide"], 1):
        section = f"#{slide['section'][making.language]}" if "section" in slide else ""
        if slide["picture"].startswith(OWN):
            making.add_picture(slide["picture"], _drawn(making, slide))
        link = f"[{making.say('open')}]({address(slide['link'])})"
        picture = f"[{making.say('picture')}](pictures/{slide['picture']}.svg)"
        lesson = f"[{making.say('lesson')}]({slide['page']}.md{section})"
        rows.append([number, slide[making.language], link, lesson, picture, f"`{slide['command']}`"])
    head = ["", "slide", "on the page", "lesson", "picture", "in a terminal"]
    return making.table(head, rows).replace("--:", "---")
