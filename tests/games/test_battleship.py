"""Battleship beside OpenSpiel's, and the fleets it imagines beside all fleets that fit what was seen."""

import itertools
import random

import numpy as np
import pytest

import gambito
from gambito.errors import GameError, PositionError
from gambito.game.gears import gears
from gambito.native import native
from gambito.native.random import new_random
from gambito.native.wide import common, is_empty
from tests.hidden.small import load

VARIANTS = [
    "battleship:width=3,height=3,fleet=2-1",
    "battleship:width=3,height=3,fleet=2-2-1",
    "battleship:width=3,height=3,fleet=2-2,announce=sunk",
    "battleship:width=3,height=3,fleet=3-2,announce=hit",
    "battleship:width=4,height=3,fleet=3-2,announce=sunk,salvo=true",
]


@native
def draw_fleets(game, seen, player, rng, fleets):
    """Imagine as many worlds as there is room for the other's fleets."""
    for number in range(len(fleets)):
        world = game.imagine(seen, player, rng)
        fleets[number] = world.ships_1 if player == 0 else world.ships_0
    return 0


def walk(game, seed):
    """The states of a random game."""
    rng, states = random.Random(seed), [game.initial()]
    while not game.is_terminal(states[-1]):
        states.append(game.result(states[-1], rng.choice(game.legal(states[-1]))))
    return states


def whole_fleets(game, count):
    """All fleets of that many ships, without a look at `draw_fleet`."""
    codes = []
    for ship in range(count):
        ways = range(1) if game.lengths[ship] == 1 else range(2)
        places = [(w, p) for w in ways for p in range(110) if p < 2**7 and fits_board(game, ship, p, w)]
        codes.append([2 * p + w + 1 for w, p in places])
    for chosen in itertools.product(*codes):
        cells = [game.cells_of(ship, code) for ship, code in enumerate(chosen)]
        if all(is_empty(common(a, b)) for a, b in itertools.combinations(cells, 2)):
            yield sum(code << 8 * ship for ship, code in enumerate(chosen))


def fits_board(game, ship, place, way):
    row, column = divmod(place, game.stride)
    across, down = (game.lengths[ship], 1) if way == 0 else (1, game.lengths[ship])
    return column + across <= game.width and row + down <= game.height


def worlds_like(game, seen, player):
    """The other's fleets of all states that look like this one."""
    placed = seen.placed // 2 if player == 0 else (seen.placed + 1) // 2
    name = "ships_1" if player == 0 else "ships_0"
    for fleet in whole_fleets(game, placed):
        world = replay(game, seen._replace(**{name: np.uint64(fleet)}), player)
        if world is not None and game.observe(world, player) == seen:
            yield fleet


def replay(game, state, player):
    """The state with the hits that its fleets give: shots one after the other, if they are remembered."""
    if state.placed < 2 * game.ships:
        return state
    names = ("shots_0", "hits_0", "sank_0", "ships_1"), ("shots_1", "hits_1", "sank_1", "ships_0")
    shots, hits, sank, ships = names[player]
    fresh = state._replace(**{shots: game.none, hits: game.none, sank: game.none, "turn": player, "left": 9})
    order = game._in_order(state, player, getattr(state, shots))
    if game.recalls or not game.tells_sunk:
        for place in order:
            fresh = game.result(fresh._replace(turn=player, left=9), place)
    else:  # only what can be told without the order
        cells = game.cells_of_fleet(getattr(state, ships))
        ok = game.fits(getattr(state, ships), game.ships, getattr(state, hits), getattr(state, sank), None, 0)
        if common(cells, getattr(state, shots)) != getattr(state, hits) or not ok:
            return None
        return state
    return state._replace(**{name: getattr(fresh, name) for name in (hits, sank)})


@pytest.mark.parametrize(
    "spec", [VARIANTS[0], *(pytest.param(spec, marks=pytest.mark.slow) for spec in VARIANTS[1:])]
)
def test_fleets_that_fit_are_as_likely(spec):
    game, rng = load(spec), new_random(5)
    both = gears(game)
    dice, distance, freedom = random.Random(1), 0.0, 0
    for seed in range(8):
        state = dice.choice(walk(game, seed)[:-1])
        for player in (0, 1):
            seen = both.cast(game.observe(state, player))
            every = list(worlds_like(game, seen, player))
            drawn = np.zeros(60 * max(len(every), 1), np.uint64)
            draw_fleets(both.in_gear("native"), seen, player, rng, drawn)
            fleets, counts = np.unique(drawn, return_counts=True)
            assert set(fleets.tolist()) <= set(every)
            count = dict(zip(fleets.tolist(), counts.tolist(), strict=True))
            distance += sum((count.get(fleet, 0) - 60) ** 2 / 60 for fleet in every)
            freedom += len(every) - 1
    assert abs(distance - freedom) < 4 * (2 * freedom) ** 0.5, (distance, freedom)


