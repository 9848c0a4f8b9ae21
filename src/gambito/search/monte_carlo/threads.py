"""The threads of Monte-Carlo tree search.

tree    all threads share one tree; a thread on its way counts as lost simulations    (virtual loss)
root    each thread has its own tree; the answer adds up the statistics of the root's actions
leaf    one thread goes down the tree, and all threads play out the leaf that it reaches
                                                    Chaslot, Winands & van den Herik 2008
"""

from __future__ import annotations

from functools import partial

from gambito.native.random import new_random
from gambito.search.monitor import LIMIT, NODES, STOP, Monitor, new_monitor
from gambito.search.monte_carlo.formulas import new_switches
from gambito.search.monte_carlo.network import Adviser
from gambito.search.monte_carlo.playouts import DONE, TICKET, new_trail
from gambito.search.monte_carlo.puct import grow_guided
from gambito.search.monte_carlo.simulation import STOPPED, assist, grow
from gambito.search.monte_carlo.trees import Forest
from gambito.search.thread import HelpingThread

PARALLEL = ("tree", "root", "leaf")
POLL_SECONDS = 0.002  # seconds between two checks of the first thread whether the others are done


class SimulationThreads:
    """The threads of a search. The first is the caller's; if leaves are shared, it leads the others."""

    def __init__(self, forest: Forest) -> None:
        self.forest, self.task = forest, forest.task
        task = self.task
        gear = task.gear
        self.settings = new_switches(tuple(forest.switches.values()), gear)
        others = (
            new_monitor(Monitor, gear, 2, root_actions=task.root_actions) for _ in range(1, task.threads)
        )
        self.watches = [task.monitor, *others]
        has_notes = bool(forest.switches["notes"])
        self.has_leader = bool(forest.switches["leaf_parallel"])
        mates = task.threads - 1 if self.has_leader else 0
        self.trails = [new_trail(task.rules.players, has_notes, mates) for _ in self.watches]
        self.dice = [new_random((task.options["seed"], number)) for number, _ in enumerate(self.watches)]

    def count(self) -> int:
        """The number of simulations so far."""
        return sum(int(monitor.data[NODES]) for monitor in self.watches)

    def work(self, limit: int) -> list[int]:
        """Run simulations until all threads together reach that number; return how each thread ended."""
        task = self.task
        ends: list[int] = []
        if limit == STOP:  # compile everything, and do nothing
            if self.has_leader:
                self.watches[1].data[LIMIT] = STOP
                self._assist(1)
            return [self._grow(0)]
        share = max((limit - self.count()) // (1 if self.has_leader else task.threads), 1)
        for monitor in self.watches:
            monitor.data[LIMIT] = int(monitor.data[NODES]) + share
        if task.ongoing.is_ended:
            task.monitor.data[LIMIT] = STOP
        self.trails[0].counts[TICKET] = 0

        def grow_one(number: int) -> None:
            ends.append(self._grow(number))
            if ends[-1] != STOPPED:  # solved or full: all threads end
                self._stop()

        mate = self._assist if self.has_leader else grow_one
        mates = [HelpingThread(partial(mate, number), self._give_up) for number in range(1, task.threads)]
        try:
            grow_one(0)
        except BaseException:  # the rules raised: the other threads must not go on alone
            self._stop()
            for thread in mates:
                thread.join()
            raise
        for thread in mates:
            while thread.is_alive():
                if self.has_leader or task.ongoing.is_ended:
                    self._stop()
                thread.join(POLL_SECONDS)
            thread.finish()
        return ends

    def _stop(self) -> None:
        for monitor in self.watches:
            monitor.data[LIMIT] = STOP

    def _give_up(self) -> None:
        """Stop all threads, because the rules raised in one of them; the leader does not wait for it."""
        self._stop()
        self.trails[0].counts[DONE] = self.task.threads

    def _grow(self, number: int) -> int:
        task, forest = self.task, self.forest
        tree = forest.trees[number % len(forest.trees)]
        if isinstance(task.guide, Adviser):
            return task.guide.grow(task, self.settings, forest.knobs, tree, self.dice[0])
        if task.guide is not None:
            sure = bool(forest.switches["solver"])
            return grow_guided(task, self.settings, forest.knobs, tree, self.dice[0], sure)
        mine = (self.trails[number], self.dice[number], self.watches[number])
        return int(grow(task.game, task.state, self.settings, forest.knobs, tree, *mine))

    def _assist(self, number: int) -> None:
        task, forest = self.task, self.forest
        mine = (self.trails[number], self.dice[number], self.watches[number])
        given = (self.settings, forest.knobs, forest.trees[0], self.trails[0])
        assist(task.game, task.state, *given, *mine, number - 1)
