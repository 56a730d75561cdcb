# apnap's house tasks. Everything lives in .venv, stamped on the lock: a changed lock sets it up again.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.stamp
JOBS ?= 2
SOURCES := server protocol client_cli tests examples
UV ?= uv

.PHONY: setup wheel run test test-all mutants demo lint format bench lock clean

setup: $(STAMP)

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("apnap needs Python 3.11 or newer; say make PYTHON=..." if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

run: setup
	$(BIN)/apnap serve

demo: setup
	$(BIN)/apnap demo

lint: setup
	$(BIN)/ruff check $(wildcard $(SOURCES))
	$(BIN)/ruff format --check $(wildcard $(SOURCES))
	$(BIN)/lint-imports
	$(BIN)/pyright

format: setup
	$(BIN)/ruff check --fix $(wildcard $(SOURCES))
	$(BIN)/ruff format $(wildcard $(SOURCES))

# A sample of the generated games and inputs, for every commit.
test: lint
	$(BIN)/pytest -q -n $(JOBS)

# The same with the slow tests, and many more examples of the generated ones.
test-all: lint
	$(BIN)/pytest -q -n $(JOBS) --all

# Breaks the rules of 119, 306, 609 and 802 one by one: the tests marked with a rule must notice.
mutants: setup
	$(BIN)/python -m tests.mutants

# What others install: pip install dist/apnap-*.whl
wheel: setup
	$(BIN)/python -m hatchling build -t wheel -d dist

bench: setup
	$(BIN)/apnap bench engine --json
	$(BIN)/apnap bench server --json

# Needs uv; nobody else does. The lock holds names, versions and hashes, no addresses.
lock:
	$(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
		--custom-compile-command "make lock" --group dev pyproject.toml -o requirements.lock

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis .import_linter_cache dist
