# SPDX-License-Identifier: Apache-2.0
"""What the agent costs a device on which nothing happens: it has registered at a provider with the token of its profile,
and waits."""

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


# The work after the registration ends, and unused threads end after five seconds.
SETTLED = 15
MEASURED = 10


def rows(binary, folder):
    """`gatehouse-agent` is alongside `binary`."""
    folder = pathlib.Path(folder) / "agent"
    server = Gatehouse(binary, folder / "provider")
    agent = None
    try:
        server.apply(STATE)
        agent = registered(binary, folder, server)
        time.sleep(SETTLED)
        (woken, preempted), before = context_switches(agent.pid), agent.cpu_seconds()
        time.sleep(MEASURED)
        after = context_switches(agent.pid)
        cpu = agent.cpu_seconds() - before
        threads = {"threads": len(os.listdir(f"/proc/{agent.pid}/task"))}
        return [
            Row("agent: memory idle (VmRSS)", agent.resident_mb(), "MB", [("the bar", 30, 1)], True,
                {"anonymous_mb": anonymous_mb(agent.pid), **threads}),
            Row("agent: memory of its own idle (RssAnon)", anonymous_mb(agent.pid), "MB", [], True),
            Row(f"agent: context switches in {MEASURED} s idle", after[0] - woken, "",
                [("the bar", 0, 1)], True, {"involuntary": after[1] - preempted}),
            Row(f"agent: CPU in {MEASURED} s idle", cpu, "s", [("none", 0, 1)], True)]
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
        [pathlib.Path(binary).with_name("gatehouse-agent"), "run", "--keys", "file",
         "--state-dir", folder / "state", "--profiles", folder / "profiles", "--socket", socket],
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


def context_switches(pid):
    """How often its threads waited and were woken, and how often another process took their place."""
    counts = {"voluntary_ctxt_switches": 0, "nonvoluntary_ctxt_switches": 0}
    for thread in os.listdir(f"/proc/{pid}/task"):
        for line in open(f"/proc/{pid}/task/{thread}/status"):
            name, _, value = line.partition(":")
            if name in counts:
                counts[name] += int(value)
    return tuple(counts.values())
