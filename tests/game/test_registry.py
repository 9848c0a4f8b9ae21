"""Finding a game: by name, by file, by class; and one sentence for what cannot be found."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import gambito
from gambito import Game, GameError, load
from gambito.game import registry
from gambito.game.registry import game_classes

RULES = """
from gambito import Game

class _Base(Game):
    def initial(self): return 0
    def player(self, state): return state & 1
    def actions(self, state):
        yield 1
    def result(self, state, action): return state + 1
    def is_terminal(self, state): return state == self.size
    def utility(self, state, player): return 0
"""
ONE = RULES + "class MyGame(_Base):\n    def __init__(self, size: int = 3): self.size = size\n"
TWO = ONE + "class Other(_Base):\n    size = 2\n"
PLAYING = ONE.replace("class _Base(Game):", "class _Base:")
WORDS = (
    RULES
    + """
class Words(_Base):
    def __init__(self, size, quick=False, share=0.5, mode="a", most=None):
        self.size, self.quick, self.share, self.mode, self.most = size, quick, share, mode, most
        if mode == "broken":
            raise RuntimeError("this mode is broken")
"""
)


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Files with games, in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.py.d").mkdir()
    texts = {"one.py": ONE, "two.py": TWO, "plain.py": PLAYING, "words.py": WORDS, "folder.py.d/one.py": ONE}
    texts |= {"syntax.py": "def (", "imports.py": "import nowhere", "divides.py": "1 / 0", "empty.py": ""}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


# ---- by name ---------------------------------------------------------------------------------------------


def test_built_in_games_are_found_by_looking():
    names = list(game_classes())
    assert {"connect-four", "nim", "tic-tac-toe", "tree", "uniform-tree"} <= set(names)
    assert names == sorted(names)
    for name, kind in game_classes().items():
        assert load(name).label() == name
        assert type(load(name)) is kind


def test_parameters_have_the_type_of_their_default():
    game = load("connect-four:width=5,height=4")
    assert (game.width, game.height, game.line) == (5, 4, 4)
    assert game.label() == "connect-four:width=5,height=4"
    assert load(game.label()).parameters() == game.parameters()
    assert load("nim:heaps=1-2,misere=yes").parameters() == {"heaps": "1-2", "misere": True}
    assert load("nim:misere=0").misere is False


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("chess960", f"unknown game 'chess960'; accepted: {', '.join(game_classes())}"),
        ("", "unknown game ''"),
        ("Connect-Four", "unknown game 'Connect-Four'"),
        ("../games/nim", "unknown game '../games/nim'"),
        ("connect-four:width=x", "width must be a whole number, not 'x'"),
        ("connect-four:width=1.5", "width must be a whole number, not '1.5'"),
        ("nim:misere=perhaps", "misere must be true or false, not 'perhaps'"),
        (
            "connect-four:wide=3",
            "'wide=3' is not a parameter of connect-four; accepted: width=7, height=6, line=4",
        ),
        ("connect-four:width", "'width' is not a parameter of connect-four"),
        ("nannon:size=3", "'size=3' is not a parameter of nannon; accepted: none"),
        ("connect-four:width=0", "connect-four:width=0 cannot be made: width and height are at least 1"),
    ],
)
def test_a_wrong_name_is_told_in_one_sentence(spec, sentence):
    with pytest.raises(GameError) as told:
        load(spec)
    assert str(told.value).startswith(sentence)
    assert "\n" not in str(told.value)


# ---- by file ---------------------------------------------------------------------------------------------


def test_a_game_in_a_file(files):
    assert load("one.py").label() == "my-game"
    assert load("one.py:MyGame").size == 3
    assert load("one.py:MyGame:size=4").label() == "my-game:size=4"
    assert load("one.py::size=4").size == 4
    assert load(str(files / "one.py")).size == 3
    assert load("folder.py.d/one.py:MyGame:size=5").size == 5
    assert load("two.py:Other").size == 2


def test_a_file_is_read_once(files):
    assert type(load("one.py")) is type(load(str(files / "one.py")))
    assert type(load("one.py")) is not type(load("folder.py.d/one.py"))


def test_a_class_without_the_base(files):
    game = load("plain.py:MyGame:size=4")
    assert isinstance(game, Game) and game.size == 4
    assert gambito.perft(game, depth=4, gear="python") == 1


def test_the_parameters_of_a_file(files):
    game = load("words.py:Words:size=2,quick=true,share=0.25,mode=b,most=7")
    assert (game.size, game.quick, game.share, game.mode, game.most) == (2, True, 0.25, "b", 7)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("nowhere.py:MyGame", "there is no file nowhere.py"),
        ("two.py", "two.py holds 2 games (MyGame, Other); say which: two.py:CLASS"),
        ("empty.py", "empty.py holds no game: no class in it extends Game"),
        ("plain.py", "plain.py holds no game: "),
        ("two.py:Third", "two.py has no class 'Third'; the games in it: MyGame, Other"),
        ("two.py:a b", "two.py has no class 'a b'"),
        ("one.py:RULES", "one.py has no class 'RULES'"),
        ("syntax.py", "syntax.py cannot be read: SyntaxError: "),
        ("imports.py", "imports.py cannot be read: ModuleNotFoundError: No module named 'nowhere'"),
        ("divides.py", "divides.py cannot be read: ZeroDivisionError: division by zero"),
        ("words.py", "Words needs size=…; give `__init__` a default for it, or write words.py:Words:size=…"),
        ("words.py:Words:size=two", "size must be a whole number, not 'two'"),
        ("words.py:Words:size=2,share=x", "share must be a number, not 'x'"),
        ("words.py:Words:size=2,most=x", "most must be a whole number, not 'x'"),
        ("words.py:Words:sise=2", "'sise=2' is not a parameter of words.py; accepted: size=…, quick=False,"),
        (
            "words.py:Words:size=2,mode=broken",
            "words.py:Words:size=2,mode=broken cannot be made: this mode is",
        ),
    ],
)
def test_a_wrong_file_is_told_in_one_sentence(files, spec, sentence):
    for _ in range(2):  # a file that could not be read is not taken for read
        with pytest.raises(GameError) as told:
            load(spec)
        assert str(told.value).startswith(sentence)
        assert "\n" not in str(told.value)


# ---- by object, and installed ----------------------------------------------------------------------------


def test_a_class_or_an_object():
    nim = load("nim")
    assert load(nim) is nim
    assert load(type(nim)).label() == "nim"
    for thing in (3, None, object(), [1]):
        with pytest.raises(GameError, match="is not a game: it has no rule initial"):
            load(thing)


def test_installed_games_are_found_by_their_entry_points(monkeypatch, files):
    def broken() -> type:
        raise ImportError("no such thing")

    points = [
        SimpleNamespace(name="my-installed", load=lambda: type(load("one.py"))),
        SimpleNamespace(name="a-broken-one", load=broken),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: points if group == "gambito.games" else [])
    with pytest.warns(UserWarning, match="the installed game a-broken-one cannot be read: no such thing"):
        assert load("my-installed:size=4").size == 4
    with pytest.warns(UserWarning, match="a-broken-one"), pytest.raises(GameError, match="my-installed, "):
        load("nowhere")
