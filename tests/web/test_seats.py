"""Games that hide something: a seat is sent what it sees and nothing else, whatever a client tries."""

from __future__ import annotations

import itertools
import json
import re
import time

import pytest

from gambito.errors import QuestionError
from gambito.web.game_store import HOUR, GameStore
from gambito.web.server_limits import ServerLimits
from tests.web.conftest import OWN, Client, serving

GAME = "high-card"
RANDOM = {"name": "random"}
CARD = re.compile(r"\b774[1-9]\b")  # no other number of these answers looks like a card


@pytest.fixture
def heard(monkeypatch):
    """Every message that the server sends to these clients, as text."""
    messages: list[str] = []
    listen = Client.hear

    def hear(self, *given):
        told = listen(self, *given)
        messages.append(json.dumps({k: v for k, v in told.items() if k != "id"}))
        return told

    monkeypatch.setattr(Client, "hear", hear)
    return messages


def begin(client, *players, game=GAME):
    told = client.ask(do="begin", game=game, players=list(players))
    assert told["is"] == "done", told
    return told["keys"], told["watch"]


def view(client, key, **given):
    return client.ask(do="seat_view", key=key, **given)


def go(client, key):
    return client.ask(do="seat_go", key=key)


def move(client, key, name):
    return client.ask(do="seat_move", key=key, ply=view(client, key)["ply"], move=name)


def deal(client, key):
    while view(client, key)["player"] == -1:
        assert go(client, key)["is"] == "done"


def cards(view):
    return [piece["text"] for piece in view["pieces"]]


# ---- what a seat sees --------------------------------------------------------------------------------
def test_each_seat_sees_its_own_card(client):
    (ann, bob), monitor = begin(client, None, None)
    deal(client, ann)
    mine, yours, nobody = (view(client, key) for key in (ann, bob, monitor))
    assert cards(mine)[1] == cards(yours)[0] == "?" and "?" not in (cards(mine)[0], cards(yours)[1])
    assert cards(nobody) == ["?", "?"]
    assert cards(mine)[0] in mine["text"] and cards(mine)[0] not in yours["text"] + nobody["show"]
    assert [each["move"] for each in mine["actions"]] == ["stay", "raise", "knock"]
    assert yours["actions"] == nobody["actions"] == []
    assert (mine["seat"], yours["seat"], nobody["seat"]) == (0, 1, -1)


def test_no_message_holds_the_card_of_another_seat_until_the_game_is_over(client, heard):
    """The seat of a person plays against the computer, and asks for all that it can ask for."""
    for number in range(8):
        (ann, bob), monitor = begin(client, None, RANDOM) if number % 2 else begin(client, RANDOM, None)
        key = ann or bob
        heard.clear()
        deal(client, key)
        while True:
            told = view(client, key)
            view(client, monitor)
            view(client, key, ply=0)
            client.ask(do="save", game=GAME)
            if told["over"]:
                break
            if told["player"] == told["seat"]:
                client.ask(do="seat_move", key=key, ply=99, move="stay")
                client.ask(do="seat_move", key=key, ply=told["ply"], move="cheat")
                if number == 0:
                    client.ask(do="seat_hint", key=key)
                is_first = len(told["played"]) == 2
                move(client, key, "knock" if told["seat"] == 0 and is_first else "raise")
            else:
                go(client, key)
        before = [said for said in heard if '"finished": true' not in said]
        own, other = cards(told) if ann else cards(told)[::-1]
        assert any(own in CARD.findall(said) for said in before)
        assert not any(other in CARD.findall(said) for said in before)


def test_a_spectator_sees_what_everybody_sees(client, heard):
    _, monitor = begin(client, RANDOM, RANDOM)
    while not (told := view(client, monitor))["over"]:
        assert cards(told) == ["?", "?"]
        assert not any(CARD.search(said) for said in heard)
        assert go(client, monitor)["is"] == "done"
    assert "?" not in cards(told)


def test_a_finished_game_shows_all(client):
    (ann, bob), monitor = begin(client, None, None)
    deal(client, ann)
    mine = cards(view(client, ann))[0]
    yours = cards(view(client, bob))[1]
    move(client, ann, "raise")
    move(client, bob, "stay")
    for key in (ann, bob, monitor):
        told = view(client, key)
        assert told["over"] and told["finished"] and cards(told) == [mine, yours]
        assert told["moves"] == [mine, yours, "raise", "stay"]
        assert cards(view(client, key, ply=2)) == [mine, yours]
    record = client.ask(do="save", game=GAME, moves=told["moves"])["text"]
    assert record == f"{mine} {yours} raise stay"


def test_moves_of_others_are_told_as_far_as_they_are_seen(client):
    (ann, bob), monitor = begin(client, None, None)
    deal(client, ann)
    mine = cards(view(client, ann))[0]
    assert [each["move"] for each in view(client, ann)["played"]] == [mine, None]
    before = view(client, bob)
    move(client, ann, "knock")
    assert [each["move"] for each in view(client, ann)["played"]] == [mine, None, "knock"]
    after = view(client, bob)
    assert {**after, "id": 0} == {
        **before,
        "id": 0,
    }  # nobody else notices a knock, not even that time went on
    move(client, ann, "raise")
    assert [each["move"] for each in view(client, bob)["played"]][-1] == "raise"
    assert [each["move"] for each in view(client, monitor)["played"]][-1] == "raise"
    assert view(client, bob)["ply"] < view(client, ann)["ply"]


