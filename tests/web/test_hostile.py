"""Hostile and careless clients: the server stays up, its memory stays flat, others are served."""

import contextlib
import json
import os
import random
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from gambito.web.app import ASLEEP
from tests.support import COMMAND, run
from tests.web.conftest import GAMES, OWN, Client, serving, started

FLAT = 24  # MiB that the server may grow by
VALID = [
    {"do": "view", "game": "connect-four", "moves": ["4"]},
    {"do": "go", "game": "tic-tac-toe", "player": {"algorithm": "alpha-beta", "depth": 2}},
    {"do": "trace", "game": "tree", "algorithm": "alpha-beta", "depth": 2},
    {"do": "edit", "game": "tree", "path": ["a", "a"], "value": 3},
    {"do": "load", "game": "othello", "text": "f5d6"},
    {"do": "begin", "game": "high-card", "players": [None, {"name": "random"}]},
    {"do": "seat_view", "key": "a", "ply": 0},
    {"do": "seat_move", "key": "a", "ply": 0, "move": "stay"},
    {"do": "seat_analyse", "key": "a", "nodes": 10},
    {"do": "stop", "stop": 1},
]
JUNK = [
    None,
    True,
    -1,
    1 << 80,
    1.5,
    "",
    "\0",
    "ñ\U0001f600",
    "x" * 3000,
    [],
    {},
    [[]],
    {"a": {}},
    "__class__",
    "9" * 90,
]


@pytest.fixture(scope="module")
def server():
    """A server of its own, with its process."""
    with serving(*OWN, "--workers", "2") as (address, process):
        one = Client(address)
        one.ask(do="go", game="tic-tac-toe", player={"algorithm": "alpha-beta", "depth": 2})
        one.ask(do="go", game="connect-four", player={"seconds": 0.01})
        one.close()
        yield address, process


def resident(process) -> float:
    """MiB that the server itself holds."""
    pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def is_served(address: str) -> bool:
    one = Client(address)
    seen = one.ask(do="view", game="tic-tac-toe", moves=["5"])
    moved = one.ask(do="go", game="tic-tac-toe", moves=["5"], player={"algorithm": "alpha-beta", "depth": 3})
    one.close()
    return seen["is"] == moved["is"] == "done"


def hostile(rng: random.Random) -> str | bytes:
    """A question with something wrong in it, or something that is no question at all."""
    question = json.loads(json.dumps(rng.choice(VALID))) | {"id": rng.randrange(100)}
    kind = rng.randrange(5)
    if kind == 0:
        return rng.randbytes(rng.randrange(200))
    if kind == 1:
        return "".join(chr(rng.choice((rng.randrange(32, 127), rng.randrange(0xD7FF)))) for _ in range(50))
    if kind == 2:
        text = json.dumps(question)
        place = rng.randrange(len(text))
        return text[:place] + rng.choice('{}[]",:\\') + text[place + 1 :]
    if kind == 3:
        question[rng.choice([*question, "id", "moves", "start", "options", "player"])] = rng.choice(JUNK)
        return json.dumps(question)
    del question[rng.choice(list(question))]
    return json.dumps(question)


@pytest.mark.parametrize(
    "messages", [150, *(pytest.param(n, marks=pytest.mark.slow) for n in (1_000, 10_000))]
)
def test_hostile_messages(server, messages):
    address, process = server
    rng = random.Random(4)
    flood(address, rng, min(messages, 1_000))  # what is learned once: modules, caches
    before = resident(process)
    flood(address, rng, messages)
    assert process.poll() is None and is_served(address)
    assert resident(process) - before < FLAT


def flood(address: str, rng: random.Random, number: int) -> None:
    """Send and read what comes back; a client that was closed connects again."""
    sent, place = 0, f"{address.replace('http', 'ws')}ws"
    while sent < number:
        with contextlib.suppress(ConnectionClosed), connect(place, close_timeout=1) as one:
            while sent < number:
                one.send(hostile(rng))
                sent += 1
                if sent % 20 == 0:
                    with contextlib.suppress(TimeoutError):
                        while True:
                            one.recv(0.0)


@pytest.mark.parametrize("connections", [40, pytest.param(200, marks=pytest.mark.slow)])
def test_connections_opened_and_dropped(server, connections):
    address, process = server
    assert is_served(address)
    before = resident(process)
    rng = random.Random(1)
    for number in range(connections):
        with contextlib.suppress(ConnectionClosed):
            one = Client(address)
            if number % 2:
                one.send(do="go", game="connect-four", player={"seconds": 30})
            if number % 5 == 0:
                one.socket.socket.shutdown(socket.SHUT_RDWR)  # no farewell
            elif rng.random() < 0.9:
                one.close()
    assert is_served(address) and resident(process) - before < FLAT
    assert answers_within(address, 8.0)  # none of their searches goes on


