# SPDX-License-Identifier: Apache-2.0
"""One and two provider processes on one PostgreSQL: client credentials, on cores that are assigned.

PostgreSQL and wrk run on one core, the providers on the other. A machine of two cores cannot give
two providers a core each beside that, so the ratio for it is a model, from the CPU time that
a request costs in each program. Two checks of the model are measured."""

import concurrent.futures
import dataclasses
import os
import resource
import statistics
import time

from bench import load
from bench.gatehouse import Gatehouse
from bench.postgresql import PostgreSQL
from bench.process import Process, free_port
from bench.results import Row

PROVIDERS, REST = 0, 1
BAR = 1.6
# The cores of the processes of each case.
CASES = {"one on core 0": [PROVIDERS], "two on core 0": [PROVIDERS, PROVIDERS],
         "one on core 0, one on core 1": [PROVIDERS, REST]}
ONE, TWO, SPREAD = CASES


@dataclasses.dataclass
class Cost:
    """Of one round: requests a second, and microseconds of CPU for each request."""
    rate: float
    provider: float
    postgresql: float
    wrk: float
    """Share of the time in which the providers used one core."""
    busy: float
    wrong: int


class Cluster:
    def __init__(self, binary, folder):
        self.binary, self.folder, self.key = binary, folder, folder / "master.key"
        self.postgresql = PostgreSQL(folder / "pg")
        self.first = Gatehouse(binary, folder / "first", database=self.postgresql.url,
                               options=["--master-key-file", self.key])
        self.first.stop()
        self.ports = [self.first.port, free_port()]

    def start(self, cores):
        started = [Process(
            ["taskset", "-c", core, self.binary, "serve", "--data-dir", self.folder / f"data{n}",
             "--listen", f"127.0.0.1:{port}", "--issuer", self.first.origin,
             "--master-key-file", self.key, "--database", self.postgresql.url],
            self.folder / f"serve{n}.log")
            for n, (core, port) in enumerate(zip(cores, self.ports))]
        for process, port in zip(started, self.ports):
            process.ready(f"http://127.0.0.1:{port}/health/ready", only_200=True)
        return started

    def round(self, settings, cores):
        started = self.start(cores)
        try:
            self.load(settings, len(cores), seconds=1)
            return self.cost(settings, started)
        finally:
            for process in started:
                process.stop()

    def cost(self, settings, started):
        before, began = self.cpu(started), time.perf_counter()
        samples = self.load(settings, len(started), settings.seconds)
        elapsed = time.perf_counter() - began
        used = [after - was for after, was in zip(self.cpu(started), before)]
        rate = sum(sample.rate for sample in samples)
        requests = rate * settings.seconds
        return Cost(rate, *(1e6 * seconds / requests for seconds in used), used[0] / elapsed,
                    sum(sample.wrong for sample in samples))

    def cpu(self, started):
        of_wrk = resource.getrusage(resource.RUSAGE_CHILDREN)
        return [sum(process.cpu_seconds() for process in started),
                self.postgresql.process.tree_cpu_seconds(), of_wrk.ru_utime + of_wrk.ru_stime]

    def load(self, settings, processes, seconds):
        """Each process gets the same share of the connections, from a wrk of its own."""
        form = "grant_type=client_credentials&scope=api"
        target = self.first.target

        def one(port):
            url = target.token.replace(f":{self.first.port}/", f":{port}/")
            return load.wrk(settings, "post", url, target.service_authorization, form,
                            '"access_token"', seconds=seconds,
                            connections=settings.connections // processes)
        with concurrent.futures.ThreadPoolExecutor(processes) as pool:
            return list(pool.map(one, self.ports[:processes]))

    def stop(self):
        self.postgresql.stop()


def measure(settings, binary, folder):
    """The median cost of each case, measured in turns."""
    # PostgreSQL and wrk inherit it; the providers get theirs by taskset.
    os.sched_setaffinity(0, {REST})
    cluster = Cluster(binary, folder)
    found = {name: [] for name in CASES}
    try:
        for _ in range(settings.rounds):
            for name, cores in CASES.items():
                found[name].append(cluster.round(settings, cores))
    finally:
        cluster.stop()
    fields = [field.name for field in dataclasses.fields(Cost)]
    return {name: Cost(*(statistics.median(getattr(cost, field) for cost in costs)
                         for field in fields)) for name, costs in found.items()}


def modelled(processes, cost):
    """The rate of so many processes, each on a core of its own, as PostgreSQL and the load."""
    return min(processes * 1e6 / cost.provider, 1e6 / max(cost.postgresql, 1e-3))


def ratio(processes, costs):
    """To one process. A ratio above the number of processes is a disturbance of one case."""
    cost = costs[TWO] if processes > 1 else costs[ONE]
    return min(processes, modelled(processes, cost) / modelled(1, costs[ONE]))


def rows(costs):
    one, two, spread = costs[ONE], costs[TWO], costs[SPREAD]
    detail = {name: dataclasses.asdict(cost) for name, cost in costs.items()}
    shared = 2e6 / (spread.provider + spread.postgresql + spread.wrk)
    return [
        Row("client credentials, one process on core 0", one.rate, "/s",
            [("its model", modelled(1, one), 0.9)], detail=detail),
        Row("client credentials, two processes on core 0", two.rate, "/s",
            [("one process on it", one.rate, 0.9)]),
        Row("client credentials, a process on either core", spread.rate, "/s",
            [("model, both cores full", shared, 0.9)]),
        Row("two processes on cores of their own, by the model", ratio(2, costs), "× one",
            [("the bar", BAR, 1)])]


def explain(costs):
    """The measurements and the model, as text."""
    lines = ["measured, µs of CPU for each request:", ""]
    for name, cost in costs.items():
        lines.append(
            f"  {name}: {cost.rate:,.0f}/s; provider {cost.provider:.1f}, PostgreSQL "
            f"{cost.postgresql:.3f}, wrk {cost.wrk:.1f}; providers used {cost.busy:.2f} cores; "
            f"{cost.wrong} wrong answers")
    one, spread = costs[ONE], costs[SPREAD]
    total = one.provider + one.postgresql + one.wrk
    lines += [
        "", "model: N processes on cores of their own, PostgreSQL on C cores, load on others:",
        "  rate = min(N / g, C / p); g is the provider's CPU for a request, p PostgreSQL's", ""]
    for processes in (1, 2, 4, 8, 16):
        rate = ratio(processes, costs) * modelled(1, one)
        lines.append(f"  N = {processes}, C = 1: {rate:,.0f}/s, "
                     f"{ratio(processes, costs):.2f} × one")
    return "\n".join(lines + [
        "", "measured on two cores: a process on either core, beside PostgreSQL and wrk on core 1:",
        f"  {spread.rate / one.rate:.2f} × one process on core 0",
        f"  the most that two cores allow: 2 × {one.provider:.1f} / {total:.1f} = "
        f"{2 * one.provider / total:.2f} ×"])
