"""Finding a game: by name among the built-in and installed games, or by file and class.

There is no list of games: built-in ones are found by scanning the packages that are registered, installed
ones through the entry points `gambito.games`.
"""

from __future__ import annotations

import contextlib
import copyreg
import hashlib
import importlib
import importlib.util
import inspect
import operator
import os
import pkgutil
import re
import sys
import traceback
import warnings
from functools import lru_cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

from gambito.errors import GameError
from gambito.game.contract import RULES, Game, adapt, game_name, quoted
from gambito.game.names import check_names
from gambito.jobs.files import module_names
from gambito.words import say
from gambito.words.sentence import Sentence, sentence_of

RULES_FILE = "__gambito_rules__"  # a module with this name in it was loaded as a rules file
FILE_SPEC = r"(.+?\.py)(?::([^:]*))?(?::(.*))?"
_REST = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_packages: list[str] = []  # that hold built-in games, a module or a package for each
_adapters: dict[str, str] = {}  # modules that make games of other libraries, by the word before the colon


def register_games(package: str) -> None:
    """The modules of a package hold games, which are found by scanning it."""
    _packages.append(package)


def register_adapter(name: str, module: str) -> None:
    """Games named `NAME:…` are made by the function `make` of that module, from what follows the colon. The
    module is imported when one is asked for."""
    _adapters[name] = module


def is_built_in(kind: type) -> bool:
    """Is a class of games one of Gambito's own?"""
    return kind.__module__.startswith(tuple(f"{package}." for package in _packages))


def entry_points(group: str) -> Any:
    """What other packages have installed; the library that looks is slow to load."""
    from importlib import metadata

    return metadata.entry_points(group=group)


def game_classes() -> dict[str, type[Game]]:
    """Every game that has a name, sorted by name."""
    found: dict[str, type[Game]] = {}
    for package in _packages:
        for module in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}."):
            found.update(_classes(importlib.import_module(module.name)))
    for point in entry_points(group="gambito.games"):
        try:
            found[point.name] = point.load()
        except Exception as problem:  # one broken package must not hide the other games
            warnings.warn(say("the installed game {} cannot be read: {}", point.name, problem), stacklevel=2)
    return dict(sorted(found.items()))


def load(spec: Any) -> Game:
    """Load the game that `spec` names: `connect-four`, `connect-four:width=9,height=7`, `rules.py:MyGame`,
    `rules.py:MyGame:size=4`, `openspiel:tic_tac_toe`. A game, its class, or any object with the six rules is
    accepted too."""
    game = make(spec)
    check_names(game)
    return game


load_kept = lru_cache(4)(load)  # for workers: the jobs that they do are of few games


def make(spec: Any) -> Game:
    """The game that `spec` names, before a look at the names that its author has given."""
    if not isinstance(spec, str):
        try:
            return adapt(spec)
        except TypeError as problem:
            raise GameError(sentence_of(problem)) from None
    if is_adapted(spec):
        adapter, _, rest = spec.partition(":")
        game: Game = importlib.import_module(_adapters[adapter]).make(rest)
        return game
    return _make(*read_spec(spec), spec)


def is_adapted(spec: str) -> bool:
    """Does a game's text name a game of another library?"""
    return spec.partition(":")[0] in _adapters


def read_spec(spec: str) -> tuple[type, str]:
    """The class that a game's text names, and the parameters that follow."""
    file = re.fullmatch(FILE_SPEC, spec)
    if file:
        return _from_file(Path(file[1]), file[2] or ""), file[3] or ""
    name, _, given = spec.partition(":")
    return _by_name(name), given


def respell(spec: str, evaluation: str) -> str:
    """The spec of the same game with another evaluation."""
    file = re.fullmatch(FILE_SPEC, spec)
    head, given = (f"{file[1]}:{file[2] or ''}", file[3] or "") if file else spec.partition(":")[::2]
    kept = [part for part in given.split(",") if part and not part.startswith("evaluation=")]
    return f"{head}:{','.join([*kept, f'evaluation={evaluation}'])}"


