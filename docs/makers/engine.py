"""The parts of the engine: runs on small trees, their effect on three games, the model of ProbCut."""

from __future__ import annotations

import dataclasses
import functools
import random
from html import escape
from typing import Any

import gambito
from gambito.draw.chart import STYLE
from gambito.draw.labels import number
from gambito.games.chess.board import PIECE_KEYS, TURN_KEY
from gambito.games.tree import Tree
from gambito.learn import probcut
from gambito.memory.table import LARGEST_VALUE
from gambito.search.algorithm import find
from gambito.search.probcut_model import USUAL_THRESHOLD, param_of
from gambito.search.trace.record import Record
from makers.catalogue import excerpt
from makers.frame import DOCS, Making, fence, maker
from makers.searches import EXCHANGE, TREES, options, search

EXAMPLES = {
    "guesses": "guesses.py:Guesses",
    "threat_ordering": "threats.py:Threats",
    "passes": "passes.py:Passes",
    "joined": "joined.py:Joined",
    "doomed-bishop": "doomed_bishop.py:DoomedBishop",
}
PLAIN = {"aspiration": 0, "bounds": "false", "table": "off", "order": "false"}
# The positions on which unsound techniques are tried: (title, game, plies, depth of the search).
SETS = (
    ("Connect Four, 10 plies", "connect-four", 10, 10),
    ("Othello, 8 plies", "othello", 16, 8),
    ("chess, 6 plies", "chess", 16, 6),
)
POSITIONS, LOOSE = 12, 6


class PlainTree(Tree):
    """A tree whose values the engine returns unchanged."""

    prefers_fast_win = False


def rules_of(tree: str) -> gambito.Game:
    if tree in EXAMPLES:
        return gambito.load(f"{DOCS}/examples/{EXAMPLES[tree]}")
    return PlainTree(Tree().parse(TREES[tree]))


def _infinite(value: float | None) -> float | None:
    return None if value is None or abs(value) >= LARGEST_VALUE else value


def _plain(record: Record, tree: str, told: str, known: str) -> Record:
    """Return the record with infinite windows shown as such; leaves from the table are called `known`."""
    for node in record.nodes:
        for visit in node.visits:
            visit.alpha, visit.beta = _infinite(visit.alpha), _infinite(visit.beta)
            visit.leaf = known if visit.leaf == "table" else visit.leaf
    where = f"docs/examples/{EXAMPLES[tree]}" if tree in EXAMPLES else record.position
    return dataclasses.replace(record, game="tree", position=where, algorithm=f"engine {told}".strip())


@maker
def engine_run(making: Making, tree: str, depth: str, *words: str) -> str:
    """A drawing of the engine on a small tree; `known=WORD` names the reason that ends a node at once."""
    given = options(words)
    known = given.pop("known", "table").replace("_", " ")
    record = gambito.trace(rules_of(tree), algorithm="engine", depth=int(depth), **{**PLAIN, **given})
    name = "-".join(["engine", tree, *(f"{k}-{v}" for k, v in given.items())])
    plain = _plain(record, tree, " ".join(f"{k}={v}" for k, v in given.items()), making.say(known))
    drawn = making.draw(plain, name, f"engine on the {tree} tree")
    told = " ".join(f"`{k}={v}`" for k, v in given.items())
    says = f"value {record.value}, line {' '.join(record.line)}; {record.visited} nodes"
    return f"{drawn}\n\n{told + ': ' if told else ''}{making.say(says)}."


@maker
def excerpts(making: Making, file: str, *words: str) -> str:
    """Several statements of the source in one block, found by words of their first lines, separated by /."""
    parts = [excerpt(making, file, *one.split()) for one in " ".join(words).split(" / ")]
    return fence("\n\n".join(part.split("\n", 1)[1].rsplit("\n", 1)[0] for part in parts), "python")


@functools.cache
def _loaded(game: str) -> gambito.Game:
    return gambito.load(game)


# ---- the savings and the changes of a technique ------------------------------------------------------
@functools.cache
def _positions(game: str, plies: int) -> tuple[Any, ...]:
    """Positions from play by the engine after a few random moves, the same on every machine."""
    rules, rng, found = _loaded(game), random.Random(0), []
    while len(found) < POSITIONS:
        state: Any = rules.initial()
        for ply in range(plies):
            if rules.is_terminal(state):
                break
            action: Any = rng.choice(rules.legal(state))
            if ply >= LOOSE:
                action = _search(game, state, 2, ()).action
            state = rules.result(state, action)
        if not rules.is_terminal(state):
            found.append(state)
    return tuple(found)


