# SPDX-License-Identifier: Apache-2.0
"""Look-ups of requests and console pages among many rows and among a thousandth of them, on
PostgreSQL: the time of the request, the time and the pages that PostgreSQL used for it, its plans.

Two databases of one PostgreSQL, a provider on each. Each look-up is requested of both in turns,
each time for another row, over a connection that stays open."""

import dataclasses
import http.client
import json
import random
import re
import statistics
import subprocess
import time
import urllib.parse

from bench import crowd, gatehouse
from bench.postgresql import PostgreSQL
from bench.results import Row, number
from bench.target import post
from bench.walker import Walker

BAR = 1.2
# Of a person with ten events, their indexes included, as measured with a million people.
BYTES_EACH = 8_500
SETTINGS = {
    "shared_preload_libraries": "pg_stat_statements,auto_explain", "shared_buffers": "2GB",
    "maintenance_work_mem": "1GB", "max_wal_size": "2GB", "wal_level": "minimal",
    "max_wal_senders": 0, "fsync": "off", "autovacuum": "off", "log_line_prefix": "%d|",
    "auto_explain__log_analyze": "on", "auto_explain__log_buffers": "on"}
LARGE_TABLES = re.compile(r"Seq Scan on (%s)\b" % "|".join(crowd.TABLES))


