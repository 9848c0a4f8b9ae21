"""One function for all formats, and the texts they share."""

from __future__ import annotations

import json

import pytest

from gambito.draw import FORMATS, draw, draw_json
from gambito.draw.labels import number, window
from tests.records import a_star, monte_carlo


@pytest.mark.parametrize("format", list(FORMATS))
def test_every_format_draws(aima, format):
    assert draw(aima, format) == FORMATS[format](aima)


@pytest.mark.parametrize("format", list(FORMATS))
@pytest.mark.parametrize(("made", "fact"), [(monte_carlo, "visits 6"), (a_star, "f 7")])
def test_searches_without_windows_are_drawn_with_their_facts(format, made, fact):
    drawn = draw(made(), format)
    assert fact in drawn or (format == "json" and json.loads(drawn)["steps"][-1]["facts"])
    assert "not visited" not in drawn


def test_an_unknown_format_names_those_there_are(aima):
    with pytest.raises(ValueError, match="text, svg, html, json"):
        draw(aima, "png")


def test_json_is_the_record(aima):
    assert json.loads(draw(aima, "json")) == aima.as_dict()
    assert json.loads(draw_json(aima, indent=2)) == aima.as_dict()
    assert draw(aima, "json").count("\n") == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        (-3, "−3"),
        (3.0, "3"),
        (-0.0, "0"),
        (1 / 3, "0.333"),
        (-2.5, "−2.5"),
        (10**20, "1" + "0" * 20),
        (1e300, "1e+300"),
        (None, "?"),
        (float("nan"), "?"),
        (float("inf"), "+∞"),
        (-0.0001, "0"),
    ],
)
def test_numbers(value, text):
    assert number(value) == text


def test_windows():
    assert window(None, None) == "(−∞, +∞)"
    assert window(-1, 2.5) == "(−1, 2.5)"
