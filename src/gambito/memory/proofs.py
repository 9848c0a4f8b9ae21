"""A table of proof and disproof numbers.

How many leaves must still be shown to be won (at least), and how many not won. Bounded memory, one place
for each key, the newer entry replaces the older one.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from gambito.native import Handle, int64, mix, uint64

BYTES = 24  # an entry: key, proof number, disproof number


class ProofTable(Handle):
    """Proof and disproof numbers of positions; 1 and 1 for a position not met before."""

    arrays: ClassVar[dict[str, type]] = {
        "size": np.int64,
        "keys": np.uint64,
        "proofs": np.int64,
        "disproofs": np.int64,
    }

    def seal(self, key, depth):
        """What a position searched to a depth is kept under; never 0, which is an empty place."""
        return mix((key, depth)) | uint64(1)

    def place(self, sealed):
        return int64(sealed >> uint64(1)) & (self.size[0] - 1)

    def proof(self, sealed):
        place = self.place(sealed)
        return self.proofs[place] if self.keys[place] == sealed else 1

    def disproof(self, sealed):
        place = self.place(sealed)
        return self.disproofs[place] if self.keys[place] == sealed else 1

    def keep(self, sealed, proof, disproof):
        place = self.place(sealed)
        self.keys[place] = sealed
        self.proofs[place] = proof
        self.disproofs[place] = disproof


def new_proof_table(mebibytes: int) -> ProofTable:
    """An empty table of at most that size."""
    entries = 1 << ((mebibytes << 20) // BYTES).bit_length() - 1
    arrays: dict[str, Any] = {n: np.zeros(entries, d) for n, d in ProofTable.arrays.items() if n != "size"}
    return ProofTable(size=np.array([entries]), **arrays)
