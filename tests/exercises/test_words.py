"""Exercises in Spanish: every sentence that they can say has its translation."""

import pytest

from gambito.exercises.course import COURSE
from gambito.exercises.trial import wrong_type
from gambito.words import translate, usual_language


def test_the_language_is_the_environments():
    assert usual_language({"LANG": "es_ES.UTF-8"}) == "es"
    assert usual_language({"LANG": "es_ES.UTF-8", "LC_ALL": "en_GB.UTF-8"}) == "en"
    assert usual_language({"LC_ALL": "en_GB.UTF-8", "GAMBITO_LANGUAGE": "es"}) == "es"
    assert usual_language({"LANG": "en_US", "LC_MESSAGES": "es_AR.UTF-8"}) == "es"
    assert (
        usual_language({"LANG": "C.UTF-8"}) == usual_language({}) == usual_language({"LANG": "fr_FR"}) == "en"
    )


@pytest.mark.parametrize("exercise", COURSE, ids=lambda one: one.name)
def test_an_exercise_in_spanish(exercise):
    told, english = exercise.as_dict("es"), exercise.as_dict("en")
    assert all(told[part] != english[part] for part in ("title", "task", "checked", "hint", "start"))
    compile(told["start"], "start.py", "exec")


def test_what_fills_a_hole_is_translated():
    assert translate(wrong_type(None, "a number").reason, "es") == (
        "devuelve None, y se espera un número: quizá falta un return"
    )
