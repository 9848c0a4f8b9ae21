"""Why a function cannot be compiled, in an author's words: on which line, and what to write instead.

Numba tells it in terms of types and opcodes, with the lines of every function on the way. The line told here
is the innermost one that is an author's. What Numba says is the `__context__` of the CompileError.
"""

from __future__ import annotations

import ast
import linecache
import re
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import llvmlite
import numba
import numpy as np

from gambito.native.compiler.folding import GIVEN_GENERATOR
from gambito.native.kinds import ConstantKind
from gambito.native.objects import known_constant
from gambito.words.sentence import Sentence

_PACKAGE = Path(__file__).resolve().parent.parent.parent
_GAMES = _PACKAGE / "games"
_STANDARD = Path(sysconfig.get_path("stdlib")).resolve()
_SITE = Path(sysconfig.get_path("purelib")).resolve()  # may be a folder of the standard library
_LIBRARIES = tuple(Path(str(library.__file__)).resolve().parent for library in (np, numba, llvmlite))
_PLACES = re.compile(
    r'File "(?P<file>(?!unknown )[^"\n]+)", line (?P<line>[0-9]+)'
    r"|\b(?:at|from) (?P<f>[^\n]+?) \((?P<l>[0-9]+)\)"
)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_GENERAL = (  # how lines of Numba's message begin that name no cause
    "During",
    "File ",
    "Failed in",
    "raised from",
    "There are",
    "Resolution failure",
    "None",
    ">>>",
    "^",
)


def sentence(name: str, problem: Exception, kind: ConstantKind) -> Sentence:
    """What keeps a function from being compiled for a constant, in one line, with its place in the rules."""
    text = _COLOUR.sub("", str(problem))  # Numba paints its messages where colorama is installed
    said, met = _cause(text), _Met(text, kind)
    told = None
    for pattern, words in _WORDS:
        match = re.search(pattern, said, re.DOTALL)
        told = told or (match and words(match, met))
    told = told or Sentence(kinds_in(said))
    if met.place is None:
        return Sentence("{} cannot be compiled: {}", name, told)
    function = met.place.function()
    return Sentence(
        "{} cannot be compiled: {} ({}, line {})",
        name if function is None else function.name, told, Path(met.place.file).name, met.place.line,
    )  # fmt: skip


def _cause(text: str) -> str:
    """The innermost cause that Numba names."""
    lines = [line.strip().removeprefix("- ") for line in text.splitlines()]
    causes = [line for line in lines if line and not line.startswith(_GENERAL)]
    cause = causes[0] if causes else "unknown cause"
    calls = [line.removeprefix(">>> ") for line in lines if line.startswith(">>>")]
    return f"{cause} {calls[0]}" if cause.endswith(":") and calls else cause


class Place(NamedTuple):
    """A line of a file."""

    file: str
    line: int

    def function(self) -> ast.FunctionDef | None:
        """The function that holds the line."""
        functions = (node for node in ast.walk(_tree(self.file)) if isinstance(node, ast.FunctionDef))
        inside = [node for node in functions if node.lineno <= self.line <= (node.end_lineno or 0)]
        return max(inside, key=lambda node: node.lineno, default=None)

    def is_authors(self) -> bool:
        """Is the file neither Gambito's nor a library's? Gambito's games have authors too."""
        path = Path(self.file).resolve()
        if path.is_relative_to(_PACKAGE):
            return path.is_relative_to(_GAMES)
        is_standard = path.is_relative_to(_STANDARD) and not path.is_relative_to(_SITE)
        return not is_standard and not any(map(path.is_relative_to, _LIBRARIES))


def _places(text: str) -> Iterator[Place]:
    """The lines that a message names, innermost first."""
    for found in _PLACES.finditer(text):
        yield Place(found["file"] or found["f"], int(found["line"] or found["l"]))


def _tree(file: str) -> ast.Module:
    """The syntax tree of a file; an empty one if it cannot be read."""
    linecache.checkcache(file)  # it may have been edited since
    try:
        return ast.parse("".join(linecache.getlines(file)))
    except SyntaxError:
        return ast.Module([], [])


