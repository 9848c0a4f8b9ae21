"""The games that the server keeps: each seat of one has a key of its own.

A client that plays alone, and whose game hides nothing, sends all of it with every question. Here it sends a
key, and the server knows the moves, so a page never holds what its player may not see, and several people can
play on pages of their own. Nobody can guess a key, and nobody can go
back in a game to try something else. The games are in memory only: a restart ends them. This module knows no
rules; a worker tells what happens in a game.
"""

from __future__ import annotations

import secrets
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from gambito.errors import QuestionError
from gambito.game.contract import NOBODY
from gambito.web.room_clock import RoomClock
from gambito.web.server_limits import ServerLimits

KEY_BYTES = 16
HOUR = 3600.0  # seconds


@dataclass(eq=False)
class StoredGame:
    """One game: who plays it, and all its moves."""

    owner: Hashable  # the connection that began it
    address: str  # and where that came from
    game: str
    players: list[dict[str, Any] | None]  # None: a person
    start: str = ""  # the first position, if it is not the usual one
    moves: list[str] = field(default_factory=list)
    clock: RoomClock | None = None
    waiting: set[Callable[[], None]] = field(default_factory=set)  # called when it goes on
    used: float = field(default_factory=time.monotonic)
    keys: dict[str, int] = field(default_factory=dict)  # the player of each key; NOBODY only watches


class GameStore:
    """All games that a server keeps.

    When there are too many, a game of whoever has most of them goes: of one connection, of all connections
    from one address, of all addresses. So nobody loses a game to somebody who begins many.
    """

    def __init__(self, server: ServerLimits) -> None:
        self.server = server
        self.tables: OrderedDict[int, StoredGame] = OrderedDict()  # by identity, the last used at the end
        self.seats: dict[str, tuple[StoredGame, int]] = {}  # by key

    def begin(
        self,
        owner: Hashable,
        game: str,
        players: list[dict[str, Any] | None],
        start: str = "",
        clock: RoomClock | None = None,
        address: str = "",
    ) -> dict[str, Any]:
        """Begin a game; return a key for each person and one for spectators."""
        self._expire(owner, address)
        table = StoredGame(owner, address, game, players, start, clock=clock)
        keys = [secrets.token_urlsafe(KEY_BYTES) if player is None else None for player in players]
        watch = secrets.token_urlsafe(KEY_BYTES)
        table.keys = {watch: NOBODY} | {key: seat for seat, key in enumerate(keys) if key}
        self.seats |= {key: (table, seat) for key, seat in table.keys.items()}
        self.tables[id(table)] = table
        return {"keys": keys, "watch": watch}

    def find(self, key: str) -> tuple[StoredGame, int]:
        """Return the game of a key, and the player whose key it is."""
        found = self.seats.get(key)
        if found is None or time.monotonic() - found[0].used > self.server.table_hours * HOUR:
            raise QuestionError(
                "this game is no longer on the server, which keeps games for {:g} hours and until it is "
                "restarted; begin a new one",
                self.server.table_hours,
            )
        table = found[0]
        table.used = time.monotonic()
        self.tables.move_to_end(id(table))
        return found

    def describe(self, key: str) -> dict[str, Any]:
        """Return what a worker needs to answer the question of this key."""
        table, seat = self.find(key)
        described: dict[str, Any] = {"game": table.game, "start": table.start, "moves": list(table.moves)}
        return {"table": described | {"players": table.players}, "seat": seat}

    def extend(self, key: str, after: int, moves: list[str], next_side: int) -> None:
        """Add moves to a game that had so many moves when the question was asked."""
        table, _ = self.find(key)
        if len(table.moves) != after:
            raise QuestionError("the game has gone on in the meantime")
        self.check_time(key)
        table.moves += moves
        if table.clock is not None and moves:
            table.clock.press(next_side)
        if moves:
            _wake(table)

    def check_time(self, key: str) -> None:
        """Refuse moves when the time of a player is up."""
        table, _ = self.find(key)
        if table.clock is not None and table.clock.is_over:
            raise QuestionError("the time of a player is up: the game is over")

    def clock(self, key: str) -> dict[str, Any]:
        """What an answer tells about the clocks; nothing if there are none."""
        table, _ = self.find(key)
        return {} if table.clock is None else {"clock": table.clock.as_dict()}

    def _expire(self, owner: Hashable, address: str) -> None:
        """Forget old games, and make room for one more."""
        now = time.monotonic()
        for table in list(self.tables.values()):
            if now - table.used > self.server.table_hours * HOUR:
                self._forget(table)
        kept = list(self.tables.values())
        own = [table for table in kept if table.owner == owner]
        near = [table for table in kept if table.address == address]
        if len(own) >= self.server.own_tables:
            self._forget(own[0])
        elif len(near) >= self.server.address_tables:
            self._forget(_of_most(near, lambda table: table.owner))
        elif len(kept) >= self.server.tables:
            rich = _of_most(kept, lambda table: table.address).address
            self._forget(_of_most([t for t in kept if t.address == rich], lambda table: table.owner))

    def _forget(self, table: StoredGame) -> None:
        del self.tables[id(table)]
        for key in table.keys:
            del self.seats[key]
        _wake(table)


def _wake(table: StoredGame) -> None:
    for look in list(table.waiting):
        look()


def _of_most(tables: list[StoredGame], whose: Callable[[StoredGame], Hashable]) -> StoredGame:
    """Of those who have most games, the game that was not used for longest; `tables` are in that order."""
    counts = Counter(map(whose, tables))
    most = max(counts.values())
    return next(table for table in tables if counts[whose(table)] == most)
