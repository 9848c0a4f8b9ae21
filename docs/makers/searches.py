"""Searches on the common trees and games: node counts, results and pictures."""

from __future__ import annotations

import functools
import json
import random
import re
from collections.abc import Iterable
from statistics import fmean
from typing import Any

import gambito
from gambito.draw import draw_text
from gambito.draw.boxes import boxes as drawn_boxes
from gambito.draw.facts import conclusions as concluded
from gambito.draw.facts import principal
from gambito.draw.labels import name as node_name
from gambito.game.registry import game_classes
from gambito.players.clock import Clock
from gambito.search.algorithm import find
from gambito.search.trace.record import Record
from gambito.words import speaking
from gambito.words.sentence import Sentence
from makers.frame import DOCS, Making, fence, maker

TREES = {
    "two-ply": "[[3,12,8],[2,4,6],[14,5,2]]",
    "three-ply": "[[[8,7,3],[9,1,6],[2,4,1]],[[1,3,5],[3,9,2],[6,5,2]],[[1,2,3],[9,7,2],[16,6,4]]]",
    "best-first": "[[3,12,8],[2,4,6],[2,5,14]]",
    "worst-first": "[[14,5,2],[6,4,2],[12,8,3]]",
    "coins": '[{"chance":[[0.5,[3,9]],[0.5,[4,8]]]},{"chance":[[0.5,[-9,9]],[0.5,[9,8,7]]]}]',
    "bounded": (
        '[{"bounds":[4,9],"moves":[7,5,9]},{"bounds":[1,6],"moves":[2,6,3]},{"bounds":[0,3],"moves":[1,3,0]}]'
    ),
}
EXCHANGE = f"{DOCS}/examples/exchange.py:Exchange"
# The searches that compare the algorithms: (title, game, position, depth).
TASKS = (
    ("two-ply tree", "tree", TREES["two-ply"], 2),
    ("three-ply tree", "tree", TREES["three-ply"], 3),
    ("tic-tac-toe, whole game", "tic-tac-toe", "", 9),
    ("Connect Four after 44, 8 plies", "connect-four", "44", 8),
    ("Othello after f5d6c3, 6 plies", "othello", "f5d6c3", 6),
)
# The searches that compare options of the engine: deeper ones.
DEEPER = (
    ("Connect Four after 44, 14 plies", "connect-four", "44", 14),
    ("Othello after f5d6c3, 10 plies", "othello", "f5d6c3", 10),
    ("chess, the start, 8 plies", "chess", "", 8),
)
# The searches that compare the optimisations of alpha-beta, each as its slide has it.
OPTIMISED = (
    ("Connect Four after 44, 10 plies", "connect-four", "44", 10),
    ("Othello after f5d6c3, 8 plies", "othello", "f5d6c3", 8),
    ("chess, the start, 5 plies", "chess", "", 5),
)
# The searches with changed order of actions: shallower, because they run in the Python gear.
SHALLOWER = (
    ("tic-tac-toe, whole game", "tic-tac-toe", "", 9),
    ("Connect Four after 44, 6 plies", "connect-four", "44", 6),
    ("Othello after f5d6c3, 5 plies", "othello", "f5d6c3", 5),
)
SHUFFLES = 5  # seeds over which a random order is averaged
BUDGETS = (100, 1_000, 10_000, 100_000, 1_000_000)  # nodes
COMPARED = ("minimax", "alpha-beta")  # included in every table of counts

# Pictures that only the README uses.
ELSEWHERE = {"aima-alpha-beta": ("alpha-beta", "two-ply")}

