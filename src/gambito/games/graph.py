"""A graph written by hand: places, roads with their costs, and an estimate at each place.

    S-A 1, S-B 4, A-B 2, A-C 5, B-C 2, C-G 3; S=7 A=6 B=4 C=2 G=0; S to G

`A-B 2` is a road in both directions, `A>B 2` in one direction; without a number it costs 1. `A=6` is the
estimate at A; it is 0 if none is given. `S to G` names the start and the goal; several goals are joined by
`|`. Newlines, commas and semicolons separate the parts. States are numbers of places, so a graph runs in the
Python gear. Whether its estimates are admissible and consistent is known, since all true costs are.
"""

from __future__ import annotations

import heapq
import math
import random
import re
from dataclasses import replace
from typing import Any

from gambito.boards.picture import Board, Label, Piece, points
from gambito.errors import PositionError
from gambito.game.contract import quoted
from gambito.game.puzzle import Puzzle, heuristic
from gambito.words.sentence import Sentence

EXAMPLE = "S-A 1, S-B 4, A-B 2, A-C 5, B-C 2, C-G 3; S=7 A=6 B=4 C=2 G=0; S to G"
_NAME, _NUMBER = r"[^\s,;=<>|-]+", r"[0-9]{1,15}(?:\.[0-9]{1,15})?"
_ROAD = re.compile(rf"({_NAME})\s*([->])\s*({_NAME})(?:\s*[: ]\s*({_NUMBER}))?")
_ESTIMATE = re.compile(rf"({_NAME})\s*=\s*({_NUMBER}|inf)")
_TASK = re.compile(rf"({_NAME})\s+to\s+({_NAME}(?:\s*\|\s*{_NAME})*)")
MOST_PLACES, MOST_DRAWN = 100_000, 60
SLACK = 1e-9
OUTSIDE = 0.65  # the distance of a name from its place


class Place(int):
    """The number of a place, with a reference to its graph."""

    plan: GraphMap


class GraphMap:
    """The graph that a text describes."""

    def __init__(self, text: str) -> None:
        self.text = " ".join(text.split())
        self.names: list[str] = []
        self.roads: list[list[tuple[int, Any]]] = []  # for each place: destinations and costs
        self.lines: list[tuple[int, int, Any, bool]] = []  # source, target, cost, both ways?
        self.estimates: dict[int, Any] = {}
        self.start, self.goals = -1, frozenset[int]()
        self._numbers: dict[str, int] = {}
        for part in filter(None, map(str.strip, re.split(r"[,;\n]", text))):
            self._read(part)
        if self.start < 0:
            raise PositionError("the graph {} does not say where to go; accepted: S to G", quoted(self.text))
        if not self.roads[self.start] and self.start not in self.goals:
            raise PositionError(
                "in the graph {} no road leads out of {}", quoted(self.text), quoted(self.names[self.start])
            )
        costs = [cost for roads in self.roads for _, cost in roads] + list(self.estimates.values())
        self.is_whole = all(isinstance(cost, int) for cost in costs if cost != math.inf)

    def _read(self, part: str) -> None:
        road, task = _ROAD.fullmatch(part), _TASK.fullmatch(part)
        if road:
            source, target = self._place(road[1]), self._place(road[3])
            cost = _number(road[4] or "1")
            self.roads[source].append((target, cost))
            self.lines.append((source, target, cost, road[2] == "-"))
            if road[2] == "-":
                self.roads[target].append((source, cost))
        elif task:
            self.start = self._place(task[1])
            self.goals = frozenset(self._place(goal.strip()) for goal in task[2].split("|"))
        else:
            for word in re.split(r"\s+(?=[^\s=]+\s*=)", part):
                estimate = _ESTIMATE.fullmatch(word)
                if estimate is None:
                    told = Sentence("roads (A-B 2, A>B 2), estimates (A=3), and S to G")
                    raise PositionError("{} is no part of a graph; accepted: {}", quoted(word), told)
                self.estimates[self._place(estimate[1])] = _number(estimate[2])

    def _place(self, name: str) -> int:
        if name not in self._numbers:
            if len(self.names) >= MOST_PLACES:
                raise PositionError("a graph has at most {:,} places", MOST_PLACES)
            self._numbers[name] = len(self.names)
            self.names.append(name)
            self.roads.append([])
        return self._numbers[name]


