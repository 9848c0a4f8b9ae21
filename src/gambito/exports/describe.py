"""What a script must know of an exported game: its words, its board, and where the module keeps things."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from gambito.boards import plain
from gambito.boards.equipment import Equipment, Values
from gambito.exports import desk
from gambito.exports.module import Exported
from gambito.game.contract import CHANCE, Game
from gambito.game.gears import gears
from gambito.native.crossing import SEAL, bytes_of, fields_of, sealed
from gambito.native.kinds import Fixed
from gambito.players.levels import LEVELS

GAMES, PLIES = 24, 200  # of random games whose moves are asked for their names
MOST_NAMES, MOST_ASKED = 4096, 8192  # actions with a name, and how often one is asked for
LEVEL_NODES = 300_000  # of a level below the highest, for a move


def describe(made: Exported, places: dict[str, int], apart: list[str]) -> dict[str, Any]:
    """All of it, for JSON; `apart` are the spaces whose contents are in a file of their own."""
    game, crossing = made.game, made.crossing
    kit = game.kept_equipment() if made.has_board else None
    fields = list(_fields(made))
    start = bytes_of(gears(game).cast(game.initial()), crossing.state)
    return {
        "title": title_of(game),
        "players": game.players,
        "sides": [str(side) for side in game.sides],
        "opposed": game.players == 2 and game.zero_sum,
        "chance": game.chance,
        "unit": float(game.unit()),
        "highest": float(game.highest),
        "algorithms": list(made.algorithms),
        "levels": [{"name": level.name, "depth": level.depth, "error": level.error} for level in LEVELS],
        "level_nodes": LEVEL_NODES,
        "start": [*sealed(start)],
        "bytes": crossing.width + SEAL,
        "words": desk.WORDS,
        "numbers": desk.NUMBERS,
        "at": {name: getattr(desk, name) for name in _PLACES},
        "touches": desk.TOUCHES if made.has_touches else 0,
        "most_touched": desk.MOST_TOUCHED,
        "spaces": {name: place for name, place in places.items() if name in _SPACES},
        "weights": [{"place": places[name], "size": crossing.spaces[name]} for name in apart],
        "cells": _cells(made, kit, fields),
        "fields": fields,
        "kit": None if kit is None else _kit(kit),
        **names_of(game),
    }


_PLACES = (
    "DEPTH", "MOST_NODES", "SEED", "FORGET", "OVER", "MOVER", "COUNT", "KEY", "REACHED", "EXACT", "LINE",
    "COUNTED", "ENDS_IN", "ROUNDS", "MILLISECONDS", "VALUE", "UTILITIES", "STATICS",
)  # fmt: skip
_SPACES = frozenset(("gambito.given", *(f"desk.{name}" for name in desk.Desk.arrays)))


def title_of(game: Game) -> str:
    return str(game.title) or game.label().partition(":")[0].replace("-", " ").capitalize()


def _fields(made: Exported) -> Iterator[dict[str, Any]]:
    """The fields of a state, each with its name and where its numbers are."""
    names = getattr(type(made.game.initial()), "_fields", ())
    for field in fields_of(made.crossing.state):
        is_array = isinstance(field.kind, Fixed)
        yield {
            "name": names[field.number] if names else "state",
            "at": field.place,
            "type": (field.kind.item if is_array else field.kind).dtype.name,
            "count": field.kind.count if is_array else 1,
        }


def _cells(made: Exported, kit: Equipment | None, fields: list[dict[str, Any]]) -> dict[str, Any]:
    """How a script learns what stands on the cells."""
    if made.has_cells and kit is not None:
        return {"how": "call", "count": kit.size}
    if kit is not None:
        drawn = plain.grids_of(made.game.initial())
        return {"how": "bytes", "fields": [each for each in fields if each["name"] in drawn]}
    return {"how": "none"}


def _kit(kit: Equipment) -> dict[str, Any]:
    cells = kit.board.cells
    facts = {
        "board": kit.picture.as_dict(),
        "cells": len(cells),
        "empty": kit.empty,
        "step": kit.step,
        "taking": kit.taking,
        "names": [cell.name for cell in cells],
    }
    if isinstance(kit, Values):
        look = {"shape": kit.look.shape, "counted": kit.is_counted, "owners": list(kit.owners)}
        return {**facts, "layers": kit.layered, "numbers": look}
    layers = [{code: kind.piece(0, number + 1 < len(kit.layers)).as_dict() for code, kind in layer.items()}
              for number, layer in enumerate(kit.layers)]  # fmt: skip
    return {**facts, "layers": len(layers), "pieces": layers}


class Names:
    """Names by number, as long as each has one: a name that depends on the position is none."""

    def __init__(self) -> None:
        self.known: dict[int, str] = {}
        self.asked, self.is_fixed = 0, True

    def meet(self, game: Game, state: Any, numbers: list[int]) -> None:
        if not self.is_fixed or self.asked > MOST_ASKED:
            return
        self.asked += len(numbers)
        for number in numbers:
            name = game.write(state, number)
            self.is_fixed &= self.known.setdefault(number, name) == name and len(self.known) <= MOST_NAMES

    def table(self) -> dict[int, str] | None:
        """The names; None: they depend on the position, are too many, or are the numbers themselves."""
        is_plain = all(name == str(number) for number, name in self.known.items())
        return None if is_plain or not self.is_fixed else dict(sorted(self.known.items()))


def names_of(game: Game) -> dict[str, Any]:
    """The names of actions and of outcomes of chance, as random games meet them."""
    actions, outcomes, rng = Names(), Names(), random.Random(1)
    kit = game.kept_equipment()
    actions.is_fixed = kit is None or type(game).write is not Game.write  # else they are names of cells
    for _ in range(GAMES):
        state = game.initial()
        for _ in range(PLIES):
            if game.is_terminal(state) or not (actions.is_fixed or game.chance):
                break
            if game.player(state) == CHANCE:
                numbers = [int(outcome) for outcome, _ in game.chances(state)]
                outcomes.meet(game, state, numbers)
            else:
                numbers = game.legal(state)
                actions.meet(game, state, numbers)
            state = game.result(state, rng.choice(numbers))
    return {"names": actions.table(), "throws": outcomes.table()}
