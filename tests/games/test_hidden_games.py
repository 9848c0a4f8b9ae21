"""Games with hidden information beside OpenSpiel's, node by node: turns, chances, ends, what players see."""

from __future__ import annotations

import random
from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gambito
from gambito import CHANCE
from gambito.errors import PositionError
from gambito.native.random import new_random

pyspiel = pytest.importorskip("pyspiel")

GOOFSPIEL = "turn_based_simultaneous_game(game=goofspiel(imp_info={},num_cards={},points_order={}))"
# Each with its peer and its size: terminal, chance and decision nodes, information sets, action slots.
PAIRS = {
    "kuhn-poker": ("kuhn_poker", (30, 4, 24, 12, 24)),
    "kuhn-poker:players=3": ("kuhn_poker(players=3)", (312, 17, 288, 48, 96)),
    "leduc-poker:merged=true": ("leduc_poker(suit_isomorphism=true)", (1_116, 49, 774, 288, 672)),
    "liars-dice:sides=4": ("liars_dice(dice_sides=4)", (4_080, 5, 4_096, 1_024, 2_040)),
    "goofspiel": (GOOFSPIEL.format("true", 4, "descending"), (576, 0, 501, 162, 348)),
    "rock-paper-scissors": ("turn_based_simultaneous_game(game=matrix_rps())", (9, 0, 4, 2, 6)),
}
LARGER = {
    "leduc-poker": ("leduc_poker", (5_520, 157, 3_780, 936, 2_184)),
    "liars-dice": ("liars_dice", (147_420, 7, 147_456, 24_576, 49_140)),
    "liars-dice:dice=2,sides=2": ("liars_dice(numdice=2,dice_sides=2)", None),
    "goofspiel:order=random,cards=3": (GOOFSPIEL.format("true", 3, "random"), None),
    "goofspiel:shown=true,order=ascending": (GOOFSPIEL.format("false", 4, "ascending"), None),
}
# Where cards are shown, OpenSpiel's players see which ones are left, and not in what order they were played.
FINER = ("goofspiel:shown=true,order=ascending",)
SMALL = [*PAIRS, "liars-dice:dice=2,sides=2", "goofspiel:order=random,cards=3", "goofspiel:shown=true"]


def compare(name, other):
    """Walk both trees side by side; returns the size of ours."""
    game, peer = gambito.load(name), pyspiel.load_game(other)
    terminal = chance = decision = 0
    ours, theirs, slots = {}, {}, {}
    waiting = [(game.initial(), peer.new_initial_state())]
    while waiting:
        state, node = waiting.pop()
        assert game.is_terminal(state) == node.is_terminal()
        if node.is_terminal():
            terminal += 1
            assert [game.utility(state, p) for p in range(game.players)] == node.returns()
            continue
        legal = game.legal(state)
        if node.is_chance_node():
            chance += 1
            assert game.player(state) == CHANCE
            odds = [p for _, p in game.chances(state)]
            assert odds == pytest.approx([p for _, p in node.chance_outcomes()], abs=1e-12)
        else:
            decision += 1
            mover = game.player(state)
            assert mover == node.current_player()
            seen, told = (mover, game.observe(state, mover)), (mover, node.information_state_string())
            assert ours.setdefault(seen, told) == told  # what we see is as fine as theirs
            assert theirs.setdefault(told, seen) == seen or name in FINER  # and no finer
            slots[seen] = len(legal)
        actions = node.legal_actions()
        assert len(legal) == len(actions)
        waiting += [(game.result(state, a), node.child(b)) for a, b in zip(legal, actions, strict=True)]
    return terminal, chance, decision, len(slots), sum(slots.values())


@pytest.mark.parametrize("name", PAIRS)
def test_tree_and_information_sets(name):
    other, size = PAIRS[name]
    assert compare(name, other) == size


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGER)
def test_larger_trees(name):
    other, size = LARGER[name]
    found = compare(name, other)
    assert size in (None, found)


