# SPDX-License-Identifier: Apache-2.0
"""Copies of this system in which Scripts/guide runs the commands of the guide."""

import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Each machine of the pages has an address of its own, so that several programs can serve port 443.
HOSTS = {"127.0.0.1": ["login.example.com", "mail.example.com", "apps.example.com"], "127.0.0.2": ["wiki.example.com"],
         "127.0.0.3": ["gitlab.example.com"]}
# The addresses of machines that a page names. The first machine of a page has the bridge between them.
ADDRESSES = {"one": ["10.0.0.11", "10.0.0.21"], "two": ["10.0.0.12", "10.0.0.22"], "balancer": ["10.0.0.5"]}
HOSTS_OF_SEVERAL = {"10.0.0.5": ["login.example.com"], "127.0.0.1": ["mail.example.com"]}
PROGRAMS_OF_SEVERAL = ("ip", "haproxy", "pg_createcluster", "make-ssl-cert")
SYSTEM_PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
PATH = "PATH=/usr/local/guide:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# Where systemd-nspawn shows the checkout.
REPOSITORY = "/guide"
# The copy of the system, below `$1`. Its services are only those of systemd and of the guide.
START = r"""
set -eu
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
cd "$1/root"
# Without a network apt cannot install newer versions of what is there.
rm -rf var/lib/apt/lists/*
rm -rf etc/systemd/system/*.wants etc/nginx/sites-enabled/* etc/apache2/sites-enabled/* var/log/journal var/lib/gatehouse etc/gatehouse
: >etc/fstab
: >etc/machine-id
printf 'APT::Get::Assume-Yes "true";\n' >etc/apt/apt.conf.d/99guide
printf '127.0.0.1 localhost\n%s\n' "$3" >etc/hosts
mkdir -p usr/local/guide guide
cat >usr/local/guide/sudo <<'END'
#!/bin/sh
if [ "$1" = -u ]; then account=$2; shift 2; exec runuser -u "$account" -- "$@"; fi
exec "$@"
END
# Machines of one page share the directory in which commands run.
cat >usr/local/guide/scp <<'END'
#!/bin/sh
exec cp "$1" "${2#*:}"
END
chmod 755 usr/local/guide/sudo usr/local/guide/scp
cd /
exec env SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 systemd-nspawn -q -D "$1/root" -M "gatehouse-guide-$$" -b --register=no \
    --keep-unit --private-network --console=pipe --resolv-conf=off --timezone=off --link-journal=no \
    --bind-ro="$2:/guide" ${4:+--bind="$4:/shared"}
"""


def obstacle(programs=()):
    """Why there is no such copy here, if there is none."""
    if os.geteuid() != 0:
        return "needs root"
    for program in ("systemd-nspawn", "unshare", "nsenter", "setpriv", "dpkg-deb", *programs):
        if not shutil.which(program, path=SYSTEM_PATH):
            return f"{program} is not installed"
    return None


def built_packages(programs, folder):
    """The folder of the packages of these programs."""
    version = subprocess.run([programs / "gatehouse", "--version"], check=True, text=True, stdout=subprocess.PIPE).stdout
    subprocess.run([ROOT / "Scripts/dist", "--quick", "--programs", programs, "--output", folder, "--version", version.strip()],
                   check=True, stdout=subprocess.DEVNULL)
    return folder


