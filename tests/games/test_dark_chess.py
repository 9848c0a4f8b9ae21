"""Dark chess beside OpenSpiel's on 4×4, and what a player sees and imagines.

OpenSpiel's game has the same moves and takes the king as well. It differs in two ways. A pawn there does not
see the empty squares that it attacks, nor a piece in front of it. And a game is drawn by repetition or after
fifty moves without progress, here after a number of moves.
"""

import random
from collections import Counter

import pytest

import gambito
from gambito.errors import PositionError
from gambito.native.random import new_random
from tests.hidden.small import load

SPECS = ["dark-chess:size=4", "dark-chess", "dark-chess:size=6"]
LONGEST = 60  # plies of a game
STRAIGHT, SLANTED = [(0, 1), (1, 0), (0, -1), (-1, 0)], [(1, 1), (1, -1), (-1, 1), (-1, -1)]
LEAPS = [(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)]
WAYS = {"n": LEAPS, "b": SLANTED, "r": STRAIGHT, "q": STRAIGHT + SLANTED, "k": STRAIGHT + SLANTED}


def random_states(game, games, seed):
    """The states of random games, the ends too."""
    dice = random.Random(seed)
    for _ in range(games):
        state = game.initial()
        while not game.is_terminal(state):
            yield state
            state = game.result(state, dice.choice(game.legal(state)))
        yield state


def rows_of(text):
    """The marks of a position's text, with digits for empty squares written out."""
    return "".join("." * int(mark) if mark.isdigit() else mark for mark in text.split()[0])


def pawn_squares(game, board, player):
    """The squares in front of a player's pawns and those that they attack, as places in the rows."""
    size, found = game.size, set()
    for place, mark in enumerate(board.replace("/", "")):
        if mark == "Pp"[player]:
            row, column = place // size + (1, -1)[1 - player], place % size
            found |= {row * size + c for c in (column - 1, column, column + 1) if 0 <= c < size}
    return found


def plain_moves(game, state):
    """The moves of the player to move as pairs of squares, and the squares that it sees, step by step."""
    rows = game.text(state).split()[0].split("/")[::-1]
    board = {(x, y): mark for y, row in enumerate(rows) for x, mark in enumerate(row)}
    white = state.plies % 2 == 0
    moves, seen = set(), set()
    for (x, y), mark in board.items():
        if mark == "." or mark.isupper() != white:
            continue
        seen.add((x, y))
        if mark in "Pp":
            for way in (-1, 0, 1):
                to = (x + way, y + (1 if white else -1))
                seen |= {to} & board.keys()
                there = board.get(to)
                if there and (there == "." if way == 0 else there != "." and there.isupper() != white):
                    moves.add(((x, y), to))
            continue
        for across, up in WAYS[mark.lower()]:
            for steps in range(1, 2 if mark in "KkNn" else 6):
                to = (x + across * steps, y + up * steps)
                if to not in board:
                    break
                seen.add(to)
                if board[to] == "." or board[to].isupper() != white:
                    moves.add(((x, y), to))
                if board[to] != ".":
                    break
    return moves, seen


@pytest.mark.parametrize("spec", SPECS)
def test_beside_plain_rules(spec):
    """The moves and the sight of pieces that are moved step by step; a pawn that arrives becomes four."""
    game = load(spec)
    met = set()
    for state in random_states(game, 12, seed=2):
        if game.is_terminal(state):
            continue
        moves, seen = plain_moves(game, state)
        legal = [((a & 7, a >> 3 & 7), (a >> 6 & 7, a >> 9 & 7), a >> 12) for a in game.legal(state)]
        assert {(source, to) for source, to, _ in legal} == moves and len(set(legal)) == len(legal)
        for source, to, becomes in legal:
            is_pawn = int(state.pawns) >> (source[0] + 8 * source[1]) & 1
            assert (becomes in (1, 2, 3, 4)) == (bool(is_pawn) and to[1] in (0, game.size - 1))
        assert len(legal) == len(moves) + 3 * len({m[:2] for m in legal if m[2]})
        sight = int(game.observe(state, game.player(state)).seen)
        assert {(s & 7, s >> 3) for s in range(64) if sight >> s & 1} == seen
        met |= set(game.text(state).split()[0].lower())
    assert met >= set("pnrqk")