def _search(game: str, state: Any, depth: int, given: tuple[tuple[str, str], ...]) -> gambito.SearchResult:
    """Search without unsound techniques, except those given."""
    usual = {**find("engine").sound_options(), "check_extension": False, "live": True, "memory": 16}
    return gambito.search(_loaded(game), state, "engine", depth=depth, **{**usual, **dict(given)})


@functools.cache
def _searches(
    game: str, plies: int, depth: int, given: tuple[tuple[str, str], ...]
) -> list[gambito.SearchResult]:
    return [_search(game, state, depth, given) for state in _positions(game, plies)]


@maker
def risk(making: Making, *choices: str) -> str:
    """Unsound techniques, each alone: nodes, and how many values and actions change.

    `option=a/b/c` has a value for each of the three games.
    """
    rows = []
    for choice in choices:
        row = [" ".join(f"`{word}`" for word in choice.split(","))]
        for place, (_, game, plies, depth) in enumerate(SETS):
            given = {k: (v.split("/") * 3)[place] for k, v in options(choice.split(",")).items()}
            sure = _searches(game, plies, depth, ())
            found = _searches(game, plies, depth, tuple(given.items()))
            share = sum(f.nodes for f in found) / sum(f.nodes for f in sure)
            pairs = list(zip(sure, found, strict=True))
            values = sum(a.value != b.value for a, b in pairs)
            actions = sum(a.action != b.action for a, b in pairs)
            row.append(f"{share:.2f} × · {values} · {actions}")
        rows.append(row)
    head = ["nodes · values changed · moves changed (of 12)", *(one[0] for one in SETS)]
    return making.table(head, rows)


@maker
def worth(making: Making, without: str, *choices: str) -> str:
    """Sound searches of the same twelve positions with each choice of options: the sum of the nodes."""
    rows = []
    for choice in (without, *choices):
        row = [" ".join(f"`{word}`" for word in choice.split(","))]
        for _, game, plies, depth in SETS:
            chosen, first = (
                sum(f.nodes for f in _searches(game, plies, depth, tuple(options(c.split(",")).items())))
                for c in (choice, without)
            )
            share = "" if choice == without else f" ({chosen / first:.2f} ×)"
            row.append(f"{making.number(chosen)}{share}")
        rows.append(row)
    return making.table(["nodes, 12 positions", *(one[0] for one in SETS)], rows)


@maker
def growth(making: Making, *specs: str) -> str:
    """Nodes of the engine at two depths, and their growth per ply: `game@position@from@to`."""
    rows = []
    for spec in specs:
        game, position, low, high = spec.split("@")
        place = position if position != "-" else ""
        few, many = (search(game, place, "engine", int(d), live=True).nodes for d in (low, high))
        factor = (many / few) ** (1 / (int(high) - int(low)))
        told = [making.number(few), making.number(many), f"{factor:.2f}"]
        rows.append([f"`{game}`", f"{low} → {high}", *told])
    return making.table(["game", "plies", "nodes before", "nodes after", "factor per ply"], rows)


# ---- ProbCut -----------------------------------------------------------------------------------------
@maker
def probcut_table(making: Making, game: str, stage: str) -> str:
    """The rows of a game's ProbCut model for one stage."""
    rows = [row for row in gambito.load(game).probcut_model if row[0] == int(stage)]
    told = [
        [int(d), int(s), *(f"{n:.3f}" for n in (a, b, sigma)), f"{t[0] if t else USUAL_THRESHOLD:g}"]
        for _, d, s, a, b, sigma, *t in rows
    ]
    return making.table(["deep search", "shallow search", "a", "b", "σ", "t"], told)


@maker
def probcut_forms(making: Making, game: str, position: str, depth: str) -> str:
    """The nodes and values of ProbCut as on the slides and in the engine, each beside the search without."""
    rows = []
    for name in ("alpha-beta", "engine"):
        others = {} if name == "alpha-beta" else {"live": "true", "deepen": "false"}
        plain = search(game, position, name, int(depth), probcut="off", **others)
        for choice in ("off", "one", "multi"):
            found = search(game, position, name, int(depth), probcut=choice, **others)
            share = "" if choice == "off" else f" ({found.nodes / plain.nodes:.2f} ×)"
            rows.append([f"`{name}` `probcut={choice}`", f"{making.number(found.nodes)}{share}", found.value])
    return making.table(["search", "nodes", "value"], rows)


@maker
def fitted(making: Making, game: str, stage: str, deepest: str, positions: str) -> str:
    """The table `param` that `gambito fit probcut` writes, for one stage, from a few positions."""
    *_, samples = probcut.sample(gambito.load(game), int(positions), int(deepest))
    rows = [row.numbers() for row in probcut.fit(samples)]
    table = param_of(rows)[int(stage)]
    told = [
        [height, count, each["d"], f"{each['t']:g}", f"{each['a']:g}", f"{each['b']:g}", f"{each['sigma']:g}"]
        for height, tries in enumerate(table)
        for count, each in enumerate(tries)
        if each["d"] >= 0
    ]
    return making.table(["height", "try", "d", "t", "a", "b", "σ"], told)