class _Met:
    """What Numba has met: its message, the rules, and the author's line as far as it is known."""

    def __init__(self, text: str, kind: ConstantKind) -> None:
        self.text, self.constant = text, known_constant(kind.label, kind.key)
        self.place = next(filter(Place.is_authors, _places(text)), None)
        called = re.search(r"BoundFunction\(\(<function \w+ [^>]*>, '(\w+)'", text)
        if self.place is None and called:
            self.place = self.rule(called[1])

    def rule(self, name: str) -> Place | None:
        """The first line of a rule, if an author gives it."""
        code = None if self.constant is None else getattr(self.constant.find(name), "__code__", None)
        place = None if code is None else Place(code.co_filename, code.co_firstlineno)
        return place if place and place.is_authors() else None

    def kept_in(self, name: str) -> tuple[str, bool] | None:
        """The attribute of a global name that the line uses, or the name itself if the line changes an item
        of it; and whether it is changed."""
        if self.place is None:
            return None
        for node in ast.walk(_tree(self.place.file)):
            if not isinstance(node, ast.Attribute | ast.Subscript) or node.lineno != self.place.line:
                continue
            if isinstance(node.value, ast.Name) and node.value.id == name:
                is_changed = isinstance(node.ctx, ast.Store)
                if isinstance(node, ast.Attribute):
                    return node.attr, is_changed
                if is_changed:
                    return name, True
        return None

    def look_for(self, is_meant: Callable[[ast.AST], bool]) -> bool:
        """Go to the first node of the author's files of which that is true; return whether there is one."""
        for file in self._files():
            for node in ast.walk(_tree(file)):
                if is_meant(node):
                    self.place = Place(file, getattr(node, "lineno", 1))
                    return True
        return False

    def _files(self) -> list[str]:
        """The file of the line that is known, or else those of the author's class."""
        if self.place is not None:
            return [self.place.file]
        kind = object if self.constant is None else type(self.constant.subject)
        held = (each for base in kind.__mro__ for each in vars(base).values())
        files = dict.fromkeys(each.__code__.co_filename for each in held if hasattr(each, "__code__"))
        return [file for file in files if Place(file, 1).is_authors()]


# ---- kinds of values -------------------------------------------------------------------------------------

_PLAIN = {"int64": "int", "float64": "float", "boolean": "bool", "unicode_type": "str", "none": "None"}
_HEADS = (  # how Numba's name of a type with brackets begins, and the word for it
    (r"(?:reflected )?[Ll]ist\(", "list"),
    (r"(?:reflected )?set\(", "set"),
    (r"DictType\[", "dict"),
    (r"\b(?:Uni)?Tuple\(", "tuple"),
    (r"(?:readonly )?[Aa]rray\(", "array"),
    (r"(?:\w+ )?generator\(", "generator"),
    (r"Constant\(", "the game"),
    (r"Literal\[int\]\(", "int"),
    (r"Literal\[str\]\(", "str"),
)
_NAMED = r"\b([A-Z]\w*)\((?=[A-Z]?\w+(?: x [0-9]+\)|[,)(]))"  # a NamedTuple with the types of its fields


def kinds_in(text: str) -> str:
    """A text in which types are named as Python names them."""
    for head, word in _HEADS:
        while found := re.search(head, text):
            rest = text[_closing(text, found.end() - 1) :]
            text = text[: found.start()] + word + re.sub(r"^<iv=[^>]*>", "", rest)
    while found := re.search(r"Optional(?:Type)?\(", text):
        end = _closing(text, found.end() - 1)
        text = f"{text[: found.start()]}{text[found.end() : end - 1]} or None{text[end:]}"
    while found := re.search(_NAMED, text):
        text = text[: found.end(1)] + text[_closing(text, found.end() - 1) :]
    text = re.sub(r"IntEnum<\w+>\((\w+)\)", r"\1", text)
    for name, word in _PLAIN.items():
        text = re.sub(rf"\b{name}\b", word, text)
    return text


def _closing(text: str, start: int) -> int:
    """The place after the bracket that closes the one at `start`; the end of the text if none does."""
    depth = 0
    for place in range(start, len(text)):
        depth += (text[place] in "([") - (text[place] in ")]")
        if depth == 0:
            return place + 1
    return len(text)


