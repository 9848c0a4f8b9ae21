"""Try a student's function case by case, the smallest first. If it is wrong, find a smaller case that it also
gets wrong, and the common mistake that gives the same answers."""

from __future__ import annotations

import copy
import dataclasses
import functools
import inspect
import math
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from gambito.exercises.counted import TooManySteps
from gambito.exercises.exercise import Wrong
from gambito.words.sentence import Sentence, sentence_of

Function = Callable[..., Any]
Fits = Callable[[Any], bool]
COLOR = "color"
IN_TURN = "it assumes that the players take turns, but a player may move twice"
SHRINKS, SHRINK_SECONDS = 400, 3.0
FIRST, SPREAD = 120, 160  # cases to compare with mistakes: the smallest ones, and others
CLOSE = 1e-9
DIGITS = 9  # of numbers that are compared up to rounding


def every_case(case: Any) -> bool:
    """Every case fits."""
    return True


class StudentAnswer(NamedTuple):
    """What a function returned, and its cost."""

    value: Any
    leaves: int = 0
    results: int = 0
    seen: int = 0  # different leaves


class Case(Protocol):
    """One case to call a function with."""

    @property
    def text(self) -> str: ...

    @property
    def given(self) -> str: ...

    def ask(self, function: Function) -> StudentAnswer: ...

    def smaller(self) -> Iterable[Case]: ...

    def shown(self) -> tuple[str, str]:
        """A drawing, and the command that makes one; empty if there is none."""
        ...


@dataclasses.dataclass(frozen=True)
class PlainArguments:
    """Plain arguments for a function that uses no game."""

    args: tuple[Any, ...]
    text: str = ""

    @property
    def given(self) -> str:
        return "" if self.text else ", ".join(map(repr, self.args))

    def ask(self, function: Function) -> StudentAnswer:
        return StudentAnswer(function(*copy.deepcopy(self.args)))

    def smaller(self) -> Iterable[PlainArguments]:
        return ()

    def shown(self) -> tuple[str, str]:
        return "", ""


def rounded(value: Any) -> Any:
    """An answer without errors of rounding, in lists and dictionaries too; what is not a number is kept."""
    if is_number(value):
        return round(float(value), DIGITS) + 0.0  # + 0.0: there is no -0.0
    if isinstance(value, dict):
        return {key: rounded(held) for key, held in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(held) for held in value]
    if hasattr(value, "tolist"):
        return rounded(value.tolist())
    return value


class Rounded(PlainArguments):
    """Plain arguments for a function whose numbers are compared up to rounding."""

    def ask(self, function: Callable[..., Any]) -> StudentAnswer:
        return StudentAnswer(rounded(super().ask(function).value))


def takes_color(function: Function) -> bool:
    """Does a search have the argument `color` of the lectures, 1 for MAX and -1 for MIN?"""
    try:
        return COLOR in inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False


def with_color(function: Function) -> Function:
    """A search as its first call calls it, with the color of the player to move as the last argument."""

    @functools.wraps(function)
    def called(game: Any, state: Any, *given: Any) -> Any:
        return function(game, state, *given, 1 - 2 * game.player(state))

    return called


class Trying:
    """The case that is being tried, for a thread that watches the clock."""

    def __init__(self) -> None:
        self.tell: Callable[[str, str], None] | None = None  # called with each position
        self.hear: Callable[[Wrong], None] | None = None  # called with the error known so far
        self.last: Callable[[], None] | None = None  # called after the case that will be reported was tried
        self.begin()

    def begin(self) -> None:
        self.count, self.text, self.given, self.since = 0, "", "", time.monotonic()
        self.found: Wrong | None = None
        self.elsewhere: Wrong | None = None  # where a right function is wrong about what it need not know

    def __call__(self, text: str, given: str = "") -> None:
        """Announce the next case; a teacher's own check calls this before each position."""
        self.count += 1
        self.again(text, given)

    def again(self, text: str, given: str = "") -> None:
        """Announce a case that no longer counts."""
        self.text, self.given, self.since = text, given, time.monotonic()
        if self.tell is not None:
            self.tell(text, given)

    def keep(self, wrong: Wrong) -> None:
        """Record an error that holds even if the search for a smaller case fails."""
        self.found = wrong
        if self.hear is not None:
            self.hear(wrong)

    def reported(self) -> None:
        """The case tried last is the one that will be reported."""
        if self.last is not None:
            self.last()


