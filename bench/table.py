"""The transposition table: the effect of each replacement policy, the replaced entries, and equal keys.

It runs searches that need more memory than they get, with tables of several sizes. A store is counted as a
replacement if it removes another position from the bucket. The sets of Connect Four are in GAMBITO_DATA. Keys
are compared over all positions of Othello within a few plies. The output is the same on every machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from connect_four import read_set
from othello import MIDDLE_GAME
from report import Requirement, text_table

import gambito
from gambito.game.gears import gears
from gambito.memory.table import POLICIES, TranspositionTable, new_table
from gambito.native import Handle, native, uint64
from gambito.search.engine.session import TABLE

SIZES = (1, 2, 4, 16)  # MiB
STORED, THROWN, PART = 0, 1, 2  # what is counted, for the far part and then for the near one
OTHELLO_DEPTH = 10
PLIES, ROOM = 9, 1 << 22  # the positions whose keys are compared


class Counted(TranspositionTable):
    """A table that counts stored and replaced entries."""

    arrays: ClassVar[dict[str, type]] = {**TranspositionTable.arrays, "counts": np.int64}
    keep = TranspositionTable.store

    def store(self, key, is_near, depth, value, bound, action, policy):
        place, part = self.bucket(key, is_near), PART if is_near else 0
        before = self.others(place, key)
        self.keep(key, is_near, depth, value, bound, action, policy)
        self.counts[part + STORED] += 1
        if self.others(place, key) < before:
            self.counts[part + THROWN] += 1

    def others(self, place, key):
        """Return the number of entries of other positions in a bucket."""
        number = 0
        for entry in range(place, place + 4, 2):
            data = self.words[entry + 1]
            if data != uint64(0) and self.words[entry] ^ data != key:
                number += 1
        return number


# ---- searches under pressure -------------------------------------------------------------------------


def counted(counts: Any, size: int) -> gambito.Session:
    """Return a session that begins with an empty table."""
    session = gambito.Session()
    session.put(TABLE, Counted(words=new_table(size).words, counts=counts))
    return session


def solve_set(name: str, count: int) -> Callable[..., list[gambito.SearchResult]]:
    positions = [row["moves"] for row in read_set(name, count)]

    def work(counts: Any, size: int, policy: str) -> list[gambito.SearchResult]:
        options = {"memory": size, "replace": policy}
        return [
            gambito.solve("connect-four", position, session=counted(counts, size), **options)
            for position in positions
        ]

    return work


def search_othello(counts: Any, size: int, policy: str) -> list[gambito.SearchResult]:
    options = {"memory": size, "replace": policy, "session": counted(counts, size), "probcut": "off"}
    return [gambito.search("othello", MIDDLE_GAME, "engine", depth=OTHELLO_DEPTH, **options)]


def percent(counts: Any, part: int) -> str:
    stored, thrown = counts[part + STORED], counts[part + THROWN]
    return f"{100 * thrown / stored:.1f} %" if stored else "-"


def measure_replacement() -> list[Requirement]:
    tasks = {
        "Connect Four, 20 of L2_R2": solve_set("L2_R2", 20),
        "Connect Four, 3 of L1_R2": solve_set("L1_R2", 3),
        f"Othello, {OTHELLO_DEPTH} plies, no ProbCut": search_othello,
    }
    rows, required = [], []
    for task, work in tasks.items():
        values: set[tuple[Any, ...]] = set()
        nodes: dict[tuple[int, str], int] = {}
        for size in SIZES:
            for policy in POLICIES:
                counts = np.zeros(2 * PART, np.int64)
                found = work(counts, size, policy)
                nodes[size, policy] = sum(one.nodes for one in found)
                values.add(tuple(one.value for one in found))
                row = [task, size, policy, f"{nodes[size, policy]:,}", f"{counts[STORED]:,}"]
                rows.append([*row, percent(counts, 0), percent(counts, PART)])
                print(*rows[-1], flush=True)
        if "Connect Four" in task:
            required.append(Requirement(f"{task}: different answers", len(values), most=1))
        default = POLICIES[0]
        gain = nodes[SIZES[0], default] / min(nodes[SIZES[0], policy] for policy in POLICIES)
        what = f"{task}: nodes by {default} in {SIZES[0]} MiB, against the better policy"
        required.append(Requirement(what, gain, most=1.25))
    head = ["search", "MiB", "replace", "nodes", "stores", "thrown out", "of the near part"]
    print("\n" + text_table(head, rows))
    return required


# ---- equal keys --------------------------------------------------------------------------------------


class Positions(Handle):
    """Positions as (key, mine, theirs), one after the other, and their number."""

    arrays: ClassVar[dict[str, type]] = {"words": np.uint64, "count": np.int64}


@native
def walk(game, state, depth, positions):
    """Write a state and all its successors within `depth` plies, each as often as it is reached."""
    place = 3 * positions.count[0]
    positions.words[place] = uint64(game.key(state))
    positions.words[place + 1], positions.words[place + 2] = state.mine, state.theirs
    positions.count[0] += 1
    if depth > 0 and not game.is_terminal(state):
        for action in game.actions(state):
            walk(game, game.result(state, action), depth - 1, positions)
    return positions.count[0]


def different(rows: Any) -> int:
    """Return the number of different rows."""
    ordered = rows[np.lexsort(rows.T)]
    return 1 + int((ordered[1:] != ordered[:-1]).any(axis=1).sum())


def measure_keys() -> list[Requirement]:
    game = gambito.load("othello")
    words, count = np.zeros(3 * ROOM, np.uint64), np.zeros(1, np.int64)
    positions = Positions(words=words, count=count)
    reached = walk(gears(game).in_gear("native"), gears(game).cast(game.initial()), PLIES, positions)
    rows = words[: 3 * reached].reshape(-1, 3)
    number = different(rows[:, 1:])  # no passes occur so early, so the discs determine the player to move
    keys, low = different(rows[:, :1]), different(rows[:, :1] & np.uint64(0xFFFFFFFF))
    expected = number * number / 2**33
    print(f"\nOthello, up to {PLIES} plies: {reached:,} reached, {number:,} different positions")
    print(f"equal keys of 64 bits: {number - keys:,} (expected {number * number / 2**65:.1g})")
    print(f"equal lower halves of 32 bits: {number - low:,} (expected {expected:,.0f})")
    return [
        Requirement("positions with the key of another", number - keys, most=0),
        Requirement("equal halves of keys, against chance", (number - low) / expected, least=0.8, most=1.2),
    ]


def run(args: argparse.Namespace) -> list[Requirement]:
    return measure_replacement() + measure_keys()