def _listed(text: str) -> list[str]:
    """The types in a list of them, in Python's words where these tell them apart."""
    parts, start, depth = [], 0, 0
    for place, letter in enumerate(f"{text},"):
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
    said = list(map(kinds_in, parts))
    return list(dict.fromkeys(said if len(set(said)) > 1 else parts))


# ---- causes ----------------------------------------------------------------------------------------------

_INSTEAD = {
    "list": Sentence("write a tuple, or a NumPy array"),
    "dict": Sentence("write a tuple or a NumPy array whose places are the keys"),
    "set": Sentence("write a tuple, or the bits of a np.uint64"),
    "frozenset": Sentence("write a tuple, or the bits of a np.uint64"),
}


def _instead_of(kind: str) -> Sentence:
    return _INSTEAD.get(kind, Sentence("write numbers, tuples or NumPy arrays"))


def _recursion(match: re.Match[str], met: _Met) -> Sentence:
    return Sentence(
        "it calls itself, directly or through another one; "
        "write a loop, or a function of the module instead of a method"
    )


def _unreadable(match: re.Match[str], met: _Met) -> Sentence:
    name, kind = match["name"], match["kind"]
    kept = met.kept_in(name)
    if kept is not None and kept[1]:
        return _global_changed(name) if kept[0] == name else _attribute_changed(kept[0])
    if kept is not None and kind == "type":
        return Sentence("'{}' is a class, which compiled code cannot read; write `self.{}`", name, kept[0])
    if kind == "_lru_cache_wrapper":
        return Sentence("'{}' has a cache, which compiled code cannot read; leave `@lru_cache` out", name)
    if kind in ("property", "cached_property"):
        return Sentence("'{}' is a property; write a method, and call it", name)
    if kind in ("builtin_function_or_method", "type", "ABCMeta", "EnumMeta", "EnumType"):
        return _missing(name)
    return Sentence("'{}' is a {}, which compiled code cannot read; {}", name, kind, _instead_of(kind))


def _missing(name: str) -> Sentence:
    return Sentence("compiled code has no '{}'; write it out with numbers, tuples and loops", name)


def _library(match: re.Match[str], met: _Met) -> Sentence | None:
    """The author's line calls a function of a library, inside which the cause is."""
    inner = next(_places(met.text), None)
    if inner is None or met.place is None or inner.is_authors() or _is_gambitos(inner):
        return None
    nodes = ast.walk(_tree(met.place.file))
    calls = [n.func for n in nodes if isinstance(n, ast.Call) and n.lineno == met.place.line]
    return _missing(ast.unparse(calls[0]) if calls else Path(inner.file).stem)


def _is_gambitos(place: Place) -> bool:
    return Path(place.file).resolve().is_relative_to(_PACKAGE)


def _global_changed(name: str) -> Sentence:
    return Sentence(
        "it changes the global name '{}'; a rule keeps nothing between calls, so put it into the state", name
    )


def _attribute_changed(name: str) -> Sentence:
    return Sentence(
        "it changes the attribute '{}'; a rule keeps nothing between calls, so put it into the state", name
    )


def _changes_global(match: re.Match[str], met: _Met) -> Sentence:
    function = None if met.place is None else met.place.function()
    inside = () if function is None else ast.walk(function)
    names = [name for node in inside if isinstance(node, ast.Global) for name in node.names]
    return _global_changed(", ".join(names))


def _changes_game(match: re.Match[str], met: _Met) -> Sentence:
    name = match[1]
    made = met.rule("__init__")
    maker = None if made is None else made.function()
    apart = range(0) if maker is None else range(maker.lineno, (maker.end_lineno or 0) + 1)

    def is_meant(node: ast.AST) -> bool:
        is_written = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        return is_written and node.attr == name and node.lineno not in apart  # type: ignore[attr-defined]

    met.look_for(is_meant)
    return _attribute_changed(name)


_OPCODES = {
    "SEND": Sentence("write `for … in …: yield …` instead of `yield from`"),
    "GET_YIELD_FROM_ITER": Sentence("write `for … in …: yield …` instead of `yield from`"),
    "IMPORT_NAME": Sentence("write the import at the top of the file"),
    "BEFORE_WITH": Sentence("compiled code has no `with`"),
    "LOAD_BUILD_CLASS": Sentence("write the class at the top of the file"),
}


