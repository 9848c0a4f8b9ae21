"""A language without words: what is still legible in its output has not come from a catalogue."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner
from rich.console import Console

import gambito
from gambito import words
from gambito.cli import tongue
from gambito.cli.main import COMMANDS, cli
from gambito.cli.screen import Screen
from gambito.cli.terminal_game import WORDS, TerminalGame
from gambito.exercises.course import COURSE
from gambito.game.registry import game_classes, load
from gambito.players.player import Engine
from gambito.players.running_game import RunningGame
from gambito.search.algorithm import algorithms
from gambito.search.limits import Limits
from tests.cli.test_play import Script

PSEUDO = "xx"
TREE = "[[3,12,8],[2,4,6],[14,5,2]]"
NAMES = {*COMMANDS, *game_classes(), *algorithms(), "gambito", "random", "greedy", "KiB", "MiB", "GiB"}
GIVEN = "|".join(  # options, choices, defaults, code, files
    (
        r"(?<!\w)--?[a-z][a-z-]*",
        r"\[[^\] ]*\|[^\]]*\]",
        r"\[[^\]]*: [^\]]*\]",
        "`[^`]*`",
        r"[A-Za-z_./-]+\.(?:py|svg|html|toml|json)\b",
        r"/[\w./-]+",
    )
)

WRONG = """
class Wrong:
    def initial(self): return [5, 0]
    def player(self, state): return state[1]
    def actions(self, state): return [n for n in (1, 2) if n <= state[0]]
    def result(self, state, action): return [state[0] - action, 1 - state[1]]
    def is_terminal(self, state): return state[0] == 0
    def utility(self, state, player): return 1
"""


def blank(template: str) -> str:
    """A template with its holes and forms, and without its words."""
    parts = re.split(r"(\{[^{}]*\})", template)
    for place, part in enumerate(parts):
        if place % 2 == 0:
            parts[place] = re.sub(r"[^\W\d_]+(?:[-'][^\W\d_]+)*", "⟦⟧", part)
        elif "|" in part:
            parts[place] = part.partition(":")[0] + ":⟦⟧|⟦⟧}"
    return "".join(parts)


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The process speaks a language in which every sentence of the catalogue has no words."""
    option = click.Command.get_help_option

    def anew(self: click.Command, ctx: click.Context) -> click.Option | None:
        """Click keeps the option `--help` of a command, with its text, for the whole process."""
        self._help_option = None
        try:
            return option(self, ctx)
        finally:
            self._help_option = None

    monkeypatch.setattr(click.Command, "get_help_option", anew)
    known = {template: blank(template) for template in words.catalogue("es")}
    of = words.catalogue
    monkeypatch.setattr(words, "catalogue", lambda name: known if name == PSEUDO else of(name))
    monkeypatch.setattr(tongue, "catalogue", words.catalogue)
    monkeypatch.setattr(words, "_names", lambda name: {})
    before = words.language()
    tongue.use(PSEUDO)
    yield
    words.speak(before)


def legible(output: str, *given: str) -> list[str]:
    """The words in an output that are neither names nor what the user gave."""
    output = re.sub(r"\x1b\[[0-9;]*m", "", output)
    output = re.sub(r"(?<!\w)/[\w./-]+", " ", output)
    output = re.sub(r"(?m)^ +(gambito|eval) .*$", " ", output)  # an example of a command
    names = sorted({*NAMES, *given}, key=len, reverse=True)
    output = re.sub(rf"(?<![\w-])({'|'.join(map(re.escape, names))})(?![\w])", " ", output)
    output = re.sub(GIVEN, " ", output)
    return re.findall(r"[^\W\d_]{3,}", output)


def printed(*args: str) -> str:
    result = CliRunner().invoke(cli, args, terminal_width=300)
    assert result.exception is None or isinstance(result.exception, SystemExit), args
    return result.stdout + result.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command(pseudo, name):
    inner = getattr(cli.get_command(None, name), "commands", {})
    assert legible(printed(name, "--help"), *inner) == []


@pytest.mark.parametrize("name", ["book", "endgame", "evaluate", "exercise", "heuristic"])
def test_the_help_of_the_commands_in_a_group(pseudo, name):
    group = cli.get_command(None, name)
    for inner in group.commands:
        assert legible(printed(name, inner, "--help"), *group.commands) == [], inner


def test_the_help_of_all(pseudo):
    assert legible(printed("--help")) == []


