"""`gambito best` and `gambito solve`: the best action of a position."""

from __future__ import annotations

from typing import Any

import click

import gambito
from gambito.cli import options, phrases
from gambito.cli.command_result import CommandResult, answering
from gambito.cli.options import given
from gambito.cli.progress import Gauge
from gambito.search.algorithm import StrategySearch, algorithms, find
from gambito.search.chooser import solver
from gambito.search.summary import facts, has_proven_bounds
from gambito.words import say

LEARNING = ("iterations", "target", "save", "curve")  # options for algorithms that learn strategies


@click.command(short_help="Find the best move of a position.")
@options.game
@options.position
@options.algorithm
@options.evaluation
@options.depth
@options.seconds
@options.nodes
@options.threads
@options.gear
@options.option
@answering
def best(
    game: str, position: str | None, threads: int, settings: dict[str, Any], **said: Any
) -> CommandResult:
    """Find the best move of a position.

    With --depth alone, there is one search to that depth. With --seconds or --nodes, the search goes deeper
    and deeper until the limit is reached. Without a limit, it searches to the game's usual depth, or for
    two seconds. The default algorithm is the one that plays the game best; --algorithm selects another.

    \b
    gambito best tic-tac-toe --position X.O/.X./...
    gambito best connect-four --position 4455 --seconds 5 --algorithm pvs
    gambito best sliding-tiles --position '8 6 7 2 5 4 3 0 1' --option heuristic=linear-conflict
    """
    return _answer(gambito.search(game, position, threads=threads, **given(**said), **settings))


@click.command(short_help="Find the exact value of a position.")
@options.game
@options.position
@options.algorithm
@options.evaluation
@options.threads
@options.gear
@options.seconds
@click.option(
    "--iterations", type=int, metavar="N", help="Iterations of an algorithm that learns strategies."
)
@click.option("--target", type=float, metavar="X", help="Exploitability at which learning ends.")
@click.option(
    "--save", metavar="FILE", help="File for the strategy; if it exists, learning continues from it."
)
@click.option("--curve", metavar="FILE", help="SVG picture of exploitability over iterations.")
@click.option("--spot", metavar="FILE", help="Spot of holdem: ranges on a board.")
@click.option("--line", metavar="L", help="Decision of the spot that is shown, as in 'check, bet 50'.")
@options.option
@answering
def solve(game: str, position: str | None, settings: dict[str, Any], **said: Any) -> CommandResult:
    """Find the exact value of a position and a best move, however long it takes.

    On a terminal, the command shows its progress. If the value could not be proven, because the game goes on
    beyond 1,000 plies, the command says so and ends with status 1. In games that hide something, a strategy
    is learned, with bounds on its value that come closer and closer.

    \b
    gambito solve tic-tac-toe
    gambito solve leduc-poker --algorithm cfr+ --iterations 10000 --save leduc.strategy
    gambito solve connect-four --position 44444432255232 --threads 2
    gambito solve holdem --spot river.spot --save river.strategy
    """
    spot, line = said.pop("spot"), said.pop("line")
    if spot is not None:
        return _solve_spot(game, position, spot, line, settings, said)
    if line is not None:
        raise gambito.SearchError("--line is for spots of holdem; give --spot too")
    rules, saying = gambito.load(game), given(**said)
    algorithm = saying.get("algorithm") or solver(rules)
    learning = {name: saying.pop(name) for name in LEARNING if name in saying}
    if isinstance(find(algorithm), StrategySearch):
        saying.pop("algorithm", None)
        if saying.pop("threads", 1) != 1:
            raise gambito.SearchError("{} runs on one thread, not on {}", algorithm, said["threads"])
        if saying.pop("evaluate", None) is not None:
            raise gambito.SearchError("{} plays games to their end and asks no evaluation", algorithm)
        files = {name: learning.pop(name, None) for name in ("save", "curve")}
        gear, limits = saying.pop("gear", None), {**saying, **learning}
        from gambito.cli.strategies import learn  # which needs more modules than a search

        return learn(rules, position, algorithm, gear, settings, **files, **limits)
    if learning:
        named = ", ".join(n for n, a in algorithms().items() if isinstance(a, StrategySearch))
        option = next(iter(learning))
        raise gambito.SearchError("--{} is for algorithms that learn strategies: {}", option, named)
    with Gauge("nodes", lines=False) as gauge:
        found = gambito.solve(
            rules,
            position,
            progress=lambda now: gauge.show(now.nodes, _news(now)),
            **saying,
            **settings,
        )
    if found.exact or isinstance(found.game, gambito.Puzzle) or has_proven_bounds(found):
        return _answer(found)
    ahead = phrases.count(found.depth, "ply", "plies")
    missing = (say("proof"), say("none: the search looked {} ahead, and the game goes on", ahead))
    return CommandResult(found.as_dict(), _text(found, missing), status=1)


def _solve_spot(
    game: str,
    position: str | None,
    spot: str,
    line: str | None,
    settings: dict[str, Any],
    said: dict[str, Any],
) -> CommandResult:
    """Solve a spot of hold'em, which has its own algorithms."""
    if game.partition(":")[0] != "holdem":
        raise gambito.SearchError("--spot is for holdem, not for {}", game)
    left = given(position=position, gear=said.pop("gear"), evaluation=said.pop("evaluate"))
    if left or said.pop("threads") != 1:
        raise gambito.SearchError("--{} is not for spots", next(iter(left), "threads"))
    from gambito.cli.spots import solve_spot  # which needs more modules than a search

    return solve_spot(spot, line, settings=settings, **said)


def _news(now: gambito.Progress) -> str:
    """Describe the progress of a search in a few words."""
    pace = say("{:.1f} million per second", now.nodes / max(now.seconds, 1e-9) / 1e6)
    known = [f"{name} {phrases.signed(v)}" for name, v in (("≥", now.low), ("≤", now.high)) if v is not None]
    value = say("value {}", ", ".join(known)) if known else ""
    return " · ".join(filter(None, (phrases.count(now.nodes, "node"), pace, value)))


def _answer(found: gambito.SearchResult) -> CommandResult:
    return CommandResult(found.as_dict(), _text(found))


def _text(found: gambito.SearchResult, *more: tuple[str, str]) -> str:
    (name, action), *others = *facts(found), *more
    bold = click.style(action, bold=True) if found.action is not None else action
    return f"{found.game.show(found.state)}\n\n{phrases.rows([(name, bold), *others])}"
