"""Set up the game that a client describes: the rules, the first state and the moves played.

The server does not remember clients. It keeps the games that were set up last, because the next question
usually adds one move to one of them.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from gambito.errors import PositionError
from gambito.game.contract import CHANCE, Game
from gambito.players.match import Match, side
from gambito.web.catalogue import Catalogue
from gambito.words.sentence import Sentence

KEPT = 64  # games
SHOWN = 12  # outcomes that an error message lists


class MatchSetup:
    """Sets up the games that clients describe, and keeps the last ones."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.known: OrderedDict[tuple[str, str, tuple[str, ...]], Match] = OrderedDict()

    def match(self, question: dict[str, Any]) -> Match:
        """Return the match that a question describes."""
        name, start = question["game"], question.get("start", "").strip()
        moves = tuple(question.get("moves", ()))
        before = self.known.get((name, start, moves)) or self.known.get((name, start, moves[:-1]))
        match = self._begin(name, start) if before is None else _copy(before)
        for number in range(len(match.actions), len(moves)):
            _play(match, moves[number], number + 1)
        self.known[name, start, moves] = match
        self.known.move_to_end((name, start, moves))
        if len(self.known) > KEPT:
            self.known.popitem(last=False)
        return match

    def _begin(self, name: str, start: str) -> Match:
        game = self.catalogue.load(name)
        state = game.parse(start) if start else game.initial()
        return Match(game.at(state), state)


def _copy(match: Match) -> Match:
    copy = Match(match.game, match.states[0])
    copy.states, copy.actions = list(match.states), list(match.actions)
    return copy


def _play(match: Match, move: str, number: int) -> None:
    if match.is_over:
        raise PositionError("the game is over before move {}", number)
    try:
        action = read_move(match.game, match.state, move)
    except PositionError as problem:
        raise PositionError("move {}: {}", number, problem) from None
    match.play(action)


def read_move(game: Game, state: Any, move: str) -> int:
    """Return the action that a move names, or the outcome of chance if chance decides."""
    if game.player(state) != CHANCE:
        return game.read(state, move)
    named = {game.write(state, int(outcome)): int(outcome) for outcome, _ in game.chances(state)}
    if move not in named:
        raise PositionError("'{}' cannot come up here; accepted: {}", move, ", ".join(list(named)[:SHOWN]))
    return named[move]


def one_of_games(game: Game, text: str, number: int) -> tuple[str, int]:
    """Return the game with that number in a text, and how many games the text holds."""
    try:
        game.of_record(text).read_game(text)
        return text, 1
    except PositionError:
        has_collections = type(game).split_games is not Game.split_games
        parts = [*game.split_games(text.encode(errors="replace"))] if has_collections else []
        if len(parts) < 2:
            raise
    if number > len(parts):
        raise PositionError("the text holds {} games, and no game {}", len(parts), number)
    return parts[number - 1], len(parts)


# ---- as the page sees it ---------------------------------------------------------------------------
def view(match: Match) -> dict[str, Any]:
    """Return everything that the page shows of a game."""
    game, state = match.game, match.state
    board = game.picture()
    pieces = [piece.as_dict() for piece in game.pieces(state)] if board else []
    if board and not all(0 <= piece["cell"] < len(board.cells) for piece in pieces):
        board, pieces = None, []
    return {
        "board": board.as_dict() if board else None,
        "pieces": pieces,
        "text": game.text(state),
        "show": game.show(state),
        "initial": game.text(match.states[0]),
        "player": match.player,
        "ply": len(match.actions),
        "over": match.is_over or match.is_repeated,
        "verdict": match.verdict()
        if match.is_over
        else Sentence("a draw by repetition")
        if match.is_repeated
        else "",
        "utilities": [plain_number(u) for u in match.utilities()] if match.is_over else None,
        "sides": [side(game, player) for player in range(game.players)],
        "actions": []
        if match.player == CHANCE or match.is_repeated
        else [_action(match, state, a) for a in game.legal(state)],
        "played": [
            {**_action(match, before, action), "player": int(game.player(before))}
            for before, action in zip(match.states, match.actions, strict=False)
        ],
    }


def plain_number(value: Any) -> float:
    """Convert a number of the rules, which may be a NumPy number, for JSON."""
    return float(value) if isinstance(value, float) else int(value)


def _action(match: Match, state: Any, action: int) -> dict[str, Any]:
    return {"move": match.game.write(state, action), "touch": touched(match.game, state, action)}


def touched(game: Game, state: Any, action: int) -> list[list[int]]:
    """Return the cells that an action touches, each with the cells that may be touched instead."""
    if game.player(state) == CHANCE:
        return []
    return [
        [int(c) for c in (step if isinstance(step, tuple) else (step,))] for step in game.touch(state, action)
    ]
