"""The benchmarks: `python bench/run.py [NAME …]` runs all of them, or those named.

A benchmark is a module beside this one with a function `run`, which prints its results and returns its
requirements. Times are processor times, and requirements compare ratios measured in the same run. The exit
status is 1 if a requirement is missed.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import sys
from pathlib import Path

from report import Requirement

HERE = Path(__file__).parent


def benchmarks() -> dict[str, str]:
    """Return every benchmark by name, with the first line of its docstring."""
    found = {}
    for path in sorted(HERE.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        defines = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        if "run" in defines and path.stem != "run":
            found[path.stem] = (ast.get_docstring(tree) or path.stem).splitlines()[0]
    return found


def main() -> int:
    every = benchmarks()
    listed = "\n".join(f"  {name:<12}{about}" for name, about in every.items())
    parser = argparse.ArgumentParser(
        description="Measure Gambito beside its peers.",
        epilog=f"benchmarks:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="benchmarks to run; all of them by default")
    parser.add_argument(
        "--write", action="store_true", help="write the results into the pages that show them"
    )
    parser.add_argument(
        "--memory-seconds",
        nargs=2,
        type=float,
        default=(5.0, 60.0),
        metavar=("EARLY", "LATE"),
        help="seconds after which `memory` measures a long search (default: 5 and 60; in full: 60 and 600)",
    )
    args = parser.parse_args()
    unknown = [name for name in args.names if name not in every]
    if unknown:
        parser.error(f"unknown benchmark '{unknown[0]}'; accepted: {', '.join(every)}")

    required: list[Requirement] = []
    for name in args.names or every:
        print(f"== {name} ==\n\n{every[name]}\n", flush=True)
        found = importlib.import_module(name).run(args)
        print("".join(f"\n{requirement}" for requirement in found) + "\n", flush=True)
        required += found
    missed = [requirement for requirement in required if not requirement.is_met]
    print(f"{len(required) - len(missed)} of {len(required)} requirements met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
