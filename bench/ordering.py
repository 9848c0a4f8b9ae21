"""Move ordering: the leaves that each search values on uniform trees, in random and in the best order.

Alpha-beta's best case is known exactly (Knuth & Moore 1975), its average on random trees in the limit (Pearl
1982). All counts are those of real searches; they do not depend on the machine. `--write` puts them into the
pages ordering.md, with their picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log
from statistics import fmean
from typing import Any

from report import Requirement, markdown_table, text_table, write_picture, write_section

import gambito
from gambito.draw.chart import Line, draw_chart
from gambito.games.uniform_tree import State, UniformTree
from gambito.native import mix

ALGORITHMS = ("minimax", "alpha-beta", "scout", "pvs", "mtd-f")
TREES = {4: range(2, 11), 8: range(2, 8)}  # branching -> depths, for all algorithms
MORE = {2: range(4, 17), 4: range(4, 11), 8: range(4, 8), 16: range(4, 7)}  # only for alpha-beta
SEEDS = 40  # random trees of each size
FITTED_FROM = 4  # plies: shallower trees are not yet on the straight line
FULL = 20  # plies of the game; a tree of d plies hangs at ply FULL - d, so that all share their machine code
TABLE = 16  # MiB: several places for every inner node of the largest tree

Counts = dict[tuple[int, str, str], dict[int, float]]  # (branching, order, algorithm) -> depth -> leaves


def knuth_moore(branching: int, depth: int) -> int:
    """Return the leaves of the critical tree, which every search must value to prove the value."""
    return branching ** ceil(depth / 2) + branching ** floor(depth / 2) - 1


def pearl_exponent(branching: int) -> float:
    """Return the limit of the exponent of alpha-beta on random trees, to the base of the branching."""
    low, high = 0.0, 1.0
    for _ in range(100):
        xi = (low + high) / 2
        low, high = (xi, high) if xi**branching + xi < 1 else (low, xi)
    return log(low / (1 - low)) / log(branching)


def exponent(branching: int, counts: dict[int, float]) -> float:
    """Return the slope of log(leaves) over depth, to the base of the branching: leaves ~ b^(slope * d)."""
    points = [(d, log(n) / log(branching)) for d, n in counts.items() if d >= FITTED_FROM]
    mean_x, mean_y = fmean(x for x, _ in points), fmean(y for _, y in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)


def leaves(branching: int, order: str, algorithm: str, depths: Sequence[int]) -> dict[int, float]:
    """Return the mean number of leaves valued at each depth, over the random trees."""
    game = UniformTree(branching, FULL, order=order)
    options = {"memory": TABLE} if algorithm == "mtd-f" else {}
    seeds = range(1 if order == "best" or algorithm == "minimax" else SEEDS)
    counts = {}
    for depth in depths:
        roots = [State(mix((seed, branching)), FULL - depth, 0) for seed in seeds]
        found = [gambito.search(game, r, algorithm=algorithm, depth=depth, **options) for r in roots]
        counts[depth] = fmean(f.evaluations for f in found)
    return counts


def run(args: Any) -> list[Requirement]:
    counts: Counts = {}
    for branching, depths in TREES.items():
        for order in ("random", "best"):
            for algorithm in ALGORITHMS:
                counts[branching, order, algorithm] = leaves(branching, order, algorithm, depths)
            print(f"{branching} actions, {order} order: leaves valued\n")
            print(text_table(*_leaf_table(counts, branching, order)) + "\n", flush=True)
    head = ["actions", "depths fitted", "exponent", "limit (Pearl)"]
    rows = []
    for b, depths in MORE.items():
        fitted = exponent(b, leaves(b, "random", "alpha-beta", depths))
        rows.append([b, f"{depths[0]}–{depths[-1]}", f"{fitted:.3f}", f"{pearl_exponent(b):.3f}"])
    print("alpha-beta, random order: leaves grow as b^(exponent × depth)\n")
    print(text_table(head, rows))
    if args.write:
        _write(counts, markdown_table(head, rows))
    best = [(b, counts[b, "best", "alpha-beta"]) for b in TREES]
    off = sum(abs(n - knuth_moore(b, d)) for b, by_depth in best for d, n in by_depth.items())
    return [Requirement("leaves off Knuth & Moore's best case, in all", off, most=0)]


def _leaf_table(counts: Counts, branching: int, order: str) -> tuple[list[str], list[list[str]]]:
    depths = TREES[branching]
    rows = []
    for name in ALGORITHMS:
        by_depth = counts[branching, order, name]
        rows.append([name, *(f"{by_depth[d]:,.0f}" for d in depths), f"{exponent(branching, by_depth):.3f}"])
    if order == "best":
        rows.append(["Knuth & Moore", *(f"{knuth_moore(branching, d):,}" for d in depths), ""])
    return ["depth", *map(str, depths), "exponent"], rows


# ---- the page -----------------------------------------------------------------------------------------


def _write(counts: Counts, slopes: str) -> None:
    _check_best_case(counts)
    write_section("exponents", slopes, "ordering.md")
    compared = "\n".join(f"- {_compare(counts, name)}" for name in ("scout", "pvs", "mtd-f"))
    write_section("compared", compared, "ordering.md")
    tables = "\n\n".join(
        f"### {b} actions, {order} order\n\n{markdown_table(*_leaf_table(counts, b, order))}"
        for b in TREES
        for order in ("random", "best")
    )
    write_section("counts", tables, "ordering.md")
    write_picture("ordering.svg", _picture(counts))


def _check_best_case(counts: Counts) -> None:
    """Check the page: in the best order, Scout and PVS equal alpha-beta, and MTD(f) values one leaf more."""
    for b, depths in TREES.items():
        for name, extra in (("scout", 0), ("pvs", 0), ("mtd-f", 1)):
            for depth in depths:
                assert counts[b, "best", name][depth] == counts[b, "best", "alpha-beta"][depth] + extra, name


def _compare(counts: Counts, name: str) -> str:
    """Compare a search with alpha-beta on random order, in one sentence of measured numbers."""
    plain = {(b, d): n for b in TREES for d, n in counts[b, "random", "alpha-beta"].items()}
    more = {(b, d): counts[b, "random", name][d] / n - 1 for (b, d), n in plain.items()}
    loses = sum(m > 0 for m in more.values())
    if name in ("scout", "pvs"):  # check the claims of the page
        assert loses == len(more)
    told = []
    for b, depths in TREES.items():
        excess = more[b, depths[-1]]
        word = "more" if excess > 0 else "fewer"
        told.append(f"{abs(excess):.0%} {word} at {b} actions and depth {depths[-1]}")
    return f"**{name}** values more leaves on {loses} of the {len(more)} sizes: {', '.join(told)}."


def _picture(counts: Counts) -> str:
    b = min(TREES)
    lines = []
    for place, name in enumerate(ALGORITHMS):
        lines.append(Line(name, list(counts[b, "random", name].items()), colour=place))
    best = list(counts[b, "best", "alpha-beta"].items())
    lines.append(Line("alpha-beta, best order", best, colour=1, dashed=True))
    return draw_chart(
        "Leaves valued on uniform trees",
        f"{b} actions in every state; random order, mean of {SEEDS} trees, unless said otherwise",
        "depth in plies",
        "leaves",
        lines,
    )