def _opcode(match: re.Match[str], met: _Met) -> Sentence:
    return _OPCODES.get(match[1]) or Sentence("compiled code does not know this statement ({})", match[1])


def _generator(match: re.Match[str], met: _Met) -> Sentence:
    return Sentence("a function inside it yields; write that function at the top of the file")


def _given_generator(match: re.Match[str], met: _Met) -> Sentence:
    return Sentence("an argument is a generator that keeps arrays; give it the list of its items: `list(…)`")


def _walrus(match: re.Match[str], met: _Met) -> Sentence | None:
    is_there = met.look_for(lambda node: isinstance(node, ast.NamedExpr))
    return Sentence("it holds `:=`; write the assignment on a line of its own") if is_there else None


def _indexed_twice(match: re.Match[str], met: _Met) -> Sentence:
    return Sentence("an array is indexed by several lists; write `np.array(…)` around each of them")


def _format(match: re.Match[str], met: _Met) -> Sentence:
    return Sentence("it holds an f-string with `:` or `=`; write the value alone between the braces")


def _escaping(match: re.Match[str], met: _Met) -> Sentence:
    return Sentence(
        "a function inside it uses '{}'; write that function at the top of the file, "
        "with '{}' as an argument",
        match[1], match[1],
    )  # fmt: skip


_CHANGING = {ast.List: "list", ast.Dict: "dict", ast.Set: "set"}


def _default(match: re.Match[str], met: _Met) -> Sentence:
    """A list, dict or set as the default of an argument: Numba names the line of the call, or none."""
    line = "" if met.place is None else linecache.getline(met.place.file, met.place.line)
    found: list[tuple[str, str]] = []

    def is_meant(node: ast.AST) -> bool:
        if isinstance(node, ast.FunctionDef) and (not line or re.search(rf"\b{node.name}\(", line)):
            pairs = zip(reversed(node.args.args), reversed(node.args.defaults), strict=False)
            held = ((argument.arg, _CHANGING.get(type(given), "")) for argument, given in pairs)
            found.extend((kind, name) for name, kind in held if kind)
        return bool(found)

    if met.look_for(is_meant):
        kind, name = found[0]
        return Sentence("a {} is the default of its argument '{}'; {}", kind, name, _instead_of(kind))
    return Sentence("a list is empty here, so the type of its items is not known; {}", _instead_of("list"))


def _attribute(match: re.Match[str], met: _Met) -> Sentence:
    name, kind = match.groups()
    if module := re.match(r"Module\(<module '([\w.]+)'", kind):
        if "random" in (module[1], name):
            return Sentence(
                "a rule draws no random numbers; "
                "dice and cards are moves of CHANCE, which the rule 'chances' lists"
            )
        return _missing(f"{module[1]}.{name}")
    is_named, kind = re.match(_NAMED, kind), kinds_in(kind)
    if kind == "the game":
        if met.constant is not None and hasattr(met.constant.subject, name):
            return Sentence("'{}' is None; write a number that means nothing, such as -1", name)
        return Sentence("the game has no attribute '{}'", name)
    if is_named:
        return Sentence(
            "in compiled code, {} has its fields only; write '{}' as a method of the game or a function of "
            "the module, with the state as an argument",
            kind, name,
        )  # fmt: skip
    return Sentence("in compiled code, a value of type {} has no '{}'", kind, name)


def _empty(match: re.Match[str], met: _Met) -> Sentence:
    return Sentence("'{}' stays empty, so the type of its items is not known; leave it out", match[1])


def _loop(match: re.Match[str], met: _Met) -> Sentence:
    return Sentence(
        "it loops over a tuple whose items are of several kinds or lengths; "
        "make them alike, or write a NumPy array"
    )


def _index(match: re.Match[str], met: _Met) -> Sentence:
    if "slice" in match[1]:
        return Sentence("a tuple is sliced with a variable; write a loop, or a NumPy array")
    return Sentence(
        "a variable is the index of a tuple whose items are of several kinds or lengths; "
        "make them alike, or write a NumPy array"
    )


