"""The conformance check, shipped to authors of games: are the rules consistent, and alike in both gears?

It plays random games in the Python gear and checks every state; then it replays the same games in the native
gear, from the same source. It reports each problem with the position that shows it. The built-in games pass
the same check.
"""

from __future__ import annotations

import itertools
import math
import random
import re
import traceback
import types as python
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from gambito.errors import CompileError
from gambito.game.check_gears import NATIVE, SHORT, after, gear_problems, plain
from gambito.game.check_hidden import hidden_problems
from gambito.game.check_hints import hint_problems
from gambito.game.check_keys import differing_rule
from gambito.game.check_numbers import number_problems
from gambito.game.check_picture import picture_problems
from gambito.game.contract import CHANCE, RULES, Game, game_name
from gambito.game.gears import gears
from gambito.game.names import is_number, name_problems
from gambito.game.puzzle import PUZZLE_RULES, Puzzle
from gambito.game.registry import make
from gambito.native import mix

GAMES, PLIES = 30, 2000  # the number of games, and the plies after which a game seems endless
FEWEST, ENOUGH = 4, 1000  # after this many games, this many states are enough
LISTED = ("actions", "chances", "noisy")  # rules that give several items
HINTED, HINTS_APART = 30, 10  # hints are asked of the first states, and then of every tenth
ENDLESS = 100_000  # actions in one state that seem endless
WALK = 50  # actions of a random walk through a puzzle, which need not reach a goal
FAIR = 20  # after this many games, if all wins have one value, no evaluation should reach it
SISTERS = 2  # positions beside each state whose keys are seen too
_MOST_TOLD = 10


@dataclass
class Report:
    """What a check found."""

    game: str
    games: int = 0
    states: int = 0
    longest: int = 0  # plies of the longest game seen
    most_actions: int = 0
    native: bool = False  # the native gear was compared too
    problems: list[str] = field(default_factory=list)
    scores: set[float] = field(default_factory=set, repr=False)  # absolute values of decided games
    largest: tuple[float, str] = field(default=(0, ""), repr=False)  # the largest evaluation and its position
    keys: dict[int, tuple[Any, list[str]]] = field(default_factory=dict, repr=False)  # a position of each key

    @property
    def ok(self) -> bool:
        return not self.problems

    def as_dict(self) -> dict[str, Any]:
        told = {name: held for name, held in vars(self).items() if name not in ("scores", "largest", "keys")}
        return {**told, "ok": self.ok}

    def tell(self, problem: str) -> None:
        """Keep a problem, unless there is one that differs only in its numbers and its position."""
        if len(self.problems) < _MOST_TOLD and _kind(problem) not in map(_kind, self.problems):
            self.problems.append(problem)


def _kind(problem: str) -> str:
    return re.sub(r"[-\d.]+", "0", re.split(", (?:after|in the initial) ", problem)[0])


def check(game: Any, games: int | None = None, seed: int = 0) -> Report:
    """Play random games and report every rule that is broken, with the position that shows it.

    By default it plays 30 games, or fewer if they are long.
    """
    game = make(game)
    taken: list[str] = [*name_problems(game)]
    if taken:
        return Report(game_name(type(game)), problems=taken[:_MOST_TOLD])
    report = Report(game.label())
    base, rules = (Puzzle, PUZZLE_RULES) if isinstance(game, Puzzle) else (Game, RULES)
    missing = [r for r in rules if getattr(type(game), r) is getattr(base, r)]
    if missing:
        report.tell(f"the game has no rule {', '.join(missing)}")
        return report
    rng = random.Random(seed)
    played: list[list[int]] = []
    for number in range(GAMES if games is None else games):
        if games is None and number >= FEWEST and report.states >= ENOUGH:
            break
        actions = _play(game, rng, report)
        if actions is None:
            break
        played.append(actions)
        report.games += 1
        report.longest = max(report.longest, len(actions))
    report.keys.clear()
    value, place = report.largest
    if report.ok and report.games >= FAIR and len(report.scores) == 1 and value >= max(report.scores):
        report.tell(f"evaluate gives {value}, and a won game is worth {max(report.scores)}, {place}")
    if report.ok:
        for problem in number_problems(game, rng):
            report.tell(problem)
    if report.ok and game.hidden:
        for problem in hidden_problems(game, random.Random(seed)):
            report.tell(problem)
    if report.ok and not gears(game).problem:
        problems = list(itertools.islice(gear_problems(game, played), _MOST_TOLD))
        for problem in problems:
            report.tell(problem)
        report.native = not any(problem.startswith(NATIVE) for problem in problems)
    return report


