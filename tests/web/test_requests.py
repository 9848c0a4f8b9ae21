"""Every message is checked: what passes is plain data in known ranges, everything else is one sentence."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambito.errors import QuestionError
from gambito.web.requests import Requests, identity
from gambito.web.server_limits import ServerLimits

QUESTIONS = Requests(ServerLimits(threads=2, seconds=10.0, depth=50))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=10,
)
FIELDS = sorted({field for known, _ in QUESTIONS.kinds.values() for field in known} | {"id", "do", "lang"})


def read(**question):
    return QUESTIONS.read(json.dumps({"id": 1, **question}))


def test_a_question_is_read():
    asked = read(do="go", game="nim", moves=["3->0"], player={"algorithm": "engine", "seconds": 1.5})
    assert asked["player"] == {"algorithm": "engine", "seconds": 1.5}


def test_a_character_in_two_halves_is_one():
    assert QUESTIONS.read('{"id": 1, "do": "view", "game": "\\ud83d\\ude00"}')["game"] == "\U0001f600"


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("", "one JSON object"),
        ("[]", "one JSON object"),
        ("[" * 100_000, "one JSON object"),
        ('{"id": 1}', "do must be one of hello"),
        ('{"id": 1, "do": ["view"]}', "do must be one of hello"),
        ('{"do": "hello"}', "the field id is missing"),
        ('{"id": null, "do": "hello"}', "the field id is missing"),
        ('{"id": 1, "do": "view", "game": null}', "the field game is missing"),
        ('{"id": 1, "do": "begin", "game": "nim", "players": null}', "the field players is missing"),
        (
            f'{{"id": 1, "do": "edit", "game": "tree", "path": [], "value": {"9" * 400}}}',
            "value must be a number from -1e+09 to 1e+09",
        ),
        ('{"id": 1, "do": "edit", "game": "tree", "path": [], "value": 1e999}', "value must be a number"),
        ('{"id": 1, "do": "view", "game": "\\ud800"}', "a text must consist of whole characters"),
        ('{"id": 1, "do": "view", "game": "nim", "\\udfff": 1}', "a text must consist of whole characters"),
        ('{"id": -1, "do": "hello"}', "id must be a whole number from 0"),
        ('{"id": true, "do": "hello"}', "id must be a whole number from 0"),
        ('{"id": 1, "do": "view"}', "the field game is missing"),
        ('{"id": 1, "do": "view", "game": 3}', "game must be a text"),
        ('{"id": 1, "do": "view", "game": "nim", "moves": "3"}', "moves must be a list"),
        ('{"id": 1, "do": "view", "game": "nim", "code": "x"}', "no field 'code'"),
        ('{"id": 1, "do": "view", "game": "nim", "lang": "xx"}', "lang must be one of en, es"),
        (
            '{"id": 1, "do": "go", "game": "nim", "player": {"seconds": 11}}',
            "seconds must be a number from 0.001 to 10",
        ),
        ('{"id": 1, "do": "go", "game": "nim", "player": {"seconds": NaN}}', "NaN is no number"),
        (
            '{"id": 1, "do": "trace", "game": "nim", "algorithm": "/a.py:f"}',
            "algorithm must be a name, not a file",
        ),
        (
            '{"id": 1, "do": "go", "game": "nim", "player": {"options": {"inner": "/a.py:f"}}}',
            "inner must be a name, not a file",
        ),
        (
            '{"id": 1, "do": "go", "game": "nim", "player": {"depth": 1e2}}',
            "depth must be a whole number from 1 to 50",
        ),
        (
            '{"id": 1, "do": "go", "game": "nim", "player": {"threads": 3}}',
            "threads must be a whole number from 1 to 2",
        ),
        (
            '{"id": 1, "do": "go", "game": "nim", "player": {"level": 9}}',
            "level must be a whole number from 1 to 8",
        ),
        ('{"id": 1, "do": "go", "game": "nim", "player": {"options": {"a": [1]}}}', "options must hold"),
    ],
)
def test_what_is_no_question_is_told(message, said):
    with pytest.raises(QuestionError, match=re.escape(said)):
        QUESTIONS.read(message)


@given(JSON)
def test_any_json_is_a_question_or_a_sentence(data):
    check(json.dumps(data))


@given(st.text(max_size=200))
def test_any_text_is_a_question_or_a_sentence(text):
    check(text)


@given(st.dictionaries(st.sampled_from(FIELDS), JSON), st.sampled_from(sorted(QUESTIONS.kinds)))
def test_any_fields_are_a_question_or_a_sentence(fields, kind):
    check(json.dumps(fields | {"do": kind}))


def check(message):
    number = identity(message)
    assert number is None or 0 <= number < 1 << 31
    try:
        asked = QUESTIONS.read(message)
    except QuestionError as problem:
        assert "\n" not in str(problem)
    else:
        assert asked["do"] in QUESTIONS.kinds
