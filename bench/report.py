"""The reports of benchmarks: text tables, and requirements that are met or missed."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent.parent / "docs"


@dataclass(frozen=True)
class Requirement:
    """A bound that a measured number must satisfy."""

    what: str
    measured: float
    least: float | None = None
    most: float | None = None
    unit: str = ""

    @property
    def is_met(self) -> bool:
        above = self.least is None or self.measured >= self.least
        return above and (self.most is None or self.measured <= self.most)

    def __str__(self) -> str:
        bound = f"at least {_short(self.least)}" if self.least is not None else f"at most {_short(self.most)}"
        verdict = "met" if self.is_met else "MISSED"
        unit = f" {self.unit}" if self.unit else ""
        return f"{verdict:<6}  {self.what}: {_short(self.measured)}{unit} (required: {bound}{unit})"


def _short(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"


def text_table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table for a terminal, with the first column aligned left and the others right."""
    cells = [list(map(str, row)) for row in (head, *rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    lines = []
    for row in cells:
        rest = [word.rjust(width) for word, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join([row[0].ljust(widths[0]), *rest]).rstrip())
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table for a Markdown page."""
    lines = ["| " + " | ".join(head) + " |", "|---" + "|--:" * (len(head) - 1) + "|"]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines)


def write_section(name: str, text: str, page: str = "monte-carlo.md") -> None:
    """Write results into a page, in each language that has it, between the marks of that name."""
    for language in ("en", "es"):
        path = DOCS / language / page
        if not path.exists():
            continue
        before, _, rest = path.read_text(encoding="utf-8").partition(f"<!-- measured: {name} -->\n")
        after = rest.partition("<!-- end -->")[2]
        said = text.strip() if language == "en" else _in_language(text.strip(), language)
        whole = f"{before}<!-- measured: {name} -->\n\n{said}\n\n<!-- end -->{after}"
        path.write_text(whole, encoding="utf-8")
        print(f"\nwritten: docs/{language}/{page}, {name}")


def _in_language(text: str, language: str) -> str:
    """Translate tables cell by cell and other lines as sentences, with the catalogues of the docs."""
    sys.path.append(str(DOCS))
    from makers.frame import Making

    making = Making()
    making.language = language
    lines = []
    for line in text.splitlines():
        parts = line.split("|") if line.startswith("|") else [line]
        said = [_spaced(part, making.say(part.strip())) for part in parts]
        lines.append(re.sub(r"(?<=\d),(?=\d{3}\b)", "\u202f", "|".join(said)))
    for sentence in sorted(making.unsaid):
        print(f"not translated: {sentence}")
    return "\n".join(lines)


def _spaced(part: str, said: str) -> str:
    """Return the translation with the spaces around the original part."""
    return part.replace(part.strip(), said) if part.strip() else part


def write_picture(name: str, picture: str) -> None:
    """Write a picture beside the pages. `docs/make.py` translates it into the other languages."""
    (DOCS / "en" / "pictures" / name).write_text(picture, encoding="utf-8")
