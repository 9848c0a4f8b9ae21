"""Strategies on the command line: what `gambito solve` learns in games that hide something, and
`gambito exploit`, which tells how much a strategy can lose."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import gambito
from gambito.cli import options, phrases
from gambito.cli.command_result import CommandResult, answering
from gambito.cli.progress import Gauge
from gambito.draw.chart import Line, draw_chart
from gambito.game.gears import default_gear
from gambito.hidden.exploit import Exploited
from gambito.hidden.learning import SOLVER, new_solver, purpose
from gambito.hidden.strategy import Strategy, read_strategy
from gambito.native.files import put_file
from gambito.search import summary
from gambito.search.algorithm import find
from gambito.search.summary import signed
from gambito.words import say


def learn(
    game: gambito.Game,
    position: str | None,
    algorithm: str,
    gear: str | None,
    settings: dict[str, Any],
    save: str | None,
    curve: str | None,
    **limits: Any,
) -> CommandResult:
    """Learn a strategy; if the file is there already, go on from it. Ctrl-C keeps what was learned."""
    session = gambito.Session()
    given = {**settings, **{n: limits.pop(n) for n in ("iterations", "target") if limits.get(n) is not None}}
    chosen = find(algorithm).read_options(given, game)
    if save is not None and Path(save).exists():
        solver = new_solver(game, algorithm, gear or default_gear(game), chosen)
        solver.resume(read_strategy(save, game))
        session.put(SOLVER, solver, purpose(game, algorithm, chosen))
    try:
        with Gauge("iterations", chosen["iterations"] or None, lines=False) as gauge:
            found = gambito.solve(
                game, position, algorithm, gear=gear, session=session,
                progress=lambda now: gauge.show(*_news(now)), **limits, **given,
            )  # fmt: skip
    except KeyboardInterrupt:
        kept = session.get(SOLVER)
        if save is not None and kept is not None and kept.iteration:
            kept.strategy().save(save)
        raise
    if found.strategy is None:
        raise gambito.SearchError(
            "the time was over before {} could begin to learn; accepted: more seconds", algorithm
        )
    if save is not None:
        found.strategy.save(save)
    if curve is not None:
        put_file(Path(curve), [draw_curve(game, found.strategy).encode()])
    (_, action), *others = summary.facts(found)
    text = f"{game.show(found.state)}\n\n{phrases.rows([(say('action'), action), *others])}"
    return CommandResult(found.as_dict(), text)


def _news(now: gambito.Progress) -> tuple[int, str]:
    found = now.found
    if found is None or found.iterations is None:
        return 0, ""
    known = "" if found.exploitability is None else say("exploitability {:.3g}", found.exploitability)
    return found.iterations, known


def draw_curve(game: gambito.Game, strategy: Strategy) -> str:
    """Exploitability over iterations, as an SVG picture; both scales are logarithmic."""
    facts = strategy.facts
    points = sorted({**dict(facts["curve"]), facts["iterations"]: facts.get("exploitability", 0)}.items())
    points = [(number, value) for number, value in points if number and value > 0]
    if len(points) < 2:
        raise gambito.SearchError("a curve needs two iterations or more with an exploitability above 0")
    below = say("exploitability after {:,} iterations: {:.3g}", points[-1][0], points[-1][1])
    lines = [Line(facts["algorithm"], points, 1)]
    return draw_chart(game.label(), below, "iterations", "exploitability", lines, "powers")


@click.command(short_help="Compute how much a strategy can lose.")
@options.game
@click.option(
    "--strategy", "path", required=True, metavar="FILE", help="The strategy that `solve` has saved."
)
@options.gear
@answering
def exploit(game: str, path: str, gear: str | None) -> CommandResult:
    """Compute how much each player could win against a strategy with the best response to it.

    Exploitability is what the players could gain on average; it is 0 for an equilibrium. In zero-sum games of
    two players the best responses prove bounds of the game's value.

    \b
    gambito solve kuhn-poker --iterations 10000 --save kuhn.strategy
    gambito exploit kuhn-poker --strategy kuhn.strategy
    """
    found = gambito.exploit(game, path, gear)
    return CommandResult(found.as_dict(), _text(found))


def _text(found: Exploited) -> str:
    told = [(say("exploitability"), f"{found.exploitability:.6g}"), ("NashConv", f"{found.nash_conv:.6g}")]
    for player, (value, response) in enumerate(zip(found.values, found.responses, strict=True)):
        worth = say("{}, and {} by the best response", signed(value), signed(response))
        told.append((say("player {}", player), worth))
    if found.low is not None and found.high is not None:
        told.append((say("value"), say("between {} and {}, proven", signed(found.low), signed(found.high))))
    return phrases.rows(told)
