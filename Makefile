PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
READY := $(VENV)/ready
READY_DEV := $(VENV)/ready-dev

.PHONY: run test notebook lint lab

run: $(READY)  ## print the published table, offline
	@$(BIN)/python -m helpers check

test: $(READY_DEV)  ## all tests, the notebook included
	$(BIN)/python -m pytest -q

notebook: $(READY)  ## run the notebook again in place; the same code gives the same bytes
	$(BIN)/python tests/rerun_notebook.py

lint: $(READY_DEV)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

lab: $(READY)  ## open the notebook
	$(BIN)/jupyter lab citation_check.ipynb

# The stamps make a second run quick; they are remade when a requirements file changes.
$(READY): requirements.txt constraints.txt
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Python 3.11 or newer is needed; name one: make PYTHON=python3.12')"
	@test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	@echo "Installing into $(VENV) (about a minute, once)" >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@$(BIN)/python -m compileall -q helpers
	@touch $@

$(READY_DEV): $(READY) requirements-dev.txt requirements-dask.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt -r requirements-dask.txt
	@touch $@
