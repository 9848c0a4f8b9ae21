"""The record of a watched search as a header and typed arrays."""

from __future__ import annotations

from typing import Any

from gambito.search.record import Record


def pack(record: Record, minimax: dict[str, int] | None) -> tuple[dict[str, Any], bytes]:
    """The record as JSON and bytes."""
    return {**record.as_dict(), "minimax": minimax}, b""
