"""What the server answers, over a real connection."""

import json
import time
from types import SimpleNamespace

import pytest

import gambito
from gambito.players.running_game import RunningGame
from gambito.search.limits import Stop
from gambito.web.answers import Answers, _valued
from gambito.web.catalogue import Catalogue
from gambito.web.pool import Job, Pool, WorkerSlot
from gambito.web.server_limits import ServerLimits
from tests.support import on_the_clock
from tests.web.conftest import OWN, Client


def test_hello_tells_all_games_and_algorithms(client):
    told = client.ask(do="hello")
    games = {game["name"]: game for game in told["games"]}
    assert {"connect-four", "othello", "tree", "dice-race", "take-away"} <= set(games)
    assert games["take-away"]["own"] and not games["othello"]["own"]
    assert "mcts" in games["dice-race"]["algorithms"] and "engine" not in games["dice-race"]["algorithms"]
    assert {"engine", "minimax"} <= {algorithm["name"] for algorithm in told["algorithms"]}
    assert len(told["levels"]) == 8 and told["most"]["seconds"] > 0


def test_hello_in_spanish(client):
    told = client.ask(do="hello", lang="es")
    summary = next(a["summary"] for a in told["algorithms"] if a["name"] == "minimax")
    assert summary == "el árbol entero: MAX toma el valor más alto, MIN el más bajo"


def test_a_game_is_seen_with_its_board_and_what_can_be_touched(client):
    seen = client.ask(do="view", game="connect-four", moves=["4", "4"])
    assert len(seen["board"]["cells"]) == 42 and seen["player"] == 0 and seen["ply"] == 2
    assert [(piece["cell"], piece["side"]) for piece in seen["pieces"]] == [(31, 1), (38, 0)]
    four = next(action for action in seen["actions"] if action["move"] == "4")
    assert four["touch"][0][0] == 24 and sorted(four["touch"][0]) == [3, 10, 17, 24, 31, 38]
    assert [one["move"] for one in seen["played"]] == ["4", "4"]


def test_a_game_from_a_position_to_its_end(client):
    seen = client.ask(do="view", game="tic-tac-toe", start="XX./OO./...", moves=["3"], lang="es")
    assert seen["over"] and seen["verdict"] == "gana X: una línea de 3" and seen["actions"] == []


def test_parameters_are_data(client):
    assert client.ask(do="view", game="connect-four:width=4,height=4")["board"]["width"] == 4
    assert client.ask(do="view", game="take-away:heap=3")["board"] is None


@pytest.mark.parametrize(
    "game", ["../rules.py:Game", "games.py:DiceRace", "os", "connect-four:width=zero", ""]
)
def test_only_games_of_the_house_are_loaded(client, game):
    assert client.ask(do="view", game=game)["is"] == "error"


def test_chance_is_drawn_by_the_server(client):
    throws = {client.ask(do="chance", game="dice-race")["move"] for _ in range(30)}
    assert throws == {"1", "2", "3"}
    thrown = client.ask(do="view", game="dice-race", moves=["3"])
    assert thrown["player"] == 0 and {"move": "go", "touch": [[0], [3]]} in thrown["actions"]
    assert "'7' cannot come up" in client.ask(do="view", game="dice-race", moves=["7"])["text"]
    assert client.ask(do="chance", game="tic-tac-toe")["is"] == "error"


def test_a_wrong_move_is_told_in_the_clients_language(client):
    asked = {"do": "view", "game": "tic-tac-toe", "moves": ["1", "1"]}
    assert client.ask(**asked)["text"].startswith("move 2: '1' is not a move here; accepted: 2, 3")
    assert client.ask(**asked, lang="es")["text"].startswith(
        "jugada 2: '1' no es una jugada aquí; se acepta: 2"
    )


