"""`gambito perft`: count the sequences of moves that the rules allow."""

from __future__ import annotations

import time

import click

import gambito
from gambito.cli import options, phrases
from gambito.cli.command_result import CommandResult, answering
from gambito.cli.options import given
from gambito.native.functions import compile_seconds
from gambito.words import say


@click.command(short_help="Count the sequences of moves.")
@options.game
@options.position
@click.option("--depth", type=int, required=True, metavar="N", help="Length of each sequence in plies.")
@options.gear
@answering
def perft(game: str, position: str | None, depth: int, gear: str | None) -> CommandResult:
    """Count the sequences of exactly N plies. This is the usual test of rules and of their speed.

    \b
    gambito perft connect-four --depth 8
    gambito perft tic-tac-toe --depth 9 --gear python
    """
    rules = gambito.load(game)
    compiled, began = compile_seconds(), time.perf_counter()
    nodes = gambito.perft(rules, position, depth, **given(gear=gear))
    compiled, took = compile_seconds() - compiled, time.perf_counter() - began
    seconds = max(took - compiled, 0.0)
    data = {
        "game": rules.label(),
        "position": position if position is not None else rules.text(rules.initial()),
        "depth": depth,
        "nodes": nodes,
        "seconds": seconds,
        "compile_seconds": compiled,
    }
    counted = say("{} of {}", phrases.count(nodes, "sequence"), phrases.count(depth, "ply", "plies"))
    pace = say(" ({:.1f} million per second)", nodes / seconds / 1e6) if nodes > 100_000 else ""
    return CommandResult(data, say("{} in {}", counted, phrases.duration(seconds)) + pace)
