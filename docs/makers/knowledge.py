"""Knowledge before a search: how books grow, how endgame tables are built, how evaluations predict."""

from __future__ import annotations

import functools
import re
import tempfile
from pathlib import Path
from typing import Any

import gambito
from gambito.books.asking import Asking
from gambito.books.book import new_pages
from gambito.books.growth import Growth
from gambito.draw.chart import Line, draw_chart
from gambito.endgames.builder import Builder
from gambito.endgames.tables import Tables, TableSet
from gambito.evaluate.show import Shown, show
from gambito.learn.evaluation_quality import Judgement, judge
from gambito.learn.trainings import new_training
from gambito.search.limits import Limits
from gambito.words.sentence import Sentence
from makers.engine import rules_of
from makers.frame import DOCS, Making, maker


def _growth(rules: gambito.Game, depth: int) -> Growth:
    return Growth(rules, new_pages(rules), Asking(rules, Limits(depth=depth)))


@maker
def book_steps(making: Making, tree: str, count: str) -> str:
    """The growth of a book of a small tree: each position that was added, and the value of the root."""
    rules: Any = rules_of(tree)
    growth, rows = _growth(rules, 1), []
    for number, position in enumerate(growth.grow(), 1):
        root = growth.root
        assert root is not None
        moves = ", ".join(f"{rules.write(position.state, m.action)} {m.value:+g}" for m in position.moves)
        line = " ".join(_words(rules, growth.line()))
        rows.append([number, _path(rules, position.state) or making.say("the root"), moves, root.value, line])
        if number == int(count):
            break
    return making.table(["step", "position", "its moves", "value of the root", "best line"], rows)


def _words(rules: gambito.Game, line: list[int]) -> list[str]:
    state, words = rules.initial(), []
    for action in line:
        words.append(rules.write(state, action))
        state = rules.result(state, action)
    return words


def _path(rules: gambito.Game, wanted: Any) -> str:
    """Return the moves from the root to a node of a tree."""
    names: list[str] = []
    while wanted.parent is not None:
        names.append(wanted.parent.names[wanted.parent.moves.index(wanted)])
        wanted = wanted.parent
    return " ".join(reversed(names))


@functools.cache
def _grown(game: str, depth: int, most: int) -> tuple[int, Growth]:
    growth, number = _growth(gambito.load(game), depth), 0
    for number, _ in enumerate(growth.grow(), 1):
        if number == most:
            break
    return number, growth


@maker
def book_growth(making: Making, *specs: str) -> str:
    """The sizes and values of books of some games: `game@depth@positions`."""
    rows = []
    for spec in specs:
        game, depth, most = spec.split("@")
        number, growth = _grown(game, int(depth), int(most))
        root, line = growth.root, growth.line()
        assert root is not None
        proven = making.say("yes" if root.is_exact else "no")
        told = [making.number(number), making.number(sum(len(p.moves) for p in growth.positions.values()))]
        rows.append([f"`{game}`", depth, *told, len(line), f"{root.value:+g}", proven])
    head = ["game", "depth of a search", "positions", "moves", "plies of the best line", "value", "proven"]
    return making.table(head, rows)


# ---- endgame tables ----------------------------------------------------------------------------------
@maker
def retrograde(making: Making, game: str) -> str:
    """Retrograde analysis of a small game: the positions that each pass decides."""
    rules = gambito.load(game)
    with tempfile.TemporaryDirectory() as folder:
        shelf = TableSet(rules, Path(folder))
        shelf.build("all")
        tables = Tables(rules, Path(folder))
        found: dict[int, list[str]] = {}
        seen, waiting = set(), [rules.initial()]
        while waiting:
            state = waiting.pop()
            if int(rules.key(state)) in seen:
                continue
            seen.add(int(rules.key(state)))
            known = tables.known(state)
            found.setdefault(known.distance, []).append(f"{rules.text(state)} ({making.say(known.outcome)})")
            if not rules.is_terminal(state):
                waiting += [rules.result(state, action) for action in rules.legal(state)]
    return making.table(["plies", "positions"], [[d, ", ".join(sorted(found[d]))] for d in sorted(found)])


