# SPDX-License-Identifier: Apache-2.0
"""The release builds that are measured: as `make install` builds, in a folder of their own beside .build."""

import pathlib
import subprocess
import sys


def product(root, name, build):
    """The program's path; built first, unless it is to be taken as it lies there."""
    scratch = pathlib.Path(root) / ".build-release"
    if build:
        subprocess.run(["swift", "build", "-c", "release", "--static-swift-stdlib",
                        "--scratch-path", scratch, "--product", name], cwd=root, check=True,
                       stdout=sys.stderr)
    program = scratch / "release" / name
    if not program.exists():
        sys.exit(f"not built: {program}. Leave --no-build out.")
    return program
