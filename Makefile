# `make demo` trains, compares and exports on a machine with nothing but Python and make; `make test` checks it all.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
N ?= 1000
RUN := runs/demo
BOT := bots/demo
RULES ?= bazar duel
MINUTES ?= 0

.PHONY: help demo test lint bench gate bots docs fuzz clean

help:
	@echo "make demo    train with configs/quick.toml, play a tournament, export a bot, watch it play one deal"
	@echo "make test    the tests"
	@echo "make lint    ruff and mypy"
	@echo "make bench   the speed of the environments and of training"
	@echo "make gate    the tiers against each other: hours; make gate RULES=hayblot MINUTES=20; again: it goes on"
	@echo "make bots    export the tiers that ship with blot again: after new networks, new tiers or a new gate"
	@echo "make docs    the API pages, into build/docs; the pages of the games, into docs/rules"
	@echo "make fuzz    random deals of every game in the engine and in its slow reference: make fuzz N=100000"
	@echo "make clean   remove what demo and docs made; the environment $(VENV) stays"

demo: $(VENV)/train.installed
	@echo; echo "1/4  Training with configs/quick.toml, about three minutes"
	rm -rf $(RUN)
	$(BIN)/blot train configs/quick.toml --name demo
	@echo; echo "2/4  A tournament: every pair plays the same cards from both sides"
	$(BIN)/blot tournament --rules bazar --boards 200 --out $(RUN)/tournament random rules policy:$(RUN)
	@echo; echo "3/4  Exporting a bot that plays without torch"
	$(BIN)/blot export --policy $(RUN) --tier hard --out $(BOT)
	@echo; echo "4/4  One deal, the bot and its twin against the rule-based player"
	$(BIN)/blot watch bot:$(BOT) rules --seed 7

test: $(VENV)/dev.installed
	$(BIN)/pytest -n auto --dist worksteal

lint: $(VENV)/dev.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/dev.installed
	$(BIN)/python benchmarks/engine.py
	$(BIN)/python benchmarks/training.py

# A tournament that was stopped goes on, by the settings that it began with; remove its folder for fresh boards. It fails
# where a gate was not passed.
gate: $(VENV)/tournament.installed
	@for rules in $(RULES); do \
	    folder=runs/gate/$$rules; \
	    if [ ! -f $$folder/tournament.toml ]; then game="configs/tiers/gate.toml --rules $$rules --fresh --out $$folder"; \
	    elif [ configs/tiers/gate.toml -nt $$folder/tournament.toml ]; then \
	        echo "configs/tiers/gate.toml is newer than $$folder: remove that folder to begin anew," \
	            "or touch $$folder/tournament.toml to go on by the settings that it began with"; exit 2; \
	    else game="--resume $$folder"; fi; \
	    $(BIN)/blot tournament $$game --minutes $(MINUTES); code=$$?; \
	    [ $$code -le 1 ] || exit $$code; \
	done
	$(BIN)/python benchmarks/gate.py

bots: $(VENV)/train.installed
	@for rules in $(RULES); do \
	    $(BIN)/blot export --policy checkpoints/$$rules --out checkpoints/$$rules/networks || exit; \
	    for tier in easy normal hard crazy; do \
	        $(BIN)/blot export --tier $$tier --rules $$rules --out checkpoints/$$rules/bots/$$tier || exit; \
	    done; \
	done

docs: $(VENV)/dev.installed
	$(BIN)/python -m blot_env.pages
	$(BIN)/pdoc -o build/docs blot_env agents train

fuzz: $(VENV)/dev.installed
	$(BIN)/python -m tests.fuzz $(N)

clean:
	rm -rf build dist $(RUN) $(BOT)

# An environment with one of the extras of pyproject.toml, installed again when the requirements change.
$(VENV)/%.installed: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
	    "blot needs Python 3.11 or newer; this is %d.%d. Try: make $(MAKECMDGOALS) PYTHON=python3.11" % sys.version_info[:2])'
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install -c constraints.txt -e '.[$*]'
	@touch $@