WIDTH, HEIGHT, EDGE = 560.0, 460.0, 56.0


@functools.cache
def _sampled(game: str, positions: int, deepest: int) -> tuple[list[list[float]], list[probcut.Row]]:
    """Values of positions of all stages at each depth, and the model fitted to all of them."""
    *_, samples = probcut.sample(gambito.load(game), positions, deepest)
    values = [row for stage in samples.stages.values() for row in stage]
    return values, probcut.fit(probcut.Samples(deepest, {0: values}, samples.count))


@maker
def probcut_picture(making: Making, game: str, deep: str, shallow: str, positions: str) -> str:
    """A picture of the values of a shallow and a deep search of some positions, with the fitted line ± σ."""
    values, rows = _sampled(game, int(positions), int(deep))
    row = next(r for r in rows if (r.depth, r.shallow) == (int(deep), int(shallow)))
    points = [(one[int(shallow) - 1], one[int(deep) - 1]) for one in values]
    path = making.add_picture(f"probcut-{game}", _scatter(making, points, row))
    says = making.say("Values of a shallow search (horizontal) and of a deep one (vertical)")
    told = making.say(
        f"v({deep}) = {row.slope:.3f} · v({shallow}) {row.offset:+.3f} ± {row.sigma:.3f}, "
        f"correlation {row.correlation:.3f}, {row.samples} positions"
    )
    return f"![{says}]({path})\n\n{told}."


def _scatter(making: Making, points: list[tuple[float, float]], row: probcut.Row) -> str:
    """Draw points, the line through them, and one σ to both sides; both axes have the same scale."""
    reach = max(abs(v) for point in points for v in point)

    def place(x: float, y: float) -> tuple[float, float]:
        across = EDGE + (x + reach) / (2 * reach) * (WIDTH - 2 * EDGE)
        return across, HEIGHT - EDGE - (y + reach) / (2 * reach) * (HEIGHT - 2 * EDGE)

    parts = []
    for begin, end in (((-reach, 0.0), (reach, 0.0)), ((0.0, -reach), (0.0, reach))):
        way = "L".join(f"{a:.1f} {b:.1f}" for a, b in (place(*begin), place(*end)))
        parts.append(f'<path class="grid" d="M{way}"/>')
    for x, y in sorted(set(points)):
        a, b = place(x, y)
        parts.append(f'<circle cx="{a:.1f}" cy="{b:.1f}" r="2.5" style="fill: var(--c1)"/>')
    for shift, css in ((0.0, "line"), (row.sigma, "line thin"), (-row.sigma, "line thin")):
        ends = [place(x, row.slope * x + row.offset + shift) for x in (-reach, reach)]
        way = "L".join(f"{a:.1f} {b:.1f}" for a, b in ends)
        parts.append(f'<path class="{css}" style="stroke: var(--c5)" d="M{way}"/>')
    for value in (-reach, 0.0, reach):
        a, b = place(value, -reach)
        parts.append(f'<text class="soft mid" x="{a:.1f}" y="{b + 18:.1f}">{number(value)}</text>')
        a, b = place(-reach, value)
        parts.append(f'<text class="soft end" x="{a - 8:.1f}" y="{b + 4:.1f}">{number(value)}</text>')
    across, upwards = f"v({row.shallow})", f"v({row.depth})"
    parts.append(f'<text class="soft mid" x="{WIDTH / 2:.1f}" y="{HEIGHT - 10:.1f}">{across}</text>')
    parts.append(f'<text class="soft" x="12" y="24">{upwards}</text>')
    title = escape(making.say("How a shallow search predicts a deep one"))
    size = f'width="{WIDTH:.0f}" height="{HEIGHT:.0f}" viewBox="0 0 {WIDTH:.0f} {HEIGHT:.0f}"'
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" aria-label="{title}" {size}>\n'
        f"<title>{title}</title>\n<style>{STYLE}</style>\n"
        f'<rect class="paper" width="100%" height="100%"/>\n{body}\n</svg>\n'
    )


# ---- keys --------------------------------------------------------------------------------------------
@maker
def transposed(making: Making, game: str, *lines: str) -> str:
    """Lines of moves, and the key of the position after each."""
    rules, rows = gambito.load(game), []
    for line in lines:
        state = rules.parse(line)
        rows.append([f"`{line}`", f"`{int(rules.key(state)):016x}`"])
    return making.table(["moves", "key"], rows)