# Results that the text of pages mentions: (game, position, algorithm, depth) -> value, leaves.
RELIED_ON = (
    ("tree", TREES["two-ply"], "alpha-beta", 2, 3, 7),
    ("tree", TREES["two-ply"], "minimax", 2, 3, 9),
    ("tree", TREES["three-ply"], "alpha-beta", 3, 5, 16),
    ("tree", TREES["three-ply"], "minimax", 3, 5, 27),
    ("tree", TREES["best-first"], "alpha-beta", 2, 3, 5),
    ("tree", TREES["worst-first"], "alpha-beta", 2, 3, 9),
    ("tree", TREES["three-ply"], "bns", 3, 5, 47),
    ("tree", TREES["two-ply"], "df-pn", 2, 1, 3),
    ("tree", TREES["three-ply"], "df-pn", 3, 1, 3),
    ("tree", TREES["bounded"], "b-star", 2, 5, 6),
    ("tree", "min [[3,12,8],[20,null,null],[13,null,null]]", "alpha-beta", 2, -12, 5),
    ("tic-tac-toe", "", "minimax", 9, 0, 255168),
)


def check_relied_on() -> None:
    for game, position, algorithm, depth, value, leaves in RELIED_ON:
        found = search(game, position, algorithm, depth)
        assert found.value == value and leaves in (None, found.evaluations), (game, algorithm)


@functools.cache
def search(game: str, position: str, algorithm: str, depth: int, **options: Any) -> gambito.SearchResult:
    return gambito.search(game, position or None, algorithm=algorithm, depth=depth, **options)


def trace(algorithm: str, tree: str, **options: Any) -> Record:
    return gambito.trace("tree", TREES[tree], algorithm=algorithm, **options)


def called(choice: str) -> tuple[str, dict[str, str]]:
    """The name and the options of a choice such as `pvs,form=alpha`."""
    name, *words = choice.split(",")
    return name, options(words)


def _told(choice: str) -> str:
    return " ".join(f"`{word}`" for word in choice.split(","))


@maker
def counts(making: Making, *choices: str) -> str:
    """The nodes and leaves of some algorithms on the common tasks. A choice is `name,option=value`."""
    rows = []
    for choice in dict.fromkeys((*choices, *COMPARED)):
        name, given = called(choice)
        found = [search(game, position, name, depth, **given) for _, game, position, depth in TASKS]
        rows.append(
            [_told(choice), *(f"{making.number(f.nodes)} / {making.number(f.evaluations)}" for f in found)]
        )
    head = ["nodes / leaves valued", *(task[0] for task in TASKS)]
    return making.table(head, rows)


@maker
def optimisations(making: Making, *choices: str) -> str:
    """The nodes and values of alpha-beta with each choice of options on three games, compared with those of
    plain alpha-beta; a dash where a game cannot have an option."""
    rows = []
    for choice in choices:
        row = [_told(choice)]
        for _, game, position, depth in OPTIMISED:
            first = search(game, position, "alpha-beta", depth)
            name, given = called(choice)
            try:
                found = search(game, position, name, depth, **given)
            except gambito.SearchError:
                row.append("–")
                continue
            share = f" ({found.nodes / first.nodes:.2f} ×)" if given else ""
            row.append(f"{making.number(found.nodes)}{share}, {making.say('value')} {found.value}")
        rows.append(row)
    return making.table(["nodes", *(task[0] for task in OPTIMISED)], rows)


RANDOM_TREES, RANDOM_BRANCHES, RANDOM_PLIES, RANDOM_HIGHEST = 500, 3, 5, 20


def _random_tree(rng: random.Random, plies: int) -> Any:
    if plies == 0:
        return rng.randint(0, RANDOM_HIGHEST)
    return [_random_tree(rng, plies - 1) for _ in range(RANDOM_BRANCHES)]


def _best_first(tree: Any, sign: int) -> tuple[int, Any]:
    """The value of a tree for the player of that sign, and the tree with its best branches first."""
    if isinstance(tree, int):
        return sign * tree, tree
    below = sorted((_best_first(branch, -sign) for branch in tree), key=lambda pair: pair[0])
    return -below[0][0], [branch for _, branch in below]


@maker
def random_trees(making: Making, *choices: str) -> str:
    """The mean nodes and leaves of searches on random trees, and on the same trees with the best branches
    first."""
    rng = random.Random(1)
    trees = [_random_tree(rng, RANDOM_PLIES) for _ in range(RANDOM_TREES)]
    orders = trees, [_best_first(tree, 1)[1] for tree in trees]
    rows = []
    for choice in choices:
        name, given = called(choice)
        row = [_told(choice)]
        for order in orders:
            found = [gambito.search("tree", json.dumps(tree), name, **given) for tree in order]
            nodes, leaves = fmean(f.nodes for f in found), fmean(f.evaluations for f in found)
            row.append(f"{making.number(round(nodes, 1))} / {making.number(round(leaves, 1))}")
        rows.append(row)
    return making.table(["nodes / leaves valued, mean", "random order", "best order"], rows)