def test_the_computer_plays_on_until_something_is_noticed(client):
    """Ann knocks up to three times, which Bob cannot tell from the number of the answers."""
    for _ in range(12):
        (_, bob), _ = begin(client, RANDOM, None)
        deal(client, bob)
        if view(client, bob)["player"] == 0:
            go(client, bob)
        told = view(client, bob)
        assert told["player"] == 1 and told["played"][-1]["move"] in ("stay", "raise")


# ---- what a client may try ---------------------------------------------------------------------------
def test_a_seat_moves_in_its_turn_only(client):
    (ann, bob), monitor = begin(client, None, None)
    deal(client, ann)
    for key in (bob, monitor):
        refused = client.ask(do="seat_move", key=key, ply=view(client, key)["ply"], move="stay")
        assert refused["text"] == "it is not your turn"
        assert client.ask(do="seat_hint", key=key)["text"] == "it is not your turn"
    refused = move(client, ann, "fold")
    assert refused["text"] == "'fold' is not a move here; accepted: stay, raise, knock"
    assert go(client, ann)["is"] == "done" and view(client, ann)["player"] == 0  # a person decides


def test_a_game_cannot_go_back(client):
    (ann, _), _ = begin(client, None, RANDOM)
    deal(client, ann)
    ply = view(client, ann)["ply"]
    assert client.ask(do="seat_move", key=ann, ply=ply, move="stay")["is"] == "done"
    again = client.ask(do="seat_move", key=ann, ply=ply, move="raise")
    assert again["text"] == "it is not your turn"


def test_two_moves_at_once_are_one_move(server):
    one = Client(server)
    try:
        (ann, _), _ = begin(one, None, RANDOM)
        deal(one, ann)
        ply = view(one, ann)["ply"]
        asked = [one.send(do="seat_move", key=ann, ply=ply, move=name) for name in ("stay", "raise", "stay")]
        told = [one.hear() for _ in asked]
        assert sorted(each["is"] for each in told) == ["done", "error", "error"]
        assert len(view(one, ann)["played"]) == ply + 1
    finally:
        one.close()


@pytest.mark.parametrize("key", ["", "x", "0" * 22, "../../etc", "é" * 10])
def test_a_key_that_is_none_is_told(client, key):
    told = client.ask(do="seat_view", key=key)
    assert told["is"] == "error" and told["text"].startswith("this game is no longer on the server")
    spanish = client.ask(do="seat_view", key=key, lang="es")
    assert spanish["text"].startswith("esta partida ya no está en el servidor")


@pytest.mark.parametrize("field", [{"table": {}}, {"seat": 1}, {"moves": []}, {"game": GAME}])
def test_a_client_cannot_say_what_the_server_knows(client, field):
    (ann, _), _ = begin(client, None, RANDOM)
    told = client.ask(do="seat_view", key=ann, **field)
    assert told["is"] == "error" and "there is no field" in told["text"]


def test_keys_differ_and_computers_have_none(client):
    seen = set()
    for _ in range(5):
        (ann, bob), monitor = begin(client, None, RANDOM)
        assert bob is None and len(ann) == len(monitor) == 22
        seen |= {ann, monitor}
    assert len(seen) == 10


@pytest.mark.parametrize(
    ("game", "players", "said"),
    [
        ("tic-tac-toe", [None, RANDOM], "tic-tac-toe hides nothing: a page keeps such a game itself"),
        (GAME, [None], "high-card has 2 players, not 1"),
        (GAME, [None, {"name": "greedy"}], "greedy needs the whole state, and high-card hides a part of it"),
        (GAME, [None, {"algorithm": "alpha-beta"}], "alpha-beta is for games without chance"),
        (GAME, [None] * 20, "players must be a list of at most 16 values"),
    ],
)
def test_a_game_that_cannot_begin_is_told(client, game, players, said):
    told = client.ask(do="begin", game=game, players=players)
    assert told["is"] == "error" and said in told["text"]


def test_rules_that_fail_tell_nothing(client):
    (ann, _), _ = begin(client, None, None, game="loose-lips")
    told = go(client, ann)
    assert told["is"] == "error"
    assert told["text"] == "the rules raise ValueError in this game; GAMBITO_DEBUG=1 shows where"


@pytest.mark.slow
def test_a_restart_ends_a_game_in_one_sentence():
    with serving(*OWN) as (address, _):
        one = Client(address)
        (ann, _), _ = begin(one, None, None)
        one.close()
    with serving(*OWN) as (address, _):
        other = Client(address)
        assert view(other, ann)["text"].startswith("this game is no longer on the server")
        other.close()


# ---- how long games are kept -------------------------------------------------------------------------
def kept(tables, key):
    try:
        tables.find(key)
    except QuestionError:
        return False
    return True


