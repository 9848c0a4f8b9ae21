"""The conformance check, shipped to authors of games: are the rules consistent, and alike in both gears?

It plays random games in the Python gear and checks every state; then it replays the same games in the native
gear, from the same source. It reports each problem with the position that shows it. The built-in games pass
the same check.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import random
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from gambito.errors import CompileError
from gambito.game.check_asking import Broken, after, ask, short
from gambito.game.check_gears import NATIVE, SHORT, gear_problems, new_seen, replay
from gambito.game.check_hidden import hidden_problems
from gambito.game.check_hints import hint_problems
from gambito.game.check_numbers import number_problems
from gambito.game.check_picture import picture_problems
from gambito.game.check_play import (
    Report,
    check_costs,
    check_end,
    check_inner,
    check_key,
    check_length,
    check_state,
    choose,
)
from gambito.game.contract import CHANCE, Game, game_name
from gambito.game.gears import gears
from gambito.game.mistakes import check_again, entered, located, range_problem, reason_of_python
from gambito.game.names import is_number, name_problems
from gambito.game.puzzle import Puzzle
from gambito.game.registry import make
from gambito.native import mix
from gambito.words.sentence import Sentence

GAMES, PLIES = 30, 2000  # the number of games, and the plies after which a game seems endless
SECONDS, REPLAYED = 8.0, 3.0  # for random games, and for their replay in the Python gear
FEWEST, ENOUGH = 4, 1000  # after this many games, this many states are enough
HINTED, HINTS_APART = 30, 10  # hints are asked of the first states, and then of every tenth
WALK_ACTIONS = 50  # actions of a random walk through a puzzle, which need not reach a goal
FAIR = 20  # after this many games, if all wins have one value, no evaluation should reach it
_MOST_TOLD = 10


Progress = Callable[[str, int, int], None]  # what is done now, how much of it, and of how much


def check(game: Any, games: int | None = None, seed: int = 0, progress: Progress | None = None) -> Report:
    """Play random games and report every rule that is broken, with the position that shows it.

    By default it plays 30 games, or fewer if they are long, and ends within 20 seconds, the compiler's time
    apart. `progress` is called with what is being done, how much of it is done, and how much there is.
    """
    game = make(game)
    taken: list[str] = [*name_problems(game)]
    if taken:
        taken = [located(game, Sentence(problem)) for problem in taken[:_MOST_TOLD]]
        return Report(game_name(type(game)), problems=taken)
    report = Report(game.label())
    if not isinstance(game, Puzzle) and (wrong := range_problem(game)):
        report.problems.append(located(game, wrong))
        return report
    show = progress or (lambda what, done, total: None)
    began = time.perf_counter()
    with _listening() as heard:
        played = _play_all(game, games, seed, report, show)
    if games is None:
        pace = (time.perf_counter() - began) / max(1, report.states)
        played = _shortened(played, int(REPLAYED / pace))
    if heard():
        report.notes.append(Sentence("the rules print; a search asks them a million times a second"))
    if report.is_cut and not report.scores:
        report.notes.append(Sentence("no random game came to its end in {} seconds", SECONDS))
    value, place = report.largest
    if report.ok and report.games >= FAIR and len(report.scores) == 1 and value >= max(report.scores):
        report.tell("evaluate gives {}, and a won game is worth {}, {}", value, max(report.scores), place)
    if report.ok:
        for problem in number_problems(game, random.Random(seed)):
            report.tell(problem)
    if report.ok and game.hidden:
        show("hidden information", 0, 1)
        for problem in hidden_problems(game, random.Random(seed)):
            report.tell(problem)
    if report.ok:
        show("gears", 0, 1)
        _compare(game, played, report)
    report.problems = [located(game, problem) for problem in map(Sentence, report.problems)]
    return report


@contextlib.contextmanager
def _listening() -> Iterator[Callable[[], bool]]:
    """A context that gives a function which tells whether something was printed in it."""
    out, kept = sys.stdout, io.StringIO()

    class Both(io.TextIOBase):
        def write(self, text: str) -> int:
            kept.write(text)
            return out.write(text)

        def flush(self) -> None:
            out.flush()

    with contextlib.redirect_stdout(Both()):
        yield lambda: bool(kept.getvalue())


def _play_all(game: Game, games: int | None, seed: int, report: Report, show: Progress) -> list[list[int]]:
    """Play random games; return their actions."""
    rng, until = random.Random(seed), float("inf") if games is not None else time.perf_counter() + SECONDS
    played: list[list[int]] = []
    total = GAMES if games is None else games
    for number in range(total):
        if games is None and number >= FEWEST and report.states >= ENOUGH:
            break
        show("games", number, total)
        actions = _play(game, rng, report, until, show)
        if actions is None:
            break
        played.append(actions)
        report.games += 1
        report.longest = max(report.longest, len(actions))
        if time.perf_counter() > until:
            break
    report.keys.clear()
    report.equal.clear()
    return played


def _shortened(played: list[list[int]], plies: int) -> list[list[int]]:
    """The first of these games, with so many plies together."""
    kept = []
    for actions in played:
        if plies > 0:
            kept.append(actions[:plies])
        plies -= len(actions) + 1
    return kept


def _compare(game: Game, played: list[list[int]], report: Report) -> None:
    """Compare the gears in these games."""
    if reason := reason_of_python(game):
        report.notes.append(reason)
        return
    both = gears(game)
    try:
        replay.prepare(both.in_gear("native", True), both.cast(game.initial()), new_seen([]), 0)
    except CompileError as refused:
        report.details = str(refused.__context__ or "")
        report.tell("the native gear: {}; or write `compiles = False` in the class", refused)
        return
    problems = list(itertools.islice(gear_problems(game, played), _MOST_TOLD))
    for problem in problems:
        report.tell(problem)
    report.native = not any(problem.startswith(NATIVE) for problem in problems)


def _play(game: Game, rng: random.Random, report: Report, until: float, show: Progress) -> list[int] | None:
    """Play one random game, to its end or until that time; None if a problem makes further games useless."""
    path: list[str] = []
    played: list[int] = []
    latest: int | None = None  # the ply by which the game must be over
    try:
        state = entered(game, path, "initial")
        board = ask(game, path, "picture")
        while True:
            report.states += 1
            is_over = check_state(game, state, len(played), path, report)
            latest = check_length(game, state, len(played), latest, path, report)
            check_key(game, state, path, report)
            _check_equal(game, state, path, report)
            _check_text(game, state, path, report)
            if is_over:
                check_end(game, state, path, report)
                return played
            if isinstance(game, Puzzle):
                check_costs(game, state, path, report)
                if len(played) >= WALK_ACTIONS or not ask(game, path, "actions", state):
                    return played
            if len(played) >= PLIES and game.longest is None:
                raise Broken(
                    "a game is longer than {} plies, and it may be endless; count the plies in the state and "
                    "end it, or say `longest = …` in the class, {}",
                    PLIES, after(path),
                )  # fmt: skip
            if time.perf_counter() > until:
                report.is_cut = True
                return played
            if board is not None:
                for problem in picture_problems(game, state, board, partial(ask, game, path)):
                    report.tell("{}, {}", problem, after(path))
            action = _choose(game, state, path, rng, report)
            path.append(_named(game, state, action, path, report))
            played.append(int(action))
            state = entered(game, path, "result", state, action)
    except Broken as broken:
        report.tell(broken.sentence)
        return None


def _choose(game: Game, state: Any, path: list[str], rng: random.Random, report: Report) -> int:
    """A random action, after a check of all actions."""
    action, actions = choose(game, state, path, rng, report)
    if not actions:  # chance decides
        number = len(ask(game, path, "actions", state))
        if number > game.most_outcomes:
            report.tell("there are {} outcomes, more than the trait 'most_outcomes', {}", number, after(path))
        return action
    check_again(game, state, actions, path)
    if game.most_actions is not None and len(actions) > game.most_actions:
        report.tell("there are {} actions, more than the trait 'most_actions', {}", len(actions), after(path))
    number = ask(game, path, "count", state)
    if number != len(actions):
        report.tell("count gives {}, and there are {} actions, {}", repr(number), len(actions), after(path))
    check_inner(game, state, actions, path, report)
    if report.states <= HINTED or report.states % HINTS_APART == 0:
        for problem in hint_problems(game, state, actions, partial(ask, game, path), report.states):
            report.tell("{}, {}", problem, after(path))
    _check_solve_ending(game, state, actions, path, report)
    return action


def _check_solve_ending(game: Game, state: Any, actions: list[int], path: list[str], report: Report) -> None:
    """Is the value of `solve_ending` the best of its values one action later?"""
    if not _is_short(game, path, state) or game.chance or game.players != 2:
        return
    player, values = ask(game, path, "player", state), []
    for action in actions:
        child = entered(game, path, "result", state, action)
        if not _is_short(game, path, child):
            return
        value = _finished(game, path, child)
        values.append(value if ask(game, path, "player", child) == player else -value)
    found = _finished(game, path, state)
    if found != max(values):
        report.tell("solve_ending gives {}, and {} is best, {}", found, max(values), after(path))


def _is_short(game: Game, path: list[str], state: Any) -> bool:
    """Is the rest of the game short enough to be played out here?"""
    return bool(ask(game, path, "is_nearly_over", state) and ask(game, path, "plies_left", state) <= SHORT)


def _finished(game: Game, path: list[str], state: Any) -> Any:
    answer = ask(game, path, "solve_ending", state, game.lowest, game.highest)
    if not isinstance(answer, tuple) or len(answer) != 2 or not all(map(is_number, answer)):
        told = repr(answer)
        raise Broken("solve_ending gives {}, not a value and a number of states, {}", told, after(path))
    return answer[0]


def _check_equal(game: Game, state: Any, path: list[str], report: Report) -> None:
    """Do states that are equal for Python have the same default key? It is made of all that they hold."""
    if type(game).key is not Game.key:
        return
    key = int(ask(game, path, "key", state))
    try:
        other, known = report.equal.setdefault(state, (state, key))
    except TypeError:  # it cannot be a key of a dictionary
        return
    if known != key:
        report.tell(
            "{} and {} are equal, and the default key tells them apart; give the game a rule 'key', {}",
            short(other), short(state), after(path),
        )  # fmt: skip


def _check_text(game: Game, state: Any, path: list[str], report: Report) -> None:
    text = ask(game, path, "text", state)
    ask(game, path, "show", state)
    if not text:
        return
    try:
        again = entered(game, path, "parse", text)
    except Broken as broken:
        report.tell(broken.sentence)
        return
    same = game.text(again) == text and (not game.compiles or mix(game.key(again)) == mix(game.key(state)))
    if not same:
        report.tell("parse(text(state)) is another state: '{}', {}", text, after(path))


def _named(game: Game, state: Any, action: int, path: list[str], report: Report) -> str:
    """The name of an action, after a check that it reads back."""
    if game.chance and game.player(state) == CHANCE:
        return str(action)
    name = ask(game, path, "write", state, action)
    if not isinstance(name, str):
        raise Broken("write gives {}, not a text, {}", repr(name), after(path))
    back = ask(game, path, "read", state, name)
    if back != action:
        report.tell("write({}) is '{}', which is read as {}, {}", action, name, back, after(path))
    return str(name)
