"""The trees of the checks: written by hand, drawn at random from a fixed seed, and made smaller.

A tree is the text that the game `tree` reads. Among them are single leaves, trees with MIN at the root, a
player who moves twice, unequal depths, and equal and negative leaves.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

TINY = (
    "3", "-2", "min 4", "min -1", "[5]", "min [-3]", "[1,2]", "[2,1]", "min [1,2]", "min [2,1]", "[-1,-2]",
    "min [-3,-1]", "[0,0]", "[3,[1,2]]", "[[1,2],[0,3]]", "min [[1,2],[0,3]]", "[[2,-1],0]",
    '[{"player":"max","moves":[1,-2]},0]', 'min [{"player":"min","moves":[2,-1]},1]', "[[1,1],[1,1]]",
)  # fmt: skip
SPREAD = 9


def trees(count: int = 120, seed: int = 1, static: float = 0.0, chance: float = 0.0) -> list[str]:
    """Trees in order of size, without repetition."""
    rng = random.Random(seed)
    texts = set(TINY)
    while len(texts) < count + len(TINY):
        depth, width = rng.randint(1, 4), rng.randint(2, 3)
        drawn = random_tree(rng, depth, width, static, chance)
        texts.add(("min " if rng.random() < 0.3 else "") + _dump(drawn))
    return sorted(texts, key=lambda text: (size(text), text))


def random_tree(rng: random.Random, depth: int, width: int, static: float, chance: float) -> Any:
    """A tree in which a player may move twice; a share `static` of the inner nodes has a static value."""
    if depth == 0 or rng.random() < 0.1:
        return rng.randint(-SPREAD, SPREAD)
    moves = [random_tree(rng, depth - 1, width, static, chance) for _ in range(rng.randint(1, width))]
    words: dict[str, Any] = {}
    if rng.random() < static:
        words["value"] = rng.randint(-SPREAD, SPREAD)
    if rng.random() < chance:
        shares = [rng.randint(1, 3) for _ in moves]
        pairs = [[f"{share}/{sum(shares)}", move] for share, move in zip(shares, moves, strict=True)]
        return {**words, "chance": pairs}
    if rng.random() < 0.2:
        words["player"] = rng.choice(("max", "min"))
    return {**words, "moves": moves} if words else moves


def size(text: str) -> int:
    """The number of nodes of a tree."""
    return _count(split(text)[1])


def smaller(text: str) -> Iterator[str]:
    """Trees like this one with something left out, larger steps first."""
    first, tree = split(text)
    for below in _below(tree):
        for mark in ("", "min "):
            yield mark + _dump(below)
    if first:
        yield _dump(tree)
    for other in _smaller(tree):
        yield first + _dump(other)


def split(text: str) -> tuple[str, Any]:
    """The prefix `min ` or nothing, and the tree."""
    is_min = text.startswith("min ")
    return ("min " if is_min else ""), json.loads(text[4:] if is_min else text)


def _dump(tree: Any) -> str:
    return json.dumps(tree, separators=(",", ":"))


def _below(tree: Any) -> list[Any]:
    if isinstance(tree, dict):
        held = tree.get("moves", [pair[1] for pair in tree.get("chance", ())])
        return list(held.values()) if isinstance(held, dict) else held
    return tree if isinstance(tree, list) else []


def _count(tree: Any) -> int:
    return 1 + sum(map(_count, _below(tree)))


def _with(tree: Any, moves: list[Any]) -> Any:
    """The same node with other moves."""
    if isinstance(tree, list):
        return moves
    if "chance" in tree:
        return {**tree, "chance": [[p[0], m] for p, m in zip(tree["chance"], moves, strict=True)]}
    if isinstance(tree["moves"], dict):
        return {**tree, "moves": dict(zip(tree["moves"], moves, strict=True))}
    return {**tree, "moves": moves}


def _without(tree: Any, place: int) -> Any:
    """The same node without one move."""
    if isinstance(tree, list):
        return tree[:place] + tree[place + 1 :]
    if isinstance(tree["moves"], dict):
        return {**tree, "moves": {n: m for i, (n, m) in enumerate(tree["moves"].items()) if i != place}}
    return {**tree, "moves": tree["moves"][:place] + tree["moves"][place + 1 :]}


def _smaller(tree: Any) -> Iterator[Any]:
    moves = _below(tree)
    if not moves:
        if isinstance(tree, int) and abs(tree) > 1:
            yield tree // abs(tree)
            yield tree - tree // abs(tree)
        return
    if len(moves) > 1 and not (isinstance(tree, dict) and "chance" in tree):
        for place in range(len(moves)):
            yield _without(tree, place)
    for place, move in enumerate(moves):
        for below in _below(move):
            yield _with(tree, [*moves[:place], below, *moves[place + 1 :]])
    if isinstance(tree, dict) and "chance" not in tree and isinstance(tree["moves"], list):
        yield moves
    for place, move in enumerate(moves):
        for other in _smaller(move):
            yield _with(tree, [*moves[:place], other, *moves[place + 1 :]])
