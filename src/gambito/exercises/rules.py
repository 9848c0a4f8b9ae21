"""Exercises: the rules of Nim and of tic-tac-toe, compared with the package's rules along the same moves."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from gambito.exercises.counted import TooManySteps
from gambito.exercises.exercise import Exercise, Wrong
from gambito.exercises.trial import StudentAnswer, Trial, is_number, shortened
from gambito.game.contract import Game
from gambito.game.registry import load
from gambito.words.sentence import Sentence

RULES = ("initial", "player", "actions", "result", "is_terminal", "utility")
MOST_ACTIONS = 1000


@dataclasses.dataclass(frozen=True)
class Walk:
    """Moves from the start of a game; all rules are compared in the state that they lead to."""

    game: str
    made_with: tuple[Any, ...]  # arguments for the student's class
    moves: tuple[int, ...]  # as the student's class writes them
    number: Callable[[int], int]  # converts an action to the package's game

    @property
    def text(self) -> str:
        return self.game

    @property
    def given(self) -> str:
        return f"actions={list(self.moves)}"

    def ask(self, function: Callable[..., Any]) -> StudentAnswer:
        """What the rules say; twice, with every action tried in between."""
        missing = [rule for rule in RULES if not callable(getattr(function, rule, None))]
        if missing:
            return StudentAnswer({"missing": missing})
        game = function(*self.made_with)
        state = game.initial()
        for move in self.moves:
            state = game.result(state, move)
        facts = _facts(game, state)
        if isinstance(facts["actions"], list) and not facts["is_terminal"]:
            for action in facts["actions"]:
                game.result(state, action)
            facts["again"] = _facts(game, state)
        return StudentAnswer(facts)

    def truth(self) -> dict[str, Any]:
        game = load(self.game)
        state = game.initial()
        for move in self.moves:
            state = game.result(state, self.number(move))
        return _facts(game, state)

    def smaller(self) -> Iterable[Walk]:
        return ()

    def shown(self) -> tuple[str, str]:
        game = load(self.game)
        state = game.initial()
        for move in self.moves:
            state = game.result(state, self.number(move))
        return game.show(state), ""


def _facts(game: Any, state: Any) -> dict[str, Any]:
    over = game.is_terminal(state)
    facts: dict[str, Any] = {"player": game.player(state), "is_terminal": over, "actions": []}
    if over:
        facts["utility"] = [game.utility(state, 0), game.utility(state, 1)]
        return facts
    actions = game.actions(state)
    try:
        listed = []
        for action in actions:
            listed.append(action)
            if len(listed) > MOST_ACTIONS:
                raise TooManySteps(Sentence("actions returns more than {} actions", MOST_ACTIONS))
        facts["actions"] = sorted(listed)
    except TypeError:
        facts["actions"] = actions
    return facts


def _judge(case: Walk, answer: StudentAnswer) -> Wrong | None:
    said, right = answer.value, case.truth()
    if "missing" in said:
        return Wrong(Sentence("the class has no rule {}", ", ".join(said["missing"])), "missing")
    own = {case.number(action): action for action in range(MOST_ACTIONS)}
    right["actions"] = sorted(own[int(action)] for action in right["actions"])
    for rule in ("is_terminal", "player", "actions", "utility"):
        if rule not in right:
            continue
        gave = said.get(rule)
        if rule == "player" and right["is_terminal"] and not is_number(gave):
            return Wrong("player must be a number even when the game is over", "rules", gave=shortened(gave))
        if rule == "is_terminal":
            gave = bool(gave)
        if gave != (bool(right[rule]) if rule == "is_terminal" else right[rule]):
            return Wrong(
                Sentence("the rule {} is wrong", rule), "rules", gave=_plain(gave), right=_plain(right[rule])
            )
    again = said.get("again")
    if again is not None and any(again[rule] != said[rule] for rule in ("player", "is_terminal", "actions")):
        return Wrong("result changes the state that it is given; it must return a new one", "rules")
    return None


def _plain(value: Any) -> Any:
    return [int(v) if is_number(v) else shortened(v) for v in value] if isinstance(value, list) else value


def _walks(
    name: str, made_with: tuple[Any, ...], number: Callable[[int], int], back: Callable[[int], int], most: int
) -> Iterator[Walk]:
    """Paths to different states of a game, the shortest first; at random if there are too many."""
    game: Game = load(name)
    rng = random.Random(1)
    layer: list[tuple[tuple[int, ...], Any]] = [((), game.initial())]
    while layer:
        if len(layer) > most:
            layer = rng.sample(layer, most)
        yield from (Walk(name, made_with, moves, number) for moves, _ in sorted(layer))
        following: dict[Any, tuple[int, ...]] = {}
        for moves, state in layer:
            for action in game.legal(state):
                following.setdefault(game.result(state, action), (*moves, back(action)))
        layer = [(moves, state) for state, moves in following.items()]


# ---- Nim -----------------------------------------------------------------------------------------
SAME_PLAYER = "the player does not change"
LAST_LOSES = "the utility has the wrong sign: the player who takes the last object wins"
TAKE_NONE = "taking nothing is allowed"
ONE_ONLY = "only one object can be taken"
FOR_FIRST = "the utility is always the first player's"
IN_PLACE = "result changes the state that it is given"


def _nim(mistake: str = "") -> type:
    """Nim with a mistake."""

    class Nim:
        def __init__(self, heaps: tuple[int, ...]) -> None:
            self.heaps = heaps

        def initial(self) -> Any:
            return [list(self.heaps), 0]

        def player(self, state: Any) -> int:
            return state[1]

        def actions(self, state: Any) -> list[int]:
            first = 0 if mistake == TAKE_NONE else 1
            most = 1 if mistake == ONE_ONLY else 9
            return [10 * h + n for h, size in enumerate(state[0]) for n in range(first, min(size, most) + 1)]

        def result(self, state: Any, action: int) -> Any:
            heaps = state[0] if mistake == IN_PLACE else list(state[0])
            heaps[action // 10] -= action % 10
            return [heaps, state[1] if mistake == SAME_PLAYER else 1 - state[1]]

        def is_terminal(self, state: Any) -> bool:
            return not any(state[0])

        def utility(self, state: Any, player: int) -> int:
            side = 0 if mistake == FOR_FIRST else player
            won = side != state[1]
            return 1 if won != (mistake == LAST_LOSES) else -1

    return Nim


def _nim_walks() -> list[Walk]:
    heaps = ((1,), (2,), (1, 1), (3,), (2, 1), (2, 2), (1, 2, 1), (3, 2), (1, 2, 3))
    walks: list[Walk] = []
    for sizes in heaps:
        name = "nim:heaps=" + "-".join(map(str, sizes))
        walks += _walks(name, (sizes,), _to_nim, _from_nim, 200)
    return walks


def _to_nim(action: int) -> int:
    return action // 10 * 256 + action % 10


def _from_nim(action: int) -> int:
    return action // 256 * 10 + action % 256


NIM = Exercise(
    name="nim",
    title="The rules of Nim: take from one heap; the player who takes the last object wins.",
    task="""Write a class Nim, made with Nim(heaps), where heaps is a tuple such as (3, 4, 5). It has the \
