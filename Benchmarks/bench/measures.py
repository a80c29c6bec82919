# SPDX-License-Identifier: Apache-2.0
"""The works of the table. Every round measures all servers one after the other, so that a noisy
minute of the machine is shared by all."""

import contextlib
import pathlib
import sys
import threading
import time
import urllib.parse

from bench import load, probes, seeding
from bench.gatehouse import Gatehouse
from bench.results import Row, describe, median_rate
from bench.target import access_token


def rounds(settings, **works):
    """Runs the named works in turn, `settings.rounds` times. Returns their samples by name."""
    samples = {name: [] for name in works}
    for _ in range(settings.rounds):
        for name, work in works.items():
            samples[name].append(work())
    return samples


def details(samples):
    return {name: describe(s) for name, s in samples.items()}


def documents(settings, ours, theirs, static):
    """Discovery and JWKS. The static file is only shown: it is the ceiling of the load tool."""
    rows = []
    for work in ("discovery", "jwks"):
        samples = rounds(
            settings,
            ours=lambda: load.wrk(settings, "get", getattr(ours.target, work)),
            theirs=lambda: load.wrk(settings, "get", getattr(theirs.target, work)),
            nginx=lambda: load.wrk(settings, "get", static.url))
        rows.append(Row(work, median_rate(samples["ours"]), "/s",
                        [("Glewlwyd", median_rate(samples["theirs"]), 1.1)],
                        detail=details(samples)))
        rows[-1].detail["nginx_static"] = median_rate(samples["nginx"])
    return rows


def client_credentials(settings, ours, theirs, discovery):
    def one(target):
        form = urllib.parse.urlencode(
            {"grant_type": "client_credentials", "scope": target.service_scope})
        return load.wrk(settings, "post", target.token, target.service_authorization, form,
                        '"access_token"')
    samples = rounds(settings, ours=lambda: one(ours.target), theirs=lambda: one(theirs.target))
    return Row("client credentials, ES256", median_rate(samples["ours"]), "/s",
               [("own discovery", discovery, 0.5),
                ("Glewlwyd", median_rate(samples["theirs"]), 12)], detail=details(samples))


def introspection(settings, ours, theirs, discovery):
    def one(target, token):
        form = urllib.parse.urlencode({"token": token})
        return load.wrk(settings, "post", target.introspection, target.service_authorization,
                        form, '"active":true')
    token = access_token(ours.target)
    their_token = access_token(theirs.target)
    samples = rounds(settings, ours=lambda: one(ours.target, token),
                     theirs=lambda: one(theirs.target, their_token))
    return Row("introspection", median_rate(samples["ours"]), "/s",
               [("own discovery", discovery, 0.5),
                ("Glewlwyd", median_rate(samples["theirs"]), 6)], detail=details(samples))