@maker
def solving(making: Making, names: str, *games: str) -> str:
    """The nodes and leaves that some algorithms need to solve small games from the start."""
    rows = []
    for game in games:
        found = [search(game, "", name, gambito.load(game).longest or 0) for name in names.split(",")]
        cells = (f"{making.number(f.nodes)} / {making.number(f.evaluations)}" for f in found)
        rows.append([f"`{game}`", *cells])
    return making.table(["nodes / leaves valued", *(f"`{name}`" for name in names.split(","))], rows)


@maker
def kept_leaves(making: Making, game: str, position: str, depth: str, *sizes: str) -> str:
    """The nodes and leaves of MTD(f) with leaves kept in its table and without, by the size of the table."""
    rows = []
    for keeps in ("true", "false"):
        found = [
            search(game, position, "mtd-f", int(depth), leaves=keeps, memory=size, gear="native")
            for size in sizes
        ]
        cells = (f"{making.number(f.nodes)} / {making.number(f.evaluations)}" for f in found)
        rows.append([f"`leaves={keeps}`", *cells])
    return making.table(["nodes / leaves valued", *(Sentence("{0} MiB", size) for size in sizes)], rows)


@maker
def null_forms(making: Making, *tasks: str) -> str:
    """The nodes and values without a null move, with the text of the slide, and with the conditions of the
    engine, on some searches: game, position (`-`: the start) and depth of each."""
    asked = [tasks[place : place + 3] for place in range(0, len(tasks), 3)]
    bare = {
        **find("engine").sound_options(),
        "table": "off",
        "order": "false",
        "aspiration": 0,
        "deepen": "false",
    }
    bare |= {
        "quiescence": "false",
        "bounds": "false",
        "check_extension": "false",
        "presort": 0,
        "solve_ending": "false",
        "live": "true",
    }
    bare |= {
        "etc": 0,
        "history_malus": "false",
        "staged_generation": "false",
        "singular_extension": 0,
        "quiescence_evasions": "false",
    }
    rows = []
    for told, name, given in (
        ("`alpha-beta`", "alpha-beta", {}),
        ("`alpha-beta` `null_move=2`", "alpha-beta", {"null_move": 2}),
        (Sentence("{0}, bare", "`engine`"), "engine", bare),
        (
            Sentence("{0}, bare", "`engine` `null_move=2`"),
            "engine",
            {**bare, "null_move": 2, "null_move_growth": 0},
        ),
    ):
        found = [search(g, p.strip("-"), name, int(d), **given) for g, p, d in asked]
        rows.append(
            [making.say(told), *(f"{making.number(f.nodes)}, {making.say('value')} {f.value}" for f in found)]
        )
    head = [Sentence("{0}, {1} plies", game, depth) for game, _, depth in asked]
    return making.table(["nodes", *head], rows)


@maker
def asked(making: Making) -> str:
    """The nodes of null-window searches of the common tasks, at the value and one step above it."""
    rows = []
    for told, game, position, depth in TASKS:
        whole = search(game, position, "alpha-beta", depth)
        step = gambito.load(game).step
        yes = search(game, position, "test", depth, gamma=whole.value)
        no = search(game, position, "test", depth, gamma=whole.value + step)
        assert yes.low >= whole.value >= no.high
        counted = (making.number(f.nodes) for f in (yes, no, whole))
        rows.append([making.say(told), whole.value, *counted])
    return making.table(["nodes", "value v", "at least v?", "at least v + step?", "`alpha-beta`"], rows)