def answers_within(address: str, seconds: float) -> bool:
    """Return whether both workers answer in time."""
    began = time.monotonic()
    clients = [Client(address) for _ in range(2)]
    for one in clients:
        one.send(do="go", game="tic-tac-toe", player={"algorithm": "alpha-beta", "depth": 2})
    heard = [last(one) for one in clients]
    for one in clients:
        one.close()
    return all(answer["is"] == "done" for answer in heard) and time.monotonic() - began < seconds


def last(client: Client) -> dict:
    while (heard := client.hear())["is"] == "info":
        pass
    return heard


def test_a_client_that_reads_nothing(server):
    """It asks for much and never reads: the server disconnects it, and serves others meanwhile."""
    address, process = server
    before = resident(process)
    host, port = address.removeprefix("http://").rstrip("/").split(":")
    unread = socket.create_connection((host, int(port)))
    key = "dGhlIHNhbXBsZSBub25jZQ=="
    unread.sendall(
        f"GET /ws HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    unread.settimeout(0.2)
    with contextlib.suppress(TimeoutError, OSError):
        for number in range(20_000):
            unread.sendall(frame(json.dumps({"id": number, "do": "hello"})))
    assert is_served(address)
    assert resident(process) - before < 160  # what may wait for one client, and no more
    unread.close()


def frame(text: str) -> bytes:
    """A masked text frame."""
    data = text.encode()
    head = bytes([0x81, 0x80 | len(data)]) if len(data) < 126 else b"\x81\xfe" + len(data).to_bytes(2, "big")
    return head + b"\0\0\0\0" + data


def test_other_pages_and_hosts_are_refused(server):
    address, _ = server
    for headers in ({"Origin": "http://evil.example"}, {"Host": "evil.example"}):
        with pytest.raises((InvalidStatus, ConnectionClosed)):
            one = Client(address, additional_headers=headers)
            one.ask(do="hello")
    own = Client(address, origin=address.rstrip("/"))
    assert own.ask(do="hello")["is"] == "done"
    own.close()


HASTY = """
import sys
from gambito.web.serve import serve
from gambito.web.server_limits import ServerLimits
limits = ServerLimits(own=tuple(sys.argv[1:]), workers=1, haste=5.0, effort=1.0, request=1.0)
serve(limits, port=0, say=lambda address: print(address, flush=True))
"""


@pytest.fixture(scope="module")
def hasty():
    """A server with short limits, and what it has written to its log."""
    with (
        tempfile.TemporaryFile("w+") as log,
        started(sys.executable, "-c", HASTY, f"{GAMES}:Stuck", stderr=log) as (address, _),
    ):
        yield address, log


@pytest.mark.thorough
def test_rules_that_never_return_are_ended(hasty):
    assert_ends_what_never_returns(hasty[0])


def opened(address: str) -> socket.socket:
    host, port = address.removeprefix("http://").rstrip("/").split(":")
    return socket.create_connection((host, int(port)), timeout=10)


@pytest.mark.parametrize(
    "said",
    [
        "",
        "GET / HT",
        "GET / HTTP/1.1\r\nHost: localhost\r\nX: ",
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n12",
        "HEAD /about.js HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HT",
    ],
)
def test_a_request_that_does_not_arrive_is_not_waited_for(hasty, said):
    with opened(hasty[0]) as half:
        half.sendall(said.encode())
        while half.recv(4096):  # until the server closes the connection
            pass


def test_a_text_that_is_not_utf_8_closes_its_connection_quietly(hasty):
    address, log = hasty
    client = Client(address)
    client.socket.protocol.send_text(b"\xff\xfe{}")
    client.socket.socket.sendall(b"".join(client.socket.protocol.data_to_send()))
    with pytest.raises(ConnectionClosed):
        while True:
            client.hear()
    other = Client(address)  # a page that stays open longer than a request may take is not closed
    time.sleep(2.2)
    assert other.ask(do="view", game="tic-tac-toe")["is"] == "done"
    other.close()
    log.seek(0)
    assert "Traceback" not in log.read()


@pytest.mark.thorough
def test_every_address_needs_the_names_that_are_accepted():
    refused = run(*COMMAND, "serve", "--host", "0.0.0.0", "--port", "0")
    assert refused.returncode and "--name" in refused.stderr and "Traceback" not in refused.stderr
    with serving("--host", "0.0.0.0", "--name", "gambito.example", "--workers", "1") as (address, _):
        address = address.replace("0.0.0.0", "127.0.0.1")
        for host, is_accepted in (("gambito.example", True), ("localhost", True), ("evil.example", False)):
            with opened(address) as one:
                one.sendall(f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
                assert one.recv(4096).startswith(b"HTTP/1.1 200") == is_accepted, host


@pytest.mark.slow
def test_rules_that_never_return_are_ended_by_default(server):
    assert_ends_what_never_returns(server[0])


def assert_ends_what_never_returns(address: str) -> None:
    client, began = Client(address), time.monotonic()
    assert client.ask(do="view", game="stuck", moves=["1"])["text"] == "this took too long and was ended"
    assert time.monotonic() - began < 30 and is_served(address)
    client.close()


def test_a_message_too_large_and_too_many_questions(server):
    address, _ = server
    client = Client(address)
    with pytest.raises(ConnectionClosed):
        client.ask(do="view", game="tree", start="[" * (1 << 19))
    client = Client(address)
    for _ in range(12):
        client.send(do="go", game="connect-four", player={"seconds": 5})
    heard = [client.hear() for _ in range(4)]
    assert any(one.get("text") == "at most 8 questions at a time" for one in heard)
    client.close()


@pytest.mark.parametrize(
    "message",
    [
        '{"id": null, "do": "hello"}',
        '{"id": 1, "do": "view", "game": null}',
        '{"id": 1, "do": "begin", "game": "high-card", "players": null}',
        f'{{"id": 1, "do": "edit", "game": "tree", "path": ["a"], "value": {"9" * 400}}}',
        f'{{"id": 1, "do": "go", "game": "nim", "player": {{"options": {{"memory": {"9" * 400}}}}}}}',
        '{"id": 1, "do": "view", "game": "\\ud800"}',
        '{"id": 1, "do": "\\udfff"}',
    ],
)
def test_one_sentence_and_the_connection_is_kept(server, message):
    client = Client(server[0])
    client.socket.send(message)
    heard = last(client)
    assert heard["is"] == "error" and "mistake in Gambito" not in heard["text"] and "\n" not in heard["text"]
    assert client.ask(do="view", game="tic-tac-toe")["is"] == "done"
    client.close()


def test_much_work_for_the_rules_is_ended(hasty):
    """Few bytes may be much work; the worker stays, and others are answered meanwhile."""
    address, _ = hasty
    client = Client(address)
    record = " ".join(f"{number}. Nf3 Nf6 {number + 1}. Ng1 Ng8" for number in range(1, 4_000, 2))
    told = client.ask(do="load", game="chess", text=record)
    assert told["text"] == "this took too long and was ended"
    flat = "[" + ",".join("1" * 60_000) + "]"
    # on a busy machine its time is over before it is read
    told = client.ask(do="view", game="tree", start=flat)
    assert told["text"].startswith(("there are 60000 moves here", "this took too long and was ended"))
    assert client.ask(do="view", game="chess")["is"] == "done"
    client.close()


@pytest.mark.thorough
def test_idle_pages_make_room_for_another():
    code = HASTY.replace("workers=1", "workers=1, sessions=2, idle=2.0")
    with started(sys.executable, "-c", code) as (address, _):
        first, second = Client(address), Client(address)
        for one in (first, second, first, second):  # the last ones come soon after each other
            assert one.ask(do="view", game="nim")["is"] == "done"
        with pytest.raises(ConnectionClosed, match="too many pages are open"):
            Client(address).ask(do="hello")
        time.sleep(2.2)  # nobody asks anything
        second.ask(do="view", game="nim")
        assert Client(address).ask(do="hello")["is"] == "done"
        with pytest.raises(ConnectionClosed) as asleep:
            first.ask(do="hello")
        assert asleep.value.rcvd.code == ASLEEP
        assert second.ask(do="view", game="nim")["is"] == "done"


@pytest.mark.thorough
def test_too_many_sessions():
    with serving("--sessions", "2", "--workers", "1") as (address, _):
        held = [Client(address), Client(address)]
        with pytest.raises(ConnectionClosed, match="too many pages are open"):
            Client(address).ask(do="hello")
        held.pop().close()
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            with contextlib.suppress(ConnectionClosed):
                assert Client(address).ask(do="hello")["is"] == "done"
                return
        pytest.fail("a place that was given back was not given again")


@pytest.mark.parametrize("clients", [4, pytest.param(10, marks=pytest.mark.slow)])
def test_clients_are_served_fairly(server, clients):
    """Two of them use all the time they can get; the others do not have to wait for them."""
    address, _ = server
    greedy = [Client(address) for _ in range(2)]
    for one in greedy:
        one.send(do="go", game="connect-four", player={"seconds": 60})
    waits: list[float] = []

    def modest() -> None:
        one, began = Client(address), time.monotonic()
        for _ in range(3):
            asked = one.ask(do="go", game="connect-four", moves=["4"], player={"seconds": 0.2})
            assert asked["is"] == "done"
        waits.append(time.monotonic() - began)
        one.close()

    threads = [threading.Thread(target=modest) for _ in range(clients - 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(90)
    assert len(waits) == clients - 2 and max(waits) < 25
    assert max(waits) < 4 * min(waits) + 5
    for one in greedy:
        one.close()


@pytest.mark.thorough
def test_the_workers_go_with_the_server():
    with serving(f"{GAMES}:TakeAway", "--workers", "1") as (address, process):
        assert is_served(address)
        children = [
            int(word) for word in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        ]
        assert children
        process.kill()
        process.wait()
        deadline = time.monotonic() + 10
        while any(Path(f"/proc/{child}/cmdline").exists() and is_worker(child) for child in children):
            assert time.monotonic() < deadline
            time.sleep(0.05)


def is_worker(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text()
    return False