class Machine:
    """A copy of this system.

    `shared` is the folder in which commands run on several machines, and `hosts` has the names of addresses."""

    def __init__(self, programs, packages, hosts=None, shared=None):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="gatehouse-guide-", dir="/var/tmp"))
        self.work.chmod(0o755)
        self.programs, self.packages = programs, packages
        self.hosts = hosts or HOSTS
        self.shared, self.folder = shared, "/shared" if shared else "/root"
        self.process, self.leader = None, None

    def __enter__(self):
        try:
            self.boot()
            self.prepare()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            if self.leader:
                self.shell("kill -s RTMIN+4 1")
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.work, ignore_errors=True)

    def boot(self):
        log = (self.work / "boot.log").open("w")
        self.process = subprocess.Popen(
            # It ends with this process, however that ends.
            ["setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--propagation", "private", "sh", "-c", START, "guide", str(self.work), str(ROOT),
             "\n".join(f"{address} {' '.join(names)}" for address, names in self.hosts.items()), str(self.shared or "")],
            env={"PATH": SYSTEM_PATH}, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            self.leader = next(iter(self.children()), None)
            if self.leader and self.shell("systemctl is-system-running").stdout.strip() in ("running", "degraded"):
                return
            time.sleep(0.2)
        raise SystemExit("guide: systemd does not start: " + (self.work / "boot.log").read_text()[-2000:])

    def children(self):
        """The first process of the copy: a child of nspawn, which has taken the place of the shell."""
        listed = subprocess.run(["pgrep", "-P", str(self.process.pid), "-x", "systemd"], text=True, stdout=subprocess.PIPE, check=False)
        return listed.stdout.split()

    def prepare(self):
        """The package, certificates of an authority that the copy trusts, and a mail server."""
        dist = self.packages or built_packages(self.programs, self.work / "dist")
        for package in dist.glob("gatehouse_*.deb"):
            shutil.copy(package, f"/proc/{self.leader}/root{self.folder}")
        names = [name for names in self.hosts.values() for name in names]
        done = self.shell(f"sh {REPOSITORY}/Tests/EndToEnd/peers/guide/prepare.sh {' '.join(names)}")
        if done.returncode != 0:
            raise SystemExit(f"guide: {done.stdout[-3000:]}")

    def network(self, text):
        """Runs commands as root of this system in the network of the copy."""
        subprocess.run(["nsenter", "-t", self.leader, "-n", "sh", "-euc", text], check=True, env={"PATH": SYSTEM_PATH})

    def shell(self, text):
        """Runs commands as root in the copy."""
        return subprocess.run(
            ["nsenter", "-t", self.leader, "-a", "env", "-i", PATH, "HOME=/root", "DEBIAN_FRONTEND=noninteractive", "LANG=C.UTF-8",
             "REQUESTS_CA_BUNDLE=/etc/ssl/certs/ca-certificates.crt", "bash", "-euo", "pipefail", "-c", f"cd {self.folder}\n{text}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False)

    def journal(self):
        return self.shell("journalctl -n 40 -o cat --no-pager").stdout

    def has(self, program):
        """A program, or a file."""
        return re.fullmatch(r"[\w./+-]+", program) and self.shell(f"command -v {program} || test -e {program}").returncode == 0


class Network:
    """Machines that are connected with each other, and with nothing else. They share the directory of commands."""

    def __init__(self, names, programs, packages):
        self.names, self.programs, self.packages = names, programs, packages
        self.machines = {}
        self.stack = contextlib.ExitStack()

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            shared = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gatehouse-guide-shared-", dir="/var/tmp")))
            packages = self.packages or built_packages(self.programs, shared / "dist")
            for name in self.names:
                self.machines[name] = stack.enter_context(Machine(self.programs, packages, HOSTS_OF_SEVERAL, shared))
            self.connect()
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self.stack.close()

    def connect(self):
        """The first machine has a bridge, each other one a cable to it."""
        hub = self.machines[self.names[0]]
        hub.network(f"ip link add name eth0 type bridge; ip link set eth0 up; {addresses(self.names[0])}")
        for name in self.names[1:]:
            self.machines[name].network(
                f"ip link add name eth0 type veth peer name {name} netns {hub.leader}; ip link set eth0 up; {addresses(name)}")
            hub.network(f"ip link set {name} master eth0 up")


def addresses(name):
    return "; ".join(f"ip address add {address}/24 dev eth0" for address in ADDRESSES[name])
