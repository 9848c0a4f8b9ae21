"""Makes what the pages show and nobody should type: numbers, boards, contracts and pictures of searches.

`python docs/make.py` runs the searches and fills in every page under docs/; `--check` does the same, changes
nothing, and fails where a page or a picture is not what it would be, or a sentence has no translation.
Names of pages (`docs/en/algorithms/minimax.md`) choose those alone. Everything made is the same on every
machine; times are in bench/.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from makers.frame import DOCS, Making
from makers.searches import ELSEWHERE, add_null_window, check_relied_on, trace

from gambito.draw import draw_svg
from gambito.words import LANGUAGES

# Pictures that are measured by bench/, not made here but for their language.
MEASURED = ("mcts-connect-four", "mcts-convergence", "ordering", "othello-fit")


def run(making: Making, pages: list[Path]) -> None:
    for page in pages:
        making.fill(page)
    making.language = "en"
    for name, (algorithm, tree) in ELSEWHERE.items():
        making.add_picture(name, draw_svg(trace(algorithm, tree)))
    for name in MEASURED:
        picture = (DOCS / "en" / "pictures" / f"{name}.svg").read_text(encoding="utf-8")
        for making.language in LANGUAGES:
            making.add_picture(name, picture)


def main() -> int:
    parser = argparse.ArgumentParser(description="Make what the pages under docs/ show.")
    parser.add_argument("pages", nargs="*", type=Path, help="these alone; all by default")
    parser.add_argument("--check", action="store_true", help="change nothing; fail where something differs")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GAMBITO_TABLES"] = folder  # searches would ask the endgame tables that somebody has
        return make(args.pages, args.check)


def make(pages: list[Path], is_check: bool) -> int:
    """Fill in these pages, or all; returns the exit status."""
    add_null_window()
    check_relied_on()
    every = sorted(page for language in LANGUAGES for page in (DOCS / language).rglob("*.md"))
    making = Making()
    run(making, [page.resolve() for page in pages] or every)
    changed = [
        p for p, text in making.files.items() if not p.exists() or p.read_text(encoding="utf-8") != text
    ]
    pictures = [] if pages else sorted(DOCS.rglob("pictures/*.svg"))
    unused = [p for p in pictures if p not in making.files]
    for path in sorted(changed):
        print(f"{'differs' if is_check else 'written'}: {path.relative_to(DOCS)}")
        if not is_check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(making.files[path], encoding="utf-8")
    for path in unused:
        print(f"not made here: {path.relative_to(DOCS)}")
    for sentence in sorted(making.unsaid):
        print(f"not translated: {sentence}")
    return 1 if is_check and (changed or unused or making.unsaid) else 0


if __name__ == "__main__":
    sys.exit(main())
