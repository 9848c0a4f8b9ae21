"""Random games, in which every rule that searches rely on is asked about every state.

The kinds and ranges of all answers, keys, and what a rule says about states that follow each other. This part
of the conformance check is also made before the first search of a game (`first_check.py`).
"""

from __future__ import annotations

import math
import random
import re
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any

import numpy as np

from gambito.game.check_asking import ENDLESS, Broken, after, ask, ask_plain, plain, short
from gambito.game.check_keys import differing_rule
from gambito.game.contract import CHANCE, Game
from gambito.game.mistakes import check_again, entered
from gambito.game.names import is_number
from gambito.game.puzzle import Puzzle
from gambito.words.sentence import Sentence

SISTERS = 2  # positions beside each state whose keys are seen too
ROUNDING = 1e-9  # by which sums of fractions may differ
MOST_COST = 1e300  # sums of fractions below this are finite
_MOST_TOLD = 10


@dataclass
class Report:
    """What a check found."""

    game: str
    games: int = 0
    states: int = 0
    longest: int = 0  # plies of the longest game seen
    most_actions: int = 0
    native: bool = False  # the native gear was compared too
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what is no problem and worth knowing
    is_cut: bool = False  # the time was over before a game was
    details: str = field(default="", repr=False)  # what the compiler says where it cannot compile the rules
    scores: set[float] = field(default_factory=set, repr=False)  # absolute values of decided games
    ends: set[float] = field(default_factory=set, repr=False)  # utilities, where the trait 'step' is above 1
    largest: tuple[float, str] = field(default=(0, ""), repr=False)  # the largest evaluation and its position
    keys: dict[int, tuple[Any, list[str]]] = field(default_factory=dict, repr=False)  # a position of each key
    equal: dict[Any, tuple[Any, int]] = field(default_factory=dict, repr=False)  # states with their keys

    @property
    def ok(self) -> bool:
        return not self.problems

    def as_dict(self) -> dict[str, Any]:
        told = {each.name: getattr(self, each.name) for each in fields(self) if each.repr}
        return {**told, "ok": self.ok}

    def tell(self, template: str, *parts: Any) -> None:
        """Keep a problem, unless there is one that differs only in its numbers and its position."""
        problem = Sentence(template, *parts)
        if len(self.problems) < _MOST_TOLD and _kind(problem) not in map(_kind, self.problems):
            self.problems.append(problem)


def _kind(problem: str) -> str:
    return re.sub(r"[-\d.]+", "0", re.split(", (?:after|in the initial) ", problem)[0])


def check_state(game: Game, state: Any, played: int, path: list[str], report: Report) -> bool:
    """Check what the rules say about any state; return whether it is terminal."""
    is_over = ask(game, path, "is_terminal", state)
    if is_over is None:
        report.tell(
            "is_terminal gives None; every way must end in `return` with True or False, {}", after(path)
        )
    elif not isinstance(is_over, bool | np.bool_):
        report.tell("is_terminal gives {}, not a bool, {}", repr(is_over), after(path))
    player = ask(game, path, "player", state)
    accepted = [*range(game.players), *([CHANCE] if game.chance else [])]
    if isinstance(player, bool) or not isinstance(player, int | np.integer) or player not in accepted:
        raise Broken(
            "player gives {}, not one of {}; {}, {}",
            repr(player), accepted, _who_moves(player, game), after(path),
        )  # fmt: skip
    if not is_over and game.longest is not None and played >= game.longest:
        raise Broken("a game is longer than {} plies, its trait 'longest', {}", game.longest, after(path))
    return bool(is_over)


def _who_moves(player: Any, game: Game) -> Sentence:
    """What to write instead of a wrong player."""
    if player is None:
        return Sentence("every way must end in `return` with a number")
    if isinstance(player, bool | np.bool_):
        return Sentence("write `int(…)`")
    if player == CHANCE:
        return Sentence("players are numbered from 0, and -1 is CHANCE, for dice and cards: `chance = True`")
    if isinstance(player, int | np.integer) and player >= game.players:
        return Sentence("players are numbered from 0, and more than {} say `players = …`", game.players)
    return Sentence("players are numbered from 0")


