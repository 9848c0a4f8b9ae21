"""A match at a terminal: it asks each side for its moves, and obeys the words that a person may type.

If the game hides something, each person is shown what that person sees. Two persons hand the terminal over.
"""

from __future__ import annotations

from collections.abc import Mapping

import gambito
from gambito.cli.error_sentences import sentence
from gambito.cli.keyboard import Keyboard
from gambito.cli.screen import Screen
from gambito.game.numerals import read_whole
from gambito.game_tools.bridge.claims import claim, tricks_left
from gambito.players.player import Choice, Player
from gambito.players.running_game import RunningGame, seat
from gambito.words import say

MOST_PLIES = 200  # limit of a game without a human player, who could stop it
MOST_TRICKS = 13  # of a claim
IN_PROMPT, IN_LIST = 12, 60  # numbers of moves that are listed

WORDS = {
    "moves": "list the legal moves",
    "hint": "show the move that the engine would play",
    "undo": "take back your last move",
    "claim": "at bridge, claim tricks: `claim 3` of those that are left",
    "swap": "change sides (also: flip)",
    "new": "start a new game",
    "board": "show the board again",
    "help": "show this list",
    "quit": "leave (also: Ctrl-D or Ctrl-C)",
}
SHORT = {"?": "help", "h": "help", "m": "moves", "u": "undo", "flip": "swap", "q": "quit", "exit": "quit"}


