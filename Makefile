# The two commands to know: `make run` shows ration at work, `make test` proves it. Both install what they need first.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help run test test-stalled interop ci bench bench-redis bench-peers package format setup clean distclean
MAKEFLAGS += --no-print-directory

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)
ARGS ?=

help: ## show this list
	@echo "make TARGET [ARGS='...'] [JOBS=n]"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 16

run: ## build the ration command and run `ration demo $(ARGS)`
	@scripts/setup build
	@$(call configure,release)
	@$(call build,release,--target ration_cli)
	@build/release/bin/ration demo $(ARGS)

test: ## build everything and run all tests
	@scripts/setup test
	@$(call configure,dev)
	@$(call build,dev,)
	@$(call build,dev,--target all_verify_interface_header_sets)
	@ctest --preset dev -j $$((3 * $(JOBS))) $(ARGS) || { echo "make test: some tests failed; see above." >&2; exit 1; }

test-stalled: ## the tests that have threads, while those stall at random: finds what hangs or crashes once a year
	@scripts/setup test
	@$(call configure,dev)
	@$(call build,dev,)
	@LD_PRELOAD="$(CURDIR)/build/dev/tests/redis/libration_stall_shim.so" RATION_TEST_SECONDS=6 \
	    ctest --preset dev -j $(JOBS) -L '^(conformance|concurrency|redis)$$' --timeout 1500 $(ARGS)

interop: ## share limits with Java's Redisson, the real jars: tests/interop/run $(ARGS)
	@scripts/setup interop
	@$(call configure,dev)
	@$(call build,dev,--target interop)
	@tests/interop/run $(ARGS) || { echo "make interop: not everything went well; see above." >&2; exit 1; }

ci: ## everything that must pass before a merge
	@bash .ci/run

bench: ## measure: build and run bench/micro $(ARGS)
	@scripts/setup bench
	@$(call configure,release,-DRATION_BUILD_BENCH=ON)
	@$(call build,release,--target bench_micro)
	@build/release/bench/micro $(ARGS)

bench-redis: ## the same through Redis: bench/redis $(ARGS), with a server of its own
	@scripts/setup bench
	@$(call configure,release,-DRATION_BUILD_BENCH=ON)
	@$(call build,release,--target bench_redis)
	@build/release/bench/redis $(ARGS)

bench-peers: ## side by side with other rate limiters, which it installs: bench/peers $(ARGS)
	@scripts/setup peers
	@$(call configure,release,-DRATION_BUILD_BENCH=ON)
	@$(call build,release,--target bench_ration_peer)
	@python3 -m unittest discover -q -s bench/peers/runner -p '*_test.py'
	@python3 bench/peers/runner/main.py $(ARGS)

package: ## build Debian packages of the command and the library into build/release
	@scripts/setup package
	@$(call configure,release)
	@$(call build,release,)
	@cd build/release && cpack --config CPackConfig.cmake >cpack.log 2>&1 || { cat cpack.log >&2; exit 1; }
	@ls build/release/*.deb

format: ## format all C++ files
	@scripts/setup ci
	@git ls-files -z --cached --others --exclude-standard '*.cpp' '*.hpp' | xargs -0 -r clang-format-14 -i

setup: ## install all tools and libraries (run, test, ci, bench do it by themselves)
	@scripts/setup ci
	@scripts/setup bench

clean: ## remove what was built, keep what was fetched
	@if [ -d build ]; then find build -mindepth 1 -maxdepth 1 ! -name deps -exec rm -rf {} +; fi

distclean: ## remove everything that is not source
	@rm -rf build

# $(call configure,PRESET[,OPTIONS]): quiet when all is well, the whole output when not.
define configure
mkdir -p build; echo "configuring build/$(1)"; cmake --preset $(1) $(2) >build/$(1).log 2>&1 || \
{ cat build/$(1).log >&2; echo "make: the configuration of build/$(1) failed; the reason is above." >&2; exit 1; }
endef

define build
cmake --build --preset $(1) $(2) || { echo "make: the build in build/$(1) failed; the reason is above." >&2; exit 1; }
endef
