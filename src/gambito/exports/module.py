"""The module of an exported game: its rules, its searches, and the memory that they use.

The module imports one function, the time. A host writes a state into `GIVEN`, calls a function, and reads the
desk. Every function returns a whole number; one below 0 says what is wrong (`desk`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from gambito.chance.expectiminimax import SMALLEST
from gambito.chance.outcomes import new_outcomes
from gambito.errors import CompileError, GameError
from gambito.evaluate.accumulator import SLOTS
from gambito.exports import depth, rules, simulations
from gambito.exports.desk import DEEPEST, TimedWatch, new_desk, rows_of
from gambito.exports.simulations import LONGEST
from gambito.game.contract import Game
from gambito.game.contract.equipment import Equipped
from gambito.game.gears import gears
from gambito.game.puzzle import Puzzle
from gambito.many.vectors import new_vectors
from gambito.memory.float_bounds import new_fraction_table
from gambito.memory.ordering import new_ordering
from gambito.memory.table import BYTES, COLD, HOT_BITS, LEAST, TranspositionTable
from gambito.memory.tree import Tree, new_tree
from gambito.native import native
from gambito.native.crossing import SEAL, Address, Argument, Entry, Given
from gambito.native.random import new_random
from gambito.search.algorithm import find
from gambito.search.engine.aspiration import DRIVERS
from gambito.search.engine.mate_distance import HURRY
from gambito.search.engine.options import setting_values
from gambito.search.engine.search import EXTRA
from gambito.search.engine.session import can_bank
from gambito.search.engine.settings import Context, new_settings
from gambito.search.monitor import Monitor, new_monitor
from gambito.search.monte_carlo.formulas import KNOBS, Knobs, new_switches
from gambito.search.monte_carlo.playouts import new_trail
from gambito.search.monte_carlo.trees import parts_of, read_knobs, read_switches
from gambito.search.probcut_model import probcut_table, tries_of
from gambito.search.task import SearchTask

ALGORITHMS = ("engine", "alpha-beta", "star2", "expectiminimax", "max-n", "mcts")
MEMORY = 16  # MiB of a table
TREE_SHARE = 4  # a tree is so many times larger
ROWS = rows_of(DEEPEST + EXTRA)  # of the monitor


class Exported:
    """A game and its searches as compiled code, and the memory that they share."""

    def __init__(self, game: Game, algorithms: tuple[str, ...], memory: int = MEMORY) -> None:
        from gambito.native.compiler.crossing import Crossing  # loads the compiler

        both = gears(game)
        state = both.state
        assert state is not None
        self.game, self.algorithms, self.memory = game, algorithms, memory
        self.crossing = Crossing(state)
        self.const, self.given = both.in_gear("native"), Given(state)
        kit = game.kept_equipment()
        self.cells = 0 if kit is None else int(kit.size)
        self.desk = new_desk(self.cells, self.crossing.width + SEAL)
        self.crossing.hold("desk", self.desk)
        self.weights = self.crossing.hold_memories(self.const)  # spaces of what the game has learned
        self._add("look", rules.look, self.desk)
        self._add("play", rules.play, Argument(), self.desk, makes="desk.made")
        self.has_cells = self._has(Equipped.stands) and self._try("see", rules.see, self.cells, self.desk)
        self.has_touches = self._has(Equipped.touched) and self._try("touch", rules.touch, self.desk)
        plain = new_monitor(Monitor, "native", ROWS - 2)
        self.monitor = TimedWatch(data=plain.data, clock=np.zeros(3))
        self.crossing.hold("monitor", self.monitor, blank=("data",))
        for name in algorithms:
            getattr(self, f"_{name.replace('-', '_')}")()

    @property
    def has_board(self) -> bool:
        """Can a page draw the board? It knows what stands on the cells from the game, or from the arrays."""
        return self.cells > 0 and (self.has_cells or type(self.game).stands is Equipped.stands)

    def _add(self, name: str, function: native, *args: Any, makes: str = "") -> None:
        self.crossing.add(Entry(name, function, (self.const, self.given, *args), makes))

    def _try(self, name: str, function: native, *args: Any) -> bool:
        """Add a function, unless the rule that it asks cannot be compiled."""
        try:
            self._add(name, function, *args)
        except CompileError:
            return False
        return True

    def _has(self, rule: Any) -> bool:
        """Does a game with a board give this rule itself?"""
        return self.cells > 0 and getattr(type(self.game), rule.__name__) is not rule

    # ---- searches --------------------------------------------------------------------------------
    def _alpha_beta(self) -> None:
        self._add("search_alpha_beta", depth.search_alpha_beta, ROWS, self.desk, self.monitor)

    def _engine(self) -> None:
        game, crossing = self.game, self.crossing
        options = find("engine").read_options({"memory": self.memory, "endings": False}, game)
        options["banked"] = options["banked"] and can_bank(game)
        model, stages = probcut_table(game.probcut_model)
        scale = HURRY if game.prefers_fast_win else 1
        tries = tries_of(options["probcut"], model)
        values = setting_values(options, scale, stages, tries, game.orders_itself)
        settings = new_settings(values, model, "native")
        table, ordering = _table(self.memory), new_ordering()
        crossing.hold("table", table)
        crossing.hold("ordering", ordering, blank=("data", "merits"))
        wide_slot: int = getattr(game, "wide_slot", 0)
        slots, size = ("slots", SLOTS * wide_slot) if game.is_wide else ("", 0)
        if slots:
            crossing.space(slots, size)
        driver = DRIVERS.index(options["driver"])
        given = (ROWS, driver, options["aspiration"], Address(slots), size // 8, self.desk)
        context = Context(settings, table, ordering, self.monitor)
        self._add("search_engine", depth.search_engine, *given, context)

    def _expectiminimax(self) -> None:
        table = new_fraction_table(SMALLEST)
        self.crossing.hold("fractions", table)
        given = (ROWS, 0, self.desk, table, self.monitor)
        self._add("search_expectiminimax", depth.search_expectiminimax, *given)

    def _star2(self) -> None:
        table, ordering = new_fraction_table(self.memory), new_ordering()
        outcomes = new_outcomes(self.game.most_outcomes, DEEPEST, True)
        self.crossing.hold("star", table)
        self.crossing.hold("star ordering", ordering, blank=("data", "merits"))
        self.crossing.hold("outcomes", outcomes)
        given = (ROWS, self.desk, table, ordering, outcomes, self.monitor)
        self._add("search_star2", depth.search_star2, *given)

    def _max_n(self) -> None:
        prunes = self.game.zero_sum and self.game.players > 1
        vectors = new_vectors("native", DEEPEST, self.game.players, prunes, prunes)
        self.crossing.hold("vectors", vectors)
        self._add("search_max_n", depth.search_max_n, ROWS, self.desk, vectors, self.monitor)

    def _mcts(self) -> None:
        game, crossing = self.game, self.crossing
        options = find("mcts").read_options({"network": ""}, game)
        question = SearchTask(self.const, game, None, LONGEST, None, None, self.monitor, options)
        switches, held = read_switches(question), read_knobs(question)
        knobs = Knobs(**{name: getattr(held, name).copy() for name in Knobs.arrays})
        tree = new_tree(self.memory * TREE_SHARE, switches["players"], parts_of(switches))
        trail, rng = new_trail(game.players, bool(switches["notes"])), new_random(1)
        crossing.hold("knobs", knobs, blank=("logs", "root_logs", "shares", "roots"))
        crossing.hold("tree", tree, blank=[name for name in Tree.arrays if name != "head"])
        crossing.hold("trail", trail)
        crossing.hold("rng", rng)
        settings = new_switches(tuple(switches.values()), "native")
        plies, depth_at = game.longest or LONGEST, KNOBS.index("depth")
        given = (ROWS, plies, depth_at, self.desk, settings, knobs, tree, trail, rng, self.monitor)
        self._add("search_mcts", simulations.search_mcts, *given)


def _table(memory: int) -> TranspositionTable:
    """A table that only knows its size; the search does the rest."""
    bits = (((memory << 20) // BYTES) - (1 << HOT_BITS)).bit_length() - 1
    words = np.zeros(COLD + (4 << bits), np.uint64)
    words[LEAST] = 64 - bits
    return TranspositionTable(words=words)


def export_game(game: Game, algorithms: Iterable[str], memory: int = MEMORY) -> Exported:
    """Compile a game and its searches; an error says why they cannot be exported."""
    names = tuple(algorithms)
    check(game, names)
    return Exported(game, names, memory)


def check(game: Game, algorithms: Iterable[str]) -> None:
    """Raise an error if a game, or one of these algorithms for it, cannot be exported."""
    if isinstance(game, Puzzle):
        raise GameError("{} is a puzzle, and puzzles are not exported yet", game.label())
    if game.hidden:
        raise GameError(
            "{} hides a part of its state, and games that hide something are not exported yet", game.label()
        )
    problem = gears(game).problem
    if problem is not None:
        raise GameError(problem)
    for name in algorithms:
        if name not in ALGORITHMS:
            raise GameError("{} is not exported; accepted: {}", name, ", ".join(ALGORITHMS))
        misfit = find(name).misfit(game)
        if misfit:
            raise GameError(misfit)
