"""Every sentence that the product can print, as templates, read from the source and from what it declares."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import click

import gambito
from gambito.cli import ablate, bridge, catalogue, endgame, fit, spots, terminal_game, tune
from gambito.cli import book as book_command
from gambito.cli.main import COMMANDS, cli
from gambito.cli.tongue import paragraphs
from gambito.draw import html
from gambito.draw.labels import WHO
from gambito.endgames.tables import METRICS
from gambito.evaluate.compare import evaluations_of
from gambito.evaluate.show import show
from gambito.game.registry import game_classes
from gambito.games.monopoly.board import PHASES
from gambito.players.experiments import text as experiments
from gambito.players.experiments.experiment_plan import PAIRINGS
from gambito.players.levels import LEVELS
from gambito.players.running_game import seat
from gambito.search.algorithm import algorithms
from gambito.search.describe import describe_algorithm, describe_game
from gambito.web.catalogue import title
from gambito.words.sentence import Sentence
from tests.exercises.sentences import sentences as exercise_sentences
from tests.templates import ERRORS, PACKAGE, calls, without_holes

# What a name says that is put together elsewhere: why a branch is a leaf or was cut, how a game of a match
# ended, what a table of endings holds, what a long command is doing, the forms of evaluations.
NAMED = {
    "terminal", "horizon", "repetition", "table", "null move", "ProbCut", "window", "settled", "shallow",
    "time", "illegal", "crash", "win", "draw", "loss", "gears", "hidden information", "rounds", "seconds",
    "historical", "hand", "linear", "patterns", "terms", "wide", "push", "call", "leave", "stay",
    "checked", "hint", "lesson", "KQRBN",
}  # fmt: skip
SAME = {"X", "O", "MAX", "MIN", "material"}  # the same in every language
NAMES = {*ERRORS, "Sentence", "Broken", "tell", "say"} - {"GtpError"}
NOT_SHOWN = ("protocols", "learn/zero/torch_resnet.py")  # talk to other programs


def constants(node: ast.expr) -> Iterator[str]:
    """The texts that an argument may be, where they are written out."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from constants(node.body)
        yield from constants(node.orelse)


def said() -> set[str]:
    """The first arguments of everything that makes a sentence."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        if not path.relative_to(PACKAGE).as_posix().startswith(NOT_SHOWN):
            for call in calls(path, NAMES):
                found |= set(constants(call.args[0]))
            for call in calls(path, {"Gauge"}):
                found |= set(constants(call.args[0]))
            for call in calls(path, {"count"}):
                found |= counted(call)
    return {text for text in found if "|" in text or any(map(str.isalpha, without_holes(text)))}


def counted(call: ast.Call) -> set[str]:
    """What `count(number, noun, nouns)` says."""
    ones = list(constants(call.args[1])) if len(call.args) > 1 else []
    many = list(constants(call.args[2])) if len(call.args) > 2 else []
    return {f"{{0:,}} {{0:{one}|{(many or [one + 's'])[0]}}}" for one in ones}


def commands() -> Iterator[click.Command]:
    """Every command of the terminal, and the commands in it."""
    waiting: list[click.Command] = [cli]
    context = click.Context(cli)
    waiting += [command for name in COMMANDS if (command := cli.get_command(context, name)) is not None]
    while waiting:
        command = waiting.pop()
        waiting += getattr(command, "commands", {}).values()
        yield command


def helps() -> set[str]:
    """The help of all commands and options, by paragraph."""
    found = set()
    for command in commands():
        texts = [command.help, command.short_help]
        texts += [param.help for param in command.params if isinstance(param, click.Option)]
        for text in filter(None, texts):
            found |= {told for is_set, told in paragraphs(text) if not is_set or is_prose(told)}
        found |= {param.metavar for param in command.params if param.metavar and is_word(param.metavar)}
    return found


def is_prose(block: str) -> bool:
    """Has a paragraph that is set by hand more than commands?"""
    return not all(line.lstrip().startswith(("gambito ", "eval ")) for line in block.splitlines()) or any(
        re.search(r"\S {3,}\S", line) for line in block.splitlines()
    )


def is_word(metavar: str) -> bool:
    return bool(re.search("[A-Z]{3,}", metavar))


def declared() -> set[str]:
    """What games, algorithms, levels and tables say of themselves."""
    told = {seat(player) for player in range(6)} | {level.name for level in LEVELS}
    for name in game_classes():
        game = gambito.load(name)
        described = describe_game(name, game)
        told |= {described["summary"], described["positions"], *game.sides, title(name, game)}
    for algorithm in algorithms().values():
        described = describe_algorithm(algorithm, {})
        told |= {described["summary"], *(option["about"] for option in described["options"])}
    return told


def features() -> set[str]:
    """The names of what evaluations count."""
    names: list[str] = []
    for label in game_classes():
        game = gambito.load(label)
        for evaluation in evaluations_of(game) if not game.chance else ():
            for shown in show(game, game.initial(), [evaluation]):
                names += [coefficient.name for coefficient in shown.coefficients]
    found = {part for name in names if isinstance(name, Sentence) for part in name.parts}
    return {str(name) for name in {*names, *found} if not getattr(name, "parts", ()) and not is_number(name)}


def is_number(name: object) -> bool:
    return isinstance(name, int | float)


def words() -> set[str]:
    """Single words that are said by a name: heads of tables, labels of drawings, kinds of ends."""
    found = {*ablate.HEAD, *book_command.HEAD, *endgame.HEAD, *fit.HEAD, *tune.HEAD}
    found |= {
        *bridge.NAMES.values(),
        *catalogue.FAMILIES.values(),
        *terminal_game.WORDS.values(),
        *spots.PLAYERS,
    }
    found |= {
        *METRICS,
        *PAIRINGS,
        *WHO.values(),
        *html.WORDS.findall(html.PAGE),
        *html.TEXTS.findall(html.SCRIPT),
    }
    found |= {*experiments.HEAD, *(text for _, text in experiments.LIMITS), *PHASES}
    return NAMED | {word for word in found if len(word) > 1}


def sentences() -> set[str]:
    """All of them, without those that are the same in every language."""
    every = said() | helps() | declared() | features() | words() | exercise_sentences()
    return {text for text in every if text} - SAME
