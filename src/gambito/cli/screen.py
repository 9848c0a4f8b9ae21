"""The display of a match in the terminal: the board in colour, each move with its reason, the end."""

from __future__ import annotations

from textwrap import indent

from rich.console import Console
from rich.control import Control
from rich.segment import ControlType
from rich.text import Text

from gambito.cli import phrases
from gambito.cli.board import paint
from gambito.players.player import Choice, Player
from gambito.players.running_game import RunningGame, seat
from gambito.words import say, tell

LINE = 12  # moves of a principal variation that are shown


class Screen:
    """Prints a match. It makes no decisions."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._board = ""  # as last shown

    def say(self, *parts: str | Text | tuple[str, str], end: str = "\n") -> None:
        """Print a line of texts, each with or without a style."""
        self.console.print(Text.assemble(*parts), soft_wrap=True, highlight=False, end=end)

    def clear(self) -> None:
        """Remove all that was shown, before another person looks."""
        self.console.clear()
        self._board = ""

    def show_board(self, running: RunningGame, viewer: int) -> None:
        """Print the board as a player sees it; NOBODY: as a spectator does."""
        board = running.game.show(running.seen(viewer))
        self.say("\n", paint(board, self._board), "\n")
        self._board = board

    def show_thinking(self) -> None:
        self.say((say("thinking … "), "dim"), end="")

    def hide_thinking(self) -> None:
        self.console.control(Control(ControlType.CARRIAGE_RETURN, (ControlType.ERASE_IN_LINE, 2)))

    def show_move(self, running: RunningGame, player: Player, choice: Choice, viewer: int) -> None:
        """Print the last move, made by a player of the program; the reason only if it gives nothing away."""
        if not running.is_noticed(viewer):
            return
        mover = int(running.game.player(running.states[-2]))
        who = say("{}, the {} player", player.name, say(seat(mover))) if mover >= 0 else say("chance")
        self.say(f"{len(running.actions)}. {who}: ", (running.game.spoken(running.names(viewer)[-1]), "bold"))
        if not running.game.hidden:
            self.show_reason(choice)

    def show_reason(self, choice: Choice) -> None:
        """Print the value, line and cost of the search that chose the move, if there was a search."""
        if choice.is_known:
            self.say((say("   from the book"), "dim"))
        found = choice.found
        if found is None:
            return
        who, line = (
            say(seat(int(found.game.player(found.state)))),
            list(map(found.game.spoken, found.words())),
        )
        told = " ".join(line[:LINE]) + (" …" if len(line) > LINE else "")
        facts = say(
            "value for the {} player {} · line {}\n{}", who, phrases.value(found), told, phrases.effort(found)
        )
        self.say((indent(facts, "   "), "dim"))

    def show_end(self, running: RunningGame, person: int | None) -> None:
        """Print the result, from the view of the human player if there is one."""
        told = ""
        if person is not None and running.game.zero_sum and running.game.players > 1:
            scores = running.utilities()
            mine, best = scores.pop(person), max(scores)
            told = say(" You win!") if mine > best else say(" You lose.") if mine < best else ""
        self.say((say("Game over: "), "bold"), f"{tell(running.verdict())}.", (told, "bold"))