def spec_of(game: Any) -> str:
    """The text from which `load` makes a game again in another process; a text is returned as it is.

    The class of an own game must be found in its file, and its parameters among its attributes.
    """
    if isinstance(game, str):
        return game
    game = make(game)
    with contextlib.suppress(Exception):
        spec = f"{_home(type(game))}{game.label()[len(game_name(type(game))) :]}"
        again, known = make(spec), game.parameters()
        is_told = known.keys() == parameters_of(type(game)).keys() and again.parameters() == known
        is_same = again.text(again.initial()) == game.text(game.initial()) and not _is_changed(game, again)
        if is_told and is_same:
            return spec
    raise GameError(
        "{} cannot be made again in another process; accepted: a game with a text, as FILE.py:CLASS",
        game.label(),
    )


def _is_changed(game: Game, fresh: Game) -> bool:
    """Was a rule or a number put on this object after it was made?"""
    for name, held in vars(game).items():
        if name.startswith("_gambito_") or name in type(game).prepare.__code__.co_names:
            continue
        if name not in vars(fresh) and hasattr(type(game), name):
            return True
        if isinstance(held, int | float | str) and held != vars(fresh).get(name, held):
            return True
    return False


def _home(kind: type[Game]) -> str:
    """Where another process finds a class: by its name, or in its file."""
    name, module = game_name(kind), sys.modules[kind.__module__]
    if is_built_in(kind) or module.__name__ == _adapters.get(name):
        return name
    installed = entry_points(group="gambito.games")
    if name in installed.names and installed[name].load() is kind:
        return name
    if module.__name__ == "__main__" or getattr(module, kind.__name__) not in kind.__mro__:
        raise LookupError
    return f"{Path(str(module.__file__)).resolve()}:{kind.__name__}"


def _by_name(name: str) -> type[Game]:
    """The game with that name; its own module is tried first, so that the others need not be imported."""
    for package in _packages:
        module = f"{package}.{name.replace('-', '_')}"
        if name.replace("-", "").isalnum() and importlib.util.find_spec(module):
            found = _classes(importlib.import_module(module))
            if name in found:
                return found[name]
    every = game_classes()
    if name not in every:
        accepted = ", ".join([*every, *(f"{adapter}:NAME" for adapter in _adapters)])
        raise GameError("unknown game '{}'; accepted: {}, or FILE.py:CLASS", name, accepted)
    return every[name]


def _from_file(path: Path, name: str) -> type:
    module = module_of(path)
    if not name:
        only = _classes(module)
        if not only:
            raise _no_game(path, module)
        if len(only) != 1:
            some = ", ".join(k.__name__ for k in only.values())
            raise GameError("{} holds {} games ({}); say which: {}:CLASS", path, len(only), some, path)
        return next(iter(only.values()))
    kind = getattr(module, name, None)
    if not isinstance(kind, type):
        some = ", ".join(k.__name__ for k in _classes(module).values()) or Sentence("none")
        raise GameError("{} has no class '{}'; the games in it: {}", path, name, some)
    return kind


def _no_game(path: Path, module: ModuleType) -> GameError:
    """The error for a file without a class that extends Game."""
    kinds = [held for held in vars(module).values() if isinstance(held, type) and not issubclass(held, Game)]
    meant = [kind.__name__ for kind in kinds if all(callable(getattr(kind, rule, None)) for rule in RULES)]
    if not meant:
        return GameError("{} holds no game: no class in it extends Game", path)
    return GameError(
        "{} holds no game: write `class {}(Game)`, or ask for {}:{}", path, meant[0], path, meant[0]
    )


def module_of(path: Path) -> ModuleType:
    """The module of a rules file: the one that `import` gives, if it finds this file. So a class that is
    imported and the same class loaded by its path are one. Any other file is a module with its own name."""
    if not os.path.isfile(path):  # False too where no file can have such a name
        raise GameError("there is no file {}", path)
    file = path.resolve()
    given = module_names.get(str(file), "")  # the name where a job comes from; machine code depends on it
    imported = _import_name(file) if not given else given if given.rpartition(".")[2] == file.stem else ""
    own = f"gambito_rules_{file.stem}_{hashlib.sha256(str(file).encode()).hexdigest()[:8]}"
    name = given or imported or own
    module = sys.modules.get(name)
    if module is None:
        folders = [str(file.parent), str(file.parents[imported.count(".")])]
        sys.path[:0] = folders
        try:
            module = importlib.import_module(name) if imported else _run(name, file)
        except Exception as problem:
            what = Sentence("{}: {}", type(problem).__name__, problem)
            lines = [
                at.lineno for at in traceback.extract_tb(problem.__traceback__) if at.filename == str(file)
            ]
            if lines:
                what = Sentence("{} ({}, line {})", what, path.name, lines[-1])
            raise GameError("{} cannot be read: {}", path, what) from None
        finally:
            for folder in folders:
                sys.path.remove(folder)
    vars(module)[RULES_FILE] = True
    return module