@maker
def zobrist_example(making: Making) -> str:
    """A board of four cells: its key computed from scratch, and updated after each change."""
    numbers = gambito.zobrist_numbers(cells=4, kinds=3)
    rows, board, key = [], [0, 0, 0, 0], 0
    for cell, kind in ((2, 1), (0, 2), (2, 0), (1, 1)):
        before = board[cell]
        key = int(gambito.zobrist_change(numbers, key, cell, before, kind))
        board[cell] = kind
        assert key == int(gambito.zobrist_key(numbers, board))
        words = making.say(f"cell {cell}: from {before} to {kind}")
        rows.append([words, " ".join(map(str, board)), f"`{key:016x}`"])
    return making.table(["change", "board", "key"], rows)


@maker
def zobrist_capture(making: Making) -> str:
    """A rook that takes a pawn in chess, as exclusive ors: the key after each of them."""
    rules: Any = gambito.load("chess")
    state = rules.parse("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1")
    after = rules.result(state, rules.read(state, "Rxa7"))
    pawn, rook, a7, a1 = 384 * 1 + 64 * 0, 64 * 3, 48, 0  # Black's pawns, White's rooks; squares
    key, rows = int(state.key), [[making.say("before the move"), "", f"`{int(state.key):016x}`"]]
    for told, part in (
        ("the pawn on a7 goes out", PIECE_KEYS[pawn + a7]),
        ("the rook on a7 comes in", PIECE_KEYS[rook + a7]),
        ("the rook on a1 goes out", PIECE_KEYS[rook + a1]),
        ("the other side moves", TURN_KEY),
    ):
        key ^= int(part)
        rows.append([making.say(told), f"`{int(part):016x}`", f"`{key:016x}`"])
    assert key == int(after.key)
    return making.table(["Rxa7", "number", "key"], rows)


@functools.cache
def _counted(game: str, plies: int) -> tuple[int, int]:
    """Return the number of sequences of `plies` plies, and the number of positions they lead to."""
    rules = gambito.load(game)
    states = {int(rules.key(rules.initial())): rules.initial()}
    for _ in range(plies):
        open_states = [state for state in states.values() if not rules.is_terminal(state)]
        after = [rules.result(s, a) for s in open_states for a in rules.legal(s)]
        states = {int(rules.key(state)): state for state in after}
    return gambito.perft(game, depth=plies), len(states)


@maker
def merged(making: Making, *specs: str) -> str:
    """The number of sequences of moves, and of positions they lead to: `game@plies`."""
    rows = []
    for spec in specs:
        game, _, plies = spec.partition("@")
        sequences, positions = _counted(game, int(plies))
        share = f"{sequences / positions:.1f}"
        rows.append([f"`{game}`", plies, making.number(sequences), making.number(positions), share])
    return making.table(["game", "plies", "sequences", "positions", "ratio"], rows)


# ---- quiescence and the horizon ----------------------------------------------------------------------
@maker
def settled(making: Making, *choices: str) -> str:
    """The error of the engine's value on three games, with and without search beyond the horizon."""
    rows = []
    for choice in choices:
        row = [" ".join(f"`{word}`" for word in choice.split(","))]
        for game, plies, depth in (("checkers", 16, 6), ("breakthrough", 16, 4), ("chess", 16, 4)):
            found = _searches(game, plies, depth, tuple(options(choice.split(",")).items()))
            deep = _searches(game, plies, depth + 2, (("quiescence", "true"),))
            away = sum(abs(a.value - b.value) for a, b in zip(found, deep, strict=True)) / POSITIONS
            nodes = making.number(sum(f.nodes for f in found))
            row.append(f"{nodes} · {away:.1f}")
        rows.append(row)
    head = ["nodes · mean error", "checkers, 6 plies", "Breakthrough, 4 plies", "chess, 4 plies"]
    return making.table(head, rows)


@maker
def engine_finds(making: Making, game: str, position: str, depth: str, *choices: str) -> str:
    """The engine without unsound techniques: value, line and nodes with each choice of options."""
    rules = gambito.load(EXCHANGE if game == "exchange" else game)
    state = rules.parse(position.replace("_", " "))
    rows = []
    for choice in choices:
        usual = {**find("engine").sound_options(), "check_extension": False, "live": True}
        given = {**usual, **options(choice.split(","))}
        found = gambito.search(rules, state, "engine", depth=int(depth), **given)
        told = " ".join(f"`{word}`" for word in choice.split(","))
        rows.append([told, found.value, " ".join(found.words()), making.number(found.nodes)])
    return making.table(["options", "value", "line", "nodes"], rows)