@pytest.mark.parametrize(
    "player",
    [
        {"level": 1},
        {"level": 8, "seconds": 0.2},
        {"name": "random"},
        {"name": "greedy"},
        {"algorithm": "alpha-beta", "depth": 4},
        {"algorithm": "engine", "seconds": 0.1, "options": {"memory": 1}},
        {},
    ],
)
def test_every_kind_of_player_moves(client, player):
    chosen = client.ask(do="go", game="tic-tac-toe", moves=["5"], player=player)
    assert chosen["is"] == "done" and chosen["move"] in "12346789"


def test_a_search_streams_and_can_be_stopped(server):
    client = Client(server)
    client.ask(do="go", game="connect-four", player={"seconds": 0.01})
    asked = client.send(do="go", game="connect-four", player={"seconds": 30})
    while client.hear().get("depth", 0) < 4:
        pass
    client.send(do="stop", stop=asked)
    while (heard := client.hear(5))["id"] != asked or heard["is"] == "info":
        pass
    assert heard["is"] == "done" and heard["move"] and heard["found"]["seconds"] < 10
    client.close()


def test_news_come_at_most_twenty_times_a_second(client):
    client.ask(do="go", game="connect-four", player={"seconds": 0.01})
    news = client.ask(do="go", game="connect-four", player={"seconds": 1})["news"]
    assert 3 <= len(news) <= 22
    assert news[-1]["nodes"] > 1000 and news[-1]["line"]


def test_a_clock_is_kept(client):
    asked = {"do": "go", "game": "connect-four", "player": {}}
    client.ask(**asked, clock={"left": 5.0})
    found = client.ask(**asked, clock={"left": 2.0, "increment": 0.0})["found"]
    assert found["seconds"] < 1.0


def test_candidates(client):
    told = client.ask(do="analyse", game="tic-tac-toe", start="XX./OO./...", seconds=1)
    best = told["candidates"][0]
    assert best["move"] == "3" and best["value"] == 1 and best["exact"] and best["ends_in"] == 1
    assert best["expectation"] > 0.9 and best["touch"] == [[2]]
    assert {one["move"] for one in told["candidates"]} == set("36789")


def test_a_review_marks_what_was_lost(client):
    told = client.ask(do="review", game="tic-tac-toe", moves=list("512346"), seconds=0.2)
    assert [one["ply"] for one in told["news"] if "ply" in one] == list(range(7))
    marks = [one.get("mark") for one in told["plies"]]
    assert "??" in marks and told["plies"][0]["value"] == 0


# A queen against a king that goes to and fro: Qa5 brings a position a third time.
SHUFFLED = {
    "game": "chess",
    "start": "1k6/8/8/8/q7/8/8/7K b - - 0 1",
    "moves": ["Qa5", "Kh2", "Qa6", "Kh1", "Qa5", "Kh2", "Qa6", "Kh1"],
}


def test_the_moves_before_count_in_an_analysis_and_for_a_level(client):
    told = client.ask(do="analyse", **SHUFFLED, depth=1)
    values = {one["move"]: one["value"] for one in told["candidates"]}
    assert values["Qa5"] == 0 and values["Qa4"] > 0
    played = client.ask(do="go", **SHUFFLED, player={"level": 1})
    assert played["is"] == "done" and played["found"]["move"] != "Qa5"


def test_a_review_of_a_game_for_three(client):
    """The second player lets the third win; the loss is its own, not the first player's turned around."""
    moves = ["1", "9", "5", "2", "16", "6", "11", "8", "7"]
    told = client.ask(do="review", game="tic-tac-toe-3", moves=moves, seconds=0.3)
    assert told["algorithm"] == "max-n"
    assert told["plies"][-1]["value"] == -100 and told["plies"][-1]["shares"][2] > 0.9
    marks = [ply.get("mark", "") for ply in told["plies"]]
    assert marks[7] == "??" and told["plies"][7]["loss"] > 0.2 and marks[8] == ""


def test_a_review_of_a_game_that_both_may_win(client):
    told = client.ask(do="review", game="prisoners-dilemma", moves=["silent", "talk"], seconds=0.2)
    losses = [round(ply["loss"], 3) for ply in told["plies"][:2]]
    assert losses[0] > 0 and losses[1] == 0
    view = client.ask(do="view", game="prisoners-dilemma")
    assert not view["opposed"] and client.ask(do="view", game="tic-tac-toe")["opposed"]