PLAIN = ("--gear", "python")
RUNS = [
    ("best", "tic-tac-toe", "--depth", "2", *PLAIN),
    ("best", "tree", "--position", TREE, *PLAIN),
    ("best", "sliding-tiles:width=2,height=2", "--position", "0 1 2 3", *PLAIN),
    ("best", "kuhn-poker", "--algorithm", "cfr", "--option", "iterations=3", *PLAIN),
    ("solve", "tic-tac-toe", "--position", "XX./OO./...", *PLAIN),
    ("perft", "tic-tac-toe", "--depth", "3", *PLAIN),
    ("play", "tic-tac-toe", "--depth", "1", "--seed", "1", *PLAIN),
    ("match", "random:seed=1", "greedy", "--game", "tic-tac-toe", "--games", "4"),
    ("trace", "tree", "--position", TREE, "--algorithm", "alpha-beta"),
    ("trace", "tree", "--position", TREE, "--algorithm", "mtd-f"),
    ("cache",),
    ("exercise", "list"),
    ("exercise", "show", "minimax"),
    ("games", "chess"),
    ("algorithms", "minimax"),
    ("algorithms", "nim"),
    ("--version",),
    ("endgame", "list"),
    ("equity", "AA", "KK", "--board", "Ks Th 7s", "--sampled", "--samples", "10"),
    ("heuristic", "check", "sliding-tiles:width=2,height=2", "--heuristic", "estimate"),
    ("evaluate", "show", "tic-tac-toe:evaluation=lines"),
    ("visits", "monopoly", "--rolls", "50"),
    ("bridge", "W:A5.2.. 43.3.. K2.A.. QJ.K..", "--strain", "S"),
]


@pytest.mark.parametrize("args", RUNS, ids=" ".join)
def test_a_result(pseudo, args):
    names = [
        "seed",
        "Elo",
        "LLR",
        "False",
        "Shannon",
        "Russell",
        "Norvig",
        "Python",
        "NumPy",
        "Numba",
        "Linux",
        "material",
        "lines",
    ]
    names += [*gambito.load("chess").parameters(), "exchange", "usual", "deepen", "true", "false", "hand"]
    names += [one.name for one in COURSE]
    assert legible(printed(*args), *args, *names) == []


MISTAKES = [
    ("best",), ("bset",), ("best", "nothing"), ("best", "tic-tac-toe", "--depth", "x"),
    ("best", "tree", "--foo"),
    ("best", "tic-tac-toe", "--position", "zzz"), ("best", "tic-tac-toe", "--option", "deepen=9", *PLAIN),
    ("best", "tic-tac-toe", "--option", "zzz"), ("play", "tic-tac-toe", "--side", "third"),
    ("perft", "tic-tac-toe"), ("book", "show", "nothing"), ("endgame", "build", "chess"),
    ("exercise", "show", "zzz"), ("train", "nim"), ("best", "kuhn-poker", "--algorithm", "minimax"),
]  # fmt: skip


@pytest.mark.parametrize("args", MISTAKES, ids=" ".join)
def test_a_mistake(pseudo, args):
    allowed = ["native", "python", "both", "first", "second", "true", "false", "deepen", "openspiel:NAME"]
    allowed += [one.name for one in COURSE]
    allowed += ["integer", *re.findall(r"\bK[A-Z]+K[A-Z]*\b", printed(*args))]
    assert legible(printed(*args), *(part for part in args if len(part) > 2), *allowed) == []


@pytest.mark.parametrize("shape", ["svg", "html"])
def test_a_drawing(pseudo, tmp_path, shape):
    path = tmp_path / f"tree.{shape}"
    told = printed(
        "trace",
        "tree",
        "--position",
        TREE,
        "--algorithm",
        "alpha-beta",
        "--format",
        shape,
        "--output",
        str(path),
    )
    assert legible(told, str(path)) == []
    drawn = re.sub(r"<style>.*?</style>|<script>.*?</script>", "", path.read_text(), flags=re.DOTALL)
    seen = re.findall(r">([^<>]+)<|(?:title|aria-label)=\"([^\"]+)\"", drawn)
    record = re.search(r'<script type="application/json" id="record">(.*?)</script>', drawn, re.DOTALL)
    assert legible(" ".join(map(" ".join, seen)).replace(record[1] if record else "", ""), "alpha-beta") == []


def test_the_check_of_a_game(pseudo, tmp_path):
    path = tmp_path / "wrong.py"
    path.write_text(WRONG)
    assert legible(printed("check", f"{path}:Wrong"), str(path)) == []


def test_a_game_at_a_terminal(pseudo):
    """A whole game between a person and the engine, with every word that a person may type."""
    out = io.StringIO()
    game = load("tic-tac-toe")
    match = RunningGame(game, game.initial())
    seats = {0: None, 1: Engine("alpha-beta", Limits(depth=1), "python")}
    lines = [
        "zzz",
        "help",
        "moves",
        "hint",
        "claim 1",
        "1",
        "undo",
        "board",
        "2",
        ":swap",
        "1",
        "new",
        "quit",
    ]
    session = TerminalGame(match, seats, seats[1], Screen(Console(file=out, width=200)), Script(lines))
    session.run()
    typed = ("alpha-beta", "zzz", "tic-tac-toe", *WORDS)
    assert legible(out.getvalue() + " ".join(session.keyboard.prompts), *typed) == []


def test_json_is_the_same_in_every_language():
    for args in (("best", "tree", "--position", TREE), ("games", "chess"), ("algorithms", "minimax")):
        told = set()
        for language in words.LANGUAGES:
            data = json.loads(CliRunner().invoke(cli, ["--language", language, *args, "--json"]).stdout)
            told.add(json.dumps({name: data[name] for name in data if "seconds" not in name}))
        words.speak("en")
        assert len(told) == 1, args