def test_old_games_make_room():
    tables = GameStore(ServerLimits(tables=3, own_tables=2))
    keys = [tables.begin(owner, GAME, [None, None])["keys"][0] for owner in "aabb"]
    assert [kept(tables, key) for key in keys] == [False, True, True, True]
    tables.find(keys[1])  # used again
    keys.append(tables.begin("c", GAME, [None, None])["keys"][0])
    assert [kept(tables, key) for key in keys] == [False, True, False, True, True]
    keys += [tables.begin("c", GAME, [None, None])["keys"][0] for _ in range(2)]
    assert sum(kept(tables, key) for key in keys) == len(tables.tables) == 3
    assert len(tables.seats) == 9


def test_nobody_loses_a_game_to_somebody_who_begins_many():
    """From the same address as well as from another one: of whoever has most, a game goes."""
    tables = GameStore(ServerLimits())
    near, far = (tables.begin(who, GAME, [None, None], address=who)["keys"][0] for who in ("here", "there"))
    beside = tables.begin("beside", GAME, [None, None], address="hostile")["keys"][0]
    for connection in range(51):
        for _ in range(20):
            tables.begin(connection, GAME, [None, None], address="hostile")
    assert len(tables.tables) == 202 and all(kept(tables, key) for key in (near, far, beside))
    for address in map(str, range(10)):
        for connection in range(20):
            for _ in range(20):
                tables.begin((address, connection), GAME, [None, None], address=address)
    assert len(tables.tables) == 1000 and all(kept(tables, key) for key in (near, far, beside))


def test_a_game_is_kept_for_some_hours(monkeypatch):
    now = itertools.count(time.monotonic(), HOUR)
    monkeypatch.setattr(time, "monotonic", lambda: next(now))
    tables = GameStore(ServerLimits(table_hours=2.5))
    old = tables.begin("a", GAME, [None, None])["keys"][0]
    assert kept(tables, old) and kept(tables, old)  # each question is an hour after the one before
    for _ in range(4):
        next(now)
    assert not kept(tables, old)
    tables.begin("b", GAME, [None, None])
    assert len(tables.tables) == 1


# ---- analyses ----------------------------------------------------------------------------------------
def test_an_analysis_is_the_same_whatever_is_hidden(client):
    """The law of no leak, at the server: games that look alike to a seat get the same answers."""

    def analysed(*given):
        told = client.ask(do="analyse", game=GAME, nodes=300, algorithm="ismcts", **dict(given))
        assert told["is"] == "done", told
        return {name: told[name] for name in ("candidates", "value", "low", "high", "beliefs", "worlds")}

    answers = [analysed(("moves", ["7744", card])) for card in ("7741", "7749")]
    assert answers[0] == answers[1] == analysed(("start", "7744 ? 0 0 0"))
    assert sum(each["share"] for each in answers[0]["candidates"]) == pytest.approx(1)
    (believed,) = answers[0]["beliefs"]
    kinds = {each["pieces"][0]["text"]: each["share"] for each in believed["shares"]}
    assert set(kinds) == {str(card) for card in range(7741, 7750)} - {"7744"}
    assert all(share == pytest.approx(1 / 8, abs=0.05) for share in kinds.values())


def test_a_seat_that_waits_believes_something_too(client):
    (ann, bob), monitor = begin(client, None, None)
    deal(client, ann)
    assert {each["move"] for each in analysis(client, ann)["candidates"]} == {"stay", "raise", "knock"}
    waiting = analysis(client, bob)
    assert waiting["candidates"] == [] and [each["name"] for each in waiting["beliefs"]] == ["Ann"]
    assert analysis(client, monitor)["beliefs"] == []


def analysis(client, key):
    told = client.ask(do="seat_analyse", key=key, nodes=200)
    assert told["is"] == "done", told
    return told


def test_a_move_of_a_game_that_hides_something_has_no_mark(client):
    told = client.ask(do="review", game=GAME, moves=["7741", "7742", "stay", "stay"])
    assert told["text"] == "high-card hides something, so no value tells how good a move was"


def test_a_view_as_the_player_to_move_sees_it(client):
    moves = ["7744", "7745", "raise"]
    assert cards(client.ask(do="view", game=GAME, moves=moves)) == ["7744", "7745"]
    assert cards(client.ask(do="view", game=GAME, moves=moves, seen=True)) == ["?", "7745"]


def test_a_learned_strategy_comes_with_how_good_it_is(client):
    told = client.ask(do="analyse", game="kuhn-poker", start="?K b", algorithm="cfr+", nodes=100)
    assert [each["move"] for each in told["candidates"]] == ["bet", "pass"]
    assert told["candidates"][0]["share"] > 0.99 and told["iterations"] >= 100
    assert 0 < told["exploitability"] < 0.01
    whole = client.ask(do="analyse", game="kuhn-poker", algorithm="cfr+", nodes=100)
    assert whole["low"] < -1 / 18 < whole["high"] and whole["candidates"] == [] and not whole["beliefs"]
