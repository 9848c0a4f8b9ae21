"""Positions and moves of python-chess, without importing it: whatever has `fen()`, `move_stack` and moves
with `uci()` will do. A board is told positions by `set_fen` and moves by `push_uci`.

    board = chess.Board()
    found = gambito.search(game_of(board), **position_of(board), seconds=1)
    push(board, found.action)
"""

from __future__ import annotations

from typing import Any

from gambito.errors import PositionError
from gambito.game.contract import Game
from gambito.game.registry import load_kept

CHESS, FISCHER = "chess", "chess:chess960=true"


def game_of(board: Any) -> Game:
    """The game that a board is of: chess, or Chess960."""
    variant = getattr(type(board), "uci_variant", CHESS)
    if variant not in (None, CHESS):
        raise PositionError("a board of {} is not one of chess; accepted: chess and Chess960", str(variant))
    return load_kept(FISCHER if getattr(board, "chess960", False) else CHESS)


def state_of(board: Any) -> Any:
    """The position of a board."""
    return game_of(board).parse(board.fen())


def states_of(board: Any) -> list[Any]:
    """The positions of a board from its first to the current one."""
    game, played = game_of(board), list(getattr(board, "move_stack", ()))
    states = [game.parse(board.root().fen() if played else board.fen())]
    for move in played:
        states.append(game.result(states[-1], game.read(states[-1], move.uci())))
    return states


def position_of(board: Any) -> dict[str, Any]:
    """The position and its past, as `gambito.search` and `Player.move` take them."""
    *past_states, state = states_of(board)
    return {"state": state, "past_states": past_states}


def action_of(board: Any, move: Any) -> int:
    """The action that a move is, or the text of one, in the position of a board."""
    return game_of(board).read(state_of(board), move if isinstance(move, str) else move.uci())


def uci_of(board: Any, action: int) -> str:
    """A move as UCI writes it, which `chess.Move.from_uci` reads."""
    return game_of(board).token(state_of(board), action)


def push(board: Any, action: int) -> None:
    """Play an action on a board."""
    board.push_uci(uci_of(board, action))


def place(board: Any, state: Any) -> None:
    """Set a board to a position; its past is forgotten."""
    board.set_fen(game_of(board).text(state))
