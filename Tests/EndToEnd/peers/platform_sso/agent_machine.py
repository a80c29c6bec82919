# SPDX-License-Identifier: Apache-2.0
"""A Linux machine with the agent on it, as a test outside of everything starts and kills it: folders, processes,
and a person at a terminal."""

import fcntl
import json
import os
import pathlib
import pty
import select
import signal
import struct
import subprocess
import termios
import time

PATIENCE = 40


def eventually(what, look, patience=PATIENCE):
    end = time.monotonic() + patience
    while True:
        found = look()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError("not in time: " + (what() if callable(what) else what))
        time.sleep(0.05)


class Terminal:
    """A person at a terminal who answers what is asked."""

    def __init__(self, words, environment):
        self.seen = b""
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.execve(words[0], words, {**os.environ, "LC_ALL": "C.UTF-8", **environment})
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 90, 0, 0))
        self.status = None

    def look(self):
        if select.select([self.descriptor], [], [], 0)[0]:
            try:
                self.seen += os.read(self.descriptor, 65_536)
            except OSError:
                return False
        return True

    def shows(self, text):
        """What came after the text that was waited for last."""
        eventually(lambda: f"{text} in {self.seen.decode(errors='replace')!r}",
                   lambda: self.look() is not None and text.encode() in self.seen)
        self.seen = self.seen.split(text.encode(), 1)[1]

    def answer(self, *pairs):
        for question, answer in pairs:
            self.shows(question)
            os.write(self.descriptor, answer.encode() + b"\r")

    def talk(self, answers, end):
        """Answers whatever is asked, until the end is shown."""
        def look():
            self.look()
            seen = self.seen.decode(errors="replace")
            found = [(seen.index(text), text) for text in [*answers, end] if text in seen]
            if not found:
                return None
            _, text = min(found)
            self.seen = self.seen.split(text.encode(), 1)[1]
            return text
        while True:
            text = eventually(lambda: f"{end} in {self.seen.decode(errors='replace')!r}", look)
            if text == end:
                return
            os.write(self.descriptor, answers[text].encode() + b"\r")

    def ended(self):
        """Its exit status and all that it still said."""
        def over():
            self.look()
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
            return pid
        eventually(lambda: f"an end of {self.seen!r}", over)
        while select.select([self.descriptor], [], [], 0.1)[0] and self.look():
            pass
        os.close(self.descriptor)
        return self.status, self.seen.decode(errors="replace")


class AgentMachine:
    def __init__(self, gatehouse, folder, arguments=()):
        self.gatehouse, self.folder = gatehouse, pathlib.Path(folder)
        (self.folder / "profiles").mkdir(parents=True)
        self.socket = str(self.folder / "agent.sock")
        self.arguments = list(arguments) or ["--keys", "file"]
        self.process = None

    def install(self, text):
        draft = self.folder / "draft"
        draft.write_text(text)
        draft.chmod(0o600)
        draft.rename(self.folder / "profiles" / "sso.mobileconfig")

    def start(self):
        with open(self.folder / "agent.log", "ab") as log:
            self.process = subprocess.Popen(
                [self.gatehouse, "agent", "run", "--state-dir", str(self.folder / "state"),
                 "--profiles", str(self.folder / "profiles"), "--socket", self.socket,
                 *self.arguments], stdout=subprocess.DEVNULL, stderr=log)
        eventually("the agent answers", lambda: self.ask("status").returncode == 0)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait()

    def begin(self, *words, text=""):
        """A command that asks the agent, to be waited for."""
        child = subprocess.Popen(
            [self.gatehouse, *words, "--socket", self.socket], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        child.stdin.write(text)
        child.stdin.close()
        child.stdin = None
        return child

    def ask(self, *words, text=""):
        return subprocess.run([self.gatehouse, *words, "--socket", self.socket], input=text,
                              capture_output=True, text=True)

    def terminal(self, *words, **environment):
        return Terminal([self.gatehouse, *words, "--socket", self.socket], environment)

    def status(self):
        answer = self.ask("status", "--json")
        return json.loads(answer.stdout) if answer.returncode == 0 else {}

    @property
    def device(self):
        return next(iter(self.status().get("devices") or []), {})

    @property
    def person(self):
        return next(iter(self.status().get("people") or []), {})

    def registered(self, **more):
        """Waits until the machine is registered, with whatever else is to be true of it."""
        def look():
            device = self.device
            return device if device.get("phase") == "registered" and all(
                device.get(name) == value for name, value in more.items()) else None
        return eventually(lambda: f"registered {more}: {self.status()}", look)
