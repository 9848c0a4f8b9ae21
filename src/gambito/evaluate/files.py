"""The file of an evaluation: a sealed file of facts and weights.

    {"gambito": "evaluation 1", "game": …, "form": …, "digest": …, "seed": …, "trained": …, …}

The array is called `weights`, or `folded` if weights that share a value are written once.

`form` describes the evaluation, `trained` how the weights were found and from which data. The digest covers
the form, the positions of a fixed walk through the game, and their values: it changes if the rules, the
features or the weights change. A file is refused if its digest is not that of the game it is read for.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gambito.errors import EvaluationError
from gambito.game.contract import CHANCE, Game, game_name
from gambito.native import Memory
from gambito.native.checksummed import LINE, read_checksummed, write_checksummed
from gambito.words.sentence import reason_of

FORMAT = "evaluation 1"
SUFFIX = ".eval"
HAND, LEARNED, BLANK, USUAL = "hand", "learned", "blank", "usual"  # values of `evaluation=`
NETWORK, BLANK_NETWORK = "network", "blank-network"  # the same for games with a network beside their form
WALK_PLIES = 12  # plies that the digest covers
FACTS = ("game", "form", "digest", "seed", "trained")


@dataclass(frozen=True)
class Evaluation:
    """The description in a file, and its weights."""

    game: str
    form: str
    digest: str
    seed: int
    trained: dict[str, Any]
    arrays: dict[str, Any]


def shipped(game: Game, is_network: bool = False) -> Path:
    """The path of the weights that come with Gambito, if there are any for this game."""
    name = subject(game).replace(":", "-").replace(",", "-") + (f"-{NETWORK}" if is_network else "")
    return Path(__file__).resolve().parent.parent / "weights" / f"{name}{SUFFIX}"


def subject(game: Game) -> str:
    """The game that an evaluation is for."""
    return game_name(type(game)) if game.one_evaluation else game.label(without="evaluation")


def prepare(game: Any, kind: Any = np.int16) -> None:
    """Give a game that has a `form` its `weights` and `is_learned`; the last step of its constructor.

    Its parameter `evaluation` is hand, learned (comes with Gambito), blank (where learning begins), usual
    (the strongest that comes with Gambito, else hand), one of its `schools`, or a file. If the form has
    hand-set weights, hand and blank are these, and the game has no other kind of evaluation, unless it has a
    network: network (comes with Gambito), blank-network, or a file of that form.
    """
    chosen = game.evaluation
    is_network = game.network is not None and _is_network(game)
    if is_network:
        game.form, kind = game.network, np.int16
        game.form.equip(game)
    elif game.network is None and chosen in (NETWORK, BLANK_NETWORK):
        raise EvaluationError("{} has no network", game.label(without="evaluation"))
    form, named = game.form, (HAND, BLANK, BLANK_NETWORK, *game.schools)
    hand = getattr(form, "hand", None)
    has_file = form is not None and chosen not in named
    has_file = has_file and (chosen != USUAL or shipped(game, is_network).exists())
    game.is_learned = hand is not None or has_file or (form is not None and chosen in (BLANK, BLANK_NETWORK))
    game.weights = Memory(np.zeros(1, kind))
    if form is None and chosen not in (HAND, USUAL, *game.schools):
        raise EvaluationError("{} has no learned evaluation", game.label(without="evaluation"))
    if not game.is_learned:
        return

    def make() -> Any:
        if not has_file:
            return np.zeros(form.size, kind) if hand is None else hand.astype(kind)
        path = shipped(game, is_network) if chosen in (USUAL, LEARNED, NETWORK) else Path(chosen)
        found = read_evaluation(path, game, form.description)
        game.weights.array = _weights_of(path, form, found.arrays).astype(kind)
        prove(path, game, found)
        return game.weights.array

    game.weights = Memory(make)
    for name, derive in getattr(form, "derived", {}).items():
        setattr(game, name, Memory(lambda derive=derive: derive(game.weights.array)))
    if has_file and chosen not in (USUAL, LEARNED, NETWORK):
        _ = game.weights.array  # report a file that does not fit at once


def arrays_of(game: Any) -> dict[str, Any]:
    """The weights of a game as a file holds them."""
    fold = getattr(game.form, "fold", None)
    folded = fold(game.weights.array) if fold else None
    return {"weights": game.weights.array} if folded is None else {"folded": folded}


def _weights_of(path: Path, form: Any, arrays: dict[str, Any]) -> Any:
    """The weights in the arrays of a file."""
    weights = arrays.get("weights")
    with contextlib.suppress(AttributeError, ValueError, IndexError):  # a file that no `fold` wrote
        weights = form.unfold(arrays["folded"]) if "folded" in arrays else weights
    if weights is None or len(weights) != form.size:
        raise EvaluationError("{} is damaged: its weights are not for {}", path, form.name)
    return weights


def _is_network(game: Any) -> bool:
    """Is the chosen evaluation the game's network, rather than its first form?"""
    chosen = game.evaluation
    if chosen in (NETWORK, BLANK_NETWORK):
        return True
    if chosen == USUAL:
        return shipped(game, True).exists()
    if chosen in (HAND, BLANK, LEARNED, *game.schools):
        return False
    try:
        with Path(chosen).open("rb") as file:
            return str(json.loads(file.readline(LINE))["form"]).startswith(game.network.name)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False  # whoever reads the file says what is wrong with it


