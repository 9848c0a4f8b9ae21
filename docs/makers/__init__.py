"""The functions that make what the pages show: each module holds those of one kind.

A page holds its own text and, between

    <!-- made: counts alpha-beta -->
    <!-- end -->

what is made here: the first word is a function, the others are its arguments. The same block on the Spanish
page gives the same in Spanish: every sentence is said by `Making.say`, which knows the page's language.
"""

# ruff: noqa: F401  # read in, each adds its functions
from makers import (
    catalogue,
    chance,
    commands,
    engine,
    games,
    knowledge,
    matches,
    own,
    puzzles,
    reference,
    searches,
)
