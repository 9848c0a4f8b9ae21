"""Makes what the pages show and nobody should type: numbers, boards, contracts and pictures of searches.

`python docs/make.py` runs the searches and fills in every page under docs/; `--check` does the same, changes
nothing, and fails where a page or a picture is not what it would be. A page holds its own text and, between

    <!-- made: counts alpha-beta -->
    <!-- end -->

what is made here: the first word is a function of this module, the others are its arguments. Everything made
is the same on every machine; times are in bench/.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import inspect
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import gambito
from gambito.draw import draw_svg, draw_text
from gambito.draw.facts import conclusions as concluded
from gambito.draw.words import name as node_name
from gambito.evaluate import read_evaluation, shipped
from gambito.game.registry import game_classes
from gambito.learn.network import draw_curve
from gambito.search.algorithm import Algorithm, Option, Task, algorithms
from gambito.search.null_window import null_window
from gambito.search.record import Record

DOCS = Path(__file__).resolve().parent
MADE = re.compile(r"(<!-- made: (?P<call>[^>]*?) -->\n).*?(<!-- end -->)", re.DOTALL)
CODE = re.compile(r"<!-- file: (?P<name>\S+) -->\n```python\n(?P<text>.*?)```", re.DOTALL)

TREES = {
    "two-ply": "[[3,12,8],[2,4,6],[14,5,2]]",
    "three-ply": "[[[8,7,3],[9,1,6],[2,4,1]],[[1,3,5],[3,9,2],[6,5,2]],[[1,2,3],[9,7,2],[16,6,4]]]",
    "coins": '[{"chance":[[0.5,[3,9]],[0.5,[4,8]]]},{"chance":[[0.5,[-9,9]],[0.5,[9,8,7]]]}]',
    "bounded": (
        '[{"bounds":[4,9],"moves":[7,5,9]},{"bounds":[1,6],"moves":[2,6,3]},{"bounds":[0,3],"moves":[1,3,0]}]'
    ),
}
# Algorithms that share a page.
EXCHANGE = f"{DOCS}/examples/exchange.py:Exchange"
# The searches that the algorithms are compared by: (what it is called, game, position, depth).
TASKS = (
    ("two-ply tree", "tree", TREES["two-ply"], 2),
    ("three-ply tree", "tree", TREES["three-ply"], 3),
    ("tic-tac-toe, whole", "tic-tac-toe", "", 9),
    ("connect-four after 44, 8 plies", "connect-four", "44", 8),
)
# Algorithms that stand on another one's page.
PAGES = {
    **dict.fromkeys(("sss-star", "dual-star"), "mtd-f"),
    **dict.fromkeys(("weighted-a-star", "greedy-best-first", "uniform-cost"), "a-star"),
    **dict.fromkeys(("breadth-first", "depth-first"), "a-star"),
    **dict.fromkeys(("star1", "star2"), "star"),
    "expectimax": "expectiminimax",
}
COMPARED = ("minimax", "alpha-beta")  # stand in every table of counts

# Pictures that stand on no page here, but in the README.
ELSEWHERE = {"aima-alpha-beta": ("alpha-beta", "two-ply")}

# What a page's text relies on beyond the tables: (game, position, algorithm, depth) -> value, leaves.
RELIED_ON = (
    ("tree", TREES["two-ply"], "alpha-beta", 2, 3, 7),
    ("tree", TREES["two-ply"], "minimax", 2, 3, 9),
    ("tree", TREES["three-ply"], "alpha-beta", 3, 5, 16),
    ("tree", TREES["three-ply"], "minimax", 3, 5, 27),
    ("tree", TREES["two-ply"], "df-pn", 2, 1, 3),
    ("tree", TREES["three-ply"], "df-pn", 3, 1, 3),
    ("tree", TREES["bounded"], "b-star", 2, 5, 6),
    ("tree", "min [[3,12,8],[20,null,null],[13,null,null]]", "alpha-beta", 2, -12, 5),
    ("tic-tac-toe", "", "minimax", 9, 0, 255168),
)


class Making:
    """One run: the pages and pictures as they should be."""

    def __init__(self) -> None:
        self.files: dict[Path, str] = {}
        self.page = DOCS
        self.code: dict[str, str] = {}

    def run(self) -> None:
        for game, position, algorithm, depth, value, leaves in RELIED_ON:
            found = search(game, position, algorithm, depth)
            assert found.value == value and leaves in (None, found.evaluations), (game, algorithm)
        for page in sorted(DOCS.rglob("*.md")):
            text = page.read_text(encoding="utf-8")
            self.page = page
            self.code = {m["name"]: m["text"] for m in CODE.finditer(text)}
            self.files[page] = MADE.sub(self._fill, text)
        for name, (algorithm, tree) in ELSEWHERE.items():
            self.add_picture(name, draw_svg(trace(algorithm, tree)))

    def _fill(self, found: re.Match[str]) -> str:
        word, *arguments = found["call"].split()
        made = MAKERS[word](self, *arguments)
        return f"{found[1]}\n{made.strip()}\n\n{found[3]}"

    def add_picture(self, name: str, picture: str) -> str:
        """Keep a picture; returns the path that the page names it by."""
        self.files[DOCS / "pictures" / f"{name}.svg"] = picture
        up = "../" * (len(self.page.relative_to(DOCS).parts) - 1)
        return f"{up}pictures/{name}.svg"


Maker = Callable[..., str]
MAKERS: dict[str, Maker] = {}


def maker(function: Maker) -> Maker:
    MAKERS[function.__name__.replace("_", "-")] = function
    return function


# ---- searches -----------------------------------------------------------------------------------------


@functools.cache
def search(game: str, position: str, algorithm: str, depth: int, **options: Any) -> gambito.Found:
    return gambito.search(game, position or None, algorithm=algorithm, depth=depth, **options)


def trace(algorithm: str, tree: str, **options: Any) -> Record:
    return gambito.trace("tree", TREES[tree], algorithm=algorithm, **options)


def add_null_window() -> None:
    """The null-window search as an algorithm of its own, so that it can be traced like the others."""

    def run(task: Task) -> Any:
        gamma = task.options["gamma"]
        value = null_window(task.game, task.state, task.depth, gamma, task.watch)
        task.low, task.high = (value, None) if value >= gamma else (None, value)
        task.exact = False
        return None  # a bound is no value

    gamma = Option("gamma", 0, "the bound that is asked about")
    about = {"gives_value": False, "gives_line": False, "deepens": False}
    algorithms()["null-window"] = Algorithm("null-window", "", "", run, (gamma,), **about)  # type: ignore[arg-type]


# ---- text ---------------------------------------------------------------------------------------------


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|---" + "|--:" * (len(head) - 1) + "|"]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines)


def fence(text: str, language: str = "text") -> str:
    return f"```{language}\n{text.rstrip()}\n```"


@maker
def contract(making: Making, place: str) -> str:
    """What a search promises, as it stands above it in the source."""
    module, _, function = place.rpartition(".")
    module = module if module.startswith("chance.") else f"search.{module}"
    found = getattr(importlib.import_module(f"gambito.{module}"), function)
    return fence(inspect.cleandoc(found.plain.__doc__))


@maker
def rules(making: Making, module: str) -> str:
    """What the file of a game says about itself."""
    found = importlib.import_module(f"gambito.games.{module}")
    return fence(inspect.cleandoc(found.__doc__))


@maker
def about(making: Making, *names: str) -> str:
    """An algorithm's name, summary, source and options, as the program knows them."""
    lines = []
    for name in names:
        one = algorithms()[name]
        lines.append(f"**`{name}`**: {one.summary}. Source: {one.source}.")
        for option in one.options:
            default = f"`{option.default}`"
            lines.append(f"- option `{option.name}`: {option.about}; {option.range()}, {default} by default")
        lines.append("")
    return "\n".join(lines)


