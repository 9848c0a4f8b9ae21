"""The other commands: help, games, algorithms, check, cache, trace."""

from __future__ import annotations

import json
import os
import re

import pytest

import gambito as library
from gambito.cli.main import cli
from gambito.game.registry import game_classes
from gambito.search.algorithm import algorithms


def test_version_and_help(gambito):
    assert gambito("--version").out.startswith(f"gambito {library.__version__}\n")
    assert gambito().out == gambito("--help").out == gambito("-h").out
    assert all(f"  {name} " in gambito("--help").out for name in cli.list_commands(None))


COMMANDS = [
    f"{name} {sub}".strip()
    for name, found in ((name, cli.get_command(None, name)) for name in cli.list_commands(None))
    for sub in getattr(found, "commands", [""])
]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_json(gambito, name):
    text = gambito(*name.split(), "--help").out
    assert "--json" in text and "Usage: gambito " + name in text


@pytest.mark.parametrize(
    "args",
    [
        ("games",),
        ("algorithms",),
        ("algorithms", "tree"),
        ("algorithms", "engine"),
        ("games", "chess"),
        ("best", "tree"),
        ("solve", "tree", "--option", "memory=1"),
        ("perft", "tree", "--depth", "1"),
        ("trace", "tree"),
        ("trace", "tree", "--format", "svg"),
        ("check", "tree"),
        ("equity", "AhKh", "QsQd", "--board", "Ks Th 7s"),
        ("cache",),
        ("play", "tree"),
    ],
    ids=" ".join,
)
def test_json_is_one_object_and_nothing_else(gambito, args):
    ran = gambito(*args, "--json")
    assert ran.status == 0 and ran.err == ""
    assert isinstance(ran.json, dict) and ran.out.count("\n") == 1


def test_games(gambito):
    data = gambito("games", "--json").json["games"]
    assert [game["name"] for game in data] == list(game_classes())
    four = next(game for game in data if game["name"] == "connect-four")
    assert four["parameters"] == {"width": 7, "height": 6, "line": 4, "evaluation": "hand"}
    assert four["traits"]["longest"] == 42
    text = gambito("games").out
    assert "width=7, height=6, line=4" in text and "Four in a row wins" in text and "`4455`" in text


def test_algorithms(gambito):
    data = gambito("algorithms", "--json").json
    assert [one["name"] for one in data["algorithms"]] == list(algorithms())
    mtd = next(one for one in data["algorithms"] if one["name"] == "mtd-f")
    assert (
        next(o for o in mtd["options"] if o["name"] == "memory")["accepted"]
        == "a whole number from 1 to 4096"
    )
    text = gambito("algorithms").out
    assert "Knuth & Moore 1975" in text and "memory=64" in text and "connect-four, " in text


def test_algorithms_for_a_game_that_does_not_fit(gambito, rules):
    game = f"{rules}:Dice"
    for one in gambito("algorithms", game, "--json").json["algorithms"]:
        assert one["fits"] or "dice" in one["misfits"][game]
    assert "alpha-beta is for games without chance" in gambito("algorithms", game, "--all").out


def test_algorithms_for_a_game_in_ten_lines(gambito):
    for game in ("tic-tac-toe", "kuhn-poker", "sliding-tiles", "pig"):
        text = gambito("algorithms", game).out
        described = gambito("algorithms", game, "--json").json["algorithms"]
        assert len(text.splitlines()) <= 10
        named = set(re.findall(r"[\w*+-]+", text))
        assert {one["name"] for one in described if one["fits"]} <= named
        assert "--all" in text


def test_check(gambito, rules):
    assert gambito("check", "tree").out.startswith("tree: no problem found (30 games")
    ran = gambito("check", f"{rules}:Wrong")
    assert ran.status == 1 and "add up to zero" in ran.out and not ran.err
    data = gambito("check", f"{rules}:Wrong", "--json")
    assert (
        data.status == 1 and not data.json["ok"] and len(data.json["problems"]) == len(ran.out.splitlines())
    )


def test_cache(gambito, tmp_path, monkeypatch):
    monkeypatch.setenv("GAMBITO_CACHE", str(tmp_path))
    version = tmp_path / ("0" * 20)
    version.mkdir()
    (version / f"search-{'0' * 32}.code").write_bytes(b"gambito machine code 1\n".ljust(3000))
    told = gambito("cache", "--json").json
    assert told.pop("oldest") < 1
    assert told == {
        "path": str(tmp_path), "files": 1, "bytes": 3000, "current": 0, "limit": 2 << 30, "received": 0,
        "removed": 0,
    }  # fmt: skip
    assert "2.9 KiB of at most 2.0 GiB" in gambito("cache").out
    assert gambito("cache", "--trim", "1", "--json").json["removed"] == 0
    assert "1 file" in gambito("cache", "--trim", "0").out
    (tmp_path / ("0" * 20)).mkdir()
    (version / f"search-{'0' * 32}.code").write_bytes(b"gambito machine code 1\n".ljust(3000))
    assert gambito("cache", "--clear", "--json").json["removed"] == 1
    assert gambito("cache", "--json").json["files"] == 0
    tmp_path.chmod(0o777)
    assert f"others may write to {tmp_path}" in gambito("cache").out


