"""Optimise once: the functions that a compiled function calls are linked into its module, which is optimised
and turned into machine code as a whole.

Numba alone does both for every inner function too, and again for each function that calls it, though only the
code of the outermost one ever runs. Here an inner function is only collected, as LLVM's intermediate code.
Machine code is emitted when somebody asks for the address of a function: Numba asks where it has made a
wrapper for Python, which inner functions do not get. If anything fails, Numba's own way is taken, with a
warning.

All that this needs from Numba's private interfaces is in this file.
"""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.environment import Environment, lookup_environment
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys

from gambito.native import libraries
from gambito.native.compiler.raised import constant_texts
from gambito.words import say

ENVIRONMENT = "_ZN08NumbaEnv"  # how the names of the variables begin that hold an environment
UNRESOLVED = ".numba.unresolved$"  # of those that hold the address of a function that calls in a circle
_INNER = ".inner"
_VISIBLE = llvm.Linkage.external, llvm.Linkage.weak_odr


class CompileWarning(UserWarning):
    """Code could not be optimised as a whole; the only cost is time."""


class _Compilation:
    """What is known while code is compiled. Read and written under the compiler's lock."""

    is_allowed = True  # tests compare with Numba's own way
    is_collecting = False
    has_entry = False  # has the outermost function begun?
    has_failed = False


def ways() -> tuple[str, ...]:
    """The ways of compiling that are allowed, best first; the names of kept files tell them apart."""
    return ("linked", "separate") if _Compilation.is_allowed else ("separate",)


def way_of(compiled: Any) -> str:
    """The way in which a result was compiled."""
    return "linked" if isinstance(compiled.library, CollectedLibrary) else "separate"


@contextlib.contextmanager
def separately() -> Iterator[None]:
    """A context in which every function is optimised by itself, Numba's own way."""
    before = _Compilation.is_allowed, libraries.is_allowed
    _Compilation.is_allowed = libraries.is_allowed = False
    try:
        yield
    finally:
        _Compilation.is_allowed, libraries.is_allowed = before


@contextlib.contextmanager
def without_templates() -> Iterator[None]:
    """A context in which every function is compiled for the game that it is called with."""
    before, libraries.has_templates = libraries.has_templates, False
    try:
        yield
    finally:
        libraries.has_templates = before


class Collected(NamedTuple):
    """A function by Numba's calling convention, and all that it calls, as LLVM's intermediate code."""

    library: Any
    name: str
    returned: Any  # Numba's type

    def module(self) -> Any:
        """One module with all of it except Numba's run-time library, not yet optimised."""
        return self.library._whole(is_entry=True, without=rtsys.library)


def collect(dispatcher: Any, signature: tuple[Any, ...]) -> Collected:
    """Compile a function without a wrapper for Python, up to intermediate code."""
    compiled = dispatcher.overloads.get(signature)
    if (
        compiled is None
        or not isinstance(compiled.library, CollectedLibrary)
        or compiled.library._own is None
    ):
        dispatcher.overloads.pop(signature, None)
        with collecting(has_entry=True):
            dispatcher.compile(signature)
        compiled = dispatcher.overloads[signature]
    return Collected(compiled.library, compiled.fndesc.llvm_func_name, compiled.signature.return_type)


def link_once(dispatcher: Any, forget: Callable[[], None]) -> None:
    """Have what a dispatcher compiles linked and optimised as a whole.

    `forget` drops the inner functions that were compiled, after an attempt that failed.
    """
    compiler = dispatcher._compiler
    compile = compiler.compile

    def compiled(args: Any, return_type: Any) -> Any:
        if _Compilation.is_collecting or not _Compilation.is_allowed:
            return compile(args, return_type)
        try:
            with collecting():
                return compile(args, return_type)
        except Exception as problem:
            if isinstance(problem, NumbaError) and not _Compilation.has_failed:
                raise  # an error of the rules, which is the same in both ways
            cause = str(problem).partition("\n")[0] or type(problem).__name__
        compiler._failed_cache.clear()
        forget()
        with separately():
            result = compile(args, return_type)
        _set_environments(result.library)
        warnings.warn(
            say("functions are optimised one by one, which takes longer: {}", cause), CompileWarning, 2
        )
        return result

    compiler.compile = compiled


@contextlib.contextmanager
def collecting(has_entry: bool = False) -> Iterator[None]:
    """A context in which functions are collected; all of them are inner ones if there is an entry already."""
    rtsys.initialize(cpu_target.target_context)  # Numba's run-time library is code of its own
    codegen = cpu_target.target_context.codegen()
    was_collecting, had_entry = _Compilation.is_collecting, _Compilation.has_entry
    codegen._library_class = CollectedLibrary
    _Compilation.is_collecting, _Compilation.has_entry, _Compilation.has_failed = True, has_entry, False
    try:
        with constant_texts():
            yield
    finally:
        _Compilation.is_collecting, _Compilation.has_entry = was_collecting, had_entry
        if not was_collecting:
            del codegen._library_class  # that of the class again