def test_the_moves_before_count_in_a_review():
    game = gambito.load("chess")
    match = RunningGame(game, game.parse(SHUFFLED["start"]))
    for word in [*SHUFFLED["moves"], "Qa5"]:
        match.play(game.read(match.state, word))
    given = {"past_states": match.states[:-1], "gear": "python"}
    repeated = _valued(game, match.state, "alpha-beta", 0.1, given)
    assert repeated["value"] == 0 and repeated["best"] is None
    assert _valued(game, match.state, "alpha-beta", 0.1, {**given, "past_states": []})["value"] < 0


def test_nodes_and_threads_of_an_analysis_are_used_or_refused(client):
    asked = {"do": "analyse", "game": "connect-four", "algorithm": "alpha-beta"}
    told = client.ask(**asked, nodes=5000, seconds=30)
    assert 0 < told["nodes"] <= 5000
    assert client.ask(**asked, threads=2)["text"] == "alpha-beta runs on one thread, not on 2"
    told = client.ask(do="analyse", game="tic-tac-toe", algorithm="mcts", nodes=400)
    assert told["nodes"] == 400
    told = client.ask(do="analyse", game="tic-tac-toe", algorithm="mcts", nodes=400, threads=2)
    assert 400 <= told["nodes"] < 402


@pytest.mark.parametrize(
    ("player", "said"),
    [
        ({"level": 2, "nodes": 10}, "'level:2' takes no nodes; accepted: none"),
        ({"level": 8, "depth": 3}, "'level:8' takes no depth; accepted: seconds, nodes, threads"),
        ({"name": "greedy", "threads": 2}, "'greedy' takes no threads; accepted: name"),
        ({"algorithm": "alpha-beta", "threads": 2}, "alpha-beta runs on one thread, not on 2"),
    ],
)
def test_what_a_player_does_not_use_is_refused(client, player, said):
    assert client.ask(do="go", game="tic-tac-toe", player=player)["text"] == said


@pytest.mark.parametrize(
    ("player", "said"),
    [
        ({"level": 99}, "level must be a whole number from 1 to 8"),
        ({"algorithm": "engine", "seconds": "soon"}, "seconds must be a number from"),
        ({"algorithm": "engine", "options": {"nothing": 1}}, "engine has no option 'nothing'"),
        ({"algorithm": "a-star"}, "a-star is for puzzles"),
        ({"name": "nobody"}, "unknown player 'nobody'"),
    ],
)
def test_a_player_is_checked_before_a_game(client, player, said):
    assert said in client.ask(do="check", game="tic-tac-toe", player=player)["text"]
    assert client.ask(do="check", game="tic-tac-toe", player={"level": 8})["is"] == "done"


@pytest.mark.parametrize(
    ("game", "moves", "player"),
    [("dice-race", ["2"], {"level": 3}), ("sliding-tiles", [], {"algorithm": "a-star"})],
)
def test_a_search_that_is_stopped_at_once_gives_a_move(game, moves, player):
    stop = gambito.Stop()
    stop.set()
    question = {"do": "go", "game": game, "moves": moves, "player": player}
    answer, _ = Answers(ServerLimits(own=OWN[:1])).answer(question, lambda news: None, stop)
    assert answer["move"] is not None


def test_nodes_of_the_highest_level_are_used(client):
    found = client.ask(do="go", game="tic-tac-toe", player={"level": 8, "nodes": 50})["found"]
    assert found["nodes"] <= 50


def test_save_and_load(client):
    saved = client.ask(do="save", game="othello", moves=["f5", "d6"])["text"]
    assert saved == "f5d6"
    assert client.ask(do="load", game="othello", text=saved)["moves"] == ["f5", "d6"]
    saved = client.ask(do="save", game="nim", start="1 2", moves=["2->0"])["text"]
    assert client.ask(do="load", game="nim", text=saved) | {"news": 0, "id": 0} == {
        "is": "done", "id": 0, "start": "1 2", "moves": ["2->0"], "news": 0,
    }  # fmt: skip
    assert "move 2:" in client.ask(do="load", game="tic-tac-toe", text="1 1")["text"]


