# SPDX-License-Identifier: Apache-2.0
"""What the programs consist of, as a CycloneDX document: Swift packages, libraries of the system, vendored data."""

import json
import pathlib
import re
import subprocess
import time
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent
VERSIONS = ROOT / "Scripts/package-versions.txt"


def pins():
    return json.loads((ROOT / "Package.resolved").read_text())["pins"]


def resolved_versions():
    """The versions that the last build has chosen."""
    return {pin["identity"]: pin["state"]["version"] for pin in pins()}


def named_versions():
    """The versions of a release, in the repository."""
    lines = [line.split() for line in VERSIONS.read_text().splitlines() if line and not line.startswith("#")]
    return {name: version for name, version in lines}


def swift_packages():
    for pin in pins():
        name = pin["location"].removeprefix("https://").removesuffix(".git")
        version = pin["state"]["version"]
        yield component("library", pin["identity"], version, f"pkg:swift/{name}@{version}")


def system_libraries(programs):
    """The packages of the libraries that the programs name."""
    owners = {}
    for program in programs:
        lines = subprocess.run(["ldd", str(program)], check=True, capture_output=True, text=True).stdout
        needed = subprocess.run(["readelf", "-d", str(program)], check=True, capture_output=True, text=True).stdout
        for name in re.findall(r"Shared library: \[(.+)\]", needed):
            path = re.search(rf"^\s*{re.escape(name)} => (\S+)", lines, re.M)
            if path and "/swift/" not in path[1]:
                owners.setdefault(owner(path[1]), set()).add(name)
    for (package, version), names in sorted(item for item in owners.items() if item[0]):
        yield component("library", package, version, f"pkg:deb/debian/{package}@{version}", ", ".join(sorted(names)))


def owner(path):
    """The Debian package of a file. Package databases may have the path without /usr."""
    for candidate in (path, path.removeprefix("/usr"), str(pathlib.Path(path).resolve())):
        found = subprocess.run(["dpkg-query", "-S", candidate], capture_output=True, text=True).stdout
        if found:
            package = found.split(":")[0]
            version = subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], capture_output=True, text=True).stdout
            return package, version
    return None


def others():
    rules = (ROOT / "Sources/CPublicSuffix/rules.txt").read_bytes()
    toolchain = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    version = re.search(r"Swift version (\S+)", toolchain)
    yield component("platform", "swift", version[1] if version else "unknown", None, "runtime, standard library, Foundation")
    listed = re.search(r"list, version (\S+),", (ROOT / "docs/dependencies.md").read_text())
    yield component("data", "public-suffix-list", listed[1], None, f"{len(rules.splitlines())} rules")


def component(kind, name, version, url, description=None):
    entry = {"type": kind, "name": name, "version": version}
    return entry | ({"purl": url} if url else {}) | ({"description": description} if description else {})


def document(version, epoch, programs):
    components = [*swift_packages(), *system_libraries(programs), *others()]
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "serialNumber": "urn:uuid:" + str(uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([version, components]))),
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch)),
            "component": {"type": "application", "name": "gatehouse", "version": version,
                          "licenses": [{"license": {"id": "Apache-2.0"}}]},
        },
        "components": components,
    }