@functools.cache
def _decided(game: str, slices: tuple[str, ...]) -> dict[str, list[tuple[float, float]]]:
    """For each slice, the share of its won and lost positions that each pass has reached, in per cent."""
    rules, built, found = gambito.load(game), {}, {}
    shelf, builder = TableSet(rules), Builder(rules)
    for name in shelf.order(list(slices)):
        stages: list[tuple[int, int]] = []
        lower = [built[other] for other in shelf.lower(name)]
        keep = lambda stage, kept=stages: kept.append((stage.level, stage.decided))  # noqa: E731
        built[name] = table = builder.build(name, lower, None, keep)
        if name in slices:
            whole = table.wins + table.losses
            found[name] = [(float(level), 100 * decided / whole) for level, decided in stages]
    return found


@maker
def passes_chart(making: Making, game: str, *slices: str) -> str:
    """A chart of the share of decided positions that each pass of retrograde analysis has reached."""
    decided = _decided(game, slices)
    lines = [Line(name, points, colour) for colour, (name, points) in enumerate(decided.items(), 1)]
    title = making.say("Positions decided, pass by pass")
    below = making.say("per cent of all won or lost positions")
    picture = draw_chart(title, below, making.say("pass of the analysis"), "%", lines, kind="plain")
    path = making.add_picture(f"passes-{game}", picture)
    return f"![{title}]({path})"


@maker
def measured(making: Making, page: str, name: str) -> str:
    """A table that a benchmark wrote into the English page, in this page's language."""
    text = (DOCS / "en" / page).read_text(encoding="utf-8")
    found = re.search(rf"<!-- measured: {name} -->\n(.*?)<!-- end -->", text, re.DOTALL)
    assert found, (page, name)
    head, rule, *rows = found[1].strip().splitlines()
    cells = [cell.strip() for cell in head.strip("|").split("|")]
    said = "| " + " | ".join(making.say(cell) if cell else "" for cell in cells) + " |"
    apart = "," if making.language == "en" else "\u202f"
    return "\n".join([said, rule, *(re.sub(r"(?<=\d),(?=\d{3})", apart, row) for row in rows)])


@functools.cache
def _taught(rounds: int, games: int) -> list[Shown]:
    """Samuel's checkers before and after each round of learning."""
    spec = f"{DOCS}/examples/samuel.py"
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        said = {"method": "samuel", "rounds": rounds, "games": games}
        new_training(spec, place, 0, 1, **said).run(place / "samuel.eval")
        rules = gambito.load(spec)
        files = [str(place / f"round-{number}.eval") for number in range(rounds)]
        return show(rules, rules.initial(), ["blank", *files])


@maker
def samuel(making: Making, rounds: str, games: str) -> str:
    """The coefficients of Samuel's checkers, round by round."""
    found = _taught(int(rounds), int(games))
    rows = [
        [making.say(feature.name), *(f"{one.coefficients[number].weights[0]:.1f}" for one in found)]
        for number, feature in enumerate(found[0].coefficients)
    ]
    after = [Sentence("after {0} games", str(int(games) * n)) for n in range(len(found))]
    return making.table(["feature", *after], rows)


@functools.cache
def _judged(label: str) -> Judgement:
    return judge(gambito.load(label), games=100)


@maker
def foretold(making: Making, *specs: str) -> str:
    """How well evaluations predict the winner: `game@evaluation`, from a hundred games of each."""
    rows = []
    for spec in specs:
        game, _, evaluation = spec.partition("@")
        found = _judged(f"{game}:evaluation={evaluation}")
        error, guess = f"{found.error:.4f}", f"{found.guess:.4f}"
        rows.append([f"`{game}`", f"`{evaluation}`", making.number(found.positions), error, guess])
    head = ["game", "evaluation", "positions", "squared error", "error of the mean alone"]
    return making.table(head, rows)
