"""The progress of a long command: done, running, rate, time left, and what happens to the workers."""

from __future__ import annotations

import re
import time

import pytest

from gambito.cli.progress import Gauge, rate_words, time_words
from gambito.jobs import JobProgress
from gambito.words.sentence import Sentence


def test_lines_without_a_terminal(monkeypatch, capsys):
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    with Gauge("games", 1000) as gauge:
        gauge.show(400, "")  # what an earlier run had done is no part of the rate
        for _ in range(60):
            clock[0] += 0.5
            gauge.hear(JobProgress(running=4, workers=4))
            gauge.show(gauge._done + 5, "+1 =0 −0")
        gauge.hear(JobProgress(4, 4, [Sentence("{} has left", "10.0.0.2")]))
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "495 of 1000 games  4 running · 9.5/s · 53 s left  +1 =0 −0"
    assert len(lines) == 4 and lines[-1] == "10.0.0.2 has left"
    with Gauge("nodes", lines=False) as gauge:
        clock[0] += 100
        gauge.hear(JobProgress(1, 1, [Sentence("nobody reads this")]))
    assert capsys.readouterr().err == ""


def test_a_short_stage_is_told_when_it_ends(capsys):
    gauge = Gauge("games", 3)
    gauge.show(3, "won 2")
    assert capsys.readouterr().err == ""
    gauge.conclude()
    gauge.conclude()
    assert capsys.readouterr().err == "3 of 3 games  won 2\n"


def test_a_bar_with_notes_above_it(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("TERM", "xterm")
    with Gauge("games", 8) as gauge:
        gauge.show(2, "")
        gauge._samples[0] = (time.monotonic() - 2, 0)
        gauge.hear(JobProgress(3, 4, [Sentence("{} has joined with {} workers", "10.0.0.2", 2)]))
        gauge.show(4, "+2 =1 −1")
        gauge._bar.refresh()
    seen = capsys.readouterr().err
    assert "10.0.0.2 has joined with 2 workers" in seen
    assert "4/8" in seen and "+2 =1 −1" in seen
    assert re.search(r"3 running · [0-9.]+/(s|min) · \d+ s left", seen)


@pytest.mark.parametrize(
    ("rate", "words"),
    [(5.31, "5.31/s"), (2.1e6, "2.1 million/s"), (12345.6, "12,346/s"), (0.5, "30/min"), (1 / 7200, "0.5/h")],
)
def test_rates(rate, words):
    assert rate_words(rate) == words


def test_times():
    told = [time_words(seconds) for seconds in (6.6, 200, 18720, 3 * 86400 + 4 * 3600)]
    assert told == ["7 s", "3 min 20 s", "5 h 12 min", "3 d 4 h"]
