"""The functions that generate the made blocks of the pages, one module for each kind.

A page has its own text and made blocks. What stands between

    <!-- made: counts alpha-beta -->
    <!-- end -->

is generated here: the first word names a function, the others are its arguments. The same block on the
Spanish page gives the same content in Spanish: every sentence goes through `Making.say`, which translates it
into the page's language.
"""

# ruff: noqa: F401  # importing a module registers its functions
from makers import (
    catalogue,
    chance,
    commands,
    engine,
    experiments,
    games,
    hidden,
    knowledge,
    lectures,
    matches,
    own,
    puzzles,
    reference,
    searches,
)
