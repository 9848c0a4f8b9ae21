"""Connections of clients that are slow, broken or hostile, before their requests reach the server."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol


class TimedConnection(H11Protocol):
    """A connection that is closed if no whole request arrives in time, also after an earlier request."""

    seconds = 10.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._last: Any = None  # the request at the last look
        self.loop.call_later(self.seconds, self._look)

    def _look(self) -> None:
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return  # it is closed, or has become a websocket
        is_answering = self.cycle is not None and not self.cycle.response_complete
        if self.cycle is self._last and not is_answering:
            self.transport.close()
            return
        self._last = self.cycle
        self.loop.call_later(self.seconds, self._look)


def hide_bad_texts() -> None:
    """Log no traceback for a text that is not UTF-8: the connection is closed, and that is all."""
    logging.getLogger("uvicorn.error").addFilter(_is_no_bad_text)


def _is_no_bad_text(record: logging.LogRecord) -> bool:
    return not (record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError))
