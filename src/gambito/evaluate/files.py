"""The file of an evaluation: one line of JSON, then the weights, deflated.

    {"gambito": "evaluation 1", "game": …, "form": …, "digest": …, "seed": …, "trained": …, …}

`form` says what the value is made of, `trained` how the weights were found and on what. The digest covers the
form, the positions of a fixed walk through the game and what they are worth: where rules, features or weights
are others, it is another. A file whose digest is not that of the game it is read for is refused.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gambito.errors import EvaluationError
from gambito.game.contract import CHANCE, Game, game_name
from gambito.native import Memory
from gambito.native.files import put_file

FORMAT = "evaluation 1"
SUFFIX = ".eval"
HAND, LEARNED, BLANK, USUAL = "hand", "learned", "blank", "usual"  # words for `evaluation=`
WALK = 12  # plies that the digest looks at
FACTS = ("game", "form", "digest", "seed", "trained")
LINE = 1 << 16  # bytes of the longest header


@dataclass(frozen=True)
class Evaluation:
    """What a file says of itself, and its weights."""

    game: str
    form: str
    digest: str
    seed: int
    trained: dict[str, Any]
    arrays: dict[str, Any]


def shipped(game: Game) -> Path:
    """Where the weights that come with Gambito are, if there are any for this game."""
    name = _subject(game).replace(":", "-").replace(",", "-")
    return Path(__file__).resolve().parent.parent / "weights" / f"{name}{SUFFIX}"


def _subject(game: Game) -> str:
    """The game that an evaluation is for."""
    return game_name(type(game)) if game.one_evaluation else game.label(without="evaluation")


def prepare(game: Any, kind: Any = np.int16) -> None:
    """Have a game with a `form` hold its `weights`, and say whether it `is_learned`: its maker's last step.

    Its parameter `evaluation` is hand, learned (what comes with Gambito), blank (where learning begins),
    usual, which is learned where there is something; one of its `schools`; or a file. Where the form has
    hand-set weights, hand and blank are these, and the game has no evaluation of another kind.
    """
    chosen, form = game.evaluation, game.form
    hand = getattr(form, "hand", None)
    has_file = form is not None and chosen not in (HAND, BLANK, *game.schools)
    has_file = has_file and (chosen != USUAL or shipped(game).exists())
    game.is_learned = hand is not None or has_file or (form is not None and chosen == BLANK)
    game.weights = Memory(np.zeros(1, kind))
    if form is None and chosen not in (HAND, USUAL, *game.schools):
        raise EvaluationError("{} has no learned evaluation", game.label(without="evaluation"))
    if not game.is_learned:
        return

    def make() -> Any:
        if not has_file:
            return np.zeros(form.size, kind) if hand is None else hand.astype(kind)
        path = shipped(game) if chosen in (USUAL, LEARNED) else Path(chosen)
        found = read_evaluation(path, game, form.description)
        game.weights.array = found.arrays["weights"].astype(kind)
        prove(path, game, found)
        return game.weights.array

    game.weights = Memory(make)
    for name, derive in getattr(form, "derived", {}).items():
        setattr(game, name, Memory(lambda derive=derive: derive(game.weights.array)))
    if has_file and chosen not in (USUAL, LEARNED):
        _ = game.weights.array  # a file that does not fit is told at once


def write_evaluation(
    path: Path, game: Game, form: str, arrays: dict[str, Any], trained: dict[str, Any], seed: int
) -> None:
    """Keep weights, which the game holds already; the same bytes for the same weights, always."""
    body = b"".join(np.ascontiguousarray(array).tobytes() for array in arrays.values())
    packed = zlib.compress(body, 9)
    header = {
        "gambito": FORMAT,
        "game": _subject(game),
        "form": form,
        "digest": proof(game, form),
        "seed": seed,
        "trained": trained,
        "arrays": {name: [array.dtype.newbyteorder("<").str, len(array)] for name, array in arrays.items()},
    }
    header["sum"] = _checksum(header, packed)
    put_file(path, [json.dumps(header, ensure_ascii=False).encode() + b"\n", packed])


def read_evaluation(path: Path, game: Game, form: str) -> Evaluation:
    """What a file holds, if it is of that form and for that game; once it is in place, `prove` it."""
    try:
        data = Path(path).read_bytes()
    except OSError as problem:
        raise EvaluationError("{} cannot be read: {}", path, problem.strerror or problem) from None
    line, _, packed = data.partition(b"\n")
    try:
        header = json.loads(line[:LINE])
        found = Evaluation(**{name: header[name] for name in FACTS}, arrays={})
        is_right = header["gambito"] == FORMAT
        kinds = {name: (np.dtype(kind), int(count)) for name, (kind, count) in header["arrays"].items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        is_right = False
    if not is_right:
        raise EvaluationError("{} is no evaluation of Gambito", path)
    if found.game != _subject(game):
        raise EvaluationError("{} is for {}, not for {}", path, found.game, _subject(game))
    if found.form != form:
        raise EvaluationError("{} was made for other features: {}; here: {}", path, found.form, form)
    if header.pop("sum", "") != _checksum(header, packed):
        raise EvaluationError("{} is damaged: its checksum is wrong", path)
    body, place = zlib.decompress(packed), 0
    for name, (kind, count) in kinds.items():
        found.arrays[name] = np.frombuffer(body, kind, count, place).astype(kind.newbyteorder("="))
        place += kind.itemsize * count
    return found


def _checksum(facts: dict[str, Any], packed: bytes) -> str:
    """Of all that a file says, and of its weights."""
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode() + packed).hexdigest()[:32]


def prove(path: Path, game: Game, found: Evaluation) -> None:
    """Complain if the game, which has these weights now, values positions otherwise than it did then."""
    if proof(game, found.form) != found.digest:
        raise EvaluationError(
            "{} was made for other rules or features of {}: train it again", path, found.game
        )


def proof(game: Game, form: str) -> str:
    """The digest of a form, of positions of a walk through the game, and of their values."""
    known = hashlib.sha256(form.encode())
    if game.one_evaluation:
        plain: Any = type(game)(evaluation=HAND)  # type: ignore[call-arg]
        plain.weights.array = game.weights.array
        game = plain
    state: Any = game.initial()
    for ply in range(WALK):
        if game.is_terminal(state):
            break
        actions = game.legal(state)
        is_chance = game.chance and game.player(state) == CHANCE
        value = 0 if is_chance else round(1000 * game.evaluate(state, game.player(state)))
        known.update(f"{game.text(state) or [int(part) for part in state]} {value}\n".encode())
        state = game.result(state, actions[(7 * ply + 3) % len(actions)])
    return known.hexdigest()[:32]