def _reordered(game: str, order: str, seed: int) -> Any:
    """Return the game with its actions in another order."""
    rules = gambito.load(game)
    rules.evaluate(rules.initial(), 0)  # loads its weights, which are bound to the class
    kind = type(rules)

    class Reordered(kind):  # type: ignore[misc, valid-type]
        def actions(self, state: Any) -> Iterable[int]:
            listed = list(kind.actions(self, state))
            if order == "reversed":
                listed.reverse()
            if order == "random":
                random.Random(f"{seed} {self.key(state)}").shuffle(listed)
            if order == "looked":
                listed.sort(key=lambda action: -_looked(self, state, action))
            return listed

    rules.__class__ = Reordered
    return rules


def _looked(rules: Any, state: Any, action: int) -> Any:
    """Return the static value of an action, one ply ahead, for the player to move."""
    child, player = rules.result(state, action), rules.player(state)
    worth = rules.utility if rules.is_terminal(child) else rules.evaluate
    return worth(child, player)


@maker
def orders(making: Making) -> str:
    """The nodes of alpha-beta on three games with the actions in different orders."""
    rows = []
    for order, told in (
        ("listed", "as the game lists them"),
        ("reversed", "reversed"),
        ("random", "random order"),
        ("looked", "by the static value one ply ahead"),
    ):
        cells = []
        for _, game, position, depth in SHALLOWER:
            counted = [
                gambito.search(
                    _reordered(game, order, seed), position or None, "alpha-beta", depth, gear="python"
                )
                for seed in range(SHUFFLES if order == "random" else 1)
            ]
            assert {f.value for f in counted} == {search(game, position, "alpha-beta", depth).value}
            cells.append(making.number(round(fmean(f.nodes for f in counted))))
        rows.append([making.say(told), *cells])
    return making.table(["nodes", *(task[0] for task in SHALLOWER)], rows)


@maker
def anytime(making: Making, algorithm: str) -> str:
    """The answer of an algorithm after different numbers of nodes, on three games."""
    rows = []
    for nodes in BUDGETS:
        row = [making.number(nodes)]
        for _, game, position, _ in DEEPER:
            found = gambito.search(game, position or None, algorithm, nodes=nodes)
            row.append(f"{found.depth}: {found.words()[0]} ({found.value})")
        rows.append(row)
    head = ["nodes", "Connect Four after 44", "Othello after f5d6c3", "chess, the start"]
    return making.table(head, rows)


@maker
def clock(making: Making, *clocks: str) -> str:
    """The limits that a clock gives to one move: `left+increment`, or `left+increment/moves to go`."""
    rows = []
    for given in clocks:
        times, _, moves = given.partition("/")
        left, increment = map(float, times.split("+"))
        limits = Clock(left, increment, int(moves) if moves else None).limits()
        row = [f"{left:g}", f"{increment:g}", moves or "—", f"{limits.soft:.3g}", f"{limits.seconds:.3g}"]
        rows.append(row)
    return making.table(["left", "increment", "moves to go", "soft", "hard"], rows)


@maker
def kinds(making: Making, folder: str) -> str:
    """The built-in games of two players and more: is there chance, does everybody see everything?"""
    found: dict[tuple[bool, bool], list[str]] = {}
    for name in game_classes():
        game = gambito.load(name)
        if game.players > 1:
            found.setdefault((game.chance, game.hidden), []).append(f"[{name}]({folder}{name}.md)")
    told = {False: "no chance", True: "chance"}
    rows = [
        [making.say(told[chance]), *(", ".join(found[chance, hidden]) for hidden in (False, True))]
        for chance in (False, True)
    ]
    return making.table(["", "everybody sees everything", "something is hidden"], rows).replace("--:", "---")


@maker
def kinds_alone(making: Making, folder: str) -> str:
    """The built-in games of one player."""
    found: dict[bool, list[str]] = {False: [], True: []}
    for name in game_classes():
        game = gambito.load(name)
        if game.players == 1:
            found[game.chance].append(f"[{name}]({folder}{name}.md)")
    told = {False: "one player, no chance", True: "one player, chance"}
    rows = [[making.say(told[chance]), ", ".join(names)] for chance, names in found.items()]
    return making.table(["kind", "games"], rows).replace("--:", "---")


