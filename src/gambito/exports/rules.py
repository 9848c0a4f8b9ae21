"""What an exported game says of a position, and how it plays an action."""

from __future__ import annotations

from gambito.exports.desk import (
    COUNT,
    ILLEGAL,
    IS_OVER,
    KEY,
    MOST_TOUCHED,
    MOVER,
    OVER,
    STATICS,
    TOUCHES,
    UTILITIES,
)
from gambito.game.contract import CHANCE, MOST_ACTIONS
from gambito.native import int64, native, uint64
from gambito.native.store import put


@native
def look(game, state, desk):
    """Write who moves, whether the game is over, the actions or outcomes, and what everybody has; return the
    number of actions."""
    is_over, player, count = game.is_terminal(state), int64(game.player(state)), int64(0)
    desk.words[OVER], desk.words[MOVER] = int64(is_over), player
    desk.words[KEY] = int64(uint64(game.key(state)))
    for each in range(game.players):
        desk.numbers[UTILITIES + each] = 0.0
        desk.numbers[STATICS + each] = 0.0
        if is_over:
            desk.numbers[UTILITIES + each] = float(game.utility(state, each))
        elif player != CHANCE:
            desk.numbers[STATICS + each] = float(game.evaluate(state, each))
    if not is_over:
        if game.chance and player == CHANCE:
            for outcome, probability in game.chances(state):
                if count < MOST_ACTIONS:
                    desk.actions[count], desk.chances[count] = outcome, probability
                    count += 1
        else:
            for action in game.actions(state):
                if count < MOST_ACTIONS:
                    desk.actions[count] = action
                    count += 1
    desk.words[COUNT] = count
    return count


@native
def play(game, state, action, desk):
    """Write the state after a legal action; any other one is refused."""
    if game.is_terminal(state):
        return int64(IS_OVER)
    is_legal = False
    for each in game.actions(state):
        if each == action:
            is_legal = True
            break
    if not is_legal:
        return int64(ILLEGAL)
    put(desk.made, int64(0), game.result(state, action))
    return int64(0)


@native
def see(game, state, cells, desk):
    """Write what stands on each cell of the board."""
    for cell in range(cells):
        desk.cells[cell] = game.stands(state, cell)
    return int64(0)


@native
def touch(game, state, desk):
    """Write the cells that a person touches for each action that `look` has listed."""
    number = int64(0)
    if not game.is_terminal(state) and game.player(state) != CHANCE:
        for action in game.actions(state):
            if number < MOST_TOUCHED:
                for step in range(TOUCHES):
                    cell = int64(game.touched(state, action, step))
                    desk.touches[TOUCHES * number + step] = cell
                    if cell < 0:
                        break
                number += 1
    return number