@pytest.mark.parametrize("spec", ["battleship", *VARIANTS])
def test_worlds_look_alike_and_texts_are_read(spec):
    game, rng = load(spec), new_random(2)
    for state in walk(game, 3)[:: 30 if game.width == 10 else 5]:
        for player in (gambito.NOBODY, 0, 1):
            seen = game.observe(state, player)
            assert game.observe(seen, player) == seen and game.parse(game.text(seen)) == seen
            world = game.imagine(seen, player, rng)
            assert game.observe(world, player) == seen and game.parse(game.text(world)) == world


@pytest.mark.slow
def test_tree_as_openspiel():
    """2×2 cells, ships 1 and 2, three shots each: nodes, information sets and actions."""
    game = load("battleship:width=2,height=2,fleet=1-2,announce=sunk,shots=3")
    ends, inner, sets, waiting = 0, 0, {}, [game.initial()]
    while waiting:
        state = waiting.pop()
        if game.is_terminal(state):
            ends += 1
            continue
        inner, legal = inner + 1, game.legal(state)
        player = game.player(state)
        assert sets.setdefault((player, game.observe(state, player)), legal) == legal
        waiting += [game.result(state, action) for action in legal]
    assert (ends, inner, len(sets), sum(map(len, sets.values()))) == (32_256, 27_509, 16_946, 35_512)


@pytest.mark.parametrize(
    ("spec", "other"),
    [
        ("width=2,height=2,fleet=1-2,shots=3", "board_width=2,board_height=2,ship_sizes=[1;2],num_shots=3"),
        ("width=4,height=3,fleet=3-2,shots=6", "board_width=4,board_height=3,ship_sizes=[3;2],num_shots=6"),
    ],
)
def test_beside_openspiel(spec, other):
    """The same legal actions and scores; observations are alike where information states are."""
    pyspiel = pytest.importorskip("pyspiel")
    game = load(f"battleship:{spec},announce=sunk")
    values = ";".join("1" for _ in game.lengths)
    theirs = pyspiel.load_game(f"battleship({other},ship_values=[{values}],allow_repeated_shots=False)")
    rng, names, seen_by = random.Random(4), {}, {}
    for _ in range(60):
        state, twin = game.initial(), theirs.new_initial_state()
        while not twin.is_terminal():
            assert game.player(state) == twin.current_player() and not game.is_terminal(state)
            ours = {}
            for action in twin.legal_actions():
                word = twin.action_to_string(twin.current_player(), action)
                row, column = (int(n) for n in word[word.index("(") + 1 : -1].split(", "))
                place = row * game.stride + column
                is_shot = "shoot" in word
                ours[action] = place if is_shot else 2 * place + int("vertically" in word)
            assert sorted(ours.values()) == sorted(game.legal(state))
            for player in (0, 1):
                name = (player, twin.information_state_string(player))
                seen = (player, game.observe(state, player))
                assert names.setdefault(name, seen) == seen and seen_by.setdefault(seen, name) == name
            action = rng.choice(twin.legal_actions())
            state = game.result(state, ours[action])
            twin.apply_action(action)
        assert game.is_terminal(state)
        assert [game.utility(state, player) for player in (0, 1)] == twin.returns()


def test_salvo():
    """As many shots as ships are afloat; the count falls when one is sunk."""
    game = load("battleship:width=4,height=4,fleet=2-1,salvo=true")
    state = game.parse("a1> a1> d4 d4")
    assert (state.turn, state.left) == (0, 2)
    for shot in ("d4", "c4"):
        state = game.result(state, game.read(state, shot))
    assert (state.turn, state.left) == (1, 1)
    state = game.result(state, game.read(state, "a4"))
    assert (state.turn, state.left) == (0, 2)
    for shot in ("a1", "b1"):
        state = game.result(state, game.read(state, shot))
    assert game.is_terminal(state) and game.utility(state, 0) == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a1> a3 / ? ? / b2+ a2 c2 b1 b3 / a2 b2 c2 c1 c3", "no fleet"),
        ("a1> a1 / ? ? / - / -", "does not fit there"),
        ("a1> a3 / ? ? / a1 a2 a3 / -", "numbers of ships and shots"),
        ("a1> a3 / ? ? / a1 b1 a2 b2 a3 c3 c1 c2 / a1+ b1+ c1 a2 b2 c2 b3", "over|no fleet"),
        ("a1> a3 / b1v ? / a1 / -", "not sunk"),
        ("a1> a3 a3 / ? ? / - / -", "no ship"),
        ("a1> a3 / ? ? / a1* / -", "no shot"),
        ("a1> a3 / ? ?", "no position"),
    ],
)
def test_positions_that_cannot_be(text, reason):
    with pytest.raises(PositionError, match=reason):
        load("battleship:width=3,height=3,fleet=2-1").parse(text)


@pytest.mark.parametrize(
    "given", ["width=1", "fleet=5-x", "fleet=11", "width=2,height=2,fleet=2-2-1", "announce=all", "shots=999"]
)
def test_parameters_that_cannot_be(given):
    with pytest.raises(GameError):
        gambito.load(f"battleship:{given}")
