# SPDX-License-Identifier: Apache-2.0
"""What the agent costs a machine on which nothing happens: one that has registered at a provider with the
profile's token, and waits."""

import json
import os
import pathlib
import subprocess
import time

from bench.gatehouse import Gatehouse
from bench.process import Process
from bench.results import Row

STATE = {"projects": [{"name": "default", "environment": "development",
                       "platform_sso": {"enabled": True, "allowed_methods": ["password"]}}]}


def rows(binary, folder):
    folder = pathlib.Path(folder) / "agent"
    server = Gatehouse(binary, folder / "provider")
    agent = None
    try:
        server.apply(STATE)
        agent = registered(binary, folder, server)
        # It rests by then: a program of its own, in the same process.
        time.sleep(5)
        wakes, before = wake_ups(agent.pid), agent.cpu_seconds()
        time.sleep(10)
        cpu = agent.cpu_seconds() - before
        return [
            Row("agent: memory idle", agent.resident_mb(), "MB", [("the bar", 25, 1)], True,
                {"anonymous_mb": anonymous_mb(agent.pid)}),
            Row("agent: CPU in 10 s idle", cpu, "s", [("none", 0, 1)], True,
                {"wake_ups": wake_ups(agent.pid) - wakes})]
    finally:
        if agent:
            agent.stop()
        server.stop()


def registered(binary, folder, server):
    """An agent whose machine is registered: by a token in a profile that Gatehouse wrote."""
    made = run(binary, "admin", "registration-tokens", "create", "--uses", "1", "--json",
               "--data-dir", server.data)
    (folder / "token").write_text(json.loads(made)["token"])
    (folder / "profiles").mkdir()
    run(binary, "platform-sso", "profile", "--issuer", server.origin, "--team", "ABCDE12345",
        "--extension", "com.example.sso", "--registration-token-file", folder / "token",
        "--output", folder / "profiles" / "sso.mobileconfig")
    socket = folder / "agent.sock"
    agent = Process(
        [binary, "agent", "run", "--keys", "file", "--state-dir", folder / "state",
         "--profiles", folder / "profiles", "--socket", socket, "--rest-after", "1"],
        folder / "agent.log")
    limit = time.monotonic() + 60
    while time.monotonic() < limit:
        asked = subprocess.run([binary, "status", "--json", "--socket", socket],
                               capture_output=True, text=True)
        devices = json.loads(asked.stdout)["devices"] if asked.returncode == 0 else []
        if any(device["phase"] == "registered" for device in devices):
            return agent
        time.sleep(0.2)
    agent.stop()
    raise RuntimeError("the agent did not register:\n" + agent.log.read_text()[-2000:])


def run(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True,
                          text=True).stdout


def anonymous_mb(pid):
    """What is in memory of this process alone."""
    for line in open(f"/proc/{pid}/status"):
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) / 1024
    return None


def wake_ups(pid):
    """How often its threads were woken; Dispatch looks at its own once a second."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        for line in open(f"/proc/{pid}/task/{thread}/status"):
            if line.startswith("voluntary_ctxt_switches:"):
                total += int(line.split()[1])
    return total
