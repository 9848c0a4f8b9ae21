"""Positions of games as cases, and the answers of the package's searches in the Python gear."""

from __future__ import annotations

import dataclasses
import functools
import math
import random
import shlex
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from gambito.chance.expectiminimax import expectiminimax
from gambito.draw.text import draw_text
from gambito.exercises import trees
from gambito.exercises.counted import CountedGame
from gambito.exercises.exercise import Wrong
from gambito.exercises.trial import Function, StudentAnswer, equal, is_number, wrong_type
from gambito.game.contract import Game
from gambito.game.registry import load
from gambito.search.algorithm import find
from gambito.search.api import trace
from gambito.search.classic.alpha_beta import alpha_beta
from gambito.search.classic.negamax import negamax
from gambito.search.monitor import EVALUATIONS, NODES, Monitor, new_monitor
from gambito.search.search_result import SearchResult
from gambito.search.trace.record import Record
from gambito.search.trace.recorder import recording
from gambito.words.sentence import Sentence

DEEPEST = 30  # plies of a whole game in these exercises
DRAWN = 40  # the most nodes of a tree that is drawn
NUMBER = "a number"
CHANCE_ONLY = ("expectiminimax", "star1")  # they refuse games without chance


@functools.cache
def game_at(name: str, text: str) -> tuple[Game, Any]:
    """The game from this position on, and the state."""
    game = load(name)
    state = game.parse(text)
    return game.at(state), state


def plain(game: Game) -> Any:
    """The game unchanged."""
    return game


@dataclasses.dataclass(frozen=True)
class Position:
    """A state of a game, and the other arguments of the function, by name and in order."""

    name: str
    place: str  # as the game writes it
    more: tuple[tuple[str, Any], ...] = ()
    algorithm: str = ""  # the algorithm that the drawing shows
    dress: Callable[[Game], Any] = plain  # makes the object that the function plays on from the game

    @property
    def text(self) -> str:
        return self.place if self.name == "tree" else f"{self.name} {self.place}"

    @property
    def game(self) -> Any:
        return self.dress(game_at(self.name, self.place)[0])

    @property
    def state(self) -> Any:
        return game_at(self.name, self.place)[1]

    @property
    def depth(self) -> int:
        return dict(self.more).get("depth", DEEPEST)

    @property
    def given(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.more)

    def ask(self, function: Function) -> StudentAnswer:
        game = CountedGame(self.game)
        value = function(game, self.state, *(value for _, value in self.more))
        return StudentAnswer(value, game.leaves, game.results, len(game.seen))

    def smaller(self) -> Iterator[Position]:
        """A part of the tree, or in other games the result of an action; then less depth, a window near 0."""
        if self.name == "tree":
            for text in trees.smaller(self.place):
                yield dataclasses.replace(self, place=text)
        else:
            game, state = game_at(self.name, self.place)
            for action in game.legal(state):
                yield dataclasses.replace(self, place=game.text(game.result(state, action)))
        for less in _less(dict(self.more)):
            yield dataclasses.replace(self, more=tuple(less.items()))

    def shown(self) -> tuple[str, str]:
        """The package's search of a small tree, or the board; and a command, if it shows the same."""
        game, state = game_at(self.name, self.place)
        more, algorithm = dict(self.more), self.algorithm or "minimax"
        depth = min(more.get("depth", DEEPEST), game.longest or DEEPEST)
        board = "" if self.name == "tree" else game.show(state)
        if depth == 0 or game.is_terminal(state) or self.dress is not plain:
            return board, ""
        if not game.chance and algorithm in CHANCE_ONLY:
            algorithm = "alpha-beta" if "alpha" in more else "minimax"
        is_drawn = self.name == "tree" and trees.size(self.place) <= DRAWN
        low, high = more.get("alpha", -math.inf), more.get("beta", math.inf)
        if "gamma" in more:
            low, high = more["gamma"] - 1, more["gamma"]
        if (low, high) != (-math.inf, math.inf):
            if is_drawn and not game.chance:
                board = draw_text(_recorded(game, state, depth, low, high)).rstrip("\n")
            return board, ""
        words = ["gambito", "trace", self.name, "--position", self.place, "--algorithm", algorithm]
        if self.name != "tree" or depth < (game.longest or DEEPEST):
            words += ["--depth", str(depth)]
        if is_drawn:
            board = draw_text(trace(game, state, algorithm, depth)).rstrip("\n")
        return board, shlex.join(words)


