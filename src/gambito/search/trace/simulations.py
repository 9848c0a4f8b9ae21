"""The recording monitor of Monte-Carlo searches: it records the four steps of every simulation, for pictures.

It turns the calls of simulations into a `Record`, with visits and means instead of windows. Means are for
player 0, between -1 and 1.
"""

from __future__ import annotations

from typing import Any

from gambito.game.contract import CHANCE, Game
from gambito.search.monitor import Monitor
from gambito.search.trace.record import Node, Record, Step
from gambito.words.sentence import Sentence

SENTENCES = {
    "begin": "simulation {0} begins at the root",
    "imagine": "imagine a world: {0}",
    "weigh": "in this world {0} is worth {1}; on average {2}",
    "vote": "in this world {0} is best, as in {1} of {2} so far",
    "select": "choose {0}, which has {1} visits",
    "expand": "{0} new nodes",
    "simulate": "a playout from here is worth {0} to MAX",
    "over": "the game is over, worth {0} to MAX",
    "backup": "one visit more: the mean is {0}",
}
TITLES = {
    "begin": "Beginning",
    "imagine": "World",
    "weigh": "Value",
    "vote": "Vote",
    "select": "Selection",
    "expand": "Expansion",
    "simulate": "Simulation",
    "backup": "Back-up",
}


class SimulationRecorder(Monitor):
    """A monitor that records every simulation."""

    def __init__(self, data: Any, record: Record) -> None:
        super().__init__(data=data)
        self.record = record
        self.record.titles = dict(TITLES)
        self.path: list[Node] = []
        self.children: dict[tuple[int, int], Node] = {}
        self.simulations = 0
        self.last: Any = None
        self.weighed: dict[int, list[float]] = {}  # the values of each action in the worlds so far
        self.votes: dict[int, int] = {}  # the worlds in which each action was best
        self.is_weighing = False  # actions of a world were valued, and none is the best yet

    def begin(self, game, state):
        self._vote()
        if not self.record.nodes:
            self._new(None, "", game, state)
        self.path, self.last = [self.record.nodes[0]], state
        self.simulations += 1
        self._step("begin", self.path[0], _say("begin", str(self.simulations)))

    def imagine(self, game, state):
        self.last = state
        told = game.text(state) or game.show(state)
        self._step("imagine", self.path[0], _say("imagine", " ".join(told.split())))

    def weigh(self, game, world, action, value):
        root, number = self.path[0], int(action)
        if (root.id, number) not in self.children:
            name = game.write(world, number)
            self.children[root.id, number] = self._new(root, name, game, game.result(world, action))
        node, values = self.children[root.id, number], self.weighed.setdefault(number, [])
        values.append(float(value))
        self.is_weighing = True
        mean = sum(values) / len(values)
        told = _say("weigh", node.action, _number(float(value)), _number(mean))
        self._step("weigh", node, told, {"mean": round(mean, 4), "votes": float(self.votes.get(number, 0))})

    def _vote(self) -> None:
        """Say which action is best in the world whose actions were all valued."""
        if not self.is_weighing:
            return
        self.is_weighing = False
        best = max(self.weighed, key=lambda action: self.weighed[action][-1])
        votes = self.votes[best] = self.votes.get(best, 0) + 1
        node, values = self.children[0, best], self.weighed[best]
        facts = {"mean": round(sum(values) / len(values), 4), "votes": float(votes)}
        self._step("vote", node, _say("vote", node.action, str(votes), str(len(values))), facts)

    def select(self, game, state, action, visits):
        above = self.path[-1]
        name = game.write(state, int(action))
        self._step("select", above, _say("select", name, f"{int(visits)}"))
        self.last = game.result(state, action)
        if (above.id, int(action)) not in self.children:
            found = self.children[above.id, int(action)] = self._new(above, name, game, self.last)
            found.chance = probability(game, state, action)
            self._put_in_order(above, found, int(action))
        self.path.append(self.children[above.id, int(action)])

    def expand(self, game, state, count):
        self._step("expand", self.path[-1], _say("expand", str(int(count))))

    def simulate(self, game, state, reward):
        kind = "over" if game.is_terminal(self.last) else "simulate"
        self._step("simulate", self.path[-1], _say(kind, _number(float(reward))))

    def back_up(self, visits, total):
        mean = float(total) / float(visits)
        facts = {"visits": float(visits), "mean": round(mean, 4)}
        self._step("backup", self.path.pop(), _say("backup", _number(mean)), facts)

    def show_pruned(self, game: Game) -> None:
        """Count the last vote; simulations cut nothing off."""
        self._vote()

    def _new(self, parent: Node | None, action: str, game: Game, state: Any) -> Node:
        number = len(self.record.nodes)
        node = Node(number, parent.id if parent else None, action, int(game.player(state)))
        node.label = game.caption(state)
        node.board = game.show(state) if not node.label and game.compiles else ""
        if parent is not None:
            parent.children.append(number)
        self.record.nodes.append(node)
        return node

    def _put_in_order(self, parent: Node, node: Node, action: int) -> None:
        """Let the children of a node stand in the order of their actions, not of their first visits."""
        numbers = {child.id: number for (above, number), child in self.children.items() if above == parent.id}
        parent.children.remove(node.id)
        before = sum(numbers[child] < action for child in parent.children)
        parent.children.insert(before, node.id)

    def _step(self, kind: str, node: Node, text: Sentence, facts: dict[str, float] | None = None) -> None:
        self.record.steps.append(Step(kind, node.id, text, facts=facts or {}))


def probability(game: Game, state: Any, action: int) -> float | None:
    """The probability of an outcome, if chance decides in this state."""
    if game.player(state) != CHANCE:
        return None
    return next((float(share) for outcome, share in game.chances(state) if int(outcome) == int(action)), None)


def _say(name: str, *parts: str) -> Sentence:
    return Sentence(SENTENCES[name], *parts)


def _number(value: float) -> str:
    return f"{value:.3g}".replace("-", "−")
