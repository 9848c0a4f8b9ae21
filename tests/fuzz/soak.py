"""The loop over seeds: what each one draws, and how its game can be repeated."""

from __future__ import annotations

import time
from collections.abc import Callable

from tests.fuzz import games, hidden, many, puzzles, shapes, stopping
from tests.fuzz.asking import GUARD
from tests.fuzz.tally import Tally

Fuzz = Callable[[int, str, Tally], None]

SUBJECTS: dict[str, Fuzz] = {
    "games": games.fuzz,
    "shapes": shapes.fuzz,
    "puzzles": puzzles.fuzz,
    "many": many.fuzz,
    "hidden": hidden.fuzz,
    "stopping": stopping.fuzz,
}
GEARS = ("python", "native", "both")
NATIVE_SHARE = 4  # of so many games, one is searched in the native gear
TELL = 60.0  # seconds between two lines of progress


def soak(first: int, count: int | None, seconds: float | None, only: str | None, gear: str) -> Tally:
    """Fuzz seed after seed; print what fails, and the totals. Ctrl-C ends it."""
    tally, seed, began = Tally(), first, time.monotonic()
    told = began
    try:
        while count is None or seed < first + count:
            now = time.monotonic()
            if seconds is not None and now - began > seconds:
                break
            if now - told > TELL:
                told = now
                print(f"{tally.summary(now - began)}; next seed {seed}", flush=True)
            fuzz_one(seed, only, gear, tally)
            seed += 1
    except KeyboardInterrupt:
        pass
    print(f"{tally.summary(time.monotonic() - began)}; go on with --from {seed}", flush=True)
    for name, times in tally.failures.most_common():
        print(f"{times:8} {name}")
    return tally


def fuzz_one(seed: int, only: str | None, gear: str, tally: Tally) -> None:
    names = list(SUBJECTS)
    subject = only or names[seed % len(names)]
    if gear == "both":
        gear = "native" if seed // len(names) % NATIVE_SHARE == 0 else "python"
    tally.repeat = f"python -m tests.fuzz --only {subject} --gear {gear} --from {seed} --games 1"
    GUARD.repeat = tally.repeat
    SUBJECTS[subject](seed, gear, tally)
    tally.games += 1