def that_fit(gigabytes):
    """A person has ten events, and there is a thousandth of all beside."""
    return max(1000, int(gigabytes * 1e9 / BYTES_EACH) // 1000 * 1000)


def thousandth(people):
    """At least as many as fill a page of each list."""
    return max(1000, people // 1000)


class Site:
    """A provider among so many people."""

    def __init__(self, binary, folder, postgresql, name, people):
        self.name, self.people, self.random = name, people, random.Random(18)
        postgresql.sql(f"CREATE DATABASE {name}", database="postgres")
        url = postgresql.url.rsplit("/", 1)[0] + "/" + name
        self.server = gatehouse.Gatehouse(binary, folder / name, database=url)
        self.server.stop()
        crowd.fill(postgresql, name, people)
        self.server.start()
        subprocess.run([binary, "admin", "console", "grant", "--username", "user1", "--role",
                        "owner", "--data-dir", self.server.data], check=True, capture_output=True)
        token = (self.server.data / "admin.token").read_text().strip()
        self.bearer = {"Authorization": f"Bearer {token}"}
        self.cookie = {"Cookie": self.server.session()}
        self.connection = http.client.HTTPConnection("127.0.0.1", self.server.port)
        self.tokens = self.server.families(20)
        at = lambda path: self.admin(path)["next"]
        self.person_cursor = at("/projects/default/people?search=p8&limit=1")
        person = self.admin(f"/projects/default/people/{crowd.username(people // 2)}")["sub"]
        self.event_cursor = at(f"/audit?person={person}&limit=1")

    def get(self, path, headers):
        host = {"Host": f"localhost:{self.server.port}"}
        self.connection.request("GET", path, headers=host | headers)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status} {text[:200]}")
        return text

    def admin(self, path):
        return json.loads(self.get("/admin/v1" + path, self.bearer))

    def console(self, path):
        return self.get("/console/projects/default" + path, self.cookie)

    def number(self):
        return self.random.randint(1, self.people)

    def event(self, ending):
        """The number of an event that ends so, in thousandths."""
        last = self.people * crowd.EVENTS_EACH // 1000 - 1
        return 1000 * self.random.randint(0, last) + ending

    def refresh(self):
        """Rotates one of the tokens, in turns."""
        token = self.tokens.pop(0)
        answer = post(self.server.target.token, self.server.target.web_authorization,
                      grant_type="refresh_token", refresh_token=token)
        self.tokens.append(answer["refresh_token"])

    def client_credentials(self):
        post(self.server.target.token, self.server.target.service_authorization,
             grant_type="client_credentials", scope="api")

    def sign_in(self, name):
        cookies = Walker(self.server.origin).sign_in(name, gatehouse.PASSWORD)
        if "session" not in cookies.lower():
            raise RuntimeError(f"{name} is not signed in: {cookies}")


def works():
    """The look-ups by name."""
    people, audit = "/projects/default/people", "/audit?project=default&limit=50"

    def listed(path, **query):
        def one(site):
            made = {name: value(site) if callable(value) else value
                    for name, value in query.items()}
            site.admin(path + ("&" if "?" in path else "?") + urllib.parse.urlencode(made))
        return one
    week = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 7 * 86_400))
    sub = lambda site: subject(site, site.number())
    return {
        "client credentials": Site.client_credentials,
        "refresh token, rotation": Site.refresh,
        "sign-in by username": lambda site: site.sign_in(crowd.username(site.number())),
        "sign-in by e-mail": lambda site: site.sign_in(crowd.email(site.number())),
        "person by username": lambda site: site.admin(
            f"{people}/{crowd.username(site.number())}"),
        "person by id": lambda site: site.admin(f"{people}/{sub(site)}"),
        "people, first page": listed(people, limit=50),
        "people, page in the middle": listed(
            people, limit=50, search="p8", cursor=lambda s: s.person_cursor),
        "people by beginning of username": listed(
            people, limit=50, search=lambda s: "p" + s.random.choice("0123456789abcdef")),
        "people by family name": listed(
            people, limit=50, search=lambda s: crowd.family(s.number())),
        "people by e-mail": listed(people, limit=50, search=lambda s: crowd.email(s.number())),
        "people by given name, a page": listed(
            people, limit=50, search=lambda s: s.random.choice(crowd.GIVEN)),
        "audit, first page": listed(audit),
        "audit, page in the middle": listed(audit, cursor=lambda s: s.event_cursor),
        "audit, page of an export": listed(
            "/audit?project=default&limit=200", cursor=lambda s: s.event_cursor),
        "audit by person": listed(audit, person=sub),
        "audit by person and action": listed(audit, person=sub, action="sign-in."),
        "audit by action, frequent": listed(audit, action="token.refresh"),
        "audit by action, rare": listed(audit, action="admin.person.update"),
        "audit by beginning of action": listed(audit, action="sign-in."),
        "audit by client": listed(audit, client="quiet"),
        "audit by client, refused": listed(audit, client="quiet", outcome="refused"),
        "audit, refused": listed(audit, outcome="refused"),
        "audit since a week, by action": listed(audit, since=week, action="admin.person.update"),
        "audit by device": listed(audit, device=lambda s: crowd.device(
            s.random.randrange(max(1, s.people * crowd.EVENTS_EACH // 5000)))),
        "audit by refused request": listed(
            audit, request=lambda s: crowd.request(s.event(985))),
        "console, people": lambda site: site.console("/people"),
        "console, a person": lambda site: site.console(
            f"/people/{crowd.username(site.number())}"),
        "console, audit": lambda site: site.console("/audit"),
    }


def subject(site, number):
    """The `sub` of a person with that number."""
    return site.subjects[number % len(site.subjects)]


@dataclasses.dataclass
class Found:
    """Of one look-up on one site: medians of the request, PostgreSQL's part and pages of each."""
    p50_ms: float = 0
    postgresql_ms: float = 0
    pages: float = 0
    plans: str = ""


def measure(binary, folder, people, requests):
    postgresql = PostgreSQL(folder / "pg", **SETTINGS)
    sites = []
    try:
        postgresql.sql("CREATE EXTENSION pg_stat_statements", database="postgres")
        for name, count in (("few", thousandth(people)), ("many", people)):
            sites.append(Site(binary, folder, postgresql, name, count))
            ids = postgresql.sql(
                f"SELECT encode(id, 'hex') FROM people WHERE username LIKE 'p%' "
                f"ORDER BY username LIMIT {requests}", database=name).split()
            sites[-1].subjects = [f"{i[:8]}-{i[8:12]}-{i[12:16]}-{i[16:20]}-{i[20:]}" for i in ids]
        durable(postgresql)
        found = {name: one(postgresql, sites, work, requests) for name, work in works().items()}
        sizes = [int(postgresql.sql(f"SELECT pg_database_size('{site.name}')")) for site in sites]
    finally:
        for site in sites:
            site.server.stop()
        postgresql.stop()
    return rows(found, people, sizes), plans(found, people)


def durable(postgresql):
    """From here on as an operator runs it."""
    postgresql.sql("ALTER SYSTEM SET fsync = on", database="postgres")
    for text in ("SELECT pg_reload_conf()", "CHECKPOINT"):
        postgresql.sql(text, database="postgres")


def one(postgresql, sites, work, requests):
    for site in sites:
        for _ in range(10):
            work(site)
    postgresql.sql("SELECT pg_stat_statements_reset()", database="postgres")
    times = {site.name: [] for site in sites}
    for _ in range(requests):
        for site in sites:
            before = time.perf_counter()
            work(site)
            times[site.name].append(1000 * (time.perf_counter() - before))
    used = postgresql.sql(
        "SELECT datname, sum(total_exec_time), sum(shared_blks_hit + shared_blks_read) "
        "FROM pg_stat_statements s JOIN pg_database d ON d.oid = dbid GROUP BY 1",
        database="postgres")
    found = {name: Found(statistics.median(samples)) for name, samples in times.items()}
    for line in used.splitlines():
        name, milliseconds, pages = line.split("|")
        if name in found:
            found[name].postgresql_ms = float(milliseconds) / requests
            found[name].pages = float(pages) / requests
    for site in sites:
        found[site.name].plans = explained(postgresql, site, work)
    return found


def explained(postgresql, site, work):
    """The plans of the statements of one request, as auto_explain writes them to the log."""
    log = postgresql.process.log

    def explain(value):
        postgresql.sql(f"ALTER SYSTEM SET auto_explain.log_min_duration = {value}",
                       database="postgres")
        postgresql.sql("SELECT pg_reload_conf()", database="postgres")
        time.sleep(0.1)
    explain(0)
    begin = log.stat().st_size
    work(site)
    time.sleep(0.05)
    explain(-1)
    with log.open() as text:
        text.seek(begin)
        entries = re.split(r"^(?=\w*\|LOG)", text.read(), flags=re.M)
    wanted = [entry.split("plan:\n", 1)[1] for entry in entries
              if entry.startswith(site.name + "|") and "plan:\n" in entry]
    return "\n".join(wanted)


def rows(found, people, sizes):
    made = []
    for name, sites in found.items():
        few, many = sites["few"], sites["many"]
        detail = {site: {key: value for key, value in dataclasses.asdict(cost).items()
                         if key != "plans"} for site, cost in sites.items()}
        made.append(Row(f"{name}: {few.p50_ms:.2f} ms, {many.p50_ms:.2f} ms; PostgreSQL "
                        f"{few.postgresql_ms:.3f}, {many.postgresql_ms:.3f} ms; pages "
                        f"{number(few.pages)}, {number(many.pages)}",
                        many.p50_ms / few.p50_ms, "×", [("the bar", BAR, 1)], True, detail))
        if LARGE_TABLES.search(many.plans):
            made[-1].work += "; SEQ SCAN"
    gigabytes = [size / 1e9 for size in sizes]
    made.append(Row(f"{people:,} people, {people * crowd.EVENTS_EACH:,} events; beside it "
                    f"{thousandth(people):,}: {gigabytes[0]:.3f} GB", gigabytes[1], "GB"))
    return made


def plans(found, people):
    parts = [f"Plans of each look-up: of {thousandth(people):,} people, then of {people:,} people and "
             f"{people * crowd.EVENTS_EACH:,} audit events.\n"]
    for name, sites in found.items():
        for site, cost in sites.items():
            parts.append(f"=== {name} ({site})\n{cost.plans}")
    return "\n".join(parts)