class _Broken(Exception):
    """A rule raised an exception, or its answer does not allow the check to go on."""


def _ask(game: Game, path: list[str], rule: str, *args: Any) -> Any:
    """Call a rule; if it raises or changes the state, that is a problem of this rule and position."""
    before = repr(plain(args[0])) if args else ""
    try:
        answer = getattr(game, rule)(*args)
        if isinstance(answer, python.GeneratorType) or rule in LISTED:
            answer = list(itertools.islice(answer, ENDLESS))
    except Exception as problem:
        raised = f"{rule} raises {type(problem).__name__}: {problem}"
        raise _Broken(f"{raised} ({_line(problem)}), {after(path)}") from None
    if args and repr(plain(args[0])) != before:
        raise _Broken(f"{rule} changes the state it is given, {after(path)}")
    return answer


def _line(problem: Exception) -> str:
    """The place where an error was raised: `rules.py, line 12`."""
    last = traceback.extract_tb(problem.__traceback__)[-1]
    return f"{Path(last.filename).name}, line {last.lineno}"


def _enter(game: Game, path: list[str], rule: str, *args: Any) -> Any:
    """The state that a rule gives, with the type that both gears need."""
    state = _ask(game, path, rule, *args)
    try:
        return gears(game).enter(state)
    except CompileError as problem:
        raise _Broken(f"{rule}: {problem}, {after(path)}") from None


def _value(game: Game, path: list[str], report: Report, rule: str, *args: Any) -> Any:
    """The value that a rule gives, after a check."""
    value = _ask(game, path, rule, *args)
    if not is_number(value):
        raise _Broken(f"{rule} gives {value!r}, not a number, {after(path)}")
    if game.value is int and (not math.isfinite(value) or value != int(value)):
        report.tell(f"{rule} gives {value}, and values are whole numbers, {after(path)}")
    elif not game.lowest <= value <= game.highest:
        report.tell(f"{rule} gives {value}, outside {game.lowest} to {game.highest}, {after(path)}")
    return value


def _play(game: Game, rng: random.Random, report: Report) -> list[int] | None:
    """Play one random game; None if a problem makes further games useless."""
    path: list[str] = []
    played: list[int] = []
    latest: int | None = None  # the ply by which the game must be over
    try:
        state = _enter(game, path, "initial")
        board = _ask(game, path, "picture")
        while True:
            report.states += 1
            is_over = _ask(game, path, "is_terminal", state)
            if not isinstance(is_over, bool | np.bool_):
                report.tell(f"is_terminal gives {is_over!r}, not a bool, {after(path)}")
            limit = len(played) + _ask(game, path, "plies_left", state)
            latest = limit if latest is None else min(latest, limit)
            if len(played) > latest:
                report.tell(f"the game is longer than plies_left said, {after(path)}")
            _check_player(game, state, path)
            _check_key(game, state, path, report)
            _check_text(game, state, path, report)
            if is_over:
                _check_end(game, state, path, report)
                return played
            if isinstance(game, Puzzle):
                _check_costs(game, state, path, report)
                if len(played) >= WALK or not _ask(game, path, "actions", state):
                    return played
            if len(played) >= (PLIES if game.longest is None else game.longest):
                told = "its trait 'longest'" if game.longest is not None else "and it may be endless"
                report.tell(f"a game is longer than {len(played)} plies, {told}, {after(path)}")
                return None
            if board is not None:
                for problem in picture_problems(game, state, board, partial(_ask, game, path)):
                    report.tell(f"{problem}, {after(path)}")
            action = _choose(game, state, path, rng, report)
            path.append(_named(game, state, action, path, report))
            played.append(int(action))
            state = _enter(game, path, "result", state, action)
    except _Broken as broken:
        report.tell(str(broken))
        return None


