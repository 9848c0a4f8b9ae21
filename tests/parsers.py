"""Every parser of the package, with inputs that it accepts, for tests with mutated inputs.

A parser may accept an input, or refuse it with one of Gambito's errors in one line; anything else is a fault.
`python -m tests.parsers 1000000` tries a number of inputs in total, and prints how many each parser has read
and refused, and every fault.
"""

from __future__ import annotations

import functools
import json
import random
import struct
import sys
import tempfile
import traceback
import warnings
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import gambito
from gambito.books import files as book_files
from gambito.books.book import new_pages, open_own
from gambito.books.collection import Collection
from gambito.books.polyglot import Entry, format_book, parse_book
from gambito.endgames import files as table_files
from gambito.endgames.builder import Builder, Stage
from gambito.endgames.files import TableFile, read_stage, write_stage, write_table
from gambito.endgames.syzygy_file import WDL_MAGIC, SyzygyFile
from gambito.errors import GambitoError
from gambito.evaluate import files as weight_files
from gambito.evaluate.files import read_evaluation, write_evaluation
from gambito.evaluate.policy.dense import Shape, new_dense
from gambito.evaluate.policy.encoding import sample_games
from gambito.evaluate.policy.files import Network, read_network, write_network
from gambito.evaluate.policy.places import find_places
from gambito.evaluate.policy.shared_weights import Ties
from gambito.game.contract import CHANCE, Game
from gambito.game.line import write_line
from gambito.game.registry import game_classes
from gambito.game.variations import Line, Move, Score
from gambito.game_tools.poker.cards import read_board
from gambito.game_tools.poker.ranges import read_range
from gambito.game_tools.poker.spots.files import resume, save_solver
from gambito.game_tools.poker.spots.solver import SpotSolver
from gambito.game_tools.poker.spots.spot import load_spot, read_spot
from gambito.games.chess.epd import read_epd
from gambito.games.grid_map import read_scenarios
from gambito.hidden.strategy import read_strategy
from gambito.jobs import read_executor
from gambito.learn.checkpoints import read_arrays, read_facts, save_arrays, save_facts
from gambito.players.clock import read_control
from gambito.players.experiments.experiment_plan import read_plan, read_toml
from gambito.players.journal import Journal
from gambito.players.player_text import read_player
from gambito.players.tuning import read_tuned_option
from gambito.protocols.dialect import UCI, UGI
from gambito.protocols.gtp import GtpSession
from gambito.protocols.hub import HubSession
from gambito.protocols.nboard import NBoardSession
from gambito.protocols.session import ProtocolSession
from gambito.search.algorithm import algorithms
from gambito.web.catalogue import Catalogue
from gambito.web.plain_tree import read_plain, write_plain
from gambito.web.requests import Requests
from gambito.web.server_limits import ServerLimits
from gambito.web.setup import MatchSetup, view
from tests.mutation import mutated

PLIES, SHORT = 12, 5  # of the games that inputs are made from; of whole games, which are slow to read
MISTAKE = "mistake in Gambito"  # what a program says where it has no sentence


class Fault(Exception):
    """A parser did what no parser may do."""


@dataclass
class Parser:
    """A parser: inputs that it accepts, and a function that reads one."""

    name: str
    seeds: list[Any]
    read: Callable[[Any], Any]
    weight: int = 1  # its share of the inputs

    def try_one(self, number: int) -> str:
        """Read the mutated input with that number: `read` or `refused`, or raise Fault."""
        given = mutated(self.seeds, random.Random(f"{self.name} {number}"))
        try:
            self.read(given)
        except GambitoError as problem:
            if len(str(problem).splitlines()) != 1:
                raise Fault(
                    f"{self.name}: {given!r:.300} is told over several lines: {str(problem)!r:.300}"
                ) from None
            return "refused"
        except Exception as problem:
            place = traceback.extract_tb(problem.__traceback__)[-1]
            raise Fault(
                f"{self.name}: {given!r:.300} raises {type(problem).__name__}: {problem!s:.200} "
                f"({Path(place.filename).name}:{place.lineno})"
            ) from problem
        return "read"


