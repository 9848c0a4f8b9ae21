"""Monte-Carlo tree search: the loop, its formulas, playouts, trees, threads, guide and answer."""
