"""The server: the files of the page, and one websocket for each open page.

It stores nothing about a client except its pending questions. Only pages that it served itself may connect,
it answers only requests for known host names, and it contacts no other machine.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
import struct
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.routing import Mount, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from gambito.errors import QuestionError
from gambito.web.game_store import GameStore
from gambito.web.pool import Job, Pool
from gambito.web.requests import Requests, identity
from gambito.web.room_clock import RoomClock
from gambito.web.server_limits import ServerLimits
from gambito.web.waiting import Answer, Waiting
from gambito.words import translate
from gambito.words.sentence import Sentence

PAGE = Path(__file__).with_name("page")
LOCAL = ("127.0.0.1", "localhost", "[::1]")
BUSY, REFUSED, CLOSED = 1013, 1008, 1000  # status codes for closing a websocket
ASLEEP = 4000  # and one of our own: the page connects again when somebody uses it
PLAYING = frozenset({"seat_move", "seat_go", "seat_claim"})  # questions whose answers add moves to a game
HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
}


def make_app(server: ServerLimits, hosts: tuple[str, ...] = LOCAL) -> Starlette:
    """Return the application of a server that answers under these host names."""
    pool, questions, tables = Pool(server), Requests(server), GameStore(server)
    clients: set[Client] = set()

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await pool.open()
        try:
            yield
        finally:
            await pool.close()

    async def socket(websocket: WebSocket) -> None:
        if not _is_own(websocket):
            await websocket.close(REFUSED)
            return
        await websocket.accept()
        if len(clients) >= server.sessions and not _make_room(clients, server.idle):
            await websocket.close(BUSY, "too many pages are open")
            return
        client = Client(websocket, server, pool, questions, tables)
        clients.add(client)
        try:
            await client.serve()
        finally:
            clients.discard(client)
            client.leave()
            pool.drop(client)

    routes = [WebSocketRoute("/ws", socket), Mount("/", StaticFiles(directory=PAGE, html=True))]
    guards = [
        Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)),
        Middleware(Headers),
        Middleware(GZipMiddleware, minimum_size=1000),
    ]
    return Starlette(routes=routes, middleware=guards, lifespan=lifespan)


def _is_own(websocket: WebSocket) -> bool:
    """Return whether the page that connects comes from this server. Only browsers send an origin."""
    origin = websocket.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == websocket.headers.get("host")


def _address(websocket: WebSocket) -> str:
    """Where a page connects from. Of IPv6 the first half counts, as that is what one customer is given."""
    host = websocket.client.host if websocket.client else ""
    try:
        known = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(known, ipaddress.IPv6Address):
        return str(known.ipv4_mapped or ipaddress.ip_network((known, 64), strict=False))
    return str(known)


def _make_room(clients: set[Client], idle: float) -> bool:
    """Let a page sleep that has asked nothing for a while: one of the address that has most pages."""
    now = time.monotonic()
    sleepy = [client for client in clients if client.is_idle and now - client.heard > idle]
    if not sleepy:
        return False
    pages = Counter(client.address for client in clients)
    chosen = min(sleepy, key=lambda client: (-pages[client.address], client.heard))
    clients.discard(chosen)
    chosen.sleep()
    return True


def _clock(question: dict[str, Any]) -> RoomClock | None:
    """The clocks that a question asks for, if it does."""
    given = question.get("clock", {})
    if not given.get("left"):
        return None
    return RoomClock(given["left"], given.get("increment", 0.0), len(question["players"]))


class Headers:
    """Middleware that adds the same headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                pairs = [(name.encode(), text.encode()) for name, text in HEADERS.items()]
                message["headers"] = [*message.get("headers", []), *pairs]
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


