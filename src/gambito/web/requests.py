"""The messages that clients may send. Every message is checked here, field by field, before it is used.

A question is a dictionary of plain data in known ranges. This module knows no games and no searches: the
code that answers checks whether a name exists.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from gambito.errors import QuestionError
from gambito.web.server_limits import ServerLimits
from gambito.words import LANGUAGES

LARGEST_ID = (1 << 31) - 1
# Upper limits that no meaningful message reaches. The code that answers checks the rest.
LONGEST_NAME, LONGEST_GAME, LONGEST_MOVE, LONGEST_KEY = 40, 200, 80, 40  # characters
MOST_PLAYERS = 16
MOST_MOVES, MOST_STEPS, MOST_OPTIONS = 5000, 1000, 64  # of a game, of a path in a tree, of an algorithm
LEAST_SECONDS = 0.001
LONGEST_CLOCK, LONGEST_INCREMENT = 1e6, 1e4  # seconds
LARGEST_VALUE = 1e9  # of a leaf that is edited
MOST_LINES = 1000
MOST_CELLS = 2000  # of a board
LONGEST_FIELD = 10_000  # characters of a word of a position, as an array of numbers has them
MOST_ROWS, MOST_GLYPHS, MOST_GLYPH = 5000, 8, 255  # of variations: moves; glyphs of a move, and their numbers
MOST_HEADERS, LONGEST_HEADER = 100, 1000  # of a record: how many, and characters of each
MOST_GAMES = 1_000_000  # of a record
MOST_TRICKS = 13  # of a claim
# The questions that search. The others are about the rules, and are answered soon.
SEARCHES = frozenset(
    {
        "go",
        "analyse",
        "review",
        "threat",
        "owners",
        "trace",
        "plain",
        "warm",
        "seat_go",
        "seat_hint",
        "seat_analyse",
        "seat_claim",
        "deal",
        "sampled",
        "seat_sampled",
    }
)


Check = Callable[[str, Any], Any]


def text(longest: int) -> Check:
    def check(name: str, value: Any) -> str:
        if not isinstance(value, str) or len(value) > longest:
            raise QuestionError("{} must be a text of at most {} characters", name, longest)
        return value

    return check


def algorithm(name: str, value: Any) -> str:
    """Check the name of an algorithm. One in a file is code that would run: the server names it."""
    known = text(LONGEST_NAME)(name, value)
    _refuse_files(name, known)
    return str(known)


def _refuse_files(name: str, value: Any) -> None:
    if isinstance(value, str) and ".py" in value:
        raise QuestionError("{} must be a name, not a file", name)


def whole(low: int, high: int) -> Check:
    def check(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise QuestionError("{} must be a whole number from {} to {}", name, low, high)
        return value

    return check


def number(low: float, high: float) -> Check:
    def check(name: str, value: Any) -> float:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not low <= value <= high:
            raise QuestionError("{} must be a number from {:g} to {:g}", name, low, high)
        return value

    return check


def texts(longest: int, most: int) -> Check:
    check_one = text(longest)

    def check(name: str, value: Any) -> list[str]:
        if not isinstance(value, list) or len(value) > most:
            raise QuestionError("{} must be a list of at most {} texts", name, most)
        return [check_one(name, one) for one in value]

    return check


def listed(check_one: Check, most: int) -> Check:
    """Return a check for a list; null in it stays."""

    def check(name: str, value: Any) -> list[Any]:
        if not isinstance(value, list) or len(value) > most:
            raise QuestionError("{} must be a list of at most {} values", name, most)
        return [None if one is None else check_one(name, one) for one in value]

    return check


def options(name: str, value: Any) -> dict[str, Any]:
    """Check an object of texts, numbers and booleans. The algorithm checks what they mean."""
    if not isinstance(value, dict) or len(value) > MOST_OPTIONS:
        raise QuestionError("{} must be an object of at most {} names", name, MOST_OPTIONS)
    for key, held in value.items():
        is_short = isinstance(held, str) and len(held) <= LONGEST_MOVE
        if len(key) > LONGEST_NAME or not (isinstance(held, bool | int | float) or is_short):
            raise QuestionError("{} must hold texts, numbers, true or false", name)
        _refuse_files(key, held)
    return value


def headers(name: str, value: Any) -> dict[str, str]:
    """Check what a record says beside its moves."""
    is_right = isinstance(value, dict) and len(value) <= MOST_HEADERS
    if not is_right or not all(
        len(key) <= LONGEST_NAME and isinstance(held, str) and len(held) <= LONGEST_HEADER
        for key, held in value.items()
    ):
        raise QuestionError("{} must be an object of at most {} texts", name, MOST_HEADERS)
    return dict(value)


def tree(name: str, value: Any) -> list[tuple[int, str, str, list[int]]]:
    """Check the rows of a game with variations: a number, a move, a comment and glyphs each."""
    if not isinstance(value, list) or len(value) > MOST_ROWS:
        raise QuestionError("{} must be a list of at most {} values", name, MOST_ROWS)
    if not all(map(_is_row, value)):
        raise QuestionError("{} must hold rows of a number, a move, a comment and glyphs", name)
    return [tuple(row) for row in value]


def _is_row(row: Any) -> bool:
    if not isinstance(row, list) or [type(held) for held in row] != [int, str, str, list]:
        return False
    _, move, comment, glyphs = row
    is_short = len(move) <= LONGEST_MOVE and len(comment) <= LONGEST_HEADER and len(glyphs) <= MOST_GLYPHS
    return is_short and all(type(glyph) is int and 0 < glyph <= MOST_GLYPH for glyph in glyphs)


def fields(known: dict[str, Check]) -> Check:
    """Return a check for an object with these fields, all of them optional."""

    def check(name: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise QuestionError("{} must be an object", name)
        return _read_fields(value, known, ())

    return check


def _read_fields(given: dict[str, Any], known: dict[str, Check], needed: tuple[str, ...]) -> dict[str, Any]:
    for name in given:
        if name not in known:
            raise QuestionError("there is no field '{}'; accepted: {}", name[:LONGEST_NAME], ", ".join(known))
    for name in needed:
        if given.get(name) is None:
            raise QuestionError("the field {} is missing", name)
    return {name: known[name](name, value) for name, value in given.items() if value is not None}


class Requests:
    """The questions that a server accepts."""

    def __init__(self, server: ServerLimits) -> None:
        limits = {
            "depth": whole(1, server.depth),
            "seconds": number(LEAST_SECONDS, server.seconds),
            "nodes": whole(1, server.nodes),
            "threads": whole(1, server.threads),
        }
        named = {"algorithm": algorithm, "options": options}
        player = fields({"level": whole(1, 8), "name": text(LONGEST_NAME), **named, **limits})
        clock = fields({"left": number(0, LONGEST_CLOCK), "increment": number(0, LONGEST_INCREMENT)})
        self.common: dict[str, Check] = {
            "id": whole(0, LARGEST_ID),
            "do": text(LONGEST_NAME),
            "lang": _language,
        }
        moves = texts(LONGEST_MOVE, MOST_MOVES)
        match = {"game": text(LONGEST_GAME), "start": text(server.message), "moves": moves}
        path = texts(LONGEST_MOVE, MOST_STEPS)
        analysis = {**named, **limits, "lines": whole(1, MOST_LINES)}
        seat = {"key": text(LONGEST_KEY), "ply": whole(0, MOST_MOVES)}
        self.kinds: dict[str, tuple[dict[str, Check], tuple[str, ...]]] = {
            "hello": ({}, ()),
            "about": (match, ("game",)),
            "view": ({**match, "seen": _truth}, ("game",)),
            "chance": (match, ("game",)),
            "save": ({**match, "headers": headers, "tree": tree}, ("game",)),
            "load": (
                {"game": text(LONGEST_GAME), "text": text(server.message), "number": whole(1, MOST_GAMES)},
                ("game", "text"),
            ),
            "shuffle": ({"game": text(LONGEST_GAME)}, ("game",)),
            "edit": (
                {**match, "path": path, "value": number(-LARGEST_VALUE, LARGEST_VALUE)},
                ("game", "path"),
            ),
            "opening": (match, ("game",)),
            "opinions": (match, ("game",)),
            "arrange": (
                {
                    **match,
                    "cells": texts(LONGEST_NAME, MOST_CELLS),
                    "fields": texts(LONGEST_FIELD, MOST_OPTIONS),
                },
                ("game",),
            ),
            "check": ({"game": text(LONGEST_GAME), "player": player}, ("game", "player")),
            "go": ({**match, "player": player, "clock": clock}, ("game", "player")),
            "analyse": ({**match, **analysis}, ("game",)),
            "threat": ({**match, "seconds": limits["seconds"]}, ("game",)),
            "owners": ({**match, "seconds": limits["seconds"]}, ("game",)),
            "deal": (match, ("game",)),
            "sampled": (match, ("game",)),
            "review": ({**match, **named, "seconds": limits["seconds"]}, ("game",)),
            "trace": ({**match, **named, "depth": limits["depth"], "boxes": _truth}, ("game", "algorithm")),
            "plain": ({**match, "depth": limits["depth"]}, ("game", "depth")),
            "begin": (
                {
                    "game": text(LONGEST_GAME),
                    "start": match["start"],
                    "players": listed(player, MOST_PLAYERS),
                    "clock": clock,
                },
                ("game", "players"),
            ),
            "seat_wait": (seat, ("key", "ply")),
            "seat_view": (seat, ("key",)),
            "seat_move": ({**seat, "move": text(LONGEST_MOVE)}, ("key", "ply", "move")),
            "seat_go": ({"key": seat["key"], "clock": clock}, ("key",)),
            "seat_hint": ({"key": seat["key"]}, ("key",)),
            "seat_analyse": ({**seat, **analysis}, ("key",)),
            "seat_claim": ({**seat, "tricks": whole(0, MOST_TRICKS)}, ("key", "ply", "tricks")),
            "seat_sampled": (seat, ("key",)),
            "stop": ({"stop": whole(0, LARGEST_ID)}, ("stop",)),
        }

    def read(self, message: str) -> dict[str, Any]:
        """Return the question in a message, after checking it."""
        try:
            given = json.loads(message, parse_constant=_refuse)
        except QuestionError:
            raise
        except (ValueError, RecursionError):
            raise QuestionError("a message must be one JSON object") from None
        if not isinstance(given, dict):
            raise QuestionError("a message must be one JSON object")
        if "\\u" in message and not _is_writable(given):
            raise QuestionError("a text must consist of whole characters")
        kind = given.get("do")
        if not isinstance(kind, str) or kind not in self.kinds:
            raise QuestionError("do must be one of {}", ", ".join(self.kinds))
        known, needed = self.kinds[kind]
        return _read_fields(given, {**self.common, **known}, ("id", *needed))


def _is_writable(given: Any) -> bool:
    """Has no text a half of a character? JSON can name one, and no answer could hold it."""
    try:
        json.dumps(given, ensure_ascii=False).encode()
        return True
    except (UnicodeEncodeError, RecursionError):
        return False


def identity(message: str) -> int | None:
    """Return the id of an invalid message, so that the error can refer to it, or None if it has no id."""
    try:
        found = json.loads(message)["id"]
    except (ValueError, RecursionError, KeyError, TypeError):
        return None
    return (
        found if isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= LARGEST_ID else None
    )


def _language(name: str, value: Any) -> str:
    if value not in LANGUAGES:
        raise QuestionError("{} must be one of {}", name, ", ".join(LANGUAGES))
    return str(value)


def _truth(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise QuestionError("{} must be true or false", name)
    return value


def _refuse(word: str) -> float:
    raise QuestionError("{} is no number here", word)
