"""Games of one and two players against their true values, searched by every algorithm that fits."""

from __future__ import annotations

import random
from typing import Any

import gambito
from gambito.search.algorithm import NEVER, Algorithm, DepthSearch, find
from gambito.search.chooser import solver
from tests.fuzz.asking import EXCLUDED, LATE, Way, ask, fitting, some_way
from tests.fuzz.drawing import Drawn, draw
from tests.fuzz.oracles import ends_of, limited_value, path_value, values_of
from tests.fuzz.rules import KINDS, OFFSET, STRIDE, FractionHints, Hints, Plain, traits_of, write
from tests.fuzz.tally import Tally, expect
from tests.support import small

NEAR = 1e-9  # sums of fractions differ in their last bits
# A rollout is an estimate; mp-mix may play against another player instead of for itself.
INEXACT = ("rollout", "mp-mix")
_MADE: dict[type[Plain], Plain] = {}


def fuzz(seed: int, gear: str, tally: Tally) -> None:
    """Draw a game of the next kind, and ask every algorithm in several ways."""
    fuzz_kind(KINDS[seed % len(KINDS)], seed, gear, tally)


def fuzz_kind(kind: type[Plain], seed: int, gear: str, tally: Tally) -> None:
    rng = random.Random(seed)
    game = _MADE.setdefault(kind, kind())
    drawn = draw(traits_of(kind), rng)
    write(game, drawn, rng)
    fuzz_drawn(game, drawn, rng, gear, tally)


def fuzz_drawn(game: Plain, drawn: Drawn, rng: random.Random, gear: str, tally: Tally) -> None:
    """Ask every algorithm about a game in several ways, and what `solve` says."""
    truth, kind = Truth(game, drawn), type(game).__name__
    root_actions = rng.sample(truth.actions, rng.randint(1, len(truth.actions))) if rng.random() < 0.3 else []
    for algorithm in fitting(game, INEXACT):
        name = algorithm.name
        if name == "value-iteration" and game.cycles:
            continue  # play without an end is a draw there, a state that comes back is not
        for way, options in [
            *ways(algorithm, truth.whole, game.cycles, rng),
            *more_ways(algorithm, truth, rng),
        ]:
            is_free = name != "value-iteration" and not is_windowed(algorithm, options)
            chosen = {"root_actions": root_actions} if root_actions and is_free else {}
            with tally.search(f"{kind} {name} {way.name} {gear}"):
                asked = ask(game, truth.state, name, gear, way, **options, **chosen)
                found = asked.found
                case = (way, options, chosen, drawn, found)
                expect(asked.late <= LATE, "late", asked.late, *case)
                judge(truth, algorithm, way, options, root_actions if chosen else [], found, case)
                tally.answers[f"{name} {'exact' if found.exact else 'open'}"] += 1
    if not game.cycles and solver(game) not in EXCLUDED:
        with tally.search(f"{kind} solve {gear}"):
            found = gambito.solve(game, truth.state, gear=gear, **memory(find(solver(game))))
            judge(truth, find(found.algorithm), Way("solve"), {}, [], found, (drawn, found))
            expect(found.exact, "solved", drawn, found)


def ways(
    algorithm: Algorithm, whole: int, cycles: bool, rng: random.Random
) -> list[tuple[Way, dict[str, Any]]]:
    """How a game is asked about: as a whole, to some depth, and in a way by lot; each with its options."""
    name = algorithm.name
    exact, usual = small(name, cycles), memory(algorithm)
    if not isinstance(algorithm, DepthSearch):
        return [(Way("nodes", {"nodes": 100}), usual), (some_way(algorithm, whole, rng), usual)]
    asked = [(Way("whole", {"depth": whole}), exact)]
    if algorithm.deepening != NEVER:
        asked.append((Way("deepen", {"depth": rng.randint(1, whole), "deepen": True}), usual))
    asked.append((some_way(algorithm, whole, rng), rng.choice([exact, exact, usual])))
    return asked


