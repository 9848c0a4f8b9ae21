"""What a Spanish class reads at a terminal."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import pytest

import gambito
from gambito import words
from tests.cli.conftest import run_here
from tests.support import COMMAND, run


@pytest.fixture
def spanish() -> Iterator[None]:
    with words.speaking("es"):
        yield


def spanish_run(*args: str) -> str:
    ran = run_here("--language", "es", *args)
    words.speak("en")
    return ran.out + ran.err


@pytest.mark.parametrize(
    ("environment", "told"),
    [
        ({"GAMBITO_LANGUAGE": "es"}, "falta el argumento 'JUEGO'"),
        ({"LC_ALL": "es_PE.UTF-8", "LANG": "en_US.UTF-8"}, "falta el argumento"),
        ({"LC_ALL": "", "LC_MESSAGES": "es_ES", "LANG": "C"}, "falta el argumento"),
        ({"LANG": "es_MX.UTF-8"}, "falta el argumento"),
        ({"LC_ALL": "en_US.UTF-8", "LANG": "es_MX.UTF-8"}, "missing argument"),
        ({"GAMBITO_LANGUAGE": "en", "LANG": "es_MX.UTF-8"}, "missing argument"),
    ],
)
def test_the_language_is_the_environments(environment, told):
    clean = {
        n: v for n, v in os.environ.items() if n not in ("GAMBITO_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    }
    done = run(*COMMAND, "best", env={**clean, **environment}, seconds=60)
    assert told in done.stderr and done.returncode == 2


def test_the_help():
    told = spanish_run("best", "--help")
    assert "Uso: gambito best [OPCIONES] JUEGO" in told and "Número máximo de estados que visitar." in told
    assert "gambito best tic-tac-toe --position X.O/.X./..." in told


def test_a_result():
    told = spanish_run("best", "tree", "--position", "[[3,12,8],[2,4,6],[14,5,2]]", "--gear", "python")
    assert re.search(r"valor +\+3, demostrado \(para quien mueve\)", told) and " nodos · " in told


def test_an_exception_of_the_library(spanish):
    with pytest.raises(gambito.GameError, match="juego desconocido 'nope'") as raised:
        gambito.load("nope")
    assert raised.value.sentence.startswith("unknown game 'nope'")


def test_one_is_singular():
    assert "1 secuencia de 0 jugadas" in spanish_run(
        "perft", "tic-tac-toe", "--depth", "0", "--gear", "python"
    )


def test_a_mistake():
    assert spanish_run("best", "tic-tac-toe", "--position", "12x") == (
        "gambito: jugada 1: '12x' no es una jugada aquí; se acepta: 1, 2, 3, 4, 5, 6, 7, 8, 9\n"
    )


def test_numbers_have_decimal_commas(spanish):
    assert (
        words.digits("1,234.5") == "1.234,5" and words.say("{:.1f} % likely", 2.5) == "2,5 % de probabilidad"
    )


def test_chess_has_spanish_letters(spanish):
    game = gambito.load("chess")
    state = game.initial()
    for move in ("e4", "e5", "Cf3", "Nc6", "Ab5"):  # English letters are read, too
        state = game.result(state, game.heard(state, move))
    assert game.show(state).splitlines()[0] == "8  t . a d r a c t"
    assert game.show(state).splitlines()[-1] == "juegan las negras"
    assert {game.spoken(game.write(state, action)) for action in game.legal(state)} >= {"Re7", "Cd4", "Df6"}


def test_moves_that_are_words_are_spoken_and_read(spanish):
    game = gambito.load("pig")
    state = game.initial()
    roll = next(action for action in game.legal(state) if game.write(state, action) == "roll")
    assert game.spoken("roll") == "tirar" and game.heard(state, "tirar") == game.heard(state, "roll") == roll
    with pytest.raises(gambito.PositionError):
        game.heard(state, "saltar")


def test_a_rook_may_be_typed_as_in_english(spanish):
    game = gambito.load("chess")
    state = game.parse("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    assert game.write(state, game.heard(state, "Rd1")) == "Kd1"  # the king, el rey
    assert game.write(state, game.heard(state, "Ra5")) == "Ra5"  # which no king reaches


def test_a_file_has_san(spanish):
    game = gambito.load("chess")
    state = game.initial()
    action = game.heard(state, "Cf3")
    assert game.write(state, action) == "Nf3" and "1. Nf3" in game.write_game(state, [action])


def test_a_drawing_has_its_words(spanish):
    record = gambito.trace("tree", "[[3,12,8],[2,4,6],[14,5,2]]", algorithm="alpha-beta")
    from gambito.draw import draw_html, draw_svg, draw_text

    assert "podado: corte α en #6, por la cota de la raíz" in draw_text(record)
    assert "variante principal" in draw_svg(record)
    page = draw_html(record)
    assert '<html lang="es">' in page and "La búsqueda no ha empezado." in page
