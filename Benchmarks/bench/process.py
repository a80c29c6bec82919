# SPDX-License-Identifier: Apache-2.0
"""Start servers, wait until they answer, read their memory, stop them."""

import os
import pathlib
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Process:
    """A child with its log in a file. `ready` polls a URL until it answers, errors included."""

    def __init__(self, arguments, log, cwd=None, env=None, user=None):
        self.log = pathlib.Path(log)
        self.started = time.perf_counter()
        self.child = subprocess.Popen(
            [str(a) for a in arguments], cwd=cwd, env=env, user=user, stdin=subprocess.DEVNULL,
            stdout=self.log.open("ab"), stderr=subprocess.STDOUT)

    @property
    def pid(self):
        return self.child.pid

    def ready(self, url, seconds=30.0, only_200=False):
        """Seconds from exec to the first answer."""
        while True:
            try:
                urllib.request.urlopen(url, timeout=1).read()
                return time.perf_counter() - self.started
            except urllib.error.HTTPError:
                if not only_200:
                    return time.perf_counter() - self.started
            except OSError:
                pass
            if self.child.poll() is not None or time.perf_counter() - self.started > seconds:
                tail = self.log.read_text(errors="replace")[-2000:]
                raise RuntimeError(f"{url} never answered; the log ends with:\n{tail}")
            time.sleep(0.002)

    def resident_mb(self):
        for line in open(f"/proc/{self.pid}/status"):
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        raise RuntimeError(f"process {self.pid} has no VmRSS")

    def cpu_seconds(self):
        fields = open(f"/proc/{self.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def tree_cpu_seconds(self):
        """Of the process and of its children, each with one thread, to the microsecond."""
        children = pathlib.Path("/proc").glob("[0-9]*/stat")
        return sum(map(thread_seconds, [self.pid, *(
            int(stat.parent.name) for stat in children if parent(stat) == self.pid)]))

    def stop(self, sig=signal.SIGTERM):
        if self.child.poll() is None:
            self.child.send_signal(sig)
            try:
                self.child.wait(15)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait()


def parent(stat):
    try:
        return int(stat.read_text().rsplit(")", 1)[1].split()[1])
    except OSError:  # It has ended.
        return None


def thread_seconds(pid):
    try:
        return int(pathlib.Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    except OSError:
        return 0
