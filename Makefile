# SPDX-License-Identifier: Apache-2.0
# What each target does is in CONTRIBUTING.md; `make` alone says it shortly.
PREFIX ?= /usr/local
DESTDIR ?=
RELEASE = .build/release
SHARE = $(DESTDIR)$(PREFIX)/share
# A program with the option by which it prints its completions.
COMPLETION = --generate-completion-script
# Swift's own libraries go into the program: it starts without them, and less of them is resident.
SWIFT = swift build -c release --static-swift-stdlib --product
BUILD = $(SWIFT) gatehouse && $(SWIFT) gatehouse-agent
# What `gatehouse tour` is told with.
APP = $(SWIFT) notes

.PHONY: help run tour test test-fast test-hardware bench fuzz lint format docs install install-agent

help:
	@echo "make run        build and serve with two sample apps on http://localhost:8080"
	@echo "make tour       the whole story in the terminal, with an app, a security key and a laptop"
	@echo "make test       every test; the last line counts them"
	@echo "make test-fast  the tests that need no service, browser or network"
	@echo "make test-hardware  security keys through the kernel, in an emulated machine"
	@echo "make bench      measure, beside Glewlwyd and nginx"
	@echo "make fuzz       feed the parsers with bad input"
	@echo "make lint       the house rules        make format   apply the layout"
	@echo "make docs       redraw what is generated under docs/"
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
	Scripts/lint
	Scripts/words
	Scripts/attacks
	Scripts/parity
	Scripts/tutorial
	Scripts/floors
	Scripts/models
	Scripts/test $(TESTFLAGS)

test-fast:
	Scripts/bootstrap run
	Scripts/lint
	Scripts/words
	Scripts/attacks
	Scripts/parity
	Scripts/tutorial
	Scripts/floors
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
	Scripts/lint
	Scripts/manual
	Scripts/words
	Scripts/attacks
	Scripts/parity
	Scripts/tutorial
	Scripts/floors

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

# The command finds its pages and the agent alongside itself, so all live in PREFIX/lib/gatehouse.
install: install-agent
	$(BUILD) && $(APP)
	install -s -m 755 $(RELEASE)/gatehouse $(DESTDIR)$(PREFIX)/lib/gatehouse/gatehouse
	install -s -m 755 $(RELEASE)/notes $(DESTDIR)$(PREFIX)/lib/gatehouse/notes
	cp -R $(RELEASE)/gatehouse_WebPages.resources $(DESTDIR)$(PREFIX)/lib/gatehouse/
	$(call install_command,gatehouse)

# What a Linux device needs.
install-agent:
	Scripts/bootstrap run
	$(SWIFT) gatehouse-agent
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/gatehouse
	install -s -m 755 $(RELEASE)/gatehouse-agent \
		$(DESTDIR)$(PREFIX)/lib/gatehouse/gatehouse-agent
	$(call install_command,gatehouse-agent)

# Its link in bin, manual page and completions.
define install_command
	ln -sf ../lib/gatehouse/$(1) $(DESTDIR)$(PREFIX)/bin/$(1)
	install -d $(SHARE)/man/man1 $(SHARE)/bash-completion/completions \
		$(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d
	Scripts/manual $(RELEASE)/$(1) --print > $(SHARE)/man/man1/$(1).1
	$(RELEASE)/$(1) $(COMPLETION) bash > $(SHARE)/bash-completion/completions/$(1)
	$(RELEASE)/$(1) $(COMPLETION) zsh > $(SHARE)/zsh/site-functions/_$(1)
	$(RELEASE)/$(1) $(COMPLETION) fish > $(SHARE)/fish/vendor_completions.d/$(1).fish
endef
