"""Hosts of an exported module: this processor, and wasmtime where it is installed. Both are asked alike."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from gambito.exports import desk
from gambito.exports.module import Exported
from gambito.game.gears import gears
from gambito.native.crossing import SEAL, bytes_of, sealed


class Host:
    """What is asked of a module, however it runs: `call` a function, and have a space as an array."""

    def __init__(self, made: Exported) -> None:
        self.made, self.game, self.width = made, made.game, made.crossing.width

    def call(self, name: str, *args: int) -> int:
        raise NotImplementedError

    def space(self, name: str, dtype: Any) -> Any:
        raise NotImplementedError

    def place(self, state: Any) -> None:
        both = gears(self.game)
        held = sealed(bytes_of(both.cast(state), both.state))
        self.space("gambito.given", np.uint8)[: len(held)] = np.frombuffer(held, np.uint8)

    def made_state(self) -> bytes:
        return self.space("desk.made", np.uint8)[: self.width + SEAL].tobytes()

    def look(self, state: Any) -> dict[str, Any]:
        self.place(state)
        count = self.call("look")
        words, numbers = self.space("desk.words", np.int64), self.space("desk.numbers", np.float64)
        return {
            "actions": self.space("desk.actions", np.int64)[:count].tolist(),
            "over": bool(words[desk.OVER]),
            "player": int(words[desk.MOVER]),
            "key": int(words[desk.KEY].view(np.uint64)),
            "utilities": numbers[desk.UTILITIES : desk.UTILITIES + self.game.players].tolist(),
        }

    def search(
        self,
        state: Any,
        algorithm: str,
        depth: int = 0,
        nodes: int = 0,
        ms: float = 0.0,
        seed: int = 1,
        forget: bool = True,
    ) -> dict[str, Any]:
        self.place(state)
        words, numbers = self.space("desk.words", np.int64), self.space("desk.numbers", np.float64)
        words[desk.DEPTH], words[desk.MOST_NODES], words[desk.SEED], words[desk.FORGET] = (
            depth,
            nodes,
            seed,
            forget,
        )
        numbers[desk.MILLISECONDS] = ms
        reached = self.call(f"search_{algorithm.replace('-', '_')}")
        return {
            "depth": reached,
            "value": float(numbers[desk.VALUE]),
            "nodes": int(words[desk.COUNTED]),
            "exact": bool(words[desk.EXACT]),
            "line": self.space("desk.line", np.int64)[: words[desk.LINE]].tolist(),
        }


class Here(Host):
    """The module as machine code of this processor."""

    def __init__(self, made: Exported, cpu: str = "x86-64-v2") -> None:
        super().__init__(made)
        self.running = made.crossing.here(cpu)

    def call(self, name: str, *args: int) -> int:
        return self.running.functions[name](*(args or (0,)))

    def space(self, name: str, dtype: Any) -> Any:
        return self.running.memory(name, dtype)


class Wasmtime(Host):
    """The module in wasmtime."""

    def __init__(self, made: Exported) -> None:
        import time

        import wasmtime

        super().__init__(made)
        self.module = made.crossing.wasm(made.crossing.contents)
        self.store = wasmtime.Store(wasmtime.Engine())
        compiled = wasmtime.Module(self.store.engine, self.module.code)
        kind = wasmtime.FuncType([], [wasmtime.ValType.f64()])
        now = wasmtime.Func(self.store, kind, lambda: time.monotonic() * 1000)
        self.exports = wasmtime.Instance(self.store, compiled, [now] if compiled.imports else []).exports(
            self.store
        )

    def call(self, name: str, *args: int) -> int:
        return int(self.exports[name](self.store, *args))

    def space(self, name: str, dtype: Any) -> Any:
        base = ctypes.addressof(self.exports["memory"].data_ptr(self.store).contents)
        size = self.made.crossing.spaces[name]
        held = (ctypes.c_uint8 * size).from_address(base + self.module.places[name])
        return np.frombuffer(held, dtype, size // np.dtype(dtype).itemsize)
