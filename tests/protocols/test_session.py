"""UCI and UGI: the answers to each line, in any order, and to garbage."""

import os
import random
import threading
import time

import chess as oracle
import pytest

import gambito
from gambito.books.book import Book
from gambito.books.collection import Collection
from gambito.books.files import write_pages
from gambito.books.polyglot import make_book, write_book
from gambito.native import functions
from gambito.protocols.dialect import UCI, UGI
from gambito.protocols.session import ProtocolSession
from gambito.search import running
from tests.support import data

QUICK = "setoption name Hash value 1"


class Talk:
    """A session and what it has said."""

    def __init__(self, game, dialect=UCI):
        self.lines, self.news = [], threading.Condition()
        self.session = ProtocolSession(gambito.load(game), self.listen, dialect)
        self.hear(QUICK)

    def listen(self, line):
        assert "\n" not in line
        with self.news:
            self.lines.append(line)
            self.news.notify_all()

    def hear(self, line):
        return self.session.hear(line)

    def wait(self, begin, seconds=300):
        """The next line that begins with `begin`; what came before is in `said`, and then forgotten."""
        end = time.monotonic() + seconds
        with self.news:
            while True:
                for place, line in enumerate(self.lines):
                    if line.startswith(begin):
                        self.said = self.lines[:place]
                        del self.lines[: place + 1]
                        return line
                assert self.news.wait(end - time.monotonic()), f"no {begin}: {self.lines}"

    def ask(self, line, begin="bestmove"):
        self.hear(line)
        return self.wait(begin)


@pytest.fixture(scope="module")
def talk():
    talk = Talk("chess")
    talk.ask("isready", "readyok")
    return talk


@pytest.fixture(scope="module")
def small():
    talk = Talk("tic-tac-toe", UGI)
    talk.ask("isready", "readyok")
    return talk


def test_greeting(talk):
    talk.hear("uci")
    assert talk.wait("id name").startswith("id name Gambito")
    assert talk.wait("option name Hash") == "option name Hash type spin default 1 min 1 max 16384"
    assert talk.wait("option name UCI_Chess960") == "option name UCI_Chess960 type check default false"
    talk.wait("option name null_move type spin")
    talk.wait("uciok")


def test_every_limit(talk):
    board = oracle.Board()
    talk.hear("position startpos moves e2e4 e7e5")
    board.push_uci("e2e4")
    board.push_uci("e7e5")
    for go in (
        "go depth 4",
        "go nodes 2000",
        "go movetime 60",
        "go wtime 1000 btime 1000 winc 10 binc 10",
        "go wtime 500 btime 500 movestogo 1",
        "go wtime 1 btime 1",
        "go searchmoves a2a3 h2h3 depth 4",
    ):
        words = talk.ask(go).split()
        assert oracle.Move.from_uci(words[1]) in board.legal_moves, go
        if "searchmoves" in go:
            assert words[1] in ("a2a3", "h2h3")


def test_info_lines(talk):
    talk.hear("position startpos")
    talk.hear("go depth 6")
    line = talk.wait("info depth 6").split()
    for word in ("seldepth", "multipv", "score", "nodes", "nps", "hashfull", "time", "pv"):
        assert word in line
    talk.wait("bestmove")


def test_infinite_stop_and_isready_meanwhile(talk):
    talk.hear("position startpos")
    talk.hear("go infinite")
    began = time.monotonic()
    talk.ask("isready", "readyok")
    assert time.monotonic() - began < 1
    talk.hear("go depth 1")
    talk.wait("info string a search is running")
    talk.hear("stop")
    talk.wait("bestmove")
    talk.ask("go infinite depth 2", "info depth 2")
    talk.ask("go depth 1", "info string a search is running")
    assert not any(line.startswith("bestmove") for line in talk.lines)
    talk.hear("stop")
    talk.wait("bestmove")


