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
            "INSERT INTO people(id,project_id,username,claims,disabled,created_at)"
            " VALUES (?,?,?,?,0,?)",
            ((uuid7(10_000_000 + n), ids[n % projects], f"person-{n}",
              '{"name":"Person %d"}' % n, now) for n in range(people)))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def people_of_default(database, people):
    """Adds so many people to the project `default`."""
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA synchronous=OFF")
    project, now = connection.execute(
        "SELECT id, created_at FROM projects WHERE name='default'").fetchone()
    with connection:
        connection.executemany(
            "INSERT INTO people(id,project_id,username,claims,disabled,created_at)"
            " VALUES (?,?,?,?,0,?)",
            ((uuid7(20_000_000 + n), project, f"person-{n}", '{"name":"Person %d"}' % n, now)
             for n in range(people)))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


def size_mb(database):
    return os.path.getsize(database) / 1e6
