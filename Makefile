# Every target sets up what it needs. Python 3.11 or newer with pip, and make, are enough.

PYTHON ?= $(shell for p in python3.11 python3 python; do \
	$$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$p && break; done)
UV     ?= uv
BIOME  ?= npx --yes --loglevel=error @biomejs/biome@2.6.6
ARGS   ?=

VENV := .venv
BIN  := $(VENV)/bin
PIP  := $(BIN)/python -m pip -qq --disable-pip-version-check --no-input
PIN  := --quiet --universal --python-version 3.11 --no-header $(if $(UPGRADE),--upgrade)
LOCK := $(UV) pip compile pyproject.toml --extra web $(PIN)
HASH := --generate-hashes

# If this variable is set, Python stores no bytecode, and every start is slow.
unexport PYTHONDONTWRITEBYTECODE

# What is made or tested here depends on no folder of the user. Machine code is kept inside the checkout, so that
# the second run is fast; there are no endgame tables.
OWN := test test-thorough test-page test-all test-docs soak docs bench templates shots wheel release
$(OWN): export GAMBITO_CACHE ?= $(CURDIR)/.cache/tests
$(OWN): export GAMBITO_TABLES := $(CURDIR)/.cache/no-tables

.DEFAULT_GOAL := help
.PHONY: help run test test-thorough test-page test-all soak docs test-docs lint format bench templates shots wheel release lock clean

help:  ## show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 16

run: $(VENV)/.runtime  ## serve the web page: play, analyse, watch a search (ARGS="--open" opens it in the browser)
	@$(BIN)/gambito serve --warm $(ARGS)

test: $(VENV)/.dev  ## run the tests that take a few minutes together (ARGS="-k name" selects some)
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not thorough and not slow and not page" $(ARGS)

test-thorough: $(VENV)/.dev  ## run the tests that take some seconds each
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "thorough and not slow and not page" $(ARGS)

test-page: $(VENV)/.dev  ## run the tests of the page in a browser, without the slow ones
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "page and not slow" tests/web $(ARGS)

test-all: $(VENV)/.dev  ## run all tests, and check that the generated parts of the pages are up to date
	@$(BIN)/python -m pytest -q -n 2 --dist worksteal $(ARGS)
	@$(BIN)/python docs/make.py --check

soak: $(VENV)/.dev  ## search games drawn by lot until Ctrl-C, beside independent truth (ARGS="--from 5000" goes on there)
	@$(BIN)/python -m tests.fuzz $(ARGS)

docs: $(VENV)/.dev  ## build the documentation site, in English and Spanish, in build/site
	@$(BIN)/python docs/build.py $(ARGS)

test-docs: $(VENV)/.dev  ## run every example of the documentation
	@$(BIN)/python -m pytest -q -n 2 tests/docs tests/test_readme.py $(ARGS)

lint: $(VENV)/.dev  ## check style, format and types; with Node.js, also the page's scripts and styles
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/mypy --no-error-summary
	@if command -v npx >/dev/null; then $(BIOME) ci --log-level=warn --error-on-warnings; \
	else echo "Node.js is missing: the page's scripts and styles were not checked"; fi

format: $(VENV)/.dev  ## format Python, scripts and styles as `make lint` requires
	@$(BIN)/ruff format --quiet .
	@if command -v npx >/dev/null; then $(BIOME) format --log-level=warn --write; fi

bench: $(VENV)/.peers  ## run the benchmarks, each beside a peer
	@$(BIN)/python bench/run.py $(ARGS)

templates: $(VENV)/.runtime  ## make the searches again that are compiled for all games, after a change in their sources
	@$(BIN)/python tools/templates.py

shots: $(VENV)/.dev  ## photograph the page with every game, light and dark, in build/shots (ARGS="chess go" selects some)
	@$(BIN)/python tools/shots.py $(ARGS)

wheel: $(VENV)/.dev  ## make a wheel with machine code in dist (PYTHONS="python3.12" adds versions of Python)
	@$(BIN)/python tools/wheel.py $(PYTHONS) $(ARGS)

release: $(VENV)/.dev  ## make sdist and wheel, check both, and say what is left to do by hand (PYTHONS as for wheel)
	@$(BIN)/python tools/release.py $(PYTHONS) $(ARGS)

lock:  ## pin the requirements again after a change in pyproject.toml (UPGRADE=1: newest versions)
	@command -v $(UV) >/dev/null || { echo "make lock needs uv: pip install uv" >&2; exit 1; }
	@$(LOCK) $(HASH) --group build --output-file requirements.txt >/dev/null
	@$(LOCK) $(HASH) --group dev --constraint requirements.txt --output-file requirements-dev.txt >/dev/null
	@$(LOCK) --no-annotate --group peers --constraint requirements-dev.txt --output-file requirements-bench.txt >/dev/null
	@$(UV) pip compile $(PIN) $(HASH) --group release --constraint requirements-dev.txt --output-file requirements-release.txt >/dev/null
	@! grep -nE '://|^-' requirements.txt requirements-dev.txt requirements-bench.txt requirements-release.txt

clean:  ## remove everything that was created here: environment, caches, bytecode
	@rm -rf $(VENV) .cache .hypothesis build dist
	@find src tests bench -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

# Set-up in steps, so that playing does not wait for the tools. A stamp is written last: an installation
# that was interrupted, or whose requirements changed, is done again.

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "no Python 3.11 or newer with venv and pip was found" >&2; exit 1; }
	@echo "Setting up $(VENV) (once)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: requirements.txt pyproject.toml | $(BIN)/python
	@$(PIP) install --require-hashes --no-deps -r requirements.txt
	@$(PIP) install --no-build-isolation --no-deps --editable .
	@touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.runtime
	@$(PIP) install --require-hashes --no-deps -r requirements-dev.txt
	@touch $@

$(VENV)/.peers: requirements-bench.txt $(VENV)/.dev
	@$(PIP) install --no-deps -r requirements-bench.txt
	@touch $@
