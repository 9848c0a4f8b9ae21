"""Players who shoot in Battleship: each chooses a cell from what it sees, and none knows the fleet.

    random    any cell that was not shot at
    hunt      random, until a hit; then the neighbours of hits, the newest first
    parity    hunt on every second cell, as on one colour of a chessboard
    density   the cell on which most ways to lay the ships left lie; with open hits only ways over some of
              them count, and each further hit makes a way 20 times as likely
    worlds    the cell that is hit in most imagined fleets

`count_shots` plays each against fleets that are laid at random, or that `Berths` lays: a placement that is
learned against a shooter. It does not depend on any search.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from gambito.errors import SearchError
from gambito.game.gears import gears
from gambito.game.registry import load
from gambito.native import Handle, int64, native
from gambito.native.random import new_random
from gambito.native.wide import (
    count_places,
    first_place,
    has_place,
    is_empty,
    nth_place,
    only,
    wide_places,
    without,
)

SHOOTERS = ("random", "hunt", "parity", "density", "worlds")
RANDOM, HUNT, PARITY, DENSITY, WORLDS = range(len(SHOOTERS))
FURTHER = 20.0  # how much likelier a way to lay a ship becomes with each further hit that it covers
WORLDS_USUAL = 60  # imagined fleets for each shot


class Mind(Handle):
    """What a shooter keeps while it plays: a stack of cells to try, and numbers for every place.

    head      the height of the stack
    stack     places, the newest last
    weights   by place
    """

    arrays: ClassVar[dict[str, type]] = {"head": np.int64, "stack": np.int64, "weights": np.float64}

    def push(self, place):
        self.stack[self.head[0]] = place
        self.head[0] += 1


def new_mind(places: int) -> Mind:
    return Mind(head=np.zeros(1, np.int64), stack=np.zeros(4 * places, np.int64), weights=np.zeros(places))


class Berths(Handle):
    """A placement that is learned: how likely each ship is to lie in each way, by its code.

    likely[ships × 256]   weights, not below 0
    """

    arrays: ClassVar[dict[str, type]] = {"likely": np.float64}


@native
def shoot(game, seen, shooter, worlds, mind, rng):
    """The place that a shooter chooses; `seen` is what the player to shoot sees."""
    left = game.targets(seen)
    if shooter == RANDOM:
        return nth_place(left, rng.below(count_places(left)))
    if shooter in (HUNT, PARITY):
        return hunt(game, left, shooter == PARITY, mind, rng)
    shots, hits, ships = seen.shots_0, seen.hits_0, seen.ships_1
    if seen.turn == 1:
        shots, hits, ships = seen.shots_1, seen.hits_1, seen.ships_0
    for place in range(len_of(game)):
        mind.weights[place] = 0.0
    if shooter == DENSITY:
        weigh_ways(game, shots, hits, ships, mind)
    else:
        weigh_worlds(game, seen, shots, hits, ships, worlds, mind, rng)
    best, chosen = -1.0, int64(0)
    while not is_empty(left):
        place = first_place(left)
        left = without(left, only(place, left))
        weight = mind.weights[place] + 1e-6 * rng.fraction()  # so that chance decides between equals
        if weight > best:
            best, chosen = weight, place
    return chosen


def len_of(game):
    """The number of places."""
    return game.stride * game.height


def hunt(game, left, is_parity, mind, rng):
    """The newest neighbour of a hit that was not shot at, or else a random cell of one colour."""
    while mind.head[0] > 0:
        mind.head[0] -= 1
        place = mind.stack[mind.head[0]]
        if has_place(left, place):
            return place
    some = left
    if is_parity:
        some = without(left, game.odd)
        if is_empty(some):
            some = left
    return nth_place(some, rng.below(count_places(some)))


def note(game, hits, place, mind):
    """Put the neighbours of a hit on the stack."""
    if has_place(hits, place):
        if place >= game.stride:
            mind.push(place - game.stride)
        if place + game.stride < len_of(game):
            mind.push(place + game.stride)
        if place % game.stride > 0:
            mind.push(place - 1)
        if place % game.stride < game.width - 1:
            mind.push(place + 1)


def weigh_ways(game, shots, hits, ships, mind):
    """Add up the ways to lay each ship that is not known to be sunk."""
    sunken = game.cells_of_fleet(ships)
    free = without(without(game.board, without(shots, hits)), sunken)
    open_hits = without(hits, sunken)
    has_hits = not is_empty(open_hits)
    for ship in range(game.ships):
        if game.code(ships, ship) > 0:
            continue
        length = game.lengths[ship]
        for way in range(2):
            step = 1 if way == 0 else game.stride
            starts = game.starts(free, ship, way)
            while not is_empty(starts):
                begin = first_place(starts)
                starts = without(starts, only(begin, starts))
                weight = 1.0
                if has_hits:
                    weight = 1.0 / FURTHER
                    for cell in range(length):
                        if has_place(open_hits, begin + cell * step):
                            weight *= FURTHER
                    if weight < 1.0:
                        continue
                for cell in range(length):
                    mind.weights[begin + cell * step] += weight
    return 0


def weigh_worlds(game, seen, shots, hits, ships, worlds, mind, rng):
    """Add up how likely a ship lies on each place, over imagined fleets.

    Of each fleet, every ship counts in all ways that fit the others, not only as it lies: the mean is the
    same, and far fewer fleets are needed.
    """
    sunken = game.cells_of_fleet(ships)
    free = without(without(game.board, without(shots, hits)), sunken)
    open_hits = without(hits, sunken)
    barred = open_hits if game.tells_ship else game.none
    for _ in range(worlds):
        world = game.imagine(seen, seen.turn, rng)
        fleet = world.ships_1 if seen.turn == 0 else world.ships_0
        cells = game.cells_of_fleet(fleet)
        for ship in range(game.ships):
            if game.code(ships, ship) > 0:
                continue
            others = without(cells, game.cells_of(ship, game.code(fleet, ship)))
            across = game.starts_beside(others, ship, 0, free, barred, open_hits)
            down = game.starts_beside(others, ship, 1, free, barred, open_hits)
            ways = count_places(across) + count_places(down)
            if ways > 0:
                add_ways(game, across, ship, 1, 1.0 / ways, mind)
                add_ways(game, down, ship, game.stride, 1.0 / ways, mind)
    return 0


def add_ways(game, starts, ship, step, weight, mind):
    """Add a weight to the cells of a ship that begins at each of these places."""
    while not is_empty(starts):
        begin = first_place(starts)
        starts = without(starts, only(begin, starts))
        for cell in range(game.lengths[ship]):
            mind.weights[begin + cell * step] += weight
    return 0


@native
def play_alone(game, initial, shooter, worlds, mind, berths, is_learned, rng):
    """The shots of player 0 until it has sunk a fleet, which lies as the berths say or anywhere."""
    mind.head[0] = 0
    state = initial
    while state.placed < 2 * game.ships:
        if is_learned and state.placed & 1 == 1:
            state = game.result(state, draw_berth(game, state, berths, rng))
        else:
            state = game.result(state, game.random_action(state, rng))
    if not is_learned:
        state = game.imagine(game.observe(state, 0), 0, rng)  # each fleet is as likely, not each step
    while True:
        shots = count_places(state.shots_0)
        if count_places(state.hits_0) == game.size_of_fleet:
            return shots, state
        place = shoot(game, game.observe(state, 0), shooter, worlds, mind, rng)
        state = game.result(state, place)
        note(game, state.hits_0, place, mind)
        state = game.passed(state)


def draw_berth(game, state, berths, rng):
    """A way to lay the next ship of player 1, as likely as the berths say among those that are free."""
    ship = state.placed >> 1
    total = 0.0
    for action in game.actions(state):
        total += berths.likely[256 * ship + action + 1]
    left, chosen = rng.fraction() * total, int64(-1)
    for action in game.actions(state):
        if left >= 0.0 or chosen < 0:
            chosen = action
        left -= berths.likely[256 * ship + action + 1]
    return chosen


@native
def play_many(game, initial, shooter, worlds, mind, berths, is_learned, rng, counts):
    """Play as many games as there is room for their counts of shots."""
    for number in range(len(counts)):
        counts[number] = play_alone(game, initial, shooter, worlds, mind, berths, is_learned, rng)[0]
    return 0


@native
def learn_berths(game, initial, shooter, worlds, mind, berths, average, rng, games, step):
    """Make ways likelier whose fleets lasted longer than the average, and others less likely."""
    mean = 0.0
    for number in range(games):
        shots, state = play_alone(game, initial, shooter, worlds, mind, berths, True, rng)
        mean += (shots - mean) / min(number + 1.0, 200.0)
        factor = 1.0 + step * (shots - mean)
        for ship in range(game.ships):
            place = 256 * ship + game.code(state.ships_1, ship)
            berths.likely[place] = min(max(berths.likely[place] * factor, 0.01), 100.0)
        if 2 * number >= games:
            for place in range(256 * game.ships):
                average.likely[place] += berths.likely[place]
    return 0


# ---- for Python --------------------------------------------------------------------------------------


def _ready(game: Any, shooter: str, gear: str | None = None) -> tuple[Any, Any, int, Mind]:
    rules: Any = load(game)
    if shooter not in SHOOTERS:
        raise SearchError("unknown shooter '{}'; accepted: {}", shooter, ", ".join(SHOOTERS))
    both = gears(rules)
    mind = new_mind(rules.stride * rules.height)
    return rules, both.in_gear(gear or both.default()), SHOOTERS.index(shooter), mind


def count_shots(
    game: Any = "battleship",
    shooter: str = "density",
    games: int = 1000,
    seed: int = 1,
    worlds: int = WORLDS_USUAL,
    berths: Berths | None = None,
) -> np.ndarray:
    """The shots that a shooter needs in a number of games, against fleets laid at random or at `berths`."""
    rules, inner, number, mind = _ready(game, shooter)
    counts = np.zeros(games, np.int64)
    given = (number, worlds, mind, berths or new_berths(rules), berths is not None, new_random(seed))
    play_many(inner, gears(rules).cast(rules.initial()), *given, counts)
    return counts


def new_berths(rules: Any) -> Berths:
    """Every way to lay a ship is as likely."""
    return Berths(likely=np.ones(256 * rules.ships))


def train_berths(
    game: Any = "battleship",
    shooter: str = "density",
    games: int = 20_000,
    seed: int = 1,
    worlds: int = WORLDS_USUAL,
    step: float = 0.004,
) -> Berths:
    """A placement that is learned against a shooter: the average of the second half of the games."""
    rules, inner, number, mind = _ready(game, shooter)
    berths, total = new_berths(rules), np.zeros(256 * rules.ships)
    start = gears(rules).cast(rules.initial())
    given = (berths, Berths(likely=total), new_random(seed), games, step)
    learn_berths(inner, start, number, worlds, mind, *given)
    return Berths(likely=total / max(games - games // 2, 1))


def choose_shot(
    game: Any,
    state: Any,
    shooter: str = "worlds",
    seed: int = 1,
    worlds: int = WORLDS_USUAL,
    gear: str | None = None,
) -> int:
    """The shot of the player to move in a state or an observation; hunters begin with the hits in order."""
    rules, inner, number, mind = _ready(game, shooter, gear)
    seen = gears(rules).cast(rules.observe(state, rules.player(state)))
    if rules.is_terminal(seen) or seen.placed < 2 * rules.ships:
        raise SearchError("nobody shoots here")
    hits, ships = (seen.hits_0, seen.ships_1) if seen.turn == 0 else (seen.hits_1, seen.ships_0)
    for place in wide_places(without(hits, rules.cells_of_fleet(ships))):
        note(rules, hits, place, mind)
    return int(shoot(inner, seen, number, worlds, mind, new_random(seed)))
