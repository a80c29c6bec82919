// SPDX-License-Identifier: Apache-2.0
// How many single-row transactions a second this disk takes from SQLite in WAL mode at
// synchronous=FULL, from one writer. Usage: sqlite_commits FILE SECONDS
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    sqlite3 *db;
    sqlite3_stmt *insert;
    if (sqlite3_open(argv[1], &db) != SQLITE_OK) return 1;
    sqlite3_exec(db, "PRAGMA journal_mode=WAL", 0, 0, 0);
    sqlite3_exec(db, "PRAGMA synchronous=FULL", 0, 0, 0);
    sqlite3_exec(db, "CREATE TABLE IF NOT EXISTS t(id INTEGER PRIMARY KEY, v BLOB)", 0, 0, 0);
    const char *sql = "INSERT INTO t(v) VALUES (randomblob(100))";
    if (sqlite3_prepare_v2(db, sql, -1, &insert, 0) != SQLITE_OK) return 1;
    double start = now(), end = start + atof(argv[2]);
    long commits = 0;
    while (now() < end) {
        if (sqlite3_step(insert) != SQLITE_DONE) return 1;
        sqlite3_reset(insert);
        commits++;
    }
    printf("%.1f\n", (double)commits / (now() - start));
    sqlite3_finalize(insert);
    sqlite3_close(db);
    return 0;
}
