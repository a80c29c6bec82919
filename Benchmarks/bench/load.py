# SPDX-License-Identifier: Apache-2.0
"""wrk with the scripts in ../wrk: the same threads, connections and seconds for everyone."""

import dataclasses
import json
import pathlib
import subprocess

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent / "wrk"


@dataclasses.dataclass
class Settings:
    seconds: int = 10
    rounds: int = 3
    threads: int = 2
    connections: int = 32


@dataclasses.dataclass
class Sample:
    """One round. `rate` counts right answers a second (whole flows for a flow script)."""
    rate: float
    p50_us: int
    p99_us: int
    wrong: int
    note: str = ""


def wrk(settings, script, url, *arguments, seconds=None, connections=None):
    connections = connections or settings.connections
    threads = min(settings.threads, connections)
    command = ["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds or settings.seconds}s",
               "--timeout", "10s", "-s", f"{script}.lua", url, "--", *map(str, arguments)]
    run = subprocess.run(command, cwd=SCRIPTS, capture_output=True, text=True, check=True)
    report, note = None, ""
    for line in run.stdout.splitlines():
        if line.startswith("REPORT "):
            report = json.loads(line[7:])
        if line.startswith("SAMPLE "):
            note = line[7:]
    if report is None:
        raise RuntimeError(f"wrk said nothing: {run.stdout}\n{run.stderr}")
    return Sample(report["good"] / report["seconds"], report["p50_us"], report["p99_us"],
                  report["refused"] + report["socket_errors"], note)