def test_a_record_says_its_board_its_players_and_its_format(client):
    sgf = "(;SZ[5]KM[0.5]PB[Ann];B[cc])"
    loaded = client.ask(do="load", game="go:size=9", text=sgf)
    assert (loaded["game"], loaded["moves"], loaded["headers"]) == (
        "go:size=5,komi=0.5",
        ["C3"],
        {"PB": "Ann"},
    )
    asked = {"game": loaded["game"], "moves": loaded["moves"], "headers": loaded["headers"]}
    saved = client.ask(do="save", **asked)
    assert saved["ending"] == "sgf" and "PB[Ann]" in saved["text"]
    pgn = '[White "A"]\n\n1. e4 e5 1-0\n\n[White "B"]\n\n1. d4 *\n'
    first, second, third = (client.ask(do="load", game="chess", text=pgn, number=n) for n in (1, 2, 3))
    assert (first["games"], first["moves"], first["headers"]["White"]) == (2, ["e4", "e5"], "A")
    assert second["moves"] == ["d4"] and "no game 3" in third["text"]
    assert "headers must be an object" in client.ask(do="save", game="nim", headers={"a": 3})["text"]
    assert client.ask(do="load", game="connect-four", text="4455")["moves"] == ["4", "4", "5", "5"]


def test_edit_a_leaf(client):
    edited = client.ask(do="edit", game="tree", start="[[3,12],[2,4]]", path=["b", "a"], value=9)
    assert json.loads(edited["start"]) == [[3, 12], [9, 4]]
    assert "only the value of a leaf" in client.ask(do="edit", game="tree", path=["b"], value=9)["text"]
    assert "cannot be edited" in client.ask(do="edit", game="nim", path=["b"], value=9)["text"]


def test_a_trace_comes_with_its_arrays(client):
    told = client.ask(do="trace", game="tree", algorithm="alpha-beta")
    assert told["record"]["value"] == 3
    plain = {"algorithm": "minimax", "nodes": 13, "evaluations": 9, "value": 3}
    assert client.ask(do="plain", game="tree", depth=told["record"]["depth"])["plain"] == plain
    assert isinstance(told["body"], bytes) and int.from_bytes(told["body"][:4], "little") == told["id"]


def test_what_does_not_fit_is_told(client):
    asked = {"do": "go", "game": "dice-race", "moves": ["2"], "player": {"algorithm": "minimax"}}
    assert (
        client.ask(**asked)["text"] == "minimax is for games without chance, and dice-race has dice or cards"
    )
    assert "es para juegos sin azar" in client.ask(**asked, lang="es")["text"]
    asked = {"do": "go", "game": "nim", "player": {"algorithm": "engine", "options": {"nothing": 1}}}
    assert client.ask(**asked)["text"].startswith("engine has no option 'nothing'")
    asked = {"do": "go", "game": "nim", "player": {"algorithm": "engine", "options": {"gear": "python"}}}
    assert client.ask(**asked)["is"] == "error"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"threads": 256}, "engine has no option 'threads'"),
        ({"seconds": 1e9}, "engine has no option 'seconds'"),
        ({"probcut_model": "secret.json"}, "the option probcut_model is not for clients"),
        ({"live": True}, "the option live is not for clients"),
    ],
)
def test_options_lift_no_limit_and_name_no_file(client, options, said):
    for asked in (
        {"do": "go", "player": {"algorithm": "engine", "options": options}},
        {"do": "analyse", "options": options},
    ):
        assert client.ask(game="tic-tac-toe", **asked)["text"].startswith(said)


