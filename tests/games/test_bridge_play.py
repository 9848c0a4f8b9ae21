"""The play of bridge with open cards: rules, texts, and values beside minimax and DDS.

`double_dummy_boards.txt` has boards of 5 to 13 cards with the tricks of the leader's side, found by DDS. With
`endplay` installed, which holds DDS, one more test compares new boards.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import gambito
from gambito.errors import PositionError
from gambito.game.registry import load
from gambito.game_tools.bridge.tables import DoubleDummy

RANKS = "23456789TJQKA"
STRAINS = ("C", "D", "H", "S", "NT")
BOARDS = [
    line.rsplit(maxsplit=1)
    for line in (Path(__file__).parent / "double_dummy_boards.txt").read_text().splitlines()
]


def deal(rng: random.Random, cards: int) -> str:
    """A position with so many cards a hand, and any leader."""
    deck = rng.sample(range(52), 4 * cards)
    hands = [deck[cards * n : cards * (n + 1)] for n in range(4)]
    told = [
        ".".join(
            "".join(RANKS[c % 13] for c in sorted(hand, reverse=True) if c // 13 == suit)
            for suit in (3, 2, 1, 0)
        )
        for hand in hands
    ]
    return f"{rng.choice('SWNE')}:{' '.join(told)}"


def minimax(game, state, known):
    """The tricks of player 0, by the rules alone."""
    if game.is_terminal(state):
        return int(game.utility(state, 0))
    key = tuple(map(int, state))
    if key not in known:
        values = [minimax(game, game.result(state, action), known) for action in game.legal(state)]
        known[key] = max(values) if game.player(state) == 0 else min(values)
    return known[key]


@pytest.mark.parametrize("strain", STRAINS)
def test_partition_search_is_minimax_in_both_gears(strain):
    game, rng = load(f"bridge-play:strain={strain}"), random.Random(strain)
    for cards in (1, 2, 3, 3):
        state = game.parse(deal(rng, cards))
        value = minimax(game, state, {})
        assert gambito.search(game, state, "partition", gear="python").value == value
        found = gambito.search(game, state, "partition", gear="native")
        assert found.value == value and found.exact
        after = state
        for action in found.line:
            after = game.result(after, action)
        assert game.is_terminal(after) and game.utility(after, 0) == value


def test_partition_search_in_the_middle_of_a_trick():
    game, rng = load("bridge-play:strain=H"), random.Random(5)
    for _ in range(8):
        state = game.parse(deal(rng, 3))
        for _ in range(rng.randrange(1, 7)):
            state = game.result(state, rng.choice(game.legal(state)))
        sign = 1 if game.player(state) == 0 else -1
        assert gambito.search(game, state, "partition").value == sign * minimax(game, state, {})


def solved(line: str, solvers: dict[str, DoubleDummy]) -> int:
    strain, position = line.split(maxsplit=1)
    solver = solvers.setdefault(strain, DoubleDummy(strain, 32))
    return solver.value(solver.rules.parse(position))


def test_boards_of_dds():
    """One table for all boards of a strain: what it stores holds for all deals."""
    solvers: dict[str, DoubleDummy] = {}
    few = [(line, int(tricks)) for line, tricks in BOARDS if len(line) < 60]
    assert len(few) > 150
    assert [line for line, tricks in few if solved(line, solvers) != tricks] == []


@pytest.mark.slow
def test_large_boards_of_dds():
    solvers: dict[str, DoubleDummy] = {}
    assert [line for line, tricks in BOARDS if solved(line, solvers) != int(tricks)] == []


def test_a_full_table_begins_again():
    line, tricks = max(BOARDS, key=lambda board: len(board[0]) if len(board[0]) < 68 else 0)
    strain, position = line.split(maxsplit=1)
    small = DoubleDummy(strain, 0.01)
    assert small.value(small.rules.parse(position)) == int(tricks)
    assert small.table.head[5] > 1


def test_the_score_of_every_card():
    solver = DoubleDummy("NT")
    state = solver.rules.parse("W:A5.2.. 43.3.. K2.A.. QJ.K..")
    names = {solver.rules.write(state, card): tricks for card, tricks in solver.cards(state).items()}
    assert names == {"AS": 3, "5S": 3, "2H": 3}
    found = gambito.search("bridge-play", "W:A5.2.. 43.3.. K2.A.. QJ.K..", lines=3)
    assert {each.action: each.value for each in found.lines} == solver.cards(state)


def test_partition_needs_a_game_that_tells_what_matters():
    with pytest.raises(gambito.SearchError, match="partition needs rules that say what a value depends on"):
        gambito.search("tic-tac-toe", algorithm="partition")
    with pytest.raises(gambito.SearchError, match="partition searches to the end of the game: 12 plies"):
        gambito.search("bridge-play", "W:A5.2.. 43.3.. K2.A.. QJ.K..", depth=3)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no position of bridge-play"),
        ("X:A... K... Q... J...", "no position of bridge-play"),
        ("N:A... K... Q...", "no position of bridge-play"),
        ("N:A... K... Q... 1...", "no position of bridge-play"),
        ("N:A... A... Q... J...", "every card is there once"),
        ("N:A... KT... Q... J...", "same number of cards"),
        ("N:A... K... Q... J... N13", "there are 13 tricks"),
        ("N:A.2.. K.3.. Q.4.. J.5.. 2S", "same number of cards"),
        ("N:A... K... Q.4.. J.5.. 2S3H", "players follow suit if they can"),
    ],
)
def test_impossible_positions_are_refused_in_one_sentence(text, says):
    with pytest.raises(PositionError, match=says):
        load("bridge-play").parse(text)


@pytest.mark.parametrize("strain", STRAINS)
def test_random_games_keep_owners_and_lengths(strain):
    """What the state carries along is what the hands say."""
    game, rng = load(f"bridge-play:strain={strain}"), random.Random(3)
    state = game.initial()
    while not game.is_terminal(state):
        state = game.result(state, rng.choice(game.legal(state)))
        assert game.parse(game.text(state)) == state


@pytest.mark.slow
def test_new_boards_beside_dds():
    dds = pytest.importorskip("endplay.dds", reason="endplay, which holds DDS, is not installed")
    types = pytest.importorskip("endplay.types")
    rng, solvers = random.Random(), {}
    for _ in range(200):
        strain, position = rng.choice(STRAINS), deal(rng, rng.randrange(5, 13))
        board = types.Deal(position)
        board.first = types.Player.find(position[0])
        board.trump = types.Denom.find(strain)
        best = max(tricks for _, tricks in dds.solve_board(board))
        assert solved(f"{strain} {position}", solvers) == best, (strain, position)