def write_evaluation(
    path: Path, game: Game, form: str, arrays: dict[str, Any], trained: dict[str, Any], seed: int
) -> None:
    """Write weights that the game already holds; equal weights always give the same bytes."""
    facts = {"game": subject(game), "form": form, "digest": proof(game, form), "seed": seed}
    write_weights(path, FORMAT, {**facts, "trained": trained}, arrays)


def write_weights(path: Path, kind: str, facts: dict[str, Any], arrays: dict[str, Any]) -> None:
    """Write a file of a kind: its facts, and arrays of one dimension."""
    write_checksummed(path, {"gambito": kind, **facts}, arrays, level=9)


def read_evaluation(path: Path, game: Game, form: str) -> Evaluation:
    """Read a file of this form for this game; once the weights are in the game, call `prove`."""
    header, arrays = read_weights(path, game, FORMAT, FACTS)
    found = Evaluation(**{name: header[name] for name in FACTS}, arrays=arrays)
    if found.form != form:
        raise EvaluationError("{} was made for other features: {}; here: {}", path, found.form, form)
    return found


def read_weights(
    path: Path, game: Game, kind: str, names: tuple[str, ...]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read a file of a kind that was made for this game: its facts, among them those named, and arrays."""
    try:
        found = read_checksummed(path, kind)
    except (OSError, ValueError) as problem:  # ValueError: no file can have such a name
        raise EvaluationError("{} cannot be read: {}", path, reason_of(problem)) from None
    if found is None or not all(name in found.facts for name in ("game", *names)):
        raise EvaluationError("{} is no {} of Gambito", path, kind.split()[0])
    if found.facts["game"] != subject(game):
        raise EvaluationError("{} is for {}, not for {}", path, found.facts["game"], subject(game))
    if not found.is_whole:
        raise EvaluationError("{} is damaged: its checksum is wrong", path)
    if (arrays := found.arrays()) is None:
        raise EvaluationError("{} is damaged: its weights are not {:,} bytes", path, found.size)
    return found.facts, arrays


def prove(path: Path, game: Game, found: Evaluation) -> None:
    """Raise an error if the game with these weights values positions otherwise than the file says."""
    if proof(game, found.form) != found.digest:
        raise EvaluationError(
            "{} was made for other rules or features of {}: train it again", path, found.game
        )


def proof(game: Game, form: str) -> str:
    """The digest of a form, of positions of a walk through the game, and of their values."""
    known = hashlib.sha256(form.encode())
    if game.one_evaluation:
        blank = BLANK_NETWORK if game.is_wide else HAND
        plain: Any = type(game)(evaluation=blank)  # type: ignore[call-arg]
        plain.weights.array = game.weights.array
        game = plain
    state: Any = game.initial()
    for ply in range(WALK_PLIES):
        if game.is_terminal(state):
            break
        actions = game.legal(state)
        is_chance = game.chance and game.player(state) == CHANCE
        value = 0 if is_chance else round(1000 * game.evaluate(state, game.player(state)))
        known.update(f"{game.text(state) or [int(part) for part in state]} {value}\n".encode())
        state = game.result(state, actions[(7 * ply + 3) % len(actions)])
    return known.hexdigest()[:32]
