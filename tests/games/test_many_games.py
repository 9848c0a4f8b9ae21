"""Games for three and more: their rules beside rules written another way, and what is known of them."""

from __future__ import annotations

import itertools
import random

import pytest

import gambito
from gambito.game.registry import load


# ---- Chinese checkers --------------------------------------------------------------------------------
class Star:
    """Chinese checkers on a dictionary of holes: the same rules, written another way."""

    WAYS = ((1, -1, 0), (-1, 1, 0), (1, 0, -1), (-1, 0, 1), (0, 1, -1), (0, -1, 1))

    def __init__(self, game) -> None:
        self.game = game
        self.holes = set(game.places)

    def pieces(self, state) -> dict[tuple[int, int, int], int]:
        owners = ((place, self.game.owner(state, n) - 1) for n, place in enumerate(self.game.places))
        return {place: owner for place, owner in owners if owner >= 0}

    def zone(self, place) -> str:
        """The coordinate that lies outside the hexagon, with its sign; "" in the middle."""
        outside = [f"{'-' if v < 0 else '+'}{n}" for n, v in enumerate(place) if abs(v) > self.game.rows]
        return outside[0] if outside else ""

    def moves(self, state) -> set[tuple]:
        pieces, mover = self.pieces(state), state.mover
        start = self.pieces(self.game.initial())
        home = next(self.zone(place) for place, owner in start.items() if owner == mover)
        goal = ("+" if home[0] == "-" else "-") + home[1]
        found = set()
        for place in [p for p, owner in pieces.items() if owner == mover]:
            others = set(pieces) - {place}
            ends = {self.add(place, w) for w in self.WAYS} & (self.holes - others)
            reached, waiting = {place}, [place]
            while waiting:
                here = waiting.pop()
                for way in self.WAYS:
                    over, to = self.add(here, way), self.add(here, way, 2)
                    if over in others and to in self.holes - others - reached:
                        reached.add(to)
                        waiting.append(to)
            for end in (ends | reached) - {place}:
                if self.zone(end) in ("", home, goal) and (
                    self.zone(place) != goal or self.zone(end) == goal
                ):
                    found.add((place, end))
        return found

    @staticmethod
    def add(place, way, times=1):
        return tuple(a + times * b for a, b in zip(place, way, strict=True))


@pytest.mark.parametrize(
    "label", ["players=2,rows=2", "players=3,rows=3", "players=6,rows=4", "players=4,rows=2"]
)
def test_chinese_checkers_beside_other_rules(label):
    game = load(f"chinese-checkers:{label}")
    star, rng = Star(game), random.Random(label)
    for _ in range(2):
        state = game.initial()
        for _ in range(40):
            if game.is_terminal(state):
                break
            mine = {(game.places[a >> 7], game.places[a & 127]) for a in game.legal(state)}
            assert mine == star.moves(state)
            before = star.pieces(state)
            action = max(rng.sample(game.legal(state), 2), key=lambda a: game.priority(state, a))
            left, to = game.places[action >> 7], game.places[action & 127]
            mover, state = state.mover, game.result(state, action)
            moved = {place: owner for place, owner in before.items() if place != left} | {to: mover}
            assert star.pieces(state) == moved
            for player in range(game.players):
                tip = game.steps[player]
                holes = [n for n, p in enumerate(game.places) if moved.get(p) == player]
                assert game.way_of(state, player) == sum(tip[n] for n in holes)


@pytest.mark.parametrize(("rows", "holes", "pieces"), [(2, 37, 3), (3, 73, 6), (4, 121, 10)])
def test_the_star(rows, holes, pieces):
    game = load(f"chinese-checkers:players=6,rows={rows}")
    assert len(game.places) == holes and game.pieces_each == pieces
    assert sum(game.owner(game.initial(), n) > 0 for n in range(holes)) == 6 * pieces
    assert gambito.perft(game, None, 1, gear="python") == 4 * rows - 2


def test_a_full_corner_wins():
    game = load("chinese-checkers:players=2,rows=2")
    text = "./../.2..2../.....2/...../....../......./11/. 1 10"
    with pytest.raises(gambito.PositionError, match="every player has 3 pieces"):
        game.parse(text)
    state = game.parse("./../.2..2../.....2/...../....../....1../11/. 1 10")
    assert not game.is_terminal(state)
    with pytest.raises(gambito.PositionError, match="move in turn"):
        game.parse("./../.2..2../.....2/...../....../....1../11/. 2 10")


def test_a_game_is_played_to_its_end():
    """The greedy player, for everybody, fills a corner before the limit."""
    game, state = load("chinese-checkers:rows=2"), None
    state = game.initial()
    while not game.is_terminal(state):
        found = gambito.search(game, state, "max-n", depth=2, gear="python")
        state = game.result(state, found.action)
    assert game.winner(state) >= 0 and state.turns < 60
    scores = [game.utility(state, player) for player in range(3)]
    assert sorted(scores) == [-1000, -1000, 2000]