@maker
def counts(making: Making, *names: str) -> str:
    """Nodes and leaves of some algorithms on the common tasks."""
    rows = []
    for name in dict.fromkeys((*names, *COMPARED)):
        found = [search(game, position, name, depth) for _, game, position, depth in TASKS]
        rows.append([f"`{name}`", *(f"{f.nodes:,} / {f.evaluations:,}" for f in found)])
    head = ["nodes / leaves valued", *(task[0] for task in TASKS)]
    return table(head, rows)


@maker
def every_algorithm(making: Making, folder: str) -> str:
    """The list of algorithms with links to their pages."""
    rows = []
    for name, one in algorithms().items():
        if not one.source:  # not one of the program's own
            continue
        page = PAGES.get(name, name)
        assert (DOCS / "algorithms" / f"{page}.md").exists(), page
        rows.append([f"[{name}]({folder}{page}.md)", one.summary, one.source])
    return table(["algorithm", "in a sentence", "source"], rows).replace("--:", "---")


@maker
def every_game(making: Making, folder: str) -> str:
    """The list of games with links to their pages."""
    rows = []
    for name, kind in game_classes().items():
        assert (DOCS / "games" / f"{name}.md").exists(), name
        parameters = ", ".join(f"`{n}={v}`" for n, v in gambito.load(name).parameters().items())
        first = inspect.cleandoc(kind.__doc__ or "").splitlines()[0].rstrip(".")
        rows.append([f"[{name}]({folder}{name}.md)", first, parameters or "none"])
    return table(["game", "in a sentence", "parameters"], rows).replace("--:", "---")


