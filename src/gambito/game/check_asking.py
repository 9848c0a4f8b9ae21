"""How the conformance check asks a rule: what it raises or spoils is a problem of that rule and position."""

from __future__ import annotations

import itertools
import time
import traceback
import types as python
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gambito.errors import CompileError
from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.words.sentence import Sentence

ENDLESS = 100_000  # actions in one state that seem endless
LONG = 1.0  # seconds after which a rule that somebody stops may be endless
LISTED = ("actions", "chances", "noisy")  # rules that give several items
MOST_MOVES = 400  # the most moves that describe a position in a message
LAST_MOVES = 10  # those that are told of more: nobody can play the position from them
MAX_CHARACTERS = 400  # characters of a state in a message


class Broken(Exception):
    """A rule raised an exception, or its answer does not allow the check to go on."""

    def __init__(self, template: str, *parts: Any) -> None:
        super().__init__(Sentence(template, *parts))

    @property
    def sentence(self) -> Sentence:
        said: Sentence = self.args[0]
        return said


def ask(game: Game, path: list[str], rule: str, *args: Any) -> Any:
    """Call a rule; if it raises or changes the state, that is a problem of this rule and position."""
    return _asked(getattr(game, rule), path, rule, args)


def ask_plain(game: Game, path: list[str], rule: str, *args: Any) -> Any:
    """The same, and the answer as the author's function gives it, before it is cast."""
    own = None if rule in vars(game) else getattr(getattr(type(game), rule), "plain", None)
    return _asked(getattr(game, rule) if own is None else own.__get__(game), path, rule, args)


def _asked(call: Any, path: list[str], rule: str, args: tuple[Any, ...]) -> Any:
    before, began = _mark(args[0]) if args else None, time.perf_counter()
    try:
        answer = call(*args)
        is_listed = isinstance(answer, python.GeneratorType) or rule in LISTED
        if is_listed and isinstance(answer, Iterable):
            answer = list(itertools.islice(answer, ENDLESS))
    except KeyboardInterrupt as stopped:
        seconds = time.perf_counter() - began
        if seconds < LONG:
            raise
        raise Broken(
            "{} was stopped after {} seconds and may be endless ({}, line {}), {}",
            rule, round(seconds), *_place(stopped), after(path),
        ) from None  # fmt: skip
    except Exception as problem:
        raise Broken(
            "{} raises {}: {} ({}, line {}), {}",
            rule, type(problem).__name__, problem, *_place(problem), after(path),
        ) from None  # fmt: skip
    if args and _mark(args[0]) != before:
        raise Broken(
            "{} changes the state it is given; change a copy of what it holds, as `cells.copy()` gives, {}",
            rule, after(path),
        )  # fmt: skip
    if is_listed and not isinstance(answer, list):
        raise Broken(
            "{} gives {}, not several items; `yield` each one, or `return` a list of them, {}",
            rule, short(repr(answer)), after(path),
        )  # fmt: skip
    return answer


def _place(problem: BaseException) -> tuple[str, int]:
    """The file and the line where something was raised."""
    last = traceback.extract_tb(problem.__traceback__)[-1]
    return Path(last.filename).name, last.lineno or 0


def _mark(state: Any) -> Any:
    """What a state holds, for a comparison with itself later. An array is copied: its text takes long."""
    if isinstance(state, np.ndarray) and not state.dtype.hasobject:
        return state.tobytes()
    return tuple(map(_mark, state)) if isinstance(state, tuple | list) else repr(plain(state))


def enter(game: Game, path: list[str], rule: str, *args: Any) -> Any:
    """The state that a rule gives, with the type that both gears need."""
    given = ask_plain(game, path, rule, *args)
    try:
        state = gears(game).cast(given)
    except CompileError as problem:
        raise Broken("{}: {}, {}", rule, problem, after(path)) from None
    if changed := _changed(given, state):
        raise Broken(
            "{} gives {} in a field that is {}; write // instead of /, {}", rule, *changed, after(path)
        )
    return state


def _changed(given: Any, state: Any) -> tuple[str, str] | None:
    """A number that a cast has changed, and its type."""
    if given is state:
        return None
    if isinstance(given, tuple) and isinstance(state, tuple):
        return next(filter(None, map(_changed, given, state)), None)
    is_whole = isinstance(given, float | np.floating) and isinstance(state, int | np.integer)
    return (str(given), type(state).__name__) if is_whole and given != state else None


def after(path: list[str]) -> Sentence:
    """The moves that lead to a position, for a message."""
    if not path:
        return Sentence("in the initial state")
    told = " ".join(path) if len(path) <= MOST_MOVES else "… " + " ".join(path[-LAST_MOVES:])
    return Sentence("after {}", told)


def plain(state: Any) -> Any:
    """A state that can be compared: arrays as lists, objects as their attributes."""
    if isinstance(state, tuple | list):
        return [plain(part) for part in state]
    if isinstance(state, np.ndarray):
        return state.tolist()
    if isinstance(state, dict):
        return {name: plain(part) for name, part in state.items()}
    shown: Any = type(state).__repr__
    if is_dataclass(state):
        return {field.name: plain(getattr(state, field.name)) for field in fields(state) if field.compare}
    return plain(vars(state)) if shown is object.__repr__ and hasattr(state, "__dict__") else state


def short(state: Any) -> str:
    """A state in one line."""
    told = " ".join(str(state if isinstance(state, tuple) or is_dataclass(state) else plain(state)).split())
    return told if len(told) <= MAX_CHARACTERS else f"{told[: MAX_CHARACTERS - 1]}…"
