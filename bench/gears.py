"""The gears: alpha-beta on Connect Four, compiled and interpreted, beside easyAI and a program by hand.

All search the same position. The compiled search and the slow ones are compared at one depth. The compiled
search and the one by hand visit the same nodes and find the same value and line.
"""

from __future__ import annotations

from typing import Any

import by_hand
import easyai_game
from report import Requirement, text_table
from timing import race

import gambito
from gambito.game.gears import gears
from gambito.search.classic.alpha_beta import alpha_beta
from gambito.search.monitor import EVALUATIONS, NODES, Monitor, new_monitor

POSITION = "4444"
SLOW_DEPTH = 8  # compiled, interpreted and easyAI
HAND_DEPTH = 12  # compiled and by hand
REPEATS = 20  # of the compiled search, because a single one is too short to measure


class Gambito:
    """Call the search in one gear directly, without the thread and clock of the public interface."""

    def __init__(self, gear: str, depth: int) -> None:
        rules = gambito.load("connect-four")
        both = gears(rules)
        self.game, self.gear, self.depth = both.in_gear(gear), gear, depth
        self.state = both.cast(rules.parse(POSITION))
        self.infinity = rules.infinity

    def __call__(self) -> tuple[int, int, int, list[int]]:
        monitor = new_monitor(Monitor, self.gear, self.depth)
        monitor.start(self.depth, [])
        value = alpha_beta(self.game, self.state, self.depth, -self.infinity, self.infinity, monitor)
        return int(value), int(monitor.data[NODES]), int(monitor.data[EVALUATIONS]), monitor.line(self.depth)


def search_by_hand(depth: int, state: Any) -> tuple[int, int, int, list[int]]:
    data = by_hand.new_memory()
    value = by_hand.search(state.mine, state.mask, state.stones, depth, data)
    counts = int(data[by_hand.NODES]), int(data[by_hand.EVALUATIONS])
    return int(value), *counts, by_hand.line(data, depth)


def run(args: Any) -> list[Requirement]:
    print(f"alpha-beta on connect-four, position {POSITION}\n")
    slow, slow_rows = _against_the_slow()
    hand, hand_rows = _against_the_hand()
    head = ["", "depth", "nodes", "CPU s", "nodes/s", "rate to native"]
    print(text_table(head, slow_rows + hand_rows))
    return [
        Requirement("native gear over Python gear, nodes/s", slow["python"], least=150),
        Requirement("native gear over easyAI, nodes/s", slow["easyAI"], least=1000),
        Requirement("native gear over the search by hand, speed", hand, least=0.9),
    ]


def _against_the_slow() -> tuple[dict[str, float], list[list[Any]]]:
    """Return the speed of the native gear relative to the Python gear and easyAI, and the rows to print."""
    native, python = Gambito("native", SLOW_DEPTH), Gambito("python", SLOW_DEPTH)
    visited: dict[str, int] = {}

    def native_often() -> None:
        found = [native() for _ in range(REPEATS)]
        visited["native"] = sum(nodes for _, nodes, _, _ in found)

    def python_once() -> None:
        found = python()
        assert found == native(), "the gears disagree"
        visited["python"] = found[1]

    def easyai_once() -> None:
        visited["easyAI"] = easyai_game.search(POSITION, SLOW_DEPTH)

    took = race({"native": native_often, "python": python_once, "easyAI": easyai_once}, rounds=2)
    rate = {name: visited[name] / took[name] for name in took}
    faster = {name: rate["native"] / rate[name] for name in took}
    labels = {"native": "Gambito, native gear", "python": "Gambito, Python gear", "easyAI": "easyAI, Negamax"}
    rows = [_row(labels[n], SLOW_DEPTH, visited[n], took[n], f"1/{faster[n]:,.0f}") for n in took]
    return faster, rows


def _against_the_hand() -> tuple[float, list[list[Any]]]:
    """Return the speed of the native gear relative to the search by hand, and the rows to print."""
    native = Gambito("native", HAND_DEPTH)
    found = native()
    assert found == search_by_hand(HAND_DEPTH, native.state), "not the same work"
    took = race({"native": native, "hand": lambda: search_by_hand(HAND_DEPTH, native.state)}, rounds=200)
    speed = took["hand"] / took["native"]
    rows = [
        _row("Gambito, native gear", HAND_DEPTH, found[1], took["native"], "1"),
        _row("by hand, in Numba", HAND_DEPTH, found[1], took["hand"], f"{1 / speed:.2f}"),
    ]
    return speed, rows


def _row(label: str, depth: int, nodes: int, took: float, ratio: str) -> list[Any]:
    return [label, depth, f"{nodes:,}", f"{took:.4f}", f"{nodes / took:,.0f}", ratio]
