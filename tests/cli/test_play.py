"""`play`: alone, with a scripted person, and at a real terminal."""

from __future__ import annotations

import contextlib
import io

import pytest
from rich.console import Console

import gambito as library
from gambito.cli.board import paint
from gambito.cli.screen import Screen
from gambito.cli.terminal_game import TerminalGame
from gambito.players.player import Choice, Engine, RandomPlayer
from gambito.players.running_game import RunningGame
from gambito.search.limits import Limits


# ---- without a terminal ----------------------------------------------------------------------------
@pytest.mark.parametrize("game", ["tree", "tic-tac-toe", "nim", "connect-four"])
def test_alone_the_engine_plays_itself(gambito, game):
    ran = gambito("play", game, "--gear", "python", "--depth", "1")
    assert ran.status == 0 and not ran.err
    assert ran.out.splitlines()[-1].startswith("Game over: ")
    chosen = "alpha-beta" if game == "tree" else "engine"
    assert f"1. {chosen}, the first player: " in ran.out and "\x1b" not in ran.out


def test_alone_for_a_program(gambito):
    data = gambito("play", "tree", "--json").json
    assert data["line"] == ["a", "a"] and data["utilities"] == [3, -3] and data["over"]
    assert data["verdict"] == "MAX wins (+3): a leaf is reached" and data["end"] == "3"


def test_alone_from_a_position(gambito):
    data = gambito("play", "tic-tac-toe", "--position", "XX./OO./...", "--gear", "python", "--json").json
    assert data["line"] == ["3"] and data["position"] == "XX./OO./..."


def test_alone_with_own_rules(gambito, rules):
    assert gambito("play", f"{rules}:Stones", "--depth", "9", "--json").json["utilities"] == [1, -1]
    assert "position repeats" in gambito("play", f"{rules}:Circle", "--depth", "1").out


def test_random_games_are_the_same_for_a_seed(gambito, rules):
    args = ("play", f"{rules}:Dice", "--opponent", "random", "--json", "--seed")
    assert gambito(*args, "5").json == gambito(*args, "5").json
    assert len({tuple(gambito(*args, str(seed)).json["line"]) for seed in range(12)}) > 1
    assert "chance: " in gambito(*args[:-2], "--seed", "5").out


