"""Generate the parts of the pages that come from the program: numbers, boards, contracts and pictures.

`python docs/make.py` runs the searches and fills in every page under docs/. With `--check` it writes nothing,
and fails if a page or a picture is out of date, or if a sentence has no translation. If pages are named
(`docs/en/algorithms/minimax.md`), only these are made. The results are the same on every machine; times are
measured in bench/.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from makers.frame import DOCS, Making
from makers.searches import ELSEWHERE, check_relied_on, trace
from own_folders import use_own_folders

from gambito.draw import draw_svg
from gambito.words import LANGUAGES

# Pictures drawn by bench/; only their translation is made here.
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
    parser = argparse.ArgumentParser(description="Generate the made parts of the pages under docs/.")
    parser.add_argument("pages", nargs="*", type=Path, help="pages to make (default: all)")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if anything is stale")
    args = parser.parse_args()
    use_own_folders()
    return make(args.pages, args.check)


def make(pages: list[Path], is_check: bool) -> int:
    """Fill in these pages, or all of them, and return the exit status."""
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
