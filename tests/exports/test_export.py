"""An exported game says what the game says, and its searches visit the nodes of those of the package."""

from __future__ import annotations

import functools
import json
import random
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gambito
from gambito import CHANCE
from gambito.errors import GameError
from gambito.exports import bundle, desk
from gambito.exports.files import export, export_site, written
from gambito.exports.module import Exported, export_game
from gambito.native.crossing import STRANGE
from tests.array_games import Amazons
from tests.exports.hosts import Here, Host, Wasmtime
from tests.exports.own_games import Domineering, Race, ThreeTake
from tests.templates import holes

FOLDER = Path(__file__).parent
OWN = {kind.name: kind for kind in (Domineering, Race, ThreeTake)} | {"amazons": Amazons}
QUICK = [("connect-four", "engine,alpha-beta"), ("race", "star2")]
LONG = [
    ("domineering", "alpha-beta"),
    ("domineering", "engine,mcts"),
    ("amazons", "alpha-beta,engine"),
    ("race", "expectiminimax,mcts"),
    ("three-take", "max-n,mcts"),
    ("tic-tac-toe", "engine,alpha-beta,mcts"),
]
CASES = [*QUICK, *(pytest.param(*case, marks=pytest.mark.thorough) for case in LONG)]
node = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")


@functools.cache
def made(name: str, algorithms: str) -> Exported:
    game = OWN[name]() if name in OWN else gambito.load(name)
    return export_game(game, algorithms.split(","))


def positions(game: Any, count: int, seed: int = 1) -> list[tuple[list[int], Any]]:
    """Positions of random games, each with the actions that lead to it."""
    rng, found = random.Random(seed), [([], game.initial())]
    while len(found) < count:
        actions, state = [], game.initial()
        while not game.is_terminal(state) and len(actions) < 40 and len(found) < count:
            actions = [*actions, rng.choice(choices(game, state))]
            state = game.result(state, actions[-1])
            if rng.random() < 0.4:
                found.append((actions, state))
    return found


def choices(game: Any, state: Any) -> list[int]:
    """The actions, or the outcomes of chance; none in a finished game."""
    if game.is_terminal(state) or game.player(state) != CHANCE:
        return game.legal(state)
    return [int(outcome) for outcome, _ in game.chances(state)]


def results(game: Any, state: Any) -> list[float]:
    return [float(game.utility(state, player)) for player in range(game.players)]


def way(game: Any, state: Any, action: int) -> list[int]:
    """The cells that an action touches, of several that will do the first."""
    return [step[0] if isinstance(step, tuple) else step for step in game.touch(state, action)]


def limits_of(algorithm: str) -> list[dict[str, Any]]:
    if algorithm == "mcts":
        return [{"nodes": 200, "seed": 1}, {"nodes": 60, "seed": 5}]
    return [{"depth": 1}, {"depth": 3}, {"nodes": 400}]


@functools.cache
def hosts(case: Exported) -> list[Host]:
    """This processor, and wasmtime if it is installed; Node.js has its own test."""
    return [Here(case), *([Wasmtime(case)] if find_spec("wasmtime") else [])]


@pytest.fixture(scope="module", autouse=True)
def closed():
    """Ends the hosts before the interpreter does."""
    yield
    hosts.cache_clear()


def answer(machines: list[Host], state: Any, algorithm: str, **limits: Any) -> dict[str, Any]:
    """What a search finds on every host."""
    first, *others = (machine.search(state, algorithm, **limits) for machine in machines)
    assert all(other == first for other in others)
    return first


@pytest.mark.parametrize(("name", "algorithms"), CASES)
def test_it_says_what_the_game_says(name, algorithms):
    case = made(name, algorithms)
    game = case.game
    for host in hosts(case):
        for _, state in positions(game, 30):
            told, over = host.look(state), bool(game.is_terminal(state))
            legal = choices(game, state)
            assert told["actions"] == legal
            assert told["over"] == over
            assert told["key"] == int(game.key(state))
            assert over or told["player"] == game.player(state)
            assert told["utilities"] == (results(game, state) if over else [0.0] * game.players)
            for action in legal:
                host.place(state)
                assert host.call("play", action) == 0
                child = host.made_state()
                host.place(game.result(state, action))
                assert host.space("gambito.given", np.uint8)[: len(child)].tobytes() == child


@pytest.mark.parametrize(("name", "algorithms"), CASES)
def test_its_searches_are_those_of_the_package(name, algorithms):
    """Nodes, value, line and depth are the same as machine code and as WebAssembly; and, at a fixed depth or
    number of simulations, those of `search`."""
    case = made(name, algorithms)
    machines = hosts(case)
    for algorithm in case.algorithms:
        for _, state in positions(case.game, 12, seed=3):
            if case.game.is_terminal(state):
                continue
            for limits in limits_of(algorithm):
                told = answer(machines, state, algorithm, **limits)
                if "depth" in limits or (algorithm == "mcts" and case.game.player(state) != CHANCE):
                    given = {"endings": False} if algorithm == "engine" else {}
                    found = gambito.search(case.game, state, algorithm=algorithm, **limits, **given)
                    assert (found.nodes, found.line[:1]) == (told["nodes"], told["line"][:1])
                    assert float(found.value) == pytest.approx(told["value"], abs=1e-12)


def test_limits_are_kept():
    case = made("connect-four", "engine,alpha-beta")
    for host in hosts(case):
        state = case.game.parse("4455")
        for algorithm in case.algorithms:
            assert host.search(state, algorithm, nodes=12_345)["nodes"] <= 12_345
            assert host.search(state, algorithm, nodes=1)["line"]
            assert host.search(state, algorithm, depth=1 << 40, nodes=50)["line"]


