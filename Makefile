# `make app` and `make test` work on a machine with nothing but Python 3.11 or newer: they make .venv first.
# Windows has no make: docs/install.md has the same commands by hand.

PYTHON ?= python3 python3.14 python3.13 python3.12 python3.11
HOST ?= 127.0.0.1
PORT ?= 8501
NAMES ?=
KEEP ?= yes
TRAIN ?=
TIER ?=
TAG ?=

BIN := .venv/bin
# Side by side, one thread each.
TESTS = OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n auto --maxprocesses 8 --dist worksteal
FAST = $(TESTS) -m 'not slow and not browser'
SHORT = $(TESTS) -m '(not browser or journey) and not thorough'

.DEFAULT_GOAL := help
.PHONY: help setup app test check docs trials audit bench bench-quick release

help:
	@echo 'make app              start the app for this machine alone, at http://127.0.0.1:8501'
	@echo 'make app HOST=0.0.0.0 PORT=8501'
	@echo '                      open it to the network, say to a class, under this machine'"'"'s own names and addresses'
	@echo '                      and under those of NAMES="one two"; with KEEP=no, no typed text is written to the disk;'
	@echo '                      with TRAIN=yes, whoever reaches it may also train models on this machine'
	@echo 'make test             the tests; of those in Chromium one journey per place, skipped where there is no Chromium'
	@echo 'make test TIER=fast   only the fast ones, less than two minutes'
	@echo 'make test TIER=all    every test, with all cases in Chromium and all trainings; .ci/run runs these'
	@echo 'make check            ruff, oxlint, mypy, import contracts, fast tests: before every commit'
	@echo 'make docs             build the documentation as a site that opens from disk: build/site/index.html'
	@echo 'make trials           the trials of docs/reliability.md; a run that was stopped continues'
	@echo 'make trials TIER=ci   the first pieces of each trial: at most eight minutes'
	@echo 'make audit            check requirements.lock for packages with known vulnerabilities (asks pypi.org)'
	@echo 'make bench            speed against JoeyNMT, OpenNMT-py and Marian, written to benchmarks/ (half an hour)'
	@echo 'make bench-quick      small models, one thread, against JoeyNMT and OpenNMT-py: under five minutes once set up, JSON last'
	@echo 'make release          wheels, source distribution, documentation, jointly.html, released runs, SHA256SUMS, in dist/'
	@echo 'make setup            only create .venv, with everything needed to work on the code'
	@echo ''
	@echo 'PYTHON=/path/to/python after any of them chooses the Python that .venv is made with.'

setup: .venv/.installed-dev
	@echo '.venv is ready.'

SERVE = $(BIN)/python -m streamlit run app.py --server.address $(HOST) --server.port $(PORT)
# The first address that leads to another machine; nothing is sent to find it.
ADDRESS = $(shell $(BIN)/python .ci/hosts.py $(HOST) | sed -n '/^[0-9.]*$$/{/^127/!p;}' | head -n 1)
ALLOWED = $(addprefix --server.allowedHosts ,$(shell $(BIN)/python .ci/hosts.py $(HOST) $(NAMES)))

app: export JOINTLY_TRANSLATIONS := $(if $(filter no,$(KEEP)),memory,$(JOINTLY_TRANSLATIONS))
app: export JOINTLY_TRAIN := $(TRAIN)
app: .venv/.installed-app
ifneq ($(filter 127.0.0.1 localhost ::1,$(HOST)),)
	@$(SERVE)
else
	@echo 'Open to everybody on the network; there is no password.'
	@$(SERVE) $(ALLOWED) --browser.serverAddress $(or $(if $(filter 0.0.0.0 ::,$(HOST)),$(ADDRESS),$(HOST)),localhost)
endif

test: .venv/.installed-dev
ifeq ($(or $(TIER),short),short)
	@$(SHORT)
else ifeq ($(TIER),all)
	@$(TESTS)
else ifeq ($(TIER),fast)
	@$(FAST)
else
	@echo 'TIER is fast, short or all, not $(TIER).' >&2; exit 2
endif

check: .venv/.installed-dev
	@echo '1/6 ruff check'
	@$(BIN)/ruff check .
	@echo '2/6 ruff format'
	@$(BIN)/ruff format --check .
	@echo '3/6 oxlint'
	@$(BIN)/oxlint nmt tests
	@echo '4/6 mypy'
	@$(BIN)/mypy
	@echo '5/6 import contracts'
	@$(BIN)/lint-imports
	@echo '6/6 fast tests and doctests'
	@$(FAST) -q

docs: .venv/.installed-dev
	@$(BIN)/python .ci/site.py

trials: .venv/.installed-dev
	@OMP_NUM_THREADS=1 $(BIN)/python -m trials --tier $(or $(TIER),all) $(if $(filter ci,$(TIER)),--minutes 7)

audit: .venv/.installed-dev
	@$(BIN)/python -m pip_audit --strict --requirement requirements.lock --disable-pip --no-deps

release: .venv/.installed-dev
	@$(BIN)/python .ci/release.py dist $(TAG)

bench: .venv/.installed-dev
	@$(BIN)/python -m benchmarks

bench-quick: .venv/.installed-dev
	@$(BIN)/python -m benchmarks --quick

# $(call prepare,FILES): .venv with what requirements files and extras name, by the first Python that is new enough.
prepare = for python in $(PYTHON); do \
	if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2> /dev/null; then \
		"$$python" .ci/install.py $(1); exit $$?; \
	fi; \
	done; \
	echo 'Jointly needs Python 3.11 or newer; not found under these names: $(PYTHON).' >&2; exit 2

$(BIN)/python $(BIN)/jointly:
	@$(call prepare)

.venv/.installed-app: requirements.txt requirements.lock $(BIN)/python $(BIN)/jointly
	@$(call prepare,requirements.txt)
	@touch $@

.venv/.installed-dev: requirements.txt requirements.lock requirements-dev.txt $(BIN)/python $(BIN)/jointly
	@$(call prepare,requirements-dev.txt serve smt transformers notebook)
	@touch $@ .venv/.installed-app
