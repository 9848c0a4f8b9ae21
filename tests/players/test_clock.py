"""Clocks never allot more time than is left."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gambito.errors import PlayerError
from gambito.players import Clock, Control, read_control
from gambito.players.clock import RESERVED, Lag

SECONDS = st.floats(1e-4, 1e5)
CLOCKS = st.builds(
    Clock,
    left=SECONDS,
    increment=st.just(0.0) | SECONDS,
    to_go=st.none() | st.integers(1, 100),
    overhead=st.floats(0, 10),
)


@given(CLOCKS)
def test_limits_are_in_order_and_within_what_is_left(clock):
    limits = clock.limits()
    limits.check()
    assert 0 < limits.soft <= limits.seconds <= clock.left


@given(CLOCKS)
def test_the_overhead_is_left_alone_while_it_can_be(clock):
    hard, reserve = clock.limits().seconds, min(clock.overhead, RESERVED * clock.left)
    assert hard <= (clock.left - reserve) * (1 + 1e-9)


def test_a_clock_below_the_overhead_is_used():
    """On 50 ms with 5 ms a move, a move takes about its increment, not a fixed millisecond."""
    limits = Clock(0.05, 0.005).limits()
    assert 0.003 < limits.soft < 0.006 and limits.seconds < 0.015
    assert Clock(0.05).limits().soft > 0.0005
    assert Clock(0.05, 0.005).limits(lag=0.002).soft < limits.soft - 0.0015  # what a move costs besides
    assert Clock(0.05, 0.005).limits(lag=1.0).soft > 0.0005


def test_the_lag_is_what_the_clock_lost_beside_the_searches():
    lag, left = Lag(), 1.0
    for _ in range(40):
        lag.read(left, 0.01)
        lag.searched = 0.02
        left += 0.01 - 0.02 - 0.005  # 5 ms went elsewhere
    assert 0.004 < lag.mean < 0.0051
    before = lag.mean
    lag.forget()
    assert lag.read(0.5, 0.0) == before  # another game's clock says nothing
    lag.searched = 0.0
    assert before < lag.read(0.4, 0.0) < before + 0.1


@given(CLOCKS, st.floats(1, 100))
@example(Clock(left=0.03125, overhead=0.03125), 2.0)
def test_more_time_is_never_less_thought(clock, factor):
    richer = Clock(clock.left * factor, clock.increment, clock.to_go, clock.overhead)
    assert richer.limits().seconds >= clock.limits().seconds * (1 - 1e-9)
    assert richer.limits().soft >= clock.limits().soft * (1 - 1e-9)


@given(st.floats(0.05, 100), st.floats(0, 10), st.none() | st.integers(1, 40), st.integers(1, 200))
def test_a_player_who_uses_the_hard_limit_is_never_late(base, increment, moves, length):
    control = Control(base, increment, moves)
    clock = control.start()
    for _ in range(length):
        clock = control.after(clock, clock.limits().seconds)
        assert clock.left >= 0


def test_time_comes_back_after_the_moves():
    control = Control(10, 0, 2)
    clock = control.after(control.start(), 4)
    assert (clock.left, clock.to_go) == (6, 1)
    clock = control.after(clock, 4)
    assert (clock.left, clock.to_go) == (12, 2)
    assert control.after(clock, 13).left == -1


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("60", Control(60)),
        ("60+0.6", Control(60, 0.6)),
        ("100ms+10ms", Control(0.1, 0.01)),
        ("2m+1s", Control(120, 1)),
        ("40/60", Control(60, 0, 40)),
    ],
)
def test_clocks_as_texts(text, control):
    assert read_control(text) == control and read_control(str(control)) == control


@pytest.mark.parametrize("text", ["", "0", "x", "1+", "1-2", "-1", "0/5", "1+1+1", "nan", "1e3"])
def test_texts_that_are_no_clock(text):
    with pytest.raises(PlayerError, match="is not a clock; accepted: TIME"):
        read_control(text)
