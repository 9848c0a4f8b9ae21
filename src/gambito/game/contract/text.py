"""What a game may add for text: positions, moves and whole games as people write them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Self

from gambito.boards import plain
from gambito.boards.equipment import Equipment
from gambito.boards.picture import words_of
from gambito.errors import PositionError, quoted
from gambito.game.contract.equipment import Equipped
from gambito.game.contract.kinds import CHANCE, PythonOnly, State
from gambito.game.contract.picture import Picture
from gambito.game.line import write_line
from gambito.game.records import decode, split_ending, split_lines
from gambito.game.variations import Line, Move, Score
from gambito.words import name_of, say, tell
from gambito.words.sentence import Sentence

_MOVER = re.compile(  # names of fields that may say who moves
    "(current_|active_|next_|whose_)?(mover|player|side|turn)(_to_(move|play))?|to_(move|play)|current|active"
)
_MOST_NAMED = 12  # moves that a message lists
_NAMED = "_gambito_named"  # the attribute with the last state whose actions were written, and their names


def _bare(name: str) -> str:
    """A name without the signs that people leave out or exchange; "" if nothing else is left."""
    return re.sub("[-x:=]", "", name.lower())


class Text(Picture):
    """Text.

    The command line, the web page, books and protocols ask these. By default a position is read from its
    moves, and a move is the number of its action.
    """

    record_ending: PythonOnly[str] = "txt"  # of a file with one of its games: pgn, sgf

    def show(self, state: State) -> str:
        """The board drawn in characters, for a person; without a board, a table of the fields."""
        kit = self.kept_equipment()
        if kit is None:
            return plain.table(state)
        rest = (
            plain.table(state, [*plain.grids_of(state), *self._who_moves(state)]) if self._is_plain() else ""
        )
        return "\n".join(filter(None, (kit.draw(self.cell_codes(state)), rest, self.turn_words(state))))

    def _who_moves(self, state: State) -> list[str]:
        """The fields that only say who moves, which the page itself tells."""
        named = ((name, value) for name, value in plain.fields_of(state).items() if _MOVER.fullmatch(name))
        return [name for name, value in named if value == self.player(state)]

    def spoken(self, name: str) -> str:
        """The name of a move as a person reads it, in the language of the process."""
        return name_of(name)

    def heard(self, state: State, text: str) -> int:
        """The action that a person means, who may type what `spoken` gives, or what `read` accepts."""
        try:
            return self.read(state, text)
        except PositionError:
            for action in self.legal(state):
                if self.spoken(self.write(state, action)) == text:
                    return action
            raise

    def turn_words(self, state: State) -> str:
        """The line below the board that says who moves."""
        if self.is_terminal(state):
            return say("the game is over")
        player = int(self.player(state))
        if player == CHANCE:
            return ""
        kit = self.kept_equipment()
        names = (kit.movers if kit else ()) or self.sides
        return say("{0} to move", tell(names[player])) if names else say("player {} to move", player + 1)

    def remarks(self, state: State) -> str:
        """What the page tells below a picture: a score, walls left. By default what `show` says in words.

        These are its lines with a word or `name: value`; that a player is to move is left out.
        """
        return words_of(self.show(state))

    def reason(self, state: State) -> str:
        """Why the game is over, in a few words: checkmate; "" if there is nothing to say."""
        return ""

    def text(self, state: State) -> str:
        """The position in one line that `parse` reads; "" if the game has no such notation.

        By default it is what stands on the board, row by row, with the words that belong to it.
        """
        kit = self.kept_equipment()
        if kit is None or not self._is_set_up():
            return ""
        try:
            return kit.write(self.cell_codes(state), int(self.player(state)), self.extras(state))
        except PositionError:
            return ""

    def _is_set_up(self) -> bool:
        """Can a position be made from what stands on the cells?"""
        has_own = type(self).set_up is not Equipped.set_up or type(self).extras is not Equipped.extras
        return has_own or self._is_plain()

    def _is_plain(self) -> bool:
        """Do the arrays of a state say what stands on the cells?"""
        return type(self).stands is Equipped.stands

    def caption(self, state: State) -> str:
        """A few characters for the state's node when a search is drawn, or none."""
        return ""

    def parse(self, text: str) -> State:
        """The state that a text describes: what `text` gives, or the moves played, with spaces between."""
        kit = self.kept_equipment()
        if kit is not None and self._is_set_up() and kit.is_position(text):
            placed = kit.read(text)
            if placed.extras and type(self).extras is Equipped.extras and not self._is_plain():
                raise kit.wrong(text)
            return self.set_up(placed.cells, placed.mover, placed.extras, text)
        state = self.initial()
        for action in self._read_moves(state, text.replace(",", " ").split()):
            state = self.result(state, action)
        return state

    def legal(self, state: State) -> list[int]:
        """The actions as a list; none in a terminal state."""
        return [] if self.is_terminal(state) else [int(a) for a in self.actions(state)]

    def write(self, state: State, action: int) -> str:
        """An action as players of this game write it.

        By default the cells that it touches, or its number if it touches none.
        """
        kit = self.kept_equipment()
        if kit is None or self.player(state) == CHANCE:
            return str(action)
        kept = vars(self).get(_NAMED)
        if kept is None or kept[0] is not state:
            kept = vars(self)[_NAMED] = (state, self._named(kit, state))
        return kept[1].get(action) or self._name(kit, state, action)

    def _name(self, kit: Equipment, state: State, action: int) -> str:
        way = [step[0] if isinstance(step, tuple) else step for step in self.touch(state, action)]
        is_taking = len(way) == 2 and self.stands(state, way[1]) != kit.empty
        return (kit.taking if is_taking else kit.step).join(
            kit.board.cells[cell].name for cell in way
        ) or str(action)

    def _named(self, kit: Equipment, state: State) -> dict[int, str]:
        """The names of all actions; if several would have one, the number of the action follows it."""
        names = {action: self._name(kit, state, action) for action in self.legal(state)}
        often = Counter(names.values())
        return {action: name if often[name] == 1 else f"{name}:{action}" for action, name in names.items()}

    def read(self, state: State, text: str) -> int:
        """The action that `text` names in this state."""
        named, word = {self.write(state, a): int(a) for a in self.legal(state)}, text.strip()
        for bare in (str, str.lower, _bare):
            alike = [action for name, action in named.items() if bare(name) == bare(word)]
            if len(alike) == 1:
                return alike[0]
        some = ", ".join(list(named)[:_MOST_NAMED]) or Sentence("none, the game is over")
        raise PositionError("{} is not a move here; accepted: {}", quoted(text), some)

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
        moves = opening[2] if opening else text
        words = filter(str.strip, moves.split(";")) if ";" in moves else moves.split()
        return start, self._read_moves(start, words)

    def _read_moves(self, state: State, words: Iterable[str]) -> list[int]:
        """The actions of moves from a state on; moves of one word each may stand without spaces."""
        actions: list[int] = []
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
        return actions

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
