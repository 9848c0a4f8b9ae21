"""What a game may add for text: positions, moves and whole games as people write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Self

from gambito.errors import PositionError, quoted
from gambito.game.contract.kinds import PythonOnly, State
from gambito.game.contract.parameters import Parameters
from gambito.game.line import write_line
from gambito.game.picture import words_of
from gambito.game.records import decode, split_ending, split_lines
from gambito.game.variations import Line, Move, Score
from gambito.words.sentence import Sentence

_MOST_NAMED = 12  # moves that a message lists


class Text(Parameters):
    """Text.

    The command line, the web page, books and protocols ask these. By default a position is read from its
    moves, and a move is the number of its action.
    """

    record_ending: PythonOnly[str] = "txt"  # of a file with one of its games: pgn, sgf

    def show(self, state: State) -> str:
        """The board drawn in characters, for a person."""
        return str(state)

    def remarks(self, state: State) -> str:
        """What the page tells below a picture: a score, walls left. By default what `show` says in words.

        These are its lines with a word or `name: value`; that a player is to move is left out.
        """
        return words_of(self.show(state))

    def reason(self, state: State) -> str:
        """Why the game is over, in a few words: checkmate; "" if there is nothing to say."""
        return ""

    def text(self, state: State) -> str:
        """The position in one line that `parse` reads; "" if the game has no such notation."""
        return ""

    def caption(self, state: State) -> str:
        """A few characters for the state's node when a search is drawn, or none."""
        return ""

    def parse(self, text: str) -> State:
        """The state that a text describes. By default the text has the moves played, with spaces between."""
        state = self.initial()
        for word in text.replace(",", " ").split():
            state = self.result(state, self.read(state, word))
        return state

    def legal(self, state: State) -> list[int]:
        """The actions as a list; none in a terminal state."""
        return [] if self.is_terminal(state) else [int(a) for a in self.actions(state)]

    def write(self, state: State, action: int) -> str:
        """An action as players of this game write it."""
        return str(action)

    def read(self, state: State, text: str) -> int:
        """The action that `text` names in this state."""
        named = {self.write(state, a): int(a) for a in self.legal(state)}
        if text.strip() not in named:
            some = ", ".join(list(named)[:_MOST_NAMED]) or Sentence("none, the game is over")
            raise PositionError("{} is not a move here; accepted: {}", quoted(text), some)
        return named[text.strip()]

    def token(self, state: State, action: int) -> str:
        """An action as programs write it to each other: one word that `read` reads."""
        return self.write(state, action)

    def write_game(self, start: State, actions: Iterable[int]) -> str:
        """A whole game, as `read_game` reads it. By default its moves, after its position in brackets.

        If a move has several words, every move ends with a semicolon.
        """
        words = write_line(self, start, actions)
        opening = f"[{self.text(start)}]" if self.text(start) != self.text(self.initial()) else ""
        end = ";" if any(" " in word for word in words) else ""
        return " ".join(filter(None, (opening, *(word + end for word in words))))

    def write_headed(self, start: State, actions: Iterable[int], headers: Mapping[str, str]) -> str:
        """As `write_game`, with what `headers` has read from another record, if the notation has a place."""
        return self.write_game(start, actions)

    def headers(self, text: str) -> dict[str, str]:
        """What a record says beside its moves, as players, event and date. By default nothing."""
        return {}

    def of_record(self, text: str) -> Self:
        """The game that a record is of: this one, or one of another size if the record names it."""
        return self

    def read_game(self, text: str) -> tuple[State, list[int]]:
        """The first state and the actions of a game; moves of one word each may stand without spaces."""
        opening = re.match(r"\s*\[(.*)\]([^\]]*)\Z", text, re.DOTALL)
        start = self.parse(opening[1]) if opening else self.initial()
        state, actions = start, list[int]()
        moves = opening[2] if opening else text
        words = filter(str.strip, moves.split(";")) if ";" in moves else moves.split()
        for word in words:
            try:
                found = [self.read(state, word)]
            except PositionError as problem:
                found = self._read_joined(state, word)
                if not found:
                    raise PositionError("move {}: {}", len(actions) + 1, problem) from None
            actions += found
            for action in found:
                state = self.result(state, action)
        return start, actions

    def read_tree(self, text: str) -> Score:
        """A game with its variations, comments and glyphs. By default its moves, as of `read_game`."""
        start, actions = self.read_game(text)
        return Score(start, self.headers(text), Line(moves=[Move(action) for action in actions]))

    def write_tree(self, score: Score) -> str:
        """A game with its variations, as `read_tree` reads it. By default, its moves alone."""
        return self.write_headed(score.start, score.actions, score.tags)

    def _read_joined(self, state: State, word: str) -> list[int]:
        """The actions of moves without spaces (`4455`), the longest at each place; none if that fails."""
        actions, rest = [], word.strip().lower()
        while rest:
            named = {self.write(state, action).lower(): action for action in self.legal(state)}
            name = max((name for name in named if name and rest.startswith(name)), key=len, default="")
            if not name:
                return []
            actions.append(named[name])
            state, rest = self.result(state, actions[-1]), rest[len(name) :]
        return actions

    def split_games(self, data: bytes) -> Iterable[str]:
        """The games of a collection, each a text that `read_record` reads. By default one on each line."""
        return split_lines(decode(data))

    def read_record(self, text: str) -> tuple[State, list[int], float | None]:
        """A game of a collection: its first state, its actions, and the points of player 0: 1, ½ or 0.

        The points are None if the result is not given. By default it may follow the moves, as 1-0 or 40-24.
        """
        moves, points = split_ending(text)
        return (*self.read_game(moves), points)
