"""Puzzles on the page: seen, moved, solved, and watched step by step."""

from gambito.game.puzzle import Puzzle


def test_a_puzzle_is_seen_and_solved(client):
    seen = client.ask(do="view", game="sliding-tiles", start="1 2 3 4 5 6 7 0 8")
    assert len(seen["board"]["cells"]) == 9 and len(seen["pieces"]) == 8
    assert {action["move"]: action["touch"] for action in seen["actions"]}["8"] == [[8]]
    moved = client.ask(do="view", game="sliding-tiles", start="1 2 3 4 5 6 7 0 8", moves=["8"], lang="es")
    assert moved["over"] and moved["verdict"] == "se ha llegado a la meta"
    answer = client.ask(do="go", game="sliding-tiles", start="1 2 3 4 5 6 0 7 8", player={"level": 2})
    assert answer["move"] == "7" and answer["found"]["line"] == ["7", "8"]


def test_a_puzzle_is_shuffled_and_its_moves_have_a_cost(client):
    for game in ("sliding-tiles", "burnt-pancakes", "grid-map", "graph"):
        starts = {client.ask(do="shuffle", game=game)["start"] for _ in range(8)}
        assert len(starts) > 1
        assert not any(client.ask(do="view", game=game, start=start)["over"] for start in starts)
    seen = client.ask(do="view", game="graph", moves=["B", "S", "B", "S", "B", "S"])
    assert seen["cost"] == 24 and not seen["over"] and seen["actions"]
    assert "is no puzzle" in client.ask(do="shuffle", game="nim")["text"]


def test_a_puzzle_of_ones_own_is_shuffled_where_a_way_leads_back():
    class Slope(Puzzle):
        """Up or down a stair of ten; from the fifth step one may fall into a pit."""

        compiles = False

        def initial(self):
            return 3

        def actions(self, state):
            yield from (1, 2, 3) if state == 5 else (1, 2) if 0 < state < 10 else (1,)

        def result(self, state, action):
            return (0, min(state + 1, 10), max(state - 1, 1), 0)[action] if state else 0

        def is_goal(self, state):
            return state == 10

        def key(self, state):
            return state

    found = {Slope().shuffled(number) for number in range(40)}
    assert len(found) > 3 and not found & {0, 10}


def test_a_search_on_a_grid_is_watched(client):
    header = client.ask(do="trace", game="grid-map", start="S..#/..#./...G", algorithm="a-star")["record"]
    assert len(header["board"]["cells"]) == 12
    assert header["fact_names"] == ["f", "g", "h"] and {"open", "close", "path"} <= set(header["kinds"])


def test_a_search_on_the_8_puzzle_is_watched(client):
    question = {"game": "sliding-tiles:goal=spiral", "start": "2 8 3 1 6 4 7 0 5"}
    header = client.ask(do="trace", **question, algorithm="a-star")["record"]
    assert header["value"] == 5 and header["line"] == ["6", "8", "2", "1", "8"] and header["board"] is None
    header = client.ask(do="trace", **question, algorithm="a-star", options={"heuristic": "misplaced"})[
        "record"
    ]
    assert header["value"] == 5


def test_clients_name_no_files_and_no_large_tables(client):
    for game in ("grid-map:map=/etc/hostname", "sliding-tiles:patterns=1-2", "grid-map: map=x"):
        answer = client.ask(do="view", game=game)
        assert answer["is"] == "error" and "not for clients" in answer["text"]


def test_clients_name_evaluations_that_come_with_gambito_and_no_files(client):
    for game in ("tic-tac-toe:evaluation=lines", "checkers:evaluation=shannon", "chess:evaluation=usual"):
        assert client.ask(do="view", game=game)["is"] != "error"
    for game in ("chess:evaluation=/etc/hostname", "chess: evaluation=hand.eval", "nim:evaluation=hand"):
        answer = client.ask(do="view", game=game)
        assert answer["is"] == "error" and "not for clients" in answer["text"]


def test_positions_of_a_puzzle_are_not_valued(client):
    for what in ("analyse", "review"):
        answer = client.ask(do=what, game="pancakes")
        assert answer["is"] == "error" and "is a puzzle" in answer["text"]