def test_a_won_game_is_proven():
    case = made("connect-four", "engine,alpha-beta")
    state = case.game.parse("445566")
    for host in hosts(case):
        found = host.search(state, "engine", depth=36)
        assert found["exact"] and found["value"] == 18 and found["line"][0] in (2, 6)


@pytest.mark.thorough
def test_rules_that_keep_arrays_between_actions():
    """A rule that yields keeps its arrays in memory that is no part of the heap."""
    case = export_game(Domineering(6), ["alpha-beta"])
    found = answer(hosts(case), case.game.initial(), "alpha-beta", nodes=30_000)
    assert found["nodes"] == 30_000 and found["depth"] >= 4


def test_what_is_wrong_is_a_code():
    case = made("connect-four", "engine,alpha-beta")
    for host in hosts(case):
        state = case.game.parse("44")
        host.place(state)
        assert host.call("play", 99) == host.call("play", -1) == host.call("play", 1 << 62) == desk.ILLEGAL
        given = host.space("gambito.given", np.uint8)
        for place in range(len(given)):
            host.place(state)
            given[place] ^= 4
            assert host.call("look") == host.call("search_engine") == STRANGE
        host.place(case.game.parse("1122334"))
        assert host.call("play", 1) == desk.IS_OVER
        assert host.search(case.game.parse("1122334"), "alpha-beta", depth=3)["line"] == []


@pytest.mark.parametrize("name", ["kuhn-poker", "sliding-tiles", "battleship"])
def test_what_cannot_be_exported_is_refused(name):
    with pytest.raises((GameError, gambito.SearchError)) as raised:
        export(name, "nowhere")
    assert len(str(raised.value).splitlines()) == 1
    assert not Path("nowhere").exists()


def test_an_unknown_algorithm_is_refused():
    with pytest.raises(GameError, match="pvs is not exported; accepted: engine, alpha-beta"):
        export_game(gambito.load("tic-tac-toe"), ["pvs"])
    with pytest.raises(GameError, match="star2 is for games of chance"):
        export_game(gambito.load("tic-tac-toe"), ["star2"])


def test_it_is_small():
    module = made("connect-four", "engine,alpha-beta").crossing
    assert len(module.wasm(module.contents).code) <= 20_000


def ask(folder: Path, **asked: Any) -> dict[str, Any]:
    """What the exported game says in Node."""
    command = ["node", str(FOLDER / "ask.mjs"), str(folder), json.dumps(asked)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@node
@pytest.mark.parametrize(("name", "algorithms"), CASES)
def test_the_script_says_the_same_in_node(name, algorithms, tmp_path):
    case = made(name, algorithms)
    game, here = case.game, hosts(case)[0]
    for file, body in written(case).items():
        (tmp_path / file).write_bytes(body)
    searches = [{"algorithm": a, **limits} for a in case.algorithms for limits in limits_of(a)]
    chosen = positions(game, 10, seed=4)
    heard = ask(tmp_path, positions=[actions for actions, _ in chosen], searches=searches, abuse=2000)
    for (_, state), told in zip(chosen, heard["told"], strict=True):
        over = bool(game.is_terminal(state))
        assert (told["over"], int(told["key"])) == (over, int(game.key(state)))
        if over:
            assert told["utilities"] == results(game, state)
            continue
        assert told["mover"] == game.player(state)
        if game.player(state) != CHANCE:
            assert told["actions"] == game.legal(state)
            assert [name for _, name, _ in told["moves"]] == [game.write(state, a) for a in told["actions"]]
            assert [touch for _, _, touch in told["moves"]] == [way(game, state, a) for a in told["actions"]]
        for limits, found in zip(searches, told["found"], strict=True):
            assert found == here.search(state, **limits)
    assert set(heard["codes"]) <= {"good", "illegal", "strange", "over", "unknown", "text"}
    assert sum(heard["codes"].values()) == 2000


def test_the_files(tmp_path):
    made = export("tic-tac-toe", tmp_path / "site", "alpha-beta")
    assert made.algorithms == ("alpha-beta",)
    assert {path.name: path.stat().st_size for path in made.folder.iterdir()} == made.sizes
    page = (made.folder / "index.html").read_text()
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    assert json.loads((made.folder / "package.json").read_text())["name"] == "tic-tac-toe"


def test_a_site_of_several_games(tmp_path):
    made = export_site(["tic-tac-toe", "nim:heaps=2-3"], tmp_path / "site", "alpha-beta")
    assert [each.game for each in made] == ["tic-tac-toe", "nim:heaps=2-3"]
    page = (tmp_path / "site" / "index.html").read_text()
    assert "Tres en raya" in page and "http" not in page
    for place in re.findall('"place":"([^"]+)"', page):
        assert (tmp_path / "site" / place / "index.html").is_file()


def test_a_site_is_written_whole_or_not(tmp_path):
    with pytest.raises(GameError, match="sliding-tiles is a puzzle"):
        export_site(["tic-tac-toe", "sliding-tiles"], tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_a_notebook_shows_a_board_to_play_on():
    html = gambito.show("tic-tac-toe", play=True)._repr_html_()
    assert html.startswith('<iframe sandbox="allow-scripts" srcdoc="') and "<!doctype" not in html
    assert "WebAssembly" in html


def test_texts_have_their_spanish():
    """Each text of the page is in the catalogue of the web page or in that of exports, and nothing else."""
    own = json.loads(bundle.own("words/es.json"))
    text = bundle.own("play.js") + bundle.own("index.html")
    used = {one or other for one, other in bundle.TEXT.findall(text)}
    known = bundle.words(used)["words/es.json"]
    assert sorted(used - known.keys()) == []
    assert sorted(own.keys() - used) == []
    assert all(holes(english) == holes(spanish) for english, spanish in own.items())