@maker
def scale(making: Making) -> str:
    """One choice, before and after an order-preserving change of its leaves."""
    rows = []
    for leaves in ((2, 3, 1, 4), (20, 30, 1, 400)):
        first, second = leaves[:2], leaves[2:]
        text = json.dumps([{"chance": [[0.9, a], [0.1, b]]} for a, b in (first, second)])
        means = [f"{0.9 * a + 0.1 * b:g}" for a, b in (first, second)]
        plain = gambito.search("tree", json.dumps([first, second]), "minimax").words()[0]
        chosen = gambito.search("tree", text, "expectiminimax").words()[0]
        rows.append([f"{first[0]}, {first[1]} or {second[0]}, {second[1]}", *means, chosen, plain])
    return table(["leaves of a or b", "a", "b", "expectiminimax chooses", "minimax chooses"], rows)


# ---- games --------------------------------------------------------------------------------------------


@maker
def board(making: Making, game: str, position: str = "") -> str:
    rules = gambito.load(game)
    state = rules.parse(position.replace("_", " ")) if position else rules.initial()
    return fence(rules.show(state))


@maker
def perft(making: Making, game: str, deepest: str) -> str:
    """How many sequences of moves the rules allow."""
    depths = range(1, int(deepest) + 1)
    return table(
        ["plies", *map(str, depths)], [["sequences", *(f"{gambito.perft(game, depth=d):,}" for d in depths)]]
    )


@maker
def solved(making: Making, *specs: str) -> str:
    """The value and a best action of some small games, solved: `game` or `game@position`."""
    rows = []
    for spec in specs:
        game, _, position = spec.partition("@")
        found = gambito.solve(game, position.replace("_", " ") or None)
        assert found.exact
        action = found.as_dict()["action"]
        rows.append([f"`{game}`", f"`{found.position}`", found.value, action, f"{found.nodes:,}"])
    return table(["game", "position", "value", "best action", "nodes"], rows)


@maker
def checked(making: Making, *games: str) -> str:
    """What `check` says."""
    rows = []
    for game in games:
        found = gambito.check(game)
        assert found.ok, found.problems
        both = "both gears agree" if found.native else "Python gear"
        rows.append([f"`{game}`", found.games, found.states, found.longest, found.most_actions, both])
    head = ["game", "random games", "states", "longest", "most actions", ""]
    return table(head, rows)


# ---- puzzles ------------------------------------------------------------------------------------------


@maker
def puzzle_contract(making: Making, module: str) -> str:
    """What stands above a search for one agent."""
    return fence(inspect.cleandoc(importlib.import_module(f"gambito.puzzle.{module}").__doc__ or ""))


@maker
def ways(making: Making, puzzle: str, position: str, *algorithms_: str) -> str:
    """What some searches for one agent find, and what that takes; an underscore is a space."""
    place = None if position == "-" else position.replace("_", " ")
    rows = []
    for name in algorithms_:
        name, _, heuristic = name.partition("@")
        options = {"heuristic": heuristic} if heuristic else {}
        found = gambito.search(puzzle, place, name, **options)
        proven = "yes" if found.exact else "no"
        cost = "none" if found.cost is None else f"{found.cost:g}"
        told = f"`{name}`" + (f" by {heuristic}" if heuristic else "")
        rows.append([told, cost, f"{found.expanded:,}", f"{found.nodes:,}", proven])
    return table(["search", "cost", "expanded", "generated", "proven least"], rows)


@maker
def own_ways(making: Making, name: str, *algorithms_: str) -> str:
    return ways(making, f"{DOCS}/examples/{name}", "-", *algorithms_)


