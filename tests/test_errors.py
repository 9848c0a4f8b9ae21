"""Our exceptions: all below one, all at hand in `gambito`, each with the parts of its sentence."""

import copy
import pickle

import pytest

import gambito
from gambito import errors
from gambito.words.sentence import Sentence
from tests.templates import ERRORS


@pytest.mark.parametrize("name", sorted(ERRORS))
def test_every_error_is_exported(name):
    assert name in gambito.__all__ and getattr(gambito, name) is getattr(errors, name)


def test_an_error_is_still_what_python_calls_it():
    with pytest.raises(ValueError, match="unknown game 'chss'"):
        gambito.load("chss")
    with pytest.raises(gambito.GambitoError):
        gambito.load("go:size=1")


def test_an_error_knows_its_template():
    error = gambito.SearchError("{} has {:,} states", "pig", 12345)
    assert str(error) == "pig has 12,345 states"
    assert (error.sentence.template, error.sentence.parts) == ("{} has {:,} states", ("pig", 12345))


def test_an_error_in_an_error():
    inner = gambito.PositionError("'{}' is no move", "z9")
    outer = gambito.PositionError("move {}: {}", 3, inner)
    assert str(outer) == "move 3: 'z9' is no move" and outer.sentence.parts[1] == inner.sentence
    assert gambito.PlayerError(outer.sentence).sentence.parts == outer.sentence.parts


@pytest.mark.parametrize("through", [copy.deepcopy, lambda held: pickle.loads(pickle.dumps(held))])
def test_an_error_can_be_sent(through):
    error = through(gambito.GameError("{}: {}", 1, gambito.SearchError("no {}", "way")))
    assert type(error) is gambito.GameError and error.sentence.as_list() == ["{}: {}", 1, ["no {}", "way"]]
    assert Sentence.from_list(error.sentence.as_list()) == str(error) == "1: no way"


def test_braces_of_a_text_without_parts_stay():
    assert str(gambito.PositionError('{"chance": [1]}')) == '{"chance": [1]}'