# ---- a scripted person -----------------------------------------------------------------------------
class Script:
    """A keyboard on which the given lines are typed, and then Ctrl-D."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = iter(lines)
        self.prompts: list[str] = []

    def ask(self, prompt: str) -> str:
        self.prompts.append(prompt)
        try:
            return next(self.lines)
        except StopIteration:
            raise EOFError from None

    def watched(self):
        return contextlib.nullcontext()


def play(game, lines, persons=(0,), position=None, adviser=None):
    """A session with that script; returns the match, the questions and the screen."""
    rules = library.load(game)
    state = rules.parse(position) if position else rules.initial()
    match = RunningGame(rules.at(state), state)
    engine = Engine("engine", limits=Limits(depth=2), gear="python")
    seats = {p: None if p in persons else engine for p in range(2)}
    paper, script = io.StringIO(), Script(lines)
    TerminalGame(match, seats, adviser or engine, Screen(Console(file=paper, width=200)), script).run()
    return match, script.prompts, paper.getvalue()


def test_a_move_is_answered():
    match, prompts, screen = play("tic-tac-toe", ["5"])
    assert match.names()[0] == "5" and len(match.actions) == 2
    assert prompts[0] == "Your move (1 2 3 4 5 6 7 8 9): "
    assert (
        "2. engine, the second player: " in screen
        and "value for the second player 0" in screen
        and "line " in screen
    )


def test_mistyped_moves_are_told_what_is_accepted():
    _, prompts, screen = play("tree", ["z", "", "undoo"])
    assert "'z' is not a move here; accepted: a, b, c, or `help`" in screen
    assert "'undoo' is not a move here" in screen and len(prompts) == 4


def test_undo_goes_back_to_the_person():
    match, _, screen = play("tic-tac-toe", ["5", "1", "9", "undo", "u", "undo", "undo"])
    assert match.actions == [] and "There is nothing to take back." in screen
    match, _, _ = play("tic-tac-toe", ["undo"], persons=(1,))
    assert len(match.actions) == 1
    match, _, _ = play("tic-tac-toe", ["5", "1", "undo"], persons=(0, 1))
    assert match.names() == ["5"]


def test_hint_moves_board_help_new():
    match, _, screen = play("tic-tac-toe", ["hint", "moves", "board", "help", "5", "new"])
    assert match.actions == []
    assert "Hint: 1" in screen and "1, 2, 3, 4, 5, 6, 7, 8, 9\n" in screen
    assert all(word in screen for word in ("take back your last move", "change sides", "leave"))


@pytest.mark.parametrize("word", ["swap", "flip", ":swap"])
def test_swap(word):
    match, _, screen = play("tic-tac-toe", [word])
    assert "You are the second player now." in screen and len(match.actions) == 1


class Fixed:
    """A player that always takes the same action."""

    name = "fixed"

    def __init__(self, action: int) -> None:
        self.action = action

    def choose(self, game, state, clock=None, past_states=()):
        return Choice(self.action)


def play_cards(cards, lines, persons=(0,)):
    """A session of Kuhn poker with these cards, against a player that always bets."""
    game = library.load("kuhn-poker")
    match, paper, script = RunningGame(game, game.parse(cards)), io.StringIO(), Script(lines)
    seats = {p: None if p in persons else Fixed(1) for p in range(2)}
    TerminalGame(match, seats, Fixed(0), Screen(Console(file=paper, width=200)), script).run()
    return script.prompts, paper.getvalue()


@pytest.mark.parametrize("lines", [[], ["pass"], ["pass", "undo", "swap", "hint", "board"]])
def test_the_screen_does_not_depend_on_what_is_hidden(lines):
    assert play_cards("JQ", lines) == play_cards("JK", lines) != play_cards("QK", lines)


def test_nothing_is_taken_back_where_something_is_hidden():
    _, screen = play_cards("JQ", ["pass", "undo", "swap"])
    assert "Nothing is taken back while something is hidden" in screen
    assert "Sides are not changed while something is hidden" in screen and "?" in screen


def test_at_the_end_everything_is_shown():
    _, screen = play_cards("JQ", ["pass", "bet"])
    assert "first J, second ?" in screen and "first J, second Q" in screen and "Game over" in screen


def test_two_persons_hand_the_terminal_over():
    prompts, screen = play_cards("JQ", ["", "pass", "", "", "bet"], persons=(0, 1))
    assert prompts[:5] == [
        "The first player looks now. Press Enter: ",
        "The first player's move (bet pass): ",
        "Your move is made. Press Enter, and hand over: ",
        "The second player looks now. Press Enter: ",
        "The second player's move (bet pass): ",
    ]
    first = screen.index("first J, second ?")
    assert screen.index("first ?, second ?") < first < screen.index("first ?, second Q")
    assert "first J, second Q" not in screen


def test_quit_leaves_at_once():
    assert len(play("tic-tac-toe", ["quit", "5"])[1]) == 1


def test_a_move_comes_before_a_word_of_the_same_name():
    named = '{"undo": [1, 2], "quit": [3, 4]}'
    match, _, _ = play("tree", ["undo"], persons=(0, 1), position=named)
    assert match.names() == ["undo"]
    match, _, _ = play("tree", ["quit", ":undo", ":quit", "undo"], persons=(0, 1), position=named)
    assert match.actions == []


def test_the_end_is_told_and_can_be_taken_back():
    lines = ["3", "1", "hint", "moves", "undo"]
    match, prompts, screen = play("tic-tac-toe", lines, position="XX./OO./...")
    assert "Game over: X wins: a line of 3. You win!" in screen
    assert "the game is over; accepted: new, undo, quit" in screen
    assert prompts.count("new, undo or quit? ") == 4 and match.actions == []


def test_a_hint_that_cannot_be_had():
    _, _, screen = play("tic-tac-toe", ["hint", "hint"], adviser=Engine("b-star", Limits(depth=-1)))
    assert screen.count("No hint: depth must be a number above zero, not -1") == 2


def test_a_clumsy_reader_of_moves():
    class Clumsy(type(library.load("tic-tac-toe"))):
        name = "clumsy"

        def read(self, state, text):
            return int(text) - 1

    match, _, screen = play(Clumsy(), ["x", "77", "5"])
    assert "'x' is not a move here; accepted: 1, 2," in screen and "'77' is not a move here" in screen
    assert match.names()[0] == "5"


def test_two_persons_are_asked_by_name():
    _, prompts, _ = play("tic-tac-toe", ["5"], persons=(0, 1))
    assert prompts[0].startswith("The first player's move") and prompts[1].startswith(
        "The second player's move"
    )


def test_many_moves_are_counted():
    moves = "[" + ",".join(map(str, range(70))) + "]"
    _, prompts, screen = play("tree", ["moves"], position=moves)
    assert prompts[0] == "Your move (70 moves): " and "and 10 more" in screen


def test_chance_plays_for_itself(rules):
    match = RunningGame(library.load(f"{rules}:Dice"), [3, 0])
    seats = {0: None, 1: None, -1: RandomPlayer(1)}
    paper = io.StringIO()
    TerminalGame(match, seats, Engine(), Screen(Console(file=paper)), Script([])).run()
    assert "1. chance: " in paper.getvalue() and len(match.actions) == 1


# ---- the board -------------------------------------------------------------------------------------
def _styles(text) -> dict[int, str]:
    return {span.start: str(span.style) for span in text.spans}


def test_marks_and_the_last_move_stand_out():
    styles = _styles(paint("X . O\n. . X", "X . O\n. . .", indent=0))
    assert styles[0] == styles[10].removesuffix(" reverse") and styles[0] != styles[4]
    assert styles[10].endswith("reverse") and "reverse" not in styles[0]


def test_words_are_no_marks():
    assert _styles(paint("Xavier Oh 1.5 -2", indent=0)) == {}


# ---- a real terminal -------------------------------------------------------------------------------
QUICK = ("--gear", "python", "--depth", "2")


def test_a_game_at_the_terminal(terminal):
    screen = terminal("play", "tic-tac-toe", *QUICK)
    screen.see("you against engine", "Your move (1 2 3 4 5 6 7 8 9): ")
    screen.type("middle\n")
    screen.see("'middle' is not a move here; accepted: 1, 2, 3", "Your move")
    screen.type("hint\n")
    screen.see("Hint: ", "value", "Your move")
    screen.type("5\n")
    assert "\x1b[1;7;91mX" in screen.see("2. engine, the second player: ", "line", "Your move")
    screen.type("undo\n")
    screen.see("Your move (1 2 3 4 5 6 7 8 9): ")
    screen.type("quit\n")
    status, rest = screen.end()
    assert status == 0 and "Traceback" not in rest


@pytest.mark.parametrize(("key", "status"), [("\x03", 130), ("\x04", 0)], ids=["Ctrl-C", "Ctrl-D"])
def test_leaving_at_the_question(terminal, key, status):
    screen = terminal("play", "tree", "--side", "both")
    screen.see("The first player's move (a b c): ")
    screen.type(key)
    ended, rest = screen.end()
    assert ended == status and "Traceback" not in rest and "Error" not in rest


@pytest.mark.parametrize(("key", "status"), [("\x03", 130), ("\x04", 0)], ids=["Ctrl-C", "Ctrl-D"])
def test_leaving_while_the_engine_thinks(terminal, key, status):
    screen = terminal("play", "connect-four", "--gear", "python", "--side", "second", "--seconds", "600")
    screen.see("thinking")
    screen.type(key)
    ended, rest = screen.end()
    assert ended == status and "Traceback" not in rest and "Error" not in rest


def test_words_typed_ahead_are_kept(terminal):
    screen = terminal("play", "connect-four", "--gear", "python", "--side", "second", "--seconds", "1")
    screen.see("thinking")
    screen.type("quit\n")
    screen.see("1. engine, the first player: ", "quit")
    assert screen.end()[0] == 0


# ---- more than two seats ---------------------------------------------------------------------------
def play_three(lines, persons, others=None):
    """A game of tic-tac-toe for three; the seats that are no person's take the first empty square."""
    rules = library.load("tic-tac-toe-3")
    match = RunningGame(rules, rules.initial())
    seats = {p: None if p in persons else others or First() for p in range(3)}
    paper, script = io.StringIO(), Script(lines)
    TerminalGame(match, seats, First(), Screen(Console(file=paper, width=200)), script).run()
    return match, script.prompts, paper.getvalue()