def _recorded(game: Game, state: Any, depth: int, alpha: Any, beta: Any) -> Record:
    """The record of alpha-beta with a window that is not open."""
    recorder = recording(find("alpha-beta"))
    monitor = new_monitor(recorder, "python", depth)
    monitor.start(depth, [])
    value = alpha_beta(game, state, depth, alpha, beta, monitor)
    found = SearchResult(game, state, game.text(state), "alpha-beta", "python", depth=depth)
    if alpha < value < beta:
        found.value, found.line = value, monitor.line(depth)
    found.nodes, found.evaluations = int(monitor.data[NODES]), int(monitor.data[EVALUATIONS])
    return recorder.finished(found)


def _less(more: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The other arguments of the function, one step smaller."""
    if more.get("depth", 0) > 1:
        yield {**more, "depth": more["depth"] - 1}
    if more.get("gamma", 0):
        yield {**more, "gamma": more["gamma"] + (1 if more["gamma"] < 0 else -1)}
    if math.isfinite(more.get("alpha", -math.inf)) and math.isfinite(more["beta"]):
        alpha, beta = more["alpha"], more["beta"]
        if beta - alpha > 1:
            yield {**more, "beta": beta - 1}
        if abs(alpha + beta) > 1:
            step = 1 if alpha + beta < 0 else -1
            yield {**more, "alpha": alpha + step, "beta": beta + step}


def boards(limit: int = 5) -> list[tuple[str, str]]:
    """Positions of other games near their ends, smaller ones first: the game and the text."""
    found = [("nim", text) for text in ("0", "1", "2", "1 1", "2 1", "1 2 second", "2 2")]
    found += [("nim", text) for text in ("1 2", "1 1 1", "1 2 1 second", "1 2 2")]
    near_end = ("XOXXOOOXX", "XOXXOOOX.", "XXOOOXX..", "XO.OX.XO.", "X.O.XO...")
    found += [("tic-tac-toe", text) for text in near_end[:limit]]
    four = "connect-four:width=3,height=3,line=3"
    found += [(four, text) for text in ("1122", "12132", "11223", "1232")]
    return found


def positions(
    texts: Iterable[str],
    more: Callable[[random.Random, str, str], Iterable[tuple[tuple[str, Any], ...]]] = lambda *_: [()],
    others: Iterable[tuple[str, str]] = (),
    algorithm: str = "",
    seed: int = 1,
) -> list[Position]:
    """Trees, then positions of other games, each with the arguments that `more` adds."""
    rng = random.Random(seed)
    named = [("tree", text) for text in texts] + list(others)
    return [Position(name, text, given, algorithm) for name, text in named for given in more(rng, name, text)]


def depths(rng: random.Random, name: str, text: str) -> Iterator[tuple[tuple[str, Any], ...]]:
    """The whole tree, and a search that stops before its end."""
    yield (("depth", 6),)
    yield (("depth", rng.randint(0, 3)),)


def windows(rng: random.Random, name: str, text: str) -> Iterator[tuple[tuple[str, Any], ...]]:
    """The open window, a null window and a random one, at several depths."""
    for given in depths(rng, name, text):
        yield (*given, ("alpha", -math.inf), ("beta", math.inf))
    spread = trees.SPREAD if name == "tree" else 2
    low = rng.randint(-spread, spread)
    yield (("depth", 6), ("alpha", low), ("beta", low + 1))
    yield (("depth", 6), ("alpha", low), ("beta", low + rng.randint(1, spread)))


def takes_turns(position: Position) -> bool:
    """Do the players move in turn, as far as the search looks?"""
    return _takes_turns(position.name, position.place, position.depth)


@functools.cache
def _takes_turns(name: str, place: str, depth: int) -> bool:
    game, state = game_at(name, place)

    def alternates(state: Any, depth: int) -> bool:
        if depth == 0 or game.is_terminal(state):
            return True
        below = [game.result(state, action) for action in game.legal(state)]
        others = (game.is_terminal(child) or game.player(child) != game.player(state) for child in below)
        return all(others) and all(alternates(child, depth - 1) for child in below)

    return alternates(state, depth)


# ---- the truth -----------------------------------------------------------------------------------
def value_of(position: Position) -> Any:
    """The true value for the player to move, to the depth of the position."""
    return negamax(position.game, position.state, position.depth, _watch())


def value_for_max(position: Position) -> Any:
    """The true value for MAX; chance takes the expectation."""
    return expectiminimax(position.game, position.state, position.depth, False, None, _watch())


def leaves_of(search: Callable[[Monitor], Any]) -> int:
    """The number of leaves that a search of the package values."""
    monitor = _watch()
    search(monitor)
    return int(monitor.data[EVALUATIONS])


class _Noted:
    """A game that records which of its states are valued."""

    def __init__(self, game: Game) -> None:
        self._game, self.seen = game, set[int]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def utility(self, state: Any, player: int) -> Any:
        self.seen.add(id(state))
        return self._game.utility(state, player)


def seen_by(case: Position, search: Callable[[Any, Monitor], Any]) -> tuple[int, int]:
    """The number of leaves of a tree that a search of the package values, and of different leaves."""
    noted = _Noted(case.game)
    return leaves_of(lambda monitor: search(noted, monitor)), len(noted.seen)


def _watch() -> Monitor:
    return new_monitor(Monitor, "python", DEEPEST + 2)


# ---- what is right -------------------------------------------------------------------------------
def judge_value(truth: Callable[[Position], Any]) -> Callable[[Position, StudentAnswer], Wrong | None]:
    """An answer is right if it equals the true value."""

    def judge(case: Position, answer: StudentAnswer) -> Wrong | None:
        if not is_number(answer.value):
            return wrong_type(answer.value, NUMBER)
        right = truth(case)
        if equal(answer.value, right):
            return None
        return Wrong("the value is wrong", gave=answer.value, right=right)

    return judge


def judge_bounds(
    case: Position, answer: StudentAnswer, enough: int | None, truth: Callable[[Position], Any] = value_of
) -> Wrong | None:
    """An answer is right if it is the value in the window or a bound outside, with few enough leaves."""
    if not is_number(answer.value):
        return wrong_type(answer.value, NUMBER)
    more, value, right = dict(case.more), answer.value, truth(case)
    alpha, beta = more["alpha"], more["beta"]
    if value <= alpha and right > value + 1e-9:
        return _bound(
            Sentence("the result is at most alpha, so the true value is at most the result; it is {}", right),
            value,
        )
    if value >= beta and right < value - 1e-9:
        return _bound(
            Sentence(
                "the result is at least beta, so the true value is at least the result; it is {}", right
            ),
            value,
        )
    if alpha < value < beta and not equal(value, right):
        return Wrong("the value is wrong", gave=value, right=right)
    return too_many(answer.leaves, enough)


def _bound(reason: str, value: Any) -> Wrong:
    return Wrong(reason, "bound", gave=value)


def too_many(leaves: int, enough: int | None) -> Wrong | None:
    """Were more leaves visited than necessary?"""
    if enough is None or leaves <= enough:
        return None
    reason = Sentence("leaves looked at: {}; necessary: {}", leaves, enough)
    return Wrong(reason, "leaves", gave=leaves, right=enough)
