"""The recording monitor: it records a whole search in the Python gear, for pictures.

It has the same few methods as every watch and turns their calls into a `Record`. An algorithm may value
states for MAX or for the player to move; the record always has values for MAX. The monitor does not depend on
any algorithm or picture.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gambito.game.contract import CHANCE, Game
from gambito.memory.table import LARGEST_VALUE
from gambito.search.algorithm import Algorithm, DepthSearch
from gambito.search.monitor import FAIL_HIGH, FAIL_LOW, PASS, Monitor
from gambito.search.search_result import SearchResult
from gambito.search.trace.record import INFINITE, Cut, Node, Record, Step, Visit
from gambito.search.trace.simulations import SimulationRecorder, probability
from gambito.words.sentence import Sentence

MOST_NODES = 100_000  # the most nodes kept; beyond that the search goes on unrecorded
MOST_STEPS = 600_000  # the most steps kept; each takes about 300 bytes
MOST_BOARDS = 2_000  # the most drawn boards kept
MOST_PRUNED = 400  # nodes shown below the cuts of a small tree, to show what was not searched

SENTENCES = {
    "enter": "enter",
    "enter again": "enter again",
    "enter window": "enter with the window {0}",
    "enter window again": "enter again with the window {0}",
    "enter bounds": "enter with the bounds {0}",
    "enter bounds again": "enter again with the bounds {0}",
    "horizon": "static value {0}",
    "terminal": "the game ends with {0}",
    "repetition": "repeated, worth {0}",
    "known": "the table already knows enough: {0}",
    "tighten": "the table narrows the window to {0}",
    "pass": "null move: what if the player to move passes?",
    "pass cut": "even after a pass the value reaches {0}: cut-off",
    "fail high": "ProbCut: will a shallower search fail high?",
    "fail high cut": "it does: most likely the value reaches {0}; cut-off",
    "fail low": "ProbCut: will a shallower search fail low?",
    "fail low cut": "it does: most likely the value does not pass {0}; cut-off",
    "order": "the actions in this order: {0}",
    "credit": "history of {0}: {1} more, {2} in all",
    "kill": "{0} is a killer of this ply now",
    "probe": "one move was enough for a bound",
    "max best": "value ≥ {0}, by {1}",
    "min best": "value ≤ {0}, by {1}",
    "max window": "α := {0}, by {1}",
    "min window": "β := {0}, by {1}",
    "max cut": "value ≥ {0}: {1}",
    "min cut": "value ≤ {0}: {1}",
    "max whole": "value ≥ {0}, and no branch is left",
    "min whole": "value ≤ {0}, and no branch is left",
    "exact": "leave with value = {0}",
    "lower": "leave with value ≥ {0}",
    "upper": "leave with value ≤ {0}",
    "suspend": "leave, the question still open",
    "bounds": "the value lies between {0} and {1}",
    "met": "the searches together show: value = {0}",
    "beta": "β cut-off: {0} has {1} already",
    "alpha": "α cut-off: {0} has {1} already",
    "deep beta": "deep β cut-off: {0} has {1} already",
    "deep alpha": "deep α cut-off: {0} has {1} already",
    "beta end": "cut-off at β = {0}, the end of the window asked about",
    "alpha end": "cut-off at α = {0}, the end of the window asked about",
    "shallow": "shallow cut-off: the player above has {0} already, and more is no longer possible",
    "settled": "no other move can be better",
    "root": "the root",
    "nodes": "only the first {0} nodes of the tree were kept",
    "steps": "only the first {0} steps of the search were kept",
    "stopped": "the search was stopped before its end",
}
# Searches that may cut off: the name of the step, and the edge that leads to the search.
ASKED = {PASS: ("pass", "∅"), FAIL_HIGH: ("fail high", "≥ β?"), FAIL_LOW: ("fail low", "≤ α?")}
TITLES = {
    "pass": "Null move",
    "fail high": "ProbCut",
    "fail low": "ProbCut",
    "pass cut": "Null move",
    "fail high cut": "ProbCut",
    "fail low cut": "ProbCut",
    "order": "Order",
    "credit": "History",
    "kill": "Killers",
}  # of the steps of optimisations
TAKEN = frozenset({"table", "null move", "ProbCut"})  # a stay that ended this way took over a bound


@dataclass
class _Stay:
    """One entry of the stack of the search."""

    node: Node
    visit: Visit
    game: Game
    state: Any
    is_max: bool
    alpha: Any  # the window now, for MAX
    beta: Any
    action: int | None = None  # the branch that is being searched
    tried: set[int] = field(default_factory=set)
    best: Any = None  # for MAX
    probing: bool = False  # only one action was searched
    passing: bool = False  # a best-first search only passes through
    bounded: bool = False  # alpha and beta are bounds of the value, not a window


class Recorder(Monitor):
    """A monitor that records everything."""

    def __init__(self, data: Any, record: Record, frame: str, windowed: bool) -> None:
        super().__init__(data=data)
        self.record, self.frame, self.windowed = record, frame, windowed
        self.stack: list[_Stay | None] = []  # None: a node that is not kept
        self.children: dict[tuple[int, int], Node] = {}  # by parent and action
        self.states: dict[int, tuple[Any, int]] = {}  # of branches that were cut off, with the plies left
        self.visited = self.conclusions = 0
        self.game: Game | None = None  # what is searched: the game, or a view of it

    # ---- what algorithms call --------------------------------------------------------------------
    def enter(self, game, state, depth, alpha, beta):
        hint = super().enter(game, state, depth, alpha, beta)
        self.game = game
        is_max = self._is_max(game, state)
        alpha, beta = self._window(game, is_max, alpha, beta)
        node = self._node(game, state)
        if len(self.record.steps) >= MOST_STEPS:
            node = None
            self._note(_say("steps", f"{MOST_STEPS:,}"))
        if node is None:
            self.stack.append(None)
            return hint
        self.visited += 1
        visit = Visit(self.visited, depth, alpha, beta, again=bool(node.visits))
        node.visits.append(visit)
        node.cut = None
        self.states.pop(node.id, None)
        self.stack.append(_Stay(node, visit, game, state, is_max, alpha, beta))
        again = " again" if visit.again else ""
        if self.windowed:
            self._step("enter", _say(f"enter {self.record.interval}{again}", _interval(alpha, beta)))
        else:
            self._step("enter", _say(f"enter{again}"))
        return hint

    def choose(self, depth, listed, hint):
        action = super().choose(depth, listed, hint)
        stay = self.stack[-1] if self.stack else None
        if stay is not None:
            stay.action = int(action)
            stay.tried.add(int(action))
        return action

    def leaf(self, depth, value, at_horizon):
        stay = self.stack[-1]
        if stay is not None:
            over = stay.game.is_terminal(stay.state)
            stay.visit.leaf = "horizon" if at_horizon else "terminal" if over else "repetition"
            stay.best = self._for_max(stay, value, "mover")
            self._step("leaf", _say(stay.visit.leaf, _number(stay.best)))
        return super().leaf(depth, value, at_horizon)

    def share(self, depth, values, place, players):
        stay = self.stack[-1]
        if stay is not None and not self.is_stopped():
            stay.visit.values = [float(values[place + player]) for player in range(players)]

    def known(self, depth, value):
        stay = self.stack[-1]
        if stay is not None:
            stay.visit.leaf = "table"
            shown = _number(self._for_max(stay, value, self.frame))
            self._step("note", _say("known", shown))
        return super().known(depth, value)

    def tighten(self, depth, alpha, beta):
        stay = self.stack[-1]
        if stay is not None:
            window = self._window(stay.game, stay.is_max, alpha, beta)
            if window != (stay.alpha, stay.beta):
                stay.alpha, stay.beta = window
                self._step("note", _say("tighten", _interval(*window)))

    def ask(self, depth, what):
        stay = self.stack[-1]
        if stay is not None:
            stay.action = what
            self._optimise(ASKED[what][0])

    def guess(self, depth, what, value):
        stay = self.stack[-1]
        if stay is not None:
            stay.visit.leaf = "null move" if what == PASS else "ProbCut"
            shown = _number(self._for_max(stay, value, self.frame))
            self.record.cutoffs += 1
            self._optimise(f"{ASKED[what][0]} cut", shown)
        return super().guess(depth, what, value)

    def order(self, game, state, ordering, base, end):
        stay = self.stack[-1]
        scores = [int(ordering.score(place)) for place in range(base, end)]
        if stay is not None and len(set(scores)) > 1:
            places = sorted(range(base, end), key=lambda place: -scores[place - base])
            names = (self._name(stay, ordering.data[place]) for place in places)
            self._optimise("order", ", ".join(names))

    def credit(self, action, merit, total):
        stay = self.stack[-1]
        if stay is not None:
            self._optimise("credit", self._name(stay, action), str(merit), str(total))

    def kill(self, action):
        stay = self.stack[-1]
        if stay is not None:
            self._optimise("kill", self._name(stay, action))

    def _optimise(self, kind: str, *parts: str) -> None:
        """Record a step of an optimisation."""
        self.record.titles[kind] = TITLES[kind]
        self._step(kind, _say(kind, *parts))

    def probe(self, depth):
        stay = self.stack[-1]
        if stay is not None:
            stay.probing = True
            self._step("note", _say("probe"))

    def best(self, depth, action, value):
        super().best(depth, action, value)
        stay = self.stack[-1]
        if stay is None or self.is_stopped():
            return
        stay.best = self._for_max(stay, value, self.frame)
        shown = _number(stay.best)
        if not self.windowed:
            kind = "value"
        elif stay.is_max:
            kind, stay.alpha = "alpha", stay.best
        else:
            kind, stay.beta = "beta", stay.best
        said = _say(f"{_who(stay)} {'window' if self.windowed else 'best'}", shown, self._name(stay, action))
        self._step(kind, said, concludes=True)

    def cut(self, depth, action, value):
        super().cut(depth, action, value)
        self._drop(depth, value)

    def settle(self, depth, action, value):
        self._drop(depth, value, is_settled=True)

    def _drop(self, depth: int, value: Any, is_settled: bool = False) -> None:
        """Record that the remaining branches are not entered; `is_settled`: none can be better."""
        stay = self.stack[-1]
        if stay is None or self.is_stopped():
            return
        stay.best = self._for_max(stay, value, self.frame)
        if stay.node.player == CHANCE:  # its value may be above the window or below it
            stay.is_max = stay.beta is not None and stay.best >= stay.beta
        if self.frame == "own" and not is_settled:
            stay.probing = True  # its vector is a bound for its mover only
        reason, by, deep, text = self._why_settled(stay) if is_settled else self._why(stay)
        dropped = [a for a in stay.game.actions(stay.state) if int(a) not in stay.tried]
        nodes = []
        for left_out in dropped:
            child = self._child(stay, int(left_out), stay.game.result(stay.state, left_out))
            if child is None:
                break
            if not child.visits:
                child.cut = Cut(reason, stay.node.id, by, deep, text)
                self.states[child.id] = (stay.game.result(stay.state, left_out), depth - 1)
            nodes.append(child.id)
        shown = _number(stay.best)
        if not dropped:
            self._step("value", _say(f"{_who(stay)} whole", shown), concludes=True)
            return
        self.record.cutoffs += 1
        self._step("cut", _say(f"{_who(stay)} cut", shown, text), concludes=True, cut=nodes)

    def leave(self, depth, value):
        stay = self.stack.pop()
        if stay is not None and self.is_stopped():  # the value is none: the search ends in a hurry
            self._step("leave", _say("suspend"), stay=stay)
        elif stay is not None:
            shown = self._for_max(stay, value, self.frame)
            visit = stay.visit
            visit.value = shown
            visit.bound = "exact"
            if not visit.leaf or visit.leaf in TAKEN:
                if visit.beta is not None and shown >= visit.beta:
                    visit.bound = "lower"
                elif visit.alpha is not None and shown <= visit.alpha:
                    visit.bound = "upper"
            if stay.bounded and visit.alpha != visit.beta:
                visit.bound = "lower" if stay.is_max else "upper"
            elif stay.bounded:
                visit.bound = "exact"
            if stay.probing:
                visit.bound = "lower" if stay.is_max else "upper"
                visit.values = []
            is_news = stay.best is None
            stay.best = shown
            told = f"({', '.join(map(_number, visit.values))})" if visit.values else _number(shown)
            self._step("leave", _say(visit.bound, told), stay=stay, concludes=is_news)
            self.record.steps[-1].facts = {f"v{k}": value for k, value in enumerate(visit.values, 1)}
        return value

    def suspend(self, depth):
        stay = self.stack.pop()
        if stay is not None:
            self._step("leave", _say("suspend"), stay=stay)

    def pass_by(self, game, state, depth):
        super().pass_by(game, state, depth)
        node = self._node(game, state)
        if node is None or not node.visits:
            self.stack.append(None)
            return
        visit = node.visits[-1]
        player = game.player(state) <= 0
        self.stack.append(_Stay(node, visit, game, state, player, visit.alpha, visit.beta, passing=True))

    def narrow(self, low, high):
        """Record the bounds of the current state of a best-first search, which goes one state back up."""
        stay = self.stack[-1]
        if stay is not None:
            alpha, beta = self._window(stay.game, stay.is_max, low, high)
            if (alpha, beta) != (stay.visit.alpha, stay.visit.beta):
                stay.alpha, stay.beta, stay.best, stay.bounded = alpha, beta, alpha, True
                stay.visit.alpha, stay.visit.beta = alpha, beta
                stay.visit.value, stay.visit.bound = alpha, "exact" if alpha == beta else "lower"
                self._step("bounds", _say("bounds", _number(alpha), _number(beta)), concludes=True)
        if stay is None or stay.passing:
            self.stack.pop()

    def conclude(self, game: Game, value: Any) -> None:
        """Record the value of the root, for MAX, if several searches have shown it and none alone."""
        root = self.record.nodes[0]
        last = root.visits[-1]
        if last.bound == "exact" or len(self.record.steps) >= MOST_STEPS:
            return
        last.value, last.bound = value, "exact"
        self.conclusions += 1
        said = _say("met", _number(value))
        self.record.steps.append(Step("bounds", 0, said, self.conclusions, value, value, value))

    # ---- the tree --------------------------------------------------------------------------------
    def _node(self, game: Game, state: Any) -> Node | None:
        """The node of a state that the search enters from the top of the stack."""
        if not self.stack:
            return self.record.nodes[0] if self.record.nodes else self._new(None, "", game, state)
        above = self.stack[-1]
        if above is None or above.action is None:
            return None
        return self._child(above, above.action, state)

    def _child(self, above: _Stay, action: int, state: Any) -> Node | None:
        found = self.children.get((above.node.id, action))
        if found is None and len(self.record.nodes) < MOST_NODES:
            edge = ASKED[action][1] if action in ASKED else above.game.write(above.state, action)
            found = self._new(above.node, edge, above.game, state)
            found.chance = probability(above.game, above.state, action)
            self.children[above.node.id, action] = found
        elif found is None:
            self._note(_say("nodes", f"{MOST_NODES:,}"))
        return found

    def _new(self, parent: Node | None, action: str, game: Game, state: Any) -> Node:
        number = len(self.record.nodes)
        node = Node(number, parent.id if parent else None, action, int(game.player(state)))
        node.label = game.caption(state)
        node.board = game.show(state) if number < MOST_BOARDS and not node.label and game.compiles else ""
        if parent is not None:
            parent.children.append(number)
        self.record.nodes.append(node)
        return node

    def show_pruned(self, game: Game) -> None:
        """Add the nodes below the cuts, if they are not too many."""
        waiting = [(self.record.nodes[number], *what) for number, what in self.states.items()]
        room = MOST_PRUNED - len(self.record.nodes)
        while waiting:
            node, state, depth = waiting.pop(0)
            if depth <= 0 or game.is_terminal(state):
                continue
            actions = list(game.actions(state))
            room -= len(actions)
            if room < 0 or len(self.record.nodes) + len(actions) > MOST_NODES:
                return
            for action in actions:
                child = game.result(state, action)
                waiting.append((self._new(node, game.write(state, action), game, child), child, depth - 1))

    # ---- words -----------------------------------------------------------------------------------
    def _is_max(self, game: Game, state: Any) -> bool:
        """Is a value of this state the greater the better? At a chance node values are MAX's."""
        return self.frame == "own" or game.player(state) <= 0

    def _for_max(self, stay: _Stay, value: Any, frame: str) -> Any:
        return value if frame == "max" or stay.is_max else -value

    def _window(self, game: Game, is_max: bool, alpha: Any, beta: Any) -> tuple[Any, Any]:
        if self.frame == "mover" and not is_max:
            alpha, beta = -beta, -alpha
        far = min(game.infinity - game.step, LARGEST_VALUE)  # a table holds no larger values
        return (None if alpha <= -far else alpha), (None if beta >= far else beta)

    def _why(self, stay: _Stay) -> tuple[str, int | None, bool, str]:
        """The bound that cut off the other branches: (reason, node, deep, sentence)."""
        above = [s for s in self.stack[:-1] if s is not None]
        if self.frame == "own":
            return "shallow", above[-1].node.id, False, _say("shallow", _number(above[-1].best))
        letter = "beta" if stay.is_max else "alpha"
        bound = stay.beta if stay.is_max else stay.alpha
        for far, other in enumerate(reversed(above)):
            if other.node.player == CHANCE:
                continue
            if other.is_max != stay.is_max and other.best == bound and not other.visit.leaf:
                deep = far > 0
                place = other.node.label or f"#{other.visit.order}"
                if other.node.parent is None:
                    place = _say("root")
                text = _say(f"deep {letter}" if deep else letter, place, _number(bound))
                return letter, other.node.id, deep, text
        asker = None
        for other in reversed(above):
            if (other.visit.beta if stay.is_max else other.visit.alpha) != bound:
                asker = other.node.id
                break
        return "window", asker, False, _say(f"{letter} end", _end(bound, "∞"))

    def _why_settled(self, stay: _Stay) -> tuple[str, int | None, bool, str]:
        return "settled", stay.node.id, False, _say("settled")

    def _note(self, said: Sentence) -> None:
        self.record.note = self.record.note or said

    def _name(self, stay: _Stay, action: int) -> str:
        return stay.game.write(stay.state, int(action))

    def _step(
        self,
        kind: str,
        text: str,
        stay: _Stay | None = None,
        concludes: bool = False,
        cut: list[int] | None = None,
    ) -> None:
        stay = stay or self.stack[-1]
        assert stay is not None
        self.conclusions += concludes
        number = self.conclusions if concludes else None
        self.record.steps.append(
            Step(kind, stay.node.id, text, number, stay.best, stay.alpha, stay.beta, cut or [])
        )


