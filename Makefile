# `make run` and `make test` are all there is to know; they install what is missing, and say so.

# Queries were checked when they were written (.sqlx/); building needs no database.
export SQLX_OFFLINE := true
# A toolchain that was installed in another window.
export PATH := $(HOME)/.cargo/bin:$(PATH)

# Many tests wait, for a clock or for another process: three for each core keep these busy.
export RUST_TEST_THREADS := $(shell expr $$(nproc) \* 3)

BUILT := $(or $(CARGO_TARGET_DIR),target)

# The tests' server keeps its files in memory where there is room for them (4 GB): each test has a database of its own, and
# making them is mostly writing. It says fsync as ever.
MEMORY := $(shell test "$$(df --output=avail -k /dev/shm 2>/dev/null | tail -1)" -gt 4000000 2>/dev/null && echo /dev/shm)
TESTED  = $(if $(MEMORY),TMPDIR=$(MEMORY) )$(BUILT)/debug/matchbook db with --temporary --
# With fewer crates or features most others would be built once more.
WHOLE  = --workspace --all-features
STEP   = @printf '\n== %s\n'

.PHONY: help run check test campaign chaos upgrade-test cluster-test honest-test memory-test fuzz package package-test deny bench screenshots wasm
.DEFAULT_GOAL := help

help: ## Say what there is.
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile

# MATCHBOOK_DATA_DIR and MATCHBOOK_LISTEN say where it keeps its data and listens: data/ and 127.0.0.1:8080.
run: export MATCHBOOK_DATA_DIR := $(or $(MATCHBOOK_DATA_DIR),data)
# As the tests build it, so that nothing is built twice. What hashes, signs and draws is optimised there as well.
run: ## Build Matchbook, fill it with past matches and a demo, and serve it.
	@scripts/install.sh rust postgresql
	$(STEP) 'building'
	cargo build $(WHOLE) --bin matchbook
	$(STEP) 'starting'
	@exec $(BUILT)/debug/matchbook serve --demo

check: ## Check what was touched: format, lints, and the tests of the crates that changed.
	@scripts/install.sh rust lints postgresql browser age openssl
	@$(if $(MEMORY),TMPDIR=$(MEMORY) )scripts/check.sh

# One set of features throughout, so that nothing is built twice.
test: ## Check everything: format, lints, docs, and all tests with a real PostgreSQL and a real browser.
	@scripts/install.sh rust lints postgresql browser age openssl pgbackrest prometheus
	$(STEP) 'format'
	cargo fmt --all --check
	$(STEP) 'lints'
	cargo clippy $(WHOLE) --all-targets -- -D warnings
	$(STEP) 'licences, sources and advisories'
	@scripts/deny.sh
	$(STEP) 'docs'
	RUSTDOCFLAGS='-D warnings' cargo doc $(WHOLE) --no-deps
	$(STEP) 'building the tests'
	cargo test $(WHOLE) --no-run
	$(STEP) 'tests, with a PostgreSQL of their own'
	@$(TESTED) scripts/tests.sh cargo test $(WHOLE) --no-fail-fast
	$(STEP) 'all is well'

# `make test` has a small one of each. FROM=commit, FAULTS, HOURS, MINUTES and MATCHES say how much.
campaign: ## All that takes hours, one after the other: the package in a clean Debian, fuzz, honest matches, memory, cluster, chaos, upgrade.
	$(MAKE) package-test fuzz honest-test memory-test cluster-test chaos
	$(MAKE) upgrade-test

upgrade-test: ## Upgrade a site from the last tag (or FROM=commit) to this tree, node by node, under load.
	@scripts/install.sh rust postgresql
	@scripts/upgrade-test.sh

chaos: ## Break the program and its PostgreSQL under load (FAULTS=..., HOURS=1), and compare the record (docs/faults.md).
	@scripts/install.sh rust postgresql
	cargo build --release --bin matchbook
	$(if $(MEMORY),TMPDIR=$(MEMORY) )MATCHBOOK_PROGRAM=$(abspath $(BUILT))/release/matchbook MATCHBOOK_CHAOS_FAULTS=$(FAULTS) MATCHBOOK_CHAOS_HOURS=$(or $(HOURS),1) \
	    cargo test --all-features -p matchbook-tests chaos::campaign -- --ignored --nocapture