# ---- games -------------------------------------------------------------------------------------------


def walk(game: Game, seed: int) -> tuple[list[Any], list[int]]:
    """The states and actions of a random game."""
    rng, states, actions = random.Random(seed), [game.initial()], []
    while len(actions) < PLIES and not game.is_terminal(states[-1]):
        state = states[-1]
        legal = (
            [int(o) for o, _ in game.chances(state)] if game.player(state) == CHANCE else game.legal(state)
        )
        actions.append(rng.choice(legal))
        states.append(game.result(state, actions[-1]))
    return states, actions


def read_position(game: Game, text: str) -> None:
    """A position that is read is one that the game can write, and read again."""
    state = game.parse(text)
    there = game.at(state)
    written = there.text(state)
    there.show(state)
    again = there.parse(written) if written else state
    if there.at(again).text(again) != written:
        raise Fault(
            f"{game.label()}: {text!r:.200} is written as {written!r:.200} and read as another position"
        )


def branched(states: list[Any], actions: list[int]) -> Score:
    """A game with itself as a variation, with a comment and a glyph."""
    moves = [Move(action, "why", [1], [Line("instead", [Move(action)])]) for action in actions]
    return Score(states[0], line=Line("first", moves))


def of_game(name: str) -> Iterator[Parser]:
    game = gambito.load(name)
    walks = [walk(game, seed) for seed in range(3)]
    states = [state for walked, _ in walks for state in walked]
    texts = [text for state in states if (text := game.text(state))]
    lines = [" ".join(write_line(game, walked[0], actions)) for walked, actions in walks]
    yield Parser(f"{name}: positions", [*texts, *lines], functools.partial(read_position, game), 8)
    ongoing = [state for state in states if not game.is_terminal(state) and game.player(state) != CHANCE]
    if ongoing:
        rng = random.Random(name)
        moves = [game.write(s, a) for s in ongoing for a in game.legal(s)[:3]]
        moves += [game.token(s, a) for s in ongoing for a in game.legal(s)[:3]]
        yield Parser(f"{name}: moves", moves, lambda text: game.read(rng.choice(ongoing), text), 2)
    records = [game.write_game(walked[0], actions[:SHORT]) for walked, actions in walks]
    yield Parser(f"{name}: records", [*records, *lines], lambda text: game.read_game(text))
    if type(game).read_tree is not Game.read_tree:
        trees = [game.write_tree(branched(walked, actions[:SHORT])) for walked, actions in walks]
        yield Parser(f"{name}: variations", trees, lambda text: game.read_tree(text), 2)
    else:
        plain = [write_plain(game, branched(walked, actions[:SHORT])) for walked, actions in walks]
        yield Parser(f"{name}: variations", plain, lambda text: read_plain(game, text), 2)
    collection = ["\n".join(records[:2]).encode(), *(record.encode() for record in records)]

    def collect(data: bytes) -> None:
        for record in game.split_games(data):
            try:
                game.read_record(record)
            except GambitoError as problem:
                if len(str(problem).splitlines()) != 1:
                    raise

    yield Parser(f"{name}: collections", collection, collect)
    known = gambito.load(name).parameters()
    given = [f"{n}={v}" for n, v in known.items()] or ["x=1"]
    yield Parser(
        f"{name}: parameters", [*given, ",".join(given)], lambda text: gambito.load(f"{name}:{text}")
    )


# ---- texts -------------------------------------------------------------------------------------------