class Client:
    """One open page. Its questions go to the pool; the answers wait here until the page reads them."""

    def __init__(
        self, websocket: WebSocket, server: ServerLimits, pool: Pool, questions: Requests, tables: GameStore
    ) -> None:
        self.websocket, self.server, self.pool = websocket, server, pool
        self.questions, self.tables = questions, tables
        self.jobs: dict[int, Job] = {}
        self.waits: dict[int, Waiting] = {}
        self.outgoing: OrderedDict[Any, list[str | bytes]] = (
            OrderedDict()
        )  # by question, while the answer is streamed
        self.size = 0  # bytes in `outgoing`
        self.sent = 0
        self.news = asyncio.Event()
        self.address = _address(websocket)
        self.heard = time.monotonic()  # when the last question came
        self.is_asleep = asyncio.Event()

    @property
    def is_idle(self) -> bool:
        """Does the page wait for nothing?"""
        return not (self.jobs or self.waits or self.outgoing)

    def sleep(self) -> None:
        """Close the connection of a page that does not need it now."""
        self.is_asleep.set()

    async def serve(self) -> None:
        """Receive questions and answer them until the page is closed."""
        sender = asyncio.create_task(self._send())
        hearer = asyncio.create_task(self._hear())
        sleeper = asyncio.create_task(self.is_asleep.wait())
        done, pending = await asyncio.wait((sender, hearer, sleeper), return_when=asyncio.FIRST_COMPLETED)
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
        for task in done:
            task.exception()
        with contextlib.suppress(RuntimeError, WebSocketDisconnect, OSError):
            await self.websocket.close(ASLEEP if self.is_asleep.is_set() else CLOSED)

    async def _hear(self) -> None:
        while True:
            message = await self.websocket.receive()
            if message["type"] == "websocket.disconnect":
                return
            self.heard = time.monotonic()
            text = message.get("text")
            if text is None or len(text) > self.server.message:
                self._post(None, {"is": "error", "id": None, "text": "a message must be one JSON object"})
                continue
            try:
                self._take(self.questions.read(text))
            except QuestionError as problem:
                self._post(None, {"is": "error", "id": identity(text), "text": str(problem)})

    def _take(self, question: dict[str, Any]) -> None:
        number, language = question["id"], question.get("lang", "en")
        if question["do"] == "stop":
            if question["stop"] in self.jobs:
                self.pool.stop(self.jobs[question["stop"]])
            if question["stop"] in self.waits:
                self.waits[question["stop"]].end()
            self._post(None, {"is": "done", "id": number})
            return
        problem: Sentence | None = None
        if number in self.jobs or number in self.waits:
            problem = Sentence("this id is in use")
        elif len(self.jobs) + len(self.waits) >= self.server.asked:
            problem = Sentence("at most {} questions at a time", self.server.asked)
        if problem is not None:
            self._post(None, {"is": "error", "id": number, "text": translate(problem, language)})
            return
        try:
            if question["do"] == "seat_wait":
                return self._wait(question)
            asked = self._seated(question)
        except QuestionError as refused:
            self._post(None, {"is": "error", "id": number, "text": translate(refused.sentence, language)})
            return

        def answer(kind: str, content: dict[str, Any], body: bytes | None) -> None:
            if kind != "info":
                self.jobs.pop(number, None)
            if kind == "done":
                kind, content = self._kept(asked, content)
            if kind == "error":
                content = {"text": translate(content["text"], language)}
            self._post(number, {"is": kind, "id": number, **content}, body)

        self.jobs[number] = job = Job(self, asked, answer, self.address)
        self.pool.ask(job)

    # ---- games that the server keeps -------------------------------------------------------------
    def _wait(self, question: dict[str, Any]) -> None:
        """Answer a question when the seat of its key sees something new."""
        number, language = question["id"], question.get("lang", "en")

        def ask(asked: dict[str, Any], hear: Answer) -> Job:
            job = Job(self, asked, hear, self.address)
            self.pool.ask(job)
            return job

        def done(kind: str, content: dict[str, Any], body: bytes | None) -> None:
            self.waits.pop(number, None)
            if kind == "error":
                content = {"text": translate(content["text"], language)}
            self._post(number, {"is": kind, "id": number, **content})

        wait = Waiting(question, self.tables, ask, done)
        if not wait.is_ended:
            self.waits[number] = wait

    def leave(self) -> None:
        """The page is gone: nobody waits any longer."""
        for wait in self.waits.values():
            wait.forget()

    def _seated(self, question: dict[str, Any]) -> dict[str, Any]:
        """Return a question with the game of its key, if it has one."""
        if question["do"] == "seat_move":
            self.tables.check_time(question["key"])
        return question | self.tables.describe(question["key"]) if "key" in question else question

    def _kept(self, question: dict[str, Any], content: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """Begin a game, or add the moves that a worker has played; return what the client is told of it."""
        if question["do"] == "begin":
            start = question.get("start", "").strip()
            given = (question["game"], question["players"], start, _clock(question), self.address)
            return "done", self.tables.begin(self, *given)
        if question["do"] in PLAYING:
            try:
                played, after = content["moves"], len(question["table"]["moves"])
                self.tables.extend(question["key"], after, played, content["next"])
            except QuestionError as refused:
                if question["do"] == "seat_go":  # another page of this game was quicker
                    return "done", {}
                return "error", {"text": refused.sentence}
            return "done", content.get("told", {})
        if question["do"] == "seat_view":
            content |= self.tables.clock(question["key"])
        return "done", content

    # ---- what goes out ---------------------------------------------------------------------------
    def _post(self, number: int | None, content: dict[str, Any], body: bytes | None = None) -> None:
        """Queue a message. An intermediate result that was not sent yet is replaced by a newer one."""
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), default=_plain)
        if not text.isascii():  # rules may write halves of characters, which cannot be sent
            text = text.encode(errors="replace").decode()
        parts: list[str | bytes] = [text]
        if body is not None:
            parts.append(struct.pack("<II", number or 0, 0) + body)
        is_news = content["is"] == "info" and "ply" not in content
        self.sent += 1
        key = ("news", number) if is_news else self.sent
        self.size -= sum(map(len, self.outgoing.pop(key, ())))
        self.outgoing[key] = parts
        self.size += sum(map(len, parts))
        self.news.set()

    async def _send(self) -> None:
        """Send the queued messages. A page that does not read, or lets too much wait, is disconnected."""
        while True:
            await self.news.wait()
            self.news.clear()
            while self.outgoing:
                if self.size > self.server.waiting:
                    return
                _, parts = self.outgoing.popitem(last=False)
                self.size -= sum(map(len, parts))
                for part in parts:
                    send = self.websocket.send_text if isinstance(part, str) else self.websocket.send_bytes
                    try:
                        await asyncio.wait_for(send(part), self.server.unread)  # type: ignore[arg-type]
                    except (TimeoutError, RuntimeError, WebSocketDisconnect, OSError):
                        return


def _plain(value: Any) -> Any:
    """Convert a number or boolean of NumPy, which rules may return."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be sent")
