"""Whole games as text: PGN and its kin, with variations, comments, annotation glyphs and clocks; both ways.

[White "Anderssen"]          tags
1. e4 {best by test} e5 $1   moves, comments, glyphs
(1... c5 2. Nf3)             another line instead of the move before it
1-0                          how it ended

A game's `Style` says what moves, results and tags look like; reading is strict.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from gambito.errors import PositionError
from gambito.game.contract import Game, quoted
from gambito.game.gears import is_initial
from gambito.game.records import points_of
from gambito.game.variations import GLYPHS, Line, Move, Score
from gambito.words.sentence import Sentence

UNKNOWN = {"Date": "????.??.??", "Result": "*"}
WIDTH = 80
MOST_GLYPH = 255
_TOKEN = r"""(?P<space>\s+)
    |(?P<escape>(?m:^)%[^\n]*)
    |(?P<tag>\[\s*(?P<name>\w+)\s*"(?P<value>(?:\\.|[^"\\\n])*)"\s*\])
    |\{{(?P<comment>[^}}]*)\}}
    |;(?P<rest>[^\n]*)
    |(?P<begin>\()|(?P<end>\))
    |\$(?P<glyph>[0-9]{{1,9}})
    |(?P<result>{results})
    |(?P<number>[0-9]+\s*\.+|[0-9]+(?=\s))
    |(?P<mark>[!?]{{1,2}})
    |(?P<move>{move})"""


@dataclass(frozen=True)
class Style:
    """How the players of a game write it."""

    roster: tuple[str, ...]  # the tags that every game has, in order
    results: tuple[str, ...]  # player 0 won, player 1 won, drawn, others; the last one means not known
    move: str  # a regular expression
    own: tuple[tuple[str, str], ...] = ()  # tags that every game has, with their values

    @cached_property
    def token(self) -> re.Pattern[str]:
        results = "|".join(map(re.escape, self.results))
        return re.compile(_TOKEN.format(results=results, move=self.move), re.VERBOSE)


# ---- reading -----------------------------------------------------------------------------------------


def read_scores(game: Game, text: str, style: Style) -> list[Score]:
    """Read all games of a text."""
    return list(_Reader(game, text, style).games())


def read_one(game: Game, text: str, style: Style) -> tuple[Any, list[int]]:
    """Read the first state and the actions of the only game of a text; moves alone are accepted too."""
    score = read_tree(game, text, style)
    return score.start, score.actions


def read_tree(game: Game, text: str, style: Style) -> Score:
    """Read the only game of a text with its variations, comments and glyphs."""
    scores = read_scores(game, text, style)
    if len(scores) > 1:
        raise PositionError("the text holds {} games, not one", len(scores))
    return scores[0] if scores else Score(game.initial())


def read_scored(game: Game, text: str, style: Style) -> tuple[Any, list[int], float | None]:
    """As `read_one`, with the points of player 0 if the result is given."""
    scores = read_scores(game, text, style)
    if len(scores) != 1:
        raise PositionError("the text holds {} games, not one", len(scores))
    return scores[0].start, scores[0].actions, points_of(scores[0].result)


def split_scores(text: str, style: Style) -> Iterator[str]:
    """Split a text into its games, even if some of them have errors.

    A result ends a game. A tag after moves begins a new one, and so does a tag that the game already has.
    """
    text = text.removeprefix("\ufeff")
    begin = place = nested = 0
    tags: set[str] = set()
    has_moves = False
    while place < len(text):
        match = style.token.match(text, place)
        kind = match.lastgroup if match is not None else "junk"
        if match is not None and match["tag"]:
            if has_moves or match["name"] in tags:
                yield text[begin:place].strip()
                begin, nested, has_moves, tags = place, 0, False, set()
            tags.add(match["name"])
        elif kind not in ("space", "escape", "comment", "rest"):
            has_moves = True
            nested += {"begin": 1, "end": -1}.get(kind or "", 0)
        place = match.end() if match is not None else place + 1
        if kind == "result" and nested <= 0:
            yield text[begin:place].strip()
            begin, nested, has_moves, tags = place, 0, False, set()
    if has_moves or tags:
        yield text[begin:].strip()


class _Reader:
    """Reads a text token by token; errors name the line."""

    def __init__(self, game: Game, text: str, style: Style) -> None:
        self.game, self.style, self.text = game, style, text.removeprefix("\ufeff")
        self.place = 0

    def games(self) -> Iterator[Score]:
        score: Score | None = None
        is_ended = False
        for kind, value in self._tokens():
            if score is not None and (is_ended or (kind == "tag" and self._has_begun)):
                self._close(score)
                yield score
                score = None
            if score is None:
                score, is_ended = self._open(), False
            if kind == "tag":
                self._take_tag(score, *value)
            elif kind == "result":
                self._begin(score)
                self._expect(len(self.stack) == 1, Sentence("{} is inside a variation", value))
                score.result, is_ended = value, True
                known = score.tags.get("Result", value)
                differs = Sentence("the game ends with {}, but its tag says {}", value, quoted(known))
                self._expect(known in (value, "*"), differs)
            else:
                self._take(score, kind, value)
        if score is not None:
            self._close(score)
            yield score

    def _open(self) -> Score:
        self._has_begun = False
        self.stack: list[tuple[Line, list[Any]]] = []
        return Score(self.game.initial())

    def _close(self, score: Score) -> None:
        self._begin(score)
        self._expect(len(self.stack) == 1, Sentence("a variation is not closed with )"))
        if score.result == "*":
            score.result = score.tags.get("Result", "*")

    def _begin(self, score: Score) -> None:
        """Set the first state, after the tags."""
        if self._has_begun:
            return
        self._has_begun = True
        if "FEN" in score.tags:
            try:
                score.start = self.game.parse(score.tags["FEN"])
            except PositionError as problem:
                self._expect(False, Sentence("the tag FEN: {}", problem))
        self.stack = [(score.line, [score.start])]

    def _take_tag(self, score: Score, name: str, value: str) -> None:
        value = re.sub(r"\\(.)", r"\1", value)
        self._expect(name not in score.tags, Sentence("the tag {} is given twice", name))
        self._expect(
            name != "Result" or value in self.style.results, Sentence("{} is not a result", quoted(value))
        )
        score.tags[name] = value

    def _take(self, score: Score, kind: str, value: str) -> None:
        self._begin(score)
        line, states = self.stack[-1]
        last = line.moves[-1] if line.moves else None
        if kind == "move":
            try:
                action = self.game.read(states[-1], value)
            except PositionError as problem:
                self._expect(False, problem.sentence)
            line.moves.append(Move(action))
            states.append(self.game.result(states[-1], action))
        elif kind == "comment":
            said = " ".join(value.split())
            if last is None:
                line.comment = " ".join(filter(None, (line.comment, said)))
            else:
                last.comment = " ".join(filter(None, (last.comment, said)))
        elif kind == "begin":
            self._expect(last is not None, Sentence("a variation begins before the first move"))
            assert last is not None
            other = Line()
            last.others.append(other)
            self.stack.append((other, states[:-1]))
        elif kind == "end":
            self._expect(len(self.stack) > 1, Sentence("a ) has no matching ("))
            self.stack.pop()
        else:
            glyph = GLYPHS[value] if kind == "mark" else int(value)
            self._expect(
                last is not None and glyph <= MOST_GLYPH, Sentence("the glyph {} belongs to no move", value)
            )
            assert last is not None
            last.glyphs.append(glyph)

    def _tokens(self) -> Iterator[tuple[str, Any]]:
        while self.place < len(self.text):
            match = self.style.token.match(self.text, self.place)
            if match is None:
                found = self.text[self.place : self.place + 20].split("\n")[0]
                self._expect(False, Sentence("{} cannot be read as a part of a game", quoted(found)))
                return
            kind = match.lastgroup or ""
            if match["tag"]:
                yield "tag", (match["name"], match["value"])
            elif kind in ("comment", "rest"):
                yield "comment", match[kind]
            elif kind not in ("space", "escape", "number"):
                yield kind, match[kind]
            self.place = match.end()

    def _expect(self, is_so: bool, problem: Sentence) -> None:
        if not is_so:
            line = self.text.count("\n", 0, self.place) + 1
            raise PositionError("line {}: {}", line, problem)


# ---- writing -----------------------------------------------------------------------------------------


def write_score(game: Game, score: Score, style: Style, plies: int = 0) -> str:
    """Write a game as text, with its tags in the usual order; `plies` were played before it."""
    usual = {name: UNKNOWN.get(name, "?") for name in style.roster} | dict(style.own)
    tags = usual | score.tags | {"Result": score.result}
    if not is_initial(game, score.start):
        tags |= {"SetUp": "1", "FEN": game.text(score.start)}
    lines = ['[{} "{}"]'.format(n, v.replace("\\", r"\\").replace('"', r"\"")) for n, v in tags.items()]
    words = [*_line_words(game, score.line, score.start, plies), score.result]
    return "\n".join([*lines, "", *_wrapped(words), ""])


def read_tags(text: str, style: Style) -> dict[str, str]:
    """The tags of the first game of a text, without those that its position and its moves give."""
    first = next(split_scores(text, style), "")
    found = [match for match in style.token.finditer(first) if match["tag"]]
    tags = {match["name"]: re.sub(r"\\(.)", r"\1", match["value"]) for match in found}
    return {name: value for name, value in tags.items() if name not in ("SetUp", "FEN")}


def write_one(
    game: Game,
    start: Any,
    actions: Iterable[int],
    style: Style,
    plies: int,
    tags: Mapping[str, str] | None = None,
) -> str:
    """Write a game from its moves; the rules give its result, or a tag does if the game is not over."""
    line = Line(moves=[Move(action) for action in actions])
    return write_tree(game, Score(start, dict(tags or {}), line), style, plies)


def write_tree(game: Game, score: Score, style: Style, plies: int) -> str:
    """Write a game with its variations; the rules or a tag give its result, as above."""
    given = {name: value for name, value in score.tags.items() if re.fullmatch(r"\w+", name)}
    given = {name: " ".join(value.split()) for name, value in given.items()}
    state = score.start
    result = given.get("Result", "") if given.get("Result") in style.results else style.results[-1]
    for action in score.actions:
        state = game.result(state, action)
    if game.is_terminal(state):
        value = game.utility(state, 0)
        result = style.results[0 if value > 0 else 1 if value < 0 else 2]
    return write_score(game, replace(score, tags=given, result=result), style, plies)


def _line_words(game: Game, line: Line, state: Any, plies: int) -> list[str]:
    words = _comment_words(line.comment)
    needs_number = True
    for ply, move in enumerate(line.moves, plies):
        if ply % 2 == 0 or needs_number:
            words.append(f"{ply // 2 + 1}{'...' if ply % 2 else '.'}")
        words.append(game.write(state, move.action))
        words += [f"${glyph}" for glyph in move.glyphs]
        words += _comment_words(move.comment)
        for other in move.others:
            words += _bracketed(_line_words(game, other, state, ply))
        needs_number = bool(move.comment or move.others)
        state = game.result(state, move.action)
    return words


def _bracketed(words: list[str]) -> list[str]:
    if not words:
        return ["()"]
    words[0], words[-1] = "(" + words[0], words[-1] + ")"
    return words


def _comment_words(comment: str) -> list[str]:
    return ("{" + comment.replace("}", ")") + "}").split() if comment else []


def _wrapped(words: list[str]) -> list[str]:
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > WIDTH:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines
