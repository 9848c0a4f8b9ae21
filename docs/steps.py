"""Steps in place of still pictures: on the site, the picture of a recorded search can be stepped through.

A page of the sources shows a picture, which every reader of Markdown can see. When the site is built, the
search behind the picture is recorded again and its page of steps (`gambito trace --format html`) takes the
picture's place. Without scripts the picture stays.
"""

from __future__ import annotations

import functools
import json
import re
from html import escape
from pathlib import Path

from makers.frame import DOCS, Making
from makers.searches import options, trace

from gambito.draw import draw_html

PICTURE = re.compile(
    r"<!-- made: picture (?P<call>[^>]*?) -->\n\n"
    r"!\[(?P<says>[^\]]*)\]\((?P<path>[^)]*/)(?P<name>[^)/]*)\.svg\)"
)
DATA = re.compile(r'(<script type="application/json" id="record">)(.*?)(</script>)', re.DOTALL)
HEADER = re.compile(r"<header>.*?</header>\n", re.DOTALL)  # the page around it tells the same
NARROW = "#pane svg { max-width: 100%; height: auto; }\n"  # a wide tree fits the frame
TEXTS = ("name", "reason", "caption")  # of the nodes, what a reader sees
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
    html = HEADER.sub("", draw_html(making.retold(trace(algorithm, tree, **options(words)))))
    html = html.replace("</style>", f"{NARROW}</style>", 1)
    if making.language == "en":
        return html
    found = DATA.search(html)
    assert found is not None
    head, data, tail = found.groups()
    held = json.loads(data)
    for item in held["items"]:
        item.update({name: making.reword(item[name]) for name in TEXTS if isinstance(item.get(name), str)})
    before, after = html[: found.start()], html[found.end() :]
    embedded = json.dumps(held, ensure_ascii=False).replace("<", "\\u003c")
    return _said(making, making.reworded(before)) + head + embedded + tail + _said(making, after)


def _said(making: Making, text: str) -> str:
    for english, other in _words(making.language):
        text = text.replace(english, other)
    return text


@functools.cache
def _words(language: str) -> list[tuple[str, str]]:
    return json.loads((DOCS / "words" / "steps" / f"{language}.json").read_text(encoding="utf-8"))
