"""Everything that imports Numba: it is loaded when something must be compiled, and not before."""
