"""A folder imports only from those above it: the imports are checked against the table in CONTRIBUTING.md."""

import ast
import re
from pathlib import Path

import gambito

PACKAGE = Path(gambito.__file__).parent
CONTRIBUTING = Path(__file__).parent.parent / "CONTRIBUTING.md"
FILES = sorted(PACKAGE.rglob("*.py"))
GAMES = "games/"  # found by scanning, so that nothing names one
TELLER = "registrations.py"  # the one file that tells rooms of what stands above them
ENTRY_POINTS = "gambito.games"  # by which other packages bring games; it is the name of a folder, too


def table() -> dict[str, int]:
    """Every folder and file of the table, by its row."""
    rows = re.search(r"^\| folder \| holds \|\n\|---\|---\|\n((?:\|.*\n)+)", CONTRIBUTING.read_text(), re.M)
    assert rows is not None
    return {
        name: number
        for number, row in enumerate(rows[1].splitlines())
        for name in re.findall(r"`([^`]+)`", row.split("|")[1])
    }


LAYERS = table()


def layer(path: str) -> str | None:
    """The entry of the table that a file belongs to: the longest that its path begins with."""
    fitting = [name for name in LAYERS if path == name or (name.endswith("/") and path.startswith(name))]
    return max(fitting, key=len, default=None)


def row(path: str) -> int:
    """The number of the table's row that a file belongs to."""
    return LAYERS[layer(path) or ""]


def imported(path: Path) -> set[str]:
    """The files of the package that a file imports or names by text, wherever in it; `import gambito` is its
    `__init__.py`."""
    own = ("gambito", *path.relative_to(PACKAGE).parent.parts)
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value != ENTRY_POINTS:
            found |= {name for name in [_file(node.value)] if name and "." in node.value}
        if isinstance(node, ast.Import):
            found |= {name for name in (_file(alias.name) for alias in node.names) if name}
        elif isinstance(node, ast.ImportFrom):
            before = ".".join(own[: len(own) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, (before, node.module)))
            names = (_file(f"{module}.{alias.name}") or _file(module) for alias in node.names)
            found |= {name for name in names if name}
    return found


def _file(module: str) -> str | None:
    """Where a module of the package stands, as a path in it; None: it is no module of it."""
    head, *words = module.split(".")
    if head != "gambito":
        return None
    place = "/".join(words)
    candidates = (f"{place}.py", f"{place}/__init__.py") if words else ("__init__.py",)
    return next((name for name in candidates if (PACKAGE / name).is_file()), None)


def test_only_the_compiler_imports_numba():
    """Elsewhere at most inside functions that compile, and for the type checker."""
    for path in FILES:
        if path.relative_to(PACKAGE).as_posix().startswith("native/compiler/"):
            continue
        for node in ast.parse(path.read_text()).body:
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {name.partition(".")[0] for name in names} & {"numba", "llvmlite"}, path
            assert not any(name.startswith("gambito.native.compiler") for name in names), path


def test_every_file_is_in_the_table():
    assert [str(path) for path in FILES if layer(path.relative_to(PACKAGE).as_posix()) is None] == []


def test_every_entry_of_the_table_is_there():
    held = {layer(path.relative_to(PACKAGE).as_posix()) for path in FILES}
    assert sorted(set(LAYERS) - held) == []


def test_imports_run_one_way():
    wrong = []
    for path in FILES:
        name = path.relative_to(PACKAGE).as_posix()
        for other in imported(path) if name != TELLER else ():
            here, there = layer(name), layer(other)
            assert here is not None and there is not None
            if LAYERS[there] > LAYERS[here] or (there == GAMES and here != GAMES):
                wrong.append(f"{name} imports {other}")
    assert sorted(wrong) == []


def test_a_room_is_told_of_others_in_one_place_only():
    """No file changes another room when it is imported: it would depend on who imports what, and when."""
    wrong = []
    for path in FILES:
        name, tree = path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text())
        froms = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
        foreign = {
            alias.asname or alias.name
            for node in froms
            if (node.module or "").startswith("gambito") and node.level == 0
            for alias in node.names
            if row(_file(f"{node.module}.{alias.name}") or _file(str(node.module)) or "") != row(name)
        }
        for node in tree.body:
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
                root = node.value.func
                while isinstance(root, ast.Attribute):
                    root = root.value
                if isinstance(root, ast.Name) and root.id in foreign and name != "__main__.py":
                    wrong.append(f"{name}:{node.lineno}")
    assert wrong == []


def test_the_face_counts_as_an_import():
    """`import gambito` imports everything in `__init__.py`, so nothing imported there may use it."""
    assert imported(PACKAGE / "exercises" / "apart.py") >= {"__init__.py"}
    assert imported(PACKAGE / "__init__.py") >= {"picture.py", "errors.py", "game/registry.py"}