def _choose(game: Game, state: Any, path: list[str], rng: random.Random, report: Report) -> int:
    """A random action, after a check of all actions."""
    if game.chance and _ask(game, path, "player", state) == CHANCE:
        return _choose_chance(game, state, path, rng, report)
    actions = _ask(game, path, "actions", state)
    if not actions:
        raise _Broken(f"a state that is not terminal has no actions, {after(path)}")
    wrong = [a for a in actions if isinstance(a, bool) or not isinstance(a, int | np.integer) or a < 0]
    if wrong:
        raise _Broken(f"actions yields {wrong[0]!r}, not an int of 0 or more, {after(path)}")
    if len(set(actions)) < len(actions):
        report.tell(f"actions yields the same action twice, {after(path)}")
    if len(actions) >= ENDLESS:
        raise _Broken(f"actions does not come to an end, {after(path)}")
    number = _ask(game, path, "count", state)
    if number != len(actions):
        report.tell(f"count gives {number!r}, and there are {len(actions)} actions, {after(path)}")
    report.most_actions = max(report.most_actions, len(actions))
    if game.most_actions is not None and len(actions) > game.most_actions:
        report.tell(f"there are {len(actions)} actions, more than the trait 'most_actions', {after(path)}")
    others = random.Random(report.states)  # the games do not depend on them
    for action in others.sample(actions, min(len(actions), SISTERS)):
        sister = _enter(game, path, "result", state, action)
        _check_key(game, sister, [*path, str(_ask(game, path, "write", state, action))], report)
    action = rng.choice(actions)
    child = repr(plain(_enter(game, path, "result", state, action)))
    if child != repr(plain(_enter(game, path, "result", state, int(action)))):
        report.tell(f"result differs for {action!r} and {int(action)}, {after(path)}")
    if child == repr(plain(state)) and not game.cycles:
        report.tell(f"result({action}) gives back the same state, {after(path)}")
    _check_estimates(game, state, path, report)
    if report.states <= HINTED or report.states % HINTS_APART == 0:
        for problem in hint_problems(game, state, actions, partial(_ask, game, path), report.states):
            report.tell(f"{problem}, {after(path)}")
    _check_solve_ending(game, state, actions, path, report)
    return int(action)


def _check_estimates(game: Game, state: Any, path: list[str], report: Report) -> None:
    """Check what a search asks about a state whose value it does not know."""
    values = [_value(game, path, report, "evaluate", state, p) for p in range(game.players)]
    report.largest = max(report.largest, (max(map(abs, values)), after(path)), key=lambda seen: seen[0])
    if game.zero_sum and abs(sum(values)) > 1e-9:
        report.tell(f"evaluate is not zero-sum, {after(path)}")
    bounds = _ask(game, path, "bounds", state)
    if not isinstance(bounds, tuple) or len(bounds) != 2 or not all(map(is_number, bounds)):
        raise _Broken(f"bounds gives {bounds!r}, not two numbers, {after(path)}")
    if bounds[0] > bounds[1]:
        report.tell(f"bounds gives {bounds[0]} to {bounds[1]}, {after(path)}")


def _check_costs(game: Puzzle, state: Any, path: list[str], report: Report) -> None:
    """Are costs and estimates 0 or more, and do actions that should undo each other do so?"""
    estimate = _ask(game, path, "estimate", state)
    if not is_number(estimate) or not estimate >= 0:
        report.tell(f"estimate gives {estimate!r}, not a number of 0 or more, {after(path)}")
    for action in _ask(game, path, "actions", state):
        cost = _ask(game, path, "cost", state, action)
        if not is_number(cost) or not cost >= 0:
            raise _Broken(f"cost gives {cost!r}, not a number of 0 or more, {after(path)}")
        child = _enter(game, path, "result", state, action)
        for back in _ask(game, path, "actions", child):
            if _ask(game, path, "undoes", action, back):
                if plain(_enter(game, path, "result", child, back)) != plain(state):
                    report.tell(f"{back} does not undo {action}, {after(path)}")