WINDOW = ("alpha", "beta", "gamma")
# Options that change the order or the memory of a search, and not its value.
SWITCHES = {
    "order": ("none", "game"), "history": ("off", "2^depth", "depth^2"), "killers": (False, True),
    "table": (False, True), "form": (),
}  # fmt: skip


def is_windowed(algorithm: Algorithm, options: dict[str, Any]) -> bool:
    """Is only a bound asked for, if the value lies outside a window?"""
    always = any(option.name == "gamma" for option in algorithm.options)
    return always or any(name in options for name in WINDOW)


def more_ways(algorithm: Algorithm, truth: Truth, rng: random.Random) -> list[tuple[Way, dict[str, Any]]]:
    """How a game is asked about with a window at the root, or with some parts of a search switched on."""
    if not isinstance(algorithm, DepthSearch):
        return []
    known = {option.name: option for option in algorithm.options}
    asked, way = [], Way("window", {"depth": rng.choice([truth.whole, rng.randint(1, truth.whole)])})
    values = [*truth.drawn.utilities, *truth.drawn.statics, 0]
    bounds = sorted(truth.game.value(rng.choice(values)) for _ in range(2))
    if "gamma" in known:
        asked.append((way, {"gamma": bounds[0]}))
    if "alpha" in known and bounds[0] < bounds[1]:
        window = {name: bound for name, bound in zip(WINDOW, bounds, strict=False) if rng.random() < 0.8}
        asked.append((way, {**small(algorithm.name, truth.game.cycles), **window}))
    if "killers" in known or "form" in known:
        switched = {
            name: rng.choice(SWITCHES[name] or option.choices)
            for name, option in known.items() if name in SWITCHES
        }  # fmt: skip
        asked.append((Way("switched", {"depth": truth.whole}), {**small(algorithm.name), **switched}))
    return asked


def memory(algorithm: Algorithm) -> dict[str, Any]:
    """A small table, which is quicker to make; everything else as it is by default."""
    return {"memory": 1} if any(option.name == "memory" for option in algorithm.options) else {}


class Truth:
    """What is true of a drawn game, for the player to move in its first state."""

    def __init__(self, game: Plain, drawn: Drawn) -> None:
        self.game, self.drawn, self.state = game, drawn, game.state_of(0)
        self.sign = -1 if drawn.players[0] == 1 else 1
        self.values = values_of(drawn, game.cycles, game.chance)
        self.whole = 8 if game.cycles else drawn.height
        stride, offset = int(game.numbers[STRIDE]), int(game.numbers[OFFSET])
        self.actions = [place * stride + offset for place in range(len(drawn.children[0]))]
        self.ends = None if game.cycles or game.chance or not game.prefers_fast_win else ends_of(drawn)

    def after(self, action: int) -> int:
        return self.drawn.children[0][self.actions.index(action)]

    def worth(self, action: int, in_path: bool) -> float:
        """The value of an action; `in_path`: the first state counts as one that has been before."""
        child = self.after(action)
        if self.game.cycles and (in_path or self.game.chance):
            return self.sign * path_value(self.drawn, child, (0,))
        return self.sign * self.values[child]

    def value(self, root_actions: list[int]) -> float:
        if root_actions:
            return max(self.worth(action, True) for action in root_actions)
        return self.sign * self.values[0]

    def limited(self, action: int, depth: int) -> float:
        """The value of an action that a search to this depth must find, if it has no other knowledge."""
        path = (0,) if self.game.cycles else ()
        return self.sign * limited_value(self.drawn, self.after(action), depth - 1, self.game.cycles, path)

    def ends_in(self, action: int) -> int | None:
        """The plies to the end after this action and the best play."""
        assert self.ends is not None
        value, plies = self.ends[self.after(action)]
        return plies + 1 if value else None


