# SPDX-License-Identifier: Apache-2.0
"""The console among 100,000 people, each with a machine, an event and groups: pages of lists, drawn
for an administrator who is signed in.

What is measured is a request over a connection that stays open, from its first byte to the answer's
last, one after the other: server time, and a little of the client's. The last page is held against
the first one as well, for a list that gets slower towards its end is one that counts rows."""

import functools
import http.client
import json
import pathlib
import re
import statistics
import subprocess
import time
import urllib.parse
import urllib.request

from bench import gatehouse, seeding
from bench.results import Row

PROJECT = "/console/projects/default"
LIST = PROJECT + "/people"
SET = PROJECT + "/entitlement-sets/gold/people"
# Of lists beside the people: the console's address, and the Admin API's.
LISTS = {
    "devices": (PROJECT + "/devices", "/projects/default/devices"),
    "audit": (PROJECT + "/audit", "/audit?project=default"),
    "groups": (PROJECT + "/groups", "/projects/default/groups"),
    "members of a group": (PROJECT + "/groups/everybody",
                           "/projects/default/groups/everybody/members"),
}


def rows(settings, binary, folder, people):
    server = gatehouse.Gatehouse(binary, pathlib.Path(folder) / "console")
    server.stop()
    database = next(server.data.glob("*.sqlite*"), None) or next(server.data.glob("*.db"))
    seeding.people_of_default(database, people)
    seeding.long_lists_of_default(database, people)
    server.start()
    try:
        subprocess.run([binary, "admin", "console", "grant", "--username", "user1", "--role",
                        "owner", "--data-dir", server.data], check=True, capture_output=True)
        return measure(settings, server, people)
    finally:
        server.stop()


def measure(settings, server, people):
    pages = Pages(server)
    people_page = LIST + ("/person-50000" if people > 50_000 else "/person-1")
    works = {"first": LIST, "search": LIST + "?search=person-9", "one person": people_page,
             "devices by serial number": LISTS["devices"][0] + "?search=c0200009"}
    works = {name: functools.partial(pages.get, path) for name, path in works.items()}
    lasts = {"last": pages.last(LIST, "/projects/default/people")}
    for name, (address, api) in LISTS.items():
        works[f"{name}, first"] = functools.partial(pages.get, address)
        lasts[f"{name}, last"] = pages.last(address, api)
    works |= {name: functools.partial(pages.get, path) for name, path in lasts.items()}
    works["entitlement people, first"] = functools.partial(pages.preview, "")
    works["entitlement people, last"] = functools.partial(pages.preview, pages.last_preview())
    samples = {name: [] for name in works}
    for _ in range(settings.rounds):
        for name, work in works.items():
            samples[name] += times(work, settings.seconds)
    median = {name: statistics.median(found) for name, found in samples.items()}
    detail = {name: {"p50_ms": median[name], "p99_ms": quantile(found, 0.99), "count": len(found)}
              for name, found in samples.items()}
    bar = ("30 ms", 30, 1)
    found = [Row(f"console, first page of {people:,} people", median["first"], "ms", [bar],
                 below=True, detail=detail)]
    found.append(Row("console, last page", median["last"], "ms",
                     [bar, ("own first page", median["first"], 1.25)], below=True))
    found += [Row(f"console, {name}", median[name], "ms", [bar], below=True)
              for name in ("search", "one person", "devices by serial number")]
    for name in [*LISTS, "entitlement people"]:
        first = median[f"{name}, first"]
        found.append(Row(f"console, {name}, first page", first, "ms", [bar], below=True))
        found.append(Row(f"console, {name}, last page", median[f"{name}, last"], "ms",
                         [bar, ("own first page", first, 1.25)], below=True))
    return found


def times(work, seconds):
    found, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(found) < 20:
        before = time.perf_counter()
        work()
        found.append(1000 * (time.perf_counter() - before))
    return found


def quantile(times, share):
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


class Pages:
    def __init__(self, server):
        self.server = server
        self.cookie = server.session()
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port)
        self.form_token = None

    def get(self, path):
        return self.ask("GET", path)

    def ask(self, method, path, form=None):
        headers = {"Host": f"localhost:{self.server.port}", "Cookie": self.cookie}
        body = None
        if form is not None:
            body = urllib.parse.urlencode(form)
            headers |= {"Content-Type": "application/x-www-form-urlencoded",
                        "Sec-Fetch-Site": "same-origin"}
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status}")
        return text

    def preview(self, cursor):
        """Whom giving a set to everybody would change: a batch of 200 from there on."""
        if self.form_token is None:
            page = self.get(SET)
            self.form_token = re.search(r'name="form_token" value="([^"]+)"', page).group(1)
        return self.ask("POST", SET + "/preview", {
            "form_token": self.form_token, "way": "give", "cursor": cursor})

    def last(self, address, api):
        """The page that leads no further: near the end by the Admin API, whose cursors the console
        uses, then by the console's own links."""
        cursor, before = None, None
        while True:
            query = ("&" if "?" in api else "?") + "limit=200"
            query += f"&cursor={cursor}" if cursor else ""
            following = self.administer(api + query).get("next")
            if following is None:
                break
            cursor, before = following, cursor
        near = before or cursor
        path = f"{address}?cursor={near}" if near else address
        while (link := re.search(r'href="([^"]+)" rel="next"', self.get(path))) is not None:
            path = link.group(1).replace("&amp;", "&").replace("&#x3D;", "=")
        return path

    def last_preview(self):
        """The cursor of the last batch."""
        cursor = ""
        while True:
            asked = {"filter": {}, "dry_run": True} | ({"cursor": cursor} if cursor else {})
            answer = self.administer("/projects/default/entitlement-sets/gold/give", asked)
            if answer.get("next") is None:
                return cursor
            cursor = answer["next"]

    def administer(self, path, body=None):
        token = (self.server.data / "admin.token").read_text().strip()
        request = urllib.request.Request(
            f"{self.server.origin}/admin/v1{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"})
        return json.load(urllib.request.urlopen(request))
