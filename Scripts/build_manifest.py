# SPDX-License-Identifier: Apache-2.0
"""How the last `swift build` compiled a module, for scripts that go on from what it has built."""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What belongs to a build and not to its language, each with what follows it.
ALONE = {"-c", "-incremental", "-emit-dependencies", "-emit-module", "-emit-objc-header",
         "-enable-batch-mode", "-parseable-output", "-serialize-diagnostics", "-g"}
WITH_VALUE = {"-module-name", "-emit-module-path", "-emit-objc-header-path", "-output-file-map",
              "-index-store-path", "-o"}
# What says where modules are.
IMPORTS = {"-I", "-Xcc", "-target", "-module-cache-path"}


def arguments(module):
    manifest = ROOT / ".build/debug.yaml"
    text = manifest.read_text(encoding="utf-8") if manifest.exists() else ""
    block = re.search(rf'^  "C\.{module}-[^"]*debug\.module":\n(.*?)\n\n', text, re.S | re.M)
    line = block and re.search(r"^    args: (\[.*\])$", block.group(1), re.M)
    if not line:
        sys.exit(f"{module} is not built: swift build --build-tests")
    return json.loads(line.group(1))[1:]


def language_flags(module):
    """All but its files and what comes of them."""
    words, kept = iter(arguments(module)), []
    for word in words:
        if word == "-Xcc":
            kept += [word, next(words)]
        elif word in WITH_VALUE:
            next(words)
        elif word in ALONE or word.startswith(("@", "-j")) or word.endswith(".swift"):
            continue
        else:
            kept.append(word)
    return kept


def import_flags(module):
    """Where the modules are that it imports."""
    words, kept = iter(arguments(module)), []
    for word in words:
        if word in IMPORTS:
            kept += [word, next(words)]
        elif word.startswith("-I"):
            kept.append(word)
    return kept
