"""Endgame tables: the time to build them, their size, and the time to probe them.

It builds all positions of eight burnt pancakes from rules in Python, on one thread, and every chess slice of
three and four men, and verifies each slice. Compiled code probes the tables and unpacks their blocks. Times
are processor times without compilation. `--write` puts the tables into docs/en/endgames.md.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

from report import Requirement, markdown_table, text_table, write_section

import gambito
from gambito.endgames.builder import Builder, Slice
from gambito.endgames.places import LISTED
from gambito.endgames.tables import Tables, TableSet
from gambito.game.gears import gears
from gambito.memory.endgame_tables import NONE, probe
from gambito.native import native
from gambito.native.random import new_random

PANCAKES, CHESS, MEN = "burnt-pancakes:count=8", "chess", 4
SMALL = (
    "tic-tac-toe",
    "nim",
    "hex:size=3",
    "breakthrough:width=3,height=5",
)  # listed from the first position
MOST_SECONDS = 3.0
LOOKS = 1_000_000
HEAD = ["slice", "positions", "wins", "draws", "losses", "longest", "MiB to build", "KiB on disk", "seconds",
        "positions/s", "verified in"]  # fmt: skip


@native
def look(game, signature, size, address, rng, count):
    """Probe random positions; return how many were real, and how many of these were decided."""
    real, decided = 0, 0
    for _ in range(count):
        state = game.unindex(signature, rng.below(size))
        if game.is_real(state) and game.signature(state) == signature:
            real += 1
            value = probe(game, address, state)
            if value != NONE and value != 0:
                decided += 1
    return real, decided


def run(args: argparse.Namespace) -> list[Requirement]:
    required = [_pancakes(args.write)]
    _small(args.write)
    with tempfile.TemporaryDirectory() as folder:
        _chess(Path(folder), args.write)
        _looks(Path(folder), args.write)
    return required


def _show(name: str, head: list[str], rows: list[list[Any]], write: bool) -> None:
    print(text_table(head, rows) + "\n", flush=True)
    if write:
        write_section(name, markdown_table(head, rows), "endgames.md")


def _pancakes(write: bool) -> Requirement:
    builder = Builder(gambito.load(PANCAKES))
    builder.build(LISTED)  # compiled
    seconds = []
    for _ in range(3):
        began = time.process_time()
        table = builder.build(LISTED)
        seconds.append(time.process_time() - began)
    best = min(seconds)
    head = ["puzzle", "states", "farthest", "seconds", "states/s"]
    row = [
        PANCAKES,
        f"{table.real:,}",
        table.longest,
        f"{best:.2f}",
        f"{table.real / best / 1e6:.1f} million",
    ]
    _show("pancakes", head, [row], write)
    return Requirement(f"all states of {PANCAKES} on one thread", best, most=MOST_SECONDS, unit="s")


def _small(write: bool) -> None:
    rows = []
    for name in SMALL:
        builder = Builder(gambito.load(name))
        builder.build(LISTED)  # compiled
        began = time.process_time()
        table = builder.build(LISTED)
        seconds = time.process_time() - began
        assert builder.verify(table) is None, name
        drawn = table.real - table.wins - table.losses
        counts = [f"{n:,}" for n in (table.real, table.wins, drawn, table.losses, table.longest)]
        rows.append([name, *counts, f"{seconds:.2f}"])
    _show("small", [*HEAD[:6], "seconds"], rows, write)


def _chess(folder: Path, write: bool) -> None:
    game = gambito.load(CHESS)
    shelf, builder = TableSet(game, folder), Builder(game)
    made: dict[str, Slice] = {}
    rows = []
    builder.verify(builder.build("KNK"))  # compiled
    for name in game.slice_names(MEN):
        lower = [made[other] for other in shelf.lower(name)]
        began = time.process_time()
        table = made[name] = shelf.build(name, builder=builder)
        seconds = time.process_time() - began
        began = time.process_time()
        assert builder.verify(table, lower) is None, name
        checked = time.process_time() - began
        memory = builder.check_memory(name, len(table.values), sum(len(t.values) for t in lower))
        drawn = table.real - table.wins - table.losses
        counts = [f"{n:,}" for n in (table.real, table.wins, drawn, table.losses, table.longest)]
        size = shelf.path(name).stat().st_size
        pace = f"{table.real / seconds:,.0f}"
        rows.append([name, *counts, f"{memory / 2**20:.1f}", f"{size / 2**10:.1f}", f"{seconds:.2f}", pace,
                     f"{checked:.2f}"])  # fmt: skip
        print(f"{name} {seconds:.2f} s", flush=True)
    _show("chess", HEAD, rows, write)


def _looks(folder: Path, write: bool) -> None:
    game = gambito.load(CHESS)
    inner = gears(game).in_gear("native")
    rows = []
    for name in ("KQK", "KRKN", "KQKP"):
        tables = Tables(game, folder)
        assert tables.endings is not None
        file = tables.files[name]
        address, rng = tables.endings.address, new_random((1,))
        look(inner, file.facts["code"], file.size, address, rng, 0)  # compiled
        times = []
        for _ in range(2):
            began = time.process_time()
            real, _ = look(inner, file.facts["code"], file.size, address, rng, LOOKS)
            times.append((time.process_time() - began) / real * 1e9)
        rows.append([name, f"{file.value_blocks:,}", f"{times[0]:.0f}", f"{times[1]:.0f}"])
    head = ["slice", "blocks", "ns a position, blocks being unpacked", "ns a position, unpacked"]
    _show("looks", head, rows, write)