def _check_solve_ending(game: Game, state: Any, actions: list[int], path: list[str], report: Report) -> None:
    """Is the value of `solve_ending` the best of its values one action later?"""
    if not _is_short(game, path, state) or game.chance or game.players != 2:
        return
    player, values = _ask(game, path, "player", state), []
    for action in actions:
        child = _enter(game, path, "result", state, action)
        if not _is_short(game, path, child):
            return
        value = _finished(game, path, child)
        values.append(value if _ask(game, path, "player", child) == player else -value)
    if _finished(game, path, state) != max(values):
        report.tell(
            f"solve_ending gives {_finished(game, path, state)}, and {max(values)} is best, {after(path)}"
        )


def _is_short(game: Game, path: list[str], state: Any) -> bool:
    """Is the rest of the game short enough to be played out here?"""
    return bool(_ask(game, path, "is_nearly_over", state) and _ask(game, path, "plies_left", state) <= SHORT)


def _finished(game: Game, path: list[str], state: Any) -> Any:
    answer = _ask(game, path, "solve_ending", state, game.lowest, game.highest)
    if not isinstance(answer, tuple) or len(answer) != 2 or not all(map(is_number, answer)):
        raise _Broken(f"solve_ending gives {answer!r}, not a value and a number of states, {after(path)}")
    return answer[0]


def _choose_chance(game: Game, state: Any, path: list[str], rng: random.Random, report: Report) -> int:
    chances = _ask(game, path, "chances", state)
    total = sum(p for _, p in chances)
    if not chances or abs(total - 1) > 1e-9:
        raise _Broken(f"the probabilities of chances add up to {total}, {after(path)}")
    if len(chances) > game.most_outcomes:
        report.tell(f"there are {len(chances)} outcomes, more than the trait 'most_outcomes', {after(path)}")
    if [int(o) for o, _ in chances] != [int(a) for a in _ask(game, path, "actions", state)]:
        report.tell(f"actions and chances give different outcomes, {after(path)}")
    return int(rng.choices([o for o, _ in chances], [p for _, p in chances])[0])


def _check_player(game: Game, state: Any, path: list[str]) -> None:
    player = _ask(game, path, "player", state)
    accepted = [*range(game.players), *([CHANCE] if game.chance else [])]
    if isinstance(player, bool) or not isinstance(player, int | np.integer) or player not in accepted:
        raise _Broken(f"player gives {player!r}, not one of {accepted}, {after(path)}")


def _check_key(game: Game, state: Any, path: list[str], report: Report) -> None:
    """Is the key a number, and does no other position have the same one?"""
    key = _ask(game, path, "key", state)
    if not isinstance(key, int | np.integer):
        raise _Broken(f"key gives {key!r}, not an int, {after(path)}")
    other, way = report.keys.setdefault(int(key) % (1 << 64), (state, path[:]))
    is_same = other is state or plain(other) == plain(state)
    rule = "" if is_same else differing_rule(game, other, state, partial(_ask, game, path))
    if rule:
        told = f"key gives the same number to two positions in which {rule} differs"
        report.tell(f"{told}, {after(path)}, and {after(way)}")


def _check_text(game: Game, state: Any, path: list[str], report: Report) -> None:
    text = _ask(game, path, "text", state)
    _ask(game, path, "show", state)
    if not text:
        return
    try:
        again = _enter(game, path, "parse", text)
    except _Broken as broken:
        report.tell(str(broken))
        return
    same = game.text(again) == text and (not game.compiles or mix(game.key(again)) == mix(game.key(state)))
    if not same:
        report.tell(f"parse(text(state)) is another state: '{text}', {after(path)}")


def _named(game: Game, state: Any, action: int, path: list[str], report: Report) -> str:
    """The name of an action, after a check that it reads back."""
    if game.chance and game.player(state) == CHANCE:
        return str(action)
    name = _ask(game, path, "write", state, action)
    if not isinstance(name, str):
        raise _Broken(f"write gives {name!r}, not a text, {after(path)}")
    back = _ask(game, path, "read", state, name)
    if back != action:
        report.tell(f"write({action}) is '{name}', which is read as {back}, {after(path)}")
    return str(name)


def _check_end(game: Game, state: Any, path: list[str], report: Report) -> None:
    scores = [_value(game, path, report, "utility", state, p) for p in range(game.players)]
    report.scores |= {abs(score) for score in scores if score}
    if game.zero_sum and abs(sum(scores)) > 1e-9:
        report.tell(f"the utilities {scores} do not add up to zero, {after(path)}")
