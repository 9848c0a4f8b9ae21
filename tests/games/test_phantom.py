"""Phantom tic-tac-toe and dark hex beside OpenSpiel's, and their worlds beside all that could have been."""

import random
from collections import Counter, defaultdict

import pytest

import gambito
from gambito.errors import PositionError
from gambito.native.random import new_random
from tests.hidden.small import load

pyspiel = pytest.importorskip("pyspiel")


def sizes(game):
    """The terminal and the other nodes of the whole tree, and the states and actions of every observation."""
    sets, actions = defaultdict(Counter), {}
    ends, inner, waiting = 0, 0, [game.initial()]
    while waiting:
        state = waiting.pop()
        if game.is_terminal(state):
            ends += 1
            continue
        inner += 1
        player, legal = game.player(state), game.legal(state)
        seen = game.observe(state, player)
        sets[player, seen][state] += 1
        assert actions.setdefault((player, seen), legal) == legal
        waiting += [game.result(state, action) for action in legal]
    return (ends, inner, len(sets), sum(map(len, actions.values()))), sets


def test_sizes_of_dark_hex():
    """OpenSpiel's information states count all tries, as `counted` does: 134 of them."""
    assert sizes(load("dark-hex:size=2,counted=true"))[0] == (216, 225, 134, 244)
    assert sizes(load("dark-hex:size=2"))[0] == (216, 225, 70, 132)


@pytest.mark.thorough
@pytest.mark.parametrize("spec", ["dark-hex:size=2", "dark-hex:size=2,counted=true"])
def test_every_world_is_imagined_as_often(spec):
    game, rng = load(spec), new_random(3)
    distance, freedom = 0.0, 0
    for (player, seen), worlds in sizes(game)[1].items():
        drawn = Counter(game.imagine(seen, player, rng) for _ in range(40 * len(worlds)))
        assert set(drawn) <= set(worlds)
        distance += sum((drawn[world] - 40) ** 2 / 40 for world in worlds)
        freedom += len(worlds) - 1
    assert abs(distance - freedom) < 4 * (2 * freedom) ** 0.5


@pytest.mark.parametrize(
    ("spec", "other", "games"),
    [
        ("phantom-tic-tac-toe", "phantom_ttt", 150),
        ("dark-hex:size=3,counted=true", "dark_hex(board_size=3)", 100),
        ("dark-hex:size=4,counted=true", "dark_hex(board_size=4)", 40),
    ],
)
def test_beside_openspiel(spec, other, games):
    """The same legal tries, outcomes and movers; observations are alike where information states are."""
    game, rng = load(spec), random.Random(8)
    theirs = pyspiel.load_game(other)
    names, seen_by = {}, {}
    for _ in range(games):
        state, twin = game.initial(), theirs.new_initial_state()
        while not twin.is_terminal():
            assert not game.is_terminal(state) and game.player(state) == twin.current_player()
            cells = dict(enumerate(sorted(game.legal(game.initial()))))
            assert sorted(game.legal(state)) == [cells[a] for a in twin.legal_actions()]
            for player in (0, 1):
                name = (player, twin.information_state_string(player), twin.current_player())
                seen = (player, game.observe(state, player))
                assert names.setdefault(name, seen) == seen and seen_by.setdefault(seen, name) == name
            action = rng.choice(twin.legal_actions())
            state = game.result(state, cells[action])
            twin.apply_action(action)
        assert game.is_terminal(state)
        assert [game.utility(state, player) for player in (0, 1)] == twin.returns()


@pytest.mark.parametrize("spec", ["phantom-tic-tac-toe", "phantom-tic-tac-toe:counted=true", "dark-hex"])
def test_worlds_look_alike(spec):
    """What is imagined looks as what was seen, and is a state that its tries lead to."""
    game, rng, dice = load(spec), new_random(1), random.Random(4)
    for _ in range(40):
        state = game.initial()
        while not game.is_terminal(state):
            for player in (0, 1):
                seen = game.observe(state, player)
                assert game.observe(seen, player) == seen and game.parse(game.text(seen)) == seen
                world = game.imagine(seen, player, rng)
                assert game.observe(world, player) == seen and game.parse(game.text(world)) == world
            state = game.result(state, dice.choice(game.legal(state)))
        nobody = game.observe(state, gambito.NOBODY)
        assert game.parse(game.text(nobody)) == nobody


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("5 1! / ? / 1", "do not fit"),
        ("5 5 / ? / 4", "twice"),
        ("5 x / ? / 4", "no cell"),
        ("5 1 / 5 / 3", "in this game"),
        ("5 1 2 / ? / 2", "do not fit"),
        ("? / ? / 10", "do not fit"),
        ("1 2 3 / ? / 6", "do not fit"),
        ("5 / 1 / 3", "give 2 stones"),
        ("5 / 1 / many", "no position"),
        ("5 / ? / 2 of 3", "no position"),
        ("1 2 3 / ? / 5 won", "over"),
    ],
)
def test_positions_that_cannot_be(text, reason):
    with pytest.raises(PositionError, match=reason):
        load("phantom-tic-tac-toe").parse(text)


def test_shows_what_is_hidden():
    game = load("phantom-tic-tac-toe")
    assert game.show(game.parse("5 9 1! / ? / 4")).splitlines()[0] == " O | ? | ?"
    assert game.show(game.parse("5 1")).splitlines()[0] == " O | 2 | 3"
    fogged = [piece for piece in game.pieces(game.parse("5 / ? / 2")) if piece.text == "?"]
    assert len(fogged) == 8