cluster-test: ## Kill and freeze the servers of a cluster, and cut its links (as root), under load (FAULTS=10 of each kind, KINDS=... or all), and compare the record.
	@scripts/install.sh rust postgresql cluster
	cargo test $(WHOLE) --no-run
	MATCHBOOK_CLUSTER_FAULTS=$(or $(FAULTS),10) MATCHBOOK_CLUSTER_KINDS='$(KINDS)' $(TESTED) cargo test $(WHOLE) --test matchbook cluster::every -- --ignored --nocapture

honest-test: ## Play random honest matches (MATCHES=10000, FIRST=1), each checked after every act.
	@scripts/install.sh rust postgresql
	cargo test $(WHOLE) --no-run
	MATCHBOOK_HONEST_MATCHES=$(or $(MATCHES),10000) MATCHBOOK_HONEST_FIRST=$(or $(FIRST),1) $(TESTED) cargo test $(WHOLE) --test matchbook honest::campaign -- --ignored --nocapture

memory-test: ## Play and read for an hour (MINUTES=60), and see that the program needs no more memory than it is given.
	@scripts/install.sh rust postgresql
	cargo build --release --bin matchbook
	$(if $(MEMORY),TMPDIR=$(MEMORY) )MATCHBOOK_PROGRAM=$(abspath $(BUILT))/release/matchbook MATCHBOOK_MEMORY_MINUTES=$(or $(MINUTES),60) \
	    cargo test --all-features -p matchbook-tests memory:: -- --ignored --nocapture

fuzz: ## Alter the inputs of every parser (CASES=200000 for each), and read and damage every chat of the fixtures in full.
	@scripts/install.sh rust
	MATCHBOOK_FUZZ_CASES=$(or $(CASES),200000) cargo test --release -p matchbook-import --test fuzz -- --nocapture
	cargo test --all-features -p matchbook-import --lib -- --ignored

package: ## Make the package for Debian and Ubuntu, target/debian/matchbook_*.deb. Containerfile installs it.
	@scripts/install.sh rust package
	$(STEP) 'building, with optimisation across crates'
	cargo deb --package matchbook --profile dist

package-test: package ## Install the package in a clean Debian (as root), follow docs/operating.md word for word, upgrade and remove it.
	@scripts/install.sh clean-debian
	@mkdir -p $(BUILT)/package-test
	cargo deb --package matchbook --profile dist --no-build --fast --deb-revision 2 --output $(BUILT)/package-test/
	$(if $(MEMORY),TMPDIR=$(MEMORY) )scripts/package-test.sh $(BUILT)/debian/matchbook_*-1_*.deb $(BUILT)/package-test/matchbook_*-2_*.deb

deny: ## Check the licences, sources and advisories of the crates that are built in.
	@scripts/deny.sh

bench: ## Measure: the engine, and appending to a real PostgreSQL on this disk.
	@scripts/install.sh rust postgresql
	$(STEP) 'building in release'
	cargo build --release --bin matchbook
	$(STEP) 'benchmarks'
	$(BUILT)/release/matchbook db with --data-dir $(BUILT)/bench-data -- cargo bench --workspace --all-features

screenshots: ## Leave a picture of every kind of page, light, dark and at 320 px, in target/screenshots/.
	@scripts/install.sh rust postgresql browser
	$(STEP) 'building'
	cargo test $(WHOLE) --no-run
	$(STEP) 'pictures'
	MATCHBOOK_SCREENSHOTS=1 $(TESTED) cargo test $(WHOLE) --test matchbook browser::
	@printf '%s pictures in target/screenshots/\n' "$$(ls target/screenshots | wc -l)"

# The module is checked in: only whoever changes beacon/, engine/, ledger/, record/ or verifier/ needs this.
wasm: ## Build the modules for browsers again, web/assets/verifier.wasm.gz and beacon.wasm.gz.
	@scripts/install.sh rust wasm
	$(STEP) 'building for browsers'
	@scripts/wasm.sh