@maker
def own_check(making: Making, name: str, heuristic: str) -> str:
    """What the check prints of a heuristic of an example."""
    return fence(gambito_prints("heuristic", "check", f"{DOCS}/examples/{name}", "--heuristic", heuristic))


@maker
def judged(making: Making, puzzle: str, *heuristics: str) -> str:
    """What the check says of heuristics."""
    rows = []
    for name in heuristics:
        found = gambito.check_heuristic(puzzle, name)
        words = {True: "yes, proven", False: "no", None: "no counter-example"}
        mean = f"{found.mean_h:.2f}"
        rows.append(
            [f"`{name}`", words[found.admissible], words[found.consistent], mean, f"{found.states:,}"]
        )
    return table(["heuristic", "admissible", "consistent", "mean h", "states"], rows)


@maker
def way_picture(making: Making, puzzle: str, position: str, algorithm: str, *words: str) -> str:
    """A watched search for one agent."""
    place = None if position == "-" else position.replace("_", " ")
    record = gambito.trace(puzzle, place, algorithm, **_options(words))
    name = "-".join([puzzle.partition(":")[0], algorithm, *(w.replace("=", "-") for w in words)])
    return _drawn(making, record, name, f"{algorithm} on {puzzle} {' '.join(words)}".strip())


# ---- watched searches ---------------------------------------------------------------------------------


def _options(words: Iterable[str]) -> dict[str, str]:
    return dict(word.split("=", 1) for word in words)


def _drawn(making: Making, record: Record, name: str, says: str) -> str:
    path = making.add_picture(name, draw_svg(record))
    return f"![{says}]({path})"


@maker
def picture(making: Making, algorithm: str, tree: str, *words: str) -> str:
    """A watched search on one of the textbook trees."""
    record = trace(algorithm, tree, **_options(words))
    name = "-".join([algorithm, tree, *(w.replace("=", "-") for w in words)])
    return _drawn(making, record, name, f"{algorithm} on the {tree} tree")


@maker
def learning_curve(making: Making, name: str) -> str:
    """How the network that comes with Gambito learned, as its file tells."""
    game = gambito.load(f"{name}:evaluation=hand")
    found = read_evaluation(shipped(game), game, game.form.description)
    curve = [(int(games), float(points)) for games, points in found.trained["curve"]]
    path = making.add_picture(f"{name}-learning", draw_curve(name, curve))
    return f"![Points a game against the hand-made evaluation, by games played]({path})"


@maker
def conclusions(making: Making, algorithm: str, tree: str) -> str:
    """What a search concluded, in order."""
    record = trace(algorithm, tree)
    return "\n".join(
        f"{step.conclusion}. {node_name(record, step.node)}: {step.text}" for step in concluded(record)
    )


@maker
def traced_text(making: Making, algorithm: str, tree: str) -> str:
    return fence(draw_text(trace(algorithm, tree)))


@maker
def exchange(making: Making, form: str) -> str:
    """One ply of a small exchange, with a static value at the horizon or with quiescence."""
    record = gambito.trace(EXCHANGE, algorithm="negascout", depth=1, form=form)
    line = " ".join(record.line)
    says = f"value {record.value}, action {record.action}, line {line}"
    return f"{_drawn(making, record, f'exchange-{form}', f'an exchange: {says}')}\n\n{says.capitalize()}."


@maker
def switched(making: Making, game: str, position: str, depth: str, *choices: str) -> str:
    """The engine with one choice of options after another: what it finds, and what its action is worth."""
    rules = gambito.load(EXCHANGE if game == "exchange" else game)
    state = rules.parse(position) if position != "-" else rules.initial()
    rows = []
    for choice in choices:
        found = gambito.search(rules, state, "engine", depth=int(depth), **_options(choice.split(",")))
        child = rules.result(state, found.action)
        worth = gambito.solve(rules, child).value
        worth = worth if rules.player(child) == rules.player(state) else -worth
        options = " ".join(f"`{word}`" for word in choice.split(","))
        rows.append([options, found.value, " ".join(found.words()), worth, f"{found.nodes:,}"])
    return table(["options", "value", "line", "its first move is worth", "nodes"], rows)


