"""A hook of the package builder: a wheel with machine code is for one kind of system."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SHIPPED = "src/gambito/native/shipped"
# The libraries are called through ctypes, so any Python will do; they need functions that every C library of
# Linux has had since 2012.
TAG = "py3-none-manylinux_2_17_x86_64"


class Shipping(BuildHookInterface):  # type: ignore[misc]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "standard" and any(Path(self.root, SHIPPED).glob("index-*.json")):
            build_data["pure_python"] = False
            build_data["tag"] = TAG
            build_data["artifacts"].append(f"/{SHIPPED}/")