FEN = "r3k2r/pp1bpppp/2n2n2/q2p4/3P4/2N1PN2/PP1B1PPP/R2QK2R w KQkq - 3 9"
QUESTIONS = """
{"id": 1, "do": "view", "game": "connect-four:width=7", "start": "4455", "moves": ["4", "3"]}
{"id": 2, "do": "go", "game": "chess", "moves": ["e4"], "player": {"level": 3}, "clock": {"left": 60.0}}
{"id": 3, "do": "go", "game": "nim", "player": {"algorithm": "engine", "options": {"memory": 3}, "depth": 2}}
{"id": 4, "do": "analyse", "game": "othello", "algorithm": "engine", "seconds": 1.5, "lines": 3}
{"id": 5, "do": "load", "game": "go:size=9", "text": "(;SZ[9];B[ee])", "lang": "es"}
{"id": 6, "do": "edit", "game": "tree", "path": ["1", "2"], "value": -3.5}
{"id": 8, "do": "save", "game": "chess", "tree": [[-1, "", "", []], [0, "e4", "best", [1]]]}
{"id": 7, "do": "arrange", "game": "tic-tac-toe", "cells": ["X", ".", "O"], "fields": ["w"]}
{"id": 7, "do": "trace", "game": "graph", "algorithm": "a-star", "depth": 3}
"""
SPOT = """board: Ks Th 7s 4d 2c
pot: 10
stack: 15
first: KdKc,QhJh,9d8d:0.5
second: AcKd,TcTd # and no more
bets: 50% all-in
"""
EXPERIMENTS = [
    'algorithms = ["pvs", "mtd-f:memory=2"]\ngame = "tic-tac-toe"\npositions = ["", "X.O/.X./..."]\n'
    "depth = [2, 3]\n"
    "seeds = 2\nrepeat = 2\n[options]\nmemory = [1, 2]\ndeepen = true\n",
    'name = "a"\nalgorithms = ["mcts"]\n[[task]]\ntitle = "t"\ngame = "uniform-tree:seed={seed}"\nnodes = 9\n'
    '[[task]]\ngame = "tree"\nseconds = 0.5\n',
    'players = ["random:seed=1", "greedy"]\ngame = "nim"\ngames = 4\npairing = "gauntlet"\nclock = "1+0.1"\n'
    "seed = 3\nplies = 2\nopenings = 3\n",
]
PLAYERS = """
random:seed=3
level:strength=3
strongest:seconds=1
engine:depth=4,threads=2,memory=16
mcts:nodes=300,rave=100.0,parallel=root
uci:engine
blueprint:seed=3,resolve=0
alpha-beta:depth=3,gear=python,evaluation=hand
engine:seconds=1,book=none.book,book_plies=4
"""
UCI_LINES = f"""
uci
isready
ucinewgame
setoption name Hash value 16
setoption name UCI_Chess960 value true
setoption name Book File value none.book
position startpos moves e2e4 e7e5
position fen {FEN} moves d1a4
go depth 3 searchmoves e2e4
go wtime 1000 btime 900 winc 5 binc 5 movestogo 30
go mate 3
go infinite
ponderhit
stop
d
"""
UGI_LINES = """
ugi
isready
uginewgame
position startpos moves 4 4
position fen 4455 moves 3
query result
query p1turn
go p1time 100 p2time 100 p1inc 1
go nodes 7
setoption name Hash value 8
"""
GTP_LINES = """
1 boardsize 9
komi 6.5
play b d4
3 play white pass
genmove b
undo
showboard
final_score
time_settings 300 30 5
time_left b 30 0
known_command play
list_commands
clear_board
lz-analyze b 10 maxmoves 3 avoid b C3 2
kata-analyze interval 50 ownership true
lz-genmove_analyze w 20
"""
HUB_LINES = f"""
hub
set-param name=hash value=16
set-param name=book-file value=""
init
pos pos=W{"b" * 20}{"e" * 10}{"w" * 20} moves="32-28 19-23 28x19x23"
level depth=4 nodes=100
level moves=9 time=291.587 inc=0.5
level infinite
go think
go ponder
go analyze
ping
new-game
ponder-hit
"""
NBOARD_LINES = """
nboard 2
set depth 12
set game (;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[d6];)
move F5/0.50/1.2
hint 3
go
ping 7
learn
"""