trying = Trying()


@dataclasses.dataclass(frozen=True)
class Trial:
    """A check: cases, a judge of answers, mistakes to recognise, and a test of all cases together.

    `judge(case, answer)` returns what is wrong with an answer, or None. `before(function)` is called at the
    beginning, `overall(function)` at the end. If there is `in_turn(case)`, a function with the argument
    `color` need only be right about cases in which it holds: the players take turns.
    """

    cases: Callable[[], Sequence[Case]]
    judge: Callable[[Any, StudentAnswer], Wrong | None]
    mistakes: Sequence[tuple[str, Function]] = ()
    overall: Callable[[Function], Wrong | None] | None = None
    before: Callable[[Function], Wrong | None] | None = None
    in_turn: Callable[[Any], bool] | None = None

    def __call__(self, function: Function) -> Wrong | None:
        cases = self.cases()
        if self.in_turn is None or not takes_color(function):
            return self._check(function, cases)
        return self._check_in_turn(with_color(function), cases, self.in_turn)

    def _check_in_turn(self, function: Function, cases: Sequence[Case], in_turn: Fits) -> Wrong | None:
        """Check where the players take turns; if it is right there, keep one of the others to tell."""
        wrong = self._check(function, [case for case in cases if in_turn(case)], in_turn)
        if wrong is not None:
            return wrong
        for case in cases:
            if not in_turn(case):
                trying.again(case.text, case.given)
                wrong = self._wrong(function, case)
                if wrong is not None:
                    found = self._smallest(function, case, wrong, lambda case: not in_turn(case))
                    trying.found = None
                    trying.elsewhere = dataclasses.replace(_at(*found), mistake=IN_TURN)
                    break
        return None

    def _check(self, function: Function, cases: Sequence[Case], fits: Fits = every_case) -> Wrong | None:
        wrong = attempt(function, lambda: self.before(function)) if self.before else None  # type: ignore[misc]
        if wrong is not None:
            return wrong
        for case in cases:
            trying(case.text, case.given)
            wrong = self._wrong(function, case)
            if wrong is not None:
                case, wrong = self._smallest(function, case, wrong, fits)
                trying.again(case.text, case.given)
                _answer(function, case)
                trying.reported()
                wrong = _at(case, wrong)
                trying.keep(wrong)
                return dataclasses.replace(wrong, mistake=self._recognise(function, cases, case, wrong.kind))
        if self.overall is None:
            return None
        wrong = attempt(function, lambda: self.overall(function))  # type: ignore[misc]
        if wrong is None or wrong.mistake:
            return wrong
        return dataclasses.replace(wrong, mistake=self._recognise(function, cases, None, wrong.kind))

    def _wrong(self, function: Function, case: Case) -> Wrong | None:
        return attempt(function, lambda: self.judge(case, case.ask(function)))

    def _smallest(
        self, function: Function, case: Case, wrong: Wrong, fits: Fits = every_case
    ) -> tuple[Case, Wrong]:
        """A case that cannot be made smaller without the function being right about it."""
        left, until = SHRINKS, time.monotonic() + SHRINK_SECONDS
        trying.keep(_at(case, wrong))
        found = True
        while found:
            found = False
            for other in case.smaller():
                if not fits(other):
                    continue
                left -= 1
                if left < 0 or time.monotonic() > until:
                    return case, wrong
                trying.again(other.text, other.given)
                worse = self._wrong(function, other)
                if worse is not None and worse.kind == wrong.kind:
                    case, wrong, found = other, worse, True
                    break
        return case, wrong

    def _recognise(self, function: Function, cases: Sequence[Case], wrong: Case | None, kind: str) -> str:
        """The mistake that gives the same answers as the function in all cases."""
        if kind in ("raises", "endless", "type") or not self.mistakes:
            return ""
        asked = [*cases[:FIRST], *cases[FIRST :: max(1, len(cases) // SPREAD)]]
        answers: list[tuple[Case, StudentAnswer]] = []
        for case in [wrong, *asked] if wrong is not None else asked:
            trying.again(case.text, case.given)
            answers.append((case, _answer(function, case)))
        for name, mistake in self.mistakes:
            if all(_same(answer, _answer(mistake, case), kind) for case, answer in answers):
                return name
        return ""


def _at(case: Case, wrong: Wrong) -> Wrong:
    """The error with its position and a drawing."""
    drawing, command = case.shown()
    return dataclasses.replace(
        wrong,
        position=wrong.position or case.text,
        given=wrong.given or case.given,
        drawing=wrong.drawing or drawing,
        command=wrong.command or command,
    )


def with_mistakes(function: Function, names: Iterable[str]) -> list[tuple[str, Function]]:
    """A solution that takes `mistake=NAME`, once for each name."""

    def wrong(name: str) -> Function:
        return lambda *given: function(*given, mistake=name)

    return [(name, wrong(name)) for name in names]


def _answer(function: Function, case: Case) -> StudentAnswer:
    try:
        return case.ask(function)
    except (Exception, TooManySteps) as problem:
        return StudentAnswer(type(problem).__name__)


def _same(one: StudentAnswer, other: StudentAnswer, kind: str) -> bool:
    if kind == "leaves" and (one.leaves, one.results) != (other.leaves, other.results):
        return False
    return equal(one.value, other.value)


def equal(one: Any, other: Any) -> bool:
    """Are two values equal, up to rounding?"""
    if is_number(one) and is_number(other):
        return bool(one == other or abs(one - other) <= CLOSE)
    try:
        return bool(one == other)
    except Exception:
        return False


def is_number(value: Any) -> bool:
    """Is it a real number, and neither a boolean nor NaN?"""
    if isinstance(value, bool | str | bytes):
        return False
    try:
        return not math.isnan(value)
    except (TypeError, ValueError):
        return False


def wrong_type(value: Any, kind: str) -> Wrong:
    """A value of another type than `kind`."""
    wanted = Sentence(kind)
    if value is None:
        reason = Sentence("it returns None instead of {}: perhaps a return is missing", wanted)
    elif inspect.isgenerator(value):
        reason = Sentence(
            "it returns a generator instead of {}: a function with yield computes nothing when it is called",
            wanted,
        )
    else:
        reason = Sentence("it returns {} instead of {}", shortened(value), wanted)
    return Wrong(reason, "type", gave=shortened(value))


def shortened(value: Any) -> str:
    """Any value as text for one line of a message."""
    try:
        text = " ".join(repr(value).split())
    except Exception:
        text = f"an object of {type(value).__name__}"
    return text if len(text) <= 80 else text[:79] + "…"


def attempt(function: Function, work: Callable[[], Wrong | None]) -> Wrong | None:
    """What the work finds; or what the student's code raises, with its line."""
    try:
        return work()
    except TooManySteps as problem:
        return Wrong(sentence_of(problem), "endless", line=line_of(function, problem))
    except RecursionError as problem:
        return Wrong("it calls itself without end", "endless", line=line_of(function, problem))
    except (Exception, SystemExit) as problem:
        line = line_of(function, problem)
        if not line and not _is_call(function, problem):
            raise  # an error in the check, not in the student's code
        return Wrong(Sentence("it raises {}", raised(problem)), "raises", line=line)


def raised(problem: BaseException) -> Sentence:
    """The name and the message of an exception."""
    name, said = type(problem).__name__, sentence_of(problem)
    return Sentence("{}: {}", name, said) if said else Sentence(name)


def home(function: Any) -> str:
    """The file that defines a function or a class."""
    module = sys.modules.get(getattr(function, "__module__", "") or "")
    return getattr(module, "__file__", "") or getattr(getattr(function, "__code__", None), "co_filename", "")


def line_of(function: Function, problem: BaseException) -> int:
    """The last line of the student's file in the traceback; 0 if there is none."""
    return line_in(home(function), problem)


def line_in(file: str, problem: BaseException) -> int:
    """The last line of a file in the traceback."""
    steps = traceback.walk_tb(problem.__traceback__)
    return next((n for frame, n in reversed(list(steps)) if frame.f_code.co_filename == file), 0)


def _is_call(function: Function, problem: BaseException) -> bool:
    """Was the function called with arguments that it does not take?"""
    name = getattr(function, "__name__", "")
    return isinstance(problem, TypeError) and bool(name) and name in str(problem)
