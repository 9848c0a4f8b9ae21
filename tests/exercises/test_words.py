"""Exercises in Spanish: every sentence that they can say has its translation."""

import re

import pytest

from gambito.exercises.course import COURSE
from gambito.exercises.trial import wrong_type
from gambito.exercises.words import catalogue, translate, usual_language
from tests.exercises.sentences import sentences
from tests.templates import holes


def test_every_sentence_is_in_the_catalogue_and_nothing_else():
    assert set(catalogue("es")) == sentences()


@pytest.mark.parametrize("english", sorted(catalogue("es")))
def test_a_translation_has_the_same_holes(english):
    spanish = catalogue("es")[english]
    assert holes(english) == holes(spanish) and re.search(r"\w", spanish)


def test_the_language_is_the_environments():
    assert usual_language({"LANG": "es_ES.UTF-8"}) == "es"
    assert usual_language({"LANG": "es_ES.UTF-8", "LC_ALL": "en_GB.UTF-8"}) == "en"
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