@pytest.mark.parametrize(
    ("shape", "begin"), [("text", "alpha-beta on tree"), ("svg", "<svg"), ("html", "<!"), ("json", "{")]
)
def test_trace(gambito, tmp_path, shape, begin):
    ran = gambito("trace", "tree", "--format", shape)
    assert ran.out.lower().startswith(begin) or begin in ran.out[:200]
    file = tmp_path / "drawing"
    told = gambito("trace", "tree", "--format", shape, "--output", str(file))
    assert file.read_text(encoding="utf-8").strip() == ran.out.strip()
    assert told.out.startswith(f"{file}: ")


def test_trace_as_json_is_the_record(gambito):
    data = gambito("trace", "tree", "--algorithm", "minimax", "--json").json
    assert (data["algorithm"], data["evaluations"], data["value"]) == ("minimax", 9, 3)
    assert data == json.loads(gambito("trace", "tree", "--algorithm", "minimax", "--format", "json").out)


def test_colour_only_where_it_is_wanted(terminal, monkeypatch):
    """In a terminal names are bold; not with NO_COLOR."""
    monkeypatch.delitem(os.environ, "NO_COLOR", raising=False)
    _, bold = terminal("best", "tree").end()
    monkeypatch.setenv("NO_COLOR", "1")
    _, plain = terminal("best", "tree").end()
    assert re.search(r"action  \x1b\[1ma", bold) and "\x1b" not in plain


def test_warm(gambito, monkeypatch):
    asked = []
    monkeypatch.setattr("gambito.cli.warm.try_to_ask", lambda pair: asked.append(pair))
    assert [one["algorithm"] for one in gambito("warm", "tic-tac-toe", "--json").json["asked"]][:2] == [
        "engine",
        "alpha-beta",
    ]
    assert gambito("warm").out.startswith(f"{len(asked) - 4} searches are ready")
    assert asked[4].game == "connect-four"  # of all games, those that are played most come first


def test_a_server_may_compile_meanwhile(gambito, monkeypatch):
    from gambito.cli import serve

    ended = []

    class Process:
        pid = 1

        def __init__(self, command, **_):
            assert command[1:] == ["-m", "gambito", "warm"]

        def terminate(self):
            ended.append("terminated")

        def wait(self):
            ended.append("waited")

    monkeypatch.setattr(serve.subprocess, "Popen", Process)
    monkeypatch.setattr(serve.os, "setpriority", lambda *_: None)
    monkeypatch.setattr("gambito.web.serve.serve", lambda *_: None)
    gambito("serve", "--warm")
    assert ended == ["terminated", "waited"]
    gambito("serve")
    assert len(ended) == 2


def test_coefficients_are_shown_side_by_side(gambito):
    given = ["evaluate", "show", "chess", "--position", "e4 d5 exd5"]
    told = gambito(*given, "--evaluation", "turing").out
    assert "White's pieces      41" in told and "quotient         1.025" in told
    told = gambito(*given, "--evaluation", "hand", "--evaluation", "learned").out
    assert told.splitlines()[0].split() == ["amount", "hand", "learned"]
    found = gambito("evaluate", "show", "draughts:evaluation=shannon", "--json").json
    (one,) = found["evaluations"]
    assert [(c["name"], c["weights"]) for c in one["coefficients"]] == [
        ("pieces", [100.0]),
        ("advance", [4.0]),
        ("double threats", [20.0]),
    ]
    assert "weights" in gambito("evaluate", "show", "othello").out
    assert "its numbers stand in the rules" in gambito("evaluate", "show", "checkers:evaluation=hand").out
    compared = gambito("evaluate", "compare", "chess", "--position", "e4 d5 exd5", "--evaluation", "turing")
    assert compared.out.splitlines()[1].split() == ["position", "1.025"]


def test_evaluations_are_compared_in_the_order_of_the_last(gambito):
    given = ["evaluate", "compare", "chess", "--evaluation", "shannon", "--evaluation", "network"]
    lines = gambito(*given).out.splitlines()
    assert lines[0].split() == ["shannon", "network"]
    assert lines[1].split() == ["position", "+0", "+20"]
    values = [int(line.split()[2]) for line in lines[2:]]
    assert values == sorted(values, reverse=True)
    assert len(values) == 20
    told = json.loads(gambito(*given, "--json").out)
    assert [one["evaluation"] for one in told["evaluations"]] == ["shannon", "network"]
