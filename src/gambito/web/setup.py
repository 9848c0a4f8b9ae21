"""Set up the game that a client describes: the rules, the first state and the moves played.

The server does not remember clients. It keeps the games that were set up last, because the next question
usually adds one move to one of them.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Sequence
from typing import Any

from gambito.boards.picture import Piece
from gambito.errors import PositionError
from gambito.game.contract import CHANCE, Game
from gambito.game.puzzle import Puzzle
from gambito.players.running_game import RunningGame, side
from gambito.web.catalogue import Catalogue

KEPT = 64  # games
MOST_ACTIONS = 20_000
SHOWN = 12  # outcomes that an error message lists


class MatchSetup:
    """Sets up the games that clients describe, and keeps the last ones."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.known: OrderedDict[tuple[str, str, tuple[str, ...]], ShownMatch] = OrderedDict()

    def match(self, question: dict[str, Any]) -> ShownMatch:
        """Return the match that a question describes."""
        name, start = question["game"], question.get("start", "").strip()
        moves = tuple(question.get("moves", ()))
        before, length = self._nearest(name, start, moves)
        match = self._begin(name, start) if before is None else copy_of(before, length)
        for number in range(len(match.actions), len(moves)):
            _play(match, moves[number], number + 1)
        self.known[name, start, moves] = match
        self.known.move_to_end((name, start, moves))
        if len(self.known) > KEPT:
            self.known.popitem(last=False)
        return match

    def _nearest(self, name: str, start: str, moves: tuple[str, ...]) -> tuple[ShownMatch | None, int]:
        """Return the known game that begins with most of these moves, and how many they are."""
        same = self.known.get((name, start, moves)) or self.known.get((name, start, moves[:-1]))
        if same is not None:
            return same, len(same.actions)
        best, longest = None, -1
        for (other, place, played), match in self.known.items():
            if (other, place) == (name, start):
                length = next((n for n, (a, b) in enumerate(zip(moves, played)) if a != b), None)
                length = min(len(moves), len(played)) if length is None else length
                best, longest = (match, length) if length > longest else (best, longest)
        return best, max(longest, 0)

    def _begin(self, name: str, start: str) -> ShownMatch:
        game = self.catalogue.load(name)
        state = game.parse(start) if start else game.initial()
        return ShownMatch(game.at(state), state)


class ShownMatch(RunningGame):
    """A match, and its moves as the page sees them: they are described once, however long the game gets."""

    def __init__(self, game: Game, state: Any) -> None:
        super().__init__(game, state)
        self._played: list[dict[str, Any]] = []
        self.noticed: dict[int, list[Any]] = {}  # what each seat has seen, if something is hidden

    def played(self) -> list[dict[str, Any]]:
        """Return all moves so far, each with its player."""
        for number in range(len(self._played), len(self.actions)):
            before = self.states[number]
            action = _action(self.game, before, self.actions[number])
            self._played.append({**action, "player": int(self.game.player(before))})
        return self._played


def copy_of(match: ShownMatch, length: int) -> ShownMatch:
    """Return a copy of the first moves of a match."""
    copy = ShownMatch(match.game, match.states[0])
    copy.states, copy.actions = match.states[: length + 1], match.actions[:length]
    copy.keys, copy._played = match.keys[: length + 1], match._played[:length]
    copy.noticed = {
        seat: [each for each in seen if each.ply <= length] for seat, seen in match.noticed.items()
    }
    return copy


def _play(match: RunningGame, move: str, number: int) -> None:
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
def view(match: ShownMatch) -> dict[str, Any]:
    """Return everything that the page shows of a game."""
    game, state = match.game, match.state
    is_over = match.is_over or match.is_repeated
    return {
        **position(game, state, _thrown(match)),
        "initial": game.text(match.states[0]),
        "player": match.player,
        "ply": len(match.actions),
        "over": is_over,
        "verdict": match.verdict() if is_over else "",
        "utilities": [plain_number(u) for u in match.utilities()] if is_over else None,
        "points": match.points() if is_over else None,
        "cost": _cost(game, match) if isinstance(game, Puzzle) else None,
        "tallies": [tally.as_dict() for tally in game.tallies(state, match.states[0], match.actions)],
        "actions": [] if match.player == CHANCE or is_over else actions(game, state),
        "played": match.played(),
    }


