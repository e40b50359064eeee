# A thin front for CMake. Every target does its own set-up and may be repeated.
PRESET ?= release
BUILD := build/$(PRESET)

.PHONY: all deps build demo test sanitize races faults fuzz bench install clean

all: build

deps:
	@sh scripts/deps.sh

build: deps
	@cmake --preset $(PRESET) --log-level=WARNING
	@cmake --build --preset $(PRESET)

demo: build
	@$(BUILD)/freshet run scenes/smoke/plume.lua -o runs/plume --force
	@echo "The film is runs/plume/plume.mp4"

test: build
	@python3 scripts/check_layers.py
	@python3 scripts/check_columns.py
	@ctest --preset $(PRESET) -j 2

sanitize:
	@$(MAKE) --no-print-directory test PRESET=asan

# Every scene on a coarse grid under the thread sanitizer.
races:
	@$(MAKE) --no-print-directory build PRESET=tsan
	@python3 tests/races/races.py build/tsan/freshet

# Memory, disk and power fail at every point where they can: hours. FAULTS="--points 20" takes a spread.
faults: build
	@python3 tests/faults/faults.py $(BUILD)/freshet $(BUILD)/tests/libfaults_shim.so $(FAULTS)

# Hunts for inputs that crash or hang the readers, FUZZ_SECONDS with each fuzzer, two at a time.
FUZZ_SECONDS ?= 3600
fuzz:
	@sh scripts/deps-fuzz.sh
	@cmake --preset fuzz --log-level=WARNING
	@cmake --build --preset fuzz
	@python3 tests/fuzz/run.py build/fuzz $(FUZZ_SECONDS)

bench: build
	@$(BUILD)/freshet bench

install: build
	@cmake --install $(BUILD)

clean:
	@rm -rf build
