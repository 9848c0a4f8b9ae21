"""The algorithms of the textbooks, one file each, with the leaf, null window and quiescence they share."""