@maker
def sizes(making: Making, *games: str) -> str:
    """The number of reachable positions and of possible games of small games."""
    rows = []
    for name in games:
        game = gambito.load(name)
        played: dict[Any, int] = {}

        def count(state: Any, game: Any = game, played: dict[Any, int] = played) -> int:
            key = game.key(state)
            if key not in played:
                played[key] = (
                    1
                    if game.is_terminal(state)
                    else sum(count(game.result(state, action)) for action in game.actions(state))
                )
            return played[key]

        games_played = count(game.initial())
        rows.append([f"`{name}`", making.number(len(played)), making.number(games_played)])
    return making.table(["game", "positions", "games"], rows)


@maker
def technique(making: Making, without: str, *choices: str) -> str:
    """The nodes of the engine to a fixed depth on three games, with each choice of options.

    A choice is `option=value,option=value`; the others are compared with the first one.
    """
    rows = []
    for choice in (without, *choices):
        row = [" ".join(f"`{word}`" for word in choice.split(","))]
        for _, game, position, depth in DEEPER:
            found = search(game, position, "engine", depth, live=True, **options(choice.split(",")))
            first = search(game, position, "engine", depth, live=True, **options(without.split(",")))
            share = "" if choice == without else f" ({found.nodes / first.nodes:.2f} ×)"
            row.append(f"{making.number(found.nodes)}{share}")
        rows.append(row)
    return making.table(["nodes", *(task[0] for task in DEEPER)], rows)


@maker
def deepening(making: Making, game: str, position: str, deepest: str, name: str = "alpha-beta") -> str:
    """By depth: the nodes of a single search, and of iterative deepening; position `-` is the start."""
    rows = []
    for depth in range(1, int(deepest) + 1):
        alone = search(game, position.strip("-"), name, depth)
        driven = search(game, position.strip("-"), name, depth, deepen=True)
        assert driven.value == alone.value
        share = f"{driven.nodes / alone.nodes:.2f}"
        rows.append([depth, alone.value, making.number(alone.nodes), making.number(driven.nodes), share])
    return making.table(["depth", "value", "one search", "all iterations", "ratio"], rows)


@maker
def by_depth(making: Making, game: str, position: str, algorithm: str, least: str, most: str) -> str:
    """A search to each of some depths: value, line and nodes; an underscore is a space."""
    rows = []
    for depth in range(int(least), int(most) + 1):
        found = search(game, position.replace("_", " "), algorithm, depth)
        rows.append([depth, found.value, " ".join(found.words()), making.number(found.nodes)])
    return making.table(["depth", "value", "line", "nodes"], rows)


@maker
def scale(making: Making) -> str:
    """A choice before and after a change of its leaves that preserves their order."""
    rows = []
    for leaves in ((2, 3, 1, 4), (20, 30, 1, 400)):
        first, second = leaves[:2], leaves[2:]
        text = json.dumps([{"chance": [[0.9, a], [0.1, b]]} for a, b in (first, second)])
        means = [f"{0.9 * a + 0.1 * b:g}" for a, b in (first, second)]
        plain = gambito.search("tree", json.dumps([first, second]), "minimax").words()[0]
        chosen = gambito.search("tree", text, "expectiminimax").words()[0]
        told = making.say(Sentence("{0}, {1} or {2}, {3}", *map(str, leaves)))
        rows.append([told, *means, chosen, plain])
    return making.table(["leaves of a or b", "a", "b", "expectiminimax chooses", "minimax chooses"], rows)


def options(words: Iterable[str]) -> dict[str, str]:
    return dict(word.split("=", 1) for word in words)


@maker
def picture(making: Making, algorithm: str, tree: str, *words: str) -> str:
    """A drawing of a search on one of the textbook trees."""
    record = trace(algorithm, tree, **options(words))
    name = "-".join([algorithm, tree, *(re.sub("[=^]", "-", word) for word in words)])
    return making.draw(record, name, f"{algorithm} on the {tree} tree")


@maker
def conclusions(making: Making, algorithm: str, tree: str) -> str:
    """The conclusions of a search, in order."""
    record = trace(algorithm, tree)
    return "\n".join(
        f"{step.conclusion}. {making.say(node_name(record, step.node))}: {making.say(step.text)}"
        for step in concluded(record)
    )