def set_wrappers(flags: Any) -> None:
    """Called when the compilation of a function begins: only the outermost is called from Python."""
    if _Compilation.is_collecting:
        flags.no_cpython_wrapper |= _Compilation.has_entry
        flags.no_cfunc_wrapper = _Compilation.has_entry = True


def is_callable(compiled: Any) -> bool:
    """Does the result of a compilation have machine code that Python can call?"""
    return not isinstance(compiled.library, CollectedLibrary) or compiled.library.is_emitted


class CollectedLibrary(JITCodeLibrary):
    """The intermediate code of one function, and the libraries of those that it calls.

    As long as it is not emitted, `_final_module` is that code as Numba has written it. Afterwards it is the
    whole module, optimised.
    """

    is_emitted = False

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._own = self._final_module
        self._environments: list[Environment] = []  # kept alive: the machine code refers to them

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        """A library that Numba's own cache holds, for a function of another author: it is optimised."""
        library = super()._unserialize(codegen, state)
        library.is_emitted, library._own = True, None
        return library

    def add_llvm_module(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout
        for function in visible(module):
            function.linkage = "weak_odr"  # a generator that is compiled twice has the same name both times
        self._own.link_in(module)

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True

    @property
    def codegen(self) -> Any:
        """Whom Numba tells the environment of the function, when it has compiled it."""
        return self._codegen if self.is_emitted else self

    def set_env(self, name: str, environment: Environment) -> None:
        """Nothing yet: the environments are set when the whole module is emitted."""

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        if not self.is_emitted:
            if name not in self._names:
                return 0
            try:
                self._emit()
            except Exception:
                _Compilation.has_failed = True
                raise
        return int(super().get_pointer_to_function(name))

    def _emit(self) -> None:
        self._codegen._check_llvm_bugs()
        self._final_module = self._whole(is_entry=True)
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()
        self.is_emitted = True
        self._environments = _set_environments(self)

    def _get_module_for_linking(self) -> Any:
        """For a library that is not of this kind: it expects machine code too, as Numba's own has."""
        if not self.is_emitted:
            try:
                self._emit()
            except Exception:
                return self._whole(is_entry=False)
        return super()._get_module_for_linking()

    def _whole(self, is_entry: bool, without: Any = None) -> Any:
        """The code of this function and of all that it calls, except for one library. If it is the entry, the
        others are internal."""
        collected, others = self._reached()
        module = self._own.clone()
        for library in collected[1:]:
            module.link_in(library._own, preserve=True)
        own = self._names
        circle = {variable.name.removeprefix(UNRESOLVED) for variable in module.global_variables}
        for function in visible(module):
            if not is_entry:
                function.linkage = "linkonce_odr"
            elif function.name in own or function.name in circle:
                function.linkage = "external"
            else:
                function.linkage = "internal"
                function.name += _INNER  # MCJIT would take it for a function of another module with its name
        for library in others:
            if library is not without:
                module.link_in(library._get_module_for_linking(), preserve=True)
        for library in (*collected, *others):
            self._reload_init.update(library._reload_init)
        return module

    @property
    def _names(self) -> set[str]:
        """The functions of this library that others can call."""
        return {function.name for function in visible(self._own)}

    def _reached(self) -> tuple[list[CollectedLibrary], list[Any]]:
        """The libraries that this one needs, each once: those collected, itself first, and those of Numba."""
        collected: dict[CollectedLibrary, None] = {self: None}
        others: dict[Any, None] = {}
        waiting = [self]
        while waiting:
            for library in waiting.pop()._linking_libraries:
                if not isinstance(library, CollectedLibrary) or library._own is None:
                    others[library] = None
                elif library not in collected:
                    collected[library] = None
                    waiting.append(library)
        return [*collected], [*others]


def _set_environments(library: Any) -> list[Environment]:
    """Give the functions in the module of a library their environments, which some need to raise an error."""
    found = []
    for variable in library._final_module.global_variables:
        environment = variable.name.startswith(ENVIRONMENT) and lookup_environment(variable.name)
        if environment and not variable.is_declaration:
            library._codegen.set_env(variable.name, environment)
            found.append(environment)
    return found


def visible(module: Any) -> list[Any]:
    """The functions with a body that are visible outside the module."""
    return [f for f in module.functions if not f.is_declaration and f.linkage in _VISIBLE]
