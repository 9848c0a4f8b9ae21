"""The frame of the makers: fills the made blocks of a page, translates sentences, keeps pictures."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterable, Sequence
from html import escape, unescape
from pathlib import Path
from typing import Any

import gambito
from gambito.draw import draw_svg
from gambito.search.trace.record import Record
from gambito.words import speaking, translate
from gambito.words.sentence import Sentence
from gambito.words.writer import Writer, swapped
from makers.commas import with_commas

DOCS = Path(__file__).resolve().parent.parent
OWN = DOCS.parent / ".cache" / "pages"  # the code files that pages contain
MADE = re.compile(r"(<!-- made: (?P<call>[^>]*?) -->\n).*?(<!-- end -->)", re.DOTALL)
CODE = re.compile(r"<!-- file: (?P<name>\S+) -->\n```python\n(?P<text>.*?)```", re.DOTALL)
LEAST_LETTERS = 6  # a template with fewer letters would match too many sentences
_THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+")
_WRITTEN = re.compile(r"(<(?:text|tspan|title|desc)\b[^>]*>)([^<]+)(?=<)")

Maker = Callable[..., str]
MAKERS: dict[str, Maker] = {}


def maker(function: Maker) -> Maker:
    """Register a function that blocks may name, with hyphens for underscores."""
    MAKERS[function.__name__.replace("_", "-")] = function
    return function


class Making:
    """One run: the pages and pictures with their new content."""

    def __init__(self) -> None:
        self.files: dict[Path, str] = {}
        self.page = DOCS
        self.language = "en"
        self.code: dict[str, str] = {}
        self.unsaid: set[str] = set()  # sentences without a translation

    def fill(self, page: Path) -> None:
        """Fill in the made blocks of a page."""
        text = page.read_text(encoding="utf-8")
        self.page = page
        self.language = page.relative_to(DOCS).parts[0]
        self.code = {m["name"]: m["text"] for m in CODE.finditer(text)}
        self.files[page] = MADE.sub(self._block, text)

    def _block(self, found: re.Match[str]) -> str:
        word, *arguments = found["call"].split()
        made = MAKERS[word](self, *arguments)
        told = made.strip() if self.language == "en" else with_commas(made.strip())
        return f"{found[1]}\n{told}\n\n{found[3]}"

    def placed(self, name: str) -> Path:
        """Write a code file of the page to a fixed place, so that its machine code is found again."""
        OWN.mkdir(parents=True, exist_ok=True)
        (OWN / name).write_text(self.code[name], encoding="utf-8")
        return OWN / name

    def say(self, sentence: str) -> str:
        """Return the sentence in the page's language."""
        if self.language == "en" or not re.search("[A-Za-z]{2}", re.sub("`[^`]*`", "", sentence)):
            return sentence
        if isinstance(sentence, Sentence) and sentence.template in _templates(self.language):
            parts = (self._say_part(part) for part in sentence.parts)
            counted = [int(part) if str(part).isdecimal() else part for part in parts]
            return Writer(swapped).format(_templates(self.language)[sentence.template], *counted)
        known = _templates(self.language)
        if sentence in known:
            return known[sentence]
        said = translate(sentence, self.language)
        if said != sentence:
            return said
        for pattern, other in _patterns(self.language):
            found = pattern.fullmatch(sentence)
            if found:
                return other.format(*(self._say_part(part) for part in found.groups()))
        self.unsaid.add(sentence)
        return sentence

    def _say_part(self, part: str) -> str:
        """Translate a part of a sentence; a part without a translation, such as a name, stays as it is."""
        unsaid = set(self.unsaid)
        said = self.say(part)
        self.unsaid = unsaid
        return said

    def table(self, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
        """Return a table: the first column aligned left, the others right; the head is translated."""
        lines = ["| " + " | ".join(map(self.say, head)) + " |", "|---" + "|--:" * (len(head) - 1) + "|"]
        lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
        return "\n".join(lines)

    def number(self, value: float | int) -> str:
        """Return a number with the thousands separator of the language."""
        text = f"{value:,}"
        return text if self.language == "en" else text.replace(",", "\u202f")

    def add_picture(self, name: str, picture: str) -> str:
        """Add a picture in the page's language, and return its path relative to the page."""
        self.files[DOCS / self.language / "pictures" / f"{name}.svg"] = self.reworded(picture)
        up = "../" * (len(self.page.relative_to(DOCS).parts) - 2)
        return f"{up}pictures/{name}.svg"

    def draw(self, record: Record, name: str, says: str) -> str:
        """Add the picture of a recorded search, and return its Markdown."""
        with speaking(self.language):
            picture = draw_svg(record)
        path = self.add_picture(name, picture)
        return f"![{self.say(says)}]({path})"

    def reworded(self, picture: str) -> str:
        """Return a picture with its words in the page's language."""
        if self.language == "en":
            return picture
        return _WRITTEN.sub(lambda m: m[1] + escape(_swapped(unescape(m[2]), self.language)), picture)


def _swapped(words: str, language: str) -> str:
    if words.startswith(('[{"', '{"')):  # a tree is typed with the same words in every language
        return words
    if _THOUSANDS.fullmatch(words):
        return words.replace(",", "\u202f")
    for english, other in _swaps(language):
        words = words.replace(english, other)
    return words


@functools.cache
def _swaps(language: str) -> list[tuple[str, str]]:
    """The words of pictures and their translations, longer ones first."""
    return json.loads((DOCS / "words" / "pictures" / f"{language}.json").read_text(encoding="utf-8"))


def fence(text: str, language: str = "text") -> str:
    return f"```{language}\n{text.rstrip()}\n```"


@functools.cache
def _templates(language: str) -> dict[str, str]:
    """The sentences of the pages and of recorded searches, with {0}, {1} … for their parts."""
    web = Path(gambito.__file__).parent / "web" / "page" / "words" / f"{language}.json"
    files = [web, *sorted((DOCS / "words" / language).glob("*.json"))]
    return {t: other for path in files for t, other in json.loads(path.read_text(encoding="utf-8")).items()}


@functools.cache
def _patterns(language: str) -> list[tuple[re.Pattern[str], str]]:
    """The templates with parts as regular expressions, longer ones first."""
    holed = [
        (template, other)
        for template, other in _templates(language).items()
        if sum(map(str.isalpha, template)) >= LEAST_LETTERS
        and (holes := re.findall(r"\{(\d)\}", template)) == sorted(set(holes)) != []
    ]
    holed.sort(key=lambda pair: -len(pair[0]))
    return [
        (re.compile(re.sub(r"\\\{\d\\\}", "(.+?)", re.escape(t)), re.DOTALL), other) for t, other in holed
    ]