@on_the_clock
def test_a_large_flat_tree_is_seen_quickly():
    """The cost of a view grows with the tree, not with its square."""
    answers, leaves = Answers(ServerLimits()), list(range(10_001))
    began = time.perf_counter()
    seen, _ = answers.answer({"do": "view", "game": "tree", "start": str(leaves)}, lambda *news: None, Stop())
    assert len(seen["actions"]) == 10_001 and time.perf_counter() - began < 3
    assert [action["touch"] for action in seen["actions"][:3]] == [[[1]], [[2]], [[3]]]


def test_the_cells_of_a_tree_after_a_move():
    game = gambito.load("tree")
    state = game.parse("[[3,[1,2]],[4,5]]")
    board = game.at(state).picture()
    inner = state.moves[0]
    names = [[board.cells[c].name for c in game.at(state).touch(s, 1)] for s in (state, inner)]
    assert names == [["b"], ["a b"]]
    assert game.at(inner).touch(inner, 1) == (2,)


def test_a_long_game_costs_no_more_than_a_short_one(monkeypatch):
    """Only the new moves of a game are read and described, also after a move was taken back."""
    answers, game = Answers(ServerLimits()), gambito.load("chess")
    moves = ["Nf3", "Nf6", "Ng1", "Ng8"] * 25
    read, written = [], []
    kind = type(game)
    reads, touches, keys = kind.read, kind.touch, kind.key
    monkeypatch.setattr(kind, "read", lambda self, *given: read.append(1) or reads(self, *given))
    monkeypatch.setattr(kind, "touch", lambda self, *given: written.append(1) or touches(self, *given))
    counted = []
    monkeypatch.setattr(kind, "key", lambda self, state: counted.append(1) or keys(self, state))

    def view(played):
        for calls in (read, written, counted):
            calls.clear()
        question = {"do": "view", "game": "chess", "moves": played}
        return answers.answer(question, lambda *news: None, Stop())[0]

    assert len(view(moves[:98])["played"]) == 98 and len(read) == 98
    assert view([*moves[:94], "e4"])["played"][-1]["move"] == "e4" and len(read) == 1
    assert len(view([*moves[:95], "Nc6", "e4"])["played"]) == 97 and len(read) == 2
    assert len(counted) <= 2 and len(written) <= 2 + 40  # and those of the moves that can be made now


def test_a_level_tells_about_the_move_that_it_plays():
    answers = Answers(ServerLimits())
    for _ in range(12):
        question = {"do": "go", "game": "tic-tac-toe", "player": {"level": 1}}
        answer, _ = answers.answer(question, lambda *news: None, Stop())
        assert answer["found"]["move"] == answer["move"] == answer["found"]["line"][0]


def test_compilation_does_not_count_as_thinking(monkeypatch):
    """A first compilation may take longer than a search: the search has its whole time after it."""
    answers, asked = Answers(ServerLimits(seconds=0.2)), []

    def slow(game, state, algorithm, *, stop, progress, **given):
        time.sleep(0.4)  # compiles
        progress(gambito.Progress(1, 0, 0.0, None))
        asked.append(stop.is_set())
        progress(gambito.Progress(1, 0, 0.3, None))
        asked.append(stop.is_set())
        return found

    found = gambito.search("tree")
    monkeypatch.setattr(gambito, "search", slow)
    question = {"do": "go", "game": "tree", "player": {"algorithm": "minimax", "depth": 2}}
    answers.answer(question, lambda *news: None, Stop())
    assert asked == [False, True]


def test_the_plain_search_of_a_game_with_dice():
    answers = Answers(ServerLimits())
    question = {"do": "plain", "game": "pig", "depth": 3}
    plain = answers.answer(question, lambda *news: None, Stop())[0]["plain"]
    assert plain["algorithm"] == "expectiminimax" and 10 < plain["nodes"] < 100


def test_what_an_analysis_can_use_is_told():
    algorithms = {a["name"]: a["analyses"] for a in Catalogue(ServerLimits()).as_dict()["algorithms"]}
    assert algorithms["engine"] and algorithms["mcts"]
    assert not algorithms["a-star"] and not algorithms["b-star"]