def test_pondering(talk):
    talk.hear("position startpos moves e2e4")
    line = talk.ask("go ponder wtime 100 btime 100", "info depth")
    while int(line.split(" time ")[1].split()[0]) < 100:  # a clock that ran would be at its end
        line = talk.wait("info depth")
    assert not any(line.startswith("bestmove") for line in talk.lines)
    talk.hear("ponderhit")
    assert talk.wait("bestmove", 5)


def test_mates(talk):
    talk.hear("position fen 2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1")
    talk.hear("go mate 2")
    line = talk.wait("bestmove")
    assert line.split()[1] == "g3g6"
    talk.hear("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    talk.ask("go depth 3", "info depth 0 score cp 0")
    assert talk.wait("bestmove") == "bestmove (none)"


def test_several_lines(talk):
    talk.hear("setoption name MultiPV value 3")
    talk.hear("position startpos")
    talk.hear("go depth 3")
    talk.wait("bestmove")
    talk.hear("go depth 3")
    moves = {talk.wait(f"info depth 3 seldepth {n}").split("pv ")[-1].split()[0] for n in ("",) * 3}
    assert len(moves) == 3
    talk.wait("bestmove")
    talk.hear("setoption name MultiPV value 1")


def test_weaker_players_and_books(talk):
    talk.hear("position startpos")
    talk.hear("setoption name UCI_LimitStrength value true")
    talk.hear("setoption name UCI_Elo value 800")
    assert oracle.Move.from_uci(talk.ask("go movetime 50").split()[1]) in oracle.Board().legal_moves
    talk.hear("setoption name UCI_LimitStrength value false")


def test_a_book_of_either_format(talk, tmp_path):
    game = talk.session.game
    collection = Collection(game)
    collection.add(*game.read_record("1. a3 e5 1/2-1/2"))
    write_pages(tmp_path / "own.book", collection.pages())
    book = Book(collection.pages())
    positions = ((state, book.moves(game, state)) for state, _ in book.walk(game))
    write_book(tmp_path / "polyglot.bin", make_book(game, positions))
    for name in ("own.book", "polyglot.bin"):
        talk.hear(f"setoption name Book File value {tmp_path / name}")
        talk.hear("position startpos")
        assert talk.ask("go nodes 1") == "bestmove a2a3"
        talk.hear("position startpos moves a2a3 e7e5")
        assert talk.ask("go nodes 1") != "bestmove a2a3"
    talk.hear("setoption name Book File value <empty>")
    assert talk.session.book is None


def test_a_book_of_another_game(small, tmp_path):
    collection = Collection(gambito.load("nim"))
    collection.add(*collection.game.read_record("1-1"))
    write_pages(tmp_path / "nim.book", collection.pages())
    small.hear(f"setoption name Book File value {tmp_path / 'nim.book'}")
    small.wait(f"info string {tmp_path / 'nim.book'} is a book of nim, not of tic-tac-toe")
    assert small.session.book is None


def test_a_game_goes_on_and_back(talk):
    """Each position is the one that its moves lead to, whatever was set before."""
    moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]
    for count in (2, 4, 6, 6, 3, 5):
        talk.hear(f"position startpos moves {' '.join(moves[:count])}")
        board = oracle.Board()
        for move in moves[:count]:
            board.push_uci(move)
        assert talk.session.game.text(talk.session.states[-1]) == board.fen(en_passant="legal")
        assert len(talk.session.states) == count + 1
    talk.hear("position startpos moves d2d4")
    talk.hear("position startpos moves d2d4 d2d4")
    assert len(talk.session.states) == 2


def test_a_third_time_is_a_draw(talk):
    """With a rook more: the position comes back for the third time only if that is wanted."""
    moves = "a1a2 h8g8 a2a1 g8h8 a1a2 h8g8 a2a1"
    talk.hear(f"position fen 7k/8/8/8/8/8/8/R3K3 w - - 0 1 moves {moves}")
    assert talk.session.game.player(talk.session.states[-1]) == 1
    talk.hear("go depth 6")
    line = talk.wait("info depth 6")
    assert "score cp 0" in line
    talk.wait("bestmove g8h8")


