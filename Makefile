# Everything that is done by hand or by CI. Needs Python 3.11 or newer with venv, make and git;
# what else there is to install goes into .venv, at the versions of constraints.txt. The tests also
# need some Debian packages: `make test` installs them if it is root, else it names them and fails.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
INSTALL := $(PIP) install --constraint constraints.txt
WORKERS ?= 2

# The tests start thousands of processes, which would each compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.NOTPARALLEL:
.PHONY: help demo packages test lint format types unit lit coverage verify-product \
  verify-protocols verify-participants verify-resuming verify-faults verify-schedules verify-rows \
  verify-allocation verify-mathematics verify-exact verify-programs verify-kernels campaign bench docs constraints clean

help:
	@echo "make demo      train on the diabetes data, a native process an owner, and compare with the interpreter"
	@echo "make test      every check: lint, types, unit tests (with tidy), lit"
	@echo "make lint, types, unit, lit    one of them"
	@echo "make packages  the Debian packages that the tests need; make test sees to it"
	@echo "make format    let ruff rewrite what it can"
	@echo "make coverage  unit and lit tests with a coverage report"
	@echo "make verify-product  prove and run every distribution of the product (minutes)"
	@echo "make verify-protocols  run every protocol of the product, simulated and over TCP (an hour)"
	@echo "make verify-participants  native processes in more mixes of all that can differ (minutes)"
	@echo "make verify-resuming  every example stopped at every round and resumed at every level (two hours)"
	@echo "make verify-faults  every fault of frames and every death against native processes (minutes)"
	@echo "make verify-schedules  check all protocols up to size 5, and 100,000 random ones (minutes)"
	@echo "make verify-rows  every instruction's meaning against the processor and QEMU (minutes)"
	@echo "make verify-allocation  10,000 random functions and their wrong allocations (minutes)"
	@echo "make verify-mathematics  exp, log, tanh and sigmoid against mpmath, f32 on all inputs (minutes)"
	@echo "make verify-exact  roots and quotients by multiply-adds, 40 million words (minutes)"
	@echo "make verify-programs  20,000 random programs and functions in every execution (hours)"
	@echo "make verify-kernels  kernels of 5,000 random programs, interpreted from their text (an hour)"
	@echo "make campaign  fail, kill and cut the power at every step of writing generations (an hour)"
	@echo "make bench     compiled programs, participants and tools beside their peers, as ratios"
	@echo "make docs      write the generated pages of docs/ again"
	@echo "make constraints  pin the newest versions that pyproject.toml allows"
	@echo "make clean     remove .venv and all that was built"

demo: .venv/runtime
	@mkdir -p build
	@examples/demo.sh $(BIN)

packages:
	@.ci/install_packages.sh

# A stage that fails doesn't hide the later ones; the exit status is non-zero if any failed. pycuda
# is built beside the first ones: one file of it takes a minute.
test: packages .venv/dev
	@$(MAKE) --no-print-directory .venv/pycuda & \
	$(MAKE) --no-print-directory --keep-going lint types; first=$$?; wait $$!; \
	$(MAKE) --no-print-directory --keep-going unit lit && exit $$first

lint: .venv/dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check

format: .venv/dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

types: .venv/dev
	$(BIN)/python .ci/check_types.py

unit: .venv/pycuda
	$(BIN)/pytest --numprocesses $(WORKERS) --dist worksteal

lit: .venv/dev
	$(BIN)/python lit_tests/run.py --workers $(WORKERS)

coverage: .venv/pycuda
	rm -rf build/coverage && mkdir -p build/coverage
	$(BIN)/coverage run $(BIN)/pytest --numprocesses $(WORKERS) --dist worksteal
	$(BIN)/coverage run $(BIN)/lit --quiet --workers $(WORKERS) lit_tests
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

verify-product: .venv/dev
	PYTHONPATH=tests $(BIN)/python -m sharding.verify_product $(WORKERS)

verify-protocols: .venv/dev
	PYTHONPATH=tests $(BIN)/python -m levels.verify_product $(WORKERS)

verify-participants: packages .venv/dev
	PYTHONPATH=tests $(BIN)/python -m levels.native_product $(WORKERS)

verify-resuming: packages .venv/dev
	PYTHONPATH=tests $(BIN)/python -m resuming.campaign --processes $(WORKERS)

verify-faults: packages .venv/dev
	PYTHONPATH=tests $(BIN)/python -m native_faults.campaign $(WORKERS)

verify-schedules: .venv/dev
	PYTHONPATH=tests $(BIN)/python -m protocol.verify_trees
	PYTHONPATH=tests $(BIN)/python -m schedules.campaign --processes $(WORKERS)

verify-rows: packages .venv/dev
	PYTHONPATH=tests $(BIN)/python -m x86.campaign
	PYTHONPATH=tests $(BIN)/python -m aarch64.campaign --rounds 10

verify-allocation: .venv/dev
	PYTHONPATH=tests $(BIN)/python -m machine.campaign --processes $(WORKERS)
	PYTHONPATH=tests $(BIN)/python -m allocation.campaign 20000

verify-mathematics: .venv/dev
	PYTHONPATH=tests $(BIN)/python -m mathematics.campaign --processes $(WORKERS)

verify-exact: .venv/dev
	PYTHONPATH=tests $(BIN)/python -m exact.campaign 100

verify-programs: packages .venv/dev
	PYTHONPATH=tests $(BIN)/python -m code_level.campaign 20000 0 $(WORKERS)
	PYTHONPATH=tests $(BIN)/python -m native.campaign --processes $(WORKERS)
	PYTHONPATH=tests $(BIN)/python -m functions.campaign 20000 --processes $(WORKERS)

verify-kernels: .venv/dev
	PYTHONPATH=tests $(BIN)/python -m ptx.campaign --processes $(WORKERS)

campaign: packages .venv/dev
	PYTHONPATH=tests $(BIN)/python -m faults.campaign --processes $(WORKERS)

bench: .venv/dev
	PYTHONPATH=bench $(BIN)/python -m compiled.run
	PYTHONPATH=bench $(BIN)/python -m participants.run
	PYTHONPATH=bench $(BIN)/python -m gpu.run
	$(BIN)/python bench/run.py

docs: .venv/dev
	$(BIN)/python docs/generate.py
	PYTHONPATH=tests $(BIN)/python -m ptx.registers

clean:
	rm -rf .venv build dist runtime/compiled alpha.egg-info .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# In a virtual environment of its own, since .venv is held to the old versions.
constraints:
	rm -rf build/constraints
	$(PYTHON) -m venv build/constraints
	build/constraints/bin/python -m pip install --quiet --upgrade setuptools '.[dev,examples]' \
	  --requirement .ci/driver_requirements.txt
	{ sed -n '/^#/p' constraints.txt; build/constraints/bin/python -m pip freeze --all \
	  --exclude pip --exclude alpha | sort -f; } > build/constraints.txt
	mv build/constraints.txt constraints.txt

.venv/runtime: pyproject.toml setup.py constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Python 3.11 or newer is needed: make PYTHON=python3.11"; exit 1; }
	$(PYTHON) -m venv .venv
	$(INSTALL) setuptools
	$(INSTALL) --no-build-isolation --editable .
	$(BIN)/python -m alpha.tools.building.compiled
	@touch $@

.venv/dev: .venv/runtime
	$(INSTALL) --no-build-isolation --editable '.[dev]'
	@touch $@

.venv/pycuda: .venv/dev .ci/build_pycuda.sh .ci/driver_requirements.txt tests/ptx/stand_in/library.py
	.ci/build_pycuda.sh
	@touch $@
