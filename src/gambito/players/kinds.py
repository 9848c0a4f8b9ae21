"""Kinds of players that are made from their whole text, by its first word; other rooms register theirs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

KINDS: dict[str, Callable[[str], Any]] = {}  # functions that make the player that a text names


def register_kind(kind: str, read: Callable[[str], Any]) -> None:
    KINDS[kind] = read
