"""Two people on two pages: the server keeps their game, and tells each seat when it goes on."""

from __future__ import annotations

import pytest

from tests.support import wait_until
from tests.web.conftest import Client

GAME = "tic-tac-toe"


@pytest.fixture
def other(server):
    one = Client(server)
    yield one
    one.close()


def begin(client, game=GAME, **given):
    told = client.ask(do="begin", game=game, players=[None, None], **given)
    assert told["is"] == "done", told
    return (*told["keys"], told["watch"])


def answer_to(client, number):
    """The answer to a question that was sent before."""
    while True:
        heard = client.hear()
        if heard["id"] == number and heard["is"] != "info":
            return heard


def test_a_move_wakes_the_others(client, other):
    first, second, monitor = begin(client)
    waiting = other.send(do="seat_wait", key=second, ply=0)
    assert other.ask(do="seat_view", key=second)["actions"] == []
    assert len(client.ask(do="seat_view", key=first)["actions"]) == 9
    assert client.ask(do="seat_move", key=first, ply=0, move="5")["is"] == "done"
    assert answer_to(other, waiting)["is"] == "done"
    view = other.ask(do="seat_view", key=second)
    assert [each["move"] for each in view["played"]] == ["5"] and len(view["actions"]) == 8
    assert client.ask(do="seat_view", key=monitor)["actions"] == []
    assert client.ask(do="seat_wait", key=first, ply=0)["is"] == "done"  # it has gone on already


def test_nobody_moves_out_of_turn_or_from_another_seat(client):
    first, second, monitor = begin(client)
    for key in (second, monitor):
        assert "not your turn" in client.ask(do="seat_move", key=key, ply=0, move="5")["text"]
    assert client.ask(do="seat_move", key=first, ply=0, move="5")["is"] == "done"
    assert "not your turn" in client.ask(do="seat_move", key=second, ply=0, move="1")["text"]
    for what in ("seat_hint", "seat_analyse"):
        assert "until the game is over" in client.ask(do=what, key=second)["text"]


def test_a_whole_game_from_a_position(client, other):
    first, second, _ = begin(client, "connect-four", start="4455")
    keys = {0: (client, first), 1: (other, second)}
    moves = iter("6171")
    while not (view := client.ask(do="seat_view", key=first)).get("finished"):
        who, key = keys[view["player"]]
        assert who.ask(do="seat_move", key=key, ply=view["ply"], move=next(moves, "7"))["is"] == "done"
    assert view["start"] == "4455" and view["over"] and view["moves"][0] == "6"
    assert other.ask(do="seat_wait", key=second, ply=99)["is"] == "done"


def test_what_a_seat_does_not_see_wakes_nobody(client, other):
    """A refused try of the one is not noticed by the other, who goes on waiting."""
    first, second, _ = begin(client, "phantom-tic-tac-toe")
    assert client.ask(do="seat_move", key=first, ply=0, move="5")["is"] == "done"
    ply = other.ask(do="seat_view", key=second)["ply"]
    mine = client.ask(do="seat_view", key=first)["ply"]
    waiting = client.send(do="seat_wait", key=first, ply=mine)
    assert other.ask(do="seat_move", key=second, ply=ply, move="5")["is"] == "done"  # refused by the rules
    assert client.ask(do="seat_view", key=first)["ply"] == mine  # and nothing of it is seen
    client.send(do="stop", stop=waiting)
    assert answer_to(client, waiting)["is"] == "done"


def test_dice_are_thrown_once(client, other):
    first, second, _ = begin(client, "dice-race")
    for who, key in ((client, first), (other, second)):
        assert who.ask(do="seat_go", key=key)["is"] == "done"
    assert client.ask(do="seat_view", key=first)["ply"] == other.ask(do="seat_view", key=second)["ply"]


def test_waits_are_few_and_end_with_the_page(server, client):
    first, second, _ = begin(client)
    page = Client(server)
    for _ in range(8):
        page.send(do="seat_wait", key=second, ply=0)
    assert "at most 8 questions" in page.ask(do="seat_view", key=second)["text"]
    page.close()
    assert client.ask(do="seat_move", key=first, ply=0, move="5")["is"] == "done"
    assert client.ask(do="seat_view", key=second)["ply"] == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"key": "nothing", "ply": 0}, "no longer on the server"),
        ({"key": "x"}, "the field ply is missing"),
        ({"key": 3, "ply": 0}, "key must be a text"),
        ({"key": "x" * 41, "ply": 0}, "key must be a text"),
    ],
)
def test_bad_waits_are_refused(client, given, said):
    assert said in client.ask(do="seat_wait", **given)["text"]


def test_a_bad_position_begins_nothing(client):
    told = client.ask(do="begin", game=GAME, players=[None, None], start="nonsense")
    assert told["is"] == "error" and "keys" not in told


def test_the_server_keeps_the_clocks(client, other):
    first, second, monitor = begin(client, clock={"left": 60, "increment": 2})
    assert client.ask(do="seat_view", key=monitor)["clock"] == {"left": [60, 60], "increment": 2, "side": -1}
    client.ask(do="seat_move", key=first, ply=0, move="5")
    told = other.ask(do="seat_view", key=second)["clock"]
    assert told["side"] == 1 and told["left"][0] == 60 and 59 < told["left"][1] <= 60
    other.ask(do="seat_move", key=second, ply=1, move="1")
    told = client.ask(do="seat_view", key=first)["clock"]
    assert told["side"] == 0 and 61 < told["left"][1] <= 62  # two seconds for the move


def test_no_move_is_taken_when_the_time_is_up(client):
    first, second, _ = begin(client, clock={"left": 0.2})
    client.ask(do="seat_move", key=first, ply=0, move="5")
    wait_until(lambda: client.ask(do="seat_view", key=second)["clock"]["left"][1] == 0)
    assert "time of a player is up" in client.ask(do="seat_move", key=second, ply=1, move="1")["text"]
    assert len(client.ask(do="seat_view", key=first)["played"]) == 1


def test_a_game_that_hides_something_has_no_clock(client):
    told = client.ask(do="begin", game="kuhn-poker", players=[None, None], clock={"left": 60})
    assert "a clock would tell" in told["text"]
    assert "clock" not in client.ask(do="seat_view", key=begin(client)[0])
