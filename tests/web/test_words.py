"""Sentences in Spanish: what the server sends."""

import pytest

import gambito
from gambito.words import translate
from gambito.words.sentence import Sentence


def test_a_part_that_is_a_sentence_is_translated():
    game = gambito.load("tic-tac-toe")
    with pytest.raises(gambito.PositionError) as raised:
        game.read_game("1 1")
    assert str(raised.value) == "move 2: '1' is not a move here; accepted: 2, 3, 4, 5, 6, 7, 8, 9"
    assert translate(raised.value.sentence, "es") == (
        "jugada 2: '1' no es una jugada aquí; se acepta: 2, 3, 4, 5, 6, 7, 8, 9"
    )


def test_what_somebody_wrote_is_not_translated():
    said = Sentence("unknown game '{}'; accepted: {}", "a draw", "Go")
    assert translate(said, "es") == "juego desconocido 'a draw'; se acepta: Go"


def test_english_and_the_unknown_stay():
    assert translate("a draw", "en") == "a draw"
    assert translate("xyzzy", "es") == "xyzzy"
