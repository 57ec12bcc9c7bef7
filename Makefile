# make run       the demo, from nothing: needs Linux and the Swift toolchain, nothing else, no root, no hardware
# make test      every test that needs no VM
# make help      the other targets

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := build

PREFIX ?= /usr/local
DESTDIR ?=
RELEASE := .build/release
# Nothing loads the programs as a library: without exported symbols the linker can leave out what is not called.
# Across modules, what is generic becomes what it is used for: an event then needs less code, which counts most when it is
# cold.
RELEASE_FLAGS := -c release --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker --gc-sections \
    -Xlinker --no-export-dynamic -Xlinker -s -Xswiftc -cross-module-optimization

# The optional libraries that are there; part of what SwiftPM compares, so a newly installed one is seen.
HAVE = DASHRIG_HAVE="$${DASHRIG_HAVE-$$(Scripts/probe)}"

.PHONY: help run build release test test-pure test-devices test-vm lint fuzz bench install clean

help:
	@sed -n 's/^## //p' Makefile

## run            install what is missing, build, and play the demo (about 10 s)
run:
	@Scripts/setup build
	@$(HAVE) swift build
	@Scripts/demo

## build          debug build of everything but the tests
build:
	@Scripts/setup build
	@$(HAVE) swift build

## release        what is installed: release build with the Swift runtime inside
release:
	@Scripts/setup build
	@$(HAVE) swift build $(RELEASE_FLAGS)
	@ls -l $(RELEASE)/dashrigd $(RELEASE)/dashrig | awk '{ printf "%s  %.1f MB\n", $$NF, $$5 / 1e6 }'

## test           pure and device tests, and every fuzzer for 10 s, each timed
test:
	@Scripts/setup test
	@Scripts/test pure devices
	@Scripts/fuzz all 10

## test-pure      unit tests, without mock devices
test-pure:
	@Scripts/setup build
	@Scripts/test pure

## test-devices   the daemon on mock devices (umockdev)
test-devices:
	@Scripts/setup test
	@Scripts/test devices

## test-vm        the installed service in a VM with a stock kernel, systemd, udev and virtual phones
test-vm: release
	@Scripts/setup vm
	@Tests/VM/run

## lint           format, imports, names, udev rule, units, shell
lint:
	@Scripts/setup lint || echo "lint: going on without shellcheck"
	@Scripts/lint

## fuzz           every fuzzer, SECONDS each (default 30)
fuzz:
	@Scripts/setup build
	@Scripts/fuzz $${SECONDS_EACH:-30}

## bench          how fast it is, against plain C; BENCH="--json link" for its options
bench:
	@Scripts/setup build
	@Scripts/bench $(BENCH)

## install        into DESTDIR and PREFIX (default /usr/local); as root, or into a DESTDIR of your own
install:
	@[ -x $(RELEASE)/dashrigd ] && [ -x $(RELEASE)/dashrig ] || $(MAKE) release
	@DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" Scripts/install $(RELEASE)

## clean          remove everything that was built
clean:
	rm -rf .build
