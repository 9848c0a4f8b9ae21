"""A part of the conformance check, for games that hide something: what players see, and what they imagine.

Every problem is told with the games that show it. A small game is looked through as a whole: states are
grouped by what a player sees of them. Of a larger one random games are seen, and worlds that are imagined on
the way. It does not know any search.
"""

from __future__ import annotations

import math
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any

import numpy as np

from gambito.errors import CompileError
from gambito.game.check_asking import after, plain
from gambito.game.contract import CHANCE, NOBODY, Game
from gambito.game.gears import gears
from gambito.native import int64, mix, native
from gambito.native.random import Random, new_random
from gambito.words.sentence import Sentence, sentence_of

MOST_NODES = 2_500  # of a tree that is looked through as a whole
GAMES, PLIES = 60, 200  # random games of a larger one, and the plies of each
IMAGINED = 3  # worlds that are imagined at a decision
SETS, DRAWS = 10, 60  # information sets whose worlds are counted, and draws for each world
MOST_DRAWS = 3_000
RARE = 5.0  # worlds that are expected less often are counted together
SURE = 6.0  # standard deviations that chance does not explain
ENDLESS = 10_000_000  # lines of code in one call of `imagine` that seem endless
MAX_CHARACTERS = 160  # characters of a state in a message
COMPARED = 40  # states whose views are compared in both gears


class _Problem(Exception):
    """Something that makes the rest of the check useless."""


@dataclass(frozen=True)
class VisitedState:
    """A state on the way of a game."""

    state: Any
    path: tuple[str, ...]  # the moves as they are written
    luck: tuple[int, ...]  # the outcomes of chance
    odds: float  # their probability
    pasts: tuple[tuple[Any, ...], ...]  # for each player, what it saw and did at its own decisions


def hidden_problems(game: Game, rng: random.Random) -> Iterator[str]:
    """The problems of `observe`, `imagine` and `recalls`."""
    try:
        met = _whole_tree(game)
        is_whole = met is not None
        met = _random_games(game, rng) if met is None else met
        groups = _grouped(game, met)
        yield from _view_problems(game, met)
        yield from _alike_problems(game, groups)
        if type(game).imagine is not Game.imagine:
            chosen = [state for state in met if game.player(state.state) != CHANCE]
            yield from _world_problems(game, rng.sample(chosen, min(len(chosen), 4 * COMPARED)))
            if is_whole:
                yield from _weight_problems(game, groups, rng)
        if not gears(game).problem:
            yield from _gear_problems(game, rng.sample(met, min(len(met), COMPARED)))
    except _Problem as problem:
        yield sentence_of(problem)


# ---- games -------------------------------------------------------------------------------------------


def _ways(game: Game, here: VisitedState) -> list[tuple[int, float]]:
    """The actions of a state, or the outcomes of chance with their probabilities."""
    if game.player(here.state) == CHANCE:
        return list(game.chances(here.state))
    return [(action, 1.0) for action in game.actions(here.state)]


def _next(game: Game, here: VisitedState, action: int, chance: float) -> VisitedState:
    """The state after an action or an outcome, with its way."""
    state, player = here.state, int(game.player(here.state))
    child = gears(game).cast(game.result(state, action))
    path = (*here.path, game.write(state, action))
    if player == CHANCE:
        return VisitedState(child, path, (*here.luck, int(action)), here.odds * chance, here.pasts)
    past = (*here.pasts[player], (plain(game.observe(state, player)), int(action)))
    pasts = (*here.pasts[:player], past, *here.pasts[player + 1 :])
    return VisitedState(child, path, here.luck, here.odds, pasts)


def _first(game: Game) -> VisitedState:
    return VisitedState(gears(game).cast(game.initial()), (), (), 1.0, ((),) * game.players)


def _whole_tree(game: Game) -> list[VisitedState] | None:
    """All states that are not terminal, each once for every way to it; None if there are too many."""
    waiting, met, nodes = [_first(game)], list[VisitedState](), 1
    while waiting:
        here = waiting.pop()
        if not game.is_terminal(here.state):
            met.append(here)
            after_it = [_next(game, here, *way) for way in _ways(game, here)]
            nodes += len(after_it)
            waiting += after_it
        if nodes > MOST_NODES:
            return None
    return met


def _random_games(game: Game, rng: random.Random) -> list[VisitedState]:
    met = list[VisitedState]()
    for _ in range(GAMES):
        here = _first(game)
        for _ in range(PLIES):
            if game.is_terminal(here.state):
                break
            met.append(here)
            here = _next(game, here, *rng.choice(_ways(game, here)))
    return met


def _grouped(game: Game, met: list[VisitedState]) -> dict[Any, list[VisitedState]]:
    """The states by the player to move and what it sees."""
    groups = defaultdict[Any, list[VisitedState]](list)
    for here in met:
        player = int(game.player(here.state))
        if player != CHANCE:
            groups[player, _mark(game.observe(here.state, player))].append(here)
    return groups


# ---- what is seen ------------------------------------------------------------------------------------


