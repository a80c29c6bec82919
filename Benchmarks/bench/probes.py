# SPDX-License-Identifier: Apache-2.0
"""What the machine itself can do: the yardsticks of the durable and the cryptographic work."""

import pathlib
import re
import shutil
import subprocess

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "probes"


def build(name, directory, *libraries):
    binary = directory / name
    subprocess.run(["cc", "-O2", "-o", binary, SOURCES / f"{name}.c", *libraries], check=True)
    return binary


def sqlite_commits(directory, seconds):
    binary = build("sqlite_commits", directory, "-lsqlite3")
    database = directory / "commits.db"
    for old in directory.glob("commits.db*"):
        old.unlink()
    return float(subprocess.run([binary, database, str(seconds)], check=True,
                                capture_output=True, text=True).stdout)


def argon2_rate(directory, seconds, memory_kib, iterations, lanes, threads):
    binary = build("argon2_rate", directory, "-largon2", "-lpthread")
    arguments = map(str, (memory_kib, iterations, lanes, threads, seconds))
    return float(subprocess.run([binary, *arguments], check=True,
                                capture_output=True, text=True).stdout)


def openssl_p256_verify(seconds):
    """Verifications a second on one core."""
    out = subprocess.run(["openssl", "speed", "-seconds", str(max(1, seconds)), "ecdsap256"],
                         check=True, capture_output=True, text=True).stdout
    line = next(l for l in out.splitlines() if "ecdsa (nistp256)" in l)
    return float(line.split()[-1])


def pgbench_inserts(server, seconds, connections, directory):
    script = directory / "insert.sql"
    script.write_text("INSERT INTO gatehouse_bench(v) VALUES (gen_random_uuid());\n")
    server.sql("CREATE TABLE IF NOT EXISTS gatehouse_bench(id bigserial PRIMARY KEY, v uuid)")
    out = subprocess.run(
        ["pgbench", "-n", "-M", "prepared", "-c", str(connections), "-j", "2",
         "-T", str(seconds), "-f", script, "-h", server.host, "-p", str(server.port),
         "-U", server.user, server.database],
        check=True, capture_output=True, text=True).stdout
    return float(re.search(r"tps = ([0-9.]+)", out).group(1))


def missing(*programs):
    return [p for p in programs if shutil.which(p) is None]
