"""A game and its opponent as files for any browser, without Python: WebAssembly, scripts, and a page to play.

`desk`, `rules`, `depth` and `simulations` are what the module computes: ordinary native functions, which also
run here. `module` makes the module, `describe` says how the board looks, and `files` writes everything.
"""
