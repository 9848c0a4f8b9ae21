"""Games of bridge in PBN, the portable bridge notation: read, and written.

    [Dealer "N"]  [Vulnerable "NS"]  [Deal "N:AK.. …"]     the board
    [Auction "N"]                                          the calls from the dealer's, then AP: all pass
    [Play "E"]                                             a line for each trick, a column for each player

The columns of the play begin with the player who leads first, whoever leads later; `-` is no card. Other tags
are kept as headers. It knows the state, and asks the rules to follow the calls and cards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Self

from gambito.errors import PositionError
from gambito.game.contract import quoted
from gambito.game_tools.bridge.contracts import PASS, SEATS, VULNERABLE, call_name, score

from .bridge_text import CALL, BridgeText, State
from .cards import DECK, RANK, RANKS, SUITS, hand_text, read_hand, trick_of, trick_winner

_TAG = re.compile(r'\[\s*([A-Za-z0-9_]{1,40})\s+"([^"\]\r\n]{0,2000})"\s*\]')
_SIDES = {"none": "None", "love": "None", "-": "None", "ns": "NS", "ew": "EW", "all": "All", "both": "All"}
_SPOKEN = {"ap": "all", "pass": "Pass", "p": "Pass", "x": "X", "xx": "XX", "d": "X", "r": "XX"}
_OWN = ("Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Result", "Score", "Auction", "Play")


def sections_of(text: str) -> dict[str, tuple[str, str]]:
    """The tags of a record, each with its value and the text that follows it."""
    found = list(_TAG.finditer(text))
    ends = [tag.start() for tag in found[1:]] + [len(text)]  # of nothing, if there is no tag
    return {tag[1]: (tag[2], text[tag.end() : end]) for tag, end in zip(found, ends, strict=False)}


class BridgeRecords(BridgeText):
    """How games of bridge are recorded."""

    record_ending = "pbn"

    # ---- writing ---------------------------------------------------------------------------------
    def write_game(self, start: State, actions: Iterable[int]) -> str:
        """A deal with its calls and cards in PBN. PBN does not tell in which order cards were dealt: from
        before the deal, the moves are written."""
        if start.ply < DECK:
            return super().write_game(start, actions)
        return self.write_headed(start, actions, {})

    def write_headed(self, start: State, actions: Iterable[int], headers: Mapping[str, str]) -> str:
        """The same for a file, where a game begins with its deal."""
        moves, state = list(actions), start
        for number, action in enumerate(moves):
            if state.ply >= DECK:
                moves = moves[number:]
                break
            state = self.result(state, action)
        else:
            moves = []
        if state.ply < DECK or self.calls(state):
            return super().write_game(start, actions)
        deal, dealer = state, SEATS.index(self.dealer)
        for action in moves:
            state = self.result(state, action)
        hands = [hand_text(int(self.hand(deal, (dealer + n) % 4))) for n in range(4)]
        tags = {name: told for name, told in headers.items() if name not in _OWN}
        tags |= {"Dealer": self.dealer, "Vulnerable": self.vulnerable}
        tags["Deal"] = f"{self.dealer}:{' '.join(hands)}"
        lines = [f'[{name} "{told}"]' for name, told in tags.items()]
        if self.is_play(state) or self.is_terminal(state):
            lines += self._outcome(state)
        if moves:
            lines += [f'[Auction "{self.dealer}"]', *_rows([call_name(call) for call in self.calls(state)])]
        cards = [action for action in moves if action < CALL]
        if cards:
            lines += self._play(state, cards)
        return "\n".join(lines)

    def _outcome(self, state: State) -> list[str]:
        contract, told = self.contract(state), list[str]()
        if contract.level:
            told.append(f'[Declarer "{SEATS[contract.declarer]}"]')
        told.append(f'[Contract "{contract}"]')
        if contract.level and self.is_terminal(state):
            side = contract.declarer % 2
            tricks = int(state.tricks) if side == 0 else RANK - int(state.tricks)
            is_vulnerable = bool(int(self.board[1]) >> side & 1)
            points = score(contract.level, contract.strain, contract.doubled, is_vulnerable, tricks)
            told += [f'[Result "{tricks}"]', f'[Score "{SEATS[contract.declarer]} {points}"]']
        return told

    def _play(self, state: State, cards: list[int]) -> list[str]:
        first = (int(state.declarer) + 1) % 4
        lines, leader = [f'[Play "{SEATS[first]}"]'], first
        for begin in range(0, len(cards), 4):
            trick, row = cards[begin : begin + 4], ["-"] * 4
            for place, card in enumerate(trick):
                row[(leader + place - first) % 4] = SUITS[card // RANK] + RANKS[card % RANK]
            leader = (leader + int(trick_winner(trick_of(trick), self.trump(state)))) % 4
            lines.append(" ".join(row))
        return lines

    # ---- reading ---------------------------------------------------------------------------------
    def headers(self, text: str) -> dict[str, str]:
        return {name: told for name, (told, _) in sections_of(text).items() if name not in _OWN}

    def of_record(self, text: str) -> Self:
        """The board that a record names."""
        tags = sections_of(text)
        if "Deal" not in tags:
            return self
        dealer = tags.get("Dealer", (self.dealer, ""))[0].upper()
        sides = tags.get("Vulnerable", (self.vulnerable, ""))[0].lower()
        if dealer not in tuple(SEATS):
            raise PositionError("a dealer is {}, not {}", ", ".join(SEATS), quoted(dealer))
        if sides not in _SIDES:
            raise PositionError("vulnerable are {}, not {}", ", ".join(VULNERABLE), quoted(sides))
        kind: Any = type(self)
        board: Self = kind(dealer, _SIDES[sides])
        return board

    def read_game(self, text: str) -> tuple[State, list[int]]:
        """A record in PBN, or moves."""
        tags = sections_of(text)
        if "Deal" not in tags:
            return super().read_game(text)
        start = self._read_deal(tags["Deal"][0])
        state, actions = start, list[int]()
        for action in self._read_auction(start, tags.get("Auction", ("", ""))[1]):
            actions.append(action)
            state = self.result(state, action)
        told = tags.get("Play", ("", ""))[1]
        if told.split("*")[0].split():
            if not self.is_play(state):
                raise PositionError("cards are played after an auction with a bid and three passes")
            actions += self._read_play(state, tags["Play"][0], told)
        return start, actions

    def _read_deal(self, deal: str) -> State:
        words = deal.split()
        wrong = PositionError("{} is no deal of 52 cards; accepted: {}", quoted(deal), "N:AK.. … … …")
        if len(words) != 4 or words[0][1:2] != ":" or words[0][0].upper() not in SEATS:
            raise wrong
        first = SEATS.index(words[0][0].upper())
        hands = [0] * 4
        for place, word in enumerate((words[0][2:], *words[1:])):
            hand = read_hand(word)
            if hand is None or hand.bit_count() != RANK:
                raise wrong
            hands[(first + place) % 4] = hand
        if sum(hands) != (1 << DECK) - 1:
            raise wrong
        return self.parse(f"call {' '.join(map(hand_text, hands))} -")

    def _read_auction(self, state: State, text: str) -> list[int]:
        actions = list[int]()
        for word in _words(text):
            call = _SPOKEN.get(word.lower(), word)
            for _ in range(3 if call == "all" else 1):
                if self.is_terminal(state) or self.is_play(state):
                    if call == "all":
                        break
                    raise PositionError("{} is called after the auction", quoted(word))
                action = CALL + PASS if call == "all" else self.read(state, call)
                actions.append(action)
                state = self.result(state, action)
        return actions

    def _read_play(self, state: State, leader: str, text: str) -> list[int]:
        words, first, actions = _words(text), SEATS.find(leader.upper() or "?"), list[int]()
        if first != (int(state.declarer) + 1) % 4 or len(leader) != 1:
            raise PositionError("the player after the declarer leads, not {}", quoted(leader))
        for begin in range(0, len(words), 4):
            row = words[begin : begin + 4]
            for _ in range(4):
                place = (int(state.mover) - first) % 4
                if self.is_terminal(state) or place >= len(row) or row[place] in ("-", "+"):
                    break
                action = self.read(state, row[place][1:] + row[place][:1])
                actions.append(action)
                state = self.result(state, action)
        return actions


def _words(text: str) -> list[str]:
    """The calls or cards of a section: comments, notes, and everything after its end left out."""
    plain = re.sub(r"\{[^}]*\}|;[^\n]*|=[0-9]+=|\$[0-9]+|[!?]", " ", text)
    return plain.split("*")[0].split()


def _rows(words: list[str]) -> list[str]:
    return [" ".join(words[begin : begin + 4]) for begin in range(0, len(words), 4)]
