"""Steps in place of still pictures: on the site, the picture of a recorded search can be stepped through.

A page of the sources shows a picture, which every reader of Markdown can see. When the site is built, the
search behind the picture is recorded again and its page of steps (`gambito trace --format html`) takes the
picture's place. Without scripts the picture stays.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

from makers.frame import Making
from makers.searches import options, trace

from gambito.draw import draw_html
from gambito.words import speaking

PICTURE = re.compile(
    r"<!-- made: picture (?P<call>[^>]*?) -->\n\n"
    r"!\[(?P<says>[^\]]*)\]\((?P<path>[^)]*/)(?P<name>[^)/]*)\.svg\)"
)
HEADER = re.compile(r"<header>.*?</header>\n", re.DOTALL)  # the page around it tells the same
NARROW = "#pane svg { max-width: 100%; height: auto; }\n"  # a wide tree fits the frame
FOLDER = "steps"


def step_through(language: str, pages: Path) -> int:
    """Replace the pictures of searches in all pages of a language; return how many have become steps."""
    making, made = Making(), set[str]()
    making.language = language
    (pages / FOLDER).mkdir()

    def replaced(found: re.Match[str]) -> str:
        name = found["name"]
        if name not in made:
            (pages / FOLDER / f"{name}.html").write_text(_page(making, found["call"]), encoding="utf-8")
            made.add(name)
        up = found["path"].removesuffix("pictures/")
        title = escape(found["says"])
        still = f'<img src="{found["path"]}{name}.svg" alt="{title}">'
        frame = f'<iframe src="{up}{FOLDER}/{name}.html" title="{title}" loading="lazy"></iframe>'
        return f'<div class="steps">{frame}<noscript>{still}</noscript></div>'

    for page in sorted(pages.rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        changed = PICTURE.sub(replaced, text)
        if changed != text:
            page.write_text(changed, encoding="utf-8")
    return len(made)


def _page(making: Making, call: str) -> str:
    """The page of steps of a recorded search, in the language of the site."""
    algorithm, tree, *words = call.split()
    with speaking(making.language):
        html = HEADER.sub("", draw_html(trace(algorithm, tree, **options(words))))
    return html.replace("</style>", f"{NARROW}</style>", 1)