def test_garbage(talk):
    rng = random.Random(1)
    words = (
        "position go startpos moves fen e2e4 depth -1 99999999999999999999 setoption name value Hash uci 0 é"
    )
    words = [*words.split(), "searchmoves", "wtime", "isready", "joho", "debug", "on", "UCI_Elo", "query"]
    for _ in range(300):
        line = " ".join(rng.choice(words) for _ in range(rng.randint(0, 6)))
        assert talk.hear(line)
        talk.hear("stop")
    talk.hear("setoption name Hash value 1")
    talk.lines.clear()
    talk.ask("isready", "readyok")
    talk.hear("position fen nonsense")
    assert "not a move here" in talk.wait("info string")
    talk.hear("position startpos moves e2e4 e2e4")
    assert "move 2" in talk.wait("info string")
    talk.hear("setoption name Nothing value 3")
    assert "there is no option" in talk.wait("info string")
    talk.hear("setoption name Hash value many")
    assert "Hash" in talk.wait("info string")
    talk.hear("position startpos")
    talk.ask("go depth 2")


@pytest.mark.parametrize(
    "go",
    [
        "go depth 1001 nodes 3000",
        "go depth 99999999999999999999 nodes 3000",
        "go searchmoves zzz depth 2",
        "go searchmoves e7e5 depth 2",
        "go searchmoves depth 2",
        "go depth x movetime 30",
        "go nodes movetime 30",
        "go depth -3",
        "go nodes 1",
        "go nodes 0",
        "go movetime 0",
        "go movetime " + "9" * 400 + " depth 1",
        "go wtime 1 btime 1",
        "go wtime -5 btime -5 winc -5 binc -5 movestogo -5",
        "go wtime 99999999999999999999 btime 1 depth 2",
    ],
)
def test_a_searched_move_always_comes(talk, go):
    """A limit that cannot be used is told, and the others count; without any the usual ones do."""
    talk.hear("position startpos moves e2e4 e7e5 d1h5 e8e7")  # the first move of the list does not mate
    assert talk.ask(go).split()[1] == "h5e5"
    if go.startswith(("go depth 1001", "go searchmoves zzz", "go depth x")):
        assert any(line.startswith("info string") for line in talk.said)


def test_a_limit_that_is_no_number_leaves_the_usual_limits(small):
    small.hear("position startpos")
    assert small.ask("go depth x").split()[1] in "123456789"
    assert small.ask("go mate x").split()[1] in "123456789"


def test_a_stop_at_once_has_a_move(talk):
    talk.hear("position startpos moves e2e4 e7e5 d1h5 e8e7")
    talk.hear("go infinite")
    talk.hear("stop")
    assert talk.wait("bestmove").split()[1] == "h5e5"


def test_a_drawn_game_that_goes_on(talk):
    """After 100 quiet plies the game is a draw, but the other program may play on."""
    talk.hear("position fen 7k/8/8/8/8/8/r7/1R5K w - - 100 90")
    assert talk.ask("go movetime 50").split()[1] in {f"b1{c}{r}" for c in "acdefg" for r in "1"} | {
        *(f"b1b{rank}" for rank in "2345678"),
        "h1g1",
    }
    talk.hear("position fen 7k/8/8/8/8/8/r7/R6K w - - 120 90 moves h1g1 h8g8")
    assert talk.ask("go depth 3").split()[1] == "a1a2"  # it takes the rook, and the count begins again
    talk.hear("position fen 7k/8/8/8/8/8/8/7K w - - 0 1")
    assert talk.ask("go depth 3").split()[1] in ("h1g1", "h1g2", "h1h2")


def test_options_that_do_not_work_are_refused(small, tmp_path):
    """`readyok` always comes, and the move is that of a search."""
    small.hear(f"setoption name probcut_model value {tmp_path / 'missing'}")
    small.ask("isready", "readyok")
    assert any("missing" in line and "probcut_model" in line for line in small.said)
    assert small.session.choices.values["probcut_model"] == ""
    small.hear("position startpos moves 1 4 2 5")
    assert small.ask("go depth 3") == "bestmove 3"
    small.hear(f"setoption name probcut_model value {tmp_path / 'missing'}")
    assert small.ask("go depth 3") == "bestmove 3"  # without `isready`
    small.hear(f"setoption name Book File value {tmp_path / 'missing'}")
    small.wait("info string")
    assert small.session.choices.values["Book File"] == ""


