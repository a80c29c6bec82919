# SPDX-License-Identifier: Apache-2.0
"""Look-ups of requests and console pages among many rows and among a thousandth of them, on
PostgreSQL: the time of the request, the time and the pages that PostgreSQL used for it, its plans.

Two databases of one PostgreSQL, a provider on each. Each look-up is requested of both in turns,
each time for another row, over a connection that stays open."""

import dataclasses
import re
import statistics
import time

from bench import crowd
from bench.postgresql import PostgreSQL
from bench.results import Row, number
from bench.sites import Site, works

BAR = 1.2
# Of a person with ten events: 7,600 with the indexes, and room for sorting and the log.
BYTES_EACH = 10_000
# As many as fill a page of each list: 60 groups of fifty.
FEWEST = 3000
MEMORY_GB = 2
# For one look-up on both sites: one that is not an index look-up takes too long for all requests.
MOST_SECONDS = 20
SETTINGS = {
    "shared_preload_libraries": "pg_stat_statements,auto_explain",
    "shared_buffers": f"{MEMORY_GB}GB", "maintenance_work_mem": "1GB",
    "max_wal_size": "1GB", "wal_level": "minimal",
    "max_wal_senders": 0, "fsync": "off", "autovacuum": "off", "log_line_prefix": "%d|",
    "pg_stat_statements__track_planning": "on",
    "auto_explain__log_analyze": "on", "auto_explain__log_buffers": "on"}
LARGE_TABLES = re.compile(r"Seq Scan on (%s)\b" % "|".join(crowd.TABLES))


def that_fit(gigabytes):
    """A person has ten events, and there is a thousandth of all beside."""
    return max(FEWEST, int(gigabytes * 1e9 / BYTES_EACH) // 1000 * 1000)


def gigabytes_of(people):
    """What that many need at most."""
    return (people + thousandth(people)) * BYTES_EACH / 1e9


def size(people):
    return f"{people:,} people and {people * crowd.EVENTS_EACH:,} audit events"


def thousandth(people):
    return max(FEWEST, people // 1000)


@dataclasses.dataclass
class Found:
    """Of one look-up on one site: the median time of a request, PostgreSQL's mean part in it
    (execution, planning), the pages that both read, and how many of them were not in its memory."""
    p50_ms: float = 0
    postgresql_ms: float = 0
    planning_ms: float = 0
    plans_made: float = 0
    pages: float = 0
    cold_pages: float = 0
    requests: int = 0
    plans: str = ""


def measure(binary, folder, people, requests, only=""):
    postgresql = PostgreSQL(folder / "pg", **SETTINGS)
    sites = []
    try:
        postgresql.sql("CREATE EXTENSION pg_stat_statements", database="postgres")
        for name, count in (("few", thousandth(people)), ("many", people)):
            sites.append(Site(binary, folder, postgresql, name, count))
        durable(postgresql)
        warm(postgresql, sites)
        found = {name: one(postgresql, sites, work, requests) for name, work in works().items()
                 if re.search(only, name)}
        sizes = [int(postgresql.sql(f"SELECT pg_database_size('{site.name}')")) for site in sites]
    finally:
        for site in sites:
            site.server.stop()
        postgresql.stop()
    return rows(found, people, sizes), grown(found), plans(found, people)


def durable(postgresql):
    """From here on as an operator runs it."""
    postgresql.sql("ALTER SYSTEM SET fsync = on", database="postgres")
    for text in ("SELECT pg_reload_conf()", "CHECKPOINT"):
        postgresql.sql(text, database="postgres")


def warm(postgresql, sites):
    """Reads all pages into the memory of PostgreSQL, if they fit there. Otherwise a page of the
    large site is cold more often than one of the small site, and the ratio shows that too."""
    if sum(site.people for site in sites) * BYTES_EACH / 1e9 > MEMORY_GB:
        return
    for site in sites:
        for text in ("CREATE EXTENSION pg_prewarm", "SELECT sum(pg_prewarm(oid)) FROM pg_class "
                     "WHERE relkind IN ('r', 'i') AND relnamespace = 'public'::regnamespace"):
            postgresql.sql(text, database=site.name)


def one(postgresql, sites, work, requests):
    for site in sites:
        # An idle connection ends after a minute; this opens it again at the next request.
        site.connection.close()
        end = time.monotonic() + MOST_SECONDS / 10
        for _ in range(10):
            if time.monotonic() < end:
                work(site)
    postgresql.sql("SELECT pg_stat_statements_reset()", database="postgres")
    times = {site.name: [] for site in sites}
    end = time.monotonic() + MOST_SECONDS
    while len(times[sites[0].name]) < requests and time.monotonic() < end:
        for site in sites:
            before = time.perf_counter()
            work(site)
            times[site.name].append(1000 * (time.perf_counter() - before))
    used = postgresql.sql(
        "SELECT datname, sum(total_exec_time), sum(total_plan_time), sum(plans), "
        "sum(shared_blks_hit + shared_blks_read), sum(shared_blks_read) "
        "FROM pg_stat_statements s JOIN pg_database d ON d.oid = dbid GROUP BY 1",
        database="postgres")
    found = {name: Found(statistics.median(samples), requests=len(samples))
             for name, samples in times.items()}
    for line in used.splitlines():
        name, *sums = line.split("|")
        if name in found:
            cost = found[name]
            (cost.postgresql_ms, cost.planning_ms, cost.plans_made, cost.pages, cost.cold_pages
             ) = (float(each) / cost.requests for each in sums)
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
                        f"{few.postgresql_ms:.3f}, {many.postgresql_ms:.3f} ms, planning "
                        f"{few.planning_ms:.3f}, {many.planning_ms:.3f} ms; pages "
                        f"{number(few.pages)}, {number(many.pages)}, of which cold "
                        f"{number(few.cold_pages)}, {number(many.cold_pages)}",
                        many.p50_ms / few.p50_ms, "×", [("the bar", BAR, 1)], True, detail))
        if LARGE_TABLES.search(many.plans):
            made[-1].work += "; SEQ SCAN"
    gigabytes = [size / 1e9 for size in sizes]
    made.append(Row(f"{size(people)}; beside it "
                    f"{thousandth(people):,}: {gigabytes[0]:.3f} GB", gigabytes[1], "GB"))
    return made


def grown(found):
    """The plans of the look-ups above the bar, on both sites, or an empty text."""
    parts = []
    for name, sites in found.items():
        ratio = sites["many"].p50_ms / sites["few"].p50_ms
        if ratio > BAR:
            parts += [f"{name} costs {ratio:.2f} times as much. Its plans:", *shown(name, sites)]
    return "\n".join(parts)


def shown(name, sites):
    return [f"=== {name} ({site}), {cost.plans_made:.1f} plans made for a request\n{cost.plans}"
            for site, cost in sites.items()]


def plans(found, people):
    parts = [f"Plans of each look-up: of {thousandth(people):,} people, then of {size(people)}.\n"]
    for name, sites in found.items():
        parts += shown(name, sites)
    return "\n".join(parts)
