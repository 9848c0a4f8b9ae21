"""A folder may import only from those above it: the order of DESIGN's layers, read from the imports."""

import ast
from pathlib import Path

import gambito

ORDER = (
    "words", "native", "game", "evaluate", "games", "memory", "search", "chance", "puzzle", "books",
    "endgames", "draw", "players", "learn", "exercises", "protocols", "web", "cli",
)  # fmt: skip
MUST_NOT_KNOW = {
    "memory": {"games"},
    "search": {"games"},
    "chance": {"games"},
    "puzzle": {"games"},
    "draw": {"games"},
    "books": {"games"},
    "endgames": {"games"},
    "players": {"games"},
    "learn": {"games"},
    "exercises": {"games"},
    "protocols": {"games"},
    "web": {"games"},
    "cli": {"games"},
}


def test_imports_run_one_way():
    package = Path(gambito.__file__).parent
    wrong = []
    for path in sorted(package.rglob("*.py")):
        place = path.relative_to(package).parts[0]
        if place not in ORDER:
            assert len(path.relative_to(package).parts) == 1, f"{path} is in no known layer"
            continue
        for name in imported(path):
            layer = name.split(".")[1] if name.count(".") else ""
            if layer not in ORDER:
                continue
            if ORDER.index(layer) > ORDER.index(place) or layer in MUST_NOT_KNOW.get(place, ()):
                wrong.append(f"{path.relative_to(package)} imports {name}")
    assert not wrong, wrong


def imported(path: Path) -> list[str]:
    """The modules of the package that a file imports, wherever in it."""
    names = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names.append(node.module)
        elif isinstance(node, ast.Import):
            names += [a.name for a in node.names]
    return [n for n in names if n.startswith("gambito.")]


def test_no_list_of_games_is_kept():
    """Games are found by scanning: no other module names one in its imports."""
    package = Path(gambito.__file__).parent
    for path in package.rglob("*.py"):
        if path.parent.name != "games":
            assert not any(n.startswith("gambito.games.") for n in imported(path)), path
