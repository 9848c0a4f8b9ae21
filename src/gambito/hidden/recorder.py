"""The record of a strategy that is learned: the game's tree, and after every iteration its numbers.

A node that a player's action leads to shows four numbers. They are of that action, in the information set
where it is chosen, so nodes that look alike to that player show the same ones:

    regret   how much the action was missed so far
    policy   its probability in the next iteration
    reach    the probability that the game came to the node, by the policies of this iteration
    average  its probability in the strategy that is learned, after the last iteration

It reads the tables of the solver and computes nothing of the learning itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from gambito.errors import SearchError
from gambito.game.contract import CHANCE, Game
from gambito.hidden.game_tree import Tree, count_nodes, set_key
from gambito.hidden.regrets import normalised
from gambito.hidden.solver import Solver
from gambito.search.limits import Stop
from gambito.search.monitor import Monitor, new_monitor
from gambito.search.trace.record import Node, Record, Step
from gambito.words.sentence import Sentence

ITERATIONS = 10  # that are recorded, if no other number is given
MOST_STATES = 1000  # of a game whose learning is drawn
MOST_STEPS = 100_000
SENTENCES = {
    "iteration": "iteration {0}: everybody plays by the last policy",
    "chance": "chance leads here with {0} %",
    "regret": "who sees {0} has missed {1} by {2} so far, and plays it with {3} % next",
    "average": "who sees {0} plays {1} with {2} % on average: this is the strategy",
    "exploitable": "after {0} iterations, the best reply to the strategy gains {1} more than its value",
    "steps": "only the first {0} iterations were kept",
}
TITLES = {"iteration": "Iteration", "chance": "Chance", "regret": "Regret", "average": "Average"}


@dataclass(frozen=True)
class Edge:
    """An action or an outcome of chance that leads to a node."""

    node: int
    parent: int
    slot: int | None  # of the action in the solver's tables; None: chance decides
    chance: float  # the probability of the outcome; 1 if a player decides
    seen: str  # what the player sees who decides


def check_small(game: Game, algorithm: str) -> None:
    """Refuse a game whose learning would be too large a record."""
    if count_nodes(game, "python", MOST_STATES) is None:
        raise SearchError(
            "{} is recorded for games of at most {} states, and {} has more",
            algorithm,
            MOST_STATES,
            game.label(),
        )


def record_learning(
    game: Game, algorithm: str, solver: Solver, iterations: int | None = None, stop: Stop | None = None
) -> Record:
    """Record the first iterations of a solver that has not begun yet."""
    assert solver.tree is not None
    wanted = iterations or ITERATIONS
    record = Record(game.label(), game.text(game.initial()), algorithm, wanted, is_many=game.players > 2)
    record.titles = dict(TITLES)
    edges = list(_unfold(game, solver.tree, record))
    kept = max(1, min(wanted, MOST_STEPS // len(edges)))
    monitor = new_monitor(Monitor, "python", 0)
    for iteration in range(1, kept + 1):
        if stop is not None and stop.is_set():
            break
        reach = _reach(edges, solver.table.policy)
        solver.iterate(1, monitor)
        _tell(record, "iteration", 0, (str(iteration),), {"reach": 1.0})
        for edge in edges:
            _tell_regret(record, edge, solver, reach[edge.node])
    average = normalised(solver.tree.first, solver.table.average)
    for edge in edges:
        if edge.slot is not None:
            share = float(average[edge.slot])
            parts = (edge.seen, record.nodes[edge.node].action, _short(100 * share, ".0f"))
            _tell(record, "average", edge.node, parts, {"average": round(share, 4)})
    found = solver.judgement()
    record.visited, record.depth = solver.iteration, solver.iteration
    if found is not None:
        record.value = float(found.values[0])
        told = (f"{solver.iteration}", f"{found.exploitability:.4f}")
        record.note = Sentence(SENTENCES["exploitable"], *told)
    if kept < wanted:
        record.note = Sentence(SENTENCES["steps"], str(kept))
    return record


def _unfold(game: Game, tree: Tree, record: Record) -> Iterator[Edge]:
    """Draw the tree of a game, a node after its parent; every edge once."""
    waiting: list[tuple[Any, Edge | None]] = [(game.initial(), None)]
    while waiting:
        state, edge = waiting.pop()
        if edge is not None:
            yield edge
        above = 0 if edge is None else edge.node
        if edge is None:
            record.nodes.append(_node(game, state, 0, None, ""))
        if game.is_terminal(state):
            continue
        player = int(game.player(state))
        slot, seen = None, ""
        if player != CHANCE:
            number = tree.find(set_key(game, state, player))
            slot = None if number is None else int(tree.first[number])
            seen = _text(game, game.observe(state, player))
        outcomes = _outcomes(game, state, player)
        below = []
        for place, (action, chance) in enumerate(outcomes):
            child, number = game.result(state, action), len(record.nodes)
            record.nodes.append(_node(game, child, number, above, game.write(state, action)))
            record.nodes[above].children.append(number)
            here = None if slot is None else slot + place
            below.append((child, Edge(number, above, here, chance, seen)))
        waiting += reversed(below)


def _outcomes(game: Game, state: Any, player: int) -> list[tuple[int, float]]:
    if player == CHANCE:
        return [(int(outcome), float(chance)) for outcome, chance in game.chances(state)]
    return [(int(action), 1.0) for action in game.legal(state)]


def _node(game: Game, state: Any, number: int, parent: int | None, action: str) -> Node:
    """A node whose label is what its player sees, or the points of the first player at the end."""
    if game.is_terminal(state):
        label = f"{game.utility(state, 0):g}"
    else:
        player = int(game.player(state))
        label = "" if player == CHANCE else _text(game, game.observe(state, player))
    board = " ".join(game.show(state).split()) if not label else ""
    return Node(number, parent, action, int(game.player(state)), label, board)


def _text(game: Game, seen: Any) -> str:
    return game.text(seen) or " ".join(game.show(seen).split())


def _reach(edges: list[Edge], policy: Any) -> Mapping[int, float]:
    """The probability of each node, if everybody plays by a policy."""
    reach = {0: 1.0}
    for edge in edges:
        share = edge.chance if edge.slot is None else float(policy[edge.slot])
        reach[edge.node] = reach[edge.parent] * share
    return reach


def _tell_regret(record: Record, edge: Edge, solver: Solver, reach: float) -> None:
    """Tell what an iteration has changed about an action; of an outcome of chance, only how likely it was."""
    if edge.slot is None:
        if solver.iteration == 1:  # it stays the same
            _tell(record, "chance", edge.node, (f"{100 * edge.chance:.0f}",), {"reach": round(reach, 4)})
        return
    regret, policy = float(solver.table.regret[edge.slot]), float(solver.table.policy[edge.slot])
    facts = {"regret": round(regret, 4), "policy": round(policy, 4), "reach": round(reach, 4)}
    named = record.nodes[edge.node].action
    parts = (edge.seen, named, _short(regret, ".3g"), _short(100 * policy, ".0f"))
    _tell(record, "regret", edge.node, parts, facts)


def _short(number: float, form: str) -> str:
    """A number in few digits; 0 has no sign."""
    text = format(number, form)
    return "0" if float(text) == 0 else text.replace("-", "−")


def _tell(record: Record, kind: str, node: int, parts: tuple[str, ...], facts: dict[str, float]) -> None:
    record.steps.append(Step(kind, node, Sentence(SENTENCES[kind], *parts), facts=facts))
