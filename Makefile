# `make lab` and `make test` do everything on a fresh machine; `make help` lists the rest.

SHELL := bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules --no-print-directory

PYTHON ?= python3
VENV := .venv
STAMPS := $(VENV)/stamps
LAB := build/lab
DATA := examples/data
# Pythons with the libraries of other times, in which the rules' examples are executed.
ENVIRONMENTS := .venvs
PINS := tests/fixing/rules/environments
# Kaggle's Python; its pins have no wheels for newer ones, and the newest releases none for older ones.
ENVIRONMENTS_PYTHON ?= python3.11
FIGURE1 := figure1_wine_xgboost_labels.ipynb
EXTRAS := lab,all,examples,test,ui-test,bench,dev,docs

export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
# What is set up here is all there is: no settings or extensions of the user's other environments.
export JUPYTER_PREFER_ENV_PATH := 1
export YARN_ENABLE_TELEMETRY := 0
# Thousands of processes start in the tests: what one has compiled, the others take.
unexport PYTHONDONTWRITEBYTECODE

GENERATED := mle_modernizer_server/web/schema.json src/words/messages.ts
# The sources of what is generated.
WIRE := $(shell find mle_modernizer_server/domain mle_modernizer_server/words -name '*.py') \
  mle_modernizer_server/words/english.json \
  mle_modernizer_server/web/messages.py mle_modernizer_server/web/schema.py
FRONT_END := package.json tsconfig.json $(shell find src style -type f -not -path '*/__tests__/*' \
  -not -path src/api/types.ts -not -path src/words/messages.ts)

# Tests wait for kernels, servers and one another about half of the time: one worker more than processors.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

.PHONY: help system setup engine image environments environments-deep lab test quick test-rest rest test-all test-times record lint types docs golden unit unit-quick unit-process walks jest ui-walk ui other-jupyter screenshots bench clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "make %-18s %s\n", $$1, $$2 }'

# Setting up: each step is done again only when a file it depends on is newer.

system:
	@scripts/system-packages $(PYTHON)

$(STAMPS)/venv: | system
	$(PYTHON) -m venv $(VENV)
	mkdir -p $(STAMPS)
	touch $@

$(STAMPS)/python: pyproject.toml package.json jupyter-config/server-config/mle_modernizer_server.json $(STAMPS)/venv
	mkdir -p mle_modernizer_server/labextension  # built below, with the jlpm that is installed here
	SKIP_JUPYTER_BUILDER=1 python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	touch $@

$(STAMPS)/node_modules: package.json yarn.lock $(STAMPS)/venv | $(STAMPS)/python
	jlpm install --immutable
	touch $@

# Files that are generated, and not tracked by git: written only if their content changes.
$(STAMPS)/generated: $(WIRE) $(STAMPS)/python
	python -m mle_modernizer_server.web.schema
	python -m mle_modernizer_server.words.typescript
	touch $@

$(GENERATED): $(STAMPS)/generated
	@:

$(STAMPS)/labextension: $(FRONT_END) $(GENERATED) $(STAMPS)/node_modules $(STAMPS)/python
	jlpm build
	jupyter-builder develop . --overwrite
	touch $@

$(STAMPS)/browser: $(STAMPS)/python
	scripts/browser
	touch $@