class recording:  # used like the class of the monitors that it makes
    """Makes the recorder of one search, and the record when the search is done."""

    def __init__(self, algorithm: Algorithm) -> None:
        self.algorithm = algorithm
        self.record = Record("", "", algorithm.name, 0)
        self.recorder: Recorder | SimulationRecorder | None = None

    def __call__(self, data: Any) -> Monitor:
        if isinstance(self.algorithm, DepthSearch):
            if self.algorithm.best_first:
                self.record.interval = "bounds"
            self.record.is_many = self.algorithm.frame == "own"
            self.recorder = Recorder(data, self.record, self.algorithm.frame, self.algorithm.windowed)
        else:
            self.recorder = SimulationRecorder(data, self.record)
        return self.recorder

    def finished(self, found: SearchResult, is_stopped: bool = False) -> Record:
        record, game = self.record, found.game
        record.game, record.position, record.depth = game.label(), found.position, found.depth
        if self.recorder is None:  # the game is over: nothing was searched
            record.nodes.append(Node(0, None, "", int(game.player(found.state)), game.caption(found.state)))
        else:
            game = getattr(self.recorder, "game", None) or game
            self.recorder.show_pruned(game)
        record.visited, record.evaluations = found.nodes, found.evaluations
        if is_stopped:
            record.note = _say("stopped")
            return record
        is_max = record.is_many or game.player(found.state) <= 0
        record.value = None if found.value is None else found.value if is_max else -found.value
        if isinstance(self.recorder, Recorder) and record.value is not None and found.low == found.high:
            self.recorder.conclude(game, record.value)
        record.line = found.words()
        record.action = record.line[0] if record.line else ""
        return record


def _say(name: str, *parts: str) -> Sentence:
    return Sentence(SENTENCES[name], *parts)


def _who(stay: _Stay) -> str:
    return "max" if stay.is_max else "min"


def _number(value: Any) -> str:
    if value is None:
        return "∞"
    return f"{value:g}".replace("-", "−") if isinstance(value, float) else str(value).replace("-", "−")


def _interval(alpha: Any, beta: Any) -> str:
    return f"({_end(alpha, '−∞')}, {_end(beta, '+∞')})"


def _end(value: Any, open_end: str) -> str:
    """The end of a window, or the bound that cut off."""
    if value is None:
        return open_end
    return _number(value) if abs(value) < INFINITE else "+∞" if value > 0 else "−∞"