def _view_problems(game: Game, met: list[VisitedState]) -> Iterator[str]:
    """Is a view a state, the same when it is seen again, and no less than what everybody sees?"""
    hides = False
    for here in met:
        for player in range(NOBODY, game.players):
            seen = _call(game, here, "observe", here.state, player)
            try:
                seen = gears(game).cast(seen)
            except CompileError as problem:
                raise _Problem(Sentence("observe: {}, {}", problem, after(list(here.path)))) from None
            hides = hides or plain(seen) != plain(here.state)
            again = _call(game, here, "observe", seen, player)
            if plain(again) != plain(seen):
                yield (
                    Sentence(
                        "observe is not the same when it is applied twice for {}: it gives {} and then "
                        "{}, {}",
                        _named(player),
                        _short(seen),
                        _short(again),
                        after(list(here.path)),
                    )
                )
                return
            public = _call(game, here, "observe", here.state, NOBODY)
            if plain(_call(game, here, "observe", seen, NOBODY)) != plain(public):
                yield (
                    Sentence(
                        "a spectator sees more than {}: {}, and the player {}, {}",
                        _named(player),
                        _short(public),
                        _short(seen),
                        after(list(here.path)),
                    )
                )
                return
        mover = int(game.player(here.state))
        if mover != CHANCE:
            seen = gears(game).cast(game.observe(here.state, mover))
            noticed = _unlike(game, here.state, seen)
            if noticed:
                place = after(list(here.path))
                yield Sentence(
                    "{} between a state and what player {} sees of it, {}, {}",
                    noticed,
                    mover,
                    _short(seen),
                    place,
                )
                return
    if not hides:
        yield Sentence(
            "the game says that it hides something, and observe shows every state as it is to everybody"
        )


def _unlike(game: Game, one: Any, other: Any) -> str:
    """What the player to move would notice between two states that should look alike."""
    if game.is_terminal(one) != game.is_terminal(other):
        return Sentence("is_terminal differs")
    if game.player(one) != game.player(other):
        return Sentence("the player to move differs")
    if [int(a) for a in game.actions(one)] != [int(a) for a in game.actions(other)]:
        return Sentence("the actions differ")
    return ""


def _alike_problems(game: Game, groups: dict[Any, list[VisitedState]]) -> Iterator[str]:
    """Do states that look alike have the same actions, and the same past?"""
    told = set[str]()
    for (player, seen), group in groups.items():
        first = group[0]
        for here in group[1:]:
            problem = _unlike(game, first.state, here.state)
            if problem and "alike" not in told:
                told.add("alike")
                yield (
                    Sentence(
                        "{} in two states that look alike to player {}, as {}, {}, and {}",
                        problem,
                        player,
                        _short(seen),
                        after(list(first.path)),
                        after(list(here.path)),
                    )
                )
            if game.recalls and here.pasts[player] != first.pasts[player] and "past" not in told:
                told.add("past")
                yield (
                    Sentence(
                        "player {} forgets what it saw or did (or the game says recalls = False): it "
                        "sees {} twice, {}, and {}",
                        player,
                        _short(seen),
                        after(list(first.path)),
                        after(list(here.path)),
                    )
                )


# ---- what is imagined --------------------------------------------------------------------------------


def _imagined(game: Game, here: VisitedState, player: int, rng: Random) -> Any:
    """A world that looks like a state to a player; a call that seems endless is a problem."""
    seen = gears(game).cast(game.observe(here.state, player))
    lines = 0

    def count(frame: FrameType, event: str, given: Any) -> Any:
        nonlocal lines
        lines += 1
        if lines > ENDLESS:
            raise _Problem(
                Sentence("imagine does not come to an end for player {}, {}", player, after(list(here.path)))
            )
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        world = game.imagine(seen, player, rng)
    except _Problem:
        raise
    except Exception as problem:
        told = Sentence("imagine raises {}: {}", type(problem).__name__, problem)
        raise _Problem(Sentence("{}, {}", told, after(list(here.path)))) from None
    finally:
        sys.settrace(before)
    try:
        return gears(game).cast(world)
    except CompileError as problem:
        raise _Problem(Sentence("imagine: {}, {}", problem, after(list(here.path)))) from None


def _world_problems(game: Game, met: list[VisitedState]) -> Iterator[str]:
    """Does what is imagined look like what was seen?"""
    rng = new_random(5)
    for here in met:
        player = int(game.player(here.state))
        seen = plain(game.observe(here.state, player))
        for _ in range(IMAGINED):
            world = _imagined(game, here, player, rng)
            looks = plain(_call(game, here, "observe", world, player))
            if looks != seen:
                yield (
                    Sentence(
                        "player {} sees {}, and imagines a world that looks like {}: observe shows too "
                        "much, or imagine changes what is seen, {}",
                        player,
                        _short(seen),
                        _short(looks),
                        after(list(here.path)),
                    )
                )
                return
            problem = _unlike(game, here.state, world)
            if problem:
                place = after(list(here.path))
                yield Sentence(
                    "{} in a world that player {} imagines, {}, {}", problem, player, _short(world), place
                )
                return


