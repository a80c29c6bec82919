# SPDX-License-Identifier: Apache-2.0
# What each target does is in CONTRIBUTING.md; `make` alone says it shortly.
PREFIX ?= /usr/local
DESTDIR ?=
RELEASE = .build/release
LIB = $(DESTDIR)$(PREFIX)/lib/gatehouse
SHARE = $(DESTDIR)$(PREFIX)/share
ZSH = $(SHARE)/zsh/site-functions
# A program with the option by which it prints its completions.
COMPLETION = --generate-completion-script
# Functions that nothing calls are left out, and paths of this checkout: docs/decisions/0030-what-the-binary-contains.md.
SMALL = -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcc -fdata-sections
PATHS = -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=.
# Swift's own libraries go into the program: it starts without them, and less of them is resident. The tables of a
# debugger would be stripped; without them the build takes a tenth less.
SWIFT = swift build -c release --static-swift-stdlib -debug-info-format none $(SMALL) $(PATHS) --product
BUILD = $(SWIFT) gatehouse && $(SWIFT) gatehouse-agent
# What is checked without a build.
CHECKS = lint words attacks parity tutorial floors
# What `gatehouse tour` is told with.
APP = $(SWIFT) notes

.PHONY: help run tour test test-fast test-hardware test-packages test-upgrade bench fuzz lint format docs dist \
	install install-agent stage stage-agent

help:
	@echo "make run        build and serve with two sample apps on http://localhost:8080"
	@echo "make tour       the whole story in the terminal, with an app, a security key and a laptop"
	@echo "make test       every test; the last line counts them"
	@echo "make test-fast  the tests that need no service, browser or network"
	@echo "make test-hardware  security keys through the kernel, in an emulated machine"
	@echo "make test-packages  install, upgrade and remove what make dist has made"
	@echo "make test-upgrade   the previous release and this version on one database"
	@echo "make bench      measure, beside Glewlwyd and nginx"
	@echo "make fuzz       feed the parsers with bad input"
	@echo "make lint       the house rules        make format   apply the layout"
	@echo "make docs       redraw what is generated under docs/"
	@echo "make dist       packages, archive, list of components and checksums, in dist/"
	@echo "make install    PREFIX=$(PREFIX); make install-agent installs the agent alone"

run:
	Scripts/bootstrap run
	$(BUILD)
	$(RELEASE)/gatehouse serve --demo $(ARGUMENTS)

tour:
	Scripts/bootstrap run
	$(BUILD) && $(APP)
	$(RELEASE)/gatehouse tour $(ARGUMENTS)

test:
	Scripts/bootstrap run test
	Scripts/checks $(CHECKS) models
	swift build --product gatehouse
	Scripts/typescript
	Scripts/test $(TESTFLAGS)

test-fast:
	Scripts/bootstrap run
	Scripts/checks $(CHECKS)
	Scripts/test --fast $(TESTFLAGS)

test-hardware:
	Scripts/bootstrap run hardware
	Scripts/hardware $(ARGUMENTS)

bench:
	Scripts/bootstrap run bench
	$(BUILD)
	Benchmarks/run $(ARGUMENTS)

fuzz:
	Scripts/bootstrap run
	Fuzz/run $(ARGUMENTS)

lint:
	Scripts/checks $(CHECKS) manual

format:
	git ls-files -z '*.swift' | xargs -0 swift format --in-place --parallel

docs:
	swift build --product gatehouse
	swift build --product gatehouse-agent
	Scripts/manual .build/debug/gatehouse .build/debug/gatehouse-agent --write
	Scripts/floors --write
	Scripts/standards
	Scripts/attacks --write
	.build/debug/gatehouse platform-sso keys > docs/profile-keys.md
	.build/debug/gatehouse state keys > docs/state-keys.md
	.build/debug/gatehouse state schema > docs/state.schema.json

# Packages, archive, list of components and checksums, in dist/.
dist:
	Scripts/bootstrap run dist
	$(BUILD)
	Scripts/dist

test-packages:
	Scripts/bootstrap run dist
	Scripts/dist-test

# Runs the program of the previous release, which is built once, and that of this checkout: docs/releases.md.
test-upgrade:
	Scripts/bootstrap run test
	previous=$$(Scripts/previous-release $(ARGUMENTS)) && \
		PREVIOUS_GATEHOUSE=$$previous Scripts/test --filter UpgradeStory

# The command finds its pages and the agent alongside itself, so all live in PREFIX/lib/gatehouse.
install: install-agent
	$(BUILD) && $(APP)
	$(MAKE) stage
	install -s -m 755 $(RELEASE)/notes $(LIB)/notes

# What a Linux device needs.
install-agent:
	Scripts/bootstrap run
	$(SWIFT) gatehouse-agent
	$(MAKE) stage-agent

# The files of a program that is built; Scripts/dist calls these too.
stage:
	$(call stage_program,gatehouse)
	cp -R $(RELEASE)/gatehouse_WebPages.resources $(LIB)/
	chmod -R u=rwX,go=rX $(LIB)/gatehouse_WebPages.resources

stage-agent:
	$(call stage_program,gatehouse-agent)

# Itself, its link in bin, manual page and completions.
define stage_program
	install -d $(DESTDIR)$(PREFIX)/bin $(LIB) $(SHARE)/man/man1 \
		$(SHARE)/bash-completion/completions $(ZSH) $(SHARE)/fish/vendor_completions.d
	install -s -m 755 $(RELEASE)/$(1) $(LIB)/$(1)
	ln -sf ../lib/gatehouse/$(1) $(DESTDIR)$(PREFIX)/bin/$(1)
	Scripts/manual $(RELEASE)/$(1) --print > $(SHARE)/man/man1/$(1).1
	$(RELEASE)/$(1) $(COMPLETION) bash > $(SHARE)/bash-completion/completions/$(1)
	$(RELEASE)/$(1) $(COMPLETION) zsh > $(ZSH)/_$(1)
	$(RELEASE)/$(1) $(COMPLETION) fish > $(SHARE)/fish/vendor_completions.d/$(1).fish
endef