def test_beside_openspiel():
    pyspiel = pytest.importorskip("pyspiel")
    game, dice = load("dark-chess:size=4"), random.Random(6)
    theirs = pyspiel.load_game("dark_chess(board_size=4)")
    won = decisions = 0
    for _ in range(60):
        state, twin = game.initial(), theirs.new_initial_state()
        while not twin.is_terminal() and state.plies < LONGEST:
            assert not game.is_terminal(state)
            assert game.player(state) == 1 - twin.current_player()  # there Black is player 0
            board = rows_of(game.text(state))
            assert board == rows_of(str(twin))
            after = {}
            for action in twin.legal_actions():
                child = twin.child(action)
                after[rows_of(str(child))] = child
            ours = {rows_of(game.text(game.result(state, a))): a for a in game.legal(state)}
            assert sorted(ours) == sorted(after) and len(after) == len(twin.legal_actions())
            for player in (0, 1):
                marks = rows_of(game.text(game.observe(state, player))).replace("/", "")
                fogged = rows_of(twin.observation_string(1 - player)).replace("/", "")
                by_pawns = pawn_squares(game, board, player)
                for place, (mark, other) in enumerate(zip(marks, fogged, strict=True)):
                    assert mark == other or (other == "?" and place in by_pawns)
                assert all(marks[place] != "?" for place in by_pawns)
            decisions += 1
            chosen = dice.choice(sorted(after))
            state, twin = game.result(state, ours[chosen]), after[chosen]
        if game.is_terminal(state):
            won += 1
            assert twin.is_terminal()
            assert [game.utility(state, player) / game.highest for player in (1, 0)] == twin.returns()
    assert won > 40 and decisions > 500


@pytest.mark.parametrize("spec", SPECS)
def test_worlds_look_alike(spec):
    """What is imagined looks as what was seen, gives the same moves, and is a position with all pieces."""
    game, rng = load(spec), new_random(1)
    for state in random_states(game, 4, seed=4):
        assert game.parse(game.text(state)) == state
        for player in (0, 1, gambito.NOBODY):
            seen = game.observe(state, player)
            assert game.observe(seen, player) == seen and game.parse(game.text(seen)) == seen
            if player != gambito.NOBODY:
                world = game.imagine(seen, player, rng)
                assert game.observe(world, player) == seen and game.parse(game.text(world)) == world
                if player == game.player(state) and not game.is_terminal(state):
                    assert game.legal(seen) == game.legal(state) == game.legal(world)


def test_every_placement_is_imagined_as_often():
    """A rook and a king in a fog of seven squares stand in 42 ways."""
    game, rng = load("dark-chess:size=4"), new_random(2)
    seen = game.parse("????/?.../?.K./?... w PPPPRRppppr 20")
    drawn = Counter(game.imagine(seen, 0, rng) for _ in range(2100))
    assert len(drawn) == 42
    assert sum((count - 50) ** 2 / 50 for count in drawn.values()) < 41 + 4 * 82**0.5


def test_pawns_are_imagined_where_they_can_stand():
    game, rng = load("dark-chess"), new_random(5)
    for state in random_states(game, 6, seed=9):
        world = game.imagine(game.observe(state, 0), 0, rng)
        assert not world.pawns & ~game.middle
        pieces = [int(side).bit_count() for side in (state.white, state.black)]
        assert [int(side).bit_count() for side in (world.white, world.black)] == pieces


def test_endings():
    game = load("dark-chess:size=4")
    state = game.parse("r.kr/.P.p/..../R.KR w PPPppp 10")
    taken = game.result(state, game.read(state, "b3xc4n"))
    assert game.utility(taken, 0) == game.highest and game.reason(taken) == "the king was taken"
    assert game.show(taken).splitlines()[0] == "4  r . N r"
    cells = game.kept_equipment().read("..../p.../P.../..K. w").cells
    last = game._place(cells, 0, 0)  # without a black king, which could move
    stale = game.result(last, game.read(last, "c1c2"))
    assert game.utility(stale, 0) == 0 and game.reason(stale) == "stalemate"
    short = gambito.load("dark-chess:size=4,limit=2")
    assert short.reason(short.parse("a1b1 a4b4")) == "2 moves were played"


def test_shows_the_fog():
    game = load("dark-chess:size=4")
    seen = game.observe(game.initial(), 0)
    assert game.show(seen).splitlines()[:2] == ["4  ? ? ? ?", "3  p p p p"]
    assert len([piece for piece in game.pieces(seen) if piece.text == "?"]) == 4


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("r.kr/pppp/PPPP w - 0", "no position"),
        ("r.kr/pppp/PPPP/R.KX w - 0", "no position"),
        ("r.kr/pppp/PPPP/R.KR b - 0", "do not fit who moves"),
        ("r.kr/pppp/PPPP/R.KR w - 102", "do not fit who moves"),
        ("r.kr/pppp/PPPP/R..R w - 0", "not those of a game"),
        ("r.kr/pppp/PPPP/R.KR w p 2", "not those of a game"),
        ("r.kr/ppp./PPPP/R.KR w p 0", "not those of a game"),
        ("pkrr/.ppp/PPPP/R.KR w - 2", "not those of a game"),
        ("?.kr/pppp/PPPP/R.KR w - 0", "not those of a game"),
        ("r.kr/.ppp/.PPP/R..R b KPp 5", "not by the last move"),
        ("????/pppp/PPPP/R.KR w - 100", "everything is seen"),
    ],
)
def test_positions_that_cannot_be(text, reason):
    with pytest.raises(PositionError, match=reason):
        load("dark-chess:size=4").parse(text)


def test_a_search_takes_a_king_that_it_sees():
    found = gambito.search(
        "dark-chess:size=4", "????/..k?/?P../?.K. w PPPRRppppr 20", "ismcts", nodes=300, gear="python"
    )
    assert found.words()[0] == "b2xc3"