def _weight_problems(game: Game, groups: dict[Any, list[VisitedState]], rng: random.Random) -> Iterator[str]:
    """Is every world of an information set imagined, as often as chance makes it?"""
    several = {key: group for key, group in groups.items() if len({_mark(m.state) for m in group}) > 1}
    drawing = new_random(7)
    for player, seen in rng.sample(sorted(several, key=repr), min(len(several), SETS)):
        group = several[player, seen]
        worlds: dict[Any, dict[tuple[int, ...], VisitedState]] = defaultdict(dict)
        for here in group:
            worlds[_mark(here.state)][here.luck] = here  # choices of players have no probability
        weights = {world: sum(m.odds for m in ways.values()) for world, ways in worlds.items()}
        draws, total = min(DRAWS * len(worlds), MOST_DRAWS), sum(weights.values())
        counts = dict.fromkeys(worlds, 0)
        for _ in range(draws):
            world = _mark(_imagined(game, group[0], player, drawing))
            if world not in counts:
                way = after(list(group[0].path))
                yield Sentence(
                    "player {} imagines a state that cannot be: {}, {}", player, _short(world), way
                )
                return
            counts[world] += 1
        expected = {world: draws * weight / total for world, weight in weights.items()}
        if _is_unlikely(counts, expected):
            worst = max(
                counts, key=lambda world: abs(counts[world] - expected[world]) / math.sqrt(expected[world])
            )
            there = next(iter(worlds[worst].values())).path
            told = (
                Sentence("{} times in {}", counts[worst], draws)
                if counts[worst]
                else Sentence("never in {} times", draws)
            )
            yield (
                Sentence(
                    "player {} imagines a world {}, and chance makes it {:.0f} times: it sees {}, {}, "
                    "and the world is {}",
                    player,
                    told,
                    expected[worst],
                    _short(seen),
                    after(list(group[0].path)),
                    after(list(there)),
                )
            )
            return


def _is_unlikely(counts: dict[Any, int], expected: dict[Any, float]) -> bool:
    """Is the chi-square of these counts larger than chance explains? By Wilson & Hilferty's cube root."""
    pairs = [(counts[w], expected[w]) for w in counts if expected[w] >= RARE]
    rare = [(counts[w], expected[w]) for w in counts if expected[w] < RARE]
    if rare:
        pairs.append((sum(c for c, _ in rare), sum(e for _, e in rare)))
    free = len(pairs) - 1
    if free < 1:
        return False
    square = sum((count - wanted) ** 2 / wanted for count, wanted in pairs)
    spread = 2 / (9 * free)
    return ((square / free) ** (1 / 3) - (1 - spread)) / math.sqrt(spread) > SURE


# ---- gears -------------------------------------------------------------------------------------------


@native
def glance(game, state, player, facts, rng):
    """Write the keys of every view of a state, and of a world that the player to move imagines."""
    for viewer in range(NOBODY, game.players):
        facts[viewer + 1] = int64(mix(game.observe(state, viewer)))
    if player != CHANCE:
        facts[game.players + 1] = int64(mix(game.imagine(game.observe(state, player), player, rng)))


def _gear_problems(game: Game, met: list[VisitedState]) -> Iterator[str]:
    inner = gears(game).in_gear("native")
    for here in met:
        player, told = int(game.player(here.state)), []
        for gear in (game, inner):
            facts = np.zeros(game.players + 2, np.int64)
            try:
                glance(gear, here.state, player, facts, new_random(11))
            except CompileError as problem:
                raise _Problem(Sentence("the native gear: {}", sentence_of(problem))) from None
            told.append(facts.tolist())
        for viewer, (python, compiled) in enumerate(zip(*told, strict=True), NOBODY):
            if python != compiled:
                rule = "imagine" if viewer == game.players else Sentence("observe for {}", _named(viewer))
                yield Sentence("{} differs between the gears, {}", rule, after(list(here.path)))
                return


# ---- words -------------------------------------------------------------------------------------------


def _call(game: Game, here: VisitedState, rule: str, *given: Any) -> Any:
    asked: Callable[..., Any] = getattr(game, rule)
    try:
        return asked(*given)
    except Exception as problem:
        told = Sentence("{} raises {}: {}", rule, type(problem).__name__, problem)
        raise _Problem(Sentence("{}, {}", told, after(list(here.path)))) from None


def _named(player: int) -> str:
    return Sentence("a spectator") if player == NOBODY else Sentence("player {}", player)


def _mark(thing: Any) -> Any:
    """A state or a view as a key: equal numbers are equal, of whatever type."""
    held = plain(thing)
    if isinstance(held, list):
        return tuple(_mark(part) for part in held)
    return int(held) if isinstance(held, np.integer) else repr(held) if isinstance(held, dict) else held


def _short(thing: Any) -> str:
    text = str(_mark(thing))
    return text if len(text) <= MAX_CHARACTERS else f"{text[: MAX_CHARACTERS - 1]}…"
