"""What Analyse tells about a game that hides something: a strategy, and what the observer believes.

Both start from what one player sees. The strategy is that of a search; the belief counts what lies on each
cell in many imagined worlds. Worlds are imagined as chance makes them, so they say nothing about what the
others' moves may have told.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import gambito
from gambito.errors import SearchError
from gambito.game.contract import CHANCE, Game
from gambito.game.picture import Piece
from gambito.hidden.worlds import imagine_worlds, imagining
from gambito.search.chooser import strongest
from gambito.search.found import Found
from gambito.search.limits import Progress, Stop
from gambito.web.choosing import Choosing
from gambito.web.setup import drawn, plain_number
from gambito.web.stream import Stream
from gambito.web.told import counts, info, pace

WORLDS = 1000  # that a belief is counted in
SECONDS = 0.7  # that they may take
MOST_SHOWN = 12  # different contents of a cell that are told
USUAL_SECONDS = 1.0


def analyse_seen(
    game: Game, seen: Any, seat: int, question: dict[str, Any], choosing: Choosing, stream: Stream, stop: Stop
) -> dict[str, Any]:
    """Return the strategy of the seat in a state that it sees, if it is to move, and what it believes."""
    believed = beliefs(game, seen, seat)
    if int(game.player(seen)) != seat or game.is_terminal(seen):
        return {"candidates": [], **believed}
    algorithm = question.get("algorithm") or strongest(game)
    limits = {name: question[name] for name in ("seconds", "nodes") if name in question}
    if not limits:
        limits["seconds"] = USUAL_SECONDS
    options = choosing.options(algorithm, question.get("options", {}))
    stream.tell({"phase": "preparing", **believed})

    def progress(now: Progress) -> None:
        if now.seconds > choosing.server.seconds:
            stop.set()
        if now.found is not None and stream.is_due():
            stream.tell(_strategy(game, seen, now.found) | counts(now) | believed)

    found = gambito.search(game, seen, algorithm, stop=stop, progress=progress, **limits, **options)
    return _strategy(game, seen, found) | believed


def _strategy(game: Game, seen: Any, found: Found) -> dict[str, Any]:
    """Return the actions with their probabilities, the most likely first, and the value of the position."""
    known = {each.action: each for each in found.candidates}
    policy = found.policy or ({found.action: 1.0} if found.action is not None else {})
    listed = [
        {
            "move": game.write(seen, action),
            **drawn(game, seen, action),
            "share": float(share),
            **_worth(game, known.get(action)),
        }
        for action, share in sorted(policy.items(), key=lambda pair: -pair[1])
    ]
    told = info(game, found)
    kept = ("value", "low", "high", "expectation", "depth", "algorithm", "nodes", "seconds")
    return {
        "candidates": listed,
        **{name: told[name] for name in kept},
        "confidence": found.confidence,
        "iterations": found.iterations,
        "exploitability": found.exploitability,
        "nps": pace(found.nodes, found.seconds),
    }


def _worth(game: Game, known: Any) -> dict[str, Any]:
    if known is None or known.value is None:
        return {"value": None, "expectation": None}
    return {"value": plain_number(known.value), "expectation": game.expectation(known.value)}


def beliefs(game: Game, seen: Any, seat: int) -> dict[str, Any]:
    """Return what may lie on the cells of the board whose contents the seat does not know.

    `worlds` are those that were counted. Each belief has a cell, the share of the worlds in which something
    lies there that is not seen, and what it is, the likeliest first.
    """
    board = game.picture()
    if board is None or seat == CHANCE:
        return {"beliefs": [], "worlds": 0}
    try:
        able = imagining(game)
    except SearchError:  # the game cannot imagine, and is too large to be listed
        return {"beliefs": [], "worlds": 0}
    known = _by_cell(game.pieces(seen))
    counted: dict[int, Counter[tuple[Piece, ...]]] = {}
    count = 0
    for world in imagine_worlds(able, seen, seat, WORLDS, SECONDS):
        count += 1
        for cell, pieces in _by_cell(game.pieces(world)).items():
            counted.setdefault(cell, Counter())[pieces] += 1
    told = []
    for cell in sorted({*counted, *known}):
        contents = counted.get(cell, Counter())
        contents[()] += count - contents.total()
        if set(+contents) == {known.get(cell, ())}:
            continue
        is_new = {pieces: bool(set(pieces) - set(known.get(cell, ()))) for pieces in contents}
        heat = sum(often for pieces, often in contents.items() if is_new[pieces]) / count
        shares = [
            {"pieces": [piece.as_dict() for piece in pieces], "share": often / count}
            for pieces, often in contents.most_common(MOST_SHOWN)
            if often
        ]
        told.append({"cell": cell, "name": board.cells[cell].name, "heat": heat, "shares": shares})
    return {"beliefs": told, "worlds": count}


def _by_cell(pieces: list[Piece]) -> dict[int, tuple[Piece, ...]]:
    found: dict[int, list[Piece]] = {}
    for piece in pieces:
        found.setdefault(piece.cell, []).append(piece)
    return {cell: tuple(held) for cell, held in found.items()}
