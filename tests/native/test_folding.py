"""Constants are folded: a branch that a constant excludes is not compiled, wherever it is defined."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest

from gambito.native import Constant, Handle, native


class Switches:
    def __init__(self, is_on: int) -> None:
        self.is_on = is_on


class Numbers(Handle):
    arrays: ClassVar[dict[str, type]] = {"values": np.int64}
    fields: ClassVar[dict[str, tuple[str, int]]] = {"is_on": ("values", 1)}


class Context(NamedTuple):
    settings: Any
    numbers: Any


class Subject:
    def broken(self):
        return self.no_such_attribute


@native
def directly(subject, settings, numbers):
    return subject.broken() if settings.is_on else numbers.values[0]


@native
def through_a_context(subject, context):
    settings, numbers = context.settings, context.numbers
    if settings.is_on:
        return subject.broken()
    return numbers.values[0]


def constant(thing: Any) -> Constant:
    return Constant(thing, f"tests.{type(thing).__qualname__}", repr(vars(thing)), {}, {})


@pytest.fixture
def numbers() -> Numbers:
    return Numbers(values=np.array([7, 1]))


def test_a_closed_branch_is_not_compiled(numbers):
    assert directly(constant(Subject()), constant(Switches(0)), numbers) == 7


def test_a_constant_in_a_named_tuple_is_folded(numbers):
    context = Context(constant(Switches(0)), numbers)
    assert through_a_context(constant(Subject()), context) == 7


@native
def read_field(subject, numbers):
    return 10 * numbers.is_on


def test_single_numbers_of_a_handle_have_names_in_both_gears(numbers):
    assert read_field(Subject(), numbers) == read_field(constant(Subject()), numbers) == 10
    numbers.values[1] = 3
    assert read_field(constant(Subject()), numbers) == 30
    with pytest.raises(AttributeError):
        _ = numbers.missing


def test_contexts_with_other_constants_run_other_code(numbers):
    @native
    def scaled(subject, context):
        return context.settings.is_on * context.numbers.values[0]

    subject = constant(Subject())
    found = [scaled(subject, Context(constant(Switches(factor)), numbers)) for factor in (2, 3, 2)]
    assert found == [14, 21, 14]