$(DATA)/.made: examples/make_data.py $(wildcard examples/descriptions/*) | $(STAMPS)/python
	python examples/make_data.py --root $(DATA)
	touch $@

$(ENVIRONMENTS)/%/made: $(PINS)/%.txt scripts/rule-environment | $(STAMPS)/python
	@command -v $(ENVIRONMENTS_PYTHON) > /dev/null || { \
	  echo "The rules' examples run on Python 3.11: install it, or say where it is with ENVIRONMENTS_PYTHON=..." >&2; exit 1; }
	scripts/rule-environment $(ENVIRONMENTS_PYTHON) $(@D) $<
	touch $@

$(ENVIRONMENTS)/kaggle-deep/made: $(PINS)/kaggle.txt
$(ENVIRONMENTS)/newest-deep/made: $(PINS)/newest.txt
$(ENVIRONMENTS)/newest-vision/made: $(PINS)/newest.txt

environments: $(ENVIRONMENTS)/kaggle/made $(ENVIRONMENTS)/newest/made ## set up .venvs, in which the rules' examples are executed

DEEP = kaggle-deep newest-deep newest-vision
environments-deep: environments $(DEEP:%=$(ENVIRONMENTS)/%/made) ## those with TensorFlow and PyTorch too (15 GB, 10 to 20 minutes)

setup: $(STAMPS)/labextension $(DATA)/.made ## set up .venv, the front end, the examples' data and the git hook
	@if [ -d .git ] && ! git config core.hooksPath > /dev/null; then git config core.hooksPath .githooks; fi

engine: ## see to a Docker engine: the running one, else install and start Debian's
	@scripts/docker-engine

image: engine $(STAMPS)/python ## build the small Kaggle-like image
	@scripts/kaggle-image

# Using it.

lab: setup ## open JupyterLab on the example of the paper's Figure 1
	@scripts/lab $(LAB) $(DATA) $(FIGURE1)

# Checking it.

# One real walk of each kind, for `make test`: a kernel, auto mode, a command, a session over HTTP,
# the rules' examples (one in 20 executed again, the others compared with what was recorded).
WALKS := tests/execution/test_notebook_run.py tests/fixing/rules/test_executed.py \
  tests/workflow/test_auto.py::test_a_right_reply_reproduces_and_is_put_up_for_review \
  tests/cli/test_modernize.py::test_a_known_breakage_is_fixed_and_only_its_cell_changes \
  tests/web/test_sessions.py::test_a_notebook_is_repaired_step_by_step
UI_WALK := ui-tests/test_modernize.py::test_figure_1_becomes_reproducible_and_is_finished

# The browser waits for the server most of the time: everything else runs at the same time.
test: setup environments $(STAMPS)/browser ## what to run before each commit: all checks that start no process, and a walk of each kind
	@$(MAKE) --jobs=2 --keep-going ui-walk quick

# One that fails stops no other.
quick:
	@failed=0; for one in lint types jest unit-quick walks; do $(MAKE) $$one || failed=1; done; exit $$failed

test-rest: setup environments $(STAMPS)/browser ## what `make test` leaves out: kernels, servers, sandboxes, browser walks, docs
	@$(MAKE) --jobs=2 --keep-going ui rest

rest:
	@failed=0; for one in docs unit-process; do $(MAKE) $$one || failed=1; done; exit $$failed

test-all: export EXECUTE_RULES := all
test-all: export THOROUGH := 1
test-all: environments-deep test test-rest other-jupyter ## everything: every example of the rules, TensorFlow and PyTorch, other Jupyters

test-times: setup environments ## print how long the tests of `make test` take, the slowest first
	python -m pytest -n $(WORKERS) --dist loadgroup -m 'not process and not thorough' --durations=30 --durations-min=0.5

record: environments-deep ## execute every example of the rules and record the results anew
	rm -f tests/fixing/rules/executed/results/*.json
	EXECUTE_RULES=all python -m pytest -n $(WORKERS) tests/fixing/rules/test_executed.py

lint: setup ## ruff, ESLint, Prettier, Stylelint, plain English
	ruff check
	ruff format --check
	python scripts/plain_english.py
	jlpm lint:check

types: setup ## mypy and tsc
	mypy
	jlpm tsc --project tsconfig.test.json

docs: setup ## build the documentation's site into build/site; broken links fail
	python scripts/rules_pages.py
	python scripts/settings_page.py
	sphinx-build -q -W --keep-going -b html docs build/site

# RULE_ENVIRONMENTS names a directory where they are made already.
unit: unit-quick unit-process ## all of pytest, containers included if a Docker engine can run

unit-quick: setup ## pytest without the tests that start a process
	python -m pytest -n $(WORKERS) --dist loadgroup -m 'not process$(if $(THOROUGH),, and not thorough)'

unit-process: setup $(if $(RULE_ENVIRONMENTS),,environments) ## pytest of what starts kernels, servers and sandboxes
	scripts/with-engine python -m pytest -n $(WORKERS) --dist loadgroup -m 'process$(if $(THOROUGH),, and not thorough)'
	$(if $(THOROUGH),scripts/as-ordinary-user)

walks: setup $(if $(RULE_ENVIRONMENTS),,environments) ## pytest: one real walk of each kind
	python -m pytest -n $(WORKERS) --dist loadgroup $(WALKS)

jest: setup ## Jest
	jlpm test

ui-walk: setup $(STAMPS)/browser ## the browser walk of the paper's Figure 1, to Finish
	python -m pytest $(UI_WALK)

ui: setup $(if $(RULE_ENVIRONMENTS),,environments) $(STAMPS)/browser ## UI tests: a real browser on a real server
	python -m pytest ui-tests $(if $(THOROUGH),-m 'not screenshots and not bench and not together')

other-jupyter: setup $(STAMPS)/browser ## the oldest JupyterLab and Notebook, and two people on one notebook
	scripts/other-jupyter 'jupyterlab==4.2.*'
	scripts/other-jupyter 'notebook==7.2.*'
	scripts/other-jupyter jupyterlab jupyter-collaboration

screenshots: setup $(STAMPS)/browser ## write the docs' screenshots
	python -m pytest ui-tests -m screenshots

golden: setup ## compare what is understood of many notebooks' code with what was recorded
	python scripts/golden.py compare $(if $(STRANGERS),--strangers $(STRANGERS))

bench: setup $(STAMPS)/browser ## print the benchmarks
	python benchmarks/run_overhead.py
	python benchmarks/command_speed.py
	scripts/with-engine python benchmarks/docker_start.py
	python benchmarks/preflight_speed.py
	python benchmarks/grading_speed.py
	python benchmarks/rules_speed.py
	python benchmarks/rehearsal_saving.py
	python benchmarks/many_sessions.py
	python -m pytest ui-tests -m bench -s

clean: ## remove all that was built
	rm -rf $(VENV) $(ENVIRONMENTS) $(DATA) node_modules .yarn lib tsconfig.tsbuildinfo dist build coverage \
	  mle_modernizer_server/labextension mle_modernizer_server/_version.py \
	  .eslintcache .stylelintcache .mypy_cache .ruff_cache .pytest_cache .hypothesis \
	  ui-tests/test-results