def position(game: Game, state: Any, thrown: Sequence[Piece] = ()) -> dict[str, Any]:
    """Return the picture and the texts of a state; `thrown` are pieces that show what chance gave."""
    board = game.picture()
    pieces = [piece.as_dict() for piece in (*game.pieces(state), *thrown)] if board else []
    if board and not all(0 <= piece["cell"] < len(board.cells) for piece in pieces):
        board, pieces = None, []
    return {
        "board": board.as_dict() if board else None,
        "pieces": pieces,
        "marks": [mark.as_dict() for mark in game.marks(state)] if board else [],
        "text": game.text(state),
        "show": game.show(state),
        "remarks": game.remarks(state) if board else "",
        "sides": [side(game, player) for player in range(game.players)],
        "opposed": game.players == 2 and game.zero_sum,
    }


def actions(game: Game, state: Any) -> list[dict[str, Any]]:
    """Return the legal actions, and how they are touched."""
    legal = game.legal(state)
    if len(legal) > MOST_ACTIONS:
        raise PositionError("there are {} moves here; the page shows at most {}", len(legal), MOST_ACTIONS)
    found = [(a, _action(game, state, a) | _other_ways(game, state, a)) for a in legal]
    alike = Counter(str(told["touch"]) for _, told in found)
    return [
        told | _becomes(game, state, action) if told["touch"] and alike[str(told["touch"])] > 1 else told
        for action, told in found
    ]


def _becomes(game: Game, state: Any, action: int) -> dict[str, Any]:
    """Return the piece that stands at the end of an action, to choose among actions of the same touches."""
    end = _cells(game.touch(state, action))[-1][0]
    after = [piece for piece in game.pieces(game.result(state, action)) if piece.cell == end]
    return {"becomes": after[-1].as_dict()} if after else {}


def _thrown(match: RunningGame) -> list[Piece]:
    """Return the pieces that show what chance has just given."""
    if not match.actions or match.game.player(match.states[-2]) != CHANCE:
        return []
    return match.game.thrown(match.state, match.actions[-1])


def _cost(puzzle: Puzzle, match: RunningGame) -> float:
    """Return the cost of the moves made in a puzzle."""
    made = zip(match.states, match.actions, strict=False)
    return plain_number(sum(puzzle.cost(state, action) for state, action in made))


def plain_number(value: Any) -> float:
    """Convert a number of the rules, which may be a NumPy number, for JSON."""
    return float(value) if isinstance(value, float) else int(value)


def _action(game: Game, state: Any, action: int) -> dict[str, Any]:
    return {"move": game.write(state, action)} | drawn(game, state, action)


def drawn(game: Game, state: Any, action: int) -> dict[str, Any]:
    """Return the cells that an action touches, each with those that may be touched instead, and its arrows.

    The arrows are left out where the game has none of its own: a piece goes along the cells that are touched.
    """
    if game.player(state) == CHANCE:
        return {"touch": []}
    way = {"touch": _cells(game.touch(state, action))}
    is_along = type(game).arrows is Game.arrows and len(way["touch"]) < 3
    if is_along or (type(game).arrows is Game.arrows and type(game).touch is not Game.touch):
        return way
    return way | {"arrows": [[int(cell) for cell in arrow] for arrow in game.arrows(state, action)]}


def _other_ways(game: Game, state: Any, action: int) -> dict[str, Any]:
    """Return the other orders in which the cells of an action may be touched, if there are any."""
    _, *others = ((),) if type(game).touches is Game.touches else game.touches(state, action)
    return {"others": [_cells(way) for way in others]} if others else {}


def _cells(way: Sequence[int | tuple[int, ...]]) -> list[list[int]]:
    return [[int(cell) for cell in (step if isinstance(step, tuple) else (step,))] for step in way]
