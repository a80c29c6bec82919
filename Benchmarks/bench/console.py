# SPDX-License-Identifier: Apache-2.0
"""The console among 100,000 people: a page of the list, drawn for an administrator who is signed in.

What is measured is a request over a connection that stays open, from its first byte to the answer's
last, one after the other: server time, and a little of the client's. The last page is held against
the first one as well, for a list that gets slower towards its end is one that counts rows."""

import http.client
import json
import pathlib
import re
import statistics
import subprocess
import time
import urllib.request

from bench import gatehouse, seeding
from bench.results import Row

LIST = "/console/projects/default/people"


def rows(settings, binary, folder, people):
    server = gatehouse.Gatehouse(binary, pathlib.Path(folder) / "console")
    server.stop()
    database = next(server.data.glob("*.sqlite*"), None) or next(server.data.glob("*.db"))
    seeding.people_of_default(database, people)
    server.start()
    try:
        subprocess.run([binary, "admin", "console", "grant", "--username", "user1", "--role",
                        "owner", "--data-dir", server.data], check=True, capture_output=True)
        return measure(settings, server, people)
    finally:
        server.stop()


def measure(settings, server, people):
    pages = Pages(server)
    last = pages.last()
    places = {"first": LIST, "last": last, "search": LIST + "?search=person-9",
              "one person": LIST + "/person-50000" if people > 50_000 else LIST + "/person-1"}
    samples = {name: [] for name in places}
    for _ in range(settings.rounds):
        for name, path in places.items():
            samples[name] += pages.times(path, settings.seconds)
    median = {name: statistics.median(times) for name, times in samples.items()}
    detail = {name: {"p50_ms": median[name], "p99_ms": quantile(times, 0.99), "count": len(times)}
              for name, times in samples.items()}
    bar = ("30 ms", 30, 1)
    found = [Row(f"console, first page of {people:,} people", median["first"], "ms", [bar],
                 below=True, detail=detail)]
    found.append(Row("console, last page", median["last"], "ms",
                     [bar, ("own first page", median["first"], 1.25)], below=True))
    found += [Row(f"console, {name}", median[name], "ms", [bar], below=True)
              for name in ("search", "one person")]
    return found


def quantile(times, share):
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


class Pages:
    def __init__(self, server):
        self.server = server
        self.cookie = server.session()
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port)

    def get(self, path):
        self.connection.request("GET", path, headers={
            "Host": f"localhost:{self.server.port}", "Cookie": self.cookie})
        answer = self.connection.getresponse()
        body = answer.read().decode()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status}")
        return body

    def times(self, path, seconds):
        times, end = [], time.perf_counter() + seconds
        while time.perf_counter() < end or len(times) < 20:
            before = time.perf_counter()
            self.get(path)
            times.append(1000 * (time.perf_counter() - before))
        return times

    def last(self):
        """The page that leads no further: near the end by the Admin API, whose cursors the console
        uses, then by the console's own links."""
        token = (self.server.data / "admin.token").read_text().strip()
        cursor, before = None, None
        while True:
            query = "?limit=200" + (f"&cursor={cursor}" if cursor else "")
            request = urllib.request.Request(
                f"{self.server.origin}/admin/v1/projects/default/people{query}",
                headers={"Authorization": f"Bearer {token}"})
            following = json.load(urllib.request.urlopen(request)).get("next")
            if following is None:
                break
            cursor, before = following, cursor
        path = f"{LIST}?cursor={before or cursor}"
        while (link := re.search(r'href="([^"]+)" rel="next"', self.get(path))) is not None:
            path = link.group(1).replace("&amp;", "&").replace("&#x3D;", "=")
        return path
