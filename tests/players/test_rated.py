"""Players of a rating: more nodes for a higher one, and below that what a person overlooks."""

import gambito
from gambito.players.blind_spots import remoteness
from gambito.players.rated import RatedPlayer, nodes_of

CHESS = gambito.load("chess")
ROWS = ((1300, 100), (1700, 1000), (2000, 10_000))


def test_nodes_grow_with_the_rating():
    assert [nodes_of(ROWS, rating) for rating in (1300, 1500, 1700, 2000, 2500)] == [
        100,
        316,
        1000,
        10_000,
        10_000,
    ]


def test_below_the_lowest_rating_errors_grow():
    strong, weak = RatedPlayer(CHESS, 1300), RatedPlayer(CHESS, 800)
    assert strong.nodes == weak.nodes == 0
    assert strong.level.error < weak.level.error and strong.level.blind < weak.level.blind
    assert RatedPlayer(CHESS, 2000).nodes > RatedPlayer(CHESS, 1400).nodes > 0


def test_a_long_diagonal_is_more_remote_than_a_neighbour():
    state = CHESS.parse("6k1/6b1/8/8/8/2p5/8/R5K1 w - - 0 1")
    action = CHESS.read(state, "Rd1")
    child = CHESS.result(state, action)
    near, far = (remoteness(CHESS, state, action, CHESS.read(child, reply)) for reply in ("c2", "Bd4"))
    assert 0 < near < far <= 1
