"""The textbook algorithms, one file each, and the leaf, null window and quiescence that they share."""