def refresh(settings, ours, name, yardstick, yardstick_rate, folder):
    """Rotation, each answer durable. The yardstick is measured in the same rounds."""
    tokens = pathlib.Path(folder) / "families.txt"

    def one():
        tokens.write_text("\n".join(ours.families(settings.connections + 8)) + "\n")
        return load.wrk(settings, "refresh", ours.target.token, ours.target.web_authorization,
                        tokens, min(settings.threads, settings.connections))
    samples, sticks = [], []
    for _ in range(settings.rounds):
        sticks.append(yardstick_rate())
        samples.append(one())
    stick = sorted(sticks)[len(sticks) // 2]
    return Row(f"refresh with rotation, {name}", median_rate(samples), "/s",
               [(yardstick, stick, 0.5)],
               detail={"ours": describe(samples), yardstick: sticks})


def code_flow(settings, ours, theirs):
    def one(server, cookie):
        target = server.target
        return load.wrk(settings, "code_flow", target.origin,
                        target.authorize_path(server.authorize_extra), cookie,
                        target.token_path(), target.web_authorization, target.exchange_form())
    cookie, their_cookie = ours.session(), theirs.session()
    samples = rounds(settings, ours=lambda: one(ours, cookie),
                     theirs=lambda: one(theirs, their_cookie))
    return Row("code + PKCE, whole flow", median_rate(samples["ours"]), "flows/s",
               [("Glewlwyd", median_rate(samples["theirs"]), 5)], detail=details(samples))


def passwords(settings, ours, theirs, discovery, argon2, folder):
    """Sign-in alone against raw Argon2id; then discovery while sign-ins go on."""
    url, *arguments = ours.password_load()
    their_url, *their_arguments = theirs.password_load()
    sticks = []

    def stick():
        sticks.append(probes.argon2_rate(folder, max(2, settings.seconds // 2), *argon2))
        return load.Sample(sticks[-1], 0, 0, 0)
    samples = rounds(
        settings, argon2id=stick,
        ours=lambda: load.wrk(settings, "password", url, *arguments),
        theirs=lambda: load.wrk(settings, "password", their_url, *their_arguments))
    row = Row("password sign-in", median_rate(samples["ours"]), "/s",
              [("raw Argon2id", median_rate(samples["argon2id"]), 0.9)], detail=details(samples))
    row.detail["glewlwyd"] = median_rate(samples["theirs"])
    beside = []
    for _ in range(settings.rounds):
        with background(lambda: load.wrk(settings, "password", url, *arguments, connections=8,
                                         seconds=settings.seconds + 2)):
            time.sleep(1)
            beside.append(load.wrk(settings, "get", ours.target.discovery))
    return [row, Row("discovery during sign-ins", median_rate(beside), "/s",
                     [("own discovery", discovery, 0.7)], detail={"ours": describe(beside)})]


@contextlib.contextmanager
def background(work):
    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def start_and_memory(settings, binary, folder, mixed_seconds):
    """A server of its own: ready after start, memory idle and after mixed load."""
    server = Gatehouse(binary, pathlib.Path(folder) / "memory")
    ready = server.restart_seconds()
    time.sleep(2)
    idle = server.process.resident_mb()
    with watched(server.process, max(1, mixed_seconds // 60)) as samples:
        mixed_load(settings, server, mixed_seconds, folder)
    time.sleep(1)
    after = server.process.resident_mb()
    before_cpu = server.process.cpu_seconds()
    time.sleep(5)
    idle_cpu = server.process.cpu_seconds() - before_cpu
    server.stop()
    return [Row("ready after start, existing database", ready, "s", [("the bar", 0.3, 1)], True),
            Row("memory idle", idle, "MB", [("the bar", 60, 1)], True),
            Row(f"memory after {mixed_seconds} s of mixed load", after, "MB",
                [("the bar", 80, 1)], True, {"resident_mb": samples}),
            Row("CPU of an idle process, in 5 s", idle_cpu, "s", [("the bar", 0.02, 1)], True)]


@contextlib.contextmanager
def watched(process, interval):
    """Resident memory every `interval` seconds, also on standard error: growth is seen early."""
    samples, over = [], threading.Event()

    def watch():
        while not over.wait(interval):
            samples.append(round(process.resident_mb(), 1))
            print(f"{len(samples) * interval} s: {samples[-1]} MB", file=sys.stderr, flush=True)
    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield samples
    finally:
        over.set()
        thread.join()


def mixed_load(settings, server, seconds, folder):
    target = server.target
    form = "grant_type=client_credentials&scope=api"
    token = access_token(target)
    tokens = pathlib.Path(folder) / "mixed-families.txt"
    tokens.write_text("\n".join(server.families(24)) + "\n")
    url, *password = server.password_load()
    cookie = server.session()
    works = [
        lambda: load.wrk(settings, "get", target.discovery, seconds=seconds, connections=4),
        lambda: load.wrk(settings, "post", target.token, target.service_authorization, form,
                         '"access_token"', seconds=seconds, connections=8),
        lambda: load.wrk(settings, "post", target.introspection, target.service_authorization,
                         "token=" + token, '"active":true', seconds=seconds, connections=8),
        lambda: load.wrk(settings, "refresh", target.token, target.web_authorization, tokens, 2,
                         seconds=seconds, connections=8),
        lambda: load.wrk(settings, "code_flow", target.origin, target.authorize_path(), cookie,
                         target.token_path(), target.web_authorization, target.exchange_form(),
                         seconds=seconds, connections=8),
        lambda: load.wrk(settings, "password", url, *password, seconds=seconds, connections=2)]
    with contextlib.ExitStack() as stack:
        for work in works:
            stack.enter_context(background(work))


def crowd(settings, binary, folder, projects, people):
    """One client-credentials request among many tenants and people, against few."""
    def server(name, projects, people):
        made = Gatehouse(binary, pathlib.Path(folder) / name)
        made.stop()
        database = next(made.data.glob("*.sqlite*"), None) or next(made.data.glob("*.db"))
        seeding.seed(database, projects, people)
        made.start()
        return made
    few, many = server("few", 1, 10), server("many", projects, people)
    form = "grant_type=client_credentials&scope=api"
    cpu = {"few": [], "many": []}

    def one(name, server):
        before = server.process.cpu_seconds()
        sample = load.wrk(settings, "post", server.target.token,
                          server.target.service_authorization, form, '"access_token"')
        used = server.process.cpu_seconds() - before
        cpu[name].append(1e6 * used / max(1, sample.rate * settings.seconds))
        return sample
    samples = rounds(settings, few=lambda: one("few", few), many=lambda: one("many", many))
    few.stop()
    many.stop()
    median = lambda values: sorted(values)[len(values) // 2]
    detail = details(samples) | {"cpu_us": cpu}
    return Row(f"cost with {projects:,} projects, {people:,} people", median(cpu["many"]),
               "µs CPU", [("1 and 10", median(cpu["few"]), 1.1)], True, detail)