class Graph(Puzzle):
    """Find the cheapest path through a graph."""

    name = "graph"
    compiles = False

    def __init__(self, plan: GraphMap | None = None) -> None:
        self.plan = plan if plan is not None else GraphMap(EXAMPLE)
        self.value = int if self.plan.is_whole else float
        self.infinity: Any = 1 << 40 if self.plan.is_whole else math.inf
        self.most_actions = max(map(len, self.plan.roads), default=0)
        self._claims: tuple[bool, bool] | None = None

    def parameters(self) -> dict[str, Any]:
        return {}

    # ---- the rules -------------------------------------------------------------------------------
    def initial(self) -> int:
        return self.plan.start

    def actions(self, state):
        """The roads from here, in the order of the text."""
        return range(len(self.plan.roads[state]))

    def result(self, state, action):
        return self.plan.roads[state][action][0]

    def cost(self, state, action):
        return self.plan.roads[state][action][1]

    def is_goal(self, state):
        return int(state) in self.plan.goals

    def shuffled(self, number: int) -> int:
        """Another place from which a goal can be reached."""
        ways = [place for place, cost in enumerate(self.true_costs()) if 0 < cost < math.inf]
        return random.Random(number).choice(ways or [self.plan.start])

    def goal(self, state: int) -> int | None:
        return next(iter(self.plan.goals)) if len(self.plan.goals) == 1 else None

    def backward(self, state: int) -> Puzzle | None:
        turned: GraphMap = object.__new__(GraphMap)
        vars(turned).update(vars(self.plan))
        turned.roads = [[] for _ in self.plan.roads]
        for source, roads in enumerate(self.plan.roads):
            for target, cost in roads:
                turned.roads[target].append((source, cost))
        turned.start, turned.goals, turned.estimates = self.goal(state) or 0, frozenset({int(state)}), {}
        return Graph(turned)

    @heuristic()
    def estimate(self, state):
        """The estimate given at the place."""
        return min(self.plan.estimates.get(int(state), 0), self.infinity)

    def claims(self, name: str) -> tuple[bool | None, bool | None]:
        if name != "estimate":
            return super().claims(name)
        if self._claims is None:
            self._claims = self._judge()
        return self._claims

    def _judge(self) -> tuple[bool, bool]:
        """Check with the true costs of all places whether the estimates are admissible and consistent."""
        true = self.true_costs()
        places = range(len(self.plan.roads))
        guess = {place: self.estimate(place) for place in places}
        admissible = all(guess[place] <= true[place] + SLACK for place in places)
        steps = ((place, target, cost) for place in places for target, cost in self.plan.roads[place])
        falls = all(guess[place] <= cost + guess[target] + SLACK for place, target, cost in steps)
        return admissible, falls and all(guess[goal] == 0 for goal in self.plan.goals)

    def true_costs(self) -> list[float]:
        """The cost of the cheapest path from each place to a goal."""
        costs = [math.inf] * len(self.plan.roads)
        into: list[list[tuple[int, Any]]] = [[] for _ in costs]
        for source, roads in enumerate(self.plan.roads):
            for target, cost in roads:
                into[target].append((source, cost))
        waiting = [(0, goal) for goal in self.plan.goals]
        for _, goal in waiting:
            costs[goal] = 0
        while waiting:
            so_far, place = heapq.heappop(waiting)
            if so_far > costs[place]:
                continue
            for source, cost in into[place]:
                if so_far + cost < costs[source]:
                    costs[source] = so_far + cost
                    heapq.heappush(waiting, (so_far + cost, source))
        return costs

    # ---- text ------------------------------------------------------------------------------------
    def at(self, state: Any) -> Graph:
        return self if getattr(state, "plan", self.plan) is self.plan else Graph(state.plan)

    def parse(self, text: str) -> Place:
        """Roads with their costs, estimates, and the start and goal (`S-A 1, A-G 3; S=4 A=2; S to G`)."""
        plan = GraphMap(text)
        place = Place(plan.start)
        place.plan = plan
        return place

    def text(self, state: int) -> str:
        plan = self.plan
        names = "|".join(sorted(plan.names[goal] for goal in plan.goals))
        return _TASK.sub("", plan.text).strip(" ,;") + f"; {plan.names[state]} to {names}"

    def show(self, state: int) -> str:
        plan = self.plan
        rows = []
        for place, roads in enumerate(plan.roads):
            mark = "→" if place == state else "★" if place in plan.goals else " "
            told = ", ".join(f"{plan.names[target]} {cost:g}" for target, cost in roads)
            rows.append(f"{mark} {plan.names[place]} (h {self.estimate(place):g}): {told}")
        return "\n".join(rows)

    def caption(self, state: int) -> str:
        return self.plan.names[state]

    def write(self, state: int, action: int) -> str:
        """The place that the road leads to, followed by `#2` if it is the second road there."""
        targets = [target for target, _ in self.plan.roads[state]]
        before = targets[:action].count(targets[action])
        return self.plan.names[targets[action]] + (f"#{before + 1}" if before else "")

    # ---- picture ---------------------------------------------------------------------------------
    def picture(self) -> Board | None:
        """The places on a circle."""
        count = len(self.plan.names)
        if count > MOST_DRAWN:
            return None
        radius = max(1.5, count / 4)
        turns = [2 * math.pi * (place / count) - math.pi for place in range(count)]
        places = [(radius * (1 + math.cos(turn)), radius * (1 + math.sin(turn))) for turn in turns]
        plain = points(places, [line[:2] for line in self.plan.lines], self.plan.names)
        named = [
            Label(cell.x + OUTSIDE * math.cos(turn), cell.y + OUTSIDE * math.sin(turn), self._label(place))
            for place, (cell, turn) in enumerate(zip(plain.cells, turns, strict=True))
        ]
        return replace(plain, labels=(*named, *(self._cost_label(plain, *line) for line in self.plan.lines)))

    def _label(self, place: int) -> str:
        """The name of a place, with its estimate if there are any."""
        estimate = f" h {self.estimate(place):g}" if self.plan.estimates else ""
        return self.plan.names[place] + estimate

    def _cost_label(self, board: Board, source: int, target: int, cost: Any, is_both: bool) -> Label:
        """The cost of a road, at its middle; that of a one-way road names its end and is nearer to it."""
        a, b = board.cells[source], board.cells[target]
        part = 0.5 if is_both else 0.62
        text = f"{cost:g}" if is_both else f"→{self.plan.names[target]} {cost:g}"
        return Label(a.x + part * (b.x - a.x), a.y + part * (b.y - a.y), text)

    def pieces(self, state: int) -> list[Piece]:
        marks = [Piece(int(state), "disc", 0)]
        return marks + [Piece(goal, "ring", 1) for goal in self.plan.goals if goal != state]

    def cell_of(self, state: int) -> int | None:
        return int(state)

    def touch(self, state: int, action: int) -> tuple[int, ...]:
        return (int(self.plan.roads[state][action][0]),)

    def arrows(self, state: int, action: int) -> tuple[tuple[int, ...], ...]:
        return ((int(state), *self.touch(state, action)),)

    def remarks(self, state: int) -> str:
        return ""  # the names and costs are in the picture


def _number(text: str) -> Any:
    value = float(text)
    return int(value) if math.isfinite(value) and value == int(value) and "." not in text else value
