# SPDX-License-Identifier: Apache-2.0
"""Fills a Gatehouse database with projects and people, straight into SQLite: what is measured is
the look-up among them, not their making."""

import os
import sqlite3
import time


def uuid7(number):
    milliseconds = int(time.time() * 1000).to_bytes(6, "big")
    tail = number.to_bytes(6, "big")
    return milliseconds + bytes([0x70, 0, 0x80, 0]) + tail


# As the provider makes them: with a name to be shown, and listed for the search.
PERSON = ("INSERT INTO people(id,project_id,username,claims,disabled,created_at,shown_name,listed,"
          "realm,user_name) VALUES (?,?,?,?,0,?,?,1,'',?)")


def seed(database, projects, people):
    """Adds so many projects, and so many people spread over them."""
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute("PRAGMA foreign_keys=OFF")
    template = connection.execute("SELECT * FROM projects WHERE name='default'")
    columns = [c[0] for c in template.description]
    row = dict(zip(columns, template.fetchone()))
    now = row["created_at"]
    ids = [uuid7(n + 1) for n in range(projects)]
    marks = ",".join("?" * len(columns))
    with connection:
        connection.executemany(
            f"INSERT INTO projects({','.join(columns)}) VALUES ({marks})",
            ([{**row, "id": i, "name": f"tenant-{n}"}[c] for c in columns]
             for n, i in enumerate(ids)))
        connection.executemany(
            "INSERT INTO realms(project_id,name,kind,silent) VALUES (?,'','own',0)",
            ((i,) for i in ids))
        connection.executemany(
            PERSON,
            ((uuid7(10_000_000 + n), ids[n % projects], f"person-{n}",
              '{"name":"Person %d"}' % n, now, f"person-{n}", f"person-{n}")
             for n in range(people)))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def people_of_default(database, people):
    """Adds so many people to the project `default`."""
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA synchronous=OFF")
    project, now = connection.execute(
        "SELECT id, created_at FROM projects WHERE name='default'").fetchone()
    ids = [uuid7(20_000_000 + n) for n in range(people)]
    with connection:
        connection.executemany(
            PERSON,
            ((ids[n], project, f"person-{n}", '{"name":"Person %d"}' % n, now,
              f"person-{n}", f"person-{n}") for n in range(people)))
        connection.executemany(
            "INSERT INTO person_terms(project_id,term,person_id) VALUES (?,?,?)",
            ((project, term, ids[n])
             for n in range(people) for term in (f"person {n}", f"{n}")))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def long_lists_of_default(database, rows):
    """For those people: a machine and an event of the audit trail each, one group that all are in
    and one of their own, and a set of entitlements."""
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA synchronous=OFF")
    project, now = connection.execute(
        "SELECT id, created_at FROM projects WHERE name='default'").fetchone()
    people = connection.execute(
        "SELECT id, username FROM people WHERE project_id = ? AND username LIKE 'person-%' "
        "ORDER BY id LIMIT ?", (project, rows)).fetchall()
    with connection:
        connection.executemany(
            "INSERT INTO devices(id,project_id,sharing,serial,udid,model,host_name,system_version,"
            "attestation,registered_at,last_seen_at) VALUES (?,?,'shared',?,'','Mac15,3',?,'15.1',"
            "'{}',?,?)",
            ((uuid7(40_000_000 + n), project, f"C02{n:07}", f"{name}'s Mac", now, now)
             for n, (_, name) in enumerate(people)))
        connection.executemany(
            "INSERT INTO group_members(project_id,group_name,sort_name,person_id) VALUES (?,?,?,?)",
            ((project, group, name, id) for n, (id, name) in enumerate(people)
             for group in ("everybody", f"group-{n:07}")))
        connection.executemany(
            "INSERT INTO audit_events(id,project_id,at,action,outcome,person_id,address,request_id,"
            "details,occurrences) VALUES (?,?,?,'sign-in.password','accepted',?,'192.0.2.1','r',"
            "'{}',1)",
            ((uuid7(60_000_000 + n), project, now, id) for n, (id, _) in enumerate(people)))
        connection.execute(
            "INSERT INTO entitlement_sets(project_id,name,entitlements,created_at) "
            "VALUES (?,'gold','{}',?)", (project, now))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def size_mb(database):
    return os.path.getsize(database) / 1e6