def check_length(
    game: Game, state: Any, played: int, latest: int | None, path: list[str], report: Report
) -> int:
    """Check a state that must be over by a ply, if there was one before; return the ply for the next one."""
    limit = played + int(ask(game, path, "plies_left", state))
    latest = limit if latest is None else min(latest, limit)
    if played > latest:
        report.tell("the game is longer than plies_left said, {}", after(path))
    return latest


def check_value(game: Game, path: list[str], report: Report, rule: str, *args: Any) -> Any:
    """The value that a rule gives, after a check."""
    value = ask_plain(game, path, rule, *args)
    if value is None:
        raise Broken("{} gives None; every way must end in `return` with a number, {}", rule, after(path))
    if not is_number(value):
        raise Broken(
            "{} gives {}, not a number: the value for the player that it is asked about, {}",
            rule, short(repr(value)), after(path),
        )  # fmt: skip
    if game.value is int and (not math.isfinite(value) or value != int(value)):
        report.tell(
            "{} gives {}, and values are whole numbers unless the class says `value = float`, {}",
            rule, value, after(path),
        )  # fmt: skip
    elif not game.lowest <= value <= game.highest and not _is_hopeless(game, rule, value):
        report.tell(
            "{} gives {}, outside {} to {}; the class says what is possible: `lowest = …`, `highest = …`, {}",
            rule, value, game.lowest, game.highest, after(path),
        )  # fmt: skip
    return float(value) if isinstance(value, float | np.floating) else int(value)


def _is_hopeless(game: Game, rule: str, value: Any) -> bool:
    """Does a puzzle say that no goal can be reached?"""
    return isinstance(game, Puzzle) and rule == "evaluate" and bool(value == -game.infinity)


def check_end(game: Game, state: Any, path: list[str], report: Report) -> None:
    """Check what the rules say about a terminal state."""
    scores = [check_value(game, path, report, "utility", state, p) for p in range(game.players)]
    report.scores |= {abs(score) for score in scores if score}
    if game.value is int and game.step > 1:
        near = [other for other in report.ends for score in scores if 0 < abs(score - other) < game.step]
        if near:
            report.tell(
                "utility gives {}, and elsewhere {}, which are closer than the trait 'step', {}, {}",
                scores[0], near[0], game.step, after(path),
            )  # fmt: skip
        report.ends |= set(scores)
    if _is_zero_sum(game) and abs(sum(scores)) > ROUNDING:
        report.tell(
            "the utilities {} do not add up to zero; what one player wins the other loses, "
            "unless the class says `zero_sum = False`, {}",
            scores, after(path),
        )  # fmt: skip


def _is_zero_sum(game: Game) -> bool:
    """Is what one player wins lost by others? A single player against chance takes it from nobody."""
    return game.zero_sum and game.players > 1


def choose(
    game: Game, state: Any, path: list[str], rng: random.Random, report: Report
) -> tuple[int, list[Any]]:
    """A random action, and all actions, after a check of these; where chance decides, an outcome and none."""
    if game.chance and ask(game, path, "player", state) == CHANCE:
        return _choose_chance(game, state, path, rng, report), []
    actions = ask(game, path, "actions", state)
    if not actions:
        raise Broken(
            "a state that is not terminal has no actions; is_terminal gives True there, "
            "or a pass is an action, {}",
            after(path),
        )
    wrong = [a for a in actions if isinstance(a, bool) or not isinstance(a, int | np.integer) or a < 0]
    if wrong:
        raise Broken(
            "actions yields {}, not an int of 0 or more; give every action a number, "
            "such as row * columns + column, {}",
            repr(wrong[0]), after(path),
        )  # fmt: skip
    if len(set(actions)) < len(actions):
        check_again(game, state, actions, path)
        report.tell("actions yields the same action twice, {}", after(path))
    if len(actions) >= ENDLESS:
        raise Broken("actions does not come to an end, {}", after(path))
    report.most_actions = max(report.most_actions, len(actions))
    return int(rng.choice(actions)), actions


