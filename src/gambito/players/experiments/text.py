"""The results of experiments as text: a summary of the searches, or the cross-table of a tournament."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gambito.players.experiments.tournament import Tournament
from gambito.search.summary import duration
from gambito.words import digits, say

HEAD = ("game", "limit", "algorithm", "searches", "nodes", "", "leaves", "time", "", "depth")
LIMITS = (("depth_limit", "depth {}"), ("node_limit", "{} nodes"), ("second_limit", "{} s"))


def summary(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows that differ only in position, seed and repetition, taken together: sums, and the mean depth.

    A ratio compares with the first algorithm of the same game and limits.
    """
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        key = (row["game"], *(row[name] for name, _ in LIMITS), row["algorithm"], row["options"])
        groups.setdefault(key, []).append(row)
    first: dict[tuple[Any, ...], dict[str, Any]] = {}
    found = []
    for key, held in groups.items():
        told = dict(zip(("game", *(name for name, _ in LIMITS), "algorithm", "options"), key, strict=True))
        told |= {name: sum(row[name] for row in held) for name in ("nodes", "leaves", "seconds")}
        told |= {"searches": len(held), "mean_depth": sum(row["depth"] for row in held) / len(held)}
        base = first.setdefault(key[: 1 + len(LIMITS)], told)
        told["node_ratio"] = told["nodes"] / base["nodes"] if base["nodes"] else None
        told["time_ratio"] = told["seconds"] / base["seconds"] if base["seconds"] else None
        found.append(told)
    return found


def summary_text(rows: Sequence[dict[str, Any]]) -> str:
    """The summary as lines in columns."""
    lines = [tuple(say(word) for word in HEAD)]
    for told in summary(rows):
        limit = ", ".join(say(text, told[name]) for name, text in LIMITS if told[name] is not None)
        lines.append(
            (
                told["game"],
                limit or say("usual"),
                named(told),
                digits(f"{told['searches']:,}"),
                digits(f"{told['nodes']:,}"),
                _ratio(told["node_ratio"]),
                digits(f"{told['leaves']:,}"),
                duration(told["seconds"]),
                _ratio(told["time_ratio"]),
                digits(f"{told['mean_depth']:.3g}"),
            )
        )
    return columns(lines, left=3)


def named(told: dict[str, Any]) -> str:
    """An algorithm with all its options."""
    own, more = told["algorithm"], told["options"]
    return own if not more else f"{own}{',' if ':' in own else ':'}{more}"


def cross_table(tournament: Tournament) -> str:
    """The cross-table of a tournament: a line for each player, the strongest first."""
    order, ratings = tournament.order(), tournament.ratings()
    width = len(str(len(order)))
    head = ("", say("player"), "Elo", "±", say("points"), say("games"))
    lines = [(*head, *(f"{n:>{width}}" for n in range(1, len(order) + 1)))]
    for place, who in enumerate(order, 1):
        met = [tournament.points(who, other) for other in order]
        points, games = tournament.total(who)
        cells = ["×" if other == who else _points(each) for other, each in zip(order, met, strict=True)]
        rated = ratings[who]
        player = tournament.plan.players[who]
        elo = f"{round(rated.elo):+d}"
        lines.append(
            (str(place), player, elo, f"{rated.error:.0f}", digits(f"{points:g}"), f"{games:g}", *cells)
        )
    return columns(lines, left=2)


def _points(met: tuple[float, int] | None) -> str:
    return "" if met is None else digits(f"{met[0]:g}")


def _ratio(ratio: float | None) -> str:
    return "" if ratio is None else digits(f"{ratio:.2f} ×")


def columns(lines: Sequence[Sequence[str]], left: int) -> str:
    """Lines of cells as columns; the first `left` of them are aligned left, the others right."""
    widths = [max(len(line[place]) for line in lines) for place in range(len(lines[0]))]
    told = []
    for line in lines:
        cells = (
            f"{cell:<{width}}" if place < left else f"{cell:>{width}}"
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        told.append("  ".join(cells).rstrip())
    return "\n".join(told)