def test_a_compilation_does_not_use_up_the_share_of_a_client():
    """Another client waits: a search is stopped after its share, which begins when all is compiled."""
    pool, stopped = Pool(ServerLimits(share=3.0)), []
    job = Job("one", {"do": "go"}, lambda kind, content, body: None, began=100.0)
    worker = SimpleNamespace(stop=lambda: stopped.append(True), ask=lambda question: None)
    slot = WorkerSlot(worker, job)
    pool.searches.slots.append(slot)
    pool.searches.add(Job("other", {"do": "go"}, lambda kind, content, body: None))
    pool._check(pool.searches, slot, job, 150.0)
    assert not stopped
    pool._heard(pool.searches, slot, "info", {"phase": "searching"}, None)
    job.searching = 150.0
    pool._check(pool.searches, slot, job, 152.0)
    assert not stopped
    pool._check(pool.searches, slot, job, 154.0)
    assert stopped == [True]


@pytest.mark.parametrize(
    "question",
    [
        {"do": "go", "game": "connect-four", "player": {"algorithm": "alpha-beta", "seconds": 0.3}},
        {"do": "go", "player": {"level": 2}},
        {"do": "analyse", "algorithm": "alpha-beta", "depth": 2},
        {"do": "review", "algorithm": "alpha-beta", "seconds": 0.02},
        {"do": "trace", "algorithm": "alpha-beta", "depth": 2},
    ],
)
def test_every_search_says_when_its_time_begins(question):
    news = []
    Answers(ServerLimits()).answer({"game": "tic-tac-toe", "moves": ["5"], **question}, news.append, Stop())
    assert {"phase": "searching"} in news


def test_about_a_game_with_parameters(client):
    """Players and algorithms depend on the parameters; their defaults do not."""
    two, six = (client.ask(do="about", game=f"chinese-checkers:players={n}") for n in (2, 6))
    assert (two["players"], six["players"]) == (2, 6)
    assert "engine" in two["algorithms"] and "best-reply" not in two["algorithms"]
    assert "best-reply" in six["algorithms"] and "engine" not in six["algorithms"]
    assert two["name"] == "chinese-checkers" and {p["default"] for p in two["parameters"]} == {3}
    assert client.ask(do="about", game="chinese-checkers:players=5")["is"] == "error"


def test_what_each_evaluation_says(client):
    told = client.ask(do="opinions", game="othello", moves=["f5"])
    assert told["names"] == ["learned", "hand"]
    assert len(told["values"]) == 2
    first = [one["values"][0] for one in told["moves"]]
    assert first == sorted(first, reverse=True)
    assert {one["move"] for one in told["moves"]} == {"d6", "f4", "f6"}
    assert "no evaluations" in client.ask(do="opinions", game="nim")["text"]


def test_a_threat_is_what_the_opponent_plays_after_a_pass(client):
    """White threatens mate on f7."""
    moves = ["e4", "e5", "Qh5", "Nc6", "Bc4"]
    told = client.ask(do="threat", game="chess", moves=moves, seconds=0.5)
    assert told["candidates"][0]["move"] == "Qxf7#" and len(told["candidates"]) == 1
    mated = client.ask(do="threat", game="chess", moves=["e4", "f6", "d4", "g5", "Qh5#"])
    assert "no pass here" in mated["text"]
    assert "no pass here" in client.ask(do="threat", game="connect-four", moves=["4"])["text"]
    in_check = client.ask(do="threat", game="chess", moves=["e4", "e5", "Qh5", "Nc6", "Qxf7+"])
    assert "must be answered" in in_check["text"]


def test_who_will_own_the_board(client):
    told = client.ask(do="owners", game="go:size=5", start=".X.O./.X.O./.X.O./.X.O./.X.O. X", seconds=0.2)
    assert len(told["cells"]) == 25 and told["cells"][1] > 0.3 and told["playouts"] >= 1
    assert "nobody owns" in client.ask(do="owners", game="chess")["text"]