def lines_of(text: str) -> list[str]:
    return text.strip().splitlines()


def of_texts() -> Iterator[Parser]:
    names = ["connect-four", "connect-four:width=9,height=7", "rules.py:My:size=4", "nim:"]
    yield Parser("names of games", names, gambito.load)
    yield Parser("players", lines_of(PLAYERS), read_player, 4)
    yield Parser("crews", ["threads:1", "processes:16"], read_executor, 4)
    chess = gambito.load("chess")
    yield Parser(
        "ranges to tune",
        ["late_move_pruning=1..8", "futility", "reverse_futility=40..140"],
        lambda text: read_tuned_option(text, chess),
        4,
    )
    yield Parser("experiments", EXPERIMENTS, lambda text: read_plan(read_toml(text, "a plan")), 4)
    yield Parser("clocks", ["60+0.6", "100ms+10ms", "2m", "40/60", ".5s"], read_control, 4)
    problem = f'{" ".join(FEN.split()[:4])} bm Qxa2; id "one";'
    yield Parser("problems of chess", [problem, FEN], read_epd, 4)
    ranges = ["22+,A2s+,KTo+", "99-66 T9s-65s", "AhKd,QQ:0.5", "AK", "random"]
    yield Parser("ranges of hands", ranges, read_range, 4)
    yield Parser("boards of hold'em", ["Ks Th 7s", "KsTh7s4d", "Ks Th 7s 4d 2c"], read_board, 4)
    yield Parser("spots of hold'em", [SPOT, SPOT.replace("0.5", "1")], read_spot, 4)
    options = ["memory=16", "aspiration=25", "null_move=true", "rave=100", "table=off"]
    yield Parser("options of searches", options, read_option, 4)
    questions = Requests(ServerLimits())
    yield Parser("questions to the page", lines_of(QUESTIONS), questions.read, 8)
    setup, begun = MatchSetup(Catalogue(ServerLimits())), []
    for name in game_classes():
        game = gambito.load(name)
        begun.append(json.dumps({"id": 1, "do": "view", "game": name, "start": game.text(game.initial())}))

    def show(text: str) -> None:
        question = questions.read(text)
        if "game" in question:
            view(setup.match(question))

    yield Parser("games set up on the page", [*lines_of(QUESTIONS)[:3], *begun], show, 4)


def read_option(text: str) -> None:
    name, _, value = text.partition("=")
    for algorithm in ("engine", "mcts", "a-star"):
        algorithms()[algorithm].read_options({name: value})


class Deaf(ProtocolSession):
    """A session that reads every line and never searches."""

    def _go(self, words: list[str]) -> None:
        self._question(words)

    def prepare(self) -> None:
        pass


class DeafGtp(GtpSession):
    """A session that reads every line and never searches."""

    def _answer(self, words: list[str], is_played: bool) -> str:
        return "pass"


class DeafHub(Deaf, HubSession):
    """The same of Hub."""


class DeafNBoard(Deaf, NBoardSession):
    """The same of NBoard."""


def of_lines() -> Iterator[Parser]:
    yield Parser("lines of UCI", lines_of(UCI_LINES), functools.partial(hear, "chess", UCI), 8)
    yield Parser("lines of UGI", lines_of(UGI_LINES), functools.partial(hear, "connect-four", UGI), 4)
    yield Parser("lines of GTP", lines_of(GTP_LINES), hear_gtp, 4)
    yield Parser("lines of Hub", lines_of(HUB_LINES), functools.partial(hear_other, DeafHub, "draughts"), 4)
    yield Parser(
        "lines of NBoard", lines_of(NBOARD_LINES), functools.partial(hear_other, DeafNBoard, "othello"), 4
    )


