# `make help` lists what can be made. Needs Python 3.11 or newer, git and make; nothing else.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --only-binary :all: --require-hashes

.DEFAULT_GOAL := help
.PHONY: help install run test proof check format bench schema lock clean

help: ## List what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(VENV)/run.stamp ## The packages that Latih needs, and nothing else

run: $(VENV)/run.stamp ## Take the checkpointing quiz in this terminal
	@./latih play checkpointing

test: $(VENV)/test.stamp ## All tests, on SQLite and on a Postgres that they bring themselves
	$(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist loadfile

proof: $(VENV)/test.stamp ## What takes longer: killed processes, long races, full search
	HYPOTHESIS_PROFILE=full $(BIN)/python -m pytest -m proof

check: $(VENV)/dev.stamp ## Lint, format and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	./latih check --strict

format: $(VENV)/dev.stamp ## Put the code into its format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/test.stamp ## Speed, as ratios against floors measured in the same run
	$(BIN)/python -m bench

schema: $(VENV)/run.stamp ## Write the JSON Schema of quiz files anew
	./latih schema > quizzes/quiz.schema.json

lock: ## Lock the requirements anew (needs uv)
	for set in run test dev; do \
		uv pip compile --quiet --universal --generate-hashes --no-annotate --no-header \
			--python-version 3.11 $$([ $$set = run ] || echo --group $$set) \
			pyproject.toml --output-file requirements/$$set.txt; \
	done

clean: ## Remove what was made here; databases and .env stay
	rm -rf $(VENV) .tools .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Latih needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.11 $(MAKECMDGOALS)" >&2; exit 3; }
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || { rm -rf $(VENV); \
		$(PYTHON) -m pip install --quiet --target .tools virtualenv && \
		PYTHONPATH=.tools $(PYTHON) -m virtualenv --quiet $(VENV); }

$(VENV)/%.stamp: requirements/%.txt | $(VENV)/bin/python
	@echo "Preparing: the packages of $< (once) ..." >&2
	@$(PIP) -r $<
	@touch $@