class TerminalGame:
    """A match between people and players of the program. The seat of a person is None."""

    def __init__(
        self,
        running: RunningGame,
        seats: Mapping[int, Player | None],
        adviser: Player,
        screen: Screen,
        keyboard: Keyboard | None = None,
    ) -> None:
        self.running, self.seats, self.adviser = running, dict(seats), adviser
        self.screen, self.keyboard = screen, keyboard
        persons = [player for player, sitting in self.seats.items() if sitting is None]
        self.viewer = (
            persons[0] if len(persons) == 1 else gambito.NOBODY
        )  # the player who looks at the screen

    def run(self) -> None:
        """Play until the person leaves, or to the end of the game if there is no person."""
        self._greet()
        self._board()
        if self.running.is_over:
            self._end()
        try:
            while self._goes_on():
                pass
        except EOFError:
            self.screen.say("")

    def _greet(self) -> None:
        names = [
            sitting.name if sitting else say("you") for player, sitting in self.seats.items() if player >= 0
        ]
        self.screen.say((self.running.game.label(), "bold"), f": {say(' against ').join(names)}")
        if None in self.seats.values():
            self.screen.say((say("Type a move, or `help`."), "dim"))

    def _goes_on(self) -> bool:
        """Handle one move or one word. Return False to leave."""
        player = None if self.running.is_over else self.seats.get(self.running.player)
        if player is not None:
            return self._let_play(player)
        if self.keyboard is None or None not in self.seats.values():
            return False
        self._hand_over(self.keyboard)
        return self._obey(self.keyboard.ask(self._prompt()).strip())

    def _hand_over(self, keyboard: Keyboard) -> None:
        """Have the person who is to move take the other's place, before anything is shown."""
        if not self.running.game.hidden or self.running.is_over or self.viewer == self.running.player:
            return
        if self.viewer != gambito.NOBODY:
            keyboard.ask(say("Your move is made. Press Enter, and hand over: "))
            self.screen.clear()
        keyboard.ask(say("The {} player looks now. Press Enter: ", say(seat(self.running.player))))
        self.viewer = self.running.player
        self._board()

    # ---- moves -----------------------------------------------------------------------------------
    def _let_play(self, player: Player) -> bool:
        if None not in self.seats.values() and self._is_endless():
            self.screen.say(say("The position repeats, or the game is too long: it stops here."))
            return False
        choice = self._ask(player)
        self.running.play(choice.action)
        self.screen.show_move(self.running, player, choice, self.viewer)
        self._show()
        return True

    def _ask(self, player: Player) -> Choice:
        """Let a player choose a move, and watch the keyboard meanwhile."""
        state = self.running.seen(self.running.player)
        if self.keyboard is None:
            return player.choose(self.running.game, state)
        self.screen.show_thinking()
        try:
            with self.keyboard.watched():
                return player.choose(self.running.game, state)
        finally:
            self.screen.hide_thinking()

    def _is_endless(self) -> bool:
        played = len(self.running.actions)
        return played >= MOST_PLIES or self.running.is_repeated

    def _show(self) -> None:
        self._board()
        if self.running.is_over:
            self._end()

    def _end(self) -> None:
        persons = [player for player, sitting in self.seats.items() if sitting is None]
        self.screen.show_end(self.running, persons[0] if len(persons) == 1 else None)

    # ---- what a person says ----------------------------------------------------------------------
    def _prompt(self) -> str:
        if self.running.is_over:
            return say("new, undo or quit? ")
        names = self._names()
        told = " ".join(names) if len(names) <= IN_PROMPT else say("{} moves", len(names))
        persons = list(self.seats.values()).count(None)
        who = (
            say("Your move") if persons == 1 else say("The {} player's move", say(seat(self.running.player)))
        )
        return f"{who} ({told}): "

    def _obey(self, text: str) -> bool:
        """Obey a line. It is read as a move first, unless it starts with a colon."""
        action, complaint = (None, "") if text.startswith(":") else self._read(text)
        word, _, rest = text.removeprefix(":").lower().partition(" ")
        word = SHORT.get(word, word)
        if action is not None:
            self.running.play(action)
            self._show()
        elif word == "quit":
            return False
        elif word == "claim":
            self._claim(rest.strip())
        elif word in WORDS and not rest:
            getattr(self, f"_{word}")()
        elif text:
            self.screen.say(say("{}, or `help`", complaint))
        return True

    def _read(self, text: str) -> tuple[int | None, str]:
        """Return the legal action that a text names, or None and a message that says what is accepted."""
        complaint = say("'{}' is not a move here; accepted: {}", text, self._listed(IN_PROMPT))
        if self.running.is_over:
            return None, say("the game is over; accepted: new, undo, quit")
        try:
            action = self.running.game.heard(self.running.state, text)
        except gambito.PositionError as problem:
            return None, sentence(problem)
        except Exception:  # a game's own `read` may fail on an unexpected text
            return None, complaint
        return (action, "") if action in self.running.game.legal(self.running.state) else (None, complaint)

    def _names(self) -> list[str]:
        game, state = self.running.game, self.running.state
        return sorted(
            (game.spoken(game.write(state, a)) for a in game.legal(state)), key=lambda name: (len(name), name)
        )

    def _listed(self, most: int) -> str:
        names = self._names()
        return ", ".join(names[:most]) + (say(" and {} more", len(names) - most) if len(names) > most else "")

    def _moves(self) -> None:
        self.screen.say(self._listed(IN_LIST) or say("There are no moves: the game is over."))

    def _hint(self) -> None:
        if self.running.is_over:
            self.screen.say(say("The game is over."))
            return
        try:
            choice = self._ask(self.adviser)
        except (ValueError, gambito.CompileError, gambito.UnknownValue) as problem:
            self.screen.say(say("No hint: {}", sentence(problem)))
            return
        game, state = self.running.game, self.running.state
        name = "" if choice.action is None else game.spoken(game.write(state, choice.action))
        self.screen.say(say("Hint: "), (name, "bold"))
        self.screen.show_reason(choice)

    def _claim(self, text: str) -> None:
        """Judge a claim; if it holds, the rest is played."""
        game, player = self.running.game, self.running.player
        tricks, left = read_whole(text, MOST_TRICKS), tricks_left(game, self.running.state)
        if not left:
            self.screen.say(say("Tricks are claimed in the play of bridge."))
        elif tricks is None or tricks > left:
            self.screen.say(
                say("Say how many of the {} tricks that are left your side takes: claim 0 to {}", left, left)
            )
        else:
            verdict = claim(game, self.running.state, player, tricks)
            if verdict.is_accepted:
                self.screen.say(say("The claim is accepted."))
                for card in verdict.cards:
                    self.running.play(card)
                self._show()
            elif verdict.short:
                told = say(
                    "in {} of {} deals that fit what you see, you take fewer", verdict.short, verdict.deals
                )
                self.screen.say(say("The claim is refused: {}. Play on.", told))
            else:
                self.screen.say(say("The claim is refused: the opponents can take more. Play on."))

    def _undo(self) -> None:
        """Go back to the last position in which a person had to move."""
        if self._keeps_secrets():
            self.screen.say(
                say("Nothing is taken back while something is hidden: you know more than before.")
            )
            return
        movers = [self.running.game.player(state) for state in self.running.states[:-1]]
        asked = [ply for ply, mover in enumerate(movers) if self.seats.get(mover) is None]
        if not asked:
            self.screen.say(say("There is nothing to take back."))
            return
        while len(self.running.actions) > asked[-1]:
            self.running.undo()
        self._show()

    def _swap(self) -> None:
        if self._keeps_secrets():
            self.screen.say(say("Sides are not changed while something is hidden."))
            return
        players = self.running.game.players
        self.seats |= {player: self.seats[(player + 1) % players] for player in range(players)}
        persons = [say(seat(player)) for player, sitting in self.seats.items() if sitting is None]
        self.screen.say(say("You are the {} player now.", say(" and the ").join(persons)))

    def _new(self) -> None:
        self.running.restart()
        self._show()

    def _board(self) -> None:
        self.screen.show_board(self.running, self.viewer)

    def _keeps_secrets(self) -> bool:
        return self.running.game.hidden and not self.running.is_over

    def _help(self) -> None:
        self.screen.say(say("Type a move as the prompt names it, or one of these words."))
        self.screen.say(say("A word that is also a move needs a colon before it (:undo)."))
        for word, about in WORDS.items():
            self.screen.say("  ", (f"{word:<7}", "bold"), say(about))