@maker
def kept_bounds(making: Making, tree: str) -> str:
    """What each inner node of an alpha-beta run is sure of, as it changes, and the rule that cuts below."""
    record, rows = trace("alpha-beta", tree), []
    for number, node in enumerate(record.nodes):
        steps = [step for step in record.steps if step.node == number]
        if node.children and node.visits:
            is_max = node.player == 0
            kept = [step.value for step in steps if step.kind == ("alpha" if is_max else "beta")]
            cut = [step.value for step in steps if step.kind == "cut"]
            course = [*kept, *cut]
            assert course == sorted(course, reverse=not is_max)  # alpha never falls, beta never rises
            told = " → ".join(map(str, course)) or "—"
            rule = making.say("rule b: beta cut" if is_max else "rule a: alpha cut") if cut else ""
            kind = "α" if is_max else "β"
            rows.append([making.say(node_name(record, number)), "MAX" if is_max else "MIN", kind, told, rule])
    return making.table(["node", "player", "bound", "its values", "cut"], rows)


@maker
def principal_nodes(making: Making, *trees: str) -> str:
    """The nodes of the principal variation of some trees, with their minimax values."""
    rows = []
    for tree in trees:
        record = trace("minimax", tree)
        path = principal(record)
        values = [record.nodes[node].visits[-1].value for node in path]
        assert set(values) == {record.value}
        rows.append([making.say(f"{tree} tree"), " ".join(record.line), " → ".join(map(str, values))])
    return making.table(["tree", "principal variation", "values of its nodes"], rows)


@maker
def boxes(making: Making, algorithm: str, tree: str) -> str:
    """The boxes of a search, in order, with the moves that lead to their nodes."""
    record = trace(algorithm, tree)
    paths = {0: making.say("the root")}
    for node in record.nodes[1:]:
        above = paths[node.parent] if node.parent else ""
        paths[node.id] = f"{above} {node.action}".strip()
    return "\n".join(
        f"{count}. {paths[box.node]}: {making.say(box.text)}"
        for count, box in enumerate(drawn_boxes(record), 1)
    )


@maker
def traced_text(making: Making, algorithm: str, tree: str) -> str:
    with speaking(making.language):
        return fence(draw_text(trace(algorithm, tree)))


@maker
def exchange(making: Making, form: str) -> str:
    """A search of one ply of a small exchange, with a static value at the horizon or with quiescence."""
    record = gambito.trace(EXCHANGE, algorithm="negascout", depth=1, form=form)
    line = " ".join(record.line)
    says = making.say(f"value {record.value}, action {record.action}, line {line}")
    return f"{making.draw(record, f'exchange-{form}', 'an exchange')}\n\n{says.capitalize()}."


@maker
def switched(making: Making, game: str, position: str, depth: str, *choices: str) -> str:
    """The result of the engine with each choice of options, and the true value of its action."""
    rules = gambito.load(EXCHANGE if game == "exchange" else game)
    state = rules.parse(position) if position != "-" else rules.initial()
    rows = []
    for choice in choices:
        found = gambito.search(rules, state, "engine", depth=int(depth), **options(choice.split(",")))
        child = rules.result(state, found.action)
        worth = gambito.solve(rules, child).value
        worth = worth if rules.player(child) == rules.player(state) else -worth
        told = " ".join(f"`{word}`" for word in choice.split(","))
        rows.append([told, found.value, " ".join(found.words()), worth, making.number(found.nodes)])
    return making.table(["options", "value", "line", "true value of its first move", "nodes"], rows)


@maker
def each_action(making: Making, game: str, position: str) -> str:
    """The value of each action, and its value if the opponent could pass after it."""
    rules = gambito.load(game)
    state = rules.parse(position)
    rows = []
    for action in rules.legal(state):
        child = rules.result(state, action)
        values = -gambito.solve(rules, child).value, gambito.solve(rules, rules.pass_turn(child)).value
        rows.append([rules.write(state, action), *values])
    return making.table(["move", "value", "if the opponent could pass"], rows)
