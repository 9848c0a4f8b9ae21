"""The Spanish pages are Spanish: numbers, boards, the output of commands, and one word for each thing."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, pages

CODE = re.compile(
    r"```python.*?```|`[^`\n]*`|<!--.*?-->|\]\([^)]*\)|\([^()]*\*[^()]*\)|https?://\S+", re.DOTALL
)
ENGLISH = re.compile(
    r"\b(to move|Usage:|Options:|Commands:|Show this message|is mated|conclusions)\b|^value  ", re.M
)
OTHERS = {  # words that mean the same, and the one that these pages use
    "quietud": "quiescencia", "rompecabezas": "puzle", "jugada nula": "movimiento nulo", "usted": "tú",
    "línea principal": "variante principal", "tabla de transposiciones": "tabla de transposición",
    "Monte Carlo dice": "Montecarlo", "por defecto": "por omisión",
}  # fmt: skip


def commas(text: str) -> str:
    spec = importlib.util.spec_from_file_location("commas", DOCS / "makers" / "commas.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made.with_commas(text)


def short(page: Path) -> str:
    return str(page.relative_to(DOCS))


@pytest.mark.parametrize("page", pages("es"), ids=short)
def test_a_page_is_spanish(page):
    text = page.read_text(encoding="utf-8")
    if page.name != "lectures.md":  # whose lectures have numbers such as 3.2
        assert commas(text) == text
    plain = CODE.sub(" ", text)
    assert not ENGLISH.search(plain), ENGLISH.search(plain)
    if page.name != "glossary.md":
        assert [word for word in OTHERS if re.search(rf"\b{word}\b", plain)] == []
