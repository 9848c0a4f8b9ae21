"""A table of proof and disproof numbers.

A proof number is the least number of leaves that must still be shown to be won, a disproof number that of
leaves to be shown not won. Memory is bounded, in buckets of `WAYS` entries; a full bucket drops the entry
that took the least work. Buckets are necessary: if two children of one state replaced each other, the search
would alternate between them forever.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from gambito.native import Handle, int64, mix, uint64

BYTES = 32  # an entry: key, proof number, disproof number, work
WAYS = 4


class ProofTable(Handle):
    """Proof and disproof numbers of positions; 1 and 1 for a new position."""

    arrays: ClassVar[dict[str, type]] = {
        "size": np.int64,
        "keys": np.uint64,
        "proofs": np.int64,
        "disproofs": np.int64,
        "works": np.int64,
    }

    def slot_key(self, key, depth):
        """The key for a position searched to a depth; never 0, which marks an empty place."""
        return mix((key, depth)) | uint64(1)

    def place(self, slot_key):
        """The place of a position; -1 if it is not stored."""
        bucket = (int64(slot_key >> uint64(1)) & (self.size[0] - 1)) * WAYS
        for place in range(bucket, bucket + WAYS):
            if self.keys[place] == slot_key:
                return place
        return -1

    def proof(self, slot_key):
        place = self.place(slot_key)
        return self.proofs[place] if place >= 0 else 1

    def disproof(self, slot_key):
        place = self.place(slot_key)
        return self.disproofs[place] if place >= 0 else 1

    def keep(self, slot_key, proof, disproof, work):
        place = self.place(slot_key)
        if place < 0:
            bucket = (int64(slot_key >> uint64(1)) & (self.size[0] - 1)) * WAYS
            place = bucket
            for other in range(bucket + 1, bucket + WAYS):
                if self.works[other] < self.works[place]:
                    place = other
            self.works[place] = 0
        self.keys[place] = slot_key
        self.proofs[place] = proof
        self.disproofs[place] = disproof
        self.works[place] += work


def new_proof_table(mebibytes: int) -> ProofTable:
    """An empty table of at most that size."""
    buckets = 1 << ((mebibytes << 20) // (BYTES * WAYS)).bit_length() - 1
    arrays: dict[str, Any] = {
        n: np.zeros(buckets * WAYS, d) for n, d in ProofTable.arrays.items() if n != "size"
    }
    return ProofTable(size=np.array([buckets]), **arrays)