@functools.cache
def loaded(name: str) -> Game:
    return gambito.load(name)


def hear(name: str, dialect: Any, line: str) -> None:
    said: list[str] = []
    Deaf(loaded(name), said.append, dialect).hear(line)
    if any(MISTAKE in one or "\n" in one for one in said):
        raise Fault(f"{dialect.name}: {line!r:.300} is answered with {said}")


def hear_other(kind: Any, name: str, line: str) -> None:
    said: list[str] = []
    kind(loaded(name), said.append).hear(line)
    if any(MISTAKE in one or "\n" in one for one in said):
        raise Fault(f"{kind.__name__}: {line!r:.300} is answered with {said}")


def hear_gtp(line: str) -> None:
    said, _ = DeafGtp(loaded("go:size=9")).hear(line)
    if MISTAKE in said:
        raise Fault(f"gtp: {line!r:.300} is answered with {said}")


# ---- files -------------------------------------------------------------------------------------------


def in_file(place: Path, name: str, read: Callable[[Path], Any]) -> Callable[[bytes], Any]:
    """A parser of bytes that reads them from a file."""
    path = place / name

    def write_and_read(data: bytes) -> Any:
        path.write_bytes(data)
        return read(path)

    return write_and_read


def sealed(data: bytes, magic: bytes) -> bytes:
    """A book or a table whose facts were changed, with the right length and checksum of its head."""
    text, _, rest = data.partition(b"\n")
    head = magic + struct.pack("<I", len(text)) + text
    return head + struct.pack("<I", zlib.crc32(head)) + rest


def facts_of(data: bytes, magic: bytes) -> bytes:
    (length,) = struct.unpack_from("<I", data, len(magic))
    return data[len(magic) + 4 : len(magic) + 4 + length] + b"\n"


def resealed_weights(data: bytes) -> bytes:
    """Weights whose header was changed, with a right checksum, if it can still be read."""
    line, _, packed = data.partition(b"\n")
    try:
        header = json.loads(line)
        header.pop("sum", None)
        header["sum"] = weight_files._checksum(header, packed)
        return json.dumps(header).encode() + b"\n" + packed
    except (ValueError, AttributeError, RecursionError):
        return data


def resealed_stage(data: bytes) -> bytes:
    head = len(table_files.PART)
    return table_files.PART + struct.pack("<I", zlib.crc32(data[head + 4 :])) + data[head + 4 :]


def syzygy_seeds() -> list[bytes]:
    """Tables of KRvK: one whose values are all the same, and one with codes, index and blocks, all small."""
    head = WDL_MAGIC + bytes([1, 0, 0x66, 0x44, 0xEE, 0])
    symbols = b"\x04\xf0\xff" + b"".join(
        bytes([n, n << 4, 0]) for n in range(15)
    )  # each twice the one before
    pairs = bytes([0, 6, 15, 0, 1, 0, 0, 0, 4, 4, 0, 0, 16, 0]) + symbols + bytes([0x80, 2])
    index, sizes = struct.pack("<IH", 0, 1 << 14), struct.pack("<H", 31_331)
    whole = (head + pairs + index + sizes).ljust(128, b"\0") + b"\xaa" * 64
    return [head + bytes([0x80, 4, 0x80, 0]), whole]


def use_syzygy(path: Path) -> None:
    found = SyzygyFile(path)
    for squares in ((0, 17, 42), (9, 63, 1), (27, 29, 60)):
        white = [0, 0, 0, 1 << squares[2], 0, 1 << squares[0]]
        for turn in (0, 1):
            found.wdl(white, [0, 0, 0, 0, 0, 1 << squares[1]], turn)