def _choose_chance(game: Game, state: Any, path: list[str], rng: random.Random, report: Report) -> int:
    chances = ask(game, path, "chances", state)
    wrong = [p for _, p in chances if not is_number(p) or not 0 <= p <= 1 + ROUNDING]
    if wrong:
        raise Broken("chances gives the probability {}, not one from 0 to 1, {}", repr(wrong[0]), after(path))
    total = sum(p for _, p in chances)
    if not chances or abs(total - 1) > ROUNDING:
        raise Broken("the probabilities of chances add up to {}, {}", total, after(path))
    if [int(o) for o, _ in chances] != [int(a) for a in ask(game, path, "actions", state)]:
        report.tell("actions and chances give different outcomes, {}", after(path))
    return int(rng.choices([o for o, _ in chances], [p for _, p in chances])[0])


def check_inner(game: Game, state: Any, actions: list[Any], path: list[str], report: Report) -> None:
    """Check what a search asks about a state where a player moves, and the keys of some states after it."""
    others = random.Random(report.states)  # the games do not depend on them
    for action in others.sample(actions, min(len(actions), SISTERS)):
        sister = entered(game, path, "result", state, action)
        check_key(game, sister, [*path, str(ask(game, path, "write", state, action))], report)
        if plain(sister) == plain(state) and not game.cycles:
            report.tell("result({}) gives back the same state, {}", action, after(path))
    values = [check_value(game, path, report, "evaluate", state, p) for p in range(game.players)]
    report.largest = max(report.largest, (max(map(abs, values)), after(path)), key=lambda seen: seen[0])
    if _is_zero_sum(game) and abs(sum(values)) > ROUNDING:
        report.tell("evaluate is not zero-sum, {}", after(path))
    bounds = ask_plain(game, path, "bounds", state)
    if not isinstance(bounds, tuple) or len(bounds) != 2 or not all(map(is_number, bounds)):
        raise Broken("bounds gives {}, not two numbers, {}", repr(bounds), after(path))
    if bounds[0] > bounds[1]:
        report.tell("bounds gives {} to {}, {}", bounds[0], bounds[1], after(path))


def check_costs(game: Puzzle, state: Any, path: list[str], report: Report) -> None:
    """Are costs and estimates 0 or more, and do actions that should undo each other do so?"""
    estimate = ask_plain(game, path, "estimate", state)
    if not is_number(estimate) or not estimate >= 0:
        report.tell("estimate gives {}, not a number of 0 or more, {}", repr(estimate), after(path))
    for action in ask(game, path, "actions", state):
        cost = ask_plain(game, path, "cost", state, action)
        if not is_number(cost) or not cost >= 0:
            raise Broken("cost gives {}, not a number of 0 or more, {}", repr(cost), after(path))
        if not cost < min(game.infinity, MOST_COST):
            raise Broken("cost gives {}, too much to add up costs, {}", cost, after(path))
        if game.value is int and cost != int(cost):
            report.tell(
                "{} gives {}, and values are whole numbers unless the class says `value = float`, {}",
                "cost", cost, after(path),
            )  # fmt: skip
        child = entered(game, path, "result", state, action)
        for back in ask(game, path, "actions", child):
            if ask(game, path, "undoes", action, back):
                if plain(entered(game, path, "result", child, back)) != plain(state):
                    report.tell("{} does not undo {}, {}", back, action, after(path))


def check_key(game: Game, state: Any, path: list[str], report: Report) -> None:
    """Is the key a number, and does no other position have the same one?"""
    key = ask(game, path, "key", state)
    if not isinstance(key, int | np.integer):
        raise Broken("key gives {}, not an int, {}", repr(key), after(path))
    other, way = report.keys.setdefault(int(key) % (1 << 64), (state, path[:]))
    is_same = other is state or plain(other) == plain(state)
    rule = "" if is_same else differing_rule(game, other, state, partial(ask, game, path))
    if rule and type(game).key is Game.key:
        report.tell(
            "Gambito's default key gives the same number to {} and {}, in which {} differs: a fault of "
            "Gambito, not of this game, which a rule 'key' avoids, {}, and {}",
            short(state), short(other), rule, after(path), after(way),
        )  # fmt: skip
    elif rule:
        report.tell(
            "key gives the same number to two positions in which {} differs, {}, and {}",
            rule, after(path), after(way),
        )  # fmt: skip
