"""What Analyse tells about a game that hides something: a strategy, and what the observer believes.

Both start from what one player sees. The strategy is that of a search; the belief counts what lies on each
cell in many imagined worlds. Worlds are imagined as chance makes them, so they say nothing about what the
others' moves may have told. They are imagined in the Python gear until a child process has compiled that,
which begins when the strategy is found.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import gambito
from gambito.boards.picture import Piece
from gambito.errors import GameError, SearchError
from gambito.game.contract import CHANCE, Game
from gambito.game.gears import gears
from gambito.game.registry import load, spec_of
from gambito.game_tools.bridge.tables import has_deals
from gambito.hidden.worlds import imagine_worlds, imagining
from gambito.native import functions
from gambito.native.random import new_random
from gambito.search import background_compile
from gambito.search.chooser import strongest
from gambito.search.limits import Progress, Stop
from gambito.search.search_result import SearchResult
from gambito.web.choosing import Choosing
from gambito.web.result_json import counts, info, pace
from gambito.web.setup import drawn, plain_number
from gambito.web.stream import Stream

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
    _compile_ahead(game)
    return _strategy(game, seen, found) | believed


def _strategy(game: Game, seen: Any, found: SearchResult) -> dict[str, Any]:
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
    if board is None or seat == CHANCE or has_deals(game):  # places of sorted hands say little
        return {"beliefs": [], "worlds": 0}
    try:
        able = imagining(game)
    except SearchError:  # the game cannot imagine, and is too large to be listed
        return {"beliefs": [], "worlds": 0}
    known = _by_cell(game.pieces(seen))
    counted: dict[int, Counter[tuple[Piece, ...]]] = {}
    count = 0
    for world in _worlds(able, seen, seat):
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


def _worlds(able: Game, seen: Any, seat: int) -> Iterator[Any]:
    """Worlds that look like `seen` to a seat: at least one, then more until the time is over."""
    compiled = imagine_worlds(able, seen, seat, WORLDS, SECONDS)
    try:
        with functions.finding():
            yield next(compiled)
    except functions.NotCompiled:
        plain, rng, end = gears(able).cast(seen), new_random(1), time.monotonic() + SECONDS
        yield able.imagine(plain, seat, rng)
        for _ in range(WORLDS - 1):
            if time.monotonic() > end:
                return
            yield able.imagine(plain, seat, rng)
    else:
        yield from compiled


def _compile_ahead(game: Game) -> None:
    """Begin to compile what imagines worlds in a child process, if there is no such code yet."""
    if background_compile.is_enabled() and game.picture() is not None:
        try:
            background_compile.child(("imagine", spec_of(game)), _compile, spec_of(game))
        except GameError:  # only this process knows the game
            return


def _compile(spec: str) -> None:
    """In the child process: compile what imagines worlds."""
    game = load(spec)
    state = game.initial()
    while game.player(state) == CHANCE:
        state = game.result(state, next(int(outcome) for outcome, _ in game.chances(state)))
    seat = int(game.player(state))
    next(imagine_worlds(imagining(game), game.observe(state, seat), seat, 1, SECONDS))


def _by_cell(pieces: list[Piece]) -> dict[int, tuple[Piece, ...]]:
    found: dict[int, list[Piece]] = {}
    for piece in pieces:
        found.setdefault(piece.cell, []).append(piece)
    return {cell: tuple(held) for cell, held in found.items()}