six rules of a game: initial(), player(state), actions(state), result(state, action), is_terminal(state) \
and utility(state, player).

A player takes one or more objects from one heap. An action is 10 times the number of the heap, \
counted from 0, plus the number of objects taken: 12 takes two from heap 1. The player who takes the \
last object wins: utility is 1 for the winner and -1 for the loser.

player is 0 or 1, even when the game is over. A state may be any object; result must not change the \
state that it is given.""",
    checked="player, actions, is_terminal and utility in every state that can be reached from nine small \
heaps.",
    hint="A state can be a tuple of the heaps and the player to move. When nothing is left, the player \
to move has lost.",
    lesson="your-own-game.md",
    function="Nim",
    start='''"""The rules of Nim: take from one heap; the player who takes the last object wins."""


class Nim:
    def __init__(self, heaps):
        self.heaps = heaps

    def initial(self):
        return self.heaps, 0

    def player(self, state):
        heaps, player = state
        return player

    def actions(self, state):
        return []

    def result(self, state, action):
        return state

    def is_terminal(self, state):
        heaps, player = state
        return sum(heaps) == 0

    def utility(self, state, player):
        return 0


if __name__ == "__main__":
    game = Nim((1, 2))
    print(game.actions(game.initial()))  # [1, 11, 12]
''',
    check=Trial(
        _nim_walks,
        _judge,
        [(name, _nim(name)) for name in (SAME_PLAYER, LAST_LOSES, FOR_FIRST, TAKE_NONE, ONE_ONLY, IN_PLACE)],
    ),
)


# ---- tic-tac-toe ---------------------------------------------------------------------------------
NO_DIAGONALS = "the diagonals are forgotten"
NO_COLUMNS = "the columns are forgotten"
NOT_FULL = "a full board does not end the game"
FULL_ONLY = "the game goes on until the board is full"
FOR_MOVER = "the win is given to the player to move, who has lost"
OCCUPIED = "occupied squares can be played"
_ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
_COLUMNS = ((0, 3, 6), (1, 4, 7), (2, 5, 8))
_DIAGONALS = ((0, 4, 8), (2, 4, 6))


def _tic_tac_toe(mistake: str = "") -> type:
    """Tic-tac-toe with a mistake."""
    lines = (
        _ROWS + (() if mistake == NO_COLUMNS else _COLUMNS) + (() if mistake == NO_DIAGONALS else _DIAGONALS)
    )

    class TicTacToe:
        def initial(self) -> Any:
            return " " * 9

        def player(self, state: str) -> int:
            return 0 if mistake == SAME_PLAYER else (9 - state.count(" ")) % 2

        def actions(self, state: str) -> list[int]:
            return [s for s in range(9) if state[s] == " " or mistake == OCCUPIED]

        def result(self, state: str, action: int) -> str:
            return state[:action] + "XO"[self.player(state)] + state[action + 1 :]

        def _line(self, state: str) -> str:
            return next((state[a] for a, b, c in lines if state[a] == state[b] == state[c] != " "), "")

        def is_terminal(self, state: str) -> bool:
            full = " " not in state and mistake != NOT_FULL
            return full or (mistake != FULL_ONLY and bool(self._line(state)))

        def utility(self, state: str, player: int) -> int:
            winner = self._line(state)
            if not winner:
                return 0
            return 1 if (winner == "XO"[player]) != (mistake == FOR_MOVER) else -1

    return TicTacToe


TIC_TAC_TOE = Exercise(
    name="tic-tac-toe",
    title="The rules of tic-tac-toe: three in a row wins.",
    task="""Write a class TicTacToe, made with TicTacToe(), with the six rules of a game: initial(), \
