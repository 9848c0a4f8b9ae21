"""A game with variations as text, for games whose own notation has none: much as PGN writes it.

    [first position] 5 {a comment} 1 $1 (9 5) "a move" 3

A variation stands in parentheses after the move that it is played instead of, `$1` is a sign, and a move that
is no plain word stands in quotation marks, as JSON writes them.
"""

from __future__ import annotations

import json
import re
from typing import Any

from gambito.errors import PositionError, quoted
from gambito.game.contract import Game
from gambito.game.numerals import read_whole
from gambito.game.variations import Line, Move, Score
from gambito.web.requests import MOST_GLYPH, MOST_ROWS
from gambito.web.setup import read_move

DEEPEST = 100  # variations inside variations
SPECIAL = re.compile(r'[\s(){}"$\[\];]')
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\{[^}]*\}|[()]|[^\s(){}"]+|\S')


def is_tree(text: str) -> bool:
    """May a text be in this notation, and not only a list of moves?"""
    return any(sign in text for sign in '({$"')


def write_plain(game: Game, score: Score) -> str:
    """A game with its variations, comments and signs."""
    start = game.text(score.start)
    opening = [] if start == game.text(game.initial()) else [f"[{start}]"]
    return " ".join([*opening, *_comment(score.line.comment), *_words(game, score.line, score.start)])


def _words(game: Game, line: Line, state: Any) -> list[str]:
    words: list[str] = []
    for move in line.moves:
        name = game.write(state, move.action)
        words.append(json.dumps(name, ensure_ascii=False) if SPECIAL.search(name) else name)
        words += [*(f"${glyph}" for glyph in move.glyphs), *_comment(move.comment)]
        for other in move.others:
            inner = " ".join([*_comment(other.comment), *_words(game, other, state)])
            words.append(f"({inner})")
        state = game.result(state, move.action)
    return words


def _comment(text: str) -> list[str]:
    return [f"{{{text.replace('}', ')')}}}"] if text else []


def read_plain(game: Game, text: str) -> Score:
    """The game that a text describes."""
    opening = re.match(r"\s*\[([^\]]*)\]", text)
    start = game.parse(opening[1]) if opening else game.initial()
    tokens = TOKEN.findall(text[opening.end() :] if opening else text)
    score = Score(start, {})
    line, before, state = (
        score.line,
        start,
        start,
    )  # the states around the last move of the line
    above: list[tuple[Line, Any, Any]] = []
    for number, token in enumerate(tokens):
        if number > 2 * MOST_ROWS:
            raise PositionError("a game with variations has at most {} moves", MOST_ROWS)
        if token[0] == "{" and len(token) > 1:
            (line.moves[-1] if line.moves else line).comment = token[1:-1].strip()
        elif token == "(":
            if not line.moves or len(above) >= DEEPEST:
                raise PositionError("a variation stands after the move that it is played instead of")
            above.append((line, before, state))
            inner = Line()
            line.moves[-1].others.append(inner)
            line, state = inner, before
        elif token == ")":
            if not above:
                raise PositionError("a variation ends that has not begun")
            line, before, state = above.pop()
        elif token[0] == "$":
            glyph = read_whole(token[1:], MOST_GLYPH)
            if not glyph or not line.moves:
                raise PositionError("{} is no sign of a move; accepted: $1 to ${}", quoted(token), MOST_GLYPH)
            line.moves[-1].glyphs.append(glyph)
        else:
            action = read_move(game, state, _name(token))
            line.moves.append(Move(action))
            before, state = state, game.result(state, action)
    if above:
        raise PositionError("a variation has no end")
    return score


def _name(token: str) -> str:
    if token[0] != '"':
        return token
    try:
        return str(json.loads(token))
    except ValueError:
        raise PositionError("{} is no text in quotation marks", quoted(token)) from None