def test_ready_means_ready(small, monkeypatch):
    """After `readyok` nothing is compiled, and no memory is got: not for a weaker player either."""
    for line in ("setoption name UCI_LimitStrength value true", "uginewgame", "setoption name Hash value 2"):
        small.hear(line)
        small.ask("isready", "readyok")
        assert small.session.is_ready and not small.session.kept.is_empty()
        before = functions.compile_seconds(), len(running._WARM)
        small.hear("position startpos")
        small.ask("go depth 2")
        assert (functions.compile_seconds(), len(running._WARM)) == before, line
    small.hear("setoption name UCI_LimitStrength value false")


def test_a_weaker_player_keeps_the_time(small):
    small.hear("setoption name UCI_LimitStrength value true")
    small.ask("isready", "readyok")
    assert small.session.weaker(0.02).seconds == 0.02
    assert small.session.weaker().seconds == small.session.weaker(1e6).seconds
    small.hear("setoption name UCI_LimitStrength value false")


def test_chess960(talk):
    talk.hear("setoption name UCI_Chess960 value true")
    assert talk.session.game.chess960
    talk.hear("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1h1")
    assert talk.session.game.text(talk.session.states[-1]).startswith("4k3/8/8/8/8/8/8/5RK1")
    talk.hear("setoption name UCI_Chess960 value false")
    talk.hear("position startpos")


def test_any_game(small):
    small.hear("ugi")
    small.wait("ugiok")
    small.hear("position startpos moves 5 1")
    small.hear("query p1turn")
    assert small.wait("response") == "response true"
    assert small.ask("go p1time 1000 p2time 1000").split()[1] in "2346789"
    small.hear("position startpos moves 1 4 2 5 3")
    small.hear("query gameover")
    assert small.wait("response") == "response true"
    small.hear("query result")
    assert small.wait("response") == "response p1win"
    assert small.ask("go depth 1") == "bestmove (none)"


def test_more_than_two_players():
    talk = Talk("tic-tac-toe-3", UGI)
    talk.ask("isready", "readyok")
    talk.hear("position startpos moves 1 5")
    for player, turn in enumerate(("false", "false", "true"), 1):
        talk.hear(f"query p{player}turn")
        assert talk.wait("response") == f"response {turn}"
    assert talk.ask("go p1time 1 p2time 1 p3time 1000 p3inc 10").startswith("bestmove")
    talk.hear("query points")
    assert talk.wait("response") == "response none"
    talk.hear("position startpos moves 1 5 9 2 6 10 3")
    talk.hear("query result")
    assert talk.wait("response") == "response p1win"
    talk.hear("query points")
    assert talk.wait("response") == "response 200 -100 -100"
    talk.hear("query p4turn")
    assert "one of gameover, p1turn, p2turn, p3turn, result, points" in talk.wait("info string")
    talk.hear("quit")


def test_quit():
    talk = Talk("tic-tac-toe", UGI)
    talk.ask("isready", "readyok")
    talk.hear("go infinite")
    assert talk.hear("quit") is False


def new_session():
    """A session of chess, and the list of what it says."""
    said = []
    session = ProtocolSession(gambito.load("chess"), said.append)
    session.hear(QUICK)
    return session, said


def say(session, *lines):
    for line in lines:
        session.hear(line)


def test_chances_are_told():
    session, said = new_session()
    say(session, "setoption name UCI_ShowWDL value true", "position startpos", "go depth 2")
    session.wait()
    odds = [line.split(" wdl ")[1].split()[:3] for line in said if " wdl " in line]
    assert odds and all(sum(map(int, each)) == 1000 for each in odds)