# ---- tic-tac-toe for three ---------------------------------------------------------------------------
def brute(marks: str, mover: int, memo: dict) -> tuple[int, ...]:
    """The vector of a 3 × 3 board by definition, on a string."""
    if (marks, mover) not in memo:
        lines = ("012", "345", "678", "036", "147", "258", "048", "246")
        won = [m for m in "XOS" if any(all(marks[int(c)] == m for c in line) for line in lines)]
        if won:
            memo[marks, mover] = tuple(200 if m == won[0] else -100 for m in "XOS")
        elif "." not in marks:
            memo[marks, mover] = (0, 0, 0)
        else:
            below = [
                brute(marks[:n] + "XOS"[mover] + marks[n + 1 :], (mover + 1) % 3, memo)
                for n in range(9)
                if marks[n] == "."
            ]
            memo[marks, mover] = max(below, key=lambda values: values[mover])
    return memo[marks, mover]


def test_tic_tac_toe_3_is_solved():
    game, memo, rng = load("tic-tac-toe-3:size=3"), {}, random.Random(4)
    assert brute("." * 9, 0, memo) == (0, 0, 0)
    for _ in range(40):
        state = game.initial()
        for _ in range(rng.randrange(3, 8)):
            if not game.is_terminal(state):
                state = game.result(state, rng.choice(game.legal(state)))
        if game.is_terminal(state):
            continue
        found = gambito.search(game, state, "max-n", depth=9, gear="python")
        assert found.exact
        assert tuple(found.values) == brute(game.text(state).replace("/", ""), state.mover, memo)


@pytest.mark.slow
def test_the_whole_of_tic_tac_toe_3():
    found = gambito.solve("tic-tac-toe-3:size=3")
    assert found.exact and found.values == [0, 0, 0]


@pytest.mark.parametrize("text", ["X", "XX../..../..../....", "XO../..../..../...?", "XXX./OOO./SSS./...."])
def test_bad_positions_of_tic_tac_toe_3(text):
    with pytest.raises(gambito.PositionError):
        load("tic-tac-toe-3").parse(text)


def test_positions_of_tic_tac_toe_3_are_read_from_their_moves_too():
    game = load("tic-tac-toe-3")
    assert game.parse("") == game.initial() and game.text(game.parse("1 6 16")) == "X.../.O../..../...S"


def test_lines_do_not_go_on_in_the_next_row():
    game = load("tic-tac-toe-3")
    for squares in itertools.combinations(range(16), 3):
        places = {divmod(s, 4) for s in squares}
        bits = sum(1 << y * game.stride + x for y, x in places)
        (a, b), (c, d), (e, f) = sorted(places)
        is_line = (c - a, d - b) == (e - c, f - d) and max(abs(c - a), abs(d - b)) == 1
        assert bool(game.has_line(type(game.full)(bits))) == is_line


# ---- the prisoner's dilemma --------------------------------------------------------------------------
@pytest.mark.parametrize("rounds", [1, 2, 4])
def test_both_prisoners_talk(rounds):
    """Each does what is best for itself, in every round: though silence would be better for both."""
    game = load(f"prisoners-dilemma:rounds={rounds}")
    found = gambito.solve(game, gear="python")
    assert found.exact and found.algorithm == "max-n"
    assert found.values == [rounds, rounds] and set(found.words()) == {"talk"}
    silent = game.parse("/".join(["ss"] * rounds))
    assert [game.utility(silent, player) for player in range(2)] == [3 * rounds, 3 * rounds]


def test_talking_is_better_whatever_the_other_does():
    game = load("prisoners-dilemma")
    pays = {
        text: tuple(game.utility(game.parse(text), p) for p in range(2)) for text in ("ss", "st", "ts", "tt")
    }
    assert pays == {"ss": (3, 3), "st": (0, 5), "ts": (5, 0), "tt": (1, 1)}


def test_secret_answers():
    """Asked at the same time, they talk too: it dominates, so regrets learn it."""
    game = load("prisoners-dilemma:secret=true")
    asked = game.result(game.initial(), 0)
    assert game.text(game.observe(asked, 1)) == "?-" and game.text(game.observe(asked, 0)) == "s-"
    found = gambito.solve(game, algorithm="cfr+", iterations=200, gear="python")
    for text in ("--", "?-"):
        assert found.strategy.at(game.parse(text))[1] > 0.999
    assert found.exploitability < 1e-4


def test_the_dilemma_is_not_for_searches_of_two_opposed_players():
    for name in ("alpha-beta", "engine", "minimax"):
        with pytest.raises(gambito.SearchError, match="zero-sum"):
            gambito.search("prisoners-dilemma", None, name, depth=2)


@pytest.mark.parametrize("text", ["", "s", "?-", "ss/ss", "x-", "--/ss", "-s", "ss/--"])
def test_bad_positions_of_the_dilemma(text):
    with pytest.raises(gambito.PositionError):
        load("prisoners-dilemma").parse(text)
