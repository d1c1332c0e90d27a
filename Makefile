# Two commands set everything up: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DEMO := .demo
SOURCES := assistant ingest ui eval tests

.PHONY: demo test check browser baseline clean

demo: $(VENV)/installed
	$(BIN)/askpapers ingest --sample --library $(DEMO)
	$(BIN)/askpapers ask "How does LoRA make fine-tuning cheaper?" --llm none --library $(DEMO)
	@echo
	@echo "Open the chat on these papers:  $(BIN)/askpapers chat --library $(DEMO)"
	@echo "Ask your own papers:            $(BIN)/askpapers ingest FILE, then $(BIN)/askpapers chat"

test: $(VENV)/installed-dev browser check
	$(BIN)/pytest -n 2

check: $(VENV)/installed-dev
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/mypy
	$(BIN)/lint-imports

browser: $(VENV)/installed-dev
	sh tests/install-browser.sh $(BIN)/playwright

# What the regression gate holds answers against; to be stored anew after a change that is meant to change them.
baseline: $(VENV)/installed
	rm -rf tests/baseline
	$(BIN)/askpapers ingest --sample --library $(DEMO)
	$(BIN)/askpapers eval answers tests/questions/sample.jsonl --papers tests/questions/sample_papers.json \
		--llm none --library $(DEMO) --out tests/baseline
	rm tests/baseline/report.*

$(VENV)/installed: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable .
	touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	touch $@

clean:
	rm -rf $(VENV) $(DEMO) dist
