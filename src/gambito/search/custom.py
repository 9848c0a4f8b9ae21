"""Algorithms of one's own: `@algorithm` makes one from a function of a game, in both gears.

The names of its first parameters say what kind of search it is:

    (game, state, depth, alpha, beta, watch)   to a depth, within a window
    (game, state, depth, watch)                to a depth
    (game, state, watch)                       until it is stopped; `watch.decide` tells its action

It returns the value for the player to move. Parameters that follow are its options: each has a default, which
gives its type. `search.py:my_search` names the function wherever an algorithm has a name.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from gambito.errors import SearchError
from gambito.game.contract import NO_ACTION, Game
from gambito.game.registry import FILE_SPEC, module_of
from gambito.native import native
from gambito.search.algorithm import (
    EITHER,
    VALUE,
    WITHOUT,
    Algorithm,
    AnytimeSearch,
    DepthSearch,
    Fits,
    Option,
    adopt,
    built_in,
)
from gambito.search.monitor import DECISION, REACH, ROOT
from gambito.search.task import SearchTask, TaskResult
from gambito.words.sentence import Sentence

WINDOW = ("game", "state", "depth", "alpha", "beta", "monitor")
DEPTH = ("game", "state", "depth", "monitor")
ANYTIME = ("game", "state", "monitor")
# No options: every search or every player has them.
RESERVED = (
    "algorithm", "depth", "seconds", "nodes", "threads", "gear", "soft", "stop", "progress", "session",
    "past_states", "root_actions", "lines", "guide", "evaluate", "deepen", "evaluation",
    "book", "book_choice", "book_margin", "book_seed",
)  # fmt: skip


class OwnFunction(native):
    """A function of one's own in both gears, and the algorithm that it is."""

    algorithm: Algorithm


def algorithm(
    function: Callable[..., Any] | None = None,
    *,
    summary: str = "",
    source: str = "",
    about: Mapping[str, str] | None = None,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    players: tuple[int, ...] = (2,),
    chance: bool = False,
    zero_sum: bool = True,
    refuses: Callable[[Game], str] = lambda game: "",
) -> Any:
    """Make an algorithm from a function: `@algorithm`, or `@algorithm(summary="…")`.

    summary   one line, for lists
    source    the paper or book
    about     what each option does, by name
    ranges    the least and the greatest number that an option accepts, by name
    players   the numbers of players that it is for; (): any number
    chance    it values dice and cards too; by default it is for games without them
    zero_sum  it is only for games where one player wins what the others lose
    refuses   a function of a game that says in a sentence why the game does not fit; "" if it does
    """
    fits = Fits(EITHER if chance else WITHOUT, players, zero_sum, refuses=refuses)

    def decorate(plain: Callable[..., Any]) -> OwnFunction:
        made = OwnFunction(plain)
        first, options = _read_parameters(plain, about or {}, ranges or {})
        described = summary or next(iter((plain.__doc__ or "").strip().splitlines()), "").rstrip(".")
        told = (plain.__name__, described, source, _runner(made, first, options), options, fits)
        if first == ANYTIME:
            made.algorithm = AnytimeSearch(*told, is_own=True)
        else:
            made.algorithm = DepthSearch(*told, is_own=True, holds=VALUE, windowed=first == WINDOW)
        return made

    return decorate if function is None else decorate(function)


def _read_parameters(
    function: Callable[..., Any], about: Mapping[str, str], ranges: Mapping[str, tuple[float, float]]
) -> tuple[tuple[str, ...], tuple[Option, ...]]:
    """The first parameters of a function, which tell its kind, and its options."""
    known = list(inspect.signature(function).parameters.values())
    names = tuple(each.name for each in known)
    first = next((kind for kind in (WINDOW, DEPTH, ANYTIME) if names[: len(kind)] == kind), None)
    if first is None:
        accepted = " or ".join(f"({', '.join(kind)}, …)" for kind in (WINDOW, DEPTH, ANYTIME))
        raise SearchError(
            "{} has the parameters ({}); accepted: {}", function.__name__, ", ".join(names), accepted
        )
    options = []
    for each in known[len(first) :]:
        default = each.default
        if each.name in RESERVED:
            raise SearchError("{} of {} is no option; every search has it", each.name, function.__name__)
        if each.kind is not each.POSITIONAL_OR_KEYWORD or not isinstance(default, bool | int | float):
            raise SearchError(
                "{} of {} is no option; accepted: a parameter with a number, True or False as its default",
                each.name,
                function.__name__,
            )
        low, high = ranges.get(each.name, (None, None))
        options.append(Option(each.name, default, about.get(each.name, ""), low, high))
    return first, tuple(options)


def _runner(
    function: OwnFunction, first: tuple[str, ...], options: tuple[Option, ...]
) -> Callable[[SearchTask], TaskResult]:
    """How the function answers a question."""

    def run(task: SearchTask) -> TaskResult:
        given = {"game": task.game, **{name: getattr(task, name) for name in first}}
        chosen = [task.options[option.name] for option in options]
        value = function(*given.values(), *chosen)
        if first != ANYTIME:
            return TaskResult(value)
        data = task.monitor.data
        action, depth = int(data[DECISION]), max(1, int(data[ROOT] - data[REACH]))
        return TaskResult(value, None if action == NO_ACTION else action, [action], exact=False, depth=depth)

    return run


def read_algorithm(text: str) -> Algorithm:
    """The algorithm that `FILE.py:FUNCTION` names, under that name."""
    found = re.fullmatch(FILE_SPEC, text)
    if found is None or found[3] is not None:
        raise SearchError("'{}' is no algorithm in a file; accepted: FILE.py:FUNCTION", text)
    own, name = own_functions(found[1]), found[2] or ""
    some = ", ".join(own) or Sentence("none")
    if not name and len(own) != 1:
        raise SearchError(
            "{} holds {} algorithms ({}); say which: {}:FUNCTION", found[1], len(own), some, found[1]
        )
    if name and name not in own:
        raise SearchError("{} has no algorithm '{}'; the algorithms in it: {}", found[1], name, some)
    chosen = own[name] if name else next(iter(own.values()))
    return replace(chosen.algorithm, name=text, spec=text)


def own_functions(file: str) -> dict[str, OwnFunction]:
    """The algorithms that a file defines, by name."""
    module = module_of(Path(file))
    return {
        name: held
        for name, held in vars(module).items()
        if isinstance(held, OwnFunction) and held.plain.__module__ == module.__name__
    }


def offer(text: str) -> str:
    """Let the algorithm that `FILE.py:FUNCTION` names be found by the name of its function, and return it."""
    own = read_algorithm(text)
    name = own.name.rpartition(":")[2] if ":" in own.name else next(iter(own_functions(text)))
    if name in built_in():
        raise SearchError("{} has the name of a built-in algorithm; give the function another name", text)
    adopt(replace(own, name=name))
    return name