class First(RandomPlayer):
    name = "first-square"

    def candidates(self, game, state):
        return game.legal(state)[:1]


def test_three_seats_at_a_terminal():
    match, prompts, screen = play_three(["5", "6", "7"], {0, 1, 2})
    assert match.names() == ["5", "6", "7"]
    assert [p.partition(" (")[0] for p in prompts] == [
        "The first player's move",
        "The second player's move",
        "The third player's move",
        "The first player's move",
    ]
    assert "you against you against you" in screen


def test_one_person_among_three_wins_loses_and_changes_seats():
    match, _, screen = play_three(["5", "9", "13"], {2})
    assert match.names()[:3] == ["1", "2", "5"] and match.is_over
    assert "Squares wins: three in a row. You win!" in screen
    _, _, screen = play_three(["16", "15", "12", "11"], {2})
    assert "You lose." in screen
    _, _, screen = play_three(["swap"], {0})
    assert "You are the third player now." in screen


def test_seats_by_name(gambito):
    ran = gambito(
        "play", "tic-tac-toe-3", "--seat", "random:seed=1", "--seat", "greedy", "--gear", "python",
        "--depth", "1", "--json",
    )  # fmt: skip
    assert ran.json["players"][:2] == ["random", "greedy"] and len(ran.json["players"]) == 3
    assert len(ran.json["utilities"]) == 3 and sum(ran.json["utilities"]) == 0


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("tic-tac-toe", "--side", "third"), "tic-tac-toe has no third player; accepted: first, second"),
        (("tic-tac-toe", *["--seat", "random"] * 3), "tic-tac-toe has 2 seats, and 3 players were named"),
        (("tic-tac-toe-3", "--seat", "person"), "a person plays at a terminal, and there is none"),
        (("tic-tac-toe-3", "--seat", "nobody"), "unknown player 'nobody'"),
    ],
)
def test_seats_that_do_not_fit(gambito, given, told):
    ran = gambito("play", *given)
    assert ran.status == 2 and told in ran.err


def test_tricks_are_claimed():
    """South has two sure clubs, and loses the heart."""
    gone = "AKQJT98..AK9.,.KQJT987.52.T,765.654.763.9,432..QJT84.87"
    position = f"play .2..AK .A..QJ .3..32 ...654 Pass-Pass-3NT-Pass-Pass-Pass {gone} S:9D5D3D4D 7 -,-,-,-"
    match, _, screen = play("bridge", ["claim", "claim 4", "claim 3", "claim 2"], (0,), position)
    assert match.is_over and match.utilities()[0] == 400
    assert screen.count("Say how many of the 3 tricks") == 2
    assert "refused: in 20 of 20 deals" in screen and "The claim is accepted." in screen
    _, _, screen = play("tic-tac-toe", ["claim 3"])
    assert "in the play of bridge" in screen
