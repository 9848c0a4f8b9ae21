"""Find an exercise by its name or in a teacher's file, and a function in a student's file."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from gambito.errors import ExerciseError
from gambito.exercises.course import COURSE
from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.trial import line_in, raised
from gambito.words.sentence import Sentence


def find(spec: str) -> Exercise:
    """The exercise with that name, or the one in `teacher.py:NAME`."""
    file = re.fullmatch(r"(.+\.py):(\w+)", spec)
    if file is None:
        known = {exercise.name: exercise for exercise in COURSE}
        if spec not in known:
            raise ExerciseError(
                "unknown exercise '{}'; accepted: {}, or FILE.py:NAME", spec, ", ".join(known)
            )
        return known[spec]
    path = existing(file[1])
    module, wrong = read(path)
    if wrong is not None:
        raise ExerciseError("{}: {}{}", path, wrong.reason, f" (line {wrong.line})" if wrong.line else "")
    found = getattr(module, file[2], None)
    if not isinstance(found, Exercise):
        own = ", ".join(name for name, held in vars(module).items() if isinstance(held, Exercise)) or "none"
        raise ExerciseError("{} has no exercise '{}'; the exercises in it: {}", path, file[2], own)
    return found


def split(spec: str) -> tuple[str, str]:
    """A student's file, and the function if it is named: `minimax.py:my_minimax`."""
    file = re.fullmatch(r"(.+\.py):(\w+)", spec)
    return (file[1], file[2]) if file else (spec, "")


def existing(path: str) -> Path:
    if not Path(path).is_file():
        raise ExerciseError("there is no file {}", path)
    return Path(path)


def read(path: Path) -> tuple[ModuleType, Wrong | None]:
    """The file as a module; or what is wrong with it, with its line."""
    name = f"gambito_exercise_{path.stem}"
    found = importlib.util.spec_from_file_location(name, path)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module
    sys.path.insert(0, str(path.resolve().parent))
    try:
        found.loader.exec_module(module)
    except SyntaxError as problem:
        line = problem.lineno or 0
        return module, Wrong(Sentence("the file cannot be read: {}", problem.msg), "unreadable", line=line)
    except (Exception, SystemExit) as problem:
        line = line_in(str(module.__file__), problem)
        return module, Wrong(
            Sentence("the file cannot be read: it raises {}", raised(problem)), "unreadable", line=line
        )
    finally:
        sys.path.remove(str(path.resolve().parent))
    return module, None


def function_of(module: ModuleType, name: str) -> tuple[Any, Wrong | None]:
    """The function or class with that name; or an error if there is none."""
    function = getattr(module, name, None)
    if callable(function):
        return function, None
    own = [n for n, held in vars(module).items() if getattr(held, "__module__", "") == module.__name__]
    held = ", ".join(own) or "none"
    return None, Wrong(Sentence("the file has no function '{}'; there are: {}", name, held), "missing")