def wander(game, rng, plies):
    state = game.initial()
    for _ in range(plies):
        if game.is_terminal(state):
            break
        state = game.result(state, rng.choice(game.legal(state)))
    return state


@pytest.mark.parametrize("name", SMALL)
def test_imagined_worlds_are_those_that_look_alike(name):
    """Every world of an information set is drawn, and none that looks different."""
    game = gambito.load(name)
    worlds, waiting = defaultdict(set), [game.initial()]
    while waiting:
        state = waiting.pop()
        if game.is_terminal(state):
            continue
        mover = game.player(state)
        if mover != CHANCE:
            worlds[mover, game.observe(state, mover)].add(state)
        waiting += [game.result(state, action) for action in game.legal(state)]
    rng = new_random(1)
    for mover, seen in random.Random(2).sample(list(worlds), min(len(worlds), 12)):
        held = worlds[mover, seen]
        drawn = Counter(game.imagine(seen, mover, rng) for _ in range(40 * len(held)))
        assert set(drawn) == held
    assert all(game.player(seen) == mover for mover, seen in worlds)


@given(st.sampled_from(SMALL), st.integers(0, 12), st.integers(0, 1 << 30))
@settings(max_examples=150, deadline=None)
def test_observations_are_written_and_read(name, plies, seed):
    """The text of what a player or a spectator sees is read as the same; blanking twice is blanking once."""
    game = gambito.load(name)
    state = wander(game, random.Random(seed), plies)
    for player in range(-1, game.players):
        seen = game.observe(state, player)
        assert game.observe(seen, player) == seen
        assert game.parse(game.text(seen)) == seen, game.text(seen)
        assert game.show(seen)


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("kuhn-poker", "JJ", "one card of each kind"),
        ("kuhn-poker", "JA", "accepted: cards of JQK or ?"),
        ("kuhn-poker", "J- p", "accepted"),
        ("kuhn-poker", "JQ ppp", "moves after the end"),
        ("leduc-poker", "JsJs", "the deck has fewer"),
        ("leduc-poker", "Js? f", "f is not a move there"),
        ("leduc-poker", "Js? cc/Js", "the deck has fewer"),
        ("leduc-poker", "Js? cc/", ""),
        ("leduc-poker", "Xs?", "accepted: cards of Js Jh Qs Qh Ks Kh"),
        ("liars-dice", "7/?", "dice from 1 to 6"),
        ("liars-dice", "1/? 2-3 1-3", "not a move here"),
        ("liars-dice:dice=2", "1?/11", "accepted"),
        ("liars-dice", "1/- 1-2", "accepted"),
        ("goofspiel", "4:3>4", "no such cards"),
        ("goofspiel", "3:3>?", "the prize is 4"),
        ("goofspiel", "4:1>?", "no such cards"),
        ("goofspiel", "4:3>? 3:2>? 2:4<?", "no such cards"),
        ("goofspiel", "4:3>? 3:3>?", "every card is played once"),
        ("goofspiel", "4:3 3:2", "accepted: rounds"),
        ("rock-paper-scissors", "?r", "accepted"),
    ],
)
def test_hands_that_cannot_be(name, text, problem):
    game = gambito.load(name)
    if not problem:
        assert game.text(game.parse(text)) == text
        return
    with pytest.raises(PositionError, match=problem.replace("?", r"\?")) as told:
        game.parse(text)
    assert "\n" not in str(told.value)


def test_the_last_word_of_kuhn():
    """The winner takes what the others paid; a player who passed after a bet loses one chip."""
    game = gambito.load("kuhn-poker:players=3")
    state = game.parse("KJQ pbpb")
    assert game.is_terminal(state)
    assert [game.utility(state, p) for p in range(3)] == [3.0, -2.0, -1.0]
    assert game.text(game.observe(state, 1)) == "?J? pbpb"
