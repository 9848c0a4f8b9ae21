"""What the tests of the command line share: a quick run in this process, a real one, and a terminal."""

from __future__ import annotations

import contextlib
import json
import os
import select
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gambito.cli.main import cli
from tests.support import COMMAND, child, run

RULES = '''
class Stones:
    """Take one or two; who takes the last stone wins."""

    def initial(self): return [5, 0]
    def player(self, state): return state[1]
    def actions(self, state): return [n for n in (1, 2) if n <= state[0]]
    def result(self, state, action): return [state[0] - action, 1 - state[1]]
    def is_terminal(self, state): return state[0] == 0
    def utility(self, state, player): return -1 if player == state[1] else 1


class Raises(Stones):
    def utility(self, state, player):
        return 1 // (player - player)


class Prints(Stones):
    def utility(self, state, player):
        print("a rule that prints")
        return super().utility(state, player)


class Wrong(Stones):
    def utility(self, state, player): return 1


class Dice(Stones):
    chance = True

    def player(self, state): return -1 if state[0] == 3 else state[1]
    def chances(self, state): return [(1, 0.5), (2, 0.5)]


class Empty(Stones):
    def actions(self, state): return []


class Circle(Stones):
    cycles = True

    def result(self, state, action): return [5, 1 - state[1]]
    def key(self, state): return state[1]
'''


@dataclass
class Ran:
    """A command that has ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one object on standard output."""
        return json.loads(self.out)

    @property
    def complaint(self) -> str:
        """The one sentence on standard error."""
        assert self.status == 2, (self.status, self.out, self.err)
        assert self.err.startswith("gambito: ") and self.err.count("\n") == 1, self.err
        assert "Traceback" not in self.err and "mistake in Gambito" not in self.err
        return self.err


def run_here(*args: str) -> Ran:
    """Run a command in this process."""
    result = CliRunner().invoke(cli, args)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Ran(result.exit_code, result.stdout, result.stderr)


def run_apart(*args: str, **environment: str) -> Ran:
    """Run a command in a process of its own, as a person does."""
    done = run(*COMMAND, *args, env={**os.environ, **environment}, seconds=120)
    return Ran(done.returncode, done.stdout, done.stderr)


class Terminal:
    """A command at a terminal: it types keys and reads the screen."""

    def __init__(self, *args: str) -> None:
        self.hands, slave = os.openpty()
        self.open = contextlib.ExitStack()
        self.open.callback(os.close, self.hands)
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
        started = child(*COMMAND, *args, env=environment, ready=lambda: os.login_tty(slave))
        self.process = self.open.enter_context(started)
        os.close(slave)
        self.screen = ""

    def see(self, *words: str, seconds: float = 60.0) -> str:
        """Wait until all words stand on the screen, one after the other; returns what was new."""
        deadline = time.monotonic() + seconds
        place, seen = 0, ""
        for word in words:
            while word not in self.screen[place:]:
                assert self._read(deadline - time.monotonic()), f"no {word!r} on the screen:\n{self.screen}"
            place += self.screen[place:].index(word) + len(word)
        seen, self.screen = self.screen[:place], self.screen[place:]
        return seen

    def _read(self, seconds: float) -> bool:
        if seconds <= 0 or not select.select([self.hands], [], [], seconds)[0]:
            return False
        try:
            text = os.read(self.hands, 65536).decode(errors="replace")
        except OSError:  # the process has ended
            return False
        self.screen += text
        return bool(text)

    def type(self, text: str) -> None:
        # Between its prompt and its wait for a key Python's readline has a moment in which Ctrl-C is noticed
        # only at the next key.
        self._wait_for_calm()
        os.write(self.hands, text.encode())

    def end(self) -> tuple[int, str]:
        """The exit status, and what was left on the screen."""
        while self._read(20):
            pass
        return self.process.wait(20), self.screen

    def close(self) -> None:
        self.open.close()

    def _wait_for_calm(self, seconds: float = 0.5) -> None:
        """Wait until the main thread waits for input. A thread that works is not waited for."""
        status, before = Path(f"/proc/{self.process.pid}/status"), None
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            facts = dict(line.split(":", 1) for line in status.read_text().splitlines())
            now = [facts[name].strip() for name in ("State", "voluntary_ctxt_switches")]
            if now[0].startswith("S") and now == before:
                return
            before = now
            time.sleep(0.02)


@pytest.fixture
def gambito() -> Callable[..., Ran]:
    return run_here


@pytest.fixture
def gambito_apart() -> Callable[..., Ran]:
    return run_apart


@pytest.fixture
def terminal() -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def start(*args: str) -> Terminal:
        opened.append(Terminal(*args))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


@pytest.fixture(scope="session")
def rules(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file with a user's own rules."""
    path: Path = tmp_path_factory.mktemp("own") / "rules.py"
    path.write_text(RULES)
    return str(path)