def _two_kinds(match: re.Match[str], met: _Met) -> Sentence:
    one, other, name = (kinds_in(part) for part in match.groups())
    return Sentence(
        "'{}' is of type {} in one place and {} in another; give it one type, or two names",
        name.partition(".")[0].lstrip("$"), one, other,
    )  # fmt: skip


def _two_answers(match: re.Match[str], met: _Met) -> Sentence:
    every = _listed(match[1])
    if "None" in every:
        return Sentence("one of its ways gives None; every way must end in `return` with a value")
    return Sentence("it returns values of several types ({}); return one", ", ".join(every))


def _wrong_answer(match: re.Match[str], met: _Met) -> Sentence | None:
    found = re.search(r"^(?:TypingError: |\s)*(\w+) gives (.+), not (.+)", met.text, re.MULTILINE)
    if found is None:
        return None
    met.place = met.rule(found[1]) or met.place
    given, wanted = kinds_in(found[2]), kinds_in(found[3])
    if given == "None":
        return Sentence("it gives None; every way must end in `return` with a value")
    if given == wanted:
        given, wanted = _spelled(found[2]), _spelled(found[3])
    return Sentence("it gives a value of type {}, not {}", given, wanted)


def _spelled(kind: str) -> str:
    """A type with the kinds of all its items."""
    while found := re.search(r"UniTuple\(([^()]+|\([^()]*\)) x ([0-9]+)\)", kind):
        kind = kind.replace(found[0], f"({', '.join([found[1]] * int(found[2]))})")
    return kinds_in(re.sub(r"\bTuple\(", "(", kind))


def _no_call(match: re.Match[str], met: _Met) -> Sentence:
    call = kinds_in(match[2])
    if "exception_match" in match[1]:
        return Sentence("`except` names a class of errors; ask with `if` before the error can come")
    if call.startswith("tuple("):
        return Sentence(
            "a tuple is made of a list, whose length is not known when it is compiled; "
            "write out the items, or keep a NumPy array"
        )
    if match[2].startswith("setitem(readonly array"):
        return Sentence("it changes an array that cannot be changed; copy it, or put it into the state")
    if call.startswith("setitem(tuple"):
        return Sentence("a tuple cannot be changed; write a new one, or keep a NumPy array")
    return _missing(call)


# What Numba says, and how that is told. The first one that fits tells it; one may find that it does not.
_WORDS: tuple[tuple[str, Callable[[re.Match[str], _Met], Sentence | None]], ...] = (
    (r"", _wrong_answer),
    (r"re-entrant", _recursion),
    (r"global name '(?P<name>\w+)': Cannot type empty (?P<kind>list)", _unreadable),
    (r"OverloadSelector.*List\(|Cannot type empty list", _default),
    (r"unsupported opcode \((?:STORE|DELETE)_GLOBAL\)", _changes_global),
    (r"unsupported opcode \((\w+)\)", _opcode),
    (r"yield in a closure", _generator),
    (r"non-constant value associated with variable '(\w+)'", _escaping),
    (r"", _library),
    (r"reflected (?P<kind>list|set).*assigned to variable '(?P<name>\w+)'", _unreadable),
    (r"Untyped global name '(?P<name>\w+)'.*<class '(?:\w+\.)*(?P<kind>\w+)'>", _unreadable),
    (r"Cannot determine Numba type of <class '(?:dict|set)'>", _default),
    (r"format spec in f-strings", _format),
    (r"'(?P<name>\w+)' is a (?P<kind>\w+), which compiled code cannot read", _unreadable),
    (r"Unknown attribute '(\w+)' of type (.+)", _attribute),
    (GIVEN_GENERATOR, _given_generator),
    (r"cannot be determined, operation: ", _walrus),
    (r"getitem\((?:readonly )?array\(.*list\(", _indexed_twice),
    (r"type of variable '(\w+)', have imprecise type: (?:list|set|dict)", _empty),
    (r"getiter with parameters \(Tuple\(", _loop),
    (r"getitem.*signature: (.*Tuple\(.*)", _index),
    (r"Cannot unify (.+) and (.+) for '([^']+)'", _two_kinds),
    (r"unify return type from the following types: (.+)", _two_answers),
    (r"lowering .*Constant\(.*\)\.(\w+) = ", _changes_game),
    (r"No implementation of function (.+) found for signature: (.+)", _no_call),
)
