# SPDX-License-Identifier: Apache-2.0
"""A provider on loopback with which Scripts/guide compares the pages."""

import contextlib
import re
import socket
import subprocess
import time
import urllib.request


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Provider:
    """`gatehouse serve` on loopback with a new data directory."""

    def __init__(self, program, folder):
        self.program, self.data = program, folder / "data"
        self.url = f"http://127.0.0.1:{free_port()}"
        self.process = subprocess.Popen(
            [program, "serve", "--listen", self.url.removeprefix("http://"), "--data-dir", self.data, "--public-metrics",
             "--issuer", "https://login.example.com"],
            stderr=(folder / "log").open("w"))

    def get(self, path):
        with urllib.request.urlopen(self.url + path, timeout=5) as answer:
            return answer.read().decode()

    def wait(self):
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline and self.process.poll() is None:
            with contextlib.suppress(OSError):
                return self.get("/health/ready")
            time.sleep(0.1)
        raise SystemExit("guide: the provider does not start")

    def stop(self):
        self.process.terminate()
        self.process.wait(60)

    def plan(self, state, folder):
        """What is wrong with a state file, if it is refused. The secrets of its clients are made up."""
        (folder / "state.yaml").write_text(state)
        for name in re.findall(r"_file: (\S+)", state):
            (folder / name).write_text("a-secret-of-the-check-0123456789abcdef\n")
        done = subprocess.run([self.program, "plan", folder / "state.yaml", "--data-dir", self.data], text=True, capture_output=True)
        return [] if done.returncode == 0 else [done.stderr + state]
