# SPDX-License-Identifier: Apache-2.0
"""Builds the image of Packaging/Containerfile with buildah, and runs it: without a registry, a daemon and name spaces.

The base image is a Debian that mmdebstrap makes, under the name that the definition has. Commands run in a chroot
(`--isolation chroot`), with the network of this system.
"""

import json
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEFINITION = ROOT / "Packaging/Containerfile"
MINUTES = 60


def missing():
    """Why no image can be built here; `None` if it can."""
    return None if shutil.which("buildah") else "buildah is not installed"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def descendants(pid):
    """The processes that a process has started, and theirs."""
    listed = subprocess.run(["ps", "-e", "-o", "pid=,ppid=,comm="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    found, names = {str(pid)}, {}
    for _ in rows:
        new = {row[0]: row[2] for row in rows if row[1] in found and row[0] not in found}
        if not new:
            break
        found |= set(new)
        names |= new
    return {int(pid): name for pid, name in names.items()}


class Image:
    """An image in a storage of its own, below the folder `work`."""

    def __init__(self, work):
        self.work = work
        (work / "policy.json").write_text('{"default": [{"type": "insecureAcceptAnything"}]}')
        self.command = ["buildah", "--root", str(work / "storage"), "--runroot", str(work / "run"), "--storage-driver", "vfs"]
        self.policy = ["--signature-policy", str(work / "policy.json")]

    def buildah(self, *words):
        """Throws with the last lines that buildah writes."""
        done = subprocess.run([*self.command, *map(str, words)], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=10 * MINUTES)
        if done.returncode != 0:
            raise AssertionError(f"buildah {words[0]}: {done.stdout[-2000:].strip()}")
        return done.stdout.strip()

    def make_base(self, libraries):
        """The image from which the definition begins.

        libraries: of the toolchain, which the programs of a debug build need.
        """
        name = re.search(r"^FROM (\S+)$", DEFINITION.read_text(), re.M)[1]
        folder = self.work / "base"
        subprocess.run(["mmdebstrap", "-q", "--variant=minbase", re.search(r":(\w+)", name)[1], folder], check=True)
        for library in libraries:
            place = folder / library.lstrip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library, place)
        self.buildah("from", "--name", "base", "scratch")
        self.buildah("add", "base", folder, "/")
        shutil.rmtree(folder)
        self.buildah("commit", *self.policy, "--rm", "base", name)

    def build(self, package):
        """Runs the definition, as `podman build dist` does."""
        context = self.work / "context"
        context.mkdir()
        shutil.copy(package, context)
        shutil.copy(DEFINITION, context)
        self.buildah("build", *self.policy, "--isolation", "chroot", "--pull-never", "--tag", "gatehouse", context)
        self.buildah("from", *self.policy, "--pull-never", "--name", "provider", "gatehouse")

    def configuration(self):
        """What the image says of itself."""
        return json.loads(self.buildah("inspect", "--type", "image", "gatehouse"))["OCIv1"]["config"]

    def run(self, *words):
        return self.buildah("run", "--isolation", "chroot", "provider", "--", *words)

    def serve(self):
        """Starts the provider as the image says, asks whether it is ready, and stops it with SIGTERM.

        Returns the response and the exit status.
        """
        configuration, port = self.configuration(), free_port()
        words = configuration["Entrypoint"] + configuration["Cmd"]
        listen = [f"GATEHOUSE_LISTEN=127.0.0.1:{port}", f"GATEHOUSE_ISSUER=http://localhost:{port}"]
        log = (self.work / "serve.log").open("w")
        process = subprocess.Popen(
            [*self.command, "run", "--isolation", "chroot", *(word for value in listen for word in ("--env", value)), "provider", "--", *words],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            answer = self.ready(process, port)
            for pid, name in descendants(process.pid).items():
                if name == "gatehouse":
                    subprocess.run(["kill", f"-{signal.SIGTERM.value}", str(pid)], check=False)
            return answer, process.wait(MINUTES)
        finally:
            for pid in [*descendants(process.pid), process.pid] if process.poll() is None else []:
                subprocess.run(["kill", f"-{signal.SIGKILL.value}", str(pid)], check=False)

    def ready(self, process, port):
        deadline = time.monotonic() + MINUTES
        while time.monotonic() < deadline and process.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/health/ready", timeout=5) as response:
                    return json.load(response)
            except (OSError, ValueError):
                time.sleep(0.2)
        raise AssertionError("the image does not serve: " + (self.work / "serve.log").read_text()[-2000:].strip())