def of_files(place: Path) -> Iterator[Parser]:
    nim = gambito.load("nim:heaps=1-2-3")
    collection = Collection(nim)
    for seed in range(9):
        walked, actions = walk(nim, seed)
        collection.add(walked[0], actions)
    book_files.write_pages(place / "x.book", collection.pages())
    book_files.write_pages(place / "empty.book", new_pages(nim))

    def use_book(path: Path) -> None:
        book = open_own(path)
        book.check(gambito.load(book.facts.game))
        for state, _ in zip(book.walk(nim), range(5), strict=False):
            book.choose(nim, state[0])

    books = [(place / name).read_bytes() for name in ("x.book", "empty.book")]
    yield Parser("books", books, in_file(place, "m.book", use_book), 4)
    heads = [facts_of(data, book_files.MAGIC) for data in books]
    read = in_file(place, "n.book", use_book)
    yield Parser("heads of books", heads, lambda data: read(sealed(data, book_files.MAGIC)), 4)
    entries = [
        Entry(number // 2, move, number) for number, move in enumerate(("e2e4", "d2d4", "e1h1", "a7a8q"))
    ]
    yield Parser("Polyglot books", [format_book(entries)], lambda data: list(parse_book(data)), 4)

    solver = SpotSolver(read_spot(SPOT), how="python")
    solver.iterate(1)
    save_solver(solver, place / "x.spot")
    kept = [(place / "x.spot").read_bytes()]
    yield Parser("strategies of spots", kept, in_file(place, "m.spot", lambda p: resume(p, 64, "python")), 2)
    yield Parser("files of spots", [SPOT.encode()], in_file(place, "n.spot", load_spot), 2)

    yield Parser("Syzygy tables", syzygy_seeds(), in_file(place, "KRvK.rtbw", use_syzygy), 4)

    table = Builder(nim, gear="python").build("all")
    write_table(place / "x.table", nim.label(), "rules", table)

    def use_table(path: Path) -> None:
        file = TableFile(path)
        file.read()
        file.packed()

    tables = [(place / "x.table").read_bytes()]
    yield Parser("endgame tables", tables, in_file(place, "m.table", use_table), 4)
    heads = [facts_of(tables[0], table_files.MAGIC)]
    read_head = in_file(place, "n.table", use_table)
    yield Parser("heads of endgame tables", heads, lambda data: read_head(sealed(data, table_files.MAGIC)), 4)
    stage = Stage(1, 2, 3, 4, 5, np.arange(4, dtype=np.int16), np.arange(4, dtype=np.uint8))
    write_stage(place / "x.part", {"name": "x"}, stage)
    read_part = in_file(place, "m.part", lambda path: read_stage(path, {"name": "x"}))
    stages = [(place / "x.part").read_bytes()]
    yield Parser("checkpoints of builds", stages, lambda data: read_part(resealed_stage(data)))

    from tests.learn.small import SPEC

    lines = gambito.load(f"{SPEC}:evaluation=blank")
    weights = {"weights": lines.weights.array}
    write_evaluation(place / "x.eval", lines, lines.form.description, weights, {"round": 1}, 0)
    evaluations = [(place / "x.eval").read_bytes()]

    def use_weights(path: Path) -> None:
        read_evaluation(path, lines, lines.form.description)

    yield Parser("weights", evaluations, in_file(place, "m.eval", use_weights))
    read_weights = in_file(place, "n.eval", use_weights)
    yield Parser("heads of weights", evaluations, lambda data: read_weights(resealed_weights(data)), 4)

    toe = gambito.load("tic-tac-toe")
    seen = sample_games(toe, "python", games=10, room=100)
    shape = Shape(seen.sight.inputs, 2, 2, seen.slots, 1, 2, 1)
    places = find_places(toe, seen.sight, seen.packed, seen.movers)
    for path, where in (("x.net", None), ("y.net", places)):
        ties = None if where is None else Ties(where)
        network = Network(seen.sight, seen.outputs, where, shape, new_dense(shape, 0, ties), {"games": 1})
        write_network(place / path, toe, network, 0)
    networks = [(place / "x.net").read_bytes(), (place / "y.net").read_bytes()]
    read_net = in_file(place, "m.net", lambda path: read_network(path, toe))
    yield Parser("networks", networks, read_net)
    yield Parser("heads of networks", networks, lambda data: read_net(resealed_weights(data)), 4)

    kuhn = gambito.load("kuhn-poker")
    gambito.solve(kuhn, algorithm="cfr", iterations=3, gear="python").strategy.save(place / "x.strategy")
    read_kuhn = in_file(place, "m.strategy", lambda path: read_strategy(path, kuhn))
    yield Parser("strategies", [(place / "x.strategy").read_bytes()], read_kuhn)

    save_arrays(place / "x.npz", {"kept": np.arange(9), "facts": np.zeros((2, 2))}, "mark")
    arrays = [(place / "x.npz").read_bytes()]
    yield Parser("checkpoints of trainings", arrays, in_file(place, "m.npz", read_arrays))
    save_facts(place / "x.json", {"games": 3, "plans": [{"depth": 2}]}, "mark")
    yield Parser(
        "facts of trainings", [(place / "x.json").read_bytes()], in_file(place, "m.json", read_facts)
    )

    with Journal(place / "x.jsonl", {"first": "a", "second": "b"}) as journal:
        journal.append({"number": 0, "points": 0.5, "reason": "", "seconds": [0.1, 0.2], "moves": "1 2"})
        journal.append({"number": 1, "points": 1, "reason": "", "seconds": [0.1, 0.2], "moves": "1 2"})
    journals = [(place / "x.jsonl").read_bytes()]

    def use_journal(path: Path) -> None:
        Journal(path, {"first": "a", "second": "b"}).close()

    yield Parser("files of matches", journals, in_file(place, "m.jsonl", use_journal), 4)

    maps = [b"type octile\nheight 3\nwidth 4\nmap\n....\n.@@.\n....\n"]
    yield Parser("maps", maps, in_file(place, "m.map", lambda path: gambito.load(f"grid-map:map={path}")))
    scenarios = [b"version 1\n0\tm.map\t4\t3\t0\t0\t3\t2\t5.82842712\n0\tm.map\t4\t3\t1\t0\t3\t2\t4.5\n"]
    yield Parser("scenarios", scenarios, in_file(place, "m.scen", read_scenarios), 4)


# ---- all of them -------------------------------------------------------------------------------------


def parsers(place: Path) -> list[Parser]:
    """Every parser; files are written to a folder."""
    games = [parser for name in game_classes() for parser in of_game(name)]
    return [*games, *of_texts(), *of_lines(), *of_files(place)]


def share_out(every: list[Parser], total: int) -> list[tuple[Parser, int]]:
    """The number of inputs of each parser, by weight."""
    whole = sum(parser.weight for parser in every)
    return [(parser, -(-total * parser.weight // whole)) for parser in every]


def main() -> int:
    total, faults, sums = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000, 0, [0, 0]
    only = sys.argv[2] if len(sys.argv) > 2 else ""
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        every = [parser for parser in parsers(Path(folder)) if only in parser.name]
        for parser, count in share_out(every, total):
            ends = {"read": 0, "refused": 0}
            told: dict[str, str] = {}
            for number in range(count):
                try:
                    ends[parser.try_one(number)] += 1
                except Fault as fault:
                    faults += 1
                    told.setdefault(str(fault).rpartition("raises")[2], str(fault))
            sums = [sums[0] + ends["read"], sums[1] + ends["refused"]]
            print(
                f"{parser.name:36} {count:8,} inputs {ends['read']:8,} read {ends['refused']:8,} refused",
                flush=True,
            )
            for one in list(told.values())[:6]:
                print(f"    FAULT {one}")
    print(f"{sum(sums) + faults:,} inputs, {sums[0]:,} read, {sums[1]:,} refused, {faults:,} faults")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