player(state), actions(state), result(state, action), is_terminal(state) and utility(state, player).

An action is a square, from 0 in the upper left corner to 8 in the lower right one, row by row. Player \
0 begins. utility is 1 for the player with three in a row, -1 for the other, and 0 for both in a draw.

player is 0 or 1, even when the game is over. A state may be any object; result must not change the \
state that it is given.""",
    checked="player, actions, is_terminal and utility in up to 400 states of each number of moves.",
    hint="There are eight lines. A board can be a string of nine characters; the number of marks says \
who moves.",
    lesson="your-own-game.md",
    function="TicTacToe",
    start='''"""The rules of tic-tac-toe: three in a row wins."""


class TicTacToe:
    def initial(self):
        return "." * 9

    def player(self, state):
        return 0

    def actions(self, state):
        return [square for square in range(9) if state[square] == "."]

    def result(self, state, action):
        return state

    def is_terminal(self, state):
        return False

    def utility(self, state, player):
        return 0


if __name__ == "__main__":
    game = TicTacToe()
    print(game.result(game.initial(), 4))  # ....X....
''',
    check=Trial(
        lambda: list(_walks("tic-tac-toe", (), int, int, 400)),
        _judge,
        [
            (name, _tic_tac_toe(name))
            for name in (NO_DIAGONALS, NO_COLUMNS, NOT_FULL, FULL_ONLY, FOR_MOVER, OCCUPIED, SAME_PLAYER)
        ],
    ),
)