def _import_name(path: Path) -> str:
    """The name under which `import` finds a file; "" if it does not."""
    parts = [path.stem]
    folder = path.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    if not any(Path(entry or ".").resolve() == folder for entry in sys.path):
        return ""
    try:
        found = importlib.util.find_spec(".".join(parts))
    except (ImportError, ValueError):
        return ""
    is_this = found is not None and found.origin is not None and Path(found.origin).resolve() == path
    return ".".join(parts) if is_this else ""


def _run(name: str, path: Path) -> ModuleType:
    """Run a file as the module of that name. Its objects can be pickled: another process runs it too."""
    found = importlib.util.spec_from_file_location(name, path)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module
    try:
        found.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    for kind in vars(module).values():
        if isinstance(kind, type) and kind.__module__ == name:
            copyreg.pickle(kind, partial(_reduce, path))
    return module


def _reduce(path: Path, thing: Any) -> Any:
    """How an object of a class from a rules file is pickled: with the file, instead of a module's name."""
    made, args, *rest = thing.__reduce_ex__(2)
    if made is not copyreg.__newobj__:  # type: ignore[attr-defined]
        return made, args, *rest
    return _rebuild, (str(path), type(thing).__qualname__, *args[1:]), *rest


def _rebuild(path: str, name: str, *args: Any) -> Any:
    kind = operator.attrgetter(name)(module_of(Path(path)))
    return kind.__new__(kind, *args)


def _classes(module: ModuleType) -> dict[str, type[Game]]:
    """The games that a module defines, by name."""
    inside = f"{module.__name__}."
    own = [v for v in vars(module).values() if isinstance(v, type) and f"{v.__module__}.".startswith(inside)]
    return {
        game_name(k): k
        for k in own
        if issubclass(k, Game) and k is not Game and not k.__name__.startswith("_")
    }


def _make(kind: type, given: str, spec: str) -> Game:
    known = parameters_of(kind)
    values: dict[str, Any] = {}
    for part in filter(None, given.split(",")):
        name, equals, text = part.partition("=")
        if name not in known or not equals:
            accepted = ", ".join(map(_written, known.values())) or Sentence("none")
            raise GameError(
                "'{}' is not a parameter of {}; accepted: {}", part, spec.partition(":")[0], accepted
            )
        values[name] = _read_parameter(name, text, known[name].default)
    needed = [name for name, each in known.items() if each.default is each.empty and each.kind not in _REST]
    if lacking := [name for name in needed if name not in values]:
        told = ", ".join(f"{name}=…" for name in lacking)
        raise GameError(
            "{} needs {}; give `__init__` a default for it, or write {}:{}:{}",
            kind.__name__, told, spec.partition(":")[0], kind.__name__, told.replace(", ", ","),
        )  # fmt: skip
    try:
        return adapt(kind(**values))
    except Exception as problem:  # its `__init__` may raise anything
        raise GameError("{} cannot be made: {}", spec, problem) from None


def parameters_of(kind: type) -> dict[str, inspect.Parameter]:
    """The parameters of a class of games."""
    return dict(inspect.signature(kind).parameters)


def _written(parameter: inspect.Parameter) -> str:
    """A parameter as it is written in a game's name."""
    has_default = parameter.default is not inspect.Parameter.empty
    return f"{parameter.name}={parameter.default if has_default else '…'}"


def _read_parameter(name: str, text: str, default: Any) -> Any:
    """Read the value of a parameter, which has the type of its default."""
    kind = type(default)
    try:
        if kind is bool:
            return read_bool(text)
        return kind(text) if kind in (int, float, str) else int(text)
    except (KeyError, ValueError):
        wanted = {float: Sentence("a number"), bool: Sentence("true or false")}
        raise GameError(
            "{} must be {}, not {}", name, wanted.get(kind, Sentence("a whole number")), quoted(text)
        ) from None


def read_bool(given: object) -> bool:
    """Read true or false, also from words; any other word raises KeyError."""
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    return words[str(given).lower()]
