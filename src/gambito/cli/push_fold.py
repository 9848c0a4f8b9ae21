"""`gambito push-fold`: hold'em heads-up where the small blind moves all in or folds, solved."""

from __future__ import annotations

from pathlib import Path

import click

from gambito.cli import phrases
from gambito.cli.command_result import CommandResult, answering
from gambito.draw.square import Square, draw_squares, write_square
from gambito.game_tools.poker.cards import CLASSES, class_name
from gambito.game_tools.poker.push_fold import CHARTED, PushFold, largest_stacks
from gambito.game_tools.poker.push_fold import push_fold as solved
from gambito.native.files import put_file
from gambito.words import digits, say


@click.command("push-fold", short_help="Solve all-in or fold before the flop.")
@click.argument("stack", type=float, required=False, metavar="[STACK]")
@click.option("--svg", metavar="FILE", help="Draw the chart as an SVG picture.")
@answering
def push_fold(stack: float | None, svg: str | None) -> CommandResult:
    """Find the hands to move all in with, and to call with, heads-up with a stack in big blinds.

    The strategies are an equilibrium of the game in which the small blind moves all in or folds. Without a
    stack, the chart shows for each hand the largest stack up to 20 with which it is played.

    \b
    gambito push-fold 10
    gambito push-fold 7.5 --svg chart.svg
    gambito push-fold
    """
    return _chart(svg) if stack is None else _solved(solved(stack), svg)


def _solved(found: PushFold, svg: str | None) -> CommandResult:
    push, call = found.shares()
    squares = [
        Square(
            say("{} {:.1f} %, in per cent of each hand", say(name), 100 * share),
            played,
            [f"{100 * p:.0f}" for p in played],
        )
        for name, share, played in (("push", push, found.push), ("call", call, found.call))
    ]
    _draw(say("Push or fold with {:g} big blinds", found.stack), squares, svg)
    told = [
        (say("value"), say("{:+.6f} big blinds to the small blind", (found.low + found.high) / 2)),
        (
            say("bounds"),
            say(
                "{:.1g} apart after {}", found.high - found.low, phrases.count(found.iterations, "iteration")
            ),
        ),
    ]
    names = [class_name(number) for number in range(CLASSES)]
    data = {
        "stack": found.stack,
        "value": (found.low + found.high) / 2,
        "low": found.low,
        "high": found.high,
        "iterations": found.iterations,
        "pushed": push,
        "called": call,
        "push": dict(zip(names, map(float, found.push), strict=True)),
        "call": dict(zip(names, map(float, found.call), strict=True)),
    }
    return CommandResult(data, "\n\n".join([phrases.rows(told), *map(write_square, squares)]))


def _chart(svg: str | None) -> CommandResult:
    push, call = largest_stacks()
    names = [class_name(number) for number in range(CLASSES)]
    squares = [
        Square(say("{} with up to so many big blinds", say(name)), stacks / CHARTED, list(map(_told, stacks)))
        for name, stacks in (("push", push), ("call", call))
    ]
    _draw(say("Push or fold: the largest stack for each hand"), squares, svg)
    data = {
        name: dict(zip(names, map(float, each), strict=True))
        for name, each in (("push", push), ("call", call))
    }
    return CommandResult(data, "\n\n".join(map(write_square, squares)))


def _told(stack: float) -> str:
    """`20+` where the chart ends, `-` for none."""
    if stack >= CHARTED - 1e-9:
        return digits(f"{CHARTED:g}+")
    return digits(f"{stack:.1f}") if stack > 0 else "-"


def _draw(title: str, squares: list[Square], svg: str | None) -> None:
    if svg is not None:
        put_file(Path(svg), [draw_squares(title, squares).encode()])
