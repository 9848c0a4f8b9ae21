"""Checkers and draughts beside other programs' rules: the same captures at every step of random games."""

import random

import pytest

import gambito
from gambito.games.draughts.notation import route_of


def taken(game, state, action):
    """The numbers of the squares whose pieces an action takes."""
    after = game.result(state, action)
    gone = int(state.theirs) & ~int(after.mine)
    return sorted(game.square_at(place) for place in range(64) if gone >> place & 1)


def hub(game, state, action):
    """An action as programs write it: from, to, and what is taken."""
    route = route_of(game, state, action)
    squares = [game.square_at(route[0]), game.square_at(route[-1])]
    prey = taken(game, state, action)
    return "x".join(map(str, [*squares, *prey])) if prey else "-".join(map(str, squares))


def compare_with_pydraughts(spec, variant, games, seed):
    """Return the number of compared plies. Both programs play the same game in Python, which is slow."""
    draughts = pytest.importorskip("draughts")
    game, rng, plies = gambito.load(spec), random.Random(seed), 0
    for _ in range(games):
        state, board = game.initial(), draughts.Board(variant=variant)
        while True:
            theirs = {_sorted_hub(move.hub_move): move for move in board.legal_moves()}
            ours = {hub(game, state, action): action for action in game.legal_moves(state)}
            assert set(ours) == set(theirs), game.text(state)
            plies += 1
            if not ours or plies % 150 == 0:
                break
            name = rng.choice(sorted(ours))
            state = game.result(state, ours[name])
            board.push(theirs[name])
    return plies


def _sorted_hub(text):
    if "x" not in text:
        return text
    first, last, *prey = text.split("x")
    return "x".join([first, last, *sorted(prey, key=int)])


PAIRS = [("checkers:patience=0", "english"), ("draughts:patience=0", "standard")]


@pytest.mark.parametrize(("spec", "variant"), PAIRS)
def test_pydraughts(spec, variant):
    assert compare_with_pydraughts(spec, variant, 2, seed=1) > 50


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "variant"), PAIRS)
def test_many_games_of_pydraughts(spec, variant):
    assert compare_with_pydraughts(spec, variant, 150, seed=2) > 5000


def open_spiel_routes(state):
    """The ways of one turn: there every jump is a ply of its own."""
    mover, found = state.current_player(), {}
    waiting = [(state, (), ())]
    while waiting:
        at, squares, actions = waiting.pop()
        for action in at.legal_actions():
            word, child = at.action_to_string(action), at.child(action)
            route = (*(squares or (word[:2],)), word[2:4])
            if squares and squares[-1] != word[:2]:
                continue
            played = (*actions, action)
            if not child.is_terminal() and child.current_player() == mover:
                waiting.append((child, route, played))
            else:
                found[route] = played
    return found


def compare_with_open_spiel(games, seed):
    pyspiel = pytest.importorskip("pyspiel")
    game, other = gambito.load("checkers:routes=true,patience=0"), pyspiel.load_game("checkers")
    rng, plies = random.Random(seed), 0
    for _ in range(games):
        state, theirs = game.initial(), other.new_initial_state()
        while not theirs.is_terminal():
            routes = open_spiel_routes(theirs)
            ours = {}
            for action in game.legal_moves(state):
                spots = [game.spot_of(game.square_at(p)) for p in route_of(game, state, action)]
                ours[tuple(f"{'hgfedcba'[x]}{y + 1}" for x, y in spots)] = action
            assert set(ours) == set(routes), game.text(state)
            chosen = rng.choice(sorted(ours))
            state = game.result(state, ours[chosen])
            for action in routes[chosen]:
                theirs.apply_action(action)
            plies += 1
        if theirs.returns()[0]:
            assert game.is_terminal(state)
            assert (game.utility(state, 0) > 0) == (theirs.returns()[0] > 0)
    return plies


def test_open_spiel():
    assert compare_with_open_spiel(10, seed=1) > 100


@pytest.mark.slow
def test_many_games_of_open_spiel():
    assert compare_with_open_spiel(1000, seed=2) > 20_000
