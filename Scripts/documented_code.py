# SPDX-License-Identifier: Apache-2.0
"""The pieces of Swift in the SDK's documentation, as files that a compiler can read.

A piece stands for itself: what it speaks of and does not make is in Tests/DocumentedCode, as a reader would
have it. One that declares something is put beside the others, all else into a function of its own.
"""

import re

from build_manifest import ROOT

GIVEN = ROOT / "Tests/DocumentedCode"
MODULES = ["GatehouseClient", "GatehouseTesting", "GatehousePasskeys"]
# An app of its own: Examples/FirstApp.
TUTORIAL = "GettingStarted.md"
# What is for Apple's systems alone.
APPLE = re.compile(r"\b(AppAttest\w*|DeviceCheckAttestor|ASWeb\w+|Keychain\w+|SecureEnclave\w+)\b")
DECLARES = re.compile(r"\s*(@Test|struct|enum|extension|func|final class|actor)\b")


def pieces(path):
    """The pieces of a page or of a source's comments: the line each begins in, and its text."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".swift":
        # Every line stays where it is.
        comments = (re.match(r" */// ?(.*)", line) for line in text.splitlines())
        text = "\n".join(match.group(1) if match else "" for match in comments)
    for match in re.finditer(r"^```swift\n(.*?)^```$", text, re.S | re.M):
        yield text[:match.start()].count("\n") + 2, match.group(1)


def documents():
    for module in MODULES:
        for path in sorted((ROOT / "Sources" / module).rglob("*")):
            if path.suffix in (".md", ".swift") and path.name != TUTORIAL:
                yield path
    yield ROOT / "docs/entitlements.md"


def write(folder, isWanted, imports):
    """Writes the wanted pieces into the folder, one file for each document, and gives the files."""
    head = "".join(f"import {module}\n" for module in ["Foundation", *imports])
    files = []
    for path in documents():
        parts = [head]
        for number, code in pieces(path):
            if not isWanted(code):
                continue
            place = f'#sourceLocation(file: "{path}", line: {number})\n{code}#sourceLocation()\n'
            # By itself: two documents may call different things by one name.
            parts.append(place if DECLARES.match(code) else
                         f"private func piece{number}() async throws {{\n{place}}}\n")
        if len(parts) > 1:
            files.append(folder / f"{len(files)}.swift")
            files[-1].write_text("\n".join(parts), encoding="utf-8")
    return files