def test_analysis_uses_neither_book_nor_weakness():
    session, _ = new_session()
    say(session, "setoption name UCI_LimitStrength value true")
    assert session.weaker() is not None
    say(session, "setoption name UCI_AnalyseMode value true")
    assert session.weaker() is None and session.book_move() is None


def test_a_weak_player_on_a_clock_takes_its_share_of_the_time():
    """With the hard limit, it lost on time in long games with a short increment."""
    session, _ = new_session()
    asked, weaker = [], session.weaker
    session.weaker = lambda seconds=None: asked.append(seconds) or weaker(seconds)
    say(session, "setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 2000")
    say(session, "position startpos", "go wtime 1000 btime 1000 winc 10 binc 10")
    session.wait()
    assert asked[0] < 0.1 and 0 < session.lag.searched < 1


def test_paths_of_tables():
    session, said = new_session()
    before = os.environ.get("GAMBITO_TABLES")
    for name in ("Table Path", "SyzygyPath"):
        say(session, f"setoption name {name} value /no/where")
        assert said[-1].startswith("info string there is no folder /no/where")
        assert session.choices.values[name] == ""
        say(session, f"setoption name {name} value <empty>")
    assert os.environ.get("GAMBITO_TABLES") == before


def test_nothing_is_remarked_unless_somebody_asks(small, tmp_path):
    """With machine code on disk, `info string` comes after `debug on` only."""
    collection = Collection(small.session.game)
    collection.add(*collection.game.read_record("5 1"))
    write_pages(tmp_path / "own.book", collection.pages())
    for is_asked in (False, True):
        talk = Talk("tic-tac-toe", UGI)
        talk.hear(f"debug {'on' if is_asked else 'off'}")
        talk.ask("isready", "readyok")
        assert not [line for line in talk.said if line.startswith("info string")]
        talk.hear(f"setoption name Book File value {tmp_path / 'own.book'}")
        talk.hear("position startpos")
        talk.ask("go nodes 1")
        assert ("info string from the book" in talk.said) == is_asked


def test_a_compilation_is_told(monkeypatch, tmp_path):
    monkeypatch.setenv("GAMBITO_CACHE", str(tmp_path))
    talk = Talk("tree", UGI)
    monkeypatch.setattr(talk.session, "_try_out", Trying())
    talk.ask("isready", "readyok")
    told = [line for line in talk.said if line.startswith("info string")]
    assert told[0].startswith("info string compiling") and told[1].startswith("info string ready after")


class Trying:
    """What compiles the first time that it may."""

    def __call__(self) -> None:
        if functions.is_finding():
            raise functions.NotCompiled("engine")


def test_syzygy_tables_choose_the_move():
    """Only moves that keep the win are searched; without the rook's file it would be any."""
    session, said = new_session()
    say(session, "debug on", f"setoption name SyzygyPath value {data('chess/syzygy')}")
    assert said[-1] == "info string 40 files of Syzygy tables, up to 4 men"
    say(session, "position fen 8/8/8/8/8/2k5/7R/K7 w - - 0 1", "go depth 2")
    session.wait()
    state = session.states[-1]
    best = [session.game.token(state, action) for action in session.syzygy.best(session.game, state)]
    assert said[-1].split()[1] in best and any("Syzygy tables: WDL 2" in line for line in said)


def test_a_line_ends_with_the_third_repetition():
    """A line goes on neither after a draw by repetition nor after the end of the game."""
    session, said = new_session()
    moves = "h1g1 a2b2 g1h1 b2a2 h1g1 a2b2 g1h1"
    say(session, f"position fen 7k/8/8/8/8/8/q7/7K w - - 0 1 moves {moves}", "go depth 8")
    session.wait()
    game = session.game
    for line in (line for line in said if " pv " in line):
        keys = [int(game.key(state)) for state in session.states]
        state = session.states[-1]
        for word in line.split(" pv ")[1].split():
            assert keys.count(keys[-1]) < 3, line
            state = game.result(state, game.read(state, word))
            keys.append(int(game.key(state)))