def judge(
    truth: Truth, algorithm: Algorithm, way: Way, options: dict[str, Any], root_actions: list[int],
    found: gambito.SearchResult, case: Any,
) -> None:  # fmt: skip
    """Nothing called exact is false, and no action is worse than what the search had completed."""
    game, asked_all = truth.game, not root_actions
    actions = root_actions or truth.actions
    expect(found.action is None or found.action in actions, "action", *case)
    expect(_is_legal(game, truth.state, found.line), "line", *case)
    if found.exact:
        expected = truth.value(root_actions)
        expect(abs(found.value - expected) < NEAR, "value", expected, *case)
        if found.action is not None:
            worth = truth.worth(found.action, bool(root_actions))
            expect(abs(worth - expected) < NEAR, "best", worth, expected, *case)
    elif way.name == "whole" and algorithm.gives_value and not game.cycles:
        expect(False, "not exact", *case)
    for ranked in found.lines:
        expect(
            not ranked.exact or abs(ranked.value - truth.worth(ranked.action, True)) < NEAR, "ranked", *case
        )
        expect(ranked.action in actions and ranked.line[0] == ranked.action, "ranked", *case)
        expect(_is_legal(game, truth.state, ranked.line), "ranked line", *case)
    values = [ranked.value for ranked in found.lines]
    expect(values == sorted(values, reverse=True), "order", *case)
    if truth.ends is not None:
        _judge_ends(truth, root_actions, found, case)
    if is_windowed(algorithm, options):
        _judge_window(truth, found, case)
    elif is_plain(algorithm, game, options) and not way.before and found.depth >= 1:
        _judge_depth(truth, actions, way, found, case)
    if asked_all and found.low is not None and found.high is not None and way.name == "whole":
        if found.confidence is None and not game.cycles:
            low, high, value = found.low, found.high, truth.value([])
            expect(low - NEAR <= value <= high + NEAR, "bounds", value, *case)


def is_plain(algorithm: Algorithm, game: Plain, options: dict[str, Any]) -> bool:
    """Does a search with these options see every line to its depth, and nothing beyond?"""
    if isinstance(game, Hints | FractionHints) or not isinstance(algorithm, DepthSearch):
        return False
    has_table = any(option.name == "memory" for option in algorithm.options)
    if game.cycles and has_table:  # what a table holds came from other paths
        return False
    return algorithm.gives_value and options == small(algorithm.name, game.cycles)


def _judge_window(truth: Truth, found: gambito.SearchResult, case: Any) -> None:
    """Of a value outside the window, a bound is known, and an action that shows it from below."""
    if found.depth < truth.whole or truth.game.cycles:
        return
    value = truth.value([])
    expect(found.low is None or found.low < value + NEAR, "low", value, *case)
    expect(found.high is None or found.high > value - NEAR, "high", value, *case)
    if found.low is not None and found.action is not None:
        expect(truth.worth(found.action, False) > found.low - NEAR, "shown", value, *case)


def _judge_ends(truth: Truth, root_actions: list[int], found: gambito.SearchResult, case: Any) -> None:
    if found.exact and found.ends_in is not None and found.action is not None:
        expect(found.ends_in == truth.ends_in(found.action), "ends in", truth.ends_in(found.action), *case)
    for ranked in found.lines:
        if ranked.exact and ranked.ends_in is not None:
            expect(ranked.ends_in == truth.ends_in(ranked.action), "ranked ends in", *case)


def _judge_depth(truth: Truth, actions: list[int], way: Way, found: gambito.SearchResult, case: Any) -> None:
    """The action is the best of the last complete iteration, or better than it one ply deeper."""
    depth = found.depth
    worths = {action: truth.limited(action, depth) for action in actions}
    best = max(worths.values())
    expect(found.value is None or abs(found.value - best) < NEAR, "depth value", best, *case)
    if found.action is None or worths[found.action] > best - NEAR:
        return
    expect(way.is_cut, "depth action", worths, *case)
    deeper = {action: truth.limited(action, depth + 1) for action in actions}
    least = min(deeper[action] for action in actions if worths[action] > best - NEAR)
    expect(deeper[found.action] > least - NEAR, "worse than before", worths, deeper, *case)


def _is_legal(game: Any, state: Any, line: list[int]) -> bool:
    """Can the line be played?"""
    for action in line:
        if game.is_terminal(state) or action not in game.legal(state):
            return False
        state = game.result(state, action)
    return True
