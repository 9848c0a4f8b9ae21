"""A player for programs: a move, from any thread, with asyncio, and how it is ended."""

import asyncio
import threading
import time

import pytest

import gambito

ENDLESS = "44"  # a position of Connect Four that takes longer than any test


class Slow:
    """A player of one's own that cannot be ended."""

    name = "slow"

    def choose(self, game, state):
        time.sleep(0.05)
        return game.legal(state)[0]


@pytest.fixture(scope="module")
def strong():
    player = gambito.Player("connect-four", level=8, seconds=60)
    player.prepare()
    return player


def test_a_move():
    player = gambito.Player("tic-tac-toe", level=3, seed=1)
    assert player.move("XX./OO./...") == player.choose("XX./OO./...") == 2
    with pytest.raises(gambito.PlayerError, match="the game is over"):
        player.move("XXX/OO./...")


def test_another_thread_ends_it(strong):
    timer = threading.Timer(0.3, strong.stop)
    timer.start()
    began = time.perf_counter()
    assert strong.move(ENDLESS) in range(7)
    assert time.perf_counter() - began < 20
    strong.stop()  # nothing to end


@pytest.mark.parametrize("text", ["level:strength=2", "level:strength=8", "engine:seconds=60"])
def test_it_is_ended_before_it_begins(text):
    """A move comes although the player was ended while it got ready."""
    player = gambito.Player("connect-four", player=text)
    stop = gambito.Stop()
    stop.set()
    assert player._move(ENDLESS, (), stop) in range(7)


def test_asyncio_goes_on_and_a_cancelled_task_ends_the_search(strong):
    async def main():
        ticks, thinking = 0, asyncio.create_task(strong.move_async(ENDLESS))
        for _ in range(10):
            await asyncio.sleep(0.02)
            ticks += 1
        assert not thinking.done()
        thinking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await thinking
        return ticks, await gambito.Player("connect-four", level=2, seed=1).move_async(ENDLESS)

    began = time.perf_counter()
    ticks, action = asyncio.run(main())  # which waits for the thread
    assert ticks == 10 and action in range(7) and time.perf_counter() - began < 20


def test_one_move_at_a_time():
    """Two threads that ask the same player get their moves one after the other."""
    player, moves = gambito.Player("tic-tac-toe", player=Slow()), []
    threads = [threading.Thread(target=lambda: moves.append(player.move())) for _ in range(3)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert moves == [0, 0, 0] and time.perf_counter() - began >= 0.15


def test_a_new_game():
    """After `restart` a player with a seed makes the same choices again."""
    player = gambito.Player("tic-tac-toe", level=1, seed=7)
    first = [player.move() for _ in range(4)]
    player.restart()
    assert [player.move() for _ in range(4)] == first
