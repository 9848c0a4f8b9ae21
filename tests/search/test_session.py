"""What a search hands on to the next one."""

import gambito

GIVEN = {"depth": 5, "gear": "python", "memory": 1, "deepen": False}


def engine(**given):
    return gambito.search("connect-four", "44", "engine", **GIVEN, **given)


def test_how_full_the_table_is():
    session = gambito.Session()
    assert session.is_empty() and session.fullness() == 0
    seen = []
    for depth in (2, 5, 9):
        gambito.search("tic-tac-toe", None, "engine", depth=depth, gear="python", memory=1, session=session)
        seen.append(session.fullness())
    assert seen[0] < seen[-1] < 1000


def test_a_cleared_session_is_a_new_one():
    session = gambito.Session()
    first = engine(session=session)
    assert engine(session=session).nodes < first.nodes
    session.clear()
    assert session.is_empty() and engine(session=session).nodes == first.nodes


def test_touching_changes_nothing():
    touched, other = gambito.Session(), gambito.Session()
    for session in (touched, other):
        engine(session=session)
    touched.touch()
    assert engine(session=touched).nodes == engine(session=other).nodes


def test_several_algorithms_may_share_a_session():
    """Each keeps its own things, under its own names."""
    session = gambito.Session()
    for algorithm in ("engine", "mtd-f", "df-pn", "mcts", "engine", "mtd-f"):
        limit = {"nodes": 50} if algorithm == "mcts" else {"depth": 3}
        found = gambito.search("tic-tac-toe", "5", algorithm, gear="python", session=session, **limit)
        assert found.action is not None