@maker
def each_action(making: Making, game: str, position: str) -> str:
    """What each action is worth, and what it would be if the opponent could pass after it."""
    rules = gambito.load(game)
    state = rules.parse(position)
    rows = []
    for action in rules.legal(state):
        child = rules.result(state, action)
        values = -gambito.solve(rules, child).value, gambito.solve(rules, rules.pass_turn(child)).value
        rows.append([rules.write(state, action), *values])
    return table(["move", "value", "if the opponent could pass"], rows)


@maker
def deepening(making: Making, game: str, position: str, deepest: str) -> str:
    """Depth by depth: one search alone, and all that iterative deepening visits until then."""
    rows = []
    for depth in range(1, int(deepest) + 1):
        alone = search(game, position, "alpha-beta", depth)
        driven = search(game, position, "alpha-beta", depth, deepen=True)
        assert driven.value == alone.value
        share = f"{driven.nodes / alone.nodes:.2f}"
        rows.append([depth, alone.value, f"{alone.nodes:,}", f"{driven.nodes:,}", share])
    return table(["depth", "value", "one search", "all iterations", "ratio"], rows)


# ---- a game of one's own ------------------------------------------------------------------------------


def _written(making: Making, name: str, folder: str) -> str:
    path = Path(folder) / name
    path.write_text(making.code[name], encoding="utf-8")
    return str(path)


@maker
def own_game(making: Making, name: str, game: str) -> str:
    """The rules that stand on the page, checked, searched in both gears and solved."""
    with tempfile.TemporaryDirectory() as folder:
        spec = f"{_written(making, name, folder)}:{game}"
        report = gambito.check(spec)
        assert report.ok and report.native, report.problems
        lines = [
            f">>> gambito.check('{name}:{game}').ok",
            f"{report.ok}",
        ]
        for gear in ("native", "python"):
            found = gambito.search(spec, depth=8, gear=gear)
            lines.append(f">>> found = gambito.search('{name}:{game}', depth=8, gear='{gear}')")
            lines.append(">>> found.value, found.words(), found.nodes")
            lines.append(f"{(found.value, found.words(), found.nodes)}")
        found = gambito.solve(f"{spec}:row=12")
        assert found.exact
        lines.append(f">>> gambito.solve('{name}:{game}:row=12').value")
        lines.append(f"{found.value}")
    return fence("\n".join(lines), "python")


@maker
def own_picture(making: Making, name: str, game: str, parameters: str, depth: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        spec = f"{_written(making, name, folder)}:{game}:{parameters}"
        record = gambito.trace(spec, algorithm="alpha-beta", depth=int(depth))
    return _drawn(making, record, f"own-{game.lower()}", f"alpha-beta on {game}, {parameters}")


# ---- the command line ---------------------------------------------------------------------------------


def gambito_prints(*words: str) -> str:
    """What the command line prints, on a terminal of 100 columns."""
    command = [sys.executable, "-m", "gambito.cli.main", *words]
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr  # 1: a check found something
    return done.stdout


@maker
def command_help(making: Making, *path: str) -> str:
    """What `gambito … --help` prints."""
    return fence(gambito_prints(*path, "--help"))


@maker
def command(making: Making, *words: str) -> str:
    """A command whose answer is the same everywhere, and what it prints."""
    return fence(f"$ gambito {' '.join(words)}\n\n{gambito_prints(*words)}")


@maker
def json_keys(making: Making, *words: str) -> str:
    """The names in the object that a command prints with --json."""
    found = json.loads(gambito_prints(*words, "--json"))
    return "`" + "`, `".join(found) + "`"


# ---- writing and checking -----------------------------------------------------------------------------


def main() -> int:
    parser = argparse.ArgumentParser(description="Make what the pages under docs/ show.")
    parser.add_argument("--check", action="store_true", help="change nothing; fail where something differs")
    args = parser.parse_args()
    add_null_window()
    making = Making()
    making.run()
    changed = [
        p for p, text in making.files.items() if not p.exists() or p.read_text(encoding="utf-8") != text
    ]
    unused = [p for p in sorted(DOCS.rglob("pictures/*.svg")) if p not in making.files]
    for path in sorted(changed):
        print(f"{'differs' if args.check else 'written'}: {path.relative_to(DOCS)}")
        if not args.check:
            path.parent.mkdir(exist_ok=True)
            path.write_text(making.files[path], encoding="utf-8")
    for path in unused:
        print(f"not made here: {path.relative_to(DOCS)}")
    return 1 if args.check and (changed or unused) else 0


if __name__ == "__main__":
    sys.exit(main())
