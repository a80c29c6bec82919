# SPDX-License-Identifier: Apache-2.0
"""A throw-away PostgreSQL with its durable defaults, on a loopback port of its own."""

import os
import pathlib
import shutil
import subprocess
import time

from bench.process import Process, free_port


class PostgreSQL:
    host, user, database = "127.0.0.1", "gatehouse", "gatehouse"

    def __init__(self, directory, **settings):
        """`settings` are names and values of `postgresql.conf`; `__` in a name means a dot."""
        self.directory = pathlib.Path(directory)
        self.bin = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"),
                       key=lambda p: int(p.parent.name))
        # PostgreSQL refuses to run as root.
        self.account = "postgres" if os.geteuid() == 0 else None
        self.port = free_port()
        data = self.directory / "postgresql"
        data.mkdir(parents=True)
        if self.account:
            shutil.chown(data, self.account)
            os.chmod(self.directory, 0o755)
        subprocess.run([self.bin / "initdb", "-D", data, "-U", self.user, "-A", "trust",
                        "-E", "UTF8", "--locale=C"],
                       check=True, capture_output=True, user=self.account, cwd="/")
        options = [f"--{name.replace('__', '.')}={value}" for name, value in settings.items()]
        self.process = Process(
            [self.bin / "postgres", "-D", data, "-h", self.host, "-p", self.port, "-k", data,
             *options],
            self.directory / "postgresql.log", cwd="/", user=self.account)
        deadline = time.monotonic() + 20
        while subprocess.run([self.bin / "pg_isready", "-q", "-h", self.host,
                              "-p", str(self.port)]).returncode:
            if time.monotonic() > deadline:
                raise RuntimeError("PostgreSQL did not start")
            time.sleep(0.05)
        self.sql(f"CREATE DATABASE {self.database}", database="postgres")

    @property
    def url(self):
        return f"postgres://{self.user}@{self.host}:{self.port}/{self.database}"

    def sql(self, text, database=None):
        return subprocess.run(
            ["psql", "-qAt", "-v", "ON_ERROR_STOP=1", "-h", self.host, "-p", str(self.port),
             "-U", self.user, "-d", database or self.database, "-c", text],
            check=True, capture_output=True, text=True).stdout

    def stop(self):
        self.process.stop()
